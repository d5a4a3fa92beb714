/* Declarations that the source files for many balls share (crowd_ball.h). Bodies are sorted by the cells of a grid.
   Contacts are listed in the order of the Gauss-Seidel sweeps. */
#pragma once

#include "base/lanes.h"
#include "integrate/efda/crowd.h"
#include "integrate/efda/crowd_ball.h"

/* Pairs are listed if they can come into contact within this many steps, although the list is for one step. */
#define EFDA_BALL_REACH 5.0

/* A vector of three components, and a fourth number that is stored with it. */
typedef double EfdaFour __attribute__((vector_size(32)));

/* The numbers of a body that a sweep reads and writes; they fit one cache line. v: velocity in the middle of the step,
   and inverse mass. s: radius times angular velocity, and radius^2 divided by inertia. Walls are bodies with inverse
   mass 0. */
typedef struct {
  EfdaFour v, s;
} EfdaBall;

/* States of a contact: the bodies rest on each other, collide, or are only near each other. */
enum { EFDA_BALL_RESTING, EFDA_BALL_IMPACT, EFDA_BALL_NEAR };

typedef struct {
  EfdaFour normal;  /* unit normal from j to i; its fourth number is 1/W_N */
  EfdaFour impulse; /* half of the impulse of the step on i; its fourth number is 1/W_T */
  /* target for the relative velocity in the middle of the step; its fourth number is mu */
  EfdaFour    bias;
  double      gap;
  double      loss; /* friction loss in the step */
  int         i, j; /* places of the bodies in the sorted order; walls come after the bodies */
  int         law;
  signed char state; /* one of the states above */
  signed char wall;  /* CrWallKind of j, or -1 */
} EfdaBallContact;

/* The loops that take most of the time, compiled once per instruction set. The first three belong to
   EfdaCrowdKernel. */
typedef struct {
  /* Sorts the bodies of balls->step by cell. Lists every pair that may come into contact in a step of size h, with the
     impulse kept from the last step. Sets speed and deepest overlap of the crowd. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* Does the task of `work` in EfdaCrowdKernel. It also stores the friction loss of each contact, and sums the work of
     moving walls. */
  PetscBool (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal);
  /* Computes gaps and normals of the listed contacts again, at the present positions. */
  void (*refresh)(EfdaBalls *balls, double h);
  /* Pushes overlapping bodies apart and closes the gaps of resting contacts. Changes `place`; walls do not move. */
  void (*push)(EfdaBalls *balls, double h);
} EfdaBallLoops;

/* crowd_ball_list.c */
PetscErrorCode CR_VARIANT(EfdaBallList)(EfdaCrowd *crowd, PetscReal h);
void           CR_VARIANT(EfdaBallRefresh)(EfdaBalls *balls, double h);

/* The grid of cells. The grid is periodic: a body outside of the grid is assigned to a cell of the grid too. */
typedef struct {
  PetscInt *cell;  /* [n] by body */
  PetscInt *start; /* first sorted place of a cell */
  PetscInt  room;  /* allocated length of start */
  /* coordinate directions from the fastest to the slowest index; `count` and `origin` use this order */
  int      axis[3];
  PetscInt count[3]; /* cells per direction */
  double   origin[3], width;
} EfdaBallGrid;

/* Impulses of the last step, sorted by the body with the lower number. */
typedef struct {
  PetscInt  n, room, nreals; /* nreals: 3 n */
  PetscInt *start;           /* [bodies + 1] */
  PetscInt *other;           /* the other body, or n + wall */
  double   *impulse;         /* [3 n] */
  double    h;
} EfdaBallKept;

/* The present step: the caller's arguments, and sums. */
typedef struct {
  const double       *load;
  const EfdaBallWall *walls;
  double             *x, *v, *spin, *turn; /* turn may be NULL */
  double              scale, normal, pushed;
  double              way; /* upper bound of how far bodies were pushed since the list was made */
} EfdaBallStep;

struct EfdaBalls {
  EfdaCrowd            crowd;
  EfdaCrowdKernel      kernel; /* kernel with the loops for this processor */
  const EfdaBallLoops *loops;  /* borrowed */
  EfdaBallsDef         def;    /* its arrays are borrowed; all members below are owned */
  /* Arrays in the order of the cells; walls come after the bodies. */
  EfdaBall *bodies;
  EfdaFour *place; /* position and radius */
  /* velocity at t_n; its fourth number is the sum of the radius and the distance up to which pairs are listed */
  EfdaFour        *before;
  EfdaFour        *turn0; /* radius times angular velocity at t_n */
  double          *way; /* [n] displacement of the step relative to the mean motion of all bodies */
  char            *is_fast;  /* [n] the body moves beyond the cells around it */
  int             *touching; /* numbers of the closed contacts */
  PetscInt        *order;    /* [n] body at each sorted place */
  EfdaBallGrid     grid;
  PetscInt         ncontacts, contacts_room; /* contacts of the coming step */
  EfdaBallContact *contacts;
  double (*drift)[2]; /* [contacts_room] scratch for the pushes */
  EfdaBallKept  kept;
  EfdaBallWall *walls; /* walls at the end of the step */
  EfdaBallStep  step;
  EfdaWork      work;
};

/* Loop over the contacts of the coming step. */
#define EFDA_EACH_BALL_CONTACT(c, balls)                                                           \
  for (EfdaBallContact *c = (balls)->contacts; c < (balls)->contacts + (balls)->ncontacts; c++)

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

/* Returns the vector, with 0 as its fourth number. */
CR_INLINE EfdaFour four_three(EfdaFour a)
{
  return __builtin_shufflevector(a, (EfdaFour){0, 0, 0, 0}, 0, 1, 2, 4);
}

/* Returns the velocity of i relative to j where they touch. */
CR_INLINE EfdaFour four_slip(const EfdaBall *i, const EfdaBall *j, EfdaFour normal)
{
  return four_three(i->v - j->v - four_cross(i->s + j->s, normal));
}

/* Applies the half impulse q to the bodies of a contact. The fourth numbers of q and normal must be 0. */
CR_INLINE void four_push(EfdaBall *i, EfdaBall *j, EfdaFour normal, EfdaFour q)
{
  EfdaFour turn = four_cross(normal, q);

  i->v += q * i->v[3];
  j->v -= q * j->v[3];
  i->s -= turn * i->s[3];
  j->s -= turn * j->s[3];
}

/* Removes the component along the friction force from the prescribed tangential velocity (bias). Then friction does no
   positive work (p.u_T <= 0) once the contact is solved, whether it sticks or slips. The fourth numbers do not
   change. */
CR_INLINE void four_only_take(EfdaFour normal, EfdaFour impulse, EfdaFour *bias)
{
  EfdaFour nu = four_three(normal), p = four_three(impulse);
  double   with, size;

  p = p - four_dot(p, nu) * nu;
  with = four_dot(p, *bias);
  size = four_dot(p, p);
  if (with > 0 && size > 0) *bias -= with / size * p;
}

/* Computes the gap and normal (from j to i) at two positions. `plane` is the normal of the wall if j is a plane. */
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
