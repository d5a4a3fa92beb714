/* Contact of edges with edges: sharp convex edges of one surface that cross those of the other surface. */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/springs/edges.h"

/* ---- edges as slaves -------------------------------------------------------------------------- */

static void begin(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch)
{
  (void)c;
  touch->node = p->ridges[0]->shape ? -1 : CrRidgeNodes(p->ridges[0], i)[0];
}

/* Enlarges a bounding box by the box from `low` to `high`. If `first`, the bounding box begins with it. */
static void add_place(PetscBool first, const PetscReal low[3], const PetscReal high[3],
                      PetscReal box[6])
{
  for (int k = 0; k < 3; k++) {
    box[k] = first ? low[k] : PetscMin(box[k], low[k]);
    box[3 + k] = first ? high[k] : PetscMax(box[3 + k], high[k]);
  }
}

void CrRidgePath(const CrContact *c, const CrRidges *r, PetscInt i, PetscReal box[6])
{
  const PetscInt  *nodes = CrRidgeNodes(r, i);
  const CrPartner *p = r->shape ? &c->work->partners[r->body] : NULL;

  for (int a = 0; a < 2 && !p; a++)
    add_place(a == 0, c->work->path + 6 * nodes[a], c->work->path + 6 * nodes[a] + 3, box);
  for (int a = 0; a < 2 && p; a++)
    for (CrPoseOf pose = CR_POSE_START; pose <= (p->guessed ? CR_POSE_GUESS : CR_POSE_PATH);
         pose++) {
      PetscReal x[3];

      CrPartnerCornerAt(p, nodes[a], pose, x);
      add_place(a == 0 && pose == CR_POSE_START, x, x, box);
    }
}

static void path(const CrContact *c, const CrPass *p, PetscInt i, PetscReal box[6])
{
  CrRidgePath(c, p->ridges[0], i, box);
}

const CrSlaveOps CrSlaveEdge = {.begin = begin, .path = path};

/* ---- a trial state ---------------------------------------------------------------------------- */

void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   CrPoseOf pose, PetscReal x[12])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      nodes[4];

  CrMeetingNodes(p->ridges[0], touch->point - p->first, p->ridges[1], meeting, nodes);
  for (int a = 0; a < 4; a++) {
    const CrRidges *r = p->ridges[a / 2];

    if (r->shape)
      CrPartnerCornerAt(&c->work->partners[r->body], nodes[a], pose, x + 3 * a);
    else
      CrGatherPlain(c, nodes[a], u, x + 3 * a);
  }
}

PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrPoseOf pose, CrKinematics *k)
{
  PetscReal x[12];

  CrGatherEdges(c, touch, meeting, u, pose, x);
  return CrKinematicsEdges(x, k);
}

void CrEdgeHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  CrKinematics  k;

  if (touch->cached == touch->facet) return;
  touch->cached = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  touch->behind = c->tight && touch->gap0 < -BEHIND * p->ridges[0]->length[touch->point - p->first]
                      ? touch->gap0
                      : 0;
  if (!touch->keeps) touch->gd0 = PetscMax(touch->gap0, 0);
  if (touch->keeps && !touch->inherits) touch->gd0 = c->past.gd[touch->point];
  if (touch->keeps && CrEdgesLook(c, touch, touch->facet, u0, CR_POSE_START, &k))
    CrSpringCarry(3, touch, &k);
}

PetscBool CrEdgeStaysOpen(CrTouch *touch)
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
  CrEdgeHistory(c, touch, u0);
  if (!CrEdgesLook(c, touch, touch->facet, step->u, CR_POSE_MIDDLE, &touch->k))
    return CrEdgeStaysOpen(touch);
  touch->facet1 = touch->facet;
  if (step->law->facet != CR_FACET_NONE &&
      !CrEdgesLook(c, touch, touch->facet, step->end, CR_POSE_END, &touch->k1))
    return CrEdgeStaysOpen(touch);
  CrTouchAsk(c, touch, step);
  return PETSC_TRUE;
}

PetscReal CrGapOfEdges(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  CrKinematics k;

  if (!CrEdgesLook(c, touch, touch->facet, u1, CR_POSE_END, &k)) return PETSC_MAX_REAL;
  return touch->out.p > 0 || CrEdgesBeyond(k.xi) <= OPEN_EDGE ? k.gap : PETSC_MAX_REAL;
}

const CrPassOps CrPass_edge_on_edge = {.slave = &CrSlaveEdge,
                                       .search = CrSearchEdges,
                                       .look = look,
                                       .gap = CrGapOfEdges};
