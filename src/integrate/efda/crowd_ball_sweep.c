/* The inner loops of the engine for many balls. For round bodies the contact matrix is diagonal, W = diag(w_N, w_T,
   w_T). So the exact solution of one contact needs two divisions and a projection on the friction disc. */
#include "integrate/efda/crowd_ball_internal.h"

/* Solves one contact: u_m - bias and the impulse obey Coulomb's law, with all other impulses constant. Returns the
   squared change of velocity. */
CR_INLINE double settle(EfdaBallContact *c, EfdaBall *bodies)
{
  EfdaBall *i = &bodies[c->i], *j = &bodies[c->j];
  EfdaFour  normal = four_three(c->normal), old = four_three(c->impulse), u, ut, pt, change;
  double    un, pn, p1, limit, size;

  u = four_slip(i, j, normal) - four_three(c->bias);
  un = four_dot(u, normal);
  pn = four_dot(old, normal);
  p1 = pn - un * c->normal[3];
  if (!(p1 > 0)) {
    if (pn == 0) return 0;
    p1 = 0;
  }
  ut = u - un * normal;
  pt = old - pn * normal - ut * c->impulse[3];
  limit = c->bias[3] * p1;
  size = four_dot(pt, pt);
  if (size > limit * limit) pt *= limit / __builtin_sqrt(size);
  change = p1 * normal + pt - old;
  c->impulse += change;
  four_push(i, j, normal, change);
  return four_dot(change, change) / (c->normal[3] * c->normal[3]);
}

static PetscInt sweep(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance)
{
  const EfdaBalls *p = crowd->data;
  EfdaBallContact *contacts = p->contacts;
  EfdaBall        *bodies = p->bodies;
  PetscInt         n = p->ncontacts;

  for (PetscInt sweep = 1; sweep <= most; sweep++) {
    double greatest = 0;

    for (PetscInt k = 0; k < n; k++) {
      double change = settle(&contacts[k], bodies);

      if (change > greatest) greatest = change;
    }
    if (greatest <= tolerance * tolerance) return sweep;
  }
  return most;
}

static PetscBool work(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal)
{
  EfdaBalls *p = crowd->data;

  (void)h;
  *friction = *normal = p->work.external_work = 0;
  EFDA_EACH_BALL_CONTACT (c, p) {
    EfdaFour nu = four_three(c->normal), q = four_three(c->impulse), u;
    double   pn = four_dot(q, nu), un;

    c->loss = 0;
    if (!(pn > 0)) continue;
    u = four_slip(&p->bodies[c->i], &p->bodies[c->j], nu);
    un = four_dot(u, nu);
    c->loss = -2 * (four_dot(q, u) - pn * un);
    *normal += 2 * pn * un;
    *friction -= c->loss;
    if (c->j >= p->def.n) p->work.external_work += 2 * four_dot(q, p->bodies[c->j].v);
  }
  p->step.normal = *normal;
  return PETSC_TRUE;
}

/* Corrects positions by Gauss-Seidel on the gaps at the end, with constant normals. Overlapping bodies are pushed
   apart. Gaps of resting contacts are closed, as far as their force could do it in half a step. */
static void push(EfdaBalls *p, double h)
{
  const EfdaBallContact *contacts = p->contacts;
  const EfdaBall        *bodies = p->bodies;
  EfdaFour              *place = p->place;
  double(*drift)[2] = p->drift;
  PetscInt n = p->ncontacts;

  for (PetscInt k = 0; k < n; k++) {
    const EfdaBallContact *c = &contacts[k];
    EfdaFour               normal, way = place[c->i] - place[c->j];

    /* the gap along the normal of the list is exact to second order in the rotation of the normal */
    drift[k][0] =
        four_gap(place[c->i], place[c->j], c->normal, c->wall, &normal) - four_dot(way, c->normal);
    drift[k][1] = c->state == EFDA_BALL_RESTING ? h / 2 * four_dot(c->impulse, c->normal) : 0;
  }
  for (PetscInt pass = 0; pass < p->def.pushes; pass++)
    for (PetscInt k = 0; k < n; k++) {
      const EfdaBallContact *c = &contacts[k];
      EfdaFour               nu = four_three(c->normal), push;
      double gap = drift[k][0] + four_dot(place[c->i] - place[c->j], nu), most = drift[k][1], size;

      if (gap >= 0 && !(most > 0)) continue;
      size = -gap * c->normal[3];
      if (size < -most) size = -most;
      if (gap > 0) drift[k][1] += size;
      push = size * nu;
      place[c->i] += push * bodies[c->i].v[3];
      place[c->j] -= push * bodies[c->j].v[3];
    }
}

extern const EfdaBallLoops CR_VARIANT(EfdaBallLoops);
const EfdaBallLoops        CR_VARIANT(EfdaBallLoops) = {CR_VARIANT(EfdaBallList), sweep, work,
                                                        CR_VARIANT(EfdaBallRefresh), push};
