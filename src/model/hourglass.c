/* Computes the energy of hourglass springs, which does not belong to a quadrature point. */
#include "model/forces.h"
#include "model/internal.h"

PetscErrorCode CrModelHourglass(const CrModel *model, const CrState *state, const PetscReal *u,
                                PetscReal *energy)
{
  CrNodal           nodal;
  PetscReal         springs[CR_BATCH];
  const CrKernelOut out = {.hourglass = springs};

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(energy, model->nbodies));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    if (!b->one_point) continue;
    PetscCall(CrModelNodal(model, state, k, NULL, u, &nodal));
    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      const PetscInt n = PetscMin(CR_BATCH, b->nowned - batch * CR_BATCH);

      b->element->observe(b, batch, &nodal, CR_FORCE_POINT, &out);
      for (PetscInt l = 0; l < n; l++) energy[b->body] += springs[l];
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, energy, (PetscMPIInt)model->nbodies, MPIU_REAL, MPIU_SUM,
                             model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
