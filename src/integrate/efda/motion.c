/* Computes the motion of bodies from the half impulses of their contacts, and accepts a sub-step. */
#include <string.h>
#include "integrate/efda/contacts.h"
#include "integrate/efda/motion.h"
#include "rigid/rotation.h"

void EfdaSumForces(EfdaSystem *e)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; i < 3; i++) e->bodies[b].force[i] = e->bodies[b].torque[i] = 0;
  EFDA_EACH_HELD (c, e) {
    for (int i = 0; i < 3; i++)
      c->pt[i] = c->p[1] * c->d[1][i] + (e->rigid->dim == 3 ? c->p[2] * c->d[2][i] : 0);
    EFDA_EACH_SIDE (side, b, c->of)
      for (PetscInt a = 0; a < e->rigid->dim; a++) {
        PetscReal sign = side ? -1 : 1;

        v_add(e->bodies[b].force, sign * c->p[a], c->d[a]);
        v_add(e->bodies[b].torque, sign * c->p[a], c->arm[side][a]);
      }
  }
}

PetscBool EfdaMove(EfdaSystem *e, PetscReal s, PetscBool free_only)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    EfdaBody     *body = &e->bodies[b];
    CrRigidState *to = e->trial;
    PetscReal     m[3];

    if (!body->guided || (free_only && !body->free)) continue;
    CrRigidStateCopyBody(e->now, b, to, b);
    for (int i = 0; i < 3; i++) {
      PetscReal v0 = e->now->v[3 * b + i], dv = 2 * body->force[i] / e->rigid->mass[b];

      body->v[i] = v0 + (s * e->load[3 * b + i] + dv) / 2;
      to->v[3 * b + i] = v0 + s * e->load[3 * b + i] + dv;
      to->x[3 * b + i] = e->now->x[3 * b + i] + s * body->v[i];
      m[i] = e->rigid->inverse[3 * b + 2] > 0 ? 2 * body->torque[i] : 0;
    }
    if (!CrRotationStep(e->rigid, b, to, s, m, body->om)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

void EfdaRelease(EfdaSystem *e)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
    e->bodies[b].guided = PETSC_FALSE;
  }
}

void EfdaFly(EfdaSystem *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (!e->bodies[b].guided && !e->bodies[b].away)
      CrRigidFlight(e->rigid, b, e->trial, s, e->load + 3 * b);
}

/* ---- correction of positions ----------------------------------------------------------------- */

void EfdaDisplace(EfdaSystem *e, const EfdaContact *c, PetscReal dn, PetscReal dt)
{
  const PetscReal dP[2] = {dn, dt};

  EFDA_EACH_SIDE (side, b, c->of)
    for (int a = 0; a < 2; a++) {
      PetscReal sign = side ? -1 : 1, arm[3], turn[3];

      v_add(e->dx + 6 * b, sign * dP[a] / e->rigid->mass[b], c->d[a]);
      if (e->bodies[b].free && !e->options->penalty)
        continue; /* free bodies are not turned: angular momentum */
      v_cross(c->rt[side], c->d[a], arm);
      m_times(e->bodies[b].inverse, arm, turn);
      v_add(e->dx + 6 * b + 3, sign * dP[a], turn);
    }
}

PetscReal EfdaOpens(const EfdaSystem *e, const EfdaContact *c)
{
  PetscReal sum = 0, w[3];

  EFDA_EACH_SIDE (side, b, c->of) {
    const PetscReal *dx = e->dx + 6 * b;

    v_cross(dx + 3, c->rt[side], w);
    sum += (side ? -1 : 1) * (v_dot(c->d[0], dx) + v_dot(c->d[0], w));
  }
  return sum;
}

void EfdaApply(EfdaSystem *e)
{
  CrRigidState *s = e->trial;

  for (PetscInt b = 0; b < e->rigid->n; b++) {
    const PetscReal *turn = e->dx + 6 * b + 3;
    PetscReal        q[4] = {1, turn[0] / 2, turn[1] / 2, turn[2] / 2}, size;

    if (!e->bodies[b].guided) continue;
    v_add(s->x + 3 * b, 1, e->dx + 6 * b);
    if (e->rigid->dim == 2)
      s->angle[b] += turn[2];
    else if (v_dot(turn, turn) > 0) { /* the angular momentum turns too: the energy stays */
      size = 1 / sqrt(1 + v_dot(turn, turn) / 4);
      for (int i = 0; i < 4; i++) q[i] *= size;
      CrQuaternionTimes(q, s->q + 4 * b, s->q + 4 * b);
      CrCayleyTurn(turn, s->pi + 3 * b);
    }
  }
  memset(e->dx, 0, sizeof *e->dx * 6 * (size_t)e->rigid->n);
}

/* ---- a part is accepted ---------------------------------------------------------------------- */

/* The potential energy that the correction of positions has created: minus the work of the loads. */
static PetscReal correction_work(const EfdaSystem *e)
{
  PetscReal sum = 0;

  for (PetscInt b = 0; b < e->rigid->n; b++) {
    if (!e->bodies[b].guided) continue;
    for (int i = 0; i < 3; i++)
      sum -= e->rigid->mass[b] * e->model->gravity[i] *
             (e->trial->x[3 * b + i] - e->base->x[3 * b + i]);
  }
  return sum;
}

/* Enters the slip of a pressed contact, which has the velocity u, over the part of length s. */
static void slide(EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], PetscReal s)
{
  PetscInt  body = e->names ? e->names[c->of->body] : c->of->body;
  PetscReal slip[3];

  if (!(c->p[0] > 0)) return;
  for (int i = 0; i < 3; i++)
    slip[i] = s * c->p[0] * (u[1] * c->d[1][i] + (e->rigid->dim == 3 ? u[2] * c->d[2][i] : 0));
  CrTallySlide(&e->part.tally, e->contact->slide_of[c->of->pair] + body, c->p[0], slip);
}

/* Sums the work of the part from `now` to `trial`, of length s. */
static void sum_work(EfdaSystem *e, PetscReal s)
{
  EfdaWorkBegin(&e->part);
  e->part.contact_work = correction_work(e);
  EFDA_EACH_HELD (c, e) {
    PetscReal u[3];

    EfdaSpeedAt(e, c, u);
    EfdaEnter(e, c, u, &e->part);
    slide(e, c, u, s);
  }
  /* loads that have no potential */
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; !e->bodies[b].away && i < 3; i++)
      e->part.external_work +=
          e->rigid->mass[b] * (e->load[3 * b + i] - e->model->gravity[i]) *
          ((e->bodies[b].guided ? e->base : e->trial)->x[3 * b + i] - e->now->x[3 * b + i]);
}

static PetscErrorCode keep(EfdaSystem *e, PetscReal s)
{
  PetscFunctionBeginUser;
  e->kept.n = 0;
  EFDA_EACH_HELD (c, e) {
    const EfdaCandidate *d = c->of;
    const PetscReal     *pt = c->pt, *arm = c->rt[0];

    if (!(c->p[0] > 0)) continue;
    CrListAdd(&e->kept, (EfdaKept){.body = d->body,
                                   .other = d->other,
                                   .wall = EfdaWallNumber(d),
                                   .key = c->feature.key,
                                   .force = {c->p[0] / s, pt[0] / s, pt[1] / s, pt[2] / s},
                                   .spring = c->spring.stretch,
                                   .arm = {arm[0], arm[1], arm[2]}});
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaAccept(EfdaSystem *e, PetscReal s)
{
  EfdaKeptList swap = e->previous;

  PetscFunctionBeginUser;
  sum_work(e, s);
  PetscCall(EfdaWorkAdd(&e->total, &e->part));
  PetscCall(CrRigidStateCopy(e->trial, e->now));
  PetscCall(keep(e, s));
  e->previous = e->kept;
  e->kept = swap;
  e->t += s;
  PetscFunctionReturn(PETSC_SUCCESS);
}
