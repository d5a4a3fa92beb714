/* Computes positions of nodes and facets of contact surfaces (place.h). */
#include "contact/place.h"
#include "base/vector.h"
#include "rigid/corners.h"

void CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                   PetscReal normal[3])
{
  const CrSurface *s = p->slave;
  PetscReal        x[CR_CONTACT_DOFS];
  CrProximity      near;

  for (int d = 0; d < 3; d++) normal[d] = 0;
  if (s->rim[i]) return;
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
    PetscInt f = s->around[k], n = CrGatherFacet(c, s, s->nodes[i], f, u0, x);

    CrFacetProximity(c->model->dim, n, x, &near);
    v_add(normal, s->size[f], near.nu);
  }
  (void)v_unit(normal);
}

#define FLAT (2 * PETSC_PI / 180) /* surfaces that make a smaller angle lie on each other */

/* ---- points of long edges --------------------------------------------------------------------- */

/* The ends of the edge of a point. */
static void edge_ends(const CrContact *c, const CrPass *p, const CrSample *point,
                      const CrInstant *at, PetscReal ends[2][3])
{
  const CrShape *s = point->edge < 0 ? NULL : CrRigidShape(c->model->rigid, p->partner);

  for (int k = 0; k < 2; k++)
    if (s)
      m_times(at->R, s->vertices + 3 * point->nodes[k], ends[k]);
    else
      CrGatherNode(c, point->nodes[k], at->u, ends[k]);
}

/* Returns the number of parts into which the edge of a point is divided where it touches a facet; 0: the point is not in
   use there. *distance is the length of a part, and *extent that of the facet along the edge. */
static PetscInt find_parts(const CrContact *c, const CrPass *p, const CrSample *point,
                           PetscInt facet, const CrInstant *at, PetscReal *distance,
                           PetscReal *extent)
{
  PetscReal ends[2][3], along[3], length, x[3], least = PETSC_MAX_REAL, most = -PETSC_MAX_REAL;
  PetscInt  parts;

  edge_ends(c, p, point, at, ends);
  v_less(ends[1], ends[0], along);
  length = v_unit(along) / (PetscReal)point->stretches;
  for (PetscInt a = 0; a < p->master->ncorners[facet]; a++) {
    CrGatherNode(c, p->master->corners[4 * facet + a], at->u, x);
    least = PetscMin(least, v_dot(x, along));
    most = PetscMax(most, v_dot(x, along));
  }
  parts = CrLongEdgeParts(length, most - least);
  *extent = most - least;
  *distance = length / (PetscReal)parts;
  return parts < point->parts ? 0 : parts;
}

/* A face at a long edge that lies flat on a facet is held by the corners of smaller facets, unless it is so narrow
   that none may be below it. */
static PetscReal flat_share(PetscReal width, PetscReal other)
{
  return width > other ? 0 : CrShareBothBySpacing(width, other, PETSC_FALSE);
}

static void facet_normal(const CrContact *c, const CrSurface *s, PetscInt facet, const PetscReal *u,
                         PetscReal nu[3])
{
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrGatherFacet(c, s, s->corners[4 * facet], facet, u, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  v_copy(near.nu, nu);
}

/* The share of a point of a long edge of a surface. Each point in use has an equal part of the area of the edge. The
   cones of smaller facets do not admit the edge, so that no points of the other side share the contact with it. */
static PetscReal long_share(const CrContact *c, const CrPass *p, const CrSample *point,
                            PetscInt facet, const CrInstant *at)
{
  PetscReal      nu[3], width, distance, extent;
  const PetscInt parts = find_parts(c, p, point, facet, at, &distance, &extent);

  if (!parts) return 0;
  facet_normal(c, p->master, facet, at->u, nu);
  width = CrSampleFlatWidth(c->model, p->slave, point, at->u, nu, FLAT);
  return (width > 0 ? flat_share(width, p->master->features->facet_spacing[facet]) : 1) /
         (PetscReal)parts;
}

/* The share of a point of an edge of a rigid body. The area of the body has nothing to do with the mesh, so that the
   point gets the area of a strip as wide as the facet. */
static PetscReal body_edge_share(const CrContact *c, const CrPass *p, const CrSample *point,
                                 PetscInt facet, const CrInstant *at)
{
  const CrShape  *s = CrRigidShape(c->model->rigid, p->partner);
  const PetscReal other = p->master->features->facet_spacing[facet];
  PetscReal       nu[3], width, distance, extent;

  if (!find_parts(c, p, point, facet, at, &distance, &extent)) return 0;
  facet_normal(c, p->master, facet, at->u, nu);
  width = CrEdgeFlatWidth(s, point->edge, at->R, nu, FLAT);
  return (width > 0 ? flat_share(width, other) : 1) * distance * PetscSqr(other) /
         (extent * p->weight);
}

/* ---- shares ----------------------------------------------------------------------------------- */

/* The share of a sample. Both sides have samples, so the spacings of facets are compared. `blunt` means that the sample
   does not count as sharp. */
static PetscReal sample_share(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                              PetscBool blunt)
{
  const CrPair   *pair = &c->pairs[p->pair];
  const CrSample *sample = &p->samples->list[i];
  PetscReal       other = p->master->features->facet_spacing[facet];

  if (pair->sides == CR_SIDES_BOTH)
    return CrShareBothBySpacing(sample->spacing, other, sample->turn > pair->corner && !blunt);
  return CrShareFinerBySpacing(sample->spacing, other, sample->turn > 2 * pair->corner, p->leads);
}

/* The share of a node on a face of a rigid body, or of a corner of the body on a facet. It depends on the sizes of
   facets and faces. If only one side has slaves, the share is 1. */
static PetscReal rigid_share(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet)
{
  const CrPair  *pair = &c->pairs[p->pair];
  const CrShape *s = CrRigidShape(c->model->rigid, p->partner);
  PetscReal      own, other, share;
  PetscBool      sharp;

  if (pair->slaves != CR_SLAVES_BOTH || !c->springs) return 1;
  if (p->ops->slave->is_node) {
    own = p->slave->features->spacing[i];
    other = CrFaceSize(s, facet);
    sharp = CrIsSharp(p->slave, i, pair->corner);
  } else {
    own = CrCornerSize(s, i);
    other = p->master->features->facet_spacing[facet];
    sharp = CrCornerTurn(s, i) > pair->corner;
  }
  share = PetscSqr(other) / (PetscSqr(own) + PetscSqr(other));
  return sharp ? PetscMax(share, 0.5) : share;
}

/* A sharp node indents a facet of size H. If its own body is finer and stiffer, the facet yields as a whole, whatever the
   small area of the node is. The node then carries the area of a spot of the facet: along an edge h H for h^2, at a
   corner H^2. The ratio of the stiffnesses limits H/h, because a soft tip yields by itself. */
static PetscReal tip_factor(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet)
{
  const CrFeatures *own = p->slave->features;
  const PetscReal   corner = c->pairs[p->pair].corner;
  const PetscReal   finer = p->master->features->facet_spacing[facet] / own->spacing[i];
  const PetscReal   stiffer = CrBodyModulus(c, p->slave->body) / CrBodyModulus(c, p->master->body);
  const PetscReal   grow = PetscMin(finer, stiffer);

  if (!(grow > 1) || !CrIsSharp(p->slave, i, corner)) return 1;
  return c->model->dim == 3 && own->third_turn[i] > corner ? PetscSqr(grow) : grow;
}

static PetscReal share_of(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                          PetscBool blunt)
{
  const CrPair *pair = &c->pairs[p->pair];

  if (p->ops->body) return rigid_share(c, p, i, facet);
  if (CrPassHasSamples(p)) return sample_share(c, p, i, facet, blunt);
  if (pair->sides == CR_SIDES_BOTH)
    return CrShareBoth(p->slave, i, p->master, facet, blunt ? PETSC_MAX_REAL : pair->corner) *
           (blunt || !c->springs ? 1 : tip_factor(c, p, i, facet));
  if (pair->sides == CR_SIDES_FINER)
    /* coarse polygons of round bodies turn by up to 30 degrees and must not have points of both sides everywhere */
    return CrShareFiner(p->slave, i, p->master, facet, 2 * pair->corner, p->leads);
  return 1;
}

PetscReal CrPointShare(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet)
{
  return share_of(c, p, i, facet, PETSC_FALSE);
}

static PetscBool is_sharp(const CrContact *c, const CrPass *p, PetscInt i)
{
  PetscReal corner = c->pairs[p->pair].corner;

  return CrPassHasSamples(p) ? p->samples->list[i].turn > corner : CrIsSharp(p->slave, i, corner);
}

static PetscBool lies_flat(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                           const PetscReal *u)
{
  PetscReal nu[3];

  facet_normal(c, p->master, facet, u, nu);
  if (CrPassHasSamples(p))
    return CrSampleLiesFlat(c->model, p->slave, &p->samples->list[i], u, nu, FLAT);
  return CrLiesFlat(c->model, p->slave, i, u, nu, FLAT);
}

PetscReal CrPointShareAt(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                         const CrInstant *at)
{
  const CrSample *on_body = CrEdgePoint(p, i);
  PetscBool       flat;

  if (on_body) return body_edge_share(c, p, on_body, facet, at);
  if (CrPassHasSamples(p) && p->samples->list[i].parts)
    return long_share(c, p, &p->samples->list[i], facet, at);
  flat = c->pairs[p->pair].sides == CR_SIDES_BOTH && !p->ops->body && !CrPassHasEdges(p) &&
         is_sharp(c, p, i) && lies_flat(c, p, i, facet, at->u);
  return share_of(c, p, i, facet, flat);
}

/* ---- rigid bodies ------------------------------------------------------------------------------ */

PetscReal CrBodyPoint(const CrContact *c, const CrPass *p, PetscInt i, PetscReal Y[3])
{
  const CrShape  *s = CrRigidShape(c->model->rigid, p->partner);
  const CrSample *point = CrEdgePoint(p, i);

  if (!point) return CrShapePoint(s, i, Y);
  for (int d = 0; d < 3; d++)
    Y[d] = point->c[0] * s->vertices[3 * point->nodes[0] + d] +
           point->c[1] * s->vertices[3 * point->nodes[1] + d];
  return 0;
}

PetscBool CrBodyPointIsAdmitted(const CrContact *c, const CrPass *p, PetscInt i,
                                const PetscReal R[9], const PetscReal nu[3], PetscReal tol)
{
  const CrShape  *s = CrRigidShape(c->model->rigid, p->partner);
  const CrSample *point = CrEdgePoint(p, i);

  if (point) return CrEdgeIsAdmitted(s, point->edge, R, nu, tol);
  return CrCornerIsAdmitted(s, i, R, nu, tol);
}

PetscReal CrFaceMargin(const CrPass *p, const CrShape *s, PetscInt face)
{
  return OPEN_EDGE * (p->cones ? PetscMin(CrFaceSize(s, face), p->slave->mean_size) : s->reach);
}

PetscInt CrAdmittedFaces(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal R[9],
                         const PetscReal *u, PetscInt held, PetscInt *faces)
{
  const CrShape *s = CrRigidShape(c->model->rigid, p->partner);
  PetscInt       n = 0;

  for (PetscInt f = 0; f < s->nfaces; f++) {
    PetscReal nu[3];

    m_times(R, s->normals + 3 * f, nu);
    if (f == held ||
        CrIsAdmitted(c->model, p->slave, i, u, nu, c->pairs[p->pair].cone + CrFaceSlack(s, f)))
      faces[n++] = f;
  }
  return n;
}

PetscReal CrPointAtWall(const CrContact *c, const CrPass *p, PetscInt i, PetscReal t,
                        const CrPose *pose, PetscReal nu[3], PetscReal arm[3])
{
  return CrObstacleMeet(p->obstacle, p->wall, t, t, CrRigidShape(c->model->rigid, p->partner), i,
                        pose->x, pose->R, pose->R, nu, arm);
}
