/* Named sets of nodes and facets. */
#include <string.h>
#include "mesh/internal.h"

const CrSet *CrMeshFindSet(const CrMesh *mesh, const char name[])
{
  for (PetscInt s = 0; s < mesh->nsets; s++)
    if (!strcmp(mesh->sets[s].name, name)) return &mesh->sets[s];
  return NULL;
}

PetscInt CrMeshFacetNodes(const CrMesh *mesh, const CrFacet *facet,
                          PetscInt nodes[CR_MAX_FACE_NODES])
{
  const CrCellBlock *block = &mesh->blocks[facet->block];
  const CrCell      *cell = &CrCells[block->type];
  PetscInt           n = CrCells[cell->face_type].nnodes;

  for (PetscInt i = 0; i < n; i++)
    nodes[i] = block->nodes[facet->cell * cell->nnodes + cell->faces[facet->face][i]];
  return n;
}

PetscErrorCode CrMeshAddSet(CrMesh *mesh, const char name[], PetscInt nnodes,
                            const PetscInt nodes[], PetscInt nfacets, const PetscInt facets[])
{
  CrSet *set;

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof *mesh->sets * (mesh->nsets + 1), &mesh->sets));
  set = &mesh->sets[mesh->nsets++];
  *set = (CrSet){.nnodes = nnodes, .nfacets = nfacets};
  PetscCall(PetscStrallocpy(name, &set->name));
  PetscCall(PetscMalloc1(nnodes, &set->nodes));
  PetscCall(PetscArraycpy(set->nodes, nodes, nnodes));
  PetscCall(PetscSortInt(nnodes, set->nodes));
  PetscCall(PetscMalloc1(nfacets, &set->facets));
  PetscCall(PetscArraycpy(set->facets, facets, nfacets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshAddSurface(CrMesh *mesh, const char name[], PetscInt nfacets,
                                const PetscInt facets[])
{
  PetscInt *nodes, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1((size_t)nfacets * CR_MAX_FACE_NODES, &nodes));
  for (PetscInt f = 0; f < nfacets; f++)
    n += CrMeshFacetNodes(mesh, &mesh->facets[facets[f]], &nodes[n]);
  PetscCall(PetscSortRemoveDupsInt(&n, nodes));
  PetscCall(CrMeshAddSet(mesh, name, n, nodes, nfacets, facets));
  PetscCall(PetscFree(nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshAddSides(CrMesh *mesh, PetscInt n, const char *const names[],
                              const unsigned char sides[])
{
  PetscInt *facets;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(mesh->nfacets, &facets));
  for (PetscInt i = 0; i < n; i++) {
    PetscInt count = 0;

    for (PetscInt f = 0; f < mesh->nfacets; f++) {
      PetscInt nodes[CR_MAX_FACE_NODES], nn = CrMeshFacetNodes(mesh, &mesh->facets[f], nodes);
      unsigned common = 1u << i;

      for (PetscInt a = 0; a < nn; a++) common &= sides[nodes[a]];
      if (common) facets[count++] = f;
    }
    PetscCall(CrMeshAddSurface(mesh, names[i], count, facets));
  }
  PetscCall(PetscFree(facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshKeepSets(CrMesh *mesh, PetscInt n)
{
  PetscFunctionBeginUser;
  for (PetscInt s = n; s < mesh->nsets; s++) {
    PetscCall(PetscFree(mesh->sets[s].name));
    PetscCall(PetscFree(mesh->sets[s].nodes));
    PetscCall(PetscFree(mesh->sets[s].facets));
  }
  mesh->nsets = PetscMin(n, mesh->nsets);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshAddOuter(CrMesh *mesh)
{
  const CrSet *all = &mesh->sets[0];

  PetscFunctionBeginUser;
  PetscCall(CrMeshAddSurface(mesh, "outer", all->nfacets, all->facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}
