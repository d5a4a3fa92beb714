/* A contact pass prevents the slaves of one side of a pair from penetrating the other side, the master. Slaves are
   nodes, samples (points between nodes), sharp edges, or points of a rigid body. The master is a surface of facets, its
   sharp edges, one wall of an obstacle, or a rigid body of finite mass. The kind of a pass says which of these its
   slaves and its master are. Each kind has a table of functions that search for contacts, compute gaps, and compute
   derivatives. */
#pragma once

#include "contact/geometry/obstacle.h"
#include "contact/geometry/ridges.h"
#include "contact/geometry/samples.h"
#include "contact/geometry/shell.h"
#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"
#include "model/graph.h"

typedef struct CrContact     CrContact;
typedef struct CrContactStep CrContactStep; /* the trial state of a step: contact.h */
typedef struct CrTouch       CrTouch;       /* a possible contact in a step: touch/touch.h */
typedef struct CrPartner     CrPartner;     /* a rigid body in a step: partners/partners.h */
typedef struct CrCall        CrCall;        /* a place of a new contact: springs/calls.h */
typedef struct CrDivision    CrDivision;    /* points divided among the ranks: division.h */
typedef struct CrStage       CrStage;       /* part of the surfaces that a rank uses: stage.h */

typedef enum {
#define CR_PASS(kind, row) kind,
#include "contact/passes.def"
#undef CR_PASS
  CR_PASS_KINDS
} CrPassKind;

/* The position of a slave, and the displacements of the master's nodes, at one time of the step. */
typedef struct {
  PetscReal        x[3];  /* position of the slave */
  const PetscReal *u, *R; /* u: displacements of all nodes; R: rotation of the slave's rigid body */
} CrInstant;

/* Poses (position and rotation) of a rigid body in a step. START: pose at t_n. PATH: pose at t_{n+1} after free flight,
   for the contact search. GUESS: pose at t_{n+1} in an earlier solution of the same step. MIDDLE, END: pose in the
   middle and at the end of the trial step. */
typedef enum { CR_POSE_START, CR_POSE_PATH, CR_POSE_GUESS, CR_POSE_MIDDLE, CR_POSE_END } CrPoseOf;

typedef struct CrPass CrPass;

/* The points of a rigid body at which a contact exerts force and torque on the body, at the end of the step. */
typedef struct {
  /* facet on whose nodes the opposite force acts; -1: there is no facet, or two edges touch */
  PetscInt facet;
  /* Some nodes of the operators G and H are points of the rigid body, not mesh nodes. n is the number of these points,
     and column[] are their node indices in G and H. */
  PetscInt n, column[2];
  /* 1: the force on these points acts on the body; -1: the body gets the opposite force */
  PetscReal side;
  PetscReal arm[2][3]; /* vectors from the body's centre to these points */
} CrGrip;

/* Functions for one type of slave (node, sample or point of a rigid body). */
typedef struct {
  PetscBool is_node; /* false: the slave is a sample, an edge, or a point of a rigid body */
  /* Sets the members of a new contact that describe the i-th slave of a pass. */
  void (*begin)(const CrContact *contact, const CrPass *pass, PetscInt i, CrTouch *touch);
  /* Computes the bounding box of the path of the i-th slave in the step. */
  void (*path)(const CrContact *contact, const CrPass *pass, PetscInt i, PetscReal box[6]);
  /* Computes the position of the slave, with the nodes at the displacements u and its rigid body at `pose`. */
  void (*at)(const CrContact *contact, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
             CrInstant *at);
  /* Computes the normal of the slave's surface at t_n; the result is zero if the slave has no normal. */
  void (*normal)(const CrContact *contact, const CrPass *pass, PetscInt i, const PetscReal *u0,
                 PetscReal normal[3]);
  /* Returns true if the cone of normals of the i-th slave at t_n admits contact with a facet of normal nu, up to the
     angle tol. */
  PetscBool (*admits)(const CrContact *contact, const CrPass *pass, PetscInt i,
                      const CrInstant *start, const PetscReal nu[3], PetscReal tol);
} CrSlaveOps;

extern const CrSlaveOps CrSlaveNode, CrSlaveSample, CrSlavePoint;

/* Functions for one kind of contact pass, for implicit methods. */
typedef struct {
  const CrSlaveOps *slave;
  PetscBool         facets; /* the master consists of facets */
  PetscBool         body;   /* one side is a rigid body of finite mass */
  /* Appends to contact->work->touches a contact for each slave that may touch the master in this step. u0 are the
     displacements at t_n. ends[k] are displacements at which the step may end. Entries of `ends` may be NULL. */
  PetscErrorCode (*search)(CrContact *contact, PetscInt pass, const PetscReal *u0, PetscInt nends,
                           const PetscReal *const ends[]);
  /* Computes the gap, the operators G and H and the forces of a contact at the trial state. Returns false if the slave
     has no closest point on the master. If `choose` is true, the function may choose another facet. */
  PetscBool (*look)(const CrContact *contact, CrTouch *touch, const PetscReal *u0,
                    const CrContactStep *step, PetscBool choose);
  /* Returns the real gap at the end of the step, with the nodes at the displacements u1. */
  PetscReal (*gap)(const CrContact *contact, const CrTouch *touch, const PetscReal *u1);
  /* For passes with a rigid body: computes the operators G and H for impulses at the end of the step, with the nodes at
     the displacements u1. Returns false if there is no closest point. */
  PetscBool (*finish)(const CrContact *contact, const CrTouch *touch, const PetscReal *u1,
                      CrKinematics *k, CrGrip *grip);
  /* For passes with a rigid body: adds to K the contact's part of the derivative of the body's residual with respect to
     the body's unknowns. */
  void (*turn)(const CrContact *contact, const CrTouch *touch, const CrContactStep *step,
               PetscReal K[36]);
  /* For passes with a rigid body and nodes: adds to the matrix the blocks that couple the nodes directly. Stores each
     node in contact->work->near, and its coupling with the body in contact->work->schur, from entry m on. Returns the
     number of stored nodes. */
  PetscInt (*couple)(const CrContact *contact, const CrTouch *touch, const CrContactStep *step,
                     const CrPartner *partner, PetscInt m, CrMatrixValues *values);
} CrPassOps;

struct CrPass {
  PetscInt         pair;
  CrPassKind       kind;
  const CrPassOps *ops;
  /* surfaces of both sides; slave is NULL in passes without slave nodes; master is NULL in passes without facets;
     borrowed */
  const CrSurface  *slave, *master;
  const CrObstacle *obstacle; /* borrowed; NULL in passes without an obstacle */
  /* passes of edges on edges: sharp edges of slave, master; borrowed */
  const CrRidges *ridges[2];
  /* passes of sharp edges on any edge (theory 17.7): the master's shape at the end of the step; borrowed */
  CrShell *shell;
  /* samples of the slave, in addition to its nodes. In passes of edges on facets, each sample is a place on one edge.
     In passes of points of a rigid body, the samples are points of its edges, which come after its corners. NULL: there
     are none. Borrowed. */
  const CrSamples *samples;
  PetscInt         wall;
  PetscInt         partner; /* number of the rigid body of the pass; -1: none */
  PetscReal        weight;  /* weight of a point of a rigid body (CrPointWeight) */
  /* passes of a round body's points on facets: greatest distance of the body's surface from a point; else 0 */
  PetscReal extent;
  PetscBool reversed; /* second pass of a pair: the slave of this pass is the pair's master */
  PetscBool self;     /* slave and master belong to one body */
  /* if both meshes are equally fine, exact laws use the slaves of this pass, not those of the reversed pass */
  PetscBool leads;
  PetscBool cones;    /* cones of normals decide which facets a slave may touch (CrPointShare) */
  CrTree   *tree;     /* tree of the master's facets or edges; borrowed from the contact */
  PetscInt  first, n; /* number of the first contact point, and number of points */
  PetscReal reach;    /* facets within this distance of a slave's predicted path are found */
};

/* Returns true if the slaves of a pass are sharp edges. */
static inline PetscBool CrPassHasEdges(const CrPass *pass)
{
  return pass->ridges[0] ? PETSC_TRUE : PETSC_FALSE;
}
/* Returns true if the slaves of a pass are samples, or places on edges, which are stored as samples. */
static inline PetscBool CrPassHasSamples(const CrPass *pass)
{
  return pass->kind == CR_SAMPLE_ON_FACET || pass->kind == CR_EDGE_ON_FACET;
}
/* Returns true if the search does not create contacts of this pass. CrContactCall adds such contacts to a step where an
   edge penetrates (theory 17.7). */
static inline PetscBool CrPassIsCalled(const CrPass *pass)
{
  return pass->kind == CR_EDGE_ACROSS || pass->kind == CR_EDGE_ON_FACET;
}
/* Sets the kind of a pass and its table of functions. */
void CrPassSetKind(CrPass *pass, CrPassKind kind);
/* Computes the displacement of the wall of a pass from time t0 to t1; `move` is zero if the pass has no wall. */
void CrPassMove(const CrPass *pass, PetscReal t0, PetscReal t1, PetscReal move[3]);
/* Computes the mean velocity of the wall of a pass from time t0 to t1. */
void CrPassVelocity(const CrPass *pass, PetscReal t0, PetscReal t1, PetscReal velocity[3]);
/* For self-contact: returns true if the facet is next to the i-th slave, so that the slave cannot touch the facet. */
PetscBool CrPassIsOwn(const CrPass *pass, PetscInt i, PetscInt facet);
