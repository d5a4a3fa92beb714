/* Edges on edges: sharp convex edges of one surface that cross those of the other one. */
#include "contact/springs/edges.h"

/* ---- edges as slaves -------------------------------------------------------------------------- */

static void begin(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch)
{
  (void)c;
  touch->node = CrRidgeNodes(p->ridges[0], i)[0];
}

static void path(const CrContact *c, const CrPass *p, PetscInt i, PetscReal box[6])
{
  const PetscInt  *nodes = CrRidgeNodes(p->ridges[0], i);
  const PetscReal *a = c->work->path + 6 * nodes[0], *b = c->work->path + 6 * nodes[1];

  for (int k = 0; k < 3; k++) {
    box[k] = PetscMin(a[k], b[k]);
    box[3 + k] = PetscMax(a[3 + k], b[3 + k]);
  }
}

static const CrSlaveOps slave_edge = {.begin = begin, .path = path};

/* ---- a trial state ---------------------------------------------------------------------------- */

void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   PetscReal x[12])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      nodes[4];

  CrMeetingNodes(p->ridges[0], touch->point - p->first, p->ridges[1], meeting, nodes);
  for (int a = 0; a < 4; a++) CrGatherNode(c, nodes[a], u, x + 3 * a);
}

PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrKinematics *k)
{
  PetscReal x[12];

  CrGatherEdges(c, touch, meeting, u, x);
  return CrKinematicsEdges(x, k);
}

/* Dynamic gap and elastic slip of t_n in the tangents of the meeting: constants of the step. */
static void set_history(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  CrKinematics k;

  if (touch->cached == touch->facet) return;
  touch->cached = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  if (!touch->keeps) touch->gd0 = PetscMax(touch->gap0, 0);
  if (touch->keeps && !touch->inherits) touch->gd0 = c->past.gd[touch->point];
  if (touch->keeps && CrEdgesLook(c, touch, touch->facet, u0, &k)) CrSpringCarry(3, touch, &k);
}

/* Edges that have become parallel do not cross. If they hold no spring, they are open. */
static PetscBool stays_open(CrTouch *touch)
{
  if (touch->keeps && touch->gd0 < 0) return PETSC_FALSE;
  touch->k = (CrKinematics){.form = CR_FORM_EDGES, .dim = 3, .nmaster = 3};
  touch->in = (CrLawInput){.ntangents = 2, .metric = 1};
  touch->out = (CrLawOutput){.gd1 = PetscMax(touch->gd0, 0)};
  return PETSC_TRUE;
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  (void)choose; /* the meeting is chosen at the start of the step */
  set_history(c, touch, u0);
  if (!CrEdgesLook(c, touch, touch->facet, step->u, &touch->k)) return stays_open(touch);
  touch->facet1 = touch->facet;
  if (step->law->facet != CR_FACET_NONE &&
      !CrEdgesLook(c, touch, touch->facet, step->end, &touch->k1))
    return stays_open(touch);
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

static PetscReal gap(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  CrKinematics k;

  if (!CrEdgesLook(c, touch, touch->facet, u1, &k)) return PETSC_MAX_REAL;
  return touch->out.p > 0 || CrEdgesBeyond(k.xi) <= OPEN_EDGE ? k.gap : PETSC_MAX_REAL;
}

const CrPassOps CrPass_edge_on_edge = {.slave = &slave_edge,
                                       .search = CrSearchEdges,
                                       .look = look,
                                       .gap = gap};
