/* Lists the contacts that may be pressed in a step with many bodies of any shape. Boxes around the bodies, sorted along
   an axis, give candidates. Features of two shapes give contacts. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/crowd_shape.h"

#define REACH 3.0 /* steps of approach for which pairs are listed that will not meet in this one */
#define FAR   0.2 /* of a body's thickness: two that go further in a step are fast */

/* ---- who is near whom ------------------------------------------------------------------------ */

/* The extents of a shape from its centre along each axis of space, in both directions. */
static void extents(const CrShape *s, const CrPose *p, PetscReal low[3], PetscReal high[3])
{
  for (int d = 0; d < 3; d++) {
    PetscReal l[3], X[3], up[3] = {d == 0, d == 1, d == 2};

    if (s->kind == CR_SHAPE_BALL || s->kind == CR_SHAPE_POINT) {
      low[d] = high[d] = s->radius;
      continue;
    }
    m_back(p->R, up, l);
    high[d] = CrShapeSupport(s, l, X);
    for (int i = 0; i < 3; i++) l[i] = -l[i];
    low[d] = CrShapeSupport(s, l, X);
  }
}

/* Computes boxes that contain a body wherever it can be in REACH steps, relative to the mean motion of all bodies.
   */
static void set_boxes(EfdaShapes *S, PetscReal h)
{
  EfdaSystem    *e = &S->system;
  const CrRigid *r = e->rigid;

  for (int d = 0; d < 3; d++) S->mean[d] = 0;
  for (PetscInt b = 0; b < r->n; b++) v_add(S->mean, 1.0 / (PetscReal)r->n, e->now->v + 3 * b);
  for (PetscInt b = 0; b < r->n; b++) {
    const CrShape *s = CrRigidShape(r, b);
    PetscReal      past[3], low[3], high[3];

    CrRigidSpin(r, e->now, b, S->spin + 3 * b);
    v_less(e->now->v + 3 * b, S->mean, past);
    S->way[b] = h * (v_length(past) + v_length(S->spin + 3 * b) * s->reach + h * e->scale.a);
    extents(s, &e->poses[b], low, high);
    for (int d = 0; d < 3; d++) {
      S->low[3 * b + d] = e->now->x[3 * b + d] - low[d] - REACH * S->way[b];
      S->high[3 * b + d] = e->now->x[3 * b + d] + high[d] + REACH * S->way[b];
    }
  }
}

/* The axis along which the bodies are spread most. */
static int choose_axis(const EfdaShapes *S)
{
  PetscReal low[3], high[3];
  int       best = 0;

  v_bounds(S->system.rigid->n, S->system.now->x, low, high);
  for (int d = 1; d < 3; d++)
    if (high[d] - low[d] > high[best] - low[best]) best = d;
  return best;
}

/* Sorts by insertion, because the order of the last step is nearly right. Equal boxes are sorted by number, so that
   the result depends on nothing else. */
static void sort_boxes(EfdaShapes *S, PetscInt n, int axis)
{
  for (PetscInt k = 1; k < n; k++) {
    PetscInt  b = S->order[k], j;
    PetscReal at = S->low[3 * b + axis];

    for (j = k; j > 0; j--) {
      PetscInt  o = S->order[j - 1];
      PetscReal lo = S->low[3 * o + axis];

      if (lo < at || (lo == at && o < b)) break;
      S->order[j] = o;
    }
    S->order[j] = b;
  }
}

static PetscBool boxes_meet(const EfdaShapes *S, PetscInt a, PetscInt b)
{
  for (int d = 0; d < 3; d++)
    if (S->low[3 * a + d] > S->high[3 * b + d] || S->low[3 * b + d] > S->high[3 * a + d])
      return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode find_pairs(EfdaShapes *S)
{
  EfdaSystem    *e = &S->system;
  const CrRigid *r = e->rigid;
  int            axis = choose_axis(S);

  PetscFunctionBeginUser;
  sort_boxes(S, r->n, axis);
  for (PetscInt k = 0; k < r->n; k++) {
    PetscInt a = S->order[k];

    for (PetscInt l = k + 1; l < r->n; l++) {
      PetscInt b = S->order[l];

      if (S->low[3 * b + axis] > S->high[3 * a + axis]) break;
      if (boxes_meet(S, a, b))
        PetscCall(EfdaAddCandidate(e, PetscMin(a, b), PetscMax(a, b), -1, -1));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the box of a body out of reach of a wall? Only planes are tested. */
static PetscBool is_far(const EfdaShapes *S, PetscInt body, PetscInt obstacle, PetscInt wall,
                        PetscReal h)
{
  const EfdaSystem *e = &S->system;
  const CrObstacle *o = &e->contact->obstacles[obstacle];
  PetscReal         shift[3], d[3], v[3], gap = 0;
  CrWall            w;

  CrObstacleShift(o, e->t, shift);
  if (!CrObstacleWall(o, wall, shift, &w) || !w.is_plane) return PETSC_FALSE;
  for (int i = 0; i < 3; i++)
    d[i] = (w.normal[i] > 0 ? S->low : S->high)[3 * body + i] - w.point[i];
  gap = v_dot(d, w.normal);
  EfdaWallVelocity(e, &(EfdaCandidate){.other = -1, .obstacle = obstacle}, e->t, h, v);
  v_add(v, -1, S->mean);
  return gap > REACH * h * v_length(v);
}

static PetscErrorCode find_walls(EfdaShapes *S, PetscReal h)
{
  EfdaSystem    *e = &S->system;
  const CrRigid *r = e->rigid;

  PetscFunctionBeginUser;
  for (PetscInt o = 0; o < e->contact->nobstacles; o++)
    for (PetscInt w = 0; w < CrObstacleWalls(&e->contact->obstacles[o], r->dim); w++)
      for (PetscInt b = 0; b < r->n; b++)
        if (!is_far(S, b, o, w, h)) PetscCall(EfdaAddCandidate(e, b, -1, o, w));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contacts -------------------------------------------------------------------------------- */

void EfdaShapesApproach(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h, PetscReal u[3])
{
  const EfdaSystem *e = &S->system;
  PetscReal         wall[3];

  EfdaWallVelocity(e, c, e->t, h, wall);
  v_less(e->now->v + 3 * c->body, c->other < 0 ? wall : e->now->v + 3 * c->other, u);
}

PetscReal EfdaShapesWay(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h)
{
  const EfdaSystem *e = &S->system;
  PetscReal         u[3], speed = 0;

  EfdaShapesApproach(S, c, h, u);
  EFDA_EACH_SIDE (side, b, c) speed += v_length(S->spin + 3 * b) * CrRigidShape(e->rigid, b)->reach;
  return h * (v_length(u) + speed + h * e->scale.a);
}

PetscBool EfdaShapesAreFast(const EfdaShapes *S, const EfdaCandidate *c, PetscReal h)
{
  PetscReal thin = PETSC_MAX_REAL;

  EFDA_EACH_SIDE (side, b, c) thin = PetscMin(thin, S->thickness[S->system.rigid->shape[b]]);
  return EfdaShapesWay(S, c, h) > FAR * thin;
}

PetscErrorCode EfdaShapesList(EfdaCrowd *crowd, PetscReal h)
{
  EfdaShapes *S = crowd->data;
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  e->candidates.n = e->contacts.n = 0;
  crowd->deepest = 0;
  EfdaPoses(e, e->now);
  set_boxes(S, h);
  if (e->contact) {
    PetscCall(find_walls(S, h));
    PetscCall(find_pairs(S));
  }
  EFDA_EACH_CANDIDATE (c, e)
    PetscCall(EfdaAddContacts(e, c, REACH * EfdaShapesWay(S, c, h) + e->scale.close));
  EFDA_EACH (c, e) {
    EfdaMeet(e, c, e->t, &c->meeting);
    c->start.gap = c->meeting.gap;
    EfdaRows(e, c);
    crowd->deepest = PetscMax(crowd->deepest, -c->start.gap);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
