#include "run/hourglass.h"
#include <math.h>
#include "model/forces.h"

#define GROWTH  1.1 /* of the internal energy from look to look */
#define CALM    0.5 /* of the greatest internal energy: below it a ratio says nothing */
#define GREATER 0.1 /* ratio above which the run warns */

struct CrHourglass {
  const CrModel *model;   /* borrowed */
  PetscReal      seen;    /* greatest internal energy of a look */
  PetscReal     *springs; /* [nbodies] owned, as is ratio */
  PetscReal     *ratio;   /* [nbodies] greatest energy of springs over internal energy */
};

PetscErrorCode CrHourglassCreate(const CrModel *model, CrHourglass **out)
{
  PetscBool any = PETSC_FALSE;

  PetscFunctionBeginUser;
  *out = NULL;
  for (PetscInt k = 0; k < model->nblocks; k++) any |= model->blocks[k].one_point;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPIU_BOOL, MPI_LOR, model->comm));
  if (!any) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(out));
  (*out)->model = model;
  PetscCall(PetscCalloc2(model->nbodies, &(*out)->springs, model->nbodies, &(*out)->ratio));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHourglassDestroy(CrHourglass **hourglass)
{
  PetscFunctionBeginUser;
  if (!*hourglass) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*hourglass)->springs, (*hourglass)->ratio));
  PetscCall(PetscFree(*hourglass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHourglassArchive(CrHourglass *h, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "hourglass.seen", 1, &h->seen));
  PetscCall(CrArchiveAddReals(archive, "hourglass.ratio", h->model->nbodies, h->ratio));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal internal_energy(const CrBodyAudit *body)
{
  PetscReal sum = body->strain;

  for (int k = 0; k < CR_NLOSSES; k++) sum += body->losses[k];
  return sum;
}

PetscErrorCode CrHourglassLook(CrHourglass *h, const CrState *state, const CrAudit *audit,
                               PetscBool end)
{
  const PetscReal  internal = audit->strain + audit->material_loss;
  const PetscReal *u;

  PetscFunctionBeginUser;
  if (!(internal > (end ? CALM : GROWTH) * h->seen)) PetscFunctionReturn(PETSC_SUCCESS);
  h->seen = PetscMax(h->seen, internal);
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrModelHourglass(h->model, state, u, h->springs));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  for (PetscInt b = 0; b < h->model->nbodies; b++) {
    const PetscReal inside = internal_energy(&audit->bodies[b]);

    if (inside > CALM * h->seen / (PetscReal)h->model->nbodies)
      h->ratio[b] = PetscMax(h->ratio[b], h->springs[b] / inside);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrHourglassEnd(const CrHourglass *h)
{
  PetscReal greatest = h ? 0 : NAN;

  for (PetscInt b = 0; h && b < h->model->nbodies; b++) {
    greatest = PetscMax(greatest, h->ratio[b]);
    if (h->ratio[b] > GREATER)
      CrWarn(
          "body %s: its hourglass springs store up to %.2g %% of the internal energy, so one quadrature point does not resolve its bending; refine the mesh, or set `integration: full`",
          h->model->bodies[b].name, (double)(100 * h->ratio[b]));
  }
  return greatest;
}
