/* The functions of the engine for many bodies of any shape. Every corner of a touching face is a contact. The
   velocities in the middle of the step follow from the impulses by the rotation step of theory 18.1. So the energy
   balance is exact after any number of sweeps. */
#include <string.h>
#include "integrate/efda/contacts.h"
#include "integrate/efda/crowd_shape.h"
#include "rigid/surface.h"
#include "integrate/efda/efda.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"

#define PUSHES 8
#define SAME                                                                                       \
  0.1 /* of a body's reach: a contact closer than this to one of the last step is taken for the same */

/* ---- the list -------------------------------------------------------------------------------- */

static void key(const EfdaCrowd *crowd, PetscReal h, PetscReal *to)
{
  const EfdaSystem   *e = &((const EfdaShapes *)crowd->data)->system;
  const CrRigidState *s = e->now;
  const PetscReal    *from[] = {s->x, s->v, s->pi, s->q, s->angle};
  const PetscInt      width[] = {3, 3, 3, 4, 1};

  *to++ = h;
  *to++ = e->t;
  for (int i = 0; i < 5; to += width[i] * e->rigid->n, i++)
    memcpy(to, from[i], sizeof(PetscReal) * (size_t)(width[i] * e->rigid->n));
}

/* ---- the start of a step --------------------------------------------------------------------- */

/* Links the contacts kept from the last step to lists, one per slave. */
static PetscErrorCode index_kept(EfdaShapes *S)
{
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(e->previous.n, &S->next_room, &S->next));
  for (PetscInt b = 0; b < e->rigid->n; b++) S->head[b] = -1;
  for (PetscInt k = e->previous.n - 1; k >= 0; k--) {
    S->next[k] = S->head[e->previous.at[k].body];
    S->head[e->previous.at[k].body] = k;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gives the force of each kept contact to the closest one of the contacts [first, last) of the same two bodies. The
   numbers of features cannot identify it, because they change. Only one contact gets the force, or forces would grow.
   */
static void recall(EfdaShapes *S, PetscInt first, PetscInt last, PetscReal h)
{
  EfdaSystem          *e = &S->system;
  const EfdaCandidate *d = e->contacts.at[first].of;

  for (PetscInt k = S->head[d->body]; k >= 0; k = S->next[k]) {
    const EfdaKept *kept = &e->previous.at[k];
    EfdaContact    *best = NULL;
    PetscReal       least = SAME * CrRigidShape(e->rigid, d->body)->reach, w[3];

    if (kept->other != d->other || kept->wall != EfdaWallNumber(d)) continue;
    for (PetscInt n = first; n < last; n++) {
      v_less(kept->arm, e->contacts.at[n].rt[0], w);
      if (v_length(w) < least) least = v_length(w), best = &e->contacts.at[n];
    }
    if (!best) continue;
    best->p[0] += kept->force[0] * h;
    best->p[1] += v_dot(kept->force + 1, best->d[1]) * h;
    if (e->rigid->dim == 3) best->p[2] += v_dot(kept->force + 1, best->d[2]) * h;
  }
}

/* Sets the half impulses from which the sweeps start: those of the last step, cut to the cone of the new normal;
   zero for new impacts. */
static void warm(EfdaShapes *S, PetscReal h)
{
  EfdaSystem *e = &S->system;

  EFDA_EACH (c, e)
    for (int a = 0; a < 3; a++) c->p[a] = 0;
  for (PetscInt first = 0, last; first < e->contacts.n; first = last) {
    for (last = first + 1; last < e->contacts.n; last++)
      if (e->contacts.at[last].of != e->contacts.at[first].of) break;
    recall(S, first, last, h);
  }
  EFDA_EACH (c, e) {
    const EfdaCandidate *d = c->of;
    PetscReal            size, most = d->friction * c->p[0];

    if (c->strikes && c->closed && d->restitution > 0) c->p[0] = c->p[1] = c->p[2] = 0;
    size = hypot(c->p[1], c->p[2]);
    if (size > most)
      for (int a = 1; a < 3; a++) c->p[a] *= most / size;
  }
}

/* Removes from the tangential bias the part along the friction force, so that friction takes energy (theory 18.6).
   */
static void only_take(EfdaContact *c)
{
  PetscReal with = c->p[1] * c->bias[1] + c->p[2] * c->bias[2],
            size = c->p[1] * c->p[1] + c->p[2] * c->p[2];

  if (!(with > 0) || !(size > 0)) return;
  for (int a = 1; a < 3; a++) c->bias[a] -= with / size * c->p[a];
}

/* Sets the bias of a contact, with which the velocity of the middle is compared, by how the two bodies meet. */
static void judge(EfdaShapes *S, EfdaContact *c, PetscReal h)
{
  EfdaSystem            *e = &S->system;
  const EfdaCandidate   *k = c->of;
  const PetscReal *const om[2] = {S->spin + 3 * k->body, S->spin + 3 * PetscMax(k->other, 0)};
  PetscReal              u[3], un, free, a[3];

  EfdaWallVelocity(e, k, e->t, h, c->wall_velocity);
  EfdaRelative(c, e->now->v, om, u);
  v_copy(e->load + 3 * k->body, a);
  if (k->other >= 0) v_add(a, -1, e->load + 3 * k->other);
  un = v_dot(u, c->d[0]);
  free = un + h / 2 * v_dot(a, c->d[0]);
  c->strikes = un < -e->scale.rest;
  c->closed = c->start.gap <= h * h * e->scale.a || c->start.gap + h * free < 0;
  for (int i = 0; i < 3; i++)
    c->bias[i] = (c->closed && c->strikes ? 1 - k->restitution : 1) / 2 * v_dot(u, c->d[i]);
  /* an open contact may be reached because of neighbours, and must not overlap */
  if (!c->closed) c->bias[0] = -c->start.gap / h;
  c->held = PETSC_TRUE;
}

/* Begins a step: groups of fast bodies are stepped first. Then the contacts get biases and impulses, and the bodies
   velocities. */
static PetscErrorCode begin(EfdaCrowd *crowd, PetscReal h, PetscBool *good)
{
  EfdaShapes *S = crowd->data;
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  EFDA_TRY(EfdaGroupsStep(S, h, good));
  crowd->load = e->scale.a;
  crowd->speed = e->scale.speed;
  crowd->energy = EfdaEnergyScale(e->rigid, e->now, e->load);
  PetscCall(index_kept(S));
  EfdaPoses(e, e->now);
  EfdaRelease(e);
  EFDA_EACH (c, e) {
    judge(S, c, h);
    EfdaSetBlock(e, c);
    EfdaSetGuided(e, c->of);
  }
  warm(S, h);
  EFDA_EACH (c, e) only_take(c);
  PetscCall(CrRigidStateCopy(e->now, e->trial));
  EfdaSumForces(e);
  *good = EfdaMove(e, h, PETSC_FALSE);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- velocities ------------------------------------------------------------------------------ */

static PetscInt sweep(EfdaCrowd *crowd, PetscInt most, PetscReal tolerance)
{
  EfdaSystem *e = &((EfdaShapes *)crowd->data)->system;

  for (PetscInt n = 1; n <= most; n++)
    if (EfdaSweep(e, PETSC_FALSE) <= tolerance) return n;
  return most;
}

static PetscErrorCode together(EfdaCrowd *crowd)
{
  return EfdaSolveTogether(&((EfdaShapes *)crowd->data)->system, PETSC_FALSE, 1e-9);
}

/* Computes the end of the step for the present impulses, and their work. */
static PetscBool work(EfdaCrowd *crowd, PetscReal h, PetscReal *friction, PetscReal *normal)
{
  EfdaSystem *e = &((EfdaShapes *)crowd->data)->system;

  EfdaSumForces(e);
  if (!EfdaMove(e, h, PETSC_FALSE)) return PETSC_FALSE;
  EfdaWorkBegin(&e->part);
  EFDA_EACH (c, e) {
    PetscReal u[3];

    EfdaSpeedAt(e, c, u);
    EfdaEnter(e, c, u, &e->part);
  }
  *friction = -e->part.tally.total.loss;
  *normal = e->part.contact_work;
  return PETSC_TRUE;
}

static void tame(EfdaCrowd *crowd, PetscBool makes, PetscBool strict)
{
  EfdaSystem *e = &((EfdaShapes *)crowd->data)->system;

  (void)makes;
  EFDA_EACH (c, e) {
    only_take(c);
    if (!strict) continue;
    c->bias[0] = PetscMin(c->bias[0], 0);
    c->bias[1] = c->bias[2] = 0;
  }
}

/* ---- positions ------------------------------------------------------------------------------- */

/* Bodies without pressed contacts get a free flight, because its rotation is more exact. */
static void release(EfdaSystem *e, PetscReal h)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].guided = PETSC_FALSE;
  EFDA_EACH (c, e)
    if (c->p[0] > 0) EfdaSetGuided(e, c->of);
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (!e->bodies[b].guided && !e->bodies[b].away) CrRigidStateCopyBody(e->now, b, e->trial, b);
  EfdaFly(e, h);
}

/* Corrects positions by Gauss-Seidel on the gaps at the end. Overlapping bodies are pushed apart. Gaps of resting
   contacts are closed, as far as their force could do it in half a step. */
static void push_apart(EfdaShapes *S, PetscReal t, PetscReal h)
{
  EfdaSystem *e = &S->system;

  EfdaPoses(e, e->trial);
  EFDA_EACH (c, e) {
    c->room = EfdaGapAt(e, c, t);
    /* a corner may be below the plane of a face, but far beside the face; the next list finds real penetration */
    if (h > 0 && !(c->p[0] > 0) && EfdaShapesAreFast(S, c->of, h)) c->room = PetscMax(c->room, 0);
    c->pull = c->closed && !c->strikes ? h / 2 * c->p[0] : 0;
    if (!(c->room >= 0)) EfdaSetGuided(e, c->of);
  }
  for (int pass = 0; pass < PUSHES; pass++)
    EFDA_EACH (c, e) {
      PetscReal gap = c->room + EfdaOpens(e, c), size;

      if (gap >= 0 && !(c->pull > 0)) continue;
      size = PetscMax(-gap / c->block.W[0], -c->pull);
      if (gap > 0) c->pull += size;
      EfdaDisplace(e, c, size, 0);
    }
  EfdaApply(e);
}

static PetscErrorCode move(EfdaCrowd *crowd, PetscReal h)
{
  EfdaShapes *S = crowd->data;
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  release(e, h);
  EfdaGroupsPlace(S, e->trial);
  PetscCall(CrRigidStateCopy(e->trial, e->base));
  push_apart(S, e->t + h, h);
  PetscCall(EfdaAccept(e, h));
  PetscCall(EfdaGroupsKeep(S));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pushes bodies apart at `now`. The work of the loads on this displacement is counted. */
static PetscErrorCode push(EfdaCrowd *crowd, PetscReal h)
{
  EfdaShapes *S = crowd->data;
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  EfdaRelease(e);
  EFDA_EACH (c, e) EfdaSetBlock(e, c);
  PetscCall(CrRigidStateCopy(e->now, e->trial));
  push_apart(S, e->t, 0);
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; i < 3; i++)
      e->total.contact_work -= e->rigid->mass[b] * e->model->gravity[i] *
                               (e->trial->x[3 * b + i] - e->now->x[3 * b + i]);
  PetscCall(CrRigidStateCopy(e->trial, e->now));
  PetscCall(EfdaShapesList(crowd, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const EfdaCrowdKernel kernel = {
    .tuning = {.sweeps = 15, .tolerance = 1e-4, .again = 2, .deep = 1e-3},
    .list = EfdaShapesList,
    .key = key,
    .begin = begin,
    .sweep = sweep,
    .together = together,
    .work = work,
    .tame = tame,
    .move = move,
    .push = push,
};

/* ---- the engine ------------------------------------------------------------------------------ */

static PetscErrorCode create(const EfdaOptions *options, const CrModel *model, CrContact *contact,
                             void **engine)
{
  const CrRigid *r = model->rigid;
  EfdaShapes    *S;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&S));
  PetscCall(EfdaCrowdCreate(&kernel, S, 2 + 14 * r->n, &S->crowd));
  PetscCall(EfdaSystemCreate(options, model, r, contact, r->n, &S->system));
  S->system.manifold = PETSC_TRUE;
  S->crowd.size = S->system.scale.size;
  if (EfdaMassesDiffer(r)) PetscCall(EfdaTogetherCreate(&S->system));
  PetscCall(PetscCalloc6(3 * r->n, &S->low, 3 * r->n, &S->high, 3 * r->n, &S->spin, r->n, &S->way,
                         r->n, &S->order, r->n, &S->head));
  PetscCall(PetscMalloc1(r->nshapes, &S->thickness));
  for (PetscInt k = 0; k < r->nshapes; k++) S->thickness[k] = CrShapeInnerRadius(&r->shapes[k]);
  for (PetscInt b = 0; b < r->n; b++) S->order[b] = b;
  PetscCall(EfdaGroupsCreate(S));
  *engine = S;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(void *engine)
{
  EfdaShapes *S = engine;

  PetscFunctionBeginUser;
  PetscCall(EfdaGroupsDestroy(S));
  PetscCall(EfdaTogetherDestroy(&S->system));
  PetscCall(EfdaSystemDestroy(&S->system));
  PetscCall(EfdaCrowdDestroy(&S->crowd));
  PetscCall(PetscFree6(S->low, S->high, S->spin, S->way, S->order, S->head));
  PetscCall(PetscFree(S->thickness));
  PetscCall(PetscFree(S->next));
  PetscCall(PetscFree(S));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(void *engine, CrState *state, PetscReal h, const EfdaWork **work_done,
                           PetscBool *good)
{
  EfdaShapes *S = engine;
  EfdaSystem *e = &S->system;

  PetscFunctionBeginUser;
  *work_done = &e->total;
  PetscCall(EfdaSystemBegin(e, state, h));
  EFDA_TRY(EfdaCrowdStep(&S->crowd, h, good));
  e->total.passes += S->crowd.sweeps;
  PetscCall(CrRigidStateCopy(e->now, state->rigid));
  EFDA_EACH (c, e) CrTallyGap(&e->total.tally, c->of->pair, c->start.gap);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode deepest(void *engine, const CrState *state, PetscReal *depth)
{
  EfdaShapes *S = engine;

  PetscFunctionBeginUser;
  PetscCall(EfdaSystemBegin(&S->system, state, 0));
  PetscCall(EfdaShapesList(&S->crowd, 0));
  S->crowd.is_listed = PETSC_FALSE; /* not that of a step */
  *depth = S->crowd.deepest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const EfdaEngineOps EfdaCrowdOfShapes = {create,  destroy,           step,
                                         deepest, EfdaSystemArchive, EfdaSystemResume};
