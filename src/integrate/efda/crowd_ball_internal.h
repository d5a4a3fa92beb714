/* Declarations that the source files of the engine for many balls share (crowd_ball.h). Bodies are sorted by the cells
   of a grid. Contacts are listed in the order in which Gauss-Seidel sweeps visit them. */
#pragma once

#include "base/lanes.h"
#include "integrate/efda/crowd.h"
#include "integrate/efda/crowd_ball.h"

/* A pair of bodies is listed if it can come into contact within this number of steps, although the list is used for one
   step. */
#define EFDA_BALL_REACH 5.0

/* A vector of three components. The fourth number is a scalar that is stored with the vector. */
typedef double EfdaFour __attribute__((vector_size(32)));

/* The numbers of a body that a sweep reads and writes. These numbers of one body fill one cache line. v contains the
   velocity in the middle of the step and, as its fourth number, the inverse mass. s contains radius times angular
   velocity and, as its fourth number, radius^2 divided by inertia. Walls are bodies with inverse mass 0. */
typedef struct {
  EfdaFour v, s;
} EfdaBall;

/* States of a contact: the bodies rest on each other, collide, or are only near each other. */
enum { EFDA_BALL_RESTING, EFDA_BALL_IMPACT, EFDA_BALL_NEAR };

typedef struct {
  /* unit normal from body j to body i; its fourth number is 1/W_N, the inverse of the normal entry of W = J M^-1 J^T */
  EfdaFour normal;
  /* half of the impulse of the step on body i; its fourth number is 1/W_T, the inverse of the tangential entry of W */
  EfdaFour impulse;
  /* target for the relative velocity in the middle of the step; its fourth number is the friction coefficient */
  EfdaFour    bias;
  double      gap;
  double      loss; /* energy that friction dissipates in the step */
  int         i, j; /* places of the bodies in the sorted order; walls come after the bodies */
  int         law;
  signed char state; /* EFDA_BALL_RESTING, EFDA_BALL_IMPACT or EFDA_BALL_NEAR */
  signed char wall;  /* CrWallKind if j is a wall, else -1 */
} EfdaBallContact;

/* The loops that take most of the computing time. These loops are compiled once per instruction set. The functions
   list, sweep and work are members of EfdaCrowdKernel too. */
typedef struct {
  /* Sorts the bodies of balls->step by cell. Lists every pair that may come into contact in a step of size h, with the
     impulse kept from the last step. Sets speed and deepest overlap of the crowd. */
  PetscErrorCode (*list)(EfdaCrowd *crowd, PetscReal h);
  PetscInt (*sweep)(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance);
  /* Computes the works as `work` of EfdaCrowdKernel says. It also stores the friction loss of each contact, and sums
     the work of moving walls. */
  PetscBool (*work)(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal);
  /* Recomputes gaps and normals of the listed contacts at the present positions. */
  void (*refresh)(EfdaBalls *balls, double h);
  /* Moves overlapping bodies apart, and closes the gaps of resting contacts. The function changes the positions
     balls->place. Walls do not move. */
  void (*push)(EfdaBalls *balls, double h);
} EfdaBallLoops;

/* crowd_ball_list.c */
PetscErrorCode CR_VARIANT(EfdaBallList)(EfdaCrowd *crowd, PetscReal h);
void           CR_VARIANT(EfdaBallRefresh)(EfdaBalls *balls, double h);

/* The grid of cells for the contact search. Cell numbers are periodic, so that a body outside of the grid is assigned
   to a cell too. */
typedef struct {
  PetscInt *cell;  /* [n] cell of each body */
  PetscInt *start; /* first place of each cell in the sorted order of bodies */
  PetscInt  room;  /* allocated length of start */
  /* coordinate directions, from the fastest to the slowest index of a cell; `count` and `origin` use this order */
  int      axis[3];
  PetscInt count[3]; /* cells per direction */
  double   origin[3], width;
} EfdaBallGrid;

/* Contact impulses of the last step, sorted by the body with the lower number. */
typedef struct {
  PetscInt  n, room, nreals; /* n: number of impulses; room: allocated length; nreals: 3 n */
  PetscInt *start;           /* [bodies + 1] first impulse of each body */
  /* number of the other body; for a wall: number of bodies + number of the wall */
  PetscInt *other;
  double   *impulse; /* [3 n] */
  double    h;
} EfdaBallKept;

/* The present step: the arguments of EfdaBallsStep, and sums. */
typedef struct {
  const double       *load;
  const EfdaBallWall *walls;
  double             *x, *v, *spin, *turn; /* [n][3] arguments of EfdaBallsStep; turn may be NULL */
  double              scale, normal, pushed;
  /* upper bound of the distances by which position corrections moved bodies since the list was made */
  double way;
} EfdaBallStep;

struct EfdaBalls {
  EfdaCrowd            crowd;
  EfdaCrowdKernel      kernel; /* functions of the engine, with the loops for this processor */
  const EfdaBallLoops *loops;  /* borrowed */
  /* bodies and contact laws; its arrays are borrowed, all members below are owned */
  EfdaBallsDef def;
  /* The arrays bodies, place, before and turn0 are in the sorted order of the grid; walls come after the bodies. */
  EfdaBall *bodies;
  EfdaFour *place; /* position; its fourth number is the radius */
  /* velocity at t_n; its fourth number is the sum of the radius and the distance up to which pairs are listed */
  EfdaFour *before;
  EfdaFour *turn0; /* radius times angular velocity at t_n */
  double   *way;   /* [n] displacement of the step relative to the mean motion of all bodies */
  /* [n] 1: the body moves farther than the neighbouring cells in the step */
  char            *is_fast;
  int             *touching; /* numbers of the closed contacts */
  PetscInt        *order;    /* [n] number of the body at each place of the sorted order */
  EfdaBallGrid     grid;
  PetscInt         ncontacts, contacts_room; /* contacts of the coming step */
  EfdaBallContact *contacts;
  double (*drift)[2]; /* [contacts_room] scratch for position corrections */
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

/* Returns the velocity of body i relative to body j at their contact point. */
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

/* Removes from the target velocity *bias its component along the friction force, if friction would do positive work.
   After the contact is solved, p.u_T <= 0, whether the contact sticks or slips. The fourth numbers do not change. */
CR_INLINE void four_only_take(EfdaFour normal, EfdaFour impulse, EfdaFour *bias)
{
  EfdaFour nu = four_three(normal), p = four_three(impulse);
  double   with, size;

  p = p - four_dot(p, nu) * nu;
  with = four_dot(p, *bias);
  size = four_dot(p, p);
  if (with > 0 && size > 0) *bias -= with / size * p;
}

/* Returns the gap between the bodies at the positions i and j, and computes the normal from j to i. The fourth numbers
   of i and j are the radii. `plane` is the normal of the wall if j is a plane. */
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
