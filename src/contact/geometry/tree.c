/* The tree is stored as a heap: node 1 contains all items, node k has the children 2k and 2k+1, and the nodes of the
   last level contain a few items each. A node divides its items in the middle along the longest side of the box of
   their centres. So the shape of the tree depends on n alone, and only the order of the items and the boxes are stored.
   Even a tree of badly shaped boxes has log2(n) levels. A comparison with NaN is false, so a box with NaN enlarges no
   other box, meets no box, and is never found. */
#include "contact/geometry/tree.h"

#define LEAF_ITEMS                                                                                 \
  4 /* most items of a leaf; a leaf has at least half as many, except for small n */

/* The tree is built again when the total surface of its boxes has grown by this factor since the last build. The cost
   of queries grows with that surface, and a build costs no more than the queries of one step (bench). */
#define GROWTH 1.3

struct CrTree {
  PetscInt  dim, n, levels, nleaves; /* nleaves = 2^levels */
  PetscBool is_built;
  /* total surface of the boxes of nodes: now, and the least since the tree was built */
  PetscReal  least;
  PetscInt  *items;  /* [n] items in the order of the leaves, owned */
  PetscReal *boxes;  /* [n][2 dim] boxes of items[0], items[1], ...; owned */
  PetscReal *nodes;  /* [2 nleaves][2 dim] boxes of nodes; the first is not used; owned */
  PetscReal *center; /* [n][dim] twice the centers of the items, used by the build; owned */
  PetscInt   room;   /* items for which there is memory */
  PetscInt  *names;  /* [room] of the items, ascending; NULL: their numbers; owned */
};

static inline void clear(PetscInt dim, PetscReal *box)
{
  for (PetscInt i = 0; i < dim; i++) {
    box[i] = PETSC_INFINITY;
    box[dim + i] = PETSC_NINFINITY;
  }
}

/* An empty tree for n items. */
static PetscErrorCode resize(CrTree *t, PetscInt n)
{
  PetscInt dim = t->dim;

  PetscFunctionBeginUser;
  t->n = n;
  t->nleaves = 1;
  t->is_built = PETSC_FALSE;
  for (t->levels = 0; n > t->nleaves * LEAF_ITEMS; t->levels++) t->nleaves *= 2;
  if (!t->nodes || n > t->room || n < t->room / 2) { /* memory follows the number of items */
    t->room = n;
    PetscCall(PetscFree4(t->items, t->boxes, t->nodes, t->center));
    PetscCall(PetscMalloc4(n, &t->items, n * 2 * dim, &t->boxes, t->nleaves * 4 * dim, &t->nodes,
                           n * dim, &t->center));
  }
  for (PetscInt s = 0; s < n; s++) t->items[s] = s;
  clear(dim, t->nodes + 2 * dim); /* before the first update, the box around all items is empty */
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTreeCreate(PetscInt dim, PetscInt n, CrTree **tree)
{
  CrTree *t;

  PetscFunctionBeginUser;
  PetscCheck(dim == 2 || dim == 3, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "tree of dimension %" PetscInt_FMT, dim);
  PetscCheck(n >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE, "tree of %" PetscInt_FMT " items",
             n);
  PetscCall(PetscNew(&t));
  t->dim = dim;
  PetscCall(resize(t, n));
  *tree = t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTreeRename(CrTree *t, PetscInt n, const PetscInt names[])
{
  PetscBool same = t->names && n == t->n ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; same && k < n; k++) same = names[k] == t->names[k];
  if (same) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(t->names));
  PetscCall(resize(t, n));
  PetscCall(PetscMalloc1(t->room, &t->names));
  PetscCall(PetscArraycpy(t->names, names, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTreeDestroy(CrTree **tree)
{
  PetscFunctionBeginUser;
  if (!*tree) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*tree)->items, (*tree)->boxes, (*tree)->nodes, (*tree)->center));
  PetscCall(PetscFree((*tree)->names));
  PetscCall(PetscFree(*tree));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const PetscReal *CrTreeBox(const CrTree *tree)
{
  return tree->nodes + 2 * tree->dim;
}

/* The place where the items of a leaf start. They end where those of the next leaf start. */
static inline PetscInt leaf_start(const CrTree *tree, PetscInt leaf)
{
  return (PetscInt)(((PetscInt64)leaf * tree->n) >> tree->levels);
}

/* ---- fit: boxes of the nodes for a given order of the items, O(n) -------------------------- */

static inline void include(PetscInt dim, PetscReal *box, const PetscReal *other)
{
  for (PetscInt i = 0; i < dim; i++) {
    box[i] = other[i] < box[i] ? other[i] : box[i];
    box[dim + i] = other[dim + i] > box[dim + i] ? other[dim + i] : box[dim + i];
  }
}

/* Half the surface of a box, in 2D half its circumference; 0 if it is empty. */
static inline PetscReal half_surface(PetscInt dim, const PetscReal *box)
{
  PetscReal side[3];

  for (PetscInt i = 0; i < dim; i++) side[i] = box[dim + i] > box[i] ? box[dim + i] - box[i] : 0;
  return dim == 2 ? side[0] + side[1] : side[0] * (side[1] + side[2]) + side[1] * side[2];
}

/* Returns the total surface of the nodes' boxes. */
static inline PetscReal fit_nodes(CrTree *tree, PetscInt dim, const PetscReal *boxes)
{
  PetscInt  width = 2 * dim;
  PetscReal total = 0;

  for (PetscInt leaf = tree->nleaves - 1; leaf >= 0; leaf--) {
    PetscReal *node = tree->nodes + (tree->nleaves + leaf) * width;

    clear(dim, node);
    for (PetscInt s = leaf_start(tree, leaf); s < leaf_start(tree, leaf + 1); s++) {
      const PetscReal *box = boxes + tree->items[s] * width;

      for (PetscInt i = 0; i < width; i++) tree->boxes[s * width + i] = box[i];
      include(dim, node, box);
    }
    total += half_surface(dim, node);
  }
  for (PetscInt k = tree->nleaves - 1; k > 0; k--) {
    PetscReal *node = tree->nodes + k * width, *child = tree->nodes + 2 * k * width;

    clear(dim, node);
    include(dim, node, child);
    include(dim, node, child + width);
    total += half_surface(dim, node);
  }
  return total;
}

/* The same source for both dimensions, each compiled with its constant. */
static PetscReal fit(CrTree *tree, const PetscReal *boxes)
{
  return tree->dim == 2 ? fit_nodes(tree, 2, boxes) : fit_nodes(tree, 3, boxes);
}

/* ---- build: the order of the items, O(n log n) --------------------------------------------- */

static void find_centers(CrTree *tree, const PetscReal *boxes)
{
  PetscInt dim = tree->dim;

  for (PetscInt item = 0; item < tree->n; item++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal c = boxes[item * 2 * dim + i] + boxes[item * 2 * dim + dim + i];

      tree->center[item * dim + i] = PetscIsNanReal(c) ? 0 : c; /* NaN cannot be ordered */
    }
}

/* The axis along which the centers of items[first..end-1] are farthest apart. */
static PetscInt longest_axis(const CrTree *tree, PetscInt first, PetscInt end)
{
  PetscInt  dim = tree->dim, axis = 0;
  PetscReal box[6], longest = 0;

  clear(dim, box);
  for (PetscInt s = first; s < end; s++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal c = tree->center[tree->items[s] * dim + i];
      box[i] = PetscMin(box[i], c);
      box[dim + i] = PetscMax(box[dim + i], c);
    }
  for (PetscInt i = 0; i < dim; i++)
    if (box[dim + i] - box[i] > longest) {
      longest = box[dim + i] - box[i];
      axis = i;
    }
  return axis;
}

/* A strict order: equal centers are ordered by number. So the division of items does not depend on their order
   before. */
static inline PetscBool is_before(const CrTree *tree, PetscInt axis, PetscInt a, PetscInt b)
{
  PetscReal ca = tree->center[a * tree->dim + axis], cb = tree->center[b * tree->dim + axis];

  return ca < cb || (ca == cb && a < b);
}

/* Reorders items[first..end-1] so that those before `middle` are not greater than those after it, by Hoare's
   selection. Pivots are taken from a fixed series of pseudo-random numbers, so that no regular pattern of boxes
   is slow. */
static void split(CrTree *tree, PetscInt axis, PetscInt first, PetscInt end, PetscInt middle)
{
  PetscInt *items = tree->items, left = first, right = end - 1;
  uint32_t  seed = 1;

  while (left < right) {
    PetscInt i = left, j = right, pivot;

    seed = seed * 1664525u + 1013904223u;
    pivot = items[left + (PetscInt)(((uint64_t)seed * (uint64_t)(right - left + 1)) >> 32)];
    while (i <= j) {
      while (is_before(tree, axis, items[i], pivot)) i++;
      while (is_before(tree, axis, pivot, items[j])) j--;
      if (i <= j) {
        PetscInt t = items[i];

        items[i++] = items[j];
        items[j--] = t;
      }
    }
    if (j < middle) left = i;
    if (middle < i) right = j;
  }
}

static void build(CrTree *tree, const PetscReal *boxes)
{
  find_centers(tree, boxes);
  for (PetscInt level = 0; level < tree->levels; level++) {
    PetscInt leaves = tree->nleaves >> level; /* number of leaves below one node of this level */

    for (PetscInt leaf = 0; leaf < tree->nleaves; leaf += leaves) {
      PetscInt first = leaf_start(tree, leaf), end = leaf_start(tree, leaf + leaves);

      split(tree, longest_axis(tree, first, end), first, end, leaf_start(tree, leaf + leaves / 2));
    }
  }
}

void CrTreeUpdate(CrTree *tree, const PetscReal *boxes)
{
  PetscReal total = tree->is_built ? fit(tree, boxes) : 0;

  if (!tree->is_built || total > GROWTH * tree->least) {
    build(tree, boxes);
    total = fit(tree, boxes);
    tree->is_built = PETSC_TRUE;
    tree->least = PETSC_MAX_REAL;
  }
  if (total < tree->least) tree->least = total; /* not if it is NaN, from infinite boxes */
}

/* ---- query -------------------------------------------------------------------------------- */

/* Makes all comparisons without branches, because the processor could not predict them. */
static inline int meet(PetscInt dim, const PetscReal *a, const PetscReal *b)
{
  int meet = 1;

  for (PetscInt i = 0; i < dim; i++) meet &= (a[i] <= b[dim + i]) & (b[i] <= a[dim + i]);
  return meet;
}

/* Appends to found[] as long as there is room; *n counts further. Nodes are visited in preorder. The node after
   the children of k is the right sibling of k, or of its first ancestor that has one. Returns the number of
   boxes compared. */
static inline PetscInt walk(const CrTree *tree, PetscInt dim, const PetscReal *box, PetscInt room,
                            PetscInt *found, PetscInt *n)
{
  PetscInt k = tree->is_built ? 1 : 0, looked = 0, width = 2 * dim;

  while (k) {
    int hit = meet(dim, tree->nodes + k * width, box);

    looked++;
    if (hit && k < tree->nleaves) {
      k *= 2;
      continue;
    }
    if (hit) {
      PetscInt first = leaf_start(tree, k - tree->nleaves),
               end = leaf_start(tree, k - tree->nleaves + 1);

      looked += end - first;
      for (PetscInt s = first; s < end; s++)
        if (meet(dim, tree->boxes + s * width, box)) {
          if (*n < room) found[*n] = tree->items[s];
          ++*n;
        }
    }
    while (k & 1) k >>= 1;
    k += k > 0;
  }
  return looked;
}

PetscBool CrTreeQuery(const CrTree *tree, const PetscReal *box, PetscInt room, PetscInt *found,
                      PetscInt *n)
{
  PetscInt before = *n, stored;

  if (tree->dim == 2)
    walk(tree, 2, box, room, found, n);
  else
    walk(tree, 3, box, room, found, n);
  stored = PetscMin(*n, room) - before;
  if (stored > 1) (void)PetscSortInt(stored, found + before); /* in place, cannot fail */
  for (PetscInt k = before; tree->names && k < before + stored; k++)
    found[k] = tree->names[found[k]];
  return *n <= room;
}

PetscInt CrTreeLooked(const CrTree *tree, const PetscReal *box)
{
  PetscInt n = 0;

  return walk(tree, tree->dim, box, 0, NULL, &n);
}

/* ---- nearest ------------------------------------------------------------------------------ */

/* The square of the distance of a point from a box. */
static PetscReal distance(PetscInt dim, const PetscReal *box, const PetscReal *x)
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < dim; i++) {
    PetscReal d = x[i] < box[i] ? box[i] - x[i] : x[i] > box[dim + i] ? x[i] - box[dim + i] : 0;

    sum += d * d;
  }
  return sum;
}

static PetscReal visit_leaf(const CrTree *tree, PetscInt leaf, const PetscReal *x, PetscReal best,
                            CrTreeVisit *visit, void *ctx)
{
  for (PetscInt s = leaf_start(tree, leaf); s < leaf_start(tree, leaf + 1); s++)
    if (distance(tree->dim, tree->boxes + s * 2 * tree->dim, x) <= best)
      best = visit(ctx, tree->names ? tree->names[tree->items[s]] : tree->items[s]);
  return best;
}

void CrTreeNearest(const CrTree *tree, const PetscReal *x, CrTreeVisit *visit, void *ctx)
{
  const PetscInt width = 2 * tree->dim;
  PetscReal      best = PETSC_MAX_REAL;
  PetscInt       stack[64], depth = 0; /* one node of each level waits at most, and there are 31 */

  if (tree->is_built && tree->n) stack[depth++] = 1;
  while (depth) {
    PetscInt  k = stack[--depth];
    PetscReal left, right;

    if (!(distance(tree->dim, tree->nodes + k * width, x) <= best)) continue;
    if (k >= tree->nleaves) {
      best = visit_leaf(tree, k - tree->nleaves, x, best, visit, ctx);
      continue;
    }
    left = distance(tree->dim, tree->nodes + 2 * k * width, x);
    right = distance(tree->dim, tree->nodes + (2 * k + 1) * width, x);
    stack[depth++] = left <= right ? 2 * k + 1 : 2 * k; /* the nearer one is on top */
    stack[depth++] = left <= right ? 2 * k : 2 * k + 1;
  }
}
