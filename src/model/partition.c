/* Decides which rank computes which cell, by recursive bisection with planes. A plane across an axis divides a group of
   ranks and its cells into halves, until each group is one rank. Only the centres of the cells are needed, so that no
   rank stores a graph. The parts do not depend on the initial distribution of the cells. A step has the work of cells
   and then the work of contact, and both should be divided among the ranks. Every plane halves the cells. The axis of
   the plane is chosen by the number of cells along the cut, which both sides compute, and by the division of the facets
   in contact. So the planes cut through bodies that touch, instead of separating them. If a plane separated two bodies,
   one side would have all slaves of a pair. */
#include "base/grow.h"
#include "model/facing.h"

#define BINS    16 /* of a histogram */
#define ROUNDS  9  /* of histograms: a plane is found to 16^-9 of the model */
#define CONTACT 6  /* work of a facet in contact, over that of a cell (docs/performance.md) */

/* A plane across an axis of a group. */
typedef struct {
  PetscReal low, high, below; /* it lies between; cells below `low` */
  PetscReal cut;              /* cells along it */
  PetscReal facets[2];        /* in contact and below it, by their roles */
} Plane;

typedef struct {
  PetscInt  first, nranks;
  PetscReal cells, facets[2];
  PetscInt  axis; /* of the plane that is chosen */
  Plane     planes[3];
} Group;

typedef struct {
  MPI_Comm       comm;
  const CrShare *share;
  PetscReal      layer, size, tilt; /* mean size of a cell; size of the model */
  PetscInt       ngroups;
  /* [ncells][dim] positions of the cells along each axis, from the corner of the model; owned, like all below */
  PetscReal *x;
  PetscInt  *near;   /* [2 ncells] as CrShareFacing says */
  PetscInt  *group;  /* [ncells] */
  Group     *groups; /* [ngroups] */
  PetscReal *sums;   /* room for sums over the ranks */
  /* Cells that may lie between `low` and `high` of a plane of their group: dim times the cell, plus the axis. */
  CR_LIST(PetscInt) between;
} Cutter;

/* Replaces the centre of a cell by its positions along the axes. Cells of a grid lie in layers; a slight tilt lets a
   plane divide a layer too. */
static void tilt(const Cutter *c, PetscReal *x)
{
  const PetscInt dim = c->share->dim;
  PetscReal      tilted[3];

  for (PetscInt axis = 0; axis < dim; axis++) {
    PetscReal s = x[axis], t = c->tilt;

    for (PetscInt i = 1, j = axis; i < dim; i++, t *= c->tilt) {
      j = j + 1 < dim ? j + 1 : 0;
      s += t * x[j];
    }
    tilted[axis] = s;
  }
  for (PetscInt i = 0; i < dim; i++) x[i] = tilted[i];
}

static PetscReal position(const Cutter *c, PetscInt axis, PetscInt e)
{
  return c->x[c->share->dim * e + axis];
}

static PetscErrorCode sum_up(const Cutter *c, PetscInt n)
{
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, c->sums, (PetscMPIInt)n, MPIU_REAL, MPIU_SUM, c->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the cells ---------------------------------------------------------------------------- */

/* Centres of the cells, and the sum of their sizes. */
static void find_centres(Cutter *c, PetscReal *sizes)
{
  const CrShare *w = c->share;

  *sizes = 0;
  for (PetscInt e = 0; e < w->ncells; e++) {
    const PetscInt *nodes = w->cell_nodes + w->cell_offset[e];
    const PetscInt  n = CrCells[w->cell_type[e]].ncorners;

    for (PetscInt i = 0; i < w->dim; i++) {
      PetscReal sum = 0, low = PETSC_MAX_REAL, high = -PETSC_MAX_REAL;

      for (PetscInt a = 0; a < n; a++) {
        PetscReal x = w->X[w->dim * nodes[a] + i];

        sum += x;
        low = PetscMin(low, x);
        high = PetscMax(high, x);
      }
      c->x[w->dim * e + i] = sum / (PetscReal)n;
      *sizes += (high - low) / (PetscReal)w->dim;
    }
  }
}

/* The tilt moves a plane by a quarter of a layer at most. */
static PetscErrorCode measure(Cutter *c)
{
  const PetscInt dim = c->share->dim;
  PetscReal      box[6], sizes;

  PetscFunctionBeginUser;
  find_centres(c, &sizes);
  for (int i = 0; i < 6; i++) box[i] = -PETSC_MAX_REAL;
  for (PetscInt e = 0; e < c->share->ncells; e++)
    for (PetscInt i = 0; i < dim; i++) {
      box[i] = PetscMax(box[i], -c->x[dim * e + i]);
      box[3 + i] = PetscMax(box[3 + i], c->x[dim * e + i]);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, box, 6, MPIU_REAL, MPIU_MAX, c->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sizes, 1, MPIU_REAL, MPIU_SUM, c->comm));
  c->layer = sizes / (PetscReal)c->share->all_cells;
  c->size = c->layer;
  for (PetscInt i = 0; i < dim; i++) c->size = PetscMax(c->size, box[3 + i] + box[i]);
  c->tilt = 0.25 * c->layer / c->size;
  for (PetscInt e = 0; e < c->share->ncells; e++) {
    for (PetscInt i = 0; i < dim; i++) c->x[dim * e + i] += box[i];
    tilt(c, c->x + dim * e);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- planes ------------------------------------------------------------------------------- */

static PetscErrorCode count(Cutter *c)
{
  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(c->sums, 3 * c->ngroups));
  for (PetscInt e = 0; e < c->share->ncells; e++) {
    c->sums[3 * c->group[e]] += 1;
    for (int k = 0; k < 2; k++) c->sums[3 * c->group[e] + 1 + k] += (PetscReal)c->near[2 * e + k];
  }
  PetscCall(sum_up(c, 3 * c->ngroups));
  for (PetscInt g = 0; g < c->ngroups; g++) {
    Group *group = &c->groups[g];

    group->cells = c->sums[3 * g];
    for (int k = 0; k < 2; k++) group->facets[k] = c->sums[3 * g + 1 + k];
    for (int i = 0; i < 3; i++) group->planes[i] = (Plane){.low = 0, .high = 2 * c->size};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part of the cells that belongs below the plane: that of the first half of the ranks. */
static PetscReal fraction(const Group *g)
{
  return (PetscReal)(g->nranks / 2) / (PetscReal)g->nranks;
}

/* Narrows a plane to the bin of its histogram where the wanted number of cells is reached. */
static void narrow(Plane *p, const PetscReal *bins, PetscReal wanted)
{
  const PetscReal width = (p->high - p->low) / BINS;
  int             i = 0;

  while (i < BINS - 1 && p->below + bins[i] < wanted) p->below += bins[i++];
  p->low += i * width;
  p->high = p->low + width;
}

/* Counts a cell in the histogram of a plane of its group. Returns false if the cell is not between its ends. */
static PetscBool count_cell(const Cutter *c, PetscInt axis, PetscInt e)
{
  const PetscInt dim = c->share->dim;
  const Plane   *p = &c->groups[c->group[e]].planes[axis];
  PetscReal      s = position(c, axis, e);

  if (s < p->low || s >= p->high) return PETSC_FALSE;
  s = PetscMin(BINS * (s - p->low) / (p->high - p->low), BINS - 1);
  c->sums[BINS * (dim * c->group[e] + axis) + (PetscInt)s] += 1;
  return PETSC_TRUE;
}

/* The second round lists the cells that are left, a small part of all, and the later rounds look only at these. */
static PetscErrorCode count_cells(Cutter *c, int round)
{
  const PetscInt dim = c->share->dim;
  PetscInt       n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; round > 1 && k < c->between.n; k++) {
    const PetscInt code = c->between.at[k];

    if (count_cell(c, code % dim, code / dim)) c->between.at[n++] = code;
  }
  for (PetscInt e = 0; round < 2 && e < c->share->ncells; e++)
    for (PetscInt i = 0; i < dim; i++) {
      if (!count_cell(c, i, e) || round < 1) continue;
      PetscCall(CrGrow(n + 1, &c->between.room, &c->between.at));
      c->between.at[n++] = dim * e + i;
    }
  c->between.n = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_planes(Cutter *c)
{
  const PetscInt dim = c->share->dim, n = BINS * dim * c->ngroups;

  PetscFunctionBeginUser;
  for (int round = 0; round < ROUNDS; round++) {
    PetscCall(PetscArrayzero(c->sums, n));
    PetscCall(count_cells(c, round));
    PetscCall(sum_up(c, n));
    for (PetscInt g = 0; g < c->ngroups; g++)
      for (PetscInt i = 0; i < dim; i++)
        narrow(&c->groups[g].planes[i], c->sums + BINS * (dim * g + i),
               fraction(&c->groups[g]) * c->groups[g].cells);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What lies along and below the planes. */
static PetscErrorCode weigh_planes(Cutter *c)
{
  const PetscInt dim = c->share->dim, n = 3 * dim * c->ngroups;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(c->sums, n));
  for (PetscInt e = 0; e < c->share->ncells; e++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal *sums = c->sums + 3 * (dim * c->group[e] + i);
      PetscReal  s = position(c, i, e) - c->groups[c->group[e]].planes[i].high;

      if (PetscAbsReal(s) < 0.5 * c->layer) sums[0] += 1;
      for (int k = 0; k < 2 && s < 0; k++) sums[1 + k] += (PetscReal)c->near[2 * e + k];
    }
  PetscCall(sum_up(c, n));
  for (PetscInt g = 0; g < c->ngroups; g++)
    for (PetscInt i = 0; i < dim; i++) {
      Plane           *p = &c->groups[g].planes[i];
      const PetscReal *sums = c->sums + 3 * (dim * g + i);

      p->cut = sums[0];
      p->facets[0] = sums[1];
      p->facets[1] = sums[2];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Work of a rank that a plane costs, in cells. Both sides compute half of the cells along it, and all ranks that lie
   along it share them. Contact that is not divided as the cells are makes ranks wait; a pair's slaves have one role,
   so roles count separately. */
static PetscReal cost(const Group *g, const Plane *p, PetscInt dim)
{
  const PetscReal f = fraction(g), ranks = (PetscReal)g->nranks;
  PetscReal       worst = 0;

  for (int k = 0; k < 2; k++)
    worst = PetscMax(worst, PetscMax(p->facets[k] / f, (g->facets[k] - p->facets[k]) / (1 - f)) -
                                g->facets[k]);
  return 0.5 * p->cut / PetscPowReal(ranks, (PetscReal)(dim - 1) / (PetscReal)dim) +
         CONTACT * worst / ranks;
}

/* ---- groups ------------------------------------------------------------------------------- */

static void choose_axes(Cutter *c)
{
  for (PetscInt g = 0; g < c->ngroups; g++) {
    Group    *group = &c->groups[g];
    PetscReal least = PETSC_MAX_REAL;

    for (PetscInt i = 0; i < c->share->dim; i++) {
      PetscReal d = cost(group, &group->planes[i], c->share->dim);

      if (d >= least) continue;
      least = d;
      group->axis = i;
    }
  }
}

/* Every group becomes two: number 2 g below its plane, and 2 g + 1 above. One without ranks has no cells. */
static PetscErrorCode halve(Cutter *c)
{
  Group *old = c->groups, *halves;

  PetscFunctionBeginUser;
  for (PetscInt e = 0; e < c->share->ncells; e++) {
    const Group    *g = &old[c->group[e]];
    const PetscBool above = g->nranks < 2 || position(c, g->axis, e) >= g->planes[g->axis].high;

    c->group[e] = 2 * c->group[e] + above;
  }
  PetscCall(PetscCalloc1(2 * c->ngroups, &halves));
  for (PetscInt g = 0; g < c->ngroups; g++) {
    const PetscInt n = old[g].nranks / 2;

    halves[2 * g] = (Group){.first = old[g].first, .nranks = n};
    halves[2 * g + 1] = (Group){.first = old[g].first + n, .nranks = old[g].nranks - n};
  }
  c->ngroups *= 2;
  c->groups = halves;
  PetscCall(PetscFree(old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode cut(Cutter *c, PetscMPIInt size)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(1, &c->groups));
  c->ngroups = 1;
  c->groups[0].nranks = size;
  PetscCall(PetscMalloc1(2 * 3 * BINS * size, &c->sums));
  for (PetscInt done = 1; done < size; done *= 2) {
    PetscCall(count(c));
    PetscCall(find_planes(c));
    PetscCall(weigh_planes(c));
    choose_axes(c);
    PetscCall(halve(c));
  }
  PetscCall(PetscFree(c->sums));
  PetscCall(PetscFree(c->between.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharePartition(MPI_Comm comm, const CrShare *w, PetscInt *part)
{
  Cutter      c = {.comm = comm, .share = w, .group = part};
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1 || w->all_cells < 8 * size) { /* nothing worth partitioning: slices in order */
    for (PetscInt e = 0; e < w->ncells; e++)
      part[e] = (PetscInt)((PetscInt64)w->cell_number[e] * size / w->all_cells);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc1(w->ncells * w->dim, &c.x));
  PetscCall(PetscCalloc1(2 * w->ncells, &c.near));
  PetscCall(CrShareFacing(comm, w, c.near));
  PetscCall(measure(&c));
  PetscCall(PetscArrayzero(part, w->ncells));
  PetscCall(cut(&c, size));
  for (PetscInt e = 0; e < w->ncells; e++) part[e] = c.groups[part[e]].first;
  PetscCall(PetscFree(c.groups));
  PetscCall(PetscFree(c.near));
  PetscCall(PetscFree(c.x));
  PetscFunctionReturn(PETSC_SUCCESS);
}
