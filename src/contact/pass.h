/* A pass: slaves of one side look at the other side. Slaves are nodes, or points of a rigid body; they look at
   facets, at one wall of an obstacle, or at a rigid body of finite mass. The kind of a pass says which. Its row
   of functions knows how to search, to find the gap, and to differentiate; other code asks the row. */
#pragma once

#include "contact/geometry/obstacle.h"
#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"
#include "model/graph.h"

typedef struct CrContact     CrContact;
typedef struct CrContactStep CrContactStep; /* where a step is evaluated: contact.h */
typedef struct CrTouch       CrTouch;       /* a slave that may touch in a step: touch/touch.h */
typedef struct CrPartner     CrPartner;     /* a rigid body in a step: partners/partners.h */

typedef enum {
#define CR_PASS(kind, row) kind,
#include "contact/passes.def"
#undef CR_PASS
  CR_PASS_KINDS
} CrPassKind;

/* A slave and the nodes of the master at one instant. */
typedef struct {
  PetscReal        x[3];
  const PetscReal *u, *R; /* displacements; rotation of the rigid body that the slave belongs to */
} CrInstant;

/* Where a rigid body is: at t_n; where the search expects its end; where a solution ended; in the middle and
   at the end of the trial step. */
typedef enum { CR_POSE_START, CR_POSE_PATH, CR_POSE_GUESS, CR_POSE_MIDDLE, CR_POSE_END } CrPoseOf;

typedef struct CrPass CrPass;

/* What slaves are. */
typedef struct {
  PetscBool is_node; /* else a point of a rigid body, which has no node */
  /* The i-th slave of a pass is put into a new touch. */
  void (*begin)(const CrContact *contact, const CrPass *pass, PetscInt i, CrTouch *touch);
  /* The box of its path in the step. */
  void (*path)(const CrContact *contact, const CrPass *pass, PetscInt i, PetscReal box[6]);
  /* Where it is, with the nodes at u. */
  void (*at)(const CrContact *contact, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
             CrInstant *at);
  /* The normal of its surface at t_n; zero where it has none. */
  void (*normal)(const CrContact *contact, const CrPass *pass, PetscInt i, const PetscReal *u0,
                 PetscReal normal[3]);
} CrSlaveOps;

extern const CrSlaveOps CrSlaveNode, CrSlavePoint;

/* One kind of pass under springs. */
typedef struct {
  const CrSlaveOps *slave;
  PetscBool         facets; /* the master consists of facets */
  PetscBool         body;   /* a rigid body of finite mass takes part */
  /* Appends the touches of a step from u0; ends: NULL, or where the step may end. */
  PetscErrorCode (*search)(CrContact *contact, PetscInt pass, const PetscReal *u0, PetscInt nends,
                           const PetscReal *const ends[]);
  /* Gap, operators and law of a touch at the trial state; false: there is no closest point. choose: the touch
     may take another facet. */
  PetscBool (*look)(const CrContact *contact, CrTouch *touch, const PetscReal *u0,
                    const CrContactStep *step, PetscBool choose);
  /* The real gap with the nodes at u1, at the end of the step. */
  PetscReal (*gap)(const CrContact *contact, const CrTouch *touch, const PetscReal *u1);
  /* Passes with a body: adds d(residual of the body)/d(its unknowns). */
  void (*turn)(const CrContact *contact, const CrTouch *touch, const CrContactStep *step,
               PetscReal K[36]);
  /* Passes with a body and nodes: adds the direct coupling of the nodes to the matrix, and puts each node with
     its coupling to the body into contact->work->near and ->schur from entry m on; returns their number. */
  PetscInt (*couple)(const CrContact *contact, const CrTouch *touch, const CrContactStep *step,
                     const CrPartner *partner, PetscInt m, CrMatrixValues *values);
} CrPassOps;

struct CrPass {
  PetscInt          pair;
  CrPassKind        kind;
  const CrPassOps  *ops;
  const CrSurface  *slave, *master; /* borrowed; NULL where the kind has no nodes or no facets */
  const CrObstacle *obstacle;       /* borrowed; NULL where the kind has no wall */
  PetscInt          wall;
  PetscInt          partner;  /* rigid body that takes part; -1: none */
  PetscReal         weight;   /* of a point of a rigid body */
  PetscBool         reversed; /* second pass: its slave is the pair's master */
  PetscBool         self;     /* slave and master belong to one body */
  CrTree           *tree;     /* of the master's facets; borrowed from the contact */
  PetscInt          first, n; /* points */
  PetscReal         reach;    /* how far beyond the predicted paths is searched */
};

/* Gives a pass its kind and the row of that kind. */
void CrPassSetKind(CrPass *pass, CrPassKind kind);
/* How far the wall of a pass moves from t0 to t1; zero without a wall. */
void CrPassMove(const CrPass *pass, PetscReal t0, PetscReal t1, PetscReal move[3]);
/* The mean velocity over that time. */
void CrPassVelocity(const CrPass *pass, PetscReal t0, PetscReal t1, PetscReal velocity[3]);
/* In self-contact: does the facet belong to the neighbourhood of the i-th slave? */
PetscBool CrPassIsOwn(const CrPass *pass, PetscInt i, PetscInt facet);
