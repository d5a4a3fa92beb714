/* Saint-Venant Kirchhoff: the quadratic energy in the Green strain. It softens in compression and
   does not resist inversion (uniaxial collapse at a stretch of 0.577); the run watches det F for
   that. */
#include "material/svk.h"

const CrMaterialOps CR_VARIANT(CrMaterial_saint_venant_kirchhoff) = {
    .name = "saint-venant-kirchhoff",
    .help = "quadratic energy in the Green strain; for large rotations and moderate strain",
    .flags = CR_QUADRATIC,
    .configure = quadratic_configure,
    .point = quadratic_point,
    .difference = quadratic_difference_change,
};
