/* Finds the lowest point of a straight edge above a quadrilateral facet (lowest.h). */
#include "contact/geometry/lowest.h"
#include "base/vector.h"
#include "contact/geometry/kinematics.h"

#define PARTS  8     /* of the part of an edge over a quad; each is searched for a minimum */
#define MOST   60    /* iterations */
#define NEARBY 1e-13 /* of the edge: accuracy of the position; the gap depends on its square */

typedef struct {
  const PetscReal *p;
  PetscReal        e[3], *x; /* the edge vector, and the point with the corners */
} Over;

/* The slope of the gap along the edge. *outside is zero over the quad. */
static PetscReal slope_at(const Over *over, PetscReal share, CrLowest *at, PetscReal *outside)
{
  CrProximity near;

  v_copy(over->p, over->x);
  v_add(over->x, share, over->e);
  CrFacetProximity(3, 4, over->x, &near);
  at->share = share;
  at->gap = near.gap;
  v_copy(near.nu, at->nu);
  *outside = near.outside;
  return v_dot(near.nu, over->e);
}

/* Restricts the shares to the part of the edge between the planes through the sides of the quad, along its mean normal.
   Returns false if nothing is left. */
static PetscBool clip(const Over *over, PetscReal *from, PetscReal *to)
{
  const PetscReal *x = over->x + 3;
  PetscReal        a[3], b[3], n[3];

  v_less(x + 6, x, a);
  v_less(x + 9, x + 3, b);
  v_cross(a, b, n);
  for (int k = 0; k < 4; k++) {
    PetscReal side[3], out[3], way[3], rate, start;

    v_less(x + 3 * ((k + 1) % 4), x + 3 * k, side);
    v_cross(side, n, out);
    v_less(over->p, x + 3 * k, way);
    start = v_dot(way, out);
    rate = v_dot(over->e, out);
    if (rate > 0)
      *to = PetscMin(*to, -start / rate);
    else if (rate < 0)
      *from = PetscMax(*from, -start / rate);
    else if (start > 0)
      return PETSC_FALSE;
  }
  return *from < *to;
}

/* The zero of the slope between two shares at which it is negative and positive, by the Illinois method. */
static PetscReal refine(const Over *over, PetscReal a, PetscReal fa, PetscReal b, PetscReal fb,
                        CrLowest *at)
{
  PetscReal outside = 0;

  for (int k = 0; k < MOST; k++) {
    const PetscReal s = PetscMin(b, PetscMax(a, a - fa * (b - a) / (fb - fa)));
    const PetscReal f = slope_at(over, s, at, &outside);

    if (f == 0 || b - a < NEARBY) break;
    if (f < 0) {
      if (s - a < NEARBY && k) break;
      a = s;
      fa = f;
      fb /= 2;
    } else {
      if (b - s < NEARBY && k) break;
      b = s;
      fb = f;
      fa /= 2;
    }
  }
  return outside;
}

/* Is the edge between two shares above all of the quad, by more than `above`? Heights are measured along the mean normal,
   from the mean of the corners. */
static PetscBool is_high(const Over *over, PetscReal from, PetscReal to, PetscReal above)
{
  const PetscReal *x = over->x + 3;
  PetscReal        a[3], b[3], n[3], centre[3] = {0}, way[3], highest, height, rise;

  v_less(x + 6, x, a);
  v_less(x + 9, x + 3, b);
  v_cross(a, b, n);
  (void)v_unit(n);
  for (int k = 0; k < 4; k++) v_add(centre, 0.25, x + 3 * k);
  v_less(x, centre, way); /* the other corners are as far above and below */
  highest = PetscAbsReal(v_dot(way, n));
  v_less(over->p, centre, way);
  height = v_dot(way, n);
  rise = v_dot(over->e, n);
  return PetscMin(height + from * rise, height + to * rise) > highest + above;
}

PetscBool CrEdgeLowest(const PetscReal p[3], const PetscReal q[3], PetscReal x[15], PetscReal above,
                       CrLowest *lowest)
{
  Over      over = {.p = p, .x = x};
  PetscReal from = 0, to = 1, last = 0, last_outside = 1;
  PetscBool found = PETSC_FALSE;

  v_less(q, p, over.e);
  if (!clip(&over, &from, &to) || is_high(&over, from, to, above)) return PETSC_FALSE;
  for (int k = 0; k <= PARTS; k++) {
    const PetscReal s = from + (to - from) * k / PARTS;
    PetscReal       outside, f;
    CrLowest        at;

    f = slope_at(&over, s, &at, &outside);
    if (k > 0 && last < 0 && f >= 0 && PetscMin(outside, last_outside) == 0 &&
        refine(&over, s - (to - from) / PARTS, last, s, f, &at) == 0 &&
        (!found || at.gap < lowest->gap)) {
      *lowest = at;
      found = PETSC_TRUE;
    }
    last = f;
    last_outside = outside;
  }
  return found;
}
