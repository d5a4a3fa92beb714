/* Linear elasticity: small strain eps = sym(grad u), W = lambda/2 (tr eps)^2 + G eps:eps. Energy
   and linear momentum are exact under the conserving stress; angular momentum is not, since the
   model is not frame invariant (theory 5.7). */
#include "material/svk.h"

const CrMaterialOps CR_VARIANT(CrMaterial_linear) = {
    .name = "linear",
    .help = "small-strain linear elasticity",
    .flags = CR_SMALL_STRAIN | CR_QUADRATIC,
    .configure = quadratic_configure,
    .point = quadratic_point,
    .difference = quadratic_difference_change,
};
