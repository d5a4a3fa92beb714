/* One pressed contact of an explicit step, and the arithmetic of the iteration on its multipliers. */
#pragma once

#include "base/vector.h"
#include "contact/multipliers/multipliers.h"

/* A rigid body of finite mass in the iteration: all but v, pi and spin stays as at t_n. */
typedef struct {
  PetscReal v[3], pi[3], spin[3]; /* of the centre; angular momentum; inverse times it */
  PetscReal inverse_mass, inverse[9],
      greatest;          /* of the inertia in space; its largest eigenvalue */
  PetscReal count, arms; /* pairs on it, sum of their arms; zero between uses */
} CrPressBody;

typedef struct {
  /* what the iteration reads in every sweep, close together */
  PetscInt  n;                       /* nodes, the slave first */
  PetscInt  nodes[CR_CONTACT_NODES]; /* local */
  unsigned  held;                    /* bit 3 a + i: dof i of node a is prescribed */
  PetscBool plain;                   /* nodes on both sides, none held: all there is to it */
  PetscReal W[CR_CONTACT_NODES];     /* 1, then -N_a */
  PetscReal flow[CR_CONTACT_NODES];  /* W over mass; 0 where all dofs are prescribed */
  PetscReal nu[3], mu, bound;        /* bound: closing rate that is allowed */
  PetscReal diagonal;                /* Htilde of the partition of masses, or H_ss */
  PetscReal lam, tan[3];             /* multipliers: normal, tangential */
  PetscReal next[4];                 /* iterate of the inner solver */
  /* the rest */
  PetscReal    previous[4];  /* iterate before that one */
  PetscReal    wall[3];      /* velocity of the obstacle */
  CrPressBody *body;         /* NULL: none; borrowed */
  PetscReal    side, arm[3]; /* 1: the body is the slave, -1: the master; from its centre, at t_n */
  PetscInt     pass, point, facet;
  PetscReal    gap0, shift,
      offset;            /* at t_n; overlap that is not pushed out yet, >= 0; kept overlap */
  PetscReal pushed;      /* overlap that the ramp pushes out in the step, >= 0 */
  PetscReal loss;        /* friction of the step */
  PetscReal slide[3];    /* rate at which it slides, after the step */
  PetscReal store, most; /* of the point, as CrPointMemory */
  PetscBool returned;    /* what presses is energy that is given back: the pair has opened */
} CrPress;

/* The pairs that an iteration is on. */
typedef struct {
  CrPress        *pairs; /* borrowed, as index */
  PetscInt        n;
  const PetscInt *index; /* [n] ascending; NULL: all of them */
} CrPressList;

static inline CrPress *CrPressAt(const CrPressList *list, PetscInt k)
{
  return list->pairs + (list->index ? list->index[k] : k);
}

/* w += sum W_a v_a, and v += flow force: with the number of nodes as a constant where it is one. */
static inline void CrPressAddVelocity(PetscInt dim, PetscInt n, const CrPress *p,
                                      const PetscReal *v, PetscReal w[3])
{
  for (PetscInt a = 0; a < n; a++) {
    const PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) w[i] += p->W[a] * at[i];
  }
}

static inline void CrPressAddForce(PetscInt dim, PetscInt n, const CrPress *p,
                                   const PetscReal force[3], PetscReal *v)
{
  for (PetscInt a = 0; a < n; a++) {
    PetscReal *at = v + dim * p->nodes[a];

    for (PetscInt i = 0; i < dim; i++) at[i] += p->flow[a] * force[i];
  }
}

/* Most pairs: a node on a quadrilateral. */
static inline PetscBool CrPressIsCommon(PetscInt dim, const CrPress *p)
{
  return dim == 3 && p->plain && p->n == 5;
}

/* Relative velocity of slave and master. */
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

static inline void CrPressPushHeld(PetscInt dim, const CrPress *p, const PetscReal impulse[3],
                                   PetscReal *v)
{
  for (PetscInt a = 0; a < p->n; a++)
    for (PetscInt i = 0; i < dim; i++)
      if (!(p->held >> (3 * a + i) & 1)) v[dim * p->nodes[a] + i] += p->flow[a] * impulse[i];
}

/* v += M^-1 W^T impulse */
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

/* Closing rate r_N = -nu.w; w becomes its tangential part. */
static inline PetscReal CrPressClosing(PetscInt dim, const CrPress *p, PetscReal w[3])
{
  PetscReal closing = 0;

  for (PetscInt i = 0; i < dim; i++) closing -= p->nu[i] * w[i];
  for (PetscInt i = 0; i < dim; i++) w[i] += closing * p->nu[i];
  return closing;
}

/* Force on the slave. */
static inline void CrPressForce(const CrPress *p, PetscReal force[3])
{
  for (int i = 0; i < 3; i++) force[i] = p->lam * p->nu[i] - p->tan[i];
}

/* The diagonals of the pairs. share: [nlocal], zero, and left so. */
void CrPressPrecondition(CrInner inner, const CrPressList *list, PetscReal *share);
/* At most `iterations` on the multipliers, v with them; returns how many, *residual: how far
   velocities still moved in the last. */
PetscInt CrPressIterate(const CrMultiplierOptions *options, PetscInt dim, PetscReal kick,
                        const CrPressList *list, PetscReal *v, PetscReal *residual);
