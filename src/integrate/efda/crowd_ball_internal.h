/* Inside the crowd of balls: bodies in the order of their cells, contacts in the order of the sweeps. */
#pragma once

#include "base/lanes.h"
#include "integrate/efda/crowd.h"
#include "integrate/efda/crowd_ball.h"

/* Steps of approach for which pairs are listed that will not meet in this one. */
#define EFDA_BALL_REACH 5.0

/* Three components and a fourth number that rides along. */
typedef double EfdaFour __attribute__((vector_size(32)));

/* What a sweep touches of a body, one cache line: velocity of the middle of the step with the inverse
   mass, radius times angular velocity with radius^2 over inertia. Walls are bodies without inverse
   mass. */
typedef struct {
  EfdaFour v, s;
} EfdaBall;

enum { EFDA_BALL_RESTING, EFDA_BALL_IMPACT, EFDA_BALL_NEAR };

typedef struct {
  EfdaFour    normal;  /* from j to i, and 1/W_N */
  EfdaFour    impulse; /* half of the impulse of the step on i, and 1/W_T */
  EfdaFour    bias;    /* u_m is judged against this; and mu */
  double      gap;
  double      loss; /* of friction in the step */
  int         i, j; /* places in the sorted order; walls come after the bodies */
  int         law;
  signed char state; /* as above */
  signed char wall;  /* CrWallKind of j, or -1 */
} EfdaBallContact;

/* The hot loops, compiled once per instruction set; the first three are those of EfdaCrowdKernel. */
typedef struct {
  /* Sorts the bodies of balls->step by cell and lists every pair that may press in a step of length h,
     with the impulse kept from the last step; sets speed and deepest overlap of the crowd. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* Notes the loss of each contact, and the work of walls, too. */
  PetscErrorCode (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal,
                         PetscBool *good);
  /* The same contacts with gaps and normals of the places as they are now, a little apart from those of the list. */
  void (*refresh)(EfdaBalls *balls, double h);
  /* Pushes overlapping bodies apart and resting ones together: `place` moves, walls stand. */
  void (*push)(EfdaBalls *balls, double h);
} EfdaBallLoops;

/* crowd_ball_list.c */
PetscErrorCode CR_VARIANT(EfdaBallList)(EfdaCrowd *crowd, PetscReal h);
void           CR_VARIANT(EfdaBallRefresh)(EfdaBalls *balls, double h);

/* Bodies by cells, which wrap around. */
typedef struct {
  PetscInt *cell;     /* [n] by body */
  PetscInt *start;    /* first sorted place of a cell */
  PetscInt  room;     /* of start */
  int       axis[3];  /* directions from the fastest to the slowest; the next two in this order */
  PetscInt  count[3]; /* cells per direction */
  double    origin[3], width;
} EfdaBallGrid;

/* Impulses of the last step, by the lesser body of the pair. */
typedef struct {
  PetscInt  n, room, nreals; /* nreals: 3 n */
  PetscInt *start;           /* [bodies + 1] */
  PetscInt *other;           /* the other body, or n + wall */
  double   *impulse;         /* [3 n] */
  double    h;
} EfdaBallKept;

/* The step that is being taken: what the caller gave, and sums. */
typedef struct {
  const double       *load;
  const EfdaBallWall *walls;
  double             *x, *v, *spin, *turn; /* turn may be NULL */
  double              scale, normal, walls_work, pushed;
  double              way; /* how far bodies may have been pushed since the list */
} EfdaBallStep;

struct EfdaBalls {
  EfdaCrowd            crowd;
  EfdaCrowdKernel      kernel; /* of the machine */
  const EfdaBallLoops *loops;  /* borrowed */
  EfdaBallsDef         def;    /* its arrays are borrowed; all below is owned */
  /* in the order of the cells; walls come after the bodies */
  EfdaBall        *bodies;
  EfdaFour        *place;    /* position and radius */
  EfdaFour        *before;   /* velocity at t_n; radius and how far pairs are listed */
  EfdaFour        *turn0;    /* radius times spin at t_n */
  double          *way;      /* [n] own motion of the step, beside that of all */
  char            *is_fast;  /* [n] outruns the cells around it */
  int             *touching; /* contacts that press */
  PetscInt        *order;    /* [n] sorted place -> body */
  EfdaBallGrid     grid;
  PetscInt         ncontacts, contacts_room; /* of the coming step */
  EfdaBallContact *contacts;
  double (*drift)[2]; /* [contacts_room] scratch of the pushes */
  EfdaBallKept  kept;
  EfdaBallWall *walls; /* at the end of the step */
  EfdaBallStep  step;
  CrTally       tally;
  PetscReal (*slides)[4]; /* [nslides] */
};

CR_INLINE double four_dot(EfdaFour a, EfdaFour b)
{
  EfdaFour c = a * b;

  return c[0] + c[1] + c[2];
}

CR_INLINE EfdaFour four_cross(EfdaFour a, EfdaFour b)
{
  EfdaFour a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3),
           b1 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
  EfdaFour a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3),
           b2 = __builtin_shufflevector(b, b, 1, 2, 0, 3);

  return a1 * b1 - a2 * b2;
}

/* Without the fourth. */
CR_INLINE EfdaFour four_three(EfdaFour a)
{
  return __builtin_shufflevector(a, (EfdaFour){0, 0, 0, 0}, 0, 1, 2, 4);
}

/* The bodies of a contact get the half impulse q, 0 in the fourth; normal: as of the contact. */
CR_INLINE void four_push(EfdaBall *i, EfdaBall *j, EfdaFour normal, EfdaFour q)
{
  EfdaFour turn = four_cross(normal, q);

  i->v += q * i->v[3];
  j->v -= q * j->v[3];
  i->s -= turn * i->s[3];
  j->s -= turn * j->s[3];
}

/* Of the slip u that friction is judged against, the part along which friction would push is dropped: so p.u_T <= 0 once
   the contact is solved, in stick and in slip. The fourth numbers stay. */
CR_INLINE void four_only_take(EfdaFour normal, EfdaFour impulse, EfdaFour *bias)
{
  EfdaFour nu = four_three(normal), p = four_three(impulse);
  double   with, size;

  p = p - four_dot(p, nu) * nu;
  with = four_dot(p, *bias);
  size = four_dot(p, p);
  if (with > 0 && size > 0) *bias -= with / size * p;
}

/* Gap and normal (from j to i, 0 in the fourth) of two places; plane: the normal of a wall. */
CR_INLINE double four_gap(EfdaFour i, EfdaFour j, EfdaFour plane, int wall, EfdaFour *normal)
{
  EfdaFour way = four_three(i - j);
  double   length;

  if (wall == CR_WALL_PLANE) {
    *normal = four_three(plane);
    return four_dot(way, plane) - i[3];
  }
  length = __builtin_sqrt(four_dot(way, way));
  *normal = length > 0 ? way / length : (EfdaFour){0, 1, 0, 0};
  if (wall != CR_WALL_INSIDE) return length - i[3] - j[3];
  *normal = -*normal;
  return j[3] - length - i[3];
}
