/* Functions for the positions of nodes and facets of contact surfaces at given displacements u, and for the areas of
   contact points. Arrays u are indexed by dim * local node + component. */
#pragma once

#include "contact/contact.h"
#include "contact/lift.h"

/* Tolerance at an open edge (an edge of only one facet). A point that is beyond the edge by less than this fraction of
   the facet's size counts as on the facet. */
#define OPEN_EDGE 0.05

/* Computes the position x[dim] of a mesh node. */
static inline void CrGatherPlain(const CrContact *c, PetscInt node, const PetscReal *u,
                                 PetscReal *x)
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) x[i] = c->model->X[dim * node + i] + u[dim * node + i];
}

/* Computes the position x[dim] of the facet vertex at a node. This is the position of the node, unless the vertex is
   lifted (lift.h). */
static inline void CrGatherNode(const CrContact *c, PetscInt node, const PetscReal *u, PetscReal *x)
{
  PetscInt  dim = c->model->dim;
  PetscReal y[3];

  CrGatherPlain(c, node, u, x);
  if (!CrIsLifted(c, node)) return;
  for (PetscInt i = 0; i < dim; i++) x[i] *= CR_LIFT_MIDDLE;
  for (int k = 0; k < 2; k++) {
    CrGatherPlain(c, c->ends[2 * node + k] - 1, u, y);
    for (PetscInt i = 0; i < dim; i++) x[i] += CR_LIFT_END * y[i];
  }
}

/* Does the same as CrGatherNode with three components; in 2D the third component is zero. */
static inline void CrGatherVector(const CrContact *c, PetscInt node, const PetscReal *u,
                                  PetscReal x[3])
{
  x[2] = 0;
  CrGatherNode(c, node, u, x);
}

/* Computes the positions of a slave node and of the n corners of a facet, x[(n+1)*dim]. Returns n. */
static inline PetscInt CrGatherFacet(const CrContact *c, const CrSurface *master, PetscInt node,
                                     PetscInt facet, const PetscReal *u, PetscReal *x)
{
  PetscInt n = master->ncorners[facet], dim = c->model->dim;

  CrGatherNode(c, node, u, x);
  for (PetscInt a = 0; a < n; a++)
    CrGatherNode(c, master->corners[4 * facet + a], u, x + dim * (a + 1));
  return n;
}

/* Does the same as CrGatherFacet, for a slave at the position at->x and nodes at the displacements at->u. */
static inline PetscInt CrGatherAt(const CrContact *c, const CrSurface *master, PetscInt facet,
                                  const CrInstant *at, PetscReal *x)
{
  PetscInt n = master->ncorners[facet], dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) x[i] = at->x[i];
  for (PetscInt a = 0; a < n; a++)
    CrGatherNode(c, master->corners[4 * facet + a], at->u, x + dim * (a + 1));
  return n;
}

/* Returns the weight of the i-th point of a pass. Pressure and traction times this weight are forces. The weight is an
   area, or 1 if penalties are given per node. */
static inline PetscReal CrPointWeight(const CrContact *c, const CrPass *p, PetscInt i)
{
  if (c->pairs[p->pair].unit) return 1;
  if (CrPassHasEdges(p) && !p->ridges[0]->shape) return p->ridges[0]->weight[i];
  if (CrPassHasSamples(p)) return p->samples->list[i].weight;
  if (p->samples && p->slave) return p->slave->weight[i] * CrSamplesLeave(p->samples);
  return p->ops->slave->is_node ? p->slave->weight[i] : p->weight;
}

/* Returns the i-th slave of a pass of a rigid body's points, if it is a point of an edge; NULL: it is a corner, or the
   centre of a round part. */
static inline const CrSample *CrEdgePoint(const CrPass *p, PetscInt i)
{
  const PetscInt n = p->kind == CR_POINT_ON_FACET && p->samples ? p->n - p->samples->n : p->n;

  return i < n ? NULL : &p->samples->list[i - n];
}

/* Sets Y to the position of the i-th slave of a pass of a rigid body's points, in body axes. Returns the radius of the
   round part whose centre it is, or 0. */
PetscReal CrBodyPoint(const CrContact *c, const CrPass *p, PetscInt i, PetscReal Y[3]);
/* Does the cone of normals of this slave admit the normal nu of a facet, up to the angle tol, if the body has the rotation
   R? */
PetscBool CrBodyPointIsAdmitted(const CrContact *c, const CrPass *p, PetscInt i,
                                const PetscReal R[9], const PetscReal nu[3], PetscReal tol);

/* Computes the position x[dim] of a sample (a slave between nodes). */
static inline void CrGatherSample(const CrContact *c, const CrSample *sample, const PetscReal *u,
                                  PetscReal *x)
{
  PetscInt  dim = c->model->dim;
  PetscReal y[3];

  for (PetscInt i = 0; i < dim; i++) x[i] = 0;
  for (PetscInt a = 0; a < sample->n; a++) {
    CrGatherNode(c, sample->nodes[a], u, y);
    for (PetscInt i = 0; i < dim; i++) x[i] += sample->c[a] * y[i];
  }
}

/* Upper limit of Lame's constant lambda in CrBodyModulus, as a multiple of the shear modulus G. Near a Poisson's ratio
   of 0.5, a layer of elements can expand sideways, so it is softer than lambda suggests. */
#define CR_BULKY 20

/* Returns the modulus min(lambda, 20 G) + 2 G of a deformable body, for the compression of a layer of elements. */
static inline PetscReal CrBodyModulus(const CrContact *c, PetscInt body)
{
  const CrMaterial *m = c->model->bodies[body].material;

  return PetscMin(m->lambda, CR_BULKY * m->shear) + 2 * m->shear;
}

/* Returns the share of the i-th point of a pass: the fraction of the point's area that carries pressure if the point
   touches `facet`. The share depends on the member `sides` of the pair. A share of 0 means that only points of the
   other side are slaves at this place. A share may exceed 1 at a sharp node that indents coarser facets of a softer
   body. */
PetscReal CrPointShare(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet);
/* Does the same as CrPointShare at the instant `at`. If the slave's surface around a sharp point lies flat on the facet,
   the share is at most the share of a smooth point. A point of a long edge has a share only if the facet is smaller than
   the edge. */
PetscReal CrPointShareAt(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                         const CrInstant *at);

/* Returns the greatest distance beyond the edge of a face of a rigid body at which a node still counts as on the
   face. */
PetscReal CrFaceMargin(const CrPass *p, const CrShape *shape, PetscInt face);
/* Lists in faces[] the faces of the rigid body of a pass that the i-th slave node may touch. These are the faces whose
   normals lie in the node's cone of normals, and the face `held` (-1: none). R is the rotation of the body, and u are
   the displacements of the nodes. Returns the number of listed faces. */
PetscInt CrAdmittedFaces(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal R[9],
                         const PetscReal *u, PetscInt held, PetscInt *faces);
/* Computes the gap between the i-th point of the rigid body of a pass and the wall of the pass, at time t. The body has
   the given pose. Also computes the normal nu, and the vector `arm` from the body's centre to the contact. Returns the
   gap. */
PetscReal CrPointAtWall(const CrContact *c, const CrPass *p, PetscInt i, PetscReal t,
                        const CrPose *pose, PetscReal nu[3], PetscReal arm[3]);
/* Computes the normal of the slave's surface at its i-th node, with the displacements u. The normal is the mean of the
   normals of the facets around the node, weighted by their size. The normal is zero at the rim of the surface, because
   some facets around a rim node are missing. */
void CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u,
                   PetscReal normal[3]);
