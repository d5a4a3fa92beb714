/* Computes the critical step of central differences from element bounds (theory 12.1): h <= 2/omega, where omega^2 is
   the greatest eigenvalue of the element stiffness K_e relative to the element's lumped mass, over all elements. */
#include "model/internal.h"

/* Viscosity that lags by half a step makes the critical step shorter: h = 2/omega (sqrt(1 + zeta^2) - zeta) with
   zeta = omega eta/(2 modulus). Returns the omega^2 that has this step. */
static PetscReal with_viscosity(const CrMaterial *m, PetscReal omega2)
{
  PetscReal shear = m->viscosity.eta_shear / m->shear;
  PetscReal bulk = m->viscosity.eta_bulk / (m->lambda + 2.0 / 3 * m->shear);
  PetscReal zeta = PetscSqrtReal(omega2) * PetscMax(shear, bulk) / 2;

  return zeta > 0 ? omega2 / PetscSqr(PetscSqrtReal(1 + zeta * zeta) - zeta) : omega2;
}

/* h <= 2/omega of a damped element: h^2/4 K + h/2 C <= M in every mode is enough, so omega^2 and the greatest damping c
   of all modes are. Returns the omega^2 that has this step without damping. */
static PetscReal with_damping(PetscReal omega2, PetscReal c)
{
  PetscReal h = (PetscSqrtReal(c * c + 4 * omega2) - c) / omega2;

  return c > 0 ? 4 / (h * h) : omega2;
}

/* Critical omega^2 of one batch: M^-1/2 of the lumped element masses on both sides of K_e. slope: of bulk viscosity,
   with the force b of a unit pressure; NULL: none. */
static PetscReal batch_bound(const CrElementBlock *b, PetscInt batch, PetscInt dim,
                             const CrKernelOut *out, const PetscReal *slope)
{
  PetscReal scale[CR_MAX_DOFS * CR_BATCH], values[CR_BATCH], m[CR_MAX_CELL_NODES], greatest = 0;
  PetscInt  nn = b->element->nnodes, nd = nn * dim;

  for (PetscInt l = 0; l < CR_BATCH; l++) {
    CrElementLump(b->element, out->mass, l, m);
    for (PetscInt r = 0; r < nd; r++) scale[r * CR_BATCH + l] = 1 / PetscSqrtReal(m[r / dim]);
  }
  CrElementSpectrum(nd, out->tangent, scale, values);
  for (PetscInt l = 0; l < CR_BATCH && batch * CR_BATCH + l < b->nowned; l++) {
    PetscReal omega2 = with_viscosity(b->material, values[l]);

    if (slope) CrElementLump(b->element, out->mass, l, m);
    if (slope) omega2 = with_damping(omega2, CrBulkDamping(nn, dim, l, out->force, slope[l], m));
    greatest = PetscMax(greatest, omega2);
  }
  return greatest;
}

/* Laws with state are asked for the stiffness of their start where there is no state yet; `own` is
   destroyed by the caller. Collective. */
static PetscErrorCode state_to_ask(const CrModel *model, const CrState **state, CrState *own)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(own, sizeof *own));
  if (*state) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPointsCreate(model, &own->points));
  *state = own;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelCriticalStep(const CrModel *model, const CrState *state, const PetscReal *u,
                                   PetscReal *h)
{
  _Alignas(64) PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  PetscReal              M[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH];
  PetscReal             *zero = NULL, omega2 = 0, force[CR_MAX_DOFS * CR_BATCH], slope[CR_BATCH];
  CrState                own;

  PetscFunctionBeginUser;
  PetscCall(state_to_ask(model, &state, &own));
  if (!u) PetscCall(PetscCalloc1(model->nlocal * model->dim, &zero));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    const CrKernelOut     out = {.tangent = K, .mass = M};
    const CrKernelOut     bulk = {.force = force, .damping = slope, .tangent = K, .mass = M};
    CrNodal               nodal, cells;

    PetscCall(CrModelNodal(model, state, k, NULL, u ? u : zero, &nodal));
    if (b->material->viscosity.eta_shear > 0 || b->material->viscosity.eta_bulk > 0) {
      nodal.h =
          0; /* without viscous stress, whose derivative is that of a step: with_viscosity counts it */
      nodal.u0 = nodal.u1;
    }
    cells = (CrNodal){.X = nodal.X,
                      .u1 = nodal.u1,
                      .state = state->bulk.now ? state->bulk.now[k] : NULL};
    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      b->element->tangent(b, batch, &nodal, CR_FORCE_POINT, &out);
      b->element->mass(b, batch, &nodal, CR_FORCE_POINT, &out);
      if (model->thickens) b->element->bulk(b, batch, &cells, CR_FORCE_POINT, &bulk);
      omega2 = PetscMax(omega2,
                        batch_bound(b, batch, model->dim, &bulk, model->thickens ? slope : NULL));
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &omega2, 1, MPIU_REAL, MPIU_MAX, model->comm));
  *h = 2 / PetscSqrtReal(omega2);
  PetscCall(CrPointsDestroy(&own.points));
  PetscCall(PetscFree(zero));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelStiffest(const CrModel *model, PetscReal *stiffness)
{
  _Alignas(64) PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  const CrState         *state = NULL;
  CrState                own;
  PetscReal             *zero;

  PetscFunctionBeginUser;
  *stiffness = 0;
  PetscCall(state_to_ask(model, &state, &own));
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &zero));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    const CrKernelOut     out = {.tangent = K};
    PetscInt              nd = b->element->nnodes * model->dim;
    CrNodal               nodal;

    PetscCall(CrModelNodal(model, state, k, NULL, zero, &nodal));
    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      b->element->tangent(b, batch, &nodal, CR_FORCE_POINT, &out);
      for (PetscInt r = 0; r < nd; r++)
        for (PetscInt l = 0; l < CR_BATCH && batch * CR_BATCH + l < b->nowned; l++)
          *stiffness = PetscMax(*stiffness, K[(r * nd + r) * CR_BATCH + l]);
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, stiffness, 1, MPIU_REAL, MPIU_MAX, model->comm));
  PetscCall(CrPointsDestroy(&own.points));
  PetscCall(PetscFree(zero));
  PetscFunctionReturn(PETSC_SUCCESS);
}
