/* Inside the pile: bodies in the order of their cells, contacts in the order of the sweeps. */
#pragma once

#include "base/lanes.h"
#include "integrate/efda/pile.h"

/* Steps of approach for which pairs are listed that will not meet in this one. */
#define CR_PILE_REACH 5.0

/* Three components and a fourth number that rides along. */
typedef double CrFour __attribute__((vector_size(32)));

/* What a sweep touches of a body, one cache line: velocity of the middle of the step with the inverse
   mass, radius times angular velocity with radius^2 over inertia. Walls are bodies without inverse
   mass. */
typedef struct {
  CrFour v, s;
} CrPileBody;

enum { CR_PILE_RESTING, CR_PILE_IMPACT, CR_PILE_NEAR };

typedef struct {
  CrFour      normal;  /* from j to i, and 1/W_N */
  CrFour      impulse; /* half of the impulse of the step on i, and 1/W_T */
  CrFour      bias;    /* u_m is judged against this; and mu */
  double      gap;
  double      loss; /* of friction in the step */
  int         i, j; /* places in the sorted order; walls behind the bodies */
  int         law;
  signed char state; /* as above */
  signed char wall;  /* CrWallKind of j, or -1 */
} CrPileContact;

/* The hot loops, compiled once per instruction set. */
typedef struct {
  /* Sorts the bodies by cell and lists every pair that may press in a step of length h from this
     state, with the impulse kept from the last step; pile->deepest: the greatest overlap. */
  PetscErrorCode (*list)(CrPile *pile, double h, const double load[3], const CrPileWall *walls,
                         const double *x, const double *v, const double *spin);
  /* The same contacts with gaps and normals of the places as they are now, a little apart from those of the list. */
  void (*refresh)(CrPile *pile, double h, const double load[3], const CrPileWall *walls);
  /* Sweeps over all contacts until the greatest change of a velocity is below `tolerance`, at most
     `most` times; returns how many. */
  int (*sweep)(CrPileContact *contacts, PetscInt n, CrPileBody *bodies, int most, double tolerance);
  /* Contact work of the final velocities: the loss of each contact; sums of 2 p_T.u_T, 2 p_N u_N, and
     2 p.v of walls (bodies from nbodies on). */
  void (*work)(CrPileContact *contacts, PetscInt n, const CrPileBody *bodies, PetscInt nbodies,
               double *friction, double *normal, double *walls);
  /* Pushes overlapping bodies apart and resting ones together: `place` moves, walls stand. drift:
     [n][2] scratch. */
  void (*push)(const CrPileContact *contacts, PetscInt n, const CrPileBody *bodies, CrFour *place,
               double h, int passes, double (*drift)[2]);
} CrPileKernels;

struct CrPile {
  const CrPileKernels *kernels;  /* borrowed */
  CrPileDef            def;      /* arrays owned, as all below */
  double               greatest; /* radius */
  /* in the order of the cells; walls behind the bodies */
  CrPileBody *bodies;
  CrFour     *place;    /* position and radius */
  CrFour     *before;   /* velocity at t_n; radius and how far pairs are listed */
  CrFour     *turn0;    /* radius times spin at t_n */
  double     *way;      /* [n] own motion of the step, beside that of all */
  char       *is_fast;  /* [n] outruns the cells around it */
  int        *touching; /* contacts that press */
  PetscInt   *order;    /* [n] sorted place -> body */
  /* cells */
  PetscInt *cell;       /* [n] by body */
  PetscInt *start;      /* first sorted place of a cell */
  PetscInt  cells_room; /* of start */
  PetscInt  count[3];   /* cells per direction, wrapped around */
  int       axis[3];    /* directions from the fastest to the slowest */
  double    origin[3], width;
  /* contacts of the coming step */
  PetscInt       ncontacts, contacts_room;
  CrPileContact *contacts;
  double (*drift)[2]; /* [contacts_room] scratch of the pushes */
  /* impulses of the last step, by the lesser body of the pair */
  PetscInt  nkept, kept_room;
  PetscInt *kept_start; /* [n + 1] */
  PetscInt *kept_other; /* the other body, or n + wall */
  double (*kept)[3];
  double    kept_h;
  PetscInt  npacked; /* the same for a checkpoint */
  PetscInt *packed;
  /* what the contacts were listed for */
  PetscBool   listed;
  double      listed_h, listed_load[3], deepest, speed;
  double     *listed_state; /* [9 n] x, v, spin */
  CrPileWall *listed_walls;

  CrTally tally;
  PetscReal (*slides)[4]; /* [nslides] */
};

CR_INLINE double four_dot(CrFour a, CrFour b)
{
  CrFour c = a * b;

  return c[0] + c[1] + c[2];
}

CR_INLINE CrFour four_cross(CrFour a, CrFour b)
{
  CrFour a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3),
         b1 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
  CrFour a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3),
         b2 = __builtin_shufflevector(b, b, 1, 2, 0, 3);

  return a1 * b1 - a2 * b2;
}

/* Without the fourth. */
CR_INLINE CrFour four_three(CrFour a)
{
  return __builtin_shufflevector(a, (CrFour){0, 0, 0, 0}, 0, 1, 2, 4);
}

/* Of the slip u that friction is judged against, the part along which friction would push is dropped: so p.u_T <= 0 once
   the contact is solved, in stick and in slip. The fourth numbers stay. */
CR_INLINE void four_only_take(CrFour normal, CrFour impulse, CrFour *bias)
{
  CrFour nu = four_three(normal), p = four_three(impulse);
  double with, size;

  p = p - four_dot(p, nu) * nu;
  with = four_dot(p, *bias);
  size = four_dot(p, p);
  if (with > 0 && size > 0) *bias -= with / size * p;
}

/* Gap and normal (from j to i, 0 in the fourth) of two places; plane: the normal of a wall. */
CR_INLINE double four_gap(CrFour i, CrFour j, CrFour plane, int wall, CrFour *normal)
{
  CrFour way = four_three(i - j);
  double length;

  if (wall == CR_WALL_PLANE) {
    *normal = four_three(plane);
    return four_dot(way, plane) - i[3];
  }
  length = __builtin_sqrt(four_dot(way, way));
  *normal = length > 0 ? way / length : (CrFour){0, 1, 0, 0};
  if (wall != CR_WALL_INSIDE) return length - i[3] - j[3];
  *normal = -*normal;
  return j[3] - length - i[3];
}
