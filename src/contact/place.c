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
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrGatherFacet(c, p->master, p->master->corners[4 * facet], facet, u, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  if (CrPassHasSamples(p))
    return CrSampleLiesFlat(c->model, p->slave, &p->samples->list[i], u, near.nu, FLAT);
  return CrLiesFlat(c->model, p->slave, i, u, near.nu, FLAT);
}

PetscReal CrPointShareAt(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                         const PetscReal *u)
{
  PetscBool blunt = c->pairs[p->pair].sides == CR_SIDES_BOTH && !p->ops->body &&
                    !CrPassHasEdges(p) && is_sharp(c, p, i) && lies_flat(c, p, i, facet, u);

  return share_of(c, p, i, facet, blunt);
}

/* ---- rigid bodies ------------------------------------------------------------------------------ */

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
