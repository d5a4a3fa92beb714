/* The order of nodes in memory. The natural order is used unless neighbours in space are far apart in it, as in Gmsh
   files. Then nodes are numbered along a space-filling curve. */
#include <stdlib.h>
#include "model/share.h"

#define LINE_NODES  8   /* nodes that a line of the imagined cache holds */
#define CACHE_LINES 512 /* about what a second cache holds of coordinates and displacements */
#define POOR        4 /* times that a line is fetched, on average; a grid row by row stays below */

/* The line of each node; returns how many lines there are up to the node that would come next. */
static PetscInt find_lines(const CrShare *w, PetscInt *line)
{
  PetscInt n = 0;

  for (PetscInt A = 0; A < w->nnodes; A++) {
    if (A && w->number[A] / LINE_NODES != w->number[A - 1] / LINE_NODES) n++;
    line[A] = n;
  }
  if (w->nnodes && (w->number[w->nnodes - 1] + 1) % LINE_NODES == 0) n++;
  return n + 1;
}

/* Do the cells, in their order, find their nodes in a small cache? A line stays until CACHE_LINES
   others have come. Meshes that fit into it are never poor. */
static PetscErrorCode is_poor(MPI_Comm comm, const CrShare *w, PetscBool *poor)
{
  PetscInt64 *fetched, count = CACHE_LINES, sums[2];
  PetscInt   *line, lines;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->nnodes, &line));
  lines = find_lines(w, line);
  PetscCall(PetscCalloc1(lines, &fetched));
  for (PetscInt k = 0; k < w->cell_offset[w->ncells]; k++) {
    PetscInt l = line[w->cell_nodes[k]];

    if (count - fetched[l] >= CACHE_LINES) fetched[l] = count++;
  }
  sums[0] = count - CACHE_LINES;
  sums[1] = lines;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPIU_INT64, MPI_SUM, comm));
  *poor = sums[0] > POOR * sums[1];
  PetscCall(PetscFree(fetched));
  PetscCall(PetscFree(line));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOrderChoose(MPI_Comm comm, const CrShare *w, CrOrder *order)
{
  PetscFunctionBeginUser;
  *order = (CrOrder){.dim = w->dim};
  PetscCall(is_poor(comm, w, &order->along_curve));
  if (!order->along_curve) PetscFunctionReturn(PETSC_SUCCESS);
  for (int i = 0; i < 3; i++) order->low[i] = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < w->nnodes * w->dim; k++)
    order->low[k % w->dim] = PetscMin(order->low[k % w->dim], w->X[k]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, order->low, 3, MPIU_REAL, MPIU_MIN, comm));
  for (PetscInt k = 0; k < w->nnodes * w->dim; k++)
    order->size = PetscMax(order->size, w->X[k] - order->low[k % w->dim]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &order->size, 1, MPIU_REAL, MPIU_MAX, comm));
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

CrOrderPlace CrOrderAt(const CrOrder *order, PetscInt group, PetscInt body, PetscInt node,
                       PetscInt index, const PetscReal *X)
{
  CrOrderPlace place = {group, body, node, index, 0};
  uint32_t     x[3] = {0, 0, 0};

  if (!order->along_curve) return place;
  for (PetscInt i = 0; i < order->dim; i++)
    x[i] = (uint32_t)((X[i] - order->low[i]) / order->size * ((1 << CURVE_BITS) - 1));
  place.position = curve_position(order->dim, x);
  return place;
}

static int compare_places(const void *left, const void *right)
{
  const CrOrderPlace *p = left, *q = right;

  if (p->group != q->group) return p->group < q->group ? -1 : 1;
  if (p->body != q->body) return p->body < q->body ? -1 : 1;
  if (p->position != q->position) return p->position < q->position ? -1 : 1;
  return (p->node > q->node) - (p->node < q->node);
}

void CrOrderSort(PetscInt n, CrOrderPlace *places)
{
  PetscInt k = 1;

  while (k < n && compare_places(&places[k - 1], &places[k]) < 0) k++;
  if (k < n) qsort(places, (size_t)n, sizeof *places, compare_places);
}
