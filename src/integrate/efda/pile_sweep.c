/* The inner loops of the pile. For round bodies the contact matrix is diagonal, W = diag(w_N, w_T,
   w_T), so that the exact local solve is two divisions and a cut to the friction disc. */
#include "integrate/efda/pile_internal.h"

/* Velocity of i past j where they touch. */
CR_INLINE CrFour slip(const CrPileBody *i, const CrPileBody *j, CrFour normal)
{
  return four_three(i->v - j->v - four_cross(i->s + j->s, normal));
}

/* The impulse for which u_m - bias and p obey the cone law, all others held; how far a velocity
   changed, squared. */
CR_INLINE double settle(CrPileContact *c, CrPileBody *bodies)
{
  CrPileBody *i = &bodies[c->i], *j = &bodies[c->j];
  CrFour      normal = four_three(c->normal), old = four_three(c->impulse), u, ut, pt, change, turn;
  double      un, pn, p1, limit, size;

  u = slip(i, j, normal) - four_three(c->bias);
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
  turn = four_cross(normal, change);
  c->impulse += change;
  i->v += change * i->v[3];
  j->v -= change * j->v[3];
  i->s -= turn * i->s[3];
  j->s -= turn * j->s[3];
  return four_dot(change, change) / (c->normal[3] * c->normal[3]);
}

static int sweep(CrPileContact *contacts, PetscInt n, CrPileBody *bodies, int most,
                 double tolerance)
{
  for (int sweep = 1; sweep <= most; sweep++) {
    double greatest = 0;

    for (PetscInt k = 0; k < n; k++) {
      double change = settle(&contacts[k], bodies);

      if (change > greatest) greatest = change;
    }
    if (greatest <= tolerance * tolerance) return sweep;
  }
  return most;
}

static void work(CrPileContact *contacts, PetscInt n, const CrPileBody *bodies, PetscInt nbodies,
                 double *friction, double *normal, double *walls)
{
  *friction = *normal = *walls = 0;
  for (PetscInt k = 0; k < n; k++) {
    CrPileContact *c = &contacts[k];
    CrFour         nu = four_three(c->normal), p = four_three(c->impulse), u;
    double         pn = four_dot(p, nu), un;

    c->loss = 0;
    if (!(pn > 0)) continue;
    u = slip(&bodies[c->i], &bodies[c->j], nu);
    un = four_dot(u, nu);
    c->loss = -2 * (four_dot(p, u) - pn * un);
    *normal += 2 * pn * un;
    *friction -= c->loss;
    if (c->j >= nbodies) *walls += 2 * four_dot(p, bodies[c->j].v);
  }
}

/* Gauss-Seidel on the gaps at the end, whose normals are taken once: overlaps are pushed out; gaps of
   resting contacts are closed as far as their force may act in half a step. */
static void push(const CrPileContact *contacts, PetscInt n, const CrPileBody *bodies, CrFour *place,
                 double h, int passes, double (*drift)[2])
{
  for (PetscInt k = 0; k < n; k++) {
    const CrPileContact *c = &contacts[k];
    CrFour               normal, way = place[c->i] - place[c->j];

    /* the gap along the normal of the list, good to second order in the turn of the normal */
    drift[k][0] =
        four_gap(place[c->i], place[c->j], c->normal, c->wall, &normal) - four_dot(way, c->normal);
    drift[k][1] = c->state == CR_PILE_RESTING ? h / 2 * four_dot(c->impulse, c->normal) : 0;
  }
  for (int pass = 0; pass < passes; pass++)
    for (PetscInt k = 0; k < n; k++) {
      const CrPileContact *c = &contacts[k];
      CrFour               nu = four_three(c->normal), push;
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

PetscErrorCode CR_VARIANT(CrPileList)(CrPile *, double, const double[3], const CrPileWall *,
                                      const double *, const double *, const double *);
void           CR_VARIANT(CrPileRefresh)(CrPile *, double, const double[3], const CrPileWall *);
extern const CrPileKernels CR_VARIANT(CrPileKernels);
const CrPileKernels CR_VARIANT(CrPileKernels) = {CR_VARIANT(CrPileList), CR_VARIANT(CrPileRefresh),
                                                 sweep, work, push};
