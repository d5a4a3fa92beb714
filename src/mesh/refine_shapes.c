/* How cells are split. A point of a cell is identified by its weights on the cell's corners, in sixty-fourths. Cells
   that share an edge or a face give the points there the same weights, so that each point becomes one node. */
#include "mesh/refine.h"

#define WHOLE  64 /* sum of the weights of a point */
#define MOST   CR_MOST_CHILDREN
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

void CrRefineNodeAt(CrCellType type, PetscInt k, PetscInt a, PetscInt r[3])
{
  const Shape         *shape = shape_of(type);
  const unsigned char *edge;
  PetscInt             p[2][3];

  if (a >= shape->ncorners) {
    a -= shape->ncorners;
    edge = shape == &triangle ? triangle_edges[a]
           : shape == &square ? square_edges[a]
                              : tetrahedron_edges[a];
    CrRefineNodeAt(type, k, edge[0], p[0]);
    CrRefineNodeAt(type, k, edge[1], p[1]);
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

void CrRefineInterpolate(CrCellType type, const PetscInt r[3], PetscReal N[CR_MAX_CELL_NODES])
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

    CrRefineNodeAt(type, -1, a, q);
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

PetscInt CrRefineChildren(CrCellType type)
{
  return shape_of(type)->nchildren;
}

CrWeightKey CrRefineKey(CrCellType type, const PetscInt nodes[], const PetscInt r[3])
{
  const Shape *shape = shape_of(type);
  PetscInt     w[MOST], n = 0;
  CrWeightKey  key;

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

PetscInt CrRefineParentFace(CrCellType type, PetscInt child, PetscInt face)
{
  const CrCell *cell = &CrCells[type];
  const Shape  *shape = shape_of(type);
  PetscInt      nc = CrCells[cell->face_type].ncorners, r[3], w[MOST];
  unsigned      touched = 0;

  for (PetscInt i = 0; i < nc; i++) {
    CrRefineNodeAt(type, child, cell->faces[face][i], r);
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
