/* Contact points under exact laws: the gaps and slips z that satisfy the law, the choice of active contacts, and the
   reactions. */
#include "base/grow.h"
#include "base/vector.h"
#include "contact/cones/active.h"
#include "contact/division.h"
#include "model/forces.h"

#define INSIDE 1e-13 /* penetration above this part of a facet counts */
#define ROUNDING                                                                                   \
  2 /* of the size of the model, times the machine precision: gaps are not known better */
#define WAITED 1e-11 /* of points that wait, where rounding of others must not call them */

#define LEFT 0.6 /* of a facet: distance from a valley beyond which it does not hold a point */

/* ---- life ----------------------------------------------------------------------------------- */

/* Numbers the nodes that this rank owns. */
static void number_nodes(CrCones *s, const CrSurface *surface)
{
  for (PetscInt k = 0; surface && k < surface->nnodes; k++) {
    PetscInt A = surface->nodes[k];

    if (A >= s->contact->model->nowned || s->index[A] >= 0) continue;
    s->index[A] = s->nnodes;
    s->nodes[s->nnodes++] = A;
  }
}

PetscErrorCode CrConesCreate(CrContact *contact, CrConesLevel level, PetscReal theta,
                             CrContactHistory *history, CrCones **out)
{
  const CrModel *model = contact->model;
  CrCones       *s;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  s->contact = contact;
  s->level = level;
  s->theta = theta;
  s->ease = 1;
  s->law = CrLaw_reactions;
  if (level == CR_LEVEL_GAP) s->law.facet = CR_FACET_END;
  PetscCall(CrContactDivide(contact, PETSC_FALSE));
  PetscCall(
      PetscMalloc3(model->nlocal, &s->index, model->nowned, &s->nodes, model->nlocal, &s->known));
  for (PetscInt A = 0; A < model->nlocal; A++) s->index[A] = s->known[A] = -1;
  for (PetscInt k = 0; k < contact->npasses; k++) {
    number_nodes(s, contact->passes[k].slave);
    number_nodes(s, contact->passes[k].master);
  }
  PetscCall(PetscMalloc2(s->nnodes * model->dim, &s->moved, model->nlocal * model->dim, &s->push));
  PetscCall(PetscMalloc3(0, &s->part, 0, &s->here, 24 * model->rigid->n, &s->y));
  PetscCall(CrContactWiden(contact, history, CR_KEPT));
  PetscCall(CrConeCreate(model->dim, 0, &s->cone));
  PetscCall(CrConesCreateBodies(s));
  PetscCall(CrConesCreateTurning(s));
  *out = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many layers of elements at a surface a wave crosses per unit of time. */
static PetscReal rate_of(const CrModel *model, const CrSurface *surface)
{
  const CrMaterial *m = surface ? model->bodies[surface->body].material : NULL;

  return m ? CrMaterialWaveSpeed(m) / surface->layer : PETSC_MAX_REAL;
}

PetscErrorCode CrConesReturn(CrCones *s)
{
  const CrContact *c = s->contact;
  const CrModel   *model = c->model;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(c->npasses, &s->rate));
  for (PetscInt k = 0; k < c->npasses; k++)
    s->rate[k] = PetscMin(rate_of(model, c->passes[k].slave), rate_of(model, c->passes[k].master));
  s->returns = PETSC_TRUE;
  PetscCall(PetscMalloc1(model->nlocal, &s->mass));
  PetscCall(CrModelNodeMasses(model, s->mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesDestroy(CrCones **out)
{
  CrCones         *s = *out;
  CrConesResponse *responses;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  responses = s->responses;
  for (PetscInt k = 0; k < s->room_responses; k++) PetscCall(PetscFree(responses[k].x));
  PetscCall(PetscFree(s->responses));
  PetscCall(PetscFree(s->mass));
  PetscCall(PetscFree(s->rate));
  PetscCall(PetscFree3(s->index, s->nodes, s->known));
  PetscCall(PetscFree(s->learned));
  PetscCall(PetscFree3(s->part, s->here, s->y));
  PetscCall(PetscFree(s->gathered));
  PetscCall(PetscFree2(s->moved, s->push));
  PetscCall(PetscFree(s->touches));
  PetscCall(CrConesFreeLists(s));
  PetscCall(PetscFree3(s->flexibility, s->body_free, s->body_push));
  PetscCall(CrConeDestroy(&s->cone));
  PetscCall(CrConesDestroyTurning(s));
  PetscCall(PetscFree(s->stiffened.A));
  PetscCall(PetscFree(s->stiffened.rows));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a step --------------------------------------------------------------------------------- */

PetscErrorCode CrConesBegin(CrCones *s)
{
  CrContact *c = s->contact;

  PetscFunctionBeginUser;
  s->rounds = 0;
  PetscCall(CrGrow(c->work->ntouches, &s->room, &s->touches));
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    CrTouch         *touch = &c->work->touches[k];
    const PetscReal *last = c->past.method + CR_KEPT * touch->point;

    s->touches[k].state = OUT;
    touch->lambda = last[CR_KEPT_PRESSURE];
    v_copy(last + CR_KEPT_FRICTION, touch->traction);
    CrConesOpenBank(s, k, last);
    if (touch->beside)
      touch->lambda = touch->traction[0] = touch->traction[1] = touch->traction[2] = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what obeys the law --------------------------------------------------------------------- */

/* The gap that obeys the law. Penetration of the start counts as zero gap, or the ramp pushes it out. So does one of
   the start of the step, because a reaction that lessens it makes energy. */
PetscReal CrConesGap(const CrCones *s, const CrTouch *touch)
{
  const CrPair *pair = &s->contact->pairs[s->contact->passes[touch->pass].pair];
  PetscReal     held = PetscMin(touch->overlap, touch->behind);

  if (pair->resolve && touch->overlap != 0) held = touch->overlap;
  return touch->k1.gap - held + touch->shift1;
}

/* The same, of a point that a reaction pushes off (bank.c). */
static PetscReal lifted(const CrCones *s, const CrTouch *touch)
{
  return CrConesGap(s, touch) - s->touches[touch - s->contact->work->touches].lift;
}

/* The displacement of the obstacle that corresponds to `way`. */
static void obstacle_way(const CrCones *s, const CrTouch *touch, PetscReal move[3])
{
  const CrContact  *c = s->contact;
  const CrObstacle *o = c->passes[touch->pass].obstacle;
  PetscReal         t1 = c->work->t + c->work->h;

  CrPassMove(&c->passes[touch->pass], c->work->t, t1, move);
  for (int i = 0; s->level == CR_LEVEL_VELOCITY && o && i < 3; i++)
    move[i] = s->theta * c->work->h * (o->velocity[i] + o->acceleration[i] * t1);
}

/* The operator `op` (G or H) times nodal values `way`, relative to the displacement `move` of the obstacle (NULL: it
   does not move). */
static PetscReal along(const CrCones *s, const CrTouch *touch, const PetscReal *op,
                       const PetscReal *way, const PetscReal move[3])
{
  PetscInt  dim = s->contact->model->dim;
  PetscReal sum = 0;
  CrSpread  spread;

  CrTouchSpread(s->contact, touch, &spread);
  for (PetscInt e = 0; e < spread.n; e++)
    for (PetscInt i = 0, a = spread.column[e]; i < dim; i++)
      sum += spread.c[e] * op[dim * a + i] *
             (way[dim * spread.nodes[e] + i] - (move && a == 0 ? move[i] : 0));
  return sum;
}

/* z of a touch with a rigid body. */
static void measure_with_body(const CrCones *s, const CrTouch *touch, const PetscReal *way,
                              PetscReal z[3])
{
  PetscInt dim = s->contact->model->dim;

  z[0] = s->level == CR_LEVEL_GAP ? lifted(s, touch) : touch->in.dg + touch->shift1 - touch->shift0;
  for (PetscInt i = 1; i < dim; i++) z[i] = touch->in.ds[i - 1];
  for (PetscInt i = 0; s->level == CR_LEVEL_VELOCITY && i < dim; i++) {
    const PetscReal *op = i ? touch->k.H[i - 1] : touch->k.G;
    PetscReal        wall[3];

    obstacle_way(s, touch, wall);
    z[i] = along(s, touch, op, way, NULL) + CrConesBodyWay(s, touch, i) - v_dot_n(dim, op, wall);
    if (i == 0) z[i] += touch->shift1 - touch->shift0;
  }
}

/* Computes z of a touch at the trial state of the last evaluation. */
static void measure(const CrCones *s, const CrTouch *touch, const PetscReal *way, PetscReal z[3])
{
  PetscReal move[3];

  if (CrConesBody(s, touch) >= 0) {
    measure_with_body(s, touch, way, z);
    return;
  }
  obstacle_way(s, touch, move);
  if (s->level == CR_LEVEL_GAP)
    z[0] = lifted(s, touch);
  else
    z[0] = along(s, touch, touch->k.G, way, move) + touch->shift1 - touch->shift0;
  for (PetscInt i = 1; i < s->contact->model->dim; i++)
    z[i] = along(s, touch, touch->k.H[i - 1], way, move);
}

/* Is the closest point within the facet, or within both edges? If not, a point that waits may be outside of the body.
   */
static PetscBool is_over(const CrTouch *touch)
{
  if (touch->k1.form == CR_FORM_EDGES) return CrEdgesBeyond(touch->k1.xi) == 0;
  for (PetscInt a = 0; a < touch->k1.nmaster; a++)
    if (touch->k1.shape[a] < 0) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* A point in a valley has a touch on every facet of it. Does this facet matter there? A concave edge that the point has
   left far behind may have become convex, and then the plane of the facet beyond cuts through the free space. */
static PetscBool has_left(const CrCones *s, PetscInt k)
{
  const CrTouch *touch = &s->contact->work->touches[k];
  PetscBool      last = k + 1 == s->contact->work->ntouches;

  if (!touch->beside && (last || !touch[1].beside)) return PETSC_FALSE;
  for (PetscInt a = 0; a < touch->k1.nmaster; a++)
    if (touch->k1.shape[a] < -LEFT) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Has the point of the k-th touch, the first of several in a valley, left all facets of it, and is it behind one? Then
   no law knows where it is, and the step is too long. */
static PetscBool is_astray(const CrCones *s, PetscInt k)
{
  const CrTouch *touch = s->contact->work->touches + k;
  PetscInt       n = s->contact->work->ntouches, last = k;
  PetscBool      behind = PETSC_FALSE;

  if (touch->beside || k + 1 == n || !touch[1].beside) return PETSC_FALSE;
  while (last + 1 < n && s->contact->work->touches[last + 1].beside) last++;
  for (PetscInt j = k; j <= last; j++) {
    if (s->contact->work->touches[j].idle || !has_left(s, j)) return PETSC_FALSE;
    behind = behind || CrConesGap(s, &s->contact->work->touches[j]) < 0;
  }
  return behind;
}

/* The gap below which a touch that took no part must take part. */
static PetscReal inside(const CrCones *s, PetscInt k)
{
  const CrTouch *touch = &s->contact->work->touches[k];
  const CrPass  *p = &s->contact->passes[touch->pass];

  if ((touch->waits && !is_over(touch)) || has_left(s, k)) return PETSC_MIN_REAL;
  return -(touch->waits ? WAITED : INSIDE) * (p->slave ? p->slave->mean_size : 2 * p->reach);
}

PetscErrorCode CrConesMismatch(const CrCones *s, const PetscReal *way, PetscReal *force,
                               PetscBool *missed)
{
  const CrContact *c = s->contact;
  const PetscReal  rounding = ROUNDING * PETSC_MACHINE_EPSILON * c->model->size;
  PetscReal        z[3];

  PetscFunctionBeginUser;
  *force = 0;
  *missed = PETSC_FALSE;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if (touch->idle || s->touches[k].state == HELD) continue;
    if (s->level == CR_LEVEL_GAP && is_astray(s, k)) *missed = PETSC_TRUE;
    measure(s, touch, way, z);
    if (s->touches[k].state == OUT && s->level == CR_LEVEL_GAP && z[0] < inside(s, k))
      *missed = PETSC_TRUE;
    if (s->touches[k].state != ACTIVE) continue;
    for (PetscInt i = 0; i < c->model->dim; i++)
      *force = PetscMax(*force, (PetscAbsReal(z[i] - s->touches[k].predicted[i]) - rounding) /
                                    s->touches[k].flexible);
  }
  PetscCall(CrDivisionMax(c, 1, force));
  PetscCall(CrConesAny(s, missed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- who takes part ------------------------------------------------------------------------- */

/* If reactions turn, d and body_free are those without it, but `extra` adds to d. */
static void measure_free(CrCones *s, const PetscReal *way, const PetscReal *d,
                         const PetscReal *extra)
{
  CrContact *c = s->contact;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if (touch->idle) continue;
    measure(s, touch, way, s->touches[k].free);
    for (PetscInt i = 0; i < c->model->dim; i++) {
      s->touches[k].free[i] += s->ease * along(s, touch, CrConesRow(s, touch, i), d, NULL) +
                               CrConesByBody(s, touch, i, s->body_free);
      if (extra) s->touches[k].free[i] += CrConesChange(s, touch, i, extra);
    }
  }
}

/* Activates touches that would penetrate at the end. At gap level it does so in every iteration. At other
   levels it does so once per step, because changes within Newton could make the iteration cycle. */
static void choose(CrCones *s, const PetscReal *d, PetscBool first)
{
  CrContact *c = s->contact;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    PetscReal      end;

    if (!touch->idle && s->touches[k].state == ACTIVE && s->level == CR_LEVEL_GAP && has_left(s, k))
      s->touches[k].state = OUT;
    if (touch->idle || s->touches[k].state != OUT) continue;
    if (s->level == CR_LEVEL_GAP) {
      if (s->touches[k].free[0] < 0 && !touch->waits && !has_left(s, k))
        s->touches[k].state = ACTIVE;
      continue;
    }
    if (!first) continue;
    end = CrConesGap(s, touch) + CrConesByBody(s, touch, 0, s->body_free) +
          along(s, touch, CrConesBody(s, touch) < 0 ? touch->k1.G : touch->k.G, d, NULL);
    if (end < 0) s->touches[k].state = ACTIVE;
  }
}

/* Predicts z of all touches with the new reactions. Finds touches that reactions of others push inside. */
static PetscBool look_around(CrCones *s)
{
  CrContact *c = s->contact;
  PetscBool  again = PETSC_FALSE;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if (touch->idle || s->touches[k].state == HELD) continue;
    for (PetscInt i = 0; i < c->model->dim; i++)
      s->touches[k].predicted[i] = s->touches[k].free[i] + CrConesChange(s, touch, i, s->push) +
                                   CrConesByBody(s, touch, i, s->body_push);
    if (s->level != CR_LEVEL_GAP || s->touches[k].state == ACTIVE) continue;
    if (!(s->touches[k].predicted[0] < inside(s, k) / 2)) continue;
    s->touches[k].state = ACTIVE;
    again = PETSC_TRUE;
  }
  return again;
}

static void store_reaction(const CrCones *s, CrTouch *touch, const PetscReal *r)
{
  touch->lambda = touch->out.p = r[0] / touch->weight;
  for (int j = 0; j < 3; j++) touch->traction[j] = 0;
  for (PetscInt i = 1; i < s->contact->model->dim; i++) {
    touch->out.t[i - 1] = -r[i] / touch->weight;
    v_add(touch->traction, touch->out.t[i - 1], touch->k.e[i - 1]);
  }
  if (CrConesBody(s, touch) >= 0) CrConesTraction(s, touch);
}

static void hand_over(CrCones *s)
{
  static const PetscReal none[3] = {0};
  CrContact             *c = s->contact;
  PetscInt               l = 0;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    PetscBool active;

    while (l < s->n && s->which[l] < 0) l++; /* contacts of other ranks */
    active = l < s->n && s->which[l] == k;
    store_reaction(s, &c->work->touches[k], active ? s->r + c->model->dim * l : none);
    l += active;
  }
}

PetscErrorCode CrConesTry(CrCones *s, const PetscReal *way, const PetscReal *d, PetscBool first,
                          CrConesRespond *respond, void *ctx, PetscBool *solved)
{
  const CrConesTurning *turning = s->turning;
  PetscReal             scale = 1;
  PetscBool             again;

  PetscFunctionBeginUser;
  s->evaluated += (PetscReal)s->contact->work->ntouches;
  *solved = CrConesFreeBodies(s);
  if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
  measure_free(s, way, d, NULL);
  choose(s, d, first);
  for (;;) {
    PetscCall(CrConesList(s));
    PetscCall(CrConesLearn(s, respond, ctx, solved));
    if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(CrConesAssemble(s, solved));
    if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
    if (CrConesDropHeld(s, &scale)) continue;
    if (s->turns) PetscCall(CrConesTurnFree(s, d));
    if (s->turns) measure_free(s, way, d, turning->extra);
    if (s->n) PetscCall(CrConesSolveProblem(s, scale, solved));
    if (!*solved) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(CrConesPush(s));
    again = look_around(s);
    PetscCall(CrConesAny(s, &again));
    if (!again) PetscCall(CrConesGiveBack(s, &again));
    if (!again) break;
    hand_over(s); /* a better start */
  }
  hand_over(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesAddForce(const CrCones *s, PetscReal *f)
{
  const CrConesTurning  *turning = s->turning;
  const CrConesResponse *responses = s->responses;
  PetscInt               dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  CrDivisionBegin(s->contact);
  for (PetscInt l = 0; l < s->n; l++)
    if (s->which[l] >= 0) CrTouchAddForce(s->contact, &s->contact->work->touches[s->which[l]], f);
  PetscCall(CrDivisionEnd(s->contact, f));
  for (PetscInt k = 0; s->turns && k < s->npart; k++) {
    PetscInt row = responses[s->part[k]].row;

    for (PetscInt j = 0; row >= 0 && j < dim; j++)
      f[dim * s->nodes[row] + j] += turning->e[dim * k + j];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConesRemember(const CrCones *s, CrContactHistory *history)
{
  const CrContact *c = s->contact;
  PetscReal        left;

  PetscFunctionBeginUser;
  PetscCall(CrConesLeft(s, &left));
  for (PetscInt k = 0; k < CR_KEPT * c->npoints; k++) history->method[k] = 0;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    PetscReal     *last = history->method + CR_KEPT * touch->point;

    CrConesKeepBank(s, k, left, last);
    if (touch->idle || !(touch->out.p > 0)) continue;
    /* In statics the loss of the next step needs all friction on the point (CrConesMeanLoss). */
    if (touch->beside && !c->model->quasi_static) continue;
    last[CR_KEPT_PRESSURE] += touch->out.p;
    v_add(last + CR_KEPT_FRICTION, 1, touch->traction);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrConesMeanLoss(CrCones *s)
{
  const CrContact *c = s->contact;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    CrTouch         *touch = &c->work->touches[k];
    const PetscReal *last = c->past.method + CR_KEPT * touch->point + CR_KEPT_FRICTION;

    if (touch->idle) continue;
    touch->out.loss = 0;
    for (PetscInt i = 0; i < c->model->dim - 1; i++) {
      /* the friction at t_n counts once, for the first touch of a point */
      const PetscReal before = touch->beside ? 0 : v_dot(last, touch->k.e[i]);

      touch->out.loss += (before + touch->out.t[i]) / 2 * touch->in.ds[i];
    }
  }
}

PetscErrorCode CrConesNormalWork(const CrCones *s, PetscReal *work)
{
  const CrContact *c = s->contact;

  PetscFunctionBeginUser;
  *work = 0;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if (!touch->idle && CrConesTouchCounts(s, k))
      *work += touch->weight * touch->out.p * (touch->in.dg + touch->shift1 - touch->shift0);
  }
  PetscCall(CrConesSum(s, 1, work));
  PetscFunctionReturn(PETSC_SUCCESS);
}
