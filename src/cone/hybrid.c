/* The default solver of the Coulomb problem. It begins with sweeps and mixed sweeps. It uses Newton's method if a count
   of operations shows that this is faster, and the proximal point method if Newton's method fails. All decisions depend
   on counts and errors, and never on measured times. So results do not depend on the load of the machine. Notes (2) to
   (4) of cone.h describe the theory. */
#include <math.h>
#include <string.h>
#include "cone/internal.h"

/* HALVINGS: with 8 the search creeps along kinks that a longer step leaps over; with 1 to 3 the stack
   BoxesStack1 took 5 to 15 Newton iterations for every sweep at which they began, with 8 up to 56. The same
   holds in the proximal loop: 350 changed copies of two stacks (bench/friction) took 2.4 and 5.4 times as
   long with 10 halvings as with 2, the worst of them 20 times; with none, one of the stacks 1.9 times. */
enum { PLAIN = 6, PERIOD = 3, ATTEMPTS = 3, NEWTON_MOST = 20, HALVINGS = 2, LOOK = 50, WORTH = 5 };

#define LEAST_FALL 0.2 /* of alpha, from one proximal step to the next */

typedef struct {
  const ConeSystem    *s;
  const CrConeOptions *o;
  ConeWork            *w;
  PetscReal           *r;
  size_t               bytes;
  ConeOutcome         *out;
  ConeError            best, now; /* of w->best; of r at the last check */
  PetscReal            level;     /* |H| below which the next check is made */
  PetscReal            change;    /* |H| of the last sweep */
  PetscInt             decide;    /* sweep at which to choose between sweeps and Newton */
  PetscReal            half;      /* error at half that number */
  PetscInt             attempts;
  PetscInt             since; /* sweep at which the last of them was made */
} Hybrid;

/* ---- checks -------------------------------------------------------------------------------- */

/* The error of r; the best r is kept. */
static PetscBool check(Hybrid *h)
{
  h->now = ConeMeasure(h->s, h->o, h->r, h->w->z.data, NULL);
  if (h->now.judged < h->best.judged) {
    h->best = h->now;
    memcpy(h->w->best.data, h->r, h->bytes);
  }
  h->level = h->change * PetscMin(0.9, 1.2 * h->o->tolerance / h->now.judged);
  return h->now.judged <= h->o->tolerance;
}

static PetscBool time_to_check(const Hybrid *h)
{
  PetscInt k = h->out->sweeps;

  if (h->change == 0) return PETSC_TRUE;
  if (k == h->decide / 2 || k == h->decide || k % LOOK == 0) return PETSC_TRUE;
  if (k > PLAIN && k % PERIOD == 0) return PETSC_FALSE; /* is about to be mixed */
  return k == 1 || h->change <= h->level;
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static void sweep(Hybrid *h)
{
  PetscBool keep = h->out->sweeps >= PLAIN;

  memcpy(h->w->from.data, h->r, h->bytes);
  ConeSweep(h->s, h->r);
  h->out->sweeps++;
  h->change = ConeMixAdd(&h->w->mix, h->w->from.data, h->r, keep);
}

static void mix(Hybrid *h)
{
  if (h->out->sweeps <= PLAIN || h->out->sweeps % PERIOD) return;
  if (ConeMixApply(&h->w->mix, h->r)) ConeProjectAll(h->s, h->r);
}

/* Does the rate seen promise an end within the worth of WORTH Newton iterations, and has no more been spent
   on sweeps in vain? If so, the next decision is put off. Costs in ns of one sweep and of one Newton
   iteration by counts of blocks. */
static PetscBool sweeps_pay(Hybrid *h)
{
  const PetscInt  span = h->decide - h->decide / 2;
  const PetscReal nb = (PetscReal)h->s->row[h->s->n], nc = (PetscReal)h->s->n;
  const PetscReal sweep_cost = h->s->dim == 3 ? 2.7 * nb + 15 * nc : nb + 4 * nc;
  const PetscReal newton_cost = (h->s->dim == 3 ? 170 : 110) * nb;
  PetscReal       rate = log(h->now.judged / h->half) / (PetscReal)span, left, spent;

  left = rate < 0 ? log(h->o->tolerance / h->now.judged) / rate : PETSC_MAX_REAL;
  spent = (PetscReal)(h->out->sweeps - h->since); /* promises are not always kept */
  if (PetscMax(left, spent) * sweep_cost > WORTH * newton_cost) return PETSC_FALSE;
  h->decide += left < 100 ? 200 : 100;
  return PETSC_TRUE;
}

/* A sweep that changes nothing and is no solution: a contact that nothing moves is pressed. No other way helps, and
   a huge r would fool eps. */
static PetscBool stuck(const Hybrid *h)
{
  return h->out->sweeps && h->change == 0;
}

/* Sweeps until the end is reached (true), or another way is to be tried. */
static PetscBool sweep_on(Hybrid *h)
{
  while (h->out->sweeps < h->o->max_sweeps) {
    sweep(h);
    if (time_to_check(h)) {
      if (check(h)) return PETSC_TRUE;
      if (h->change == 0) return PETSC_FALSE;
      if (h->out->sweeps == h->decide / 2) h->half = h->now.judged;
      if (h->out->sweeps >= h->decide && !sweeps_pay(h)) return PETSC_FALSE;
    }
    mix(h);
  }
  return PETSC_FALSE;
}

/* ---- Newton -------------------------------------------------------------------------------- */

static PetscErrorCode attempt(Hybrid *h, PetscBool *done)
{
  const ConePlan plan = {h->attempts == 1 ? CONE_ALART_OLD : CONE_NATURAL, NEWTON_MOST, HALVINGS,
                         1e-9};
  ConeError      error, start = h->now;

  PetscFunctionBeginUser;
  memcpy(h->w->kept.data, h->r, h->bytes);
  PetscCall(
      ConeNewton(h->s, h->o, &h->w->newton, &plan, h->o->tolerance, h->r, &error, &h->out->newton));
  if (error.judged < h->best.judged) {
    h->best = error;
    memcpy(h->w->best.data, h->r, h->bytes);
  }
  *done = error.judged <= h->o->tolerance;
  if (*done) PetscFunctionReturn(PETSC_SUCCESS);
  memcpy(h->r, h->best.judged < 0.1 * start.judged ? h->w->best.data : h->w->kept.data, h->bytes);
  ConeMixForget(&h->w->mix);
  h->attempts++;
  h->since = h->out->sweeps;
  h->decide *= 3;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the proximal loop --------------------------------------------------------------------- */

/* W + alpha D with its own diagonal; D = I/rho_i, so that the new rho is rho/(1 + alpha). */
static void shift_system(const Hybrid *h, PetscReal alpha, ConeSystem *p)
{
  const PetscInt d = p->dim, d2 = d * d;

  for (PetscInt i = 0; i < p->n; i++) {
    PetscReal shift = h->s->diagonal[i * d2] > 0 ? alpha / h->s->rho[i] : 0;

    p->shift[i] = shift;
    memcpy(p->diagonal + i * d2, h->s->diagonal + i * d2, (size_t)d2 * sizeof shift);
    for (PetscInt a = 0; a < d; a++) {
      p->diagonal[i * d2 + a * (d + 1)] += shift;
      p->q[i * p->stride + a] =
          h->s->q[i * p->stride + a] - shift * h->w->center.data[i * p->stride + a];
    }
  }
  ConeInvertDiagonal(p);
}

static PetscErrorCode start_shifted(Hybrid *h, ConeSystem *p)
{
  const PetscInt n = h->s->n, d2 = h->s->dim * h->s->dim, size = n * h->s->stride;

  PetscFunctionBeginUser;
  *p = *h->s;
  PetscCall(ConeRealsFit(&h->w->diagonal, n * d2));
  PetscCall(ConeRealsFit(&h->w->inverse, n * d2));
  PetscCall(ConeRealsFit(&h->w->q, size));
  PetscCall(ConeRealsFit(&h->w->shift, n));
  PetscCall(ConeRealsFit(&h->w->center, size));
  p->diagonal = h->w->diagonal.data;
  p->inverse = h->w->inverse.data;
  p->rho = h->w->rho.data;
  p->q = h->w->q.data;
  p->shift = h->w->shift.data;
  memset(p->q, 0, (size_t)size * sizeof *p->q);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One proximal problem, by rounds of a few sweeps and Newton with changing equations. */
static PetscErrorCode solve_shifted(Hybrid *h, const ConeSystem *p, PetscBool *solved)
{
  ConePlan  plan = {CONE_NATURAL, NEWTON_MOST, HALVINGS, 1e-14};
  ConeError error = ConeMeasure(p, h->o, h->r, h->w->z.data, NULL);
  PetscReal goal = PetscMax(1e-2 * h->o->tolerance, 0.01 * error.judged);

  PetscFunctionBeginUser;
  for (PetscInt round = 0; round < 4 && error.judged > goal; round++) {
    for (PetscInt k = 0; k < 10; k++) ConeSweep(p, h->r);
    h->out->sweeps += 10;
    plan.map = round % 2 ? CONE_ALART_NEW : CONE_NATURAL;
    PetscCall(ConeNewton(p, h->o, &h->w->newton, &plan, goal, h->r, &error, &h->out->newton));
  }
  *solved = error.judged <= goal;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a step reached that was not solved is no closer, and steps from there undid those that were, for ever: it is
   forgotten while alpha can rise, and then alpha falls more slowly for a while. */
static PetscErrorCode proximal(Hybrid *h)
{
  ConeSystem p;
  PetscReal  alpha = 0.01, fall = LEAST_FALL;
  PetscBool  solved;

  PetscFunctionBeginUser;
  PetscCall(start_shifted(h, &p));
  memcpy(h->r, h->w->best.data, h->bytes);
  while (h->out->newton < h->o->max_newton && h->out->sweeps < h->o->max_sweeps) {
    memcpy(h->w->center.data, h->r, h->bytes);
    shift_system(h, alpha, &p);
    PetscCall(solve_shifted(h, &p, &solved));
    h->out->proximal++;
    if (check(h)) break;
    if (!solved && alpha < 1) memcpy(h->r, h->w->center.data, h->bytes);
    fall = solved ? PetscMax(pow(fall, 1.25), LEAST_FALL) : sqrt(fall);
    alpha = solved ? PetscMax(fall * alpha, 1e-8) : PetscMin(4 * alpha, 1);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all together -------------------------------------------------------------------------- */

static PetscErrorCode iterate(Hybrid *h)
{
  PetscBool done = PETSC_FALSE;

  PetscFunctionBeginUser;
  while (!done && h->attempts < ATTEMPTS) {
    done = sweep_on(h);
    if (done || stuck(h) || !h->s->row || h->out->sweeps >= h->o->max_sweeps) break;
    PetscCall(attempt(h, &done));
  }
  if (!done && !stuck(h) && h->out->sweeps < h->o->max_sweeps) PetscCall(proximal(h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                            ConeOutcome *out)
{
  const PetscInt size = s->n * s->stride;
  Hybrid         h = {.s = s, .o = o, .w = w, .r = r, .out = out};

  PetscFunctionBeginUser;
  h.bytes = (size_t)size * sizeof *r;
  h.decide = s->n <= 8 ? 12 : 45;
  h.best.judged = PETSC_INFINITY;
  PetscCall(ConeRealsFit(&w->best, size));
  PetscCall(ConeRealsFit(&w->from, size));
  PetscCall(ConeRealsFit(&w->kept, size));
  PetscCall(ConeMixStart(&w->mix, size));
  w->newton.nprevious = -1;
  if (!check(&h)) PetscCall(iterate(&h));
  if (h.now.judged > h.best.judged || h.best.judged <= o->tolerance)
    memcpy(r, w->best.data, h.bytes);
  out->error = h.best;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ConeSolver ConeHybrid = {
    "hybrid",
    "the default: Gauss-Seidel sweeps with Anderson mixing, then a semi-smooth Newton method, then a proximal iteration",
    PETSC_TRUE, solve};
