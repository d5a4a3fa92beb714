/* One pressed contact of an explicit step, and the iteration on its multipliers. In this folder, "pair" means one slave
   in contact with its master, not a pair of the deck. */
#pragma once

#include "base/vector.h"
#include "contact/multipliers/multipliers.h"

/* A rigid body of finite mass in the iteration. The iteration changes only v, pi and spin. The other members are values
   at t_n. */
typedef struct {
  /* velocity of the centre, angular momentum, angular velocity, in space */
  PetscReal v[3], pi[3], spin[3];
  /* inverse of the mass; inverse of the inertia tensor in space; the largest eigenvalue of this inverse */
  PetscReal inverse_mass, inverse[9], greatest;
  /* number of pairs on the body; sum of the lengths of their arms; zero between uses */
  PetscReal count, arms;
} CrPressBody;

#define CR_PRESS_NODES 6 /* greatest number of nodes of a pair: two of an edge, four of a facet */

typedef struct {
  /* The first members are close together in memory, because every sweep reads them. */
  PetscInt n;                     /* number of nodes of the pair */
  PetscInt nodes[CR_PRESS_NODES]; /* local node numbers */
  unsigned held;                  /* bit 3 a + i: dof i of node a is prescribed */
  /* true: the iteration changes the friction force only if the force exceeds the Coulomb limit */
  PetscBool frozen;
  PetscBool plain;             /* both sides have nodes, and no dof is prescribed */
  PetscReal W[CR_PRESS_NODES]; /* weights of the nodes in the relative velocity: 1, -N_a */
  /* W divided by the mass of the node; 0 if all dofs of the node are prescribed */
  PetscReal flow[CR_PRESS_NODES];
  PetscReal nu[3], mu, bound; /* normal, friction coefficient, greatest closing rate allowed */
  PetscReal diagonal;         /* diagonal entry of the iteration matrix, for this pair */
  PetscReal lam[4];           /* multipliers: normal force; friction force, a vector in space */
  PetscReal next[4];          /* iterate of the inner solver */
  /* Sweeps do not need the other members in every iteration. */
  PetscReal    previous[4]; /* iterate before `next` */
  PetscReal    wall[3];     /* velocity of the obstacle; zero without obstacle */
  CrPressBody *body;        /* rigid body of finite mass; NULL: none; borrowed */
  /* side: 1 if the rigid body is the slave, -1 if it is the master. arm: vector from the body's centre at t_n to the
     contact. */
  PetscReal side, arm[3];
  PetscInt  pass, point, facet;
  /* gap0: gap at t_n. shift (>= 0): part of the initial penetration that the option `overlap: resolve` has not removed
     yet. offset (<= 0): penetration that existed when contact began later in the run, and that is not removed. */
  PetscReal gap0, shift, offset;
  /* part of the initial penetration that is removed in this step, >= 0 */
  PetscReal pushed;
  PetscReal gap1;        /* gap at the end of the step */
  PetscReal loss;        /* friction loss of the step */
  PetscReal drive;       /* work of a moving obstacle in the step */
  PetscReal slide[3];    /* slip velocity after the step */
  PetscReal store, most; /* energies of the point, as in CrPointMemory */
  PetscBool returned;    /* the pair separates, and its force returns stored energy */
  /* True for an additional pair of a slave in a valley, on the facet beyond the concave edge. In the list of pairs, the
     slave's first pair comes before this one. */
  PetscBool second;
  PetscBool fresh;  /* as in CrFound (press.h) */
  PetscBool beyond; /* the slave stays on its facet beyond a concave edge of this facet (close.c) */
  PetscInt  entry;  /* index of the slave in the near list of its pass */
  PetscReal share;  /* edges on facets: coordinate of the contact on the edge, 0 to 1 */
  /* edges on facets, while the contact moves along the edge: the coordinate before, and the distance from there to the
     lowest point; both zero: none */
  PetscReal share0, ahead0;
  /* edges on facets: the contact is at least so far from both ends of the edge */
  PetscReal below, above;
} CrPress;

/* The pairs that one iteration works on. */
typedef struct {
  CrPress        *pairs; /* borrowed, like index */
  PetscInt        n;
  const PetscInt *index; /* [n] numbers of the pairs, ascending; NULL: all pairs */
} CrPressList;

/* Returns the k-th pair of a list. */
static inline CrPress *CrPressAt(const CrPressList *list, PetscInt k)
{
  return list->pairs + (list->index ? list->index[k] : k);
}

/* A loop over the pairs p of a list. */
#define CR_EACH_PRESS(p, list)                                                                     \
  for (PetscInt k_##p = 0; k_##p < (list)->n; k_##p++)                                             \
    for (CrPress *p = CrPressAt(list, k_##p); p; p = NULL)

/* Adds to w the relative velocity sum W_a v_a of the n nodes of a pair. The compiler unrolls the loops if dim and n are
   constants. */
static inline void CrPressAddVelocity(PetscInt dim, PetscInt n, const CrPress *p,
                                      const PetscReal *v, PetscReal w[3])
{
  for (PetscInt a = 0; a < n; a++) {
    const PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) w[i] += p->W[a] * at[i];
  }
}

/* Adds to the velocities v_a of the n nodes of a pair the changes flow_a * force. `force` is a force times the time
   over which it acts. */
static inline void CrPressAddForce(PetscInt dim, PetscInt n, const CrPress *p,
                                   const PetscReal force[3], PetscReal *v)
{
  for (PetscInt a = 0; a < n; a++) {
    PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) at[i] += p->flow[a] * force[i];
  }
}

/* Returns true if p is a pair of a node and a quadrilateral, the most common kind of pair. This kind has separate,
   faster code. */
static inline PetscBool CrPressIsCommon(PetscInt dim, const CrPress *p)
{
  return dim == 3 && p->plain && p->n == 5;
}

/* Computes the velocity w of the slave relative to the master. v are the velocities of the nodes. */
static inline void CrPressVelocity(PetscInt dim, const CrPress *p, const PetscReal *v,
                                   PetscReal w[3])
{
  for (PetscInt i = 0; i < dim; i++) w[i] = 0;
  if (CrPressIsCommon(dim, p)) {
    CrPressAddVelocity(3, 5, p, v, w);
    return;
  }
  for (PetscInt i = 0; i < dim; i++) w[i] = -p->wall[i];
  CrPressAddVelocity(dim, p->n, p, v, w);
  if (p->body) {
    PetscReal turned[3];

    v_cross(p->body->spin, p->arm, turned);
    for (PetscInt i = 0; i < dim; i++) w[i] += p->side * (p->body->v[i] + turned[i]);
  }
}

/* Changes the velocities v by an impulse on a pair with prescribed dofs. Prescribed dofs keep their velocity. */
static inline void CrPressPushHeld(PetscInt dim, const CrPress *p, const PetscReal impulse[3],
                                   PetscReal *v)
{
  for (PetscInt a = 0; a < p->n; a++)
    for (PetscInt i = 0; i < dim; i++)
      if (!(p->held >> (3 * a + i) & 1)) v[dim * p->nodes[a] + i] += p->flow[a] * impulse[i];
}

/* Changes the velocities by the impulse kick * force on the slave, and the opposite impulse on the master: v += M^-1
   W^T (kick * force). */
static inline void CrPressPush(PetscInt dim, const CrPress *p, PetscReal kick,
                               const PetscReal force[3], PetscReal *v)
{
  PetscReal impulse[3] = {kick * force[0], kick * force[1], kick * force[2]}, torque[3];

  if (CrPressIsCommon(dim, p)) {
    CrPressAddForce(3, 5, p, impulse, v);
    return;
  }
  if (p->held)
    CrPressPushHeld(dim, p, impulse, v);
  else
    CrPressAddForce(dim, p->n, p, impulse, v);
  if (p->body) {
    v_add(p->body->v, p->side * p->body->inverse_mass, impulse);
    v_cross(p->arm, impulse, torque);
    v_add(p->body->pi, p->side, torque);
    m_times(p->body->inverse, p->body->pi, p->body->spin);
  }
}

/* Returns the closing rate r_N = -nu . w of the relative velocity w, and removes the normal part from w. */
static inline PetscReal CrPressClosing(PetscInt dim, const CrPress *p, PetscReal w[3])
{
  PetscReal closing = 0;

  for (PetscInt i = 0; i < dim; i++) closing -= p->nu[i] * w[i];
  for (PetscInt i = 0; i < dim; i++) w[i] += closing * p->nu[i];
  return closing;
}

/* Computes the contact force on the slave from the multipliers of the pair. */
static inline void CrPressForce(const CrPress *p, PetscReal force[3])
{
  for (int i = 0; i < 3; i++) force[i] = p->lam[0] * p->nu[i] - p->lam[i + 1];
}

/* Makes one Gauss-Seidel sweep over the pairs of a list, in reverse order if `back` is true. Changes the multipliers
   and the velocities v. Returns the square of the greatest change of velocity. */
PetscReal CrPressSweepOnce(PetscInt dim, PetscReal kick, const CrPressList *list, PetscBool back,
                           PetscReal *v);
/* Sets the multipliers of a pair to next[], and changes the velocities v accordingly. */
void CrPressTake(PetscInt dim, CrPress *pair, PetscReal kick, const PetscReal next[4],
                 PetscReal *v);
