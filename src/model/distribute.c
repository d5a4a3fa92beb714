/* From the whole mesh on rank 0 to the part of each rank. A node belongs to a rank that has one of
   its cells; a cell is counted by the owner of its first node; a rank gets every cell that touches
   a node it owns, so that the rows of its nodes are complete without communication. Rank 0 packs
   one message of integers and one of reals per rank; all ranks, rank 0 too, unpack in the same way.
   The surfaces that `contact:` names go to every rank, nodes and facets, so that all ranks see the
   same contact.

   Global numbers follow the natural ones unless these jump about, as in the files of Gmsh:
   then nodes are numbered along a space-filling curve and cells come in the order of their nodes,
   so that neighbours in space are neighbours in memory. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "model/internal.h"

/* ---- order, rank 0 ------------------------------------------------------------------------ */

#define LINE_NODES  8   /* nodes that a line of the imagined cache holds */
#define CACHE_LINES 512 /* about what a second cache holds of coordinates and displacements */
#define POOR        4 /* times that a line is fetched, on average; a grid row by row stays below */

/* Do the cells, in their order, find their nodes in a small cache? A line stays until CACHE_LINES
   others have come. Meshes that fit into it are never poor. */
static PetscErrorCode is_poor(const CrWhole *w, PetscBool *poor)
{
  PetscInt64 *fetched, count = CACHE_LINES;
  PetscInt    lines = w->nnodes / LINE_NODES + 1;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(lines, &fetched));
  for (PetscInt k = 0; k < w->cell_offset[w->ncells]; k++) {
    PetscInt line = w->cell_nodes[k] / LINE_NODES;

    if (count - fetched[line] >= CACHE_LINES) fetched[line] = count++;
  }
  *poor = count - CACHE_LINES > POOR * (PetscInt64)lines;
  PetscCall(PetscFree(fetched));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define CURVE_BITS 16 /* per direction */

/* Position on Hilbert's curve of a point with whole coordinates below 2^CURVE_BITS (Skilling 2004:
   turn the axes back from the coarsest cube to the finest, Gray code, bits interleaved). */
static uint64_t curve_position(PetscInt dim, uint32_t x[3])
{
  uint32_t turn = 0;
  uint64_t position = 0;

  for (uint32_t q = 1u << (CURVE_BITS - 1); q > 1; q >>= 1)
    for (PetscInt i = 0; i < dim; i++) {
      uint32_t swap = x[i] & q ? 0 : (x[0] ^ x[i]) & (q - 1);

      x[0] ^= x[i] & q ? q - 1 : swap;
      x[i] ^= swap;
    }
  for (PetscInt i = 1; i < dim; i++) x[i] ^= x[i - 1];
  for (uint32_t q = 1u << (CURVE_BITS - 1); q > 1; q >>= 1)
    if (x[dim - 1] & q) turn ^= q - 1;
  for (int bit = CURVE_BITS - 1; bit >= 0; bit--)
    for (PetscInt i = 0; i < dim; i++) position = position << 1 | ((x[i] ^ turn) >> bit & 1);
  return position;
}

typedef struct {
  uint64_t position;
  PetscInt body, node;
} Place;

static int compare_places(const void *left, const void *right)
{
  const Place *p = left, *q = right;

  if (p->body != q->body) return p->body < q->body ? -1 : 1;
  if (p->position != q->position) return p->position < q->position ? -1 : 1;
  return p->node < q->node ? -1 : 1;
}

/* order[k]: natural number of the k-th node along the curve, body after body. */
static PetscErrorCode order_by_curve(const CrWhole *w, PetscInt *order)
{
  Place    *places;
  PetscReal low[3] = {PETSC_MAX_REAL, PETSC_MAX_REAL, PETSC_MAX_REAL}, size = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->nnodes, &places));
  for (PetscInt k = 0; k < w->nnodes * w->dim; k++)
    low[k % w->dim] = PetscMin(low[k % w->dim], w->X[k]);
  for (PetscInt k = 0; k < w->nnodes * w->dim; k++)
    size = PetscMax(size, w->X[k] - low[k % w->dim]);
  for (PetscInt A = 0; A < w->nnodes; A++) {
    uint32_t x[3] = {0, 0, 0};

    for (PetscInt i = 0; i < w->dim; i++)
      x[i] = (uint32_t)((w->X[A * w->dim + i] - low[i]) / size * ((1 << CURVE_BITS) - 1));
    places[A] = (Place){curve_position(w->dim, x), w->node_body[A], A};
  }
  qsort(places, (size_t)w->nnodes, sizeof *places, compare_places);
  for (PetscInt A = 0; A < w->nnodes; A++) order[A] = places[A].node;
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- packing, rank 0 ---------------------------------------------------------------------- */

typedef struct {
  PetscInt *data, n, room; /* owned */
} Message;

static PetscErrorCode put(Message *m, PetscInt value)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->n + 1, &m->room, &m->data));
  m->data[m->n++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define REAL_INTS (sizeof(PetscReal) / sizeof(PetscInt))

/* A real in a message of integers, bit by bit. */
static PetscErrorCode put_real(Message *m, PetscReal value)
{
  PetscInt bits[REAL_INTS];

  PetscFunctionBeginUser;
  memcpy(bits, &value, sizeof value);
  for (size_t i = 0; i < REAL_INTS; i++) PetscCall(put(m, bits[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Who owns what, and the global numbers that follow. */
typedef struct {
  PetscMPIInt size;
  PetscInt   *owner, *global;      /* [nnodes] */
  PetscInt   *first;               /* [size+1] global number of each rank's first node */
  PetscInt   *by_global;           /* [nnodes] natural number of a global one */
  PetscInt   *cells_start, *cells; /* cells of each rank, compressed */
  PetscInt   *local;               /* [nnodes] scratch: local number on the rank being packed */
  PetscInt   *nodes, nnodes;       /* natural numbers of that rank's local nodes */
  PetscBool   along_curve;         /* nodes and cells are in another order than the mesh's */
} Layout;

/* The owner of each node: the rank of its cells. Of the nodes between two ranks each gets half, the
   first ones in order the lower rank, so that the halves hang together: were all given to one, it
   would also compute all cells along the cut, and the others would wait for it. */
static PetscErrorCode choose_owners(const CrWhole *w, const PetscInt *part, const PetscInt *order,
                                    Layout *l)
{
  PetscInt *highest, *shared, *given;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->nnodes, &highest));
  PetscCall(PetscCalloc2(l->size * l->size, &shared, l->size * l->size, &given));
  for (PetscInt A = 0; A < w->nnodes; A++) {
    l->owner[A] = l->size;
    highest[A] = -1;
  }
  for (PetscInt e = 0; e < w->ncells; e++)
    for (PetscInt k = w->cell_offset[e]; k < w->cell_offset[e + 1]; k++) {
      PetscInt A = w->cell_nodes[k];

      l->owner[A] = PetscMin(l->owner[A], part[e]);
      highest[A] = PetscMax(highest[A], part[e]);
    }
  for (PetscInt A = 0; A < w->nnodes; A++) shared[l->owner[A] * l->size + highest[A]]++;
  for (PetscInt k = 0; k < w->nnodes; k++) {
    PetscInt A = order[k], pair = l->owner[A] * l->size + highest[A];

    if (2 * given[pair]++ >= shared[pair]) l->owner[A] = highest[A];
  }
  PetscCall(PetscFree(highest));
  PetscCall(PetscFree2(shared, given));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode number_nodes(const CrWhole *w, const PetscInt *part, Layout *l)
{
  PetscInt *next, *order;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->nnodes, &order));
  for (PetscInt A = 0; A < w->nnodes; A++) order[A] = A;
  PetscCall(is_poor(w, &l->along_curve));
  if (l->along_curve) PetscCall(order_by_curve(w, order));
  PetscCall(choose_owners(w, part, order, l));
  for (PetscInt A = 0; A < w->nnodes; A++) l->first[l->owner[A] + 1]++;
  for (PetscMPIInt p = 0; p < l->size; p++) l->first[p + 1] += l->first[p];
  PetscCall(PetscMalloc1(l->size, &next));
  PetscCall(PetscArraycpy(next, l->first, l->size));
  for (PetscInt k = 0; k < w->nnodes; k++) {
    PetscInt A = order[k];

    l->global[A] = next[l->owner[A]]++;
    l->by_global[l->global[A]] = A;
  }
  PetscCall(PetscFree(next));
  PetscCall(PetscFree(order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ranks that need a cell: owners of its nodes, each once. */
static PetscInt ranks_of_cell(const CrWhole *w, const Layout *l, PetscInt e,
                              PetscInt ranks[CR_MAX_CELL_NODES])
{
  PetscInt n = 0;

  for (PetscInt k = w->cell_offset[e]; k < w->cell_offset[e + 1]; k++) {
    PetscInt p = l->owner[w->cell_nodes[k]], i = 0;

    while (i < n && ranks[i] != p) i++;
    if (i == n) ranks[n++] = p;
  }
  return n;
}

static PetscErrorCode share_cells(const CrWhole *w, Layout *l)
{
  PetscInt ranks[CR_MAX_CELL_NODES], *next;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(l->size + 1, &l->cells_start));
  for (PetscInt e = 0; e < w->ncells; e++)
    for (PetscInt n = ranks_of_cell(w, l, e, ranks); n-- > 0;) l->cells_start[ranks[n] + 1]++;
  for (PetscMPIInt p = 0; p < l->size; p++) l->cells_start[p + 1] += l->cells_start[p];
  PetscCall(PetscMalloc1(l->cells_start[l->size], &l->cells));
  PetscCall(PetscMalloc1(l->size, &next));
  PetscCall(PetscArraycpy(next, l->cells_start, l->size));
  for (PetscInt e = 0; e < w->ncells; e++)
    for (PetscInt n = ranks_of_cell(w, l, e, ranks); n-- > 0;) l->cells[next[ranks[n]]++] = e;
  PetscCall(PetscFree(next));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool same_block(const CrWhole *w, PetscInt e, PetscInt f)
{
  return w->cell_body[e] == w->cell_body[f] && w->cell_type[e] == w->cell_type[f];
}

/* The cells of each block in the order of their least nodes. */
static PetscErrorCode sort_cells(const CrWhole *w, Layout *l)
{
  PetscInt *least;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->ncells, &least));
  for (PetscMPIInt p = 0; p < l->size; p++)
    for (PetscInt c = l->cells_start[p], end; c < l->cells_start[p + 1]; c = end) {
      for (end = c; end < l->cells_start[p + 1] && same_block(w, l->cells[c], l->cells[end]);
           end++) {
        PetscInt e = l->cells[end], *key = least + (end - c);

        *key = PETSC_MAX_INT;
        for (PetscInt k = w->cell_offset[e]; k < w->cell_offset[e + 1]; k++)
          *key = PetscMin(*key, l->global[w->cell_nodes[k]]);
      }
      PetscCall(PetscSortIntWithArray(end - c, least, l->cells + c));
    }
  PetscCall(PetscFree(least));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode layout_create(const CrWhole *w, const PetscInt *part, PetscMPIInt size,
                                    Layout *l)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(l, sizeof *l));
  l->size = size;
  PetscCall(PetscMalloc5(w->nnodes, &l->owner, w->nnodes, &l->global, w->nnodes, &l->by_global,
                         w->nnodes, &l->local, w->nnodes, &l->nodes));
  PetscCall(PetscCalloc1(size + 1, &l->first));
  PetscCall(number_nodes(w, part, l));
  PetscCall(share_cells(w, l));
  if (l->along_curve) PetscCall(sort_cells(w, l));
  for (PetscInt A = 0; A < w->nnodes; A++) l->local[A] = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode layout_destroy(Layout *l)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(l->owner, l->global, l->by_global, l->local, l->nodes));
  PetscCall(PetscFree(l->first));
  PetscCall(PetscFree(l->cells_start));
  PetscCall(PetscFree(l->cells));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void add_ghost(Layout *l, PetscInt A, PetscInt *n)
{
  if (l->local[A] >= 0) return;
  l->local[A] = 0;
  l->nodes[(*n)++] = l->global[A];
}

/* Local nodes of rank p: owned ones, then ghosts in order of their global numbers. */
static PetscErrorCode choose_nodes(const CrWhole *w, Layout *l, PetscMPIInt p)
{
  PetscInt nowned = l->first[p + 1] - l->first[p], n = 0;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < l->nnodes; i++) l->local[l->nodes[i]] = -1; /* of the rank before */
  for (; n < nowned; n++) {
    l->nodes[n] = l->by_global[l->first[p] + n];
    l->local[l->nodes[n]] = n;
  }
  for (PetscInt c = l->cells_start[p]; c < l->cells_start[p + 1]; c++)
    for (PetscInt k = w->cell_offset[l->cells[c]]; k < w->cell_offset[l->cells[c] + 1]; k++)
      add_ghost(l, w->cell_nodes[k], &n);
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; w->sets[s].touches && i < w->sets[s].nnodes; i++)
      add_ghost(l, w->sets[s].nodes[i], &n);
  PetscCall(PetscSortInt(n - nowned, l->nodes + nowned));
  for (PetscInt i = nowned; i < n; i++) {
    l->nodes[i] = l->by_global[l->nodes[i]];
    l->local[l->nodes[i]] = i;
  }
  l->nnodes = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool counts_cell(const CrWhole *w, const Layout *l, PetscMPIInt p, PetscInt e)
{
  return l->owner[w->cell_nodes[w->cell_offset[e]]] == p;
}

/* Runs of cells of one body and type, counted cells first. */
static PetscErrorCode pack_blocks(const CrWhole *w, const Layout *l, PetscMPIInt p, Message *m)
{
  PetscInt start = l->cells_start[p], end = l->cells_start[p + 1], at_count = m->n, nblocks = 0;

  PetscFunctionBeginUser;
  PetscCall(put(m, 0));
  for (PetscInt c = start, stop; c < end; c = stop) {
    PetscInt body = w->cell_body[l->cells[c]], type = w->cell_type[l->cells[c]], nowned = 0;

    for (stop = c; stop < end && same_block(w, l->cells[c], l->cells[stop]); stop++)
      nowned += counts_cell(w, l, p, l->cells[stop]);
    PetscCall(put(m, body));
    PetscCall(put(m, type));
    PetscCall(put(m, stop - c));
    PetscCall(put(m, nowned));
    for (int counted = 1; counted >= 0; counted--)
      for (PetscInt k = c; k < stop; k++) {
        PetscInt e = l->cells[k];

        if (counts_cell(w, l, p, e) != (PetscBool)counted) continue;
        PetscCall(put(m, e));
        for (PetscInt i = w->cell_offset[e]; i < w->cell_offset[e + 1]; i++)
          PetscCall(put(m, l->local[w->cell_nodes[i]]));
      }
    nblocks++;
  }
  m->data[at_count] = nblocks;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode pack_facet(const CrWhole *w, const Layout *l, PetscMPIInt p, PetscInt f,
                                 PetscBool everywhere, PetscInt *count, Message *m)
{
  PetscInt      e = w->facet_cell[f], nodes[CR_MAX_FACE_NODES];
  const CrCell *cell = &CrCells[w->cell_type[e]];
  PetscInt      nn = CrCells[cell->face_type].nnodes;
  PetscBool     touches = everywhere;

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < nn; a++) {
    nodes[a] = w->cell_nodes[w->cell_offset[e] + cell->faces[w->facet_face[f]][a]];
    if (l->owner[nodes[a]] == p) touches = PETSC_TRUE;
  }
  /* the rank that counts the cell sees its facets too, whoever owns their nodes */
  if (!touches && !counts_cell(w, l, p, e)) PetscFunctionReturn(PETSC_SUCCESS);
  (*count)++;
  PetscCall(put(m, cell->face_type));
  PetscCall(put(m, counts_cell(w, l, p, e)));
  PetscCall(put_real(m, CrWholeHeight(w, f)));
  for (PetscInt a = 0; a < nn; a++) PetscCall(put(m, l->local[nodes[a]]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode pack_sets(const CrWhole *w, const Layout *l, PetscMPIInt p, Message *m)
{
  PetscFunctionBeginUser;
  PetscCall(put(m, w->nsets));
  for (PetscInt s = 0; s < w->nsets; s++) {
    const CrWholeSet *set = &w->sets[s];
    PetscInt          at_nodes, at_facets, nnodes = 0, nfacets = 0;

    for (size_t i = 0; i < sizeof set->name; i++) PetscCall(put(m, set->name[i]));
    PetscCall(put(m, set->body));
    PetscCall(put(m, set->nfacets > 0));
    at_nodes = m->n;
    PetscCall(put(m, 0));
    for (PetscInt i = 0; i < set->nnodes; i++) {
      if (l->local[set->nodes[i]] < 0) continue;
      PetscCall(put(m, l->local[set->nodes[i]]));
      nnodes++;
    }
    m->data[at_nodes] = nnodes;
    at_facets = m->n;
    PetscCall(put(m, 0));
    for (PetscInt i = 0; i < set->nfacets; i++)
      PetscCall(pack_facet(w, l, p, set->facets[i], set->touches, &nfacets, m));
    m->data[at_facets] = nfacets;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode pack(const CrWhole *w, const CrModel *model, Layout *l, PetscMPIInt p,
                           Message *m, PetscReal **X)
{
  PetscFunctionBeginUser;
  PetscCall(choose_nodes(w, l, p));
  m->n = 0;
  PetscCall(put(m, w->nnodes));
  PetscCall(put(m, w->ncells));
  PetscCall(put(m, l->first[p]));
  PetscCall(put(m, l->first[p + 1] - l->first[p]));
  PetscCall(put(m, l->nnodes));
  for (PetscInt i = 0; i < l->nnodes; i++) {
    PetscCall(put(m, l->nodes[i]));
    PetscCall(put(m, l->global[l->nodes[i]]));
    PetscCall(put(m, w->node_body[l->nodes[i]]));
  }
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscCall(put(m, model->bodies[b].first_node));
    PetscCall(put(m, model->bodies[b].nnodes));
    PetscCall(put(m, model->bodies[b].first_cell));
    PetscCall(put(m, model->bodies[b].ncells));
  }
  PetscCall(pack_blocks(w, l, p, m));
  PetscCall(pack_sets(w, l, p, m));
  PetscCall(PetscMalloc1(l->nnodes * w->dim, X));
  for (PetscInt i = 0; i < l->nnodes; i++)
    for (PetscInt k = 0; k < w->dim; k++) (*X)[i * w->dim + k] = w->X[l->nodes[i] * w->dim + k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- unpacking, all ranks ----------------------------------------------------------------- */

static PetscErrorCode unpack_nodes(CrModel *model, const PetscInt **cursor)
{
  const PetscInt *c = *cursor;

  PetscFunctionBeginUser;
  model->nglobal = *c++;
  model->ncells = *c++;
  model->first = *c++;
  model->nowned = *c++;
  model->nlocal = *c++;
  PetscCall(PetscMalloc3(model->nlocal, &model->natural, model->nlocal - model->nowned,
                         &model->ghosts, model->nlocal, &model->node_body));
  for (PetscInt i = 0; i < model->nlocal; i++) {
    model->natural[i] = *c++;
    if (i >= model->nowned) model->ghosts[i - model->nowned] = *c;
    c++;
    model->node_body[i] = *c++;
  }
  for (PetscInt b = 0; b < model->nbodies; b++) {
    model->bodies[b].first_node = *c++;
    model->bodies[b].nnodes = *c++;
    model->bodies[b].first_cell = *c++;
    model->bodies[b].ncells = *c++;
  }
  *cursor = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack_block(const CrModel *model, CrElementBlock *block,
                                   const PetscInt **cursor)
{
  const PetscInt *c = *cursor;
  PetscInt        nn, type;

  PetscFunctionBeginUser;
  block->body = *c++;
  type = *c++;
  block->n = *c++;
  block->nowned = *c++;
  block->element = CrElementGet((CrCellType)type);
  block->material = model->bodies[block->body].material;
  block->thickness = model->thickness;
  block->nbatches = (block->n + CR_BATCH - 1) / CR_BATCH;
  nn = block->element->nnodes;
  PetscCall(PetscMalloc2(block->nbatches * nn * CR_BATCH, &block->nodes, block->n, &block->cell));
  for (PetscInt e = 0; e < block->n; e++) {
    block->cell[e] = *c++;
    for (PetscInt a = 0; a < nn; a++)
      block->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH] = *c++;
  }
  for (PetscInt e = block->n; e < block->nbatches * CR_BATCH; e++)
    for (PetscInt a = 0; a < nn; a++)
      block->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH] =
          block->nodes[((block->n - 1) / CR_BATCH * nn + a) * CR_BATCH + (block->n - 1) % CR_BATCH];
  block->one_point = model->bodies[block->body].one_point;
  CrRuleFill(block->element,
             !block->one_point ? block->element->stress_rule
             : model->dim == 2 ? &CrQuadQuad1
                               : &CrQuadHex1,
             &block->stress_rule);
  CrRuleFill(block->element, block->element->mass_rule, &block->mass_rule);
  block->state_size = CrMaterialStateSize(block->material, model->dim);
  block->axial = model->axial;
  CrVolumeSetUp(&model->bodies[block->body], block);
  *cursor = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack_set(CrModelSet *set, const PetscInt **cursor)
{
  const PetscInt *c = *cursor;

  PetscFunctionBeginUser;
  for (size_t i = 0; i < sizeof set->name; i++) set->name[i] = (char)*c++;
  set->body = *c++;
  set->is_surface = (PetscBool)*c++;
  set->nnodes = *c++;
  PetscCall(PetscMalloc1(set->nnodes, &set->nodes));
  for (PetscInt i = 0; i < set->nnodes; i++) set->nodes[i] = *c++;
  set->nfacets = *c++;
  PetscCall(PetscMalloc1(set->nfacets, &set->facets));
  for (PetscInt f = 0; f < set->nfacets; f++) {
    set->facets[f].type = (CrCellType)*c++;
    set->facets[f].owned = (PetscBool)*c++;
    memcpy(&set->facets[f].height, c, sizeof(PetscReal));
    c += REAL_INTS;
    for (PetscInt a = 0; a < CrCells[set->facets[f].type].nnodes; a++)
      set->facets[f].nodes[a] = *c++;
  }
  *cursor = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack(CrModel *model, const PetscInt *data)
{
  const PetscInt *cursor = data;

  PetscFunctionBeginUser;
  PetscCall(unpack_nodes(model, &cursor));
  model->nblocks = *cursor++;
  PetscCall(PetscCalloc1(model->nblocks, &model->blocks));
  for (PetscInt b = 0; b < model->nblocks; b++)
    PetscCall(unpack_block(model, &model->blocks[b], &cursor));
  model->nsets = *cursor++;
  PetscCall(PetscCalloc1(model->nsets, &model->sets));
  for (PetscInt s = 0; s < model->nsets; s++) PetscCall(unpack_set(&model->sets[s], &cursor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the exchange ------------------------------------------------------------------------- */

/* Rank 0: packs and sends all parts; its own last, which it keeps. */
static PetscErrorCode send_parts(const CrModel *model, const CrWhole *w, const PetscInt *part,
                                 PetscMPIInt size, Message *m, PetscReal **X)
{
  Layout l;

  PetscFunctionBeginUser;
  PetscCall(layout_create(w, part, size, &l));
  for (PetscMPIInt p = size; p-- > 0;) {
    PetscInt sizes[2];

    PetscCall(pack(w, model, &l, p, m, X));
    if (p == 0) break;
    sizes[0] = m->n;
    sizes[1] = l.nnodes * w->dim;
    PetscCallMPI(MPI_Send(sizes, 2, MPIU_INT, p, 2, model->comm));
    PetscCallMPI(MPI_Send(m->data, (int)m->n, MPIU_INT, p, 3, model->comm));
    PetscCallMPI(MPI_Send(*X, (int)sizes[1], MPIU_REAL, p, 4, model->comm));
    PetscCall(PetscFree(*X));
  }
  PetscCall(layout_destroy(&l));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode receive_part(MPI_Comm comm, Message *m, PetscReal **X)
{
  PetscInt sizes[2];

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Recv(sizes, 2, MPIU_INT, 0, 2, comm, MPI_STATUS_IGNORE));
  PetscCall(PetscMalloc1(sizes[0], &m->data));
  PetscCall(PetscMalloc1(sizes[1], X));
  PetscCallMPI(MPI_Recv(m->data, (int)sizes[0], MPIU_INT, 0, 3, comm, MPI_STATUS_IGNORE));
  PetscCallMPI(MPI_Recv(*X, (int)sizes[1], MPIU_REAL, 0, 4, comm, MPI_STATUS_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelDistribute(CrModel *model, CrWhole *whole)
{
  PetscMPIInt rank, size;
  PetscInt   *part;
  Message     message = {NULL, 0, 0};

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscCall(PetscMalloc1(whole->ncells, &part));
  PetscCall(CrWholePartition(model->comm, whole, part));
  if (rank == 0)
    PetscCall(send_parts(model, whole, part, size, &message, &model->X));
  else
    PetscCall(receive_part(model->comm, &message, &model->X));
  PetscCall(PetscFree(part));
  PetscCall(unpack(model, message.data));
  PetscCall(PetscFree(message.data));
  PetscFunctionReturn(PETSC_SUCCESS);
}
