/* One pressed contact of an explicit step, and the iteration on its multipliers. "Pair" means here a slave and its
   master in contact, not a pair of the deck. */
#pragma once

#include "base/vector.h"
#include "contact/multipliers/multipliers.h"

/* A rigid body of finite mass in the iteration. Only v, pi and spin change; the other members are values at t_n. */
typedef struct {
  PetscReal v[3], pi[3], spin[3]; /* velocity of the centre, angular momentum, angular velocity */
  /* inverse of the inertia in space, and its largest eigenvalue */
  PetscReal inverse_mass, inverse[9], greatest;
  PetscReal count, arms; /* number of pairs on the body, sum of their arms; zero between uses */
} CrPressBody;

#define CR_PRESS_NODES 6 /* most nodes of a pair: two of an edge, and four of a facet */

typedef struct {
  /* The first members are read in every sweep; they are close together in memory. */
  PetscInt n;                     /* nodes, the slave first */
  PetscInt nodes[CR_PRESS_NODES]; /* local */
  unsigned held;                  /* bit 3 a + i: dof i of node a is prescribed */
  /* the iteration changes the friction force only where it exceeds its limit */
  PetscBool frozen;
  PetscBool plain;             /* both sides consist of nodes, and no dof is prescribed */
  PetscReal W[CR_PRESS_NODES]; /* weights of the relative velocity: 1, then -N_a */
  /* W divided by the mass; 0 if all dofs of the node are prescribed */
  PetscReal flow[CR_PRESS_NODES];
  PetscReal nu[3], mu, bound; /* normal, friction coefficient, closing rate that is allowed */
  PetscReal diagonal;         /* diagonal of the iteration: Htilde with divided masses, or H_ss */
  PetscReal lam[4];           /* multipliers: normal, and tangential in space */
  PetscReal next[4];          /* iterate of the inner solver */
  /* The other members are read less often. */
  PetscReal    previous[4]; /* iterate before `next` */
  PetscReal    wall[3];     /* velocity of the obstacle */
  CrPressBody *body;        /* rigid body of finite mass; NULL: none; borrowed */
  /* side: 1 if the body is the slave, -1 if it is the master; arm: vector from its centre at t_n */
  PetscReal side, arm[3];
  PetscInt  pass, point, facet;
  /* gap0: the gap at t_n. shift (>= 0): the part of the initial penetration that `overlap: resolve` has not removed
     yet. offset (<= 0): the penetration when contact began later in the run; it stays. */
  PetscReal gap0, shift, offset;
  /* part of the initial penetration that the ramp removes in this step, >= 0 */
  PetscReal pushed;
  PetscReal gap1;        /* gap at the end of the step */
  PetscReal loss;        /* friction loss of the step */
  PetscReal drive;       /* work of a moving obstacle in the step */
  PetscReal slide[3];    /* slip rate after the step */
  PetscReal store, most; /* energies of the point, as in CrPointMemory */
  PetscBool returned;    /* the pair has separated, and its force returns stored energy */
  /* This is an additional pair of a slave in a valley, on the facet beyond the concave edge. The first pair of the
     slave comes before it in the list. */
  PetscBool second;
  PetscBool fresh; /* as in CrFound */
  PetscInt  entry; /* entry of the slave in the list of its pass */
  PetscReal share; /* edges on facets: place on the edge, 0 to 1 */
} CrPress;

/* The pairs that one iteration works on. */
typedef struct {
  CrPress        *pairs; /* borrowed, like index */
  PetscInt        n;
  const PetscInt *index; /* [n] numbers of the pairs, ascending; NULL: all pairs */
} CrPressList;

static inline CrPress *CrPressAt(const CrPressList *list, PetscInt k)
{
  return list->pairs + (list->index ? list->index[k] : k);
}

/* Loop over the pairs of a list. */
#define CR_EACH_PRESS(p, list)                                                                     \
  for (PetscInt k_##p = 0; k_##p < (list)->n; k_##p++)                                             \
    for (CrPress *p = CrPressAt(list, k_##p); p; p = NULL)

/* Adds the relative velocity sum W_a v_a of the nodes of a pair to w. The compiler unrolls the loops if dim and n are
   constants. */
static inline void CrPressAddVelocity(PetscInt dim, PetscInt n, const CrPress *p,
                                      const PetscReal *v, PetscReal w[3])
{
  for (PetscInt a = 0; a < n; a++) {
    const PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) w[i] += p->W[a] * at[i];
  }
}

/* Adds the velocity changes flow_a * force to the velocities v_a of the nodes of a pair. */
static inline void CrPressAddForce(PetscInt dim, PetscInt n, const CrPress *p,
                                   const PetscReal force[3], PetscReal *v)
{
  for (PetscInt a = 0; a < n; a++) {
    PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) at[i] += p->flow[a] * force[i];
  }
}

/* Returns true if this is the most common kind of pair, a node on a quadrilateral. This kind has separate, faster
   code. */
static inline PetscBool CrPressIsCommon(PetscInt dim, const CrPress *p)
{
  return dim == 3 && p->plain && p->n == 5;
}

/* Computes the velocity w of the slave relative to the master. */
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

/* Changes velocities by an impulse on a pair with prescribed dofs, which keep their velocity. */
static inline void CrPressPushHeld(PetscInt dim, const CrPress *p, const PetscReal impulse[3],
                                   PetscReal *v)
{
  for (PetscInt a = 0; a < p->n; a++)
    for (PetscInt i = 0; i < dim; i++)
      if (!(p->held >> (3 * a + i) & 1)) v[dim * p->nodes[a] + i] += p->flow[a] * impulse[i];
}

/* Changes velocities by the impulse kick * force: v += M^-1 W^T impulse. */
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

/* Returns the closing rate r_N = -nu.w, and leaves the tangential part in w. */
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

/* Makes one Gauss-Seidel sweep over the pairs of a list, in reverse order if `back` is true. Returns the greatest
   squared change of velocity. */
PetscReal CrPressSweepOnce(PetscInt dim, PetscReal kick, const CrPressList *list, PetscBool back,
                           PetscReal *v);
/* Sets the multipliers of a pair to next[], and changes v with them. */
void CrPressTake(PetscInt dim, CrPress *pair, PetscReal kick, const PetscReal next[4],
                 PetscReal *v);
