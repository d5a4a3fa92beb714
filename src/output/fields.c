/* The nodal fields that can be written to files. */
#include <math.h>
#include "output/internal.h"
#include "model/gather.h"

const OutputField CrOutputFields[NFIELDS] = {
    [FIELD_DISPLACEMENT] = {.name = "displacement", .width = 3},
    [FIELD_VELOCITY] = {.name = "velocity", .width = 3},
    [FIELD_STRESS] = {.name = "stress", .width = 6, .from_stress = PETSC_TRUE},
    [FIELD_CONTACT_PRESSURE] = {.name = "contact-pressure", .width = 1},
    [FIELD_CONTACT_STATUS] = {.name = "contact-status", .width = 1},
    [FIELD_CONTACT_FORCE] = {.name = "contact-force", .width = 3},
    [FIELD_PRESSURE] = {.name = "pressure", .width = 1, .from_stress = PETSC_TRUE},
    [FIELD_PLASTIC_STRAIN] = {.name = "plastic_strain", .width = 1, .from_state = PETSC_TRUE},
    [FIELD_PLASTIC_WORK] = {.name = "plastic_work", .width = 1, .from_state = PETSC_TRUE},
    [FIELD_VISCOUS_WORK] = {.name = "viscous_work", .width = 1, .from_state = PETSC_TRUE},
    [FIELD_TEMPERATURE_RISE] = {.name = "temperature_rise", .width = 1, .from_state = PETSC_TRUE},
    [FIELD_VON_MISES] = {.name = "von-mises", .width = 1, .from_stress = PETSC_TRUE},
};

static void copy_vector(PetscInt dim, const PetscReal *from, PetscReal to[3])
{
  for (PetscInt i = 0; i < 3; i++) to[i] = i < dim ? from[i] : 0;
}

void CrFieldAt(const CrModel *model, const OutputNodal *nodal, PetscInt field, PetscInt node,
               PetscReal value[6])
{
  const PetscInt dim = model->dim;

  switch (field) {
  case FIELD_DISPLACEMENT: copy_vector(dim, nodal->u + dim * node, value); break;
  case FIELD_VELOCITY: copy_vector(dim, nodal->v + dim * node, value); break;
  case FIELD_STRESS:
    for (PetscInt i = 0; i < 6; i++) value[i] = nodal->stress[6 * node + i];
    break;
  case FIELD_CONTACT_PRESSURE: value[0] = nodal->contact ? nodal->contact[node].pressure : 0; break;
  case FIELD_CONTACT_STATUS: value[0] = nodal->contact ? nodal->contact[node].status : 0; break;
  case FIELD_CONTACT_FORCE:
    for (PetscInt i = 0; i < 3; i++)
      value[i] = nodal->force && i < dim ? nodal->force[dim * node + i] : 0;
    break;
  case FIELD_PRESSURE: {
    const PetscReal *s = nodal->stress + 6 * node;

    value[0] = -(s[0] + s[1] + s[2]) / 3;
    break;
  }
  case FIELD_PLASTIC_STRAIN:
  case FIELD_PLASTIC_WORK:
  case FIELD_VISCOUS_WORK:
  case FIELD_TEMPERATURE_RISE:
    value[0] =
        nodal->shown ? nodal->shown[(field - FIELD_PLASTIC_STRAIN) * model->nowned + node] : 0;
    break;
  case FIELD_VON_MISES: value[0] = CrVonMises(nodal->stress + 6 * node); break;
  }
}

PetscReal CrFieldSize(PetscInt field, const PetscReal value[6])
{
  PetscReal sum = 0;

  if (CrOutputFields[field].width == 1) return value[0];
  for (PetscInt i = 0; i < CrOutputFields[field].width; i++) sum += value[i] * value[i];
  return sqrt(sum);
}
