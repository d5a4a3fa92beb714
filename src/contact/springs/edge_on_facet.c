/* Contact of sharp edges with facets, if no penetration is allowed at the end of a step (theory 17.7). A straight edge
   may penetrate a warped quadrilateral between its ends. The contact condition applies to the lowest point of the edge
   above the quadrilateral. This point moves along the edge while the step is solved. The gap is stationary there, so
   that the derivative of the gap is that of a fixed point of the edge. These contacts are not found by the contact
   search, but added where an edge penetrates (calls.c). */
#include "base/vector.h"
#include "contact/geometry/lowest.h"
#include "contact/springs/calls.h"

#define NEAR    0.02 /* of a facet: gap at which a law goes */
#define MOVES   12   /* evaluations in which a place moves */
#define SAME    1e-9 /* of an edge: two places that are one */
#define BEYOND  8    /* times the distance to the centre of force: place of the next law */
#define CLOSEST 1e-3 /* of the distance of two laws: least distance of the next law */
#define DEEPEST 0.5  /* of a facet: deeper edges came from another side */

/* The lowest point of the edge of a sample over a facet. */
static PetscBool lowest_at(const CrContact *c, const CrPass *p, const CrSample *place,
                           PetscInt facet, const PetscReal *u, CrLowest *lowest)
{
  PetscReal ends[2][3], x[CR_CONTACT_DOFS];

  for (int a = 0; a < 2; a++) CrGatherNode(c, place->nodes[a], u, ends[a]);
  (void)CrGatherFacet(c, p->master, place->nodes[0], facet, u, x);
  return CrEdgeLowest(ends[0], ends[1], x, NEAR * p->master->size[facet], lowest);
}

static CrSample *place_of(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return &p->samples->list[touch->point - p->first];
}

/* ---- a step ----------------------------------------------------------------------------------- */

/* Has the touch before another copy of edge i the same facet? */
static PetscBool is_doubled(const CrContact *c, PetscInt pass, PetscInt i, PetscInt facet)
{
  const CrPass  *p = &c->passes[pass];
  const PetscInt copies = CrCallCopies(p);

  for (PetscInt k = c->work->first[pass]; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if ((touch->point - p->first) / copies == i / copies && touch->facet == facet)
      return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscErrorCode search(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];

  (void)nends, (void)ends;
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt point = p->first + i, facet = c->past.facet[point];
    CrLowest lowest;
    CrTouch *touch;

    if (facet < 0) continue;
    if (c->work->plain || is_doubled(c, pass, i, facet) ||
        !lowest_at(c, p, &p->samples->list[i], facet, u0, &lowest) ||
        !(lowest.gap < NEAR * p->master->size[facet])) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    CrSamplePut(&p->samples->list[i], lowest.share);
    PetscCall(CrTouchNew(c, pass, i, &touch));
    touch->facet = facet;
    touch->gap0 = lowest.gap;
    touch->keeps = c->past.gd[point] < 0;
    touch->waits = !touch->keeps;
    touch->moves = MOVES;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An edge high above a warped quad, or beside it, may have no closest point. Without a reaction it needs none. */
static PetscBool stays_open(CrTouch *touch)
{
  if (touch->keeps && touch->gd0 < 0) return PETSC_FALSE;
  touch->k = touch->k1 = (CrKinematics){.form = CR_FORM_QUAD, .dim = 3, .nmaster = 4};
  touch->in = (CrLawInput){.ntangents = 2, .metric = 1};
  touch->out = (CrLawOutput){.gd1 = PetscMax(touch->gd0, 0)};
  return PETSC_TRUE;
}

/* Penetration of the start is kept, because a reaction that lessens it creates energy. */
static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  const CrPass *p = &c->passes[touch->pass];
  CrSample     *place = place_of(c, touch);
  CrLowest      lowest;

  (void)u0, (void)choose;
  if (touch->cached != touch->facet)
    touch->behind = touch->gap0 < -BEHIND * p->master->size[touch->facet] ? touch->gap0 : 0;
  touch->facet1 = touch->cached = touch->facet;
  touch->gd0 = touch->keeps ? c->past.gd[touch->point] : PetscMax(touch->gap0, 0);
  if (touch->moves > 0 && lowest_at(c, p, place, touch->facet, step->end, &lowest))
    CrSamplePut(place, lowest.share);
  touch->moves--;
  if (!CrTouchLook(c, touch, touch->facet, PETSC_TRUE, step->u, &touch->k) ||
      !CrTouchLook(c, touch, touch->facet, PETSC_TRUE, step->end, &touch->k1))
    return stays_open(touch);
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

static PetscReal gap(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  CrKinematics k;

  return CrTouchLook(c, touch, touch->facet, PETSC_TRUE, u1, &k) ? k.gap : PETSC_MAX_REAL;
}

const CrPassOps CrPass_edge_on_facet = {
    .slave = &CrSlaveSample, .facets = PETSC_TRUE, .search = search, .look = look, .gap = gap};

/* ---- calls ------------------------------------------------------------------------------------ */

/* Has edge i of a pass a law on the facet? */
static PetscBool has_law(const CrContact *c, PetscInt pass, PetscInt i, PetscInt facet,
                         PetscReal share)
{
  const CrPass *p = &c->passes[pass];

  CR_EACH_TOUCH_OF (touch, c, pass) {
    PetscInt k = touch->point - p->first - i;

    if (k >= 0 && k < CrCallCopies(p) && touch->facet == facet && (!touch->idle || touch->called) &&
        PetscAbsReal(touch->sample->c[1] - share) < SAME)
      return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode CrDipsFind(CrContact *c, PetscInt pass, PetscInt i, const PetscReal *u0,
                          const PetscReal *u1)
{
  const CrPass   *p = &c->passes[pass];
  const CrSample *place = &p->samples->list[i];
  PetscInt        n, *found = c->work->query;
  PetscReal       box[6], x[2][3];

  PetscFunctionBeginUser;
  for (int a = 0; a < 2; a++) CrGatherNode(c, place->nodes[a], u1, x[a]);
  for (int d = 0; d < 3; d++) {
    box[d] = PetscMin(x[0][d], x[1][d]);
    box[3 + d] = PetscMax(x[0][d], x[1][d]);
  }
  n = CrShellQuery(p->shell, box, p->master->nfacets, found);
  for (PetscInt k = 0; k < n; k++) {
    PetscInt  f = found[k], nodes[6];
    PetscReal size = p->master->size[f];
    CrLowest  lowest;

    if (p->master->ncorners[f] != 4 || !lowest_at(c, p, place, f, u1, &lowest)) continue;
    if (lowest.gap > -CR_DEEP * size || lowest.gap < -DEEPEST * size) continue;
    if (!CrSampleIsAdmitted(c->model, p->slave, place, u1, lowest.nu, c->pairs[p->pair].cone))
      continue;
    for (int a = 0; a < 6; a++)
      nodes[a] = a < 2 ? place->nodes[a] : p->master->corners[4 * f + a - 2];
    if (-lowest.gap > CrRelativeWay(2, nodes, 4, nodes + 2, u0, u1)) continue;
    if (!has_law(c, pass, i, f, lowest.share))
      PetscCall(CrCallAdd(c, pass, i, f, -lowest.gap, size, 6, nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first touch of edge i of a pass on a facet; NULL: none. */
static CrTouch *other_on(const CrContact *c, PetscInt pass, PetscInt i, PetscInt facet)
{
  const CrPass  *p = &c->passes[pass];
  const PetscInt copies = CrCallCopies(p);

  CR_EACH_TOUCH_OF (other, c, pass)
    if (other->facet == facet && (other->point - p->first) / copies == i / copies) return other;
  return NULL;
}

PetscBool CrDipRefines(const CrContact *c, const CrCall *call)
{
  return c->passes[call->pass].kind == CR_EDGE_ON_FACET &&
         other_on(c, call->pass, call->i, call->facet);
}

PetscBool CrDipReplaces(const CrContact *c, const CrCall *call, const PetscReal *u0,
                        const PetscReal *u1)
{
  const CrPass *p = &c->passes[call->pass];
  CrTouch      *spare = NULL;

  CR_EACH_TOUCH_OF (touch, c, call->pass)
    if (touch->called && !touch->idle && touch->behind == 0 && !(touch->out.p > 0) &&
        touch->facet == call->facet &&
        (touch->point - p->first) / CrCallCopies(p) == call->i / CrCallCopies(p) &&
        (!spare || touch->k1.gap > spare->k1.gap))
      spare = touch;
  if (!spare) return PETSC_FALSE;
  spare->gap0 = CrDipStart(c, spare, u0, u1);
  spare->cached = -1;
  return PETSC_TRUE;
}

/* Where the next law of an edge on a facet belongs, if its lowest point is at `share`. Two pressed laws beside the lowest
   point have their centre of force where a single law would press. One of them is usually much nearer to the centre. The
   next law then belongs close behind the centre, so that the two laws around it are near each other. The depth between
   them falls with the square of their distance. The lowest point itself would only halve this distance. */
static PetscReal next_place(const CrContact *c, const CrTouch *touch, PetscReal share)
{
  const CrPass  *p = &c->passes[touch->pass];
  const PetscInt copies = CrCallCopies(p), edge = (touch->point - p->first) / copies;
  const CrTouch *side[2] = {NULL,
                            NULL}; /* the nearest pressed laws below and above the lowest point */
  PetscReal      force[2], part;
  int            strong;

  CR_EACH_TOUCH_OF (other, c, touch->pass) {
    const PetscReal at = other->sample->c[1];
    const int       k = at > share;

    if (other == touch || other->idle || other->facet != touch->facet || !(other->out.p > 0) ||
        (other->point - p->first) / copies != edge)
      continue;
    if (!side[k] || PetscAbsReal(at - share) < PetscAbsReal(side[k]->sample->c[1] - share))
      side[k] = other;
  }
  if (!side[0] || !side[1]) return share;
  for (int k = 0; k < 2; k++) force[k] = side[k]->weight * side[k]->out.p;
  strong = force[1] > force[0];
  part = force[1 - strong] / (force[0] + force[1]);
  if (BEYOND * part < 0.5) part = PetscMax(BEYOND * part, CLOSEST);
  return side[strong]->sample->c[1] +
         part * (side[1 - strong]->sample->c[1] - side[strong]->sample->c[1]);
}

PetscReal CrDipStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const PetscReal *u1)
{
  const CrPass *p = &c->passes[touch->pass];
  CrSample     *place = place_of(c, touch);
  CrLowest      lowest;

  if (lowest_at(c, p, place, touch->facet, u1, &lowest))
    CrSamplePut(place, next_place(c, touch, lowest.share));
  return lowest_at(c, p, place, touch->facet, u0, &lowest) ? lowest.gap : PETSC_MAX_REAL;
}
