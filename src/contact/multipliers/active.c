/* Computes the normal multipliers of pairs with constant friction forces (theory 19.9), by conjugate gradients over the
   pairs that are pressed or penetrate. A multiplier that would become negative becomes zero, and its pair leaves the
   active set. The method needs few iterations even if the normals of some pairs are nearly parallel. Gauss-Seidel
   sweeps would need thousands. */
#include "contact/multipliers/close.h"

#define MOST 400 /* iterations */

/* next[0]: direction, next[1]: residual, next[2]: 1 if active, next[3]: closing rate. */
enum { ALONG, RESIDUAL, ACTIVE, RATE };

static inline PetscReal rate_of(PetscInt dim, const CrPress *p, const PetscReal *v)
{
  PetscReal w[3] = {0};

  CrPressVelocity(dim, p, v, w);
  return CrPressClosing(dim, p, w);
}

/* Changes velocities by the whole of the directions. */
static inline void probe(PetscInt dim, PetscReal kick, const CrPressList *list, PetscReal *v)
{
  CR_EACH_PRESS (p, list)
    if (p->next[ALONG] != 0) CrPressPush(dim, p, kick * p->next[ALONG], p->nu, v);
}

/* Changes multipliers by `part` of the directions. Velocities were changed by the whole of them. */
static inline void step_along(PetscInt dim, PetscReal kick, const CrPressList *list, PetscReal part,
                              PetscReal *v)
{
  CR_EACH_PRESS (p, list) {
    if (p->next[ALONG] == 0) continue;
    p->lam[0] = PetscMax(0, p->lam[0] + part * p->next[ALONG]);
    CrPressPush(dim, p, kick * (part - 1) * p->next[ALONG], p->nu, v);
  }
}

/* Closing rates at v. */
static inline void evaluate(PetscInt dim, const CrPressList *list, const PetscReal *v)
{
  CR_EACH_PRESS (p, list) p->next[RATE] = rate_of(dim, p, v);
}

/* Residuals, and the active set. Returns the greatest residual. */
static PetscReal look(const CrPressList *list, PetscReal least, PetscBool first)
{
  PetscReal most = 0;

  CR_EACH_PRESS (p, list) {
    p->next[RESIDUAL] = p->next[RATE] - p->bound;
    if (first || p->next[RESIDUAL] > least)
      p->next[ACTIVE] = p->lam[0] > 0 || p->next[RESIDUAL] > least;
    if (p->next[ACTIVE] > 0) most = PetscMax(most, PetscAbsReal(p->next[RESIDUAL]));
  }
  return most;
}

/* The product of residuals, scaled by the diagonal. */
static PetscReal square(const CrPressList *list)
{
  PetscReal sum = 0;

  CR_EACH_PRESS (p, list)
    if (p->next[ACTIVE] > 0) sum += PetscSqr(p->next[RESIDUAL]) / p->diagonal;
  return sum;
}

/* The curvature along the direction, after v was changed by the whole of it. */
static inline PetscReal curvature(PetscInt dim, const CrPressList *list, const PetscReal *v)
{
  PetscReal sum = 0;

  CR_EACH_PRESS (p, list)
    if (p->next[ALONG] != 0) sum += p->next[ALONG] * (p->next[RATE] - rate_of(dim, p, v));
  return sum;
}

/* The greatest part of the direction that leaves no multiplier negative. */
static PetscReal longest(const CrPressList *list)
{
  PetscReal most = PETSC_MAX_REAL;

  CR_EACH_PRESS (p, list)
    if (p->next[ALONG] < 0) most = PetscMin(most, p->lam[0] / -p->next[ALONG]);
  return most;
}

/* Sets directions; past: the part of the last one that is kept. */
static void turn(PetscReal kick, const CrPressList *list, PetscReal past)
{
  CR_EACH_PRESS (p, list) {
    PetscReal before = past > 0 ? past * p->next[ALONG] : 0;

    p->next[ALONG] = p->next[ACTIVE] > 0 ? before + p->next[RESIDUAL] / (kick * p->diagonal) : 0;
  }
}

/* Pairs at zero whose multipliers would become negative leave the active set. */
static void release(const CrPressList *list)
{
  CR_EACH_PRESS (p, list)
    if (p->lam[0] == 0 && p->next[RESIDUAL] < 0) p->next[ACTIVE] = p->next[ALONG] = 0;
}

static inline PetscInt iterate(PetscInt dim, PetscReal kick, PetscInt most_iterations,
                               PetscReal tolerance, const CrPressList *list, PetscReal *v)
{
  PetscBool first = PETSC_TRUE;
  PetscReal last = 0;
  PetscInt  j;

  for (j = 0; j < PetscMin(MOST, most_iterations); j++) {
    PetscReal now, bend, part, most;

    evaluate(dim, list, v);
    if (look(list, tolerance, first) <= tolerance) break;
    release(list);
    now = square(list);
    turn(kick, list, first ? 0 : now / last);
    last = now;
    probe(dim, kick, list, v);
    bend = curvature(dim, list, v);
    most = longest(list);
    part = bend > 0 && now > 0 ? now / (kick * bend) : 0;
    step_along(dim, kick, list, PetscMin(part, most), v);
    if (part == 0) break;
    first = most < part;
  }
  return j;
}

PetscInt CrPressActive(PetscInt dim, PetscReal kick, PetscInt most, PetscReal tolerance,
                       const CrPressList *list, PetscReal *v)
{
  return dim == 2 ? iterate(2, kick, most, tolerance, list, v)
                  : iterate(3, kick, most, tolerance, list, v);
}
