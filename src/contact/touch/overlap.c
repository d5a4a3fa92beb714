/* Measures the penetration at the start of a run. If a part of it exists only because facets approximate curves, the
   user is warned. */
#include "contact/division.h"
#include "contact/touch/approach.h"

#define OVERLAP_NOTED                                                                              \
  0.01 /* an overlap below this part of a facet comes from the polygon that approximates a curve */
#define EVEN                                                                                       \
  0.02 /* overlaps that vary by more than this part of the deepest one need an explanation */
#define SMOOTH 0.5 /* facets explain the variation if less than this part remains on the curves */

/* The height, above a facet, of the curve through the nodes of its surface, at a place of the facet given by shape
   functions. On a surface of second order, the planes through the corners, weighted by shape functions, are as far
   above the curve as the facet is below. nu is the facet's normal, x are its corners. Nodes at creases and rims have
   no valid normal; *guess is then set, because the curve is known in part only. */
static PetscReal curve_height(const CrModel *model, const CrSurface *s, PetscInt facet,
                              const PetscReal *shape, const PetscReal *nu, const PetscReal *foot,
                              const PetscReal *x, PetscBool *guess)
{
  PetscInt  dim = s->dim;
  PetscReal height = 0;

  for (PetscInt a = 0; a < s->ncorners[facet]; a++) {
    PetscInt  i = 0;
    PetscReal cosine = 0, rise = 0, n[3];

    while (i < s->nnodes && s->nodes[i] != s->corners[4 * facet + a]) i++;
    if (i == s->nnodes || s->rim[i]) {
      *guess = PETSC_TRUE;
      continue;
    }
    CrSurfaceNormal(model, s, i, n);
    for (PetscInt j = 0; j < dim; j++) {
      cosine += n[j] * nu[j];
      rise += n[j] * (x[dim * a + j] - foot[j]);
    }
    if (cosine > 0.8)
      height += 0.5 * shape[a] * rise / cosine;
    else
      *guess = PETSC_TRUE;
  }
  return height;
}

/* The height of the master's curve above a facet, at the closest point of k. x are slave and corners. */
static PetscReal master_height(const CrModel *model, const CrSurface *s, PetscInt facet,
                               const CrKinematics *k, const PetscReal *x, PetscBool *guess)
{
  PetscReal foot[3];

  for (PetscInt j = 0; j < s->dim; j++) foot[j] = x[j] - k->gap * k->nu[j];
  return curve_height(model, s, facet, k->shape, k->nu, foot, x + s->dim, guess);
}

/* Under exact laws a node that had no share may get one while it lies inside. It is held where it is, because
   pushing it out would make energy. */
void CrOverlapNote(const CrContact *c, CrTouch *touch, PetscReal gap)
{
  const PetscBool late = c->passes[touch->pass].cones && !c->springs && !CrTouchMayWait(c, touch) &&
                         !touch->keeps && c->past.facet[touch->point] < 0;

  if ((!*c->past.begun || late) && !touch->idle) touch->overlap = PetscMin(gap, 0);
}

/* Takes note of a gap on facets and on curves, if the bodies overlap there either way. */
static void note_gaps(CrPairNotes *notes, PetscReal facets, PetscReal curves)
{
  if (!(PetscMin(facets, curves) < 0)) return;
  notes->facets[0] = PetscMin(notes->facets[0], facets);
  notes->facets[1] = PetscMax(notes->facets[1], facets);
  notes->curves[0] = PetscMin(notes->curves[0], curves);
  notes->curves[1] = PetscMax(notes->curves[1], curves);
}

/* The centre of a facet of the slave, and the height of the slave's curve above it. */
static PetscReal slave_centre(const CrContact *c, const CrSurface *s, PetscInt f,
                              const PetscReal *u0, PetscReal centre[3], PetscBool *guess)
{
  PetscReal   x[CR_CONTACT_DOFS], shape[4];
  PetscInt    n = CrGatherFacet(c, s, s->corners[4 * f], f, u0, x);
  CrProximity plane;

  CrFacetProximity(s->dim, n, x, &plane);
  centre[0] = centre[1] = centre[2] = 0;
  for (PetscInt a = 0; a < n; a++) {
    shape[a] = 1 / (PetscReal)n;
    for (PetscInt j = 0; j < s->dim; j++) centre[j] += shape[a] * x[s->dim * (a + 1) + j];
  }
  return curve_height(c->model, s, f, shape, plane.nu, centre, x + s->dim, guess);
}

/* Measures the gaps of the centres of the slave's facets. The nodes alone do not show whether facets cause the
   variation of gaps. If two equal polygons are rotated against each other, every node is over the same place of a
   facet; the centres are over other places. */
static void note_centres(CrContact *c, const CrTouch *touch, const PetscReal *u0)
{
  const CrPass    *p = &c->passes[touch->pass];
  const CrSurface *s = p->slave;
  PetscInt         i = touch->point - p->first;

  for (PetscInt j = s->around_start[i]; j < s->around_start[i + 1]; j++) {
    CrInstant    at = {.u = u0};
    PetscBool    guess = PETSC_FALSE;
    PetscReal    x[CR_CONTACT_DOFS], own = slave_centre(c, s, s->around[j], u0, at.x, &guess);
    PetscReal    height;
    CrProximity  near;
    PetscInt     f = CrNearestFacetAt(c, touch, &at, &near), n;
    CrKinematics k;

    if (f < 0 || near.outside > 0) continue;
    n = CrGatherAt(c, p->master, f, &at, x);
    if (!CrKinematicsFacet(s->dim, n, x, &k)) continue;
    height = own + master_height(c->model, p->master, f, &k, x, &guess);
    if (!guess) note_gaps(&c->work->notes[p->pair], k.gap, k.gap - height);
  }
}

void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  CrContact     plain = *c; /* the curves go through the nodes, not through lifted vertices */
  PetscReal     x[CR_CONTACT_DOFS];
  CrKinematics  k;
  PetscBool     guess;

  plain.ends = NULL;
  touch->curved = touch->gap0;
  if (*c->past.begun || !c->pairs[p->pair].resolve || p->kind != CR_NODE_ON_FACET) return;
  CrGatherFacet(&plain, p->master, touch->node, touch->facet, u0, x);
  if (!CrTouchLook(&plain, touch, touch->facet, PETSC_FALSE, u0, &k)) return;
  if (c->ends) touch->curved = k.gap;
  touch->curved -= master_height(c->model, p->master, touch->facet, &k, x, &guess);
  note_gaps(&c->work->notes[p->pair], touch->gap0, touch->curved);
  note_centres(&plain, touch, u0);
}

void CrOverlapForget(CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs && !*c->past.begun; k++) {
    c->work->notes[k].facets[0] = c->work->notes[k].curves[0] = PETSC_MAX_REAL;
    c->work->notes[k].facets[1] = c->work->notes[k].curves[1] = PETSC_MIN_REAL;
  }
}

/* Do gaps vary on the facets, but not on the curves that the facets approximate? Then the two polygons have different
   sides. */
static PetscBool is_faceted(const CrPairNotes *notes)
{
  PetscReal spread = notes->facets[1] - notes->facets[0],
            rest = notes->curves[1] - notes->curves[0];

  return spread > EVEN * -PetscMin(notes->facets[0], notes->curves[0]) && rest < SMOOTH * spread;
}

/* Gaps of the points of all ranks. */
static PetscErrorCode agree(CrContact *c)
{
  PetscReal ends[4];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; c->division && k < c->npairs; k++) {
    CrPairNotes *notes = &c->work->notes[k];

    if (!c->pairs[k].resolve) continue;
    for (int i = 0; i < 2; i++) {
      ends[i] = i ? notes->facets[1] : -notes->facets[0];
      ends[2 + i] = i ? notes->curves[1] : -notes->curves[0];
    }
    PetscCall(CrDivisionMax(c, 4, ends));
    notes->facets[0] = -ends[0];
    notes->facets[1] = ends[1];
    notes->curves[0] = -ends[2];
    notes->curves[1] = ends[3];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapDecide(CrContact *c)
{
  PetscFunctionBeginUser;
  if (!*c->past.begun) PetscCall(agree(c));
  for (PetscInt k = 0; k < c->work->ntouches && !*c->past.begun; k++) {
    CrTouch      *touch = &c->work->touches[k];
    const CrPass *p = &c->passes[touch->pass];

    touch->press = touch->overlap;
    if (touch->idle || p->kind != CR_NODE_ON_FACET || !c->pairs[p->pair].resolve) continue;
    if (!is_faceted(&c->work->notes[p->pair]) || !(PetscMin(touch->gap0, touch->curved) < 0))
      continue;
    touch->overlap = touch->gap0;
    touch->press = PetscMin(touch->curved, 0);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void warn_of_facets(const CrPair *pair, const CrPairNotes *notes)
{
  if (!is_faceted(notes)) return;
  CrWarn(
      "pair \"%s\": the meshes of its two surfaces differ. At the start, the gaps between facets are from %.3g to %.3g, and the gaps between smooth curves through the nodes are from %.3g to %.3g. The program removes the overlap of the curves. The remaining overlap of the facets counts as a gap of zero.",
      pair->name, (double)notes->facets[0], (double)notes->facets[1], (double)notes->curves[0],
      (double)notes->curves[1]);
}

PetscErrorCode CrContactWarnOverlap(const CrContact *c)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npairs; k++) {
    PetscReal deepest = 0, size = PETSC_MAX_REAL;

    for (PetscInt j = 0; j < c->npasses && !c->pairs[k].resolve; j++) {
      const CrPass *p = &c->passes[j];

      if (p->pair != k || p->kind == CR_POINT_ON_WALL) continue;
      size =
          PetscMin(size, (p->ops->slave->is_node || !p->master ? p->slave : p->master)->mean_size);
      for (PetscInt i = 0; i < p->n; i++)
        deepest = PetscMax(deepest, -c->past.overlap[p->first + i]);
    }
    if (!c->pairs[k].resolve) PetscCall(CrDivisionMax(c, 1, &deepest));
    if (deepest > OVERLAP_NOTED * size && !c->work->notes[k].told)
      CrWarn("pair \"%s\" starts with an overlap of %g, which stays and exerts no force "
             "(`overlap: keep`)",
             c->pairs[k].name, (double)deepest);
    if (c->pairs[k].resolve) warn_of_facets(&c->pairs[k], &c->work->notes[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
