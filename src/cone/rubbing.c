/* Impulses with friction (impulse.h). For given tangential impulses, the normal part is the convex problem of
   impulse.c. For given friction limits mu r_n, the tangential part is the minimum of 1/2 r.A r + b.r over discs. Both
   parts are solved alternately until they agree. If the friction limits oscillate, they are under-relaxed. If this
   iteration is slow, Newton's method solves for both parts together (rubbing_newton.c). */
#include "cone/rubbing.h"

#define MOST_PASSES 500
#define MOST_SWEEPS 2000
#define MOST_TURNS  40    /* passes after which Newton's method takes over */
#define MOST_ROWS   600   /* of its matrix */
#define AGREE       5e-13 /* converged: limits and mu r_n differ by this part of the greatest */
#define TURNS       60    /* of one disc */

typedef struct {
  const CrRubbingSystem *s;
  PetscReal             *r;
  PetscReal             *limit;   /* [n] mu r_n, relaxed; owned, as all that follow */
  PetscReal             *rn, *bn; /* [n] the normal part: unknowns and load */
  PetscReal             *kept;    /* [dim n] r before Newton's method */
  PetscInt              *start, *column;
  PetscReal             *value;
} Work;

/* ---- the parts ------------------------------------------------------------------------------- */

/* Row of A r + b, and the size of its terms. */
static PetscReal row_of(const CrRubbingSystem *s, PetscInt row, const PetscReal *r)
{
  PetscReal sum = s->b[row];

  for (PetscInt e = s->start[row]; e < s->start[row + 1]; e++) sum += s->value[e] * r[s->column[e]];
  return sum;
}

static PetscReal entry(const CrRubbingSystem *s, PetscInt row, PetscInt column)
{
  for (PetscInt e = s->start[row]; e < s->start[row + 1]; e++)
    if (s->column[e] == column) return s->value[e];
  return 0;
}

/* The normal rows and columns as a system of their own. */
static void extract_normals(Work *w)
{
  const CrRubbingSystem *s = w->s;
  PetscInt               entries = 0;

  for (PetscInt l = 0; l < s->n; l++) {
    w->start[l] = entries;
    for (PetscInt e = s->start[s->dim * l]; e < s->start[s->dim * l + 1]; e++) {
      if (s->column[e] % s->dim) continue;
      w->column[entries] = s->column[e] / s->dim;
      w->value[entries++] = s->value[e];
    }
  }
  w->start[s->n] = entries;
}

static PetscErrorCode solve_normals(Work *w, PetscBool *converged)
{
  const CrRubbingSystem *s = w->s;
  CrImpulseSystem        normal = {s->n, w->start, w->column, w->value, w->bn, s->c};
  CrImpulseReport        found;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) w->r[s->dim * l] = 0;
  for (PetscInt l = 0; l < s->n; l++) w->bn[l] = row_of(s, s->dim * l, w->r);
  PetscCall(CrImpulseSolve(&normal, w->rn, &found));
  for (PetscInt l = 0; l < s->n; l++) w->r[s->dim * l] = w->rn[l];
  *converged = found.converged;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the tangential part --------------------------------------------------------------------- */

/* The plane: a clipped root. What cannot be moved rubs with all its limit. */
static void rub_line(PetscReal A, PetscReal load, PetscReal limit, PetscReal *r)
{
  PetscReal root = A > 0 ? -load / A : load > 0 ? -limit : load < 0 ? limit : 0;

  *r = PetscMax(-limit, PetscMin(limit, root));
}

/* Space: the minimum of 1/2 r.B r + load.r over a disc. Inside it is a linear system; on the rim the multiplier sigma of
   (B + sigma) r = -load is found by Newton on 1/|r|, which is nearly linear in it. */
static void rub_disc(const PetscReal B[3], const PetscReal load[2], PetscReal limit, PetscReal r[2])
{
  PetscReal sigma = 0, size = PetscHypotReal(load[0], load[1]), trace = B[0] + B[2];

  r[0] = r[1] = 0;
  if (!(limit > 0) || size == 0) return;
  for (int k = 0; k < TURNS; k++) {
    PetscReal a = B[0] + sigma, c = B[2] + sigma, det = a * c - B[1] * B[1], length, q[2], slope;

    if (!(det > 1e-14 * trace * trace)) { /* cannot be moved in some direction */
      sigma += 1e-7 * trace + (trace > 0 ? 0 : size / limit);
      continue;
    }
    r[0] = (B[1] * load[1] - c * load[0]) / det;
    r[1] = (B[1] * load[0] - a * load[1]) / det;
    length = PetscHypotReal(r[0], r[1]);
    if (length <= limit * (1 + 1e-15) && (sigma == 0 || length >= limit * (1 - 1e-15))) return;
    q[0] = (c * r[0] - B[1] * r[1]) / det; /* (B + sigma)^-1 r */
    q[1] = (a * r[1] - B[1] * r[0]) / det;
    slope = (q[0] * r[0] + q[1] * r[1]) / (length * length);
    sigma = PetscMax(0, sigma + (length / limit - 1) / slope);
  }
  size = PetscHypotReal(r[0], r[1]);
  for (int i = 0; size > limit && i < 2; i++) r[i] *= limit / size;
}

/* One point, with the others as they are. Returns how far its impulse moves. */
static PetscReal rub(const Work *w, PetscInt l)
{
  const CrRubbingSystem *s = w->s;
  PetscInt               row = s->dim * l + 1;
  PetscReal             *r = w->r + row, old[2] = {r[0], 0}, load[2], B[3];

  r[0] = 0;
  if (s->dim == 2) {
    rub_line(entry(s, row, row), row_of(s, row, w->r), w->limit[l], r);
    return PetscAbsReal(r[0] - old[0]);
  }
  old[1] = r[1];
  r[1] = 0;
  for (int i = 0; i < 2; i++) load[i] = row_of(s, row + i, w->r);
  B[0] = entry(s, row, row);
  B[1] = entry(s, row, row + 1);
  B[2] = entry(s, row + 1, row + 1);
  rub_disc(B, load, w->limit[l], r);
  return PetscHypotReal(r[0] - old[0], r[1] - old[1]);
}

static PetscInt solve_tangents(const Work *w, PetscReal greatest)
{
  PetscInt sweep;

  for (sweep = 1; sweep < MOST_SWEEPS; sweep++) {
    PetscReal change = 0;

    for (PetscInt l = 0; l < w->s->n; l++) {
      PetscReal moved = rub(w, l);

      change = PetscMax(change, moved);
    }
    if (!(change > 1e-15 * greatest)) break;
  }
  return sweep;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* Limits go to mu r_n, by the part `relax`; returns the greatest. */
static PetscReal set_limits(const Work *w, PetscReal relax)
{
  PetscReal greatest = 0;

  for (PetscInt l = 0; l < w->s->n; l++) {
    PetscReal limit = w->s->mu[l] * w->rn[l];

    w->limit[l] += relax * (limit - w->limit[l]);
    greatest = PetscMax(greatest, limit);
  }
  return greatest;
}

/* How far the limits are from those of the normal part that came out. */
static PetscReal mismatch_of(const Work *w)
{
  PetscReal most = 0;

  for (PetscInt l = 0; l < w->s->n; l++)
    most = PetscMax(most, PetscAbsReal(w->s->mu[l] * w->rn[l] - w->limit[l]));
  return most;
}

/* Solves the normal part, which comes last, and compares the limits with those that it gives. */
static PetscErrorCode close_pass(Work *w, PetscReal most, CrRubbingReport *report,
                                 PetscReal *mismatch)
{
  PetscFunctionBeginUser;
  PetscCall(solve_normals(w, &report->converged));
  *mismatch = mismatch_of(w);
  report->mismatch = most > 0 ? *mismatch / most : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Are sweeps or passes so slow that Newton's method is worth its matrix? */
static PetscBool is_slow(const Work *w, const CrRubbingReport *report, PetscInt sweeps)
{
  return w->s->dim * w->s->n <= MOST_ROWS &&
         (sweeps == MOST_SWEEPS || report->passes == MOST_TURNS);
}

/* Newton's method, then the normal part. Where this does not help, the passes go on from where they were. */
static PetscErrorCode try_newton(Work *w, CrRubbingReport *report)
{
  PetscReal mismatch, most = 0;
  PetscInt  d = w->s->dim;
  PetscBool good;

  PetscFunctionBeginUser;
  PetscCall(PetscArraycpy(w->kept, w->r, d * w->s->n));
  PetscCall(RubbingNewton(w->s, w->r, &good));
  for (PetscInt l = 0; good && l < w->s->n; l++) {
    w->limit[l] = w->s->mu[l] * w->r[d * l];
    most = PetscMax(most, w->limit[l]);
  }
  if (good) PetscCall(close_pass(w, most, report, &mismatch));
  if (good && report->converged && report->mismatch <= AGREE) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArraycpy(w->r, w->kept, d * w->s->n));
  for (PetscInt l = 0; l < w->s->n; l++) w->rn[l] = w->r[d * l];
  report->converged = PETSC_TRUE;
  report->mismatch = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode alternate(Work *w, CrRubbingReport *report)
{
  PetscReal relax = 1, last = PETSC_MAX_REAL;
  PetscBool tried = PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(solve_normals(w, &report->converged));
  for (report->passes = 0; report->passes < MOST_PASSES && report->converged; report->passes++) {
    PetscReal most = set_limits(w, report->passes ? relax : 1), mismatch;
    PetscInt  sweeps = solve_tangents(w, most);

    report->sweeps = PetscMax(report->sweeps, sweeps);
    PetscCall(close_pass(w, most, report, &mismatch));
    if (report->mismatch <= AGREE) break;
    if (mismatch > 0.9 * last) relax = PetscMax(0.3, 0.7 * relax);
    last = mismatch;
    if (tried || !report->converged || !is_slow(w, report, sweeps)) continue;
    tried = PETSC_TRUE;
    PetscCall(try_newton(w, report));
    if (report->mismatch <= AGREE) break;
  }
  if (!(report->mismatch <= AGREE)) report->converged = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRubbingSolve(const CrRubbingSystem *s, PetscReal *r, PetscReal *u,
                              CrRubbingReport *report)
{
  Work     w = {.s = s, .r = r};
  PetscInt rows = s->dim * s->n;

  PetscFunctionBeginUser;
  *report = (CrRubbingReport){0};
  PetscCall(PetscCalloc4(s->n, &w.limit, s->n, &w.rn, s->n, &w.bn, rows, &w.kept));
  PetscCall(PetscMalloc3(s->n + 1, &w.start, s->start[rows], &w.column, s->start[rows], &w.value));
  PetscCall(PetscArrayzero(r, rows));
  extract_normals(&w);
  PetscCall(alternate(&w, report));
  for (PetscInt k = 0; k < rows; k++) u[k] = row_of(s, k, r);
  PetscCall(PetscFree4(w.limit, w.rn, w.bn, w.kept));
  PetscCall(PetscFree3(w.start, w.column, w.value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
