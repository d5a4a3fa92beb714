/* Uniform refinement. A point of a cell is known by its weights on the cell's corners, in sixty-fourths: cells that
   share an edge or a face give the points there the same weights, so each becomes one node. */
#include <stdlib.h>
#include "base/grow.h"
#include "base/index.h"
#include "mesh/internal.h"

#define WHOLE  64 /* sum of the weights of a point */
#define MOST   8  /* corners, and children */
#define MIDDLE 2 /* reference coordinates run from 0 to 4: nodes of children lie on whole numbers */

/* ---- shapes: corners, and children by their corners, in reference coordinates of 0, 1, 2 -------- */

typedef struct {
  PetscInt      dim, ncorners, nchildren;
  PetscBool     simplex;
  unsigned char corners[MOST][3];
  unsigned char children[MOST][MOST][3];
} Shape;

/* The octahedron that is left inside a tetrahedron is cut along the middles of 0-2 and 1-3, as by Bey (1995): then
   the shapes of all later children stay bounded. */
#define X01                                                                                        \
  {                                                                                                \
    1, 0, 0                                                                                        \
  }
#define X02                                                                                        \
  {                                                                                                \
    0, 1, 0                                                                                        \
  }
#define X03                                                                                        \
  {                                                                                                \
    0, 0, 1                                                                                        \
  }
#define X12                                                                                        \
  {                                                                                                \
    1, 1, 0                                                                                        \
  }
#define X13                                                                                        \
  {                                                                                                \
    1, 0, 1                                                                                        \
  }
#define X23                                                                                        \
  {                                                                                                \
    0, 1, 1                                                                                        \
  }

static const Shape triangle = {2,
                               3,
                               4,
                               PETSC_TRUE,
                               {{0, 0}, {2, 0}, {0, 2}},
                               {{{0, 0}, {1, 0}, {0, 1}},
                                {{1, 0}, {2, 0}, {1, 1}},
                                {{0, 1}, {1, 1}, {0, 2}},
                                {{1, 0}, {1, 1}, {0, 1}}}};
static const Shape tetrahedron = {3,
                                  4,
                                  8,
                                  PETSC_TRUE,
                                  {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}},
                                  {{{0, 0, 0}, X01, X02, X03},
                                   {X01, {2, 0, 0}, X12, X13},
                                   {X02, X12, {0, 2, 0}, X23},
                                   {X03, X13, X23, {0, 0, 2}},
                                   {X01, X02, X03, X13},
                                   {X01, X12, X02, X13},
                                   {X02, X23, X03, X13},
                                   {X02, X12, X23, X13}}};
static const Shape square = {2, 4, 4, PETSC_FALSE, {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, {{{0}}}};
static const Shape cube = {
    3,
    8,
    8,
    PETSC_FALSE,
    {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}},
    {{{0}}}};

static const Shape *shape_of(CrCellType type)
{
  switch (CrCells[type].ncorners) {
  case 3: return &triangle;
  case 8: return &cube;
  default: return CrCells[type].dim == 2 ? &square : &tetrahedron;
  }
}

/* Nodes beside the corners lie in the middle of two of these; the last of Q9 in the middle of a diagonal. */
static const unsigned char triangle_edges[][2] = {{0, 1}, {1, 2}, {2, 0}};
static const unsigned char square_edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
static const unsigned char tetrahedron_edges[][2] = {{0, 1}, {1, 2}, {2, 0},
                                                     {0, 3}, {1, 3}, {2, 3}};

/* Corner a of child k in coordinates from 0 to 4. */
static void child_corner(const Shape *shape, PetscInt k, PetscInt a, PetscInt r[3])
{
  for (PetscInt i = 0; i < 3; i++)
    r[i] = shape->simplex ? MIDDLE * shape->children[k][a][i]
                          : (i < shape->dim ? shape->corners[a][i] + MIDDLE * (k >> i & 1) : 0);
}

/* Node a of child k; of the cell itself for k = -1. */
static void node_at(CrCellType type, PetscInt k, PetscInt a, PetscInt r[3])
{
  const Shape         *shape = shape_of(type);
  const unsigned char *edge;
  PetscInt             p[2][3];

  if (a >= shape->ncorners) {
    a -= shape->ncorners;
    edge = shape == &triangle ? triangle_edges[a]
           : shape == &square ? square_edges[a]
                              : tetrahedron_edges[a];
    node_at(type, k, edge[0], p[0]);
    node_at(type, k, edge[1], p[1]);
    for (int i = 0; i < 3; i++) r[i] = (p[0][i] + p[1][i]) / 2;
  } else if (k >= 0)
    child_corner(shape, k, a, r);
  else
    for (int i = 0; i < 3; i++) r[i] = MIDDLE * shape->corners[a][i];
}

/* ---- points ------------------------------------------------------------------------------------- */

/* Weights of a point on the corners; their sum is WHOLE. */
static void weigh(const Shape *shape, const PetscInt r[3], PetscInt w[MOST])
{
  for (PetscInt a = 0; a < shape->ncorners; a++) {
    w[a] = 1;
    for (PetscInt i = 0; i < shape->dim && !shape->simplex; i++)
      w[a] *= shape->corners[a][i] ? r[i] : 4 - r[i];
    if (shape->simplex) w[a] = a ? r[a - 1] : 4 - r[0] - r[1] - r[2];
  }
  for (PetscInt a = 0; a < shape->ncorners; a++)
    w[a] *= shape->simplex ? WHOLE / 4 : (shape->dim == 2 ? WHOLE / 16 : 1);
}

/* Shape functions of a cell at a point. */
static void interpolate(CrCellType type, const PetscInt r[3], PetscReal N[CR_MAX_CELL_NODES])
{
  const Shape *shape = shape_of(type);
  PetscInt     w[MOST], n = CrCells[type].nnodes, q[3];

  weigh(shape, r, w);
  for (PetscInt a = 0; a < shape->ncorners; a++) N[a] = (PetscReal)w[a] / WHOLE;
  if (n == shape->ncorners) return;
  if (shape->simplex) {
    PetscReal L[4] = {N[0], N[1], N[2], shape->dim == 3 ? N[3] : 0};

    for (PetscInt a = 0; a < n; a++) {
      const unsigned char *e =
          a < shape->ncorners
              ? NULL
              : (shape == &triangle ? triangle_edges : tetrahedron_edges)[a - shape->ncorners];

      N[a] = e ? 4 * L[e[0]] * L[e[1]] : L[a] * (2 * L[a] - 1);
    }
    return;
  }
  for (PetscInt a = 0; a < n; a++) {
    PetscReal x = r[0] / 2. - 1, y = r[1] / 2. - 1, s, t;

    node_at(type, -1, a, q);
    s = q[0] / 2. - 1;
    t = q[1] / 2. - 1;
    if (n == 9) /* products of parabolas */
      N[a] = (s == 0 ? 1 - x * x : x * (x + s) / 2) * (t == 0 ? 1 - y * y : y * (y + t) / 2);
    else if (s != 0 && t != 0)
      N[a] = (1 + x * s) * (1 + y * t) * (x * s + y * t - 1) / 4;
    else
      N[a] = s == 0 ? (1 - x * x) * (1 + y * t) / 2 : (1 + x * s) * (1 - y * y) / 2;
  }
}

/* ---- the work ----------------------------------------------------------------------------------- */

/* Corners on which a node has weight, ascending, each with its weight; unused entries are -1. */
typedef struct {
  PetscInt at[2 * MOST];
} Key;

typedef struct {
  const CrMesh *old;
  CrIndex      *index;
  PetscInt      n, room, keys_room; /* nodes */
  PetscReal    *X;
  Key          *keys; /* [n] */
} Work;

static Key make_key(const Shape *shape, const PetscInt nodes[], const PetscInt r[3])
{
  PetscInt w[MOST], n = 0;
  Key      key;

  weigh(shape, r, w);
  for (int i = 0; i < 2 * MOST; i++) key.at[i] = -1;
  for (PetscInt a = 0; a < shape->ncorners; a++) {
    PetscInt j = n;

    if (!w[a]) continue;
    for (; j > 0 && key.at[2 * j - 2] > nodes[a]; j--) {
      key.at[2 * j] = key.at[2 * j - 2];
      key.at[2 * j + 1] = key.at[2 * j - 1];
    }
    key.at[2 * j] = nodes[a];
    key.at[2 * j + 1] = w[a];
    n++;
  }
  return key;
}

/* Nodes of the old mesh keep their numbers; one that no cell has gets an empty key. */
static PetscErrorCode enter_old(Work *work)
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

        node_at(m->blocks[b].type, -1, a, r);
        work->keys[nodes[a]] = make_key(shape_of(m->blocks[b].type), nodes, r);
        PetscCall(CrIndexAdd(work->index, &work->keys[nodes[a]], sizeof(Key), nodes[a], &before));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The node at a point of a cell, which may be new. */
static PetscErrorCode find_node(Work *work, CrCellType type, const PetscInt nodes[],
                                const PetscInt r[3], PetscInt *node)
{
  const PetscInt dim = work->old->dim;
  const Key      key = make_key(shape_of(type), nodes, r);
  PetscReal      N[CR_MAX_CELL_NODES];
  PetscInt       before;

  PetscFunctionBeginUser;
  PetscCall(CrIndexAdd(work->index, &key, sizeof key, work->n, &before));
  *node = before < 0 ? work->n : before;
  if (before >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow((work->n + 1) * dim, &work->room, &work->X));
  PetscCall(CrGrow(work->n + 1, &work->keys_room, &work->keys));
  interpolate(type, r, N);
  for (PetscInt i = 0; i < dim; i++) {
    work->X[work->n * dim + i] = 0;
    for (PetscInt a = 0; a < CrCells[type].nnodes; a++)
      work->X[work->n * dim + i] += N[a] * work->old->X[nodes[a] * dim + i];
  }
  work->keys[work->n++] = key;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode split_block(Work *work, const CrCellBlock *from, CrCellBlock *to)
{
  const PetscInt nn = CrCells[from->type].nnodes, nk = shape_of(from->type)->nchildren;
  PetscInt       r[3];

  PetscFunctionBeginUser;
  *to = (CrCellBlock){.type = from->type, .n = from->n * nk};
  PetscCall(PetscMalloc1((size_t)to->n * nn, &to->nodes));
  PetscCall(PetscMalloc1(to->n, &to->tags));
  for (PetscInt c = 0; c < from->n; c++)
    for (PetscInt k = 0; k < nk; k++) {
      to->tags[c * nk + k] = from->tags[c];
      for (PetscInt a = 0; a < nn; a++) {
        node_at(from->type, k, a, r);
        PetscCall(find_node(work, from->type, &from->nodes[c * nn], r,
                            &to->nodes[(c * nk + k) * nn + a]));
      }
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sets --------------------------------------------------------------------------------------- */

/* The face of a cell on which a face of its child lies; -1: inside. */
static PetscInt parent_face(CrCellType type, PetscInt child, PetscInt face)
{
  const CrCell *cell = &CrCells[type];
  const Shape  *shape = shape_of(type);
  PetscInt      nc = CrCells[cell->face_type].ncorners, r[3], w[MOST];
  unsigned      touched = 0;

  for (PetscInt i = 0; i < nc; i++) {
    node_at(type, child, cell->faces[face][i], r);
    weigh(shape, r, w);
    for (PetscInt a = 0; a < shape->ncorners; a++)
      if (w[a]) touched |= 1u << a;
  }
  for (PetscInt f = 0; f < cell->nfaces; f++) {
    unsigned own = 0;

    for (PetscInt i = 0; i < nc; i++) own |= 1u << cell->faces[f][i];
    if (!(touched & ~own)) return f;
  }
  return -1;
}

/* Facets of the new mesh whose parents belong to a set. */
static PetscErrorCode refine_surface(const CrMesh *old, const CrSet *set, CrMesh *mesh)
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
    PetscInt       nk = shape_of(type)->nchildren;
    CrFacet        parent = {facet->block, facet->cell / nk,
                             parent_face(type, facet->cell % nk, facet->face)};

    if (CrIndexFind(index, &parent, sizeof parent) >= 0) facets[n++] = f;
  }
  PetscCall(CrMeshAddSurface(mesh, set->name, n, facets));
  PetscCall(PetscFree(facets));
  PetscCall(CrIndexDestroy(&index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of a set without facets, and new nodes between nodes of the set. */
static PetscErrorCode refine_nodes(const Work *work, const CrSet *set, CrMesh *mesh)
{
  PetscInt *nodes, n = set->nnodes;
  char     *has;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(work->n, &nodes));
  PetscCall(PetscCalloc1(work->n, &has));
  for (PetscInt k = 0; k < n; k++) has[nodes[k] = set->nodes[k]] = 1;
  for (PetscInt A = work->old->nnodes; A < work->n; A++) {
    PetscInt k = 0;

    while (k < MOST && work->keys[A].at[2 * k] >= 0 && has[work->keys[A].at[2 * k]]) k++;
    if (k == MOST || work->keys[A].at[2 * k] < 0) nodes[n++] = A;
  }
  PetscCall(CrMeshAddSet(mesh, set->name, n, nodes, 0, NULL));
  PetscCall(PetscFree(has));
  PetscCall(PetscFree(nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------------- */

static PetscErrorCode build(Work *work, CrMesh **mesh)
{
  const CrMesh *old = work->old;
  CrMesh       *m;

  PetscFunctionBeginUser;
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
  PetscCall(CrMeshFindBoundary(m));
  for (PetscInt s = 1; s < old->nsets; s++)
    PetscCall(old->sets[s].nfacets ? refine_surface(old, &old->sets[s], m)
                                   : refine_nodes(work, &old->sets[s], m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshRefine(CrMesh **mesh)
{
  Work    work = {.old = *mesh};
  CrMesh *finer = NULL;

  PetscFunctionBeginUser;
  PetscCall(CrIndexCreate(&work.index));
  PetscCall(build(&work, &finer));
  PetscCall(CrIndexDestroy(&work.index));
  PetscCall(PetscFree(work.keys));
  PetscCall(CrMeshDestroy(mesh));
  *mesh = finer;
  PetscFunctionReturn(PETSC_SUCCESS);
}
