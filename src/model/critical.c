/* Critical step of central differences from element bounds (theory 12.1): h <= 2/omega, and
   omega^2 is at most the greatest eigenvalue of K_e against the element's lumped mass, over all
   elements. */
#include "model/internal.h"

/* Greatest eigenvalue of M^-1/2 K M^-1/2 for lane l by power iteration, a little above the true
 * one. */
static PetscReal greatest_eigenvalue(PetscInt nd, PetscInt dim, const PetscReal *K,
                                     const PetscReal *m, PetscInt l)
{
  PetscReal x[CR_MAX_DOFS], y[CR_MAX_DOFS], value = 0;

  for (PetscInt r = 0; r < nd; r++) x[r] = 1 + 0.37 * (PetscReal)((r * 7919) % 13);
  for (int it = 0; it < 200; it++) {
    PetscReal norm = 0, last = value;

    for (PetscInt r = 0; r < nd; r++) {
      y[r] = 0;
      for (PetscInt c = 0; c < nd; c++)
        y[r] += K[(r * nd + c) * CR_BATCH + l] * x[c] / PetscSqrtReal(m[r / dim] * m[c / dim]);
      norm += y[r] * y[r];
    }
    value = PetscSqrtReal(norm);
    if (!(value > 0)) return value;
    for (PetscInt r = 0; r < nd; r++) x[r] = y[r] / value;
    if (it > 5 && PetscAbsReal(value - last) < 1e-6 * value) break;
  }
  return value * (1 + 1e-4);
}

PetscErrorCode CrModelCriticalStep(const CrModel *model, PetscReal *h)
{
  PetscReal *zero, *K, *M, m[CR_MAX_CELL_NODES], omega2 = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &zero));
  PetscCall(PetscMalloc2(CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH, &K,
                         CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH, &M));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b     = &model->blocks[k];
    const CrNodal         nodal = {model->X, zero, zero};
    const CrKernelOut     out   = {.tangent = K, .mass = M};
    PetscInt              nn    = b->element->nnodes;

    for (PetscInt e = 0; e < b->nowned; e++) {
      if (e % CR_BATCH == 0) {
        b->element->tangent(b, e / CR_BATCH, &nodal, CR_FORCE_POINT, &out);
        b->element->mass(b, e / CR_BATCH, &nodal, CR_FORCE_POINT, &out);
      }
      CrElementLump(b->element, M, e % CR_BATCH, m);
      omega2 =
          PetscMax(omega2, greatest_eigenvalue(nn * model->dim, model->dim, K, m, e % CR_BATCH));
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &omega2, 1, MPIU_REAL, MPIU_MAX, model->comm));
  *h = 2 / PetscSqrtReal(omega2);
  PetscCall(PetscFree(zero));
  PetscCall(PetscFree2(K, M));
  PetscFunctionReturn(PETSC_SUCCESS);
}
