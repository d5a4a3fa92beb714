/* Gathers fields of the whole model, or of its surface, on rank 0. */
#include <string.h>
#include "base/grow.h"
#include "model/internal.h"
#include "model/gather.h"

/* Rows of the nodes named in `mine`: their places among the natural numbers of all ranks, ascending. */
static PetscErrorCode finish(const CrModel *model, CrGatherPlan *plan, PetscInt **naturals)
{
  PetscInt *send, total, *order;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(plan->n, &send));
  for (PetscInt k = 0; k < plan->n; k++) send[k] = model->natural[plan->mine[k]];
  PetscCall(CrGatherCounts(model->comm, plan->n, &plan->counts, &plan->starts, &total));
  PetscCall(CrGatherInts(model->comm, plan->n, send, naturals, &plan->all));
  PetscCall(PetscFree(send));
  PetscCall(PetscMalloc1(plan->all, &order));
  PetscCall(PetscMalloc1(plan->all, &plan->rows));
  for (PetscInt k = 0; k < plan->all; k++) order[k] = k;
  PetscCall(PetscSortIntWithArray(plan->all, *naturals, order));
  for (PetscInt k = 0; k < plan->all; k++) plan->rows[order[k]] = k;
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherPlanNodes(const CrModel *model, CrGatherPlan *plan)
{
  PetscInt *naturals;

  PetscFunctionBeginUser;
  *plan = (CrGatherPlan){.n = model->nowned};
  PetscCall(PetscMalloc1(plan->n, &plan->mine));
  for (PetscInt A = 0; A < plan->n; A++) plan->mine[A] = A;
  PetscCall(finish(model, plan, &naturals));
  PetscCall(PetscFree(naturals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherPlanAll(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells)
{
  PetscFunctionBeginUser;
  PetscCall(CrGatherPlanNodes(model, plan));
  PetscCall(
      CrModelGatherCells(model, &cells->types, &cells->offsets, &cells->nodes, &cells->bodies));
  cells->n = model->ncells;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the surface -------------------------------------------------------------------------- */

typedef CR_LIST(PetscInt) Numbers;

/* Faces that this rank counts, one after the other: body, type, natural nodes. Marks owned nodes of the surface. */
static PetscErrorCode list_faces(const CrModel *model, Numbers *faces, char *on_surface)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < model->nsets; s++) {
    const CrModelSet *set = &model->sets[s];

    if (strcmp(set->name, "boundary")) continue;
    for (PetscInt i = 0; i < set->nnodes; i++)
      if (set->nodes[i] < model->nowned) on_surface[set->nodes[i]] = 1;
    for (PetscInt f = 0; f < set->nfacets; f++) {
      const CrLocalFacet *facet = &set->facets[f];
      PetscInt            n = CrCells[facet->type].nnodes;

      if (!facet->owned) continue;
      PetscCall(CrListGrow(faces, 2 + n));
      faces->at[faces->n++] = set->body;
      faces->at[faces->n++] = facet->type;
      for (PetscInt a = 0; a < n; a++) faces->at[faces->n++] = model->natural[facet->nodes[a]];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The faces of all ranks, with rows for nodes. Rank 0. */
static PetscErrorCode fill_cells(PetscInt length, const PetscInt *faces, const CrGatherPlan *plan,
                                 const PetscInt *naturals, CrGatherCells *cells)
{
  PetscInt at = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < length; k += 2 + CrCells[faces[k + 1]].nnodes) cells->n++;
  PetscCall(PetscMalloc1(cells->n, &cells->types));
  PetscCall(PetscMalloc1(cells->n, &cells->bodies));
  PetscCall(PetscMalloc1(cells->n + 1, &cells->offsets));
  PetscCall(PetscMalloc1(length - 2 * cells->n, &cells->nodes));
  for (PetscInt c = 0, k = 0; c < cells->n; c++) {
    PetscInt n = CrCells[faces[k + 1]].nnodes;

    cells->bodies[c] = faces[k];
    cells->types[c] = faces[k + 1];
    cells->offsets[c] = at;
    for (PetscInt a = 0; a < n; a++)
      PetscCall(PetscFindInt(faces[k + 2 + a], plan->all, naturals, &cells->nodes[at++]));
    k += 2 + n;
  }
  cells->offsets[cells->n] = at;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherPlanSurface(const CrModel *model, CrGatherPlan *plan, CrGatherCells *cells)
{
  Numbers     faces = {0};
  char       *on_surface;
  PetscInt   *naturals, *all, length;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  if (model->dim == 2) PetscFunctionReturn(CrGatherPlanAll(model, plan, cells));
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  *plan = (CrGatherPlan){0};
  *cells = (CrGatherCells){0};
  PetscCall(PetscCalloc1(model->nowned, &on_surface));
  PetscCall(list_faces(model, &faces, on_surface));
  for (PetscInt A = 0; A < model->nowned; A++) plan->n += on_surface[A];
  PetscCall(PetscMalloc1(plan->n, &plan->mine));
  for (PetscInt A = 0, k = 0; A < model->nowned; A++)
    if (on_surface[A]) plan->mine[k++] = A;
  PetscCall(finish(model, plan, &naturals));
  PetscCall(CrGatherInts(model->comm, faces.n, faces.at, &all, &length));
  if (rank == 0) PetscCall(fill_cells(length, all, plan, naturals, cells));
  PetscCall(PetscFree(all));
  PetscCall(PetscFree(naturals));
  PetscCall(PetscFree(faces.at));
  PetscCall(PetscFree(on_surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- use ---------------------------------------------------------------------------------- */

PetscErrorCode CrGatherRows(const CrModel *model, const CrGatherPlan *plan, PetscInt width,
                            const PetscReal *mine, PetscReal *all)
{
  PetscReal   *come;
  MPI_Datatype row;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(plan->all * width, &come));
  PetscCallMPI(MPI_Type_contiguous((int)width, MPIU_REAL, &row));
  PetscCallMPI(MPI_Type_commit(&row));
  PetscCallMPI(
      MPI_Gatherv(mine, (int)plan->n, row, come, plan->counts, plan->starts, row, 0, model->comm));
  PetscCallMPI(MPI_Type_free(&row));
  for (PetscInt k = 0; k < plan->all; k++)
    PetscCall(PetscArraycpy(all + plan->rows[k] * width, come + k * width, width));
  PetscCall(PetscFree(come));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherPlanDestroy(CrGatherPlan *plan)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(plan->mine));
  PetscCall(PetscFree(plan->rows));
  PetscCall(PetscFree2(plan->counts, plan->starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
