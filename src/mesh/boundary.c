/* Finds the boundary of a mesh: faces that belong to only one cell. Faces are put into buckets by their lowest node and
   sorted there, which takes hardly more time than one pass over the faces. */
#include <stdlib.h>
#include "mesh/boundary.h"

/* A face without its lowest corner, which is the bucket's number. */
typedef struct {
  PetscInt rest[3], id;
} Face;

/* Faces are numbered through: cells of the first block, then the next. */
CrFacet CrMeshFacetOf(const CrMesh *mesh, PetscInt id)
{
  CrFacet facet = {0};

  for (;; facet.block++) {
    PetscInt nf = CrCells[mesh->blocks[facet.block].type].nfaces,
             n = mesh->blocks[facet.block].n * nf;

    if (id < n) {
      facet.cell = id / nf;
      facet.face = id % nf;
      return facet;
    }
    id -= n;
  }
}

void CrMeshSortKey(PetscInt n, PetscInt key[4])
{
  for (PetscInt i = 1; i < n; i++)
    for (PetscInt j = i; j > 0 && key[j] < key[j - 1]; j--) {
      PetscInt t = key[j];

      key[j] = key[j - 1];
      key[j - 1] = t;
    }
  for (PetscInt i = n; i < 4; i++) key[i] = -1;
}

void CrMeshFaceKey(const CrMesh *mesh, PetscInt block, PetscInt cell, PetscInt face,
                   PetscInt key[4])
{
  const CrCellBlock *b = &mesh->blocks[block];
  const CrCell      *c = &CrCells[b->type];
  PetscInt           n = CrCells[c->face_type].ncorners;

  for (PetscInt i = 0; i < n; i++) key[i] = b->nodes[cell * c->nnodes + c->faces[face][i]];
  CrMeshSortKey(n, key);
}

static int compare_rest(const Face *a, const Face *b)
{
  for (int i = 0; i < 3; i++)
    if (a->rest[i] != b->rest[i]) return a->rest[i] < b->rest[i] ? -1 : 1;
  return 0;
}

static int compare_faces(const void *x, const void *y)
{
  const Face *a = x, *b = y;
  int         c = compare_rest(a, b);

  return c ? c : (a->id > b->id) - (a->id < b->id);
}

static PetscInt count_faces(const CrMesh *mesh)
{
  PetscInt n = 0;

  for (PetscInt b = 0; b < mesh->nblocks; b++)
    n += mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nfaces;
  return n;
}

/* Deals the faces into buckets: those of node A are faces[start[A]] to faces[start[A + 1] - 1]. */
static void deal_faces(const CrMesh *mesh, PetscInt start[], Face faces[])
{
  for (int pass = 0; pass < 2; pass++) {
    PetscInt id = 0;

    for (PetscInt b = 0; b < mesh->nblocks; b++)
      for (PetscInt c = 0; c < mesh->blocks[b].n; c++)
        for (PetscInt f = 0; f < CrCells[mesh->blocks[b].type].nfaces; f++, id++) {
          PetscInt key[4];

          CrMeshFaceKey(mesh, b, c, f, key);
          if (pass == 0)
            start[key[0] + 1]++;
          else
            faces[start[key[0]]++] = (Face){{key[1], key[2], key[3]}, id};
        }
    if (pass == 0)
      for (PetscInt A = 0; A < mesh->nnodes; A++) start[A + 1] += start[A];
  }
  /* filling has moved every start to the next one */
  for (PetscInt A = mesh->nnodes; A > 0; A--) start[A] = start[A - 1];
  start[0] = 0;
}

static PetscInt tag_of(const CrMesh *mesh, PetscInt id)
{
  CrFacet facet = CrMeshFacetOf(mesh, id);

  return mesh->blocks[facet.block].tags[facet.cell];
}

PetscBool CrMeshAreOpposite(PetscInt n, const PetscInt a[], const PetscInt b[])
{
  PetscInt i = 0;

  while (b[i] != a[0]) i++; /* the corners are the same */
  if (n == 2) return i == 1;
  return a[1] == b[(i + n - 1) % n] && a[n - 1] == b[(i + 1) % n];
}

/* The faces of a group are the same face: one is boundary, two are inside, more are a mistake. */
static PetscErrorCode judge(const CrMesh *mesh, PetscInt n, const Face group[])
{
  CrFacet    p, q;
  CrCellType tp, tq;
  PetscInt   cell, other, a[CR_MAX_FACE_NODES], b[CR_MAX_FACE_NODES];

  PetscFunctionBeginUser;
  if (n == 1) PetscFunctionReturn(PETSC_SUCCESS);
  cell = tag_of(mesh, group[0].id);
  other = tag_of(mesh, group[1].id);
  if (n > 2)
    CrInputFail("%s: the cells %" PetscInt_FMT ", %" PetscInt_FMT " and %" PetscInt_FMT
                " share one face; at most two cells can share a face",
                mesh->source, cell, other, tag_of(mesh, group[2].id));
  p = CrMeshFacetOf(mesh, group[0].id);
  q = CrMeshFacetOf(mesh, group[1].id);
  tp = CrCells[mesh->blocks[p.block].type].face_type;
  tq = CrCells[mesh->blocks[q.block].type].face_type;
  if (tp != tq)
    CrInputFail("%s: the cells %" PetscInt_FMT " and %" PetscInt_FMT
                " share a face, but one has nodes on its edges and the other has none",
                mesh->source, cell, other);
  CrMeshFacetNodes(mesh, &p, a);
  CrMeshFacetNodes(mesh, &q, b);
  if (!CrMeshAreOpposite(CrCells[tp].ncorners, a, b))
    CrInputFail("%s: the cells %" PetscInt_FMT " and %" PetscInt_FMT
                " lie on the same side of their common face: the mesh is folded there, or one of "
                "them is inside out",
                mesh->source, cell, other);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Leaves inside[id] true for faces that two cells share. */
static PetscErrorCode match_faces(const CrMesh *mesh, const PetscInt start[], Face faces[],
                                  char inside[])
{
  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < mesh->nnodes; A++) {
    Face    *bucket = &faces[start[A]];
    PetscInt n = start[A + 1] - start[A];

    if (n > 1) qsort(bucket, (size_t)n, sizeof *bucket, compare_faces);
    for (PetscInt i = 0, j; i < n; i = j) {
      for (j = i + 1; j < n && !compare_rest(&bucket[i], &bucket[j]);) j++;
      PetscCall(judge(mesh, j - i, &bucket[i]));
      if (j - i == 2) inside[bucket[i].id] = inside[bucket[i + 1].id] = 1;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Facets in the order of the cells. */
PetscErrorCode CrMeshCollectFacets(CrMesh *mesh, PetscInt nfaces, const char inside[])
{
  PetscFunctionBeginUser;
  mesh->nfacets = 0;
  for (PetscInt id = 0; id < nfaces; id++) mesh->nfacets += !inside[id];
  PetscCall(PetscMalloc1(mesh->nfacets, &mesh->facets));
  for (PetscInt id = 0, n = 0; id < nfaces; id++)
    if (!inside[id]) mesh->facets[n++] = CrMeshFacetOf(mesh, id);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshMatchFaces(const CrMesh *mesh, PetscInt *nfaces, char **inside)
{
  PetscInt      *start;
  Face          *faces;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *nfaces = count_faces(mesh);
  PetscCall(PetscCalloc1(mesh->nnodes + 1, &start));
  PetscCall(PetscMalloc1(*nfaces, &faces));
  PetscCall(PetscCalloc1(*nfaces, inside));
  deal_faces(mesh, start, faces);
  code = match_faces(mesh, start, faces, *inside);
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(faces));
  PetscFunctionReturn(code);
}

PetscErrorCode CrMeshFindBoundary(CrMesh *mesh)
{
  PetscInt       nfaces, *all;
  char          *inside;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = CrMeshMatchFaces(mesh, &nfaces, &inside);
  if (!code) PetscCall(CrMeshCollectFacets(mesh, nfaces, inside));
  PetscCall(PetscFree(inside));
  PetscCall(code);
  PetscCall(PetscMalloc1(mesh->nfacets, &all));
  for (PetscInt f = 0; f < mesh->nfacets; f++) all[f] = f;
  PetscCall(CrMeshAddSurface(mesh, "boundary", mesh->nfacets, all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}
