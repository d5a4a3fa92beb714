#include "model/impulses.h"
#include "base/vector.h"

PetscErrorCode CrImpulsesCreate(PetscInt n, CrImpulses *s)
{
  PetscFunctionBeginUser;
  s->npairs = n;
  PetscCall(PetscCalloc6(6 * n, &s->total, CR_LAST_REALS * n, &s->last, 3 * n, &s->filtered, 3 * n,
                         &s->released, 3 * CR_FILTER_SLOTS * n, &s->cells, 2 * n, &s->cell));
  for (PetscInt k = 0; k < 2 * n; k++) s->cell[k] = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImpulsesDestroy(CrImpulses *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree6(s->total, s->last, s->filtered, s->released, s->cells, s->cell));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImpulsesArchive(CrImpulses *s, CrArchive *archive)
{
  const PetscInt n = s->npairs;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "impulses.total", 6 * n, s->total));
  PetscCall(CrArchiveAddReals(archive, "impulses.last", CR_LAST_REALS * n, s->last));
  PetscCall(CrArchiveAddReals(archive, "impulses.filtered", 3 * n, s->filtered));
  PetscCall(CrArchiveAddReals(archive, "impulses.released", 3 * n, s->released));
  PetscCall(CrArchiveAddReals(archive, "impulses.cells", 3 * CR_FILTER_SLOTS * n, s->cells));
  PetscCall(CrArchiveAddReals(archive, "impulses.cell", 2 * n, s->cell));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ring of one pair. */
typedef struct {
  PetscReal *cells, width;
} Ring;

/* The slot of a cell by its number, which may be beyond the range of a 32-bit integer. */
static PetscInt slot_of(PetscReal number)
{
  return (PetscInt)(((PetscInt64)number + CR_FILTER_SLOTS) % CR_FILTER_SLOTS);
}

/* Adds `share` of the filtered force at the fraction s of cell j. The mean goes over as many cells as the window has;
   the newest complete one comes in as the oldest goes out. */
static void release(const Ring *ring, PetscReal j, PetscReal s, PetscReal share, PetscReal out[3])
{
  const PetscInt  now = slot_of(j), newest = (now + CR_FILTER_SLOTS - 1) % CR_FILTER_SLOTS;
  const PetscInt  oldest = (now + 1) % CR_FILTER_SLOTS;
  const PetscReal by = share / (CR_FILTER_CELLS * ring->width);
  PetscReal       sum[3] = {0};

  for (PetscInt k = 0; k < CR_FILTER_SLOTS; k++) {
    const PetscReal part = k == now ? 0 : k == newest ? s : k == oldest ? 1 - s : 1;

    v_add(sum, part, ring->cells + 3 * k);
  }
  v_add(out, by, sum);
}

/* Spreads the impulse over the cells of the step, and takes the mean of the filtered force over it. Returns the last
   cell. */
static PetscReal pass_through(const Ring *ring, PetscReal j, PetscReal t, PetscReal h,
                              const PetscReal impulse[3], PetscReal out[3])
{
  PetscReal used = 0, from = t, end = t + h;

  for (;; j++) {
    PetscBool last = !((j + 1) * ring->width < end);
    PetscReal to = last ? end : PetscMax((j + 1) * ring->width, from);
    PetscReal share = last ? 1 - used : (to - from) / h;
    PetscReal s = ((from + to) / 2 - j * ring->width) / ring->width;

    release(ring, j, PetscMax(0, PetscMin(1, s)), share, out);
    v_add(ring->cells + 3 * slot_of(j), share, impulse);
    if (last) return j;
    used += share;
    from = to;
    for (int i = 0; i < 3; i++) ring->cells[3 * slot_of(j + 1) + i] = 0;
  }
}

/* The window is empty: everything has gone through it. */
static void empty(CrImpulses *s, PetscInt pair)
{
  for (int i = 0; i < 3 * CR_FILTER_SLOTS; i++) s->cells[3 * CR_FILTER_SLOTS * pair + i] = 0;
  s->cell[2 * pair] = s->cell[2 * pair + 1] = -1;
  v_copy(s->total + 6 * pair, s->released + 3 * pair);
}

static void filter(CrImpulses *s, PetscInt pair, PetscReal window, PetscReal t, PetscReal h,
                   const PetscReal impulse[3])
{
  const Ring ring = {s->cells + 3 * CR_FILTER_SLOTS * pair, window / CR_FILTER_CELLS};
  PetscReal *cell = s->cell + 2 * pair, *out = s->filtered + 3 * pair, first;

  first = PetscMax(PetscFloorReal(t / ring.width), cell[0]);
  if (cell[0] < 0) empty(s, pair);
  if (cell[0] >= 0 && first > cell[0]) /* a step ended at the border of a cell */
    for (int i = 0; i < 3; i++) ring.cells[3 * slot_of(first) + i] = 0;
  cell[0] = pass_through(&ring, first, t, h, impulse, out);
  if (v_dot(impulse, impulse) > 0) cell[1] = cell[0];
  v_add(s->released + 3 * pair, h, out);
}

/* A step as long as the window: what is left in it goes too. */
static void flush(CrImpulses *s, PetscInt pair, PetscReal h, const PetscReal impulse[3])
{
  PetscReal *out = s->filtered + 3 * pair;

  for (int i = 0; i < 3; i++) {
    PetscReal left = s->total[6 * pair + i] - s->released[3 * pair + i];

    out[i] = (impulse[i] + (s->cell[2 * pair] < 0 ? 0 : left)) / h;
  }
  empty(s, pair);
}

void CrImpulsesAdd(CrImpulses *s, PetscInt pair, PetscReal window, PetscReal t, PetscReal h,
                   const PetscReal impulse[6])
{
  PetscReal *out = s->filtered + 3 * pair, *cell = s->cell + 2 * pair;

  out[0] = out[1] = out[2] = 0;
  if (cell[0] - cell[1] > CR_FILTER_CELLS + 1) empty(s, pair);
  if (cell[0] >= 0 || v_dot(impulse, impulse) > 0) {
    if (window > h)
      filter(s, pair, window, t, h, impulse);
    else
      flush(s, pair, h, impulse);
  }
  for (int i = 0; i < 6; i++) s->total[6 * pair + i] += impulse[i];
}
