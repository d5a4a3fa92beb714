/* Pairs of an explicit step, and the iteration on their multipliers: shared by multipliers.c, which
   finds them, and inner.c, which iterates. */
#pragma once

#include "base/vector.h"
#include "contact/multipliers/multipliers.h"
#include "contact/multipliers/lists.h"

#define CR_CLOSED 1e-6 /* of half a facet: gaps of the start that are none */

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

typedef struct {
  PetscBool warm;     /* the forces of the last step predict the search and start the iteration */
  PetscBool searches; /* `outer` times */
  PetscBool once;     /* one iteration */
  PetscBool middle;   /* forces along the normals of t_n, gaps of t_{n+1} */
} CrVariant;

/* A facet that a point presses or runs into, with what the pair needs to know of the foot. Without
   numbers of nodes, which differ from rank to rank. */
typedef struct {
  PetscInt  pass, item, facet; /* item: index into slave->nodes */
  PetscInt  n;                 /* corners */
  PetscReal N[4], nu[3], gap0;
  PetscReal lam; /* multiplier to start from */
} CrFound;

typedef struct CrReturns CrReturns; /* pairing_return.c */
typedef struct CrSharing CrSharing; /* of the search among the ranks: pairing_share.c */

/* What a point remembers. */
typedef struct {
  PetscReal lam, tan[3], nu[3], N[4]; /* multipliers, along what, at which weights of its facet */
  PetscReal offset;                   /* <= 0: overlap that is kept */
  PetscReal store,
      most; /* energy lost since it is pressed, and the most that is given back of it */
} CrPointMemory;

/* The rigid bodies of the model in a step. */
typedef struct {
  PetscInt     n;
  CrPressBody *before, *star, *now; /* [n] of v_{n-1/2}, without contact, of the iteration; owned */
  CrPose      *pose0, *pose;        /* [n] at t_n, where `now` leads; owned, as below */
  CrRigidState *end;                /* the state behind `pose` */
} CrRigidStep;

#define MEMORY_REALS ((PetscInt)(sizeof(CrPointMemory) / sizeof(PetscReal)))

struct CrMultipliers {
  CrContact          *contact; /* borrowed */
  CrMultiplierOptions options;
  CrVariant           variant;
  CrNearLists        *lists;        /* owned, as all below */
  PetscReal          *inverse;      /* [nlocal] masses */
  PetscReal          *share;        /* [nlocal] zero between uses */
  PetscReal          *star, *where; /* [nlocal*dim] v*, place of a search; at nodes of contact */
  CrPointMemory      *memory;       /* [npoints] of the last accepted step */
  PetscReal          *guess; /* [npoints*4] multipliers between searches; zero between steps */
  PetscInt            npressed, *pressed; /* points with lam > 0 in memory, with their passes */
  PetscInt            nguessed, *guessed; /* points with a guess */
  PetscInt            npairs, room;
  CrPress            *pairs;
  CrPressList         mine;           /* those that this rank iterates on */
  PetscInt            nshown, *shown; /* points of the last commit */
  PetscBool           accepted;       /* the pairs are those of the last accepted step */
  PetscReal           residual;
  PetscBool           too_far; /* of the last search */
  CrRigidStep        *bodies;  /* rigid ones of finite mass */
  CrSharing          *sharing; /* NULL: one rank */
  const PetscReal    *gaps;    /* at the end of the step, if they were shared; those of `sharing` */
  CrReturns          *returns; /* NULL: energy of impacts is lost */
};

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

/* The diagonals of the pairs. share: [nlocal], zero, and left so. */
void CrPressPrecondition(CrInner inner, const CrPressList *list, PetscReal *share);
/* At most `iterations` on the multipliers, v with them; returns how many, *residual: how far
   velocities still moved in the last. */
PetscInt CrPressIterate(const CrMultiplierOptions *options, PetscInt dim, PetscReal kick,
                        const CrPressList *list, PetscReal *v, PetscReal *residual);

/* Energy of impacts that is given back at release (theory 19.6). */
PetscErrorCode CrReturnsCreate(const CrContact *contact, CrReturns **returns);
PetscErrorCode CrReturnsDestroy(CrReturns **returns);
void           CrReturnsResume(CrMultipliers *multipliers);
/* Does a point that is no longer pressed keep what it has in store? */
PetscBool CrReturnsWait(const CrMultipliers *multipliers, PetscInt point);
/* The step is accepted; after what was pressed has been forgotten, before what is pressed is remembered. */
void CrReturnsCommit(CrMultipliers *multipliers);
/* A point remembers nothing. */
void CrPointForget(CrMultipliers *multipliers, PetscInt point);
/* After the iteration: pairs that have opened get back what they lost, and v with it. */
PetscErrorCode CrPressReturn(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscReal *v);
/* The pair has done `work` in a step that it entered with the relative velocity w0. */
void CrPressStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrPress *pair);
/* A pair at the end of the list, zero. */
PetscErrorCode CrPressAppend(CrMultipliers *multipliers, CrPress **pair);
/* Finds the pairs at u0 + h v, ready to be iterated on. */
PetscErrorCode CrPressFind(CrMultipliers *multipliers, const CrMultiplierStep *step,
                           const PetscReal *v);
/* What entry k of a pass on facets meets at m->where; false: nothing. */
PetscBool CrPressLook(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscInt pass,
                      PetscInt k, CrFound *found);
/* Appends the pair. */
PetscErrorCode CrPressAdd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                          const CrFound *found);
/* Deals the looking out to the ranks where there is enough of it. */
PetscErrorCode CrSharingCreate(MPI_Comm comm, PetscInt nlocal,
                               CrSharing **sharing); /* NULL on one rank. Collective */
PetscErrorCode CrSharingDestroy(CrSharing **sharing);
PetscBool      CrSharingIsWorthIt(const CrMultipliers *multipliers);
/* Every rank looks at its share of the entries; what all have found is in the order in which one
   would have found it, the same on every rank. Collective. */
PetscErrorCode CrSharingLook(CrMultipliers *multipliers, const CrMultiplierStep *step);
/* Where very many press, the ranks share the iteration too: m->mine becomes a share of the pairs and
   those around it on which it depends, else all of them. */
PetscErrorCode CrSharingChoose(CrMultipliers *multipliers);
/* After a shared iteration every rank gets to know the multipliers of all pairs. Collective. */
PetscErrorCode CrSharingTell(CrMultipliers *multipliers);
/* Appends the pairs of a pass; passes in ascending order. */
PetscErrorCode CrSharingTake(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscInt pass);
/* Forces along the normals of t_n: the pairs once more, at u0. Those without a foot there go. */
PetscErrorCode CrPressTurnBack(CrMultipliers *multipliers, const CrMultiplierStep *step);
/* Bounds from the gaps that v would lead to; multipliers of pairs without a foot there are zero. */
void CrPressBoundAtEnd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v);
/* At u: overlaps of the start, and as pairs without friction what is closed. */
PetscErrorCode CrPressFindClosed(CrMultipliers *multipliers, const PetscReal *u, const char *fixed,
                                 PetscReal t);
/* The pair of a point as it was in the last step. */
void CrPressRecall(const CrMultipliers *multipliers, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair);
/* The gap at the end of the step, on the facet of the pair. */
PetscReal CrPressGapAt(const CrMultipliers *multipliers, const CrPress *pair, const PetscReal *u,
                       PetscReal t);
/* ---- rigid bodies of finite mass (bodies.c, pairing_rigid.c) ----------------------------------- */

PetscErrorCode CrRigidStepCreate(const CrRigid *rigid, CrRigidStep **bodies);
PetscErrorCode CrRigidStepDestroy(CrRigidStep **bodies);
/* A step from `state` begins: velocities v0 + kick a; a: [3n]. All poses are those of t_n. */
void CrRigidStepBegin(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal kick, const PetscReal *a);
/* Poses and end where the velocities of the iteration lead from `state` in h. */
void CrRigidStepPlace(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal h);
/* The iteration stands at the velocities without contact again. */
void CrRigidStepRestore(CrRigidStep *bodies);

/* Nodes on bodies, bodies on walls: as look_at_facets. v: what led to m->where and the poses. */
PetscErrorCode CrPressLookAtBody(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                 PetscInt pass, PetscInt entry, const PetscReal *v);
PetscErrorCode CrPressLookAtWalls(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                  PetscInt pass, const PetscReal *v);
/* What is closed at the start, as pairs without friction; u: displacements. */
PetscErrorCode CrPressCloseBody(CrMultipliers *multipliers, PetscInt pass, PetscInt entry,
                                const PetscReal *u);
PetscErrorCode CrPressCloseWalls(CrMultipliers *multipliers, PetscInt pass, PetscReal t);
/* The gap of a pair with a body, on the face of the pair: at the poses of the end (nodes at u, time t) or
   of t_n; nu, unless NULL: the normal there. *on: still over the face. */
PetscReal CrPressBodyGap(const CrMultipliers *multipliers, const CrPress *pair, const CrPose *poses,
                         const PetscReal *u, PetscReal t, PetscReal nu[3], PetscBool *on);
/* The arm of a point at t_n: nodes at u, walls at t. */
void CrPressSetArm(const CrMultipliers *multipliers, const PetscReal *u, PetscReal t,
                   CrPress *pair);

/* ---- for the files that find pairs ---- */
PetscErrorCode   CrPressNew(CrMultipliers *multipliers, PetscInt pass, PetscInt i, CrPress **pair);
const PetscReal *CrPressStart(const CrMultipliers *multipliers, PetscInt point);
void             CrPressGuess(PetscReal lam, const PetscReal tan[3], CrPress *pair);
PetscReal        CrPressOverlapLeft(const CrContact *contact, const CrPass *pass, PetscInt point,
                                    PetscReal t);

/* Velocity of an obstacle between two times. */
void CrWallVelocity(const CrPass *pass, PetscReal t0, PetscReal t1, PetscReal velocity[3]);

/* Force on the slave. */
static inline void CrPressForce(const CrPress *p, PetscReal force[3])
{
  for (int i = 0; i < 3; i++) force[i] = p->lam * p->nu[i] - p->tan[i];
}
