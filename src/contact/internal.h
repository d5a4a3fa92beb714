/* What the files of this folder share. */
#pragma once

#include "contact/contact.h"

#define OPEN_EDGE 0.05 /* part of a facet's size beyond an open edge that still counts as on it */

struct CrTouch {
  PetscInt  pass, point; /* point: index of all points */
  PetscInt  node;        /* slave, local */
  PetscReal weight;
  PetscReal normal[3];     /* of the slave's surface at t_n; zero: not known, or at the rim of it */
  PetscInt  patch;         /* of the master, kept for the step; -1: none yet */
  PetscInt  found, nfound; /* its facets, of all patches, in contact->found */
  PetscBool idle;          /* takes no part unless the review finds that it must */
  PetscBool locked;        /* bound to `facet` for the step: it came a long way */
  PetscBool keeps;         /* the dynamic gap is carried on */
  PetscReal spring[3], nu0[3]; /* elastic slip as a vector, normal of the old facet, both at t_n */
  PetscInt  facet;             /* in use; obstacles: axis of the tangents */
  PetscInt  cached;            /* facet for which gd0 and eta0 hold, -1: none */
  PetscReal gap0;              /* real gap at t_n */
  PetscReal gd0, eta0[2], shift0, shift1;
  PetscReal lambda, traction[3]; /* multipliers: pressure, and friction as a vector in space */
  PetscReal kick[3], impulse;    /* force of a velocity update on the slave; its time over h */
  /* of the last evaluation */
  CrLawInput   in;
  CrLawOutput  out;
  CrKinematics k, k1; /* k1: on the same facet at t_{n+1}, for laws that see the end */
};

/* Where a node is; u: displacements. */
static inline void CrGatherNode(const CrContact *c, PetscInt node, const PetscReal *u, PetscReal *x)
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) x[i] = c->model->X[dim * node + i] + u[dim * node + i];
}

/* Coordinates of a slave and of the corners of a facet: x[(n+1)*dim]; returns n. */
static inline PetscInt CrGatherFacet(const CrContact *c, const CrSurface *master, PetscInt node,
                                     PetscInt facet, const PetscReal *u, PetscReal *x)
{
  PetscInt n = master->ncorners[facet], dim = c->model->dim;

  CrGatherNode(c, node, u, x);
  for (PetscInt a = 0; a < n; a++)
    CrGatherNode(c, master->corners[4 * facet + a], u, x + dim * (a + 1));
  return n;
}

/* The facet of the touch's patch that is nearest at u. */
PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near);
/* Nodes of a touch on the facet in use: slave, then corners. */
void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES]);
/* f += force of a touch, from its last operators, pressure and traction, on owned dofs. */
void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f);
/* The normal of the slave's surface at node i of it, zero at its rim; and whether a facet of normal
   nu is one that it may strike. */
void      CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u,
                        PetscReal normal[3]);
PetscBool CrIsFaced(const PetscReal normal[3], const PetscReal nu[3]);
/* In self-contact: is the facet one of the neighbourhood of node i of the slave's surface? */
PetscBool CrIsOwn(const CrPass *p, PetscInt i, PetscInt facet);
/* One side of a pair. */
typedef struct {
  const CrObstacle *obstacle;
  PetscInt          body, set;
  PetscInt          rigid; /* 1 + group of rigid bodies; 0: none */
} CrSide;

/* Pairs of rigid bodies (pairs_rigid.c): one of the deck, and those that `default` finds. */
PetscErrorCode CrRigidPairAdd(CrContact *contact, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **pair);
PetscErrorCode CrRigidPairsFind(CrContact *contact, const CrDeckNode *node);
/* Reads the deck: pairs and passes. */
PetscErrorCode CrPairsRead(CrContact *contact, const CrDeck *deck);
