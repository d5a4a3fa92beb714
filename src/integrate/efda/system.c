#include "integrate/efda/system.h"

/* ---- life ------------------------------------------------------------------------------------------------ */

/* Spherical obstacles with the bodies outside are treated as balls. */
static void set_balls(EfdaSystem *e, PetscInt dim)
{
  for (PetscInt k = 0; e->contact && k < e->contact->nobstacles; k++) {
    PetscReal r = e->contact->obstacles[k].radius;

    e->balls[k] = (CrShape){.kind = CR_SHAPE_BALL, .dim = dim, .radius = r, .reach = r};
    for (PetscInt i = 0; i < dim; i++) e->balls[k].axes[i] = r;
  }
}

PetscErrorCode EfdaSystemCreate(const EfdaOptions *options, const CrModel *model,
                                const CrRigid *rigid, CrContact *contact, PetscInt n, EfdaSystem *e)
{
  PetscFunctionBeginUser;
  *e = (EfdaSystem){.options = options, .model = model, .rigid = rigid, .contact = contact};
  PetscCall(CrRigidStateCreate(n, &e->now));
  PetscCall(CrRigidStateCreate(n, &e->trial));
  PetscCall(CrRigidStateCreate(n, &e->base));
  PetscCall(PetscCalloc6(n, &e->bodies, n, &e->poses, 3 * n, &e->load, n, &e->roots, 6 * n, &e->dx,
                         3 * n, &e->last));
  PetscCall(PetscCalloc1(contact ? contact->nobstacles : 0, &e->balls));
  PetscCall(EfdaWorkCreate(contact, PETSC_FALSE, &e->part));
  PetscCall(EfdaWorkCreate(contact, PETSC_TRUE, &e->total));
  set_balls(e, model->dim);
  e->scale.size = EfdaLeastReach(rigid, PetscMax(model->size, 1e-300));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaSystemDestroy(EfdaSystem *e)
{
  PetscFunctionBeginUser;
  PetscCall(CrRigidStateDestroy(&e->now));
  PetscCall(CrRigidStateDestroy(&e->trial));
  PetscCall(CrRigidStateDestroy(&e->base));
  PetscCall(PetscFree6(e->bodies, e->poses, e->load, e->roots, e->dx, e->last));
  PetscCall(PetscFree(e->balls));
  PetscCall(EfdaWorkDestroy(&e->part));
  PetscCall(EfdaWorkDestroy(&e->total));
  PetscCall(PetscFree(e->candidates.at));
  PetscCall(PetscFree(e->contacts.at));
  PetscCall(PetscFree(e->kept.at));
  PetscCall(PetscFree(e->previous.at));
  PetscCall(PetscFree(e->packed.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaSystemBegin(EfdaSystem *e, const CrState *state, PetscReal h)
{
  PetscFunctionBeginUser;
  EfdaWorkBegin(&e->total);
  e->t = state->t;
  CrRigidAccelerationsOver(e->model, state->t + h / 2, h, e->load);
  PetscCall(CrRigidStateCopy(state->rigid, e->now));
  EfdaSetScales(e, h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

#define KEPT 12 /* numbers */

PetscErrorCode EfdaSystemArchive(void *system, CrArchive *archive)
{
  EfdaSystem *e = system;

  PetscFunctionBeginUser;
  e->packed.n = KEPT * e->previous.n;
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)PetscMax(1, e->packed.n), &e->packed.at));
  for (PetscInt k = 0; k < e->previous.n; k++) {
    const EfdaKept *c = &e->previous.at[k];
    const PetscReal numbers[KEPT] = {c->body,     c->other,    c->wall,     c->key,
                                     c->force[0], c->force[1], c->force[2], c->force[3],
                                     c->spring,   c->arm[0],   c->arm[1],   c->arm[2]};

    PetscCall(PetscArraycpy(e->packed.at + KEPT * k, numbers, KEPT));
  }
  PetscCall(CrArchiveAddRealList(archive, "efda.contacts", &e->packed.n, &e->packed.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaSystemResume(void *system)
{
  EfdaSystem *e = system;

  PetscFunctionBeginUser;
  e->previous.n = e->packed.n / KEPT;
  PetscCall(CrGrow(e->previous.n, &e->previous.room, &e->previous.at));
  for (PetscInt k = 0; k < e->previous.n; k++) {
    const PetscReal *x = e->packed.at + KEPT * k;

    e->previous.at[k] =
        (EfdaKept){(PetscInt)x[0],           (PetscInt)x[1], (PetscInt)x[2],      (PetscInt)x[3],
                   {x[4], x[5], x[6], x[7]}, x[8],           {x[9], x[10], x[11]}};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- scales ---------------------------------------------------------------------------------------------- */

void EfdaWallVelocity(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3])
{
  const CrObstacle *o;

  v[0] = v[1] = v[2] = 0;
  if (c->other >= 0) return;
  o = &e->contact->obstacles[c->obstacle];
  for (int i = 0; i < 3; i++) v[i] = o->velocity[i] + o->acceleration[i] * (t + s / 2);
}

void EfdaSetScales(EfdaSystem *e, PetscReal h)
{
  const CrRigid *r = e->rigid;
  EfdaScales    *s = &e->scale;

  s->a = s->speed = s->length = 0;
  for (PetscInt b = 0; b < r->n; b++) {
    PetscReal spin[3], reach = CrRigidShape(r, b)->reach;

    CrRigidSpin(r, e->now, b, spin);
    s->a = PetscMax(s->a, v_length(e->load + 3 * b));
    s->speed = PetscMax(s->speed, v_length(e->now->v + 3 * b) + reach * v_length(spin));
    s->length = PetscMax(s->length, v_length(e->now->x + 3 * b) + reach);
  }
  for (PetscInt o = 0; e->contact && o < e->contact->nobstacles; o++) {
    PetscReal v[3];

    EfdaWallVelocity(e, &(EfdaCandidate){.other = -1, .obstacle = o}, e->t, h, v);
    s->speed = PetscMax(s->speed, v_length(v));
  }
  s->speed += h * s->a;
  e->h = h;
  s->close = PetscMax(1e-3 * h * h * s->a, 1e-12 * s->length);
  s->rest = 2 * h * s->a;
}

PetscReal EfdaLeastReach(const CrRigid *r, PetscReal none)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt b = 0; b < r->n; b++)
    if (CrRigidShape(r, b)->reach > 0) least = PetscMin(least, CrRigidShape(r, b)->reach);
  return least < PETSC_MAX_REAL ? least : none;
}

PetscReal EfdaEnergyScale(const CrRigid *r, const CrRigidState *state, const PetscReal *load)
{
  PetscReal sum = 0;

  for (PetscInt b = 0; b < r->n; b++)
    sum += CrRigidKinetic(r, state, b) +
           r->mass[b] * v_length(load + 3 * b) * CrRigidShape(r, b)->reach;
  return sum;
}

/* ---- sums ------------------------------------------------------------------------------------------------ */

PetscErrorCode EfdaWorkCreate(const CrContact *c, PetscBool parts, EfdaWork *work)
{
  PetscFunctionBeginUser;
  *work = (EfdaWork){0};
  PetscCall(CrTallyCreate(c ? c->npairs : 1, c ? c->nslides : 0, c && parts ? &c->past : NULL,
                          &work->tally));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaWorkDestroy(EfdaWork *work)
{
  PetscFunctionBeginUser;
  PetscCall(CrTallyDestroy(&work->tally));
  PetscCall(PetscFree(work->events.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaWorkBegin(EfdaWork *work)
{
  CrTallyBegin(&work->tally, NULL);
  work->contact_work = work->external_work = 0;
  work->passes = work->events.n = 0;
}

PetscErrorCode EfdaWorkAdd(EfdaWork *work, const EfdaWork *part)
{
  PetscFunctionBeginUser;
  CrTallyAdd(&work->tally, &part->tally);
  work->contact_work += part->contact_work;
  work->external_work += part->external_work;
  work->passes += part->passes;
  PetscCall(CrListGrow(&work->events, part->events.n));
  PetscCall(PetscArraycpy(work->events.at + work->events.n, part->events.at, part->events.n));
  work->events.n += part->events.n;
  PetscFunctionReturn(PETSC_SUCCESS);
}
