/* Uniform refinement of a mesh. */
#include "base/grow.h"
#include "mesh/refine.h"

/* ---- the work ----------------------------------------------------------------------------------- */

/* Nodes of the old mesh keep their numbers; one that no cell has gets an empty key. */
static PetscErrorCode enter_old(CrRefineWork *work)
{
  const CrMesh *m = work->old;
  PetscInt      r[3], before;

  PetscFunctionBeginUser;
  work->n = m->nnodes;
  PetscCall(CrGrow(work->n * m->dim, &work->room, &work->X));
  PetscCall(CrGrow(work->n, &work->keys_room, &work->keys));
  PetscCall(PetscArraycpy(work->X, m->X, (size_t)m->nnodes * m->dim));
  for (PetscInt A = 0; A < m->nnodes; A++) work->keys[A].at[0] = -1;
  for (PetscInt b = 0; b < m->nblocks; b++)
    for (PetscInt c = 0; c < m->blocks[b].n; c++)
      for (PetscInt a = 0, n = CrCells[m->blocks[b].type].nnodes; a < n; a++) {
        const PetscInt *nodes = &m->blocks[b].nodes[c * n];

        CrRefineNodeAt(m->blocks[b].type, -1, a, r);
        work->keys[nodes[a]] = CrRefineKey(m->blocks[b].type, nodes, r);
        PetscCall(
            CrIndexAdd(work->index, &work->keys[nodes[a]], sizeof(CrWeightKey), nodes[a], &before));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The node at a point of a cell, which may be new. */
static PetscErrorCode find_node(CrRefineWork *work, CrCellType type, const PetscInt nodes[],
                                const PetscInt r[3], PetscInt *node)
{
  const PetscInt    dim = work->old->dim;
  const CrWeightKey key = CrRefineKey(type, nodes, r);
  PetscReal         N[CR_MAX_CELL_NODES];
  PetscInt          before;

  PetscFunctionBeginUser;
  PetscCall(CrIndexAdd(work->index, &key, sizeof key, work->n, &before));
  *node = before < 0 ? work->n : before;
  if (before >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow((work->n + 1) * dim, &work->room, &work->X));
  PetscCall(CrGrow(work->n + 1, &work->keys_room, &work->keys));
  CrRefineInterpolate(type, r, N);
  for (PetscInt i = 0; i < dim; i++) {
    work->X[work->n * dim + i] = 0;
    for (PetscInt a = 0; a < CrCells[type].nnodes; a++)
      work->X[work->n * dim + i] += N[a] * work->old->X[nodes[a] * dim + i];
  }
  work->keys[work->n++] = key;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode split_block(CrRefineWork *work, const CrCellBlock *from, CrCellBlock *to)
{
  const PetscInt nn = CrCells[from->type].nnodes, nk = CrRefineChildren(from->type);
  PetscInt       r[3];

  PetscFunctionBeginUser;
  *to = (CrCellBlock){.type = from->type, .n = from->n * nk};
  PetscCall(PetscMalloc1((size_t)to->n * nn, &to->nodes));
  PetscCall(PetscMalloc1(to->n, &to->tags));
  for (PetscInt c = 0; c < from->n; c++)
    for (PetscInt k = 0; k < nk; k++) {
      to->tags[c * nk + k] = from->tags[c];
      for (PetscInt a = 0; a < nn; a++) {
        CrRefineNodeAt(from->type, k, a, r);
        PetscCall(find_node(work, from->type, &from->nodes[c * nn], r,
                            &to->nodes[(c * nk + k) * nn + a]));
      }
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sets --------------------------------------------------------------------------------------- */

/* Facets of the new mesh whose parents belong to a set. */
PetscErrorCode CrRefineSurface(const CrMesh *old, const CrSet *set, CrMesh *mesh)
{
  PetscInt *facets, n = 0, before;
  CrIndex  *index;

  PetscFunctionBeginUser;
  PetscCall(CrIndexCreate(&index));
  for (PetscInt f = 0; f < set->nfacets; f++)
    PetscCall(CrIndexAdd(index, &old->facets[set->facets[f]], sizeof(CrFacet), f, &before));
  PetscCall(PetscMalloc1(mesh->nfacets, &facets));
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    const CrFacet *facet = &mesh->facets[f];
    CrCellType     type = mesh->blocks[facet->block].type;
    PetscInt       nk = CrRefineChildren(type);
    CrFacet        parent = {facet->block, facet->cell / nk,
                             CrRefineParentFace(type, facet->cell % nk, facet->face)};

    if (CrIndexFind(index, &parent, sizeof parent) >= 0) facets[n++] = f;
  }
  PetscCall(CrMeshAddSurface(mesh, set->name, n, facets));
  PetscCall(PetscFree(facets));
  PetscCall(CrIndexDestroy(&index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of a set without facets, and new nodes between nodes of the set. */
PetscErrorCode CrRefineNodes(const CrRefineWork *work, const CrSet *set, CrMesh *mesh)
{
  PetscInt *nodes, n = set->nnodes;
  char     *has;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(work->n, &nodes));
  PetscCall(PetscCalloc1(work->n, &has));
  for (PetscInt k = 0; k < n; k++) has[nodes[k] = set->nodes[k]] = 1;
  for (PetscInt A = work->old->nnodes; A < work->n; A++) {
    PetscInt k = 0;

    while (k < CR_MOST_CHILDREN && work->keys[A].at[2 * k] >= 0 && has[work->keys[A].at[2 * k]])
      k++;
    if (k == CR_MOST_CHILDREN || work->keys[A].at[2 * k] < 0) nodes[n++] = A;
  }
  PetscCall(CrMeshAddSet(mesh, set->name, n, nodes, 0, NULL));
  PetscCall(PetscFree(has));
  PetscCall(PetscFree(nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------------- */

PetscErrorCode CrRefineSplit(CrRefineWork *work, CrMesh **mesh)
{
  const CrMesh *old = work->old;
  CrMesh       *m;

  PetscFunctionBeginUser;
  PetscCall(CrIndexCreate(&work->index));
  PetscCall(PetscNew(mesh));
  m = *mesh;
  m->dim = old->dim;
  PetscCall(PetscStrallocpy(old->source, &m->source));
  PetscCall(enter_old(work));
  PetscCall(PetscCalloc1(old->nblocks, &m->blocks));
  for (; m->nblocks < old->nblocks; m->nblocks++)
    PetscCall(split_block(work, &old->blocks[m->nblocks], &m->blocks[m->nblocks]));
  m->nnodes = work->n;
  m->X = work->X;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRefineWorkDestroy(CrRefineWork *work)
{
  PetscFunctionBeginUser;
  PetscCall(CrIndexDestroy(&work->index));
  PetscCall(PetscFree(work->keys));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshRefine(CrMesh **mesh)
{
  const CrMesh *old = *mesh;
  CrRefineWork  work = {.old = old};
  CrMesh       *finer = NULL;

  PetscFunctionBeginUser;
  PetscCall(CrRefineSplit(&work, &finer));
  PetscCall(CrMeshFindBoundary(finer));
  for (PetscInt s = 1; s < old->nsets; s++)
    PetscCall(old->sets[s].nfacets ? CrRefineSurface(old, &old->sets[s], finer)
                                   : CrRefineNodes(&work, &old->sets[s], finer));
  PetscCall(CrRefineWorkDestroy(&work));
  PetscCall(CrMeshDestroy(mesh));
  *mesh = finer;
  PetscFunctionReturn(PETSC_SUCCESS);
}
