/* Motion along contacts that hold (theory 18.5). Unknown are the half impulses p; velocities of the middle
   follow from them, rotations by the step of 18.1, the geometry is that of the middle of the part. The
   energy balance holds to round-off for any p; the passes are for the contact law alone. Positions are
   corrected along the normals at the end, so that gaps close; what the loads do in that is counted. */
#include <string.h>
#include "integrate/efda/efda.h"

#define MOST_PASSES 20
#define MOST_SWEEPS 200
#define MOST_ROUNDS 4
#define TOGETHER    10 /* sweeps after which unlike masses are solved at once */
#define STUCK       20 /* sweeps in which something must have come of them */

/* ---- memory of contacts ------------------------------------------------------------------------------ */

static PetscBool is_same(const Efda *e, const EfdaContact *c, const EfdaKept *k)
{
  const EfdaCandidate *d = &e->candidates[c->candidate];

  return k->body == d->body && k->other == d->other && k->wall == EfdaWallNumber(d) &&
         k->key == c->feature.key;
}

static const EfdaKept *find_kept(const Efda *e, const EfdaContact *c)
{
  for (PetscInt k = 0; k < e->nprevious; k++)
    if (is_same(e, c, &e->previous[k])) return &e->previous[k];
  return NULL;
}

static PetscErrorCode keep(Efda *e, PetscReal s)
{
  PetscFunctionBeginUser;
  e->nkept = 0;
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    const EfdaContact   *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];
    EfdaKept            *kept;

    if (!c->held || !(c->p[0] > 0)) continue;
    if (e->nkept == e->kept_room) {
      e->kept_room = 2 * e->kept_room + 16;
      PetscCall(PetscRealloc(sizeof(EfdaKept) * (size_t)e->kept_room, &e->kept));
    }
    kept = &e->kept[e->nkept++];
    *kept = (EfdaKept){.body = d->body,
                       .other = d->other,
                       .wall = EfdaWallNumber(d),
                       .key = c->feature.key,
                       .force = {c->p[0] / s},
                       .spring = c->spring};
    for (int i = 0; i < 3; i++) kept->force[1 + i] = c->pt[i] / s, kept->arm[i] = c->rt[0][i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the middle ---------------------------------------------------------------------------------------- */

static void middle_pose(const Efda *e, PetscInt b, CrPose *pose)
{
  const CrRigidState *s0 = e->now, *s1 = e->trial;
  PetscReal           q[4], size = 0;

  for (int i = 0; i < 3; i++) pose->x[i] = (s0->x[3 * b + i] + s1->x[3 * b + i]) / 2;
  if (e->rigid->dim == 2) {
    PetscReal angle = (s0->angle[b] + s1->angle[b]) / 2, c = cos(angle), d = sin(angle);
    PetscReal R[9] = {c, -d, 0, d, c, 0, 0, 0, 1};

    memcpy(pose->R, R, sizeof R);
    return;
  }
  for (int i = 0; i < 4; i++) q[i] = s0->q[4 * b + i] + s1->q[4 * b + i];
  for (int i = 0; i < 4; i++) size += q[i] * q[i];
  for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
  CrQuaternionMatrix(q, pose->R);
}

/* A force along the normal that comes with a displacement along it keeps angular momentum if its lever arm is
   taken from x - (shift/(2 p)) v of the middle. What the gap does is told by the true arm: it is that velocity
   which is held to the bias, or displacements would call for more of themselves. */
static void move_arms(Efda *e, EfdaContact *c)
{
  const EfdaCandidate *d = &e->candidates[c->candidate];
  PetscReal            psi = c->p[0] > 0 ? c->shift / (2 * c->p[0]) : 0; /* psi2 h/2 */

  c->bias[0] = c->bias0;
  for (int side = 0; side < (d->other < 0 ? 1 : 2); side++) {
    const EfdaBody *b = &e->bodies[side ? d->other : d->body];
    PetscReal       w[3];

    v_add(c->rn[side], psi, b->v);
    v_cross(b->om, b->v, w);
    c->bias[0] += (side ? -psi : psi) * v_dot(w, c->meeting.normal);
  }
}

/* Geometry of the held contacts in the middle. */
static void set_rows(Efda *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].guided) {
      middle_pose(e, b, &e->poses[b]);
      CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
    }
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];
    PetscReal            none[3] = {0, 0, 0};

    if (!c->held) continue;
    EfdaMeet(e, c, e->t + s / 2, &c->meeting);
    EfdaRows(e, c, e->poses[d->body].x, d->other < 0 ? none : e->poses[d->other].x);
    if (e->bodies[d->body].free) move_arms(e, c);
    c->p[1] = v_dot(c->pt, c->t1);
    c->p[2] = e->rigid->dim == 3 ? v_dot(c->pt, c->t2) : 0;
    c->settle[0] = v_dot(c->slip0, c->t1);
    c->settle[1] = v_dot(c->slip0, c->t2);
    if (e->bodies[d->body].free && c->shift_t != 0 && c->p[1] != 0) {
      v_add(c->rt[0], c->shift_t / (2 * c->p[1]), e->bodies[d->body].v);
      if (d->other >= 0) v_add(c->rt[1], c->shift_t / (2 * c->p[1]), e->bodies[d->other].v);
    }
    EfdaBlock(e, c);
    if (c->strikes) {
      c->bias[1] = (1 - e->tangential) * c->settle[0] / 2;
      c->bias[2] = (1 - e->tangential) * c->settle[1] / 2;
    }
  }
}

/* Forces and torques of the half impulses on the guided bodies. */
void EfdaSumForces(Efda *e)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; i < 3; i++) e->bodies[b].force[i] = e->bodies[b].torque[i] = 0;
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];
    const PetscReal     *u[3] = {c->meeting.normal, c->t1, c->t2};

    if (!c->held) continue;
    for (int i = 0; i < 3; i++)
      c->pt[i] = c->p[1] * c->t1[i] + (e->rigid->dim == 3 ? c->p[2] * c->t2[i] : 0);
    for (int side = 0; side < (d->other < 0 ? 1 : 2); side++) {
      EfdaBody *b = &e->bodies[side ? d->other : d->body];
      PetscReal sign = side ? -1 : 1, arm[3];

      for (PetscInt a = 0; a < e->rigid->dim; a++) {
        v_add(b->force, sign * c->p[a], u[a]);
        v_cross(a ? c->rt[side] : c->rn[side], u[a], arm);
        v_add(b->torque, sign * c->p[a], arm);
      }
    }
  }
}

/* From `now` with these forces to `trial`: velocities of the middle, and the end before correction. */
PetscBool EfdaMove(Efda *e, PetscReal s, PetscBool free_only)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    EfdaBody     *body = &e->bodies[b];
    CrRigidState *to = e->trial;
    PetscReal     m[3];

    if (!body->guided || (free_only && !body->free)) continue;
    for (int i = 0; i < 3; i++) {
      PetscReal v0 = e->now->v[3 * b + i], dv = 2 * body->force[i] / e->rigid->mass[b];

      body->v[i] = v0 + (s * e->load[3 * b + i] + dv) / 2;
      to->v[3 * b + i] = v0 + s * e->load[3 * b + i] + dv;
      to->x[3 * b + i] = e->now->x[3 * b + i] + s * body->v[i];
      to->pi[3 * b + i] = e->now->pi[3 * b + i];
      m[i] = e->rigid->inverse[3 * b + 2] > 0 ? 2 * body->torque[i] : 0;
    }
    for (int i = 0; i < 4; i++) to->q[4 * b + i] = e->now->q[4 * b + i];
    to->angle[b] = e->now->angle[b];
    if (!CrRotationStep(e->rigid, b, to, s, m, body->om)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* ---- correction of positions ------------------------------------------------------------------------------ */

/* Position impulses dP along normals (and first tangents) of the contacts move the bodies at the end. */
void EfdaDisplace(Efda *e, const EfdaContact *c, PetscReal dn, PetscReal dt, PetscReal *dx)
{
  const EfdaCandidate *d = &e->candidates[c->candidate];

  for (int side = 0; side < (d->other < 0 ? 1 : 2); side++) {
    PetscInt  b = side ? d->other : d->body;
    PetscReal sign = side ? -1 : 1, arm[3], turn[3];

    v_add(dx + 6 * b, sign * dn / e->rigid->mass[b], c->meeting.normal);
    v_add(dx + 6 * b, sign * dt / e->rigid->mass[b], c->t1);
    if (e->bodies[b].free && !e->penalty)
      continue; /* free bodies are not turned: angular momentum */
    v_cross(c->rt[side], c->meeting.normal, arm);
    m_times(e->bodies[b].inverse, arm, turn);
    v_add(dx + 6 * b + 3, sign * dn, turn);
    v_cross(c->rt[side], c->t1, arm);
    m_times(e->bodies[b].inverse, arm, turn);
    v_add(dx + 6 * b + 3, sign * dt, turn);
  }
}

/* How far a displacement opens a contact. */
PetscReal EfdaOpens(const Efda *e, const EfdaContact *c, const PetscReal *dx)
{
  const EfdaCandidate *d = &e->candidates[c->candidate];
  PetscReal            sum = 0, w[3];

  for (int side = 0; side < (d->other < 0 ? 1 : 2); side++) {
    PetscInt b = side ? d->other : d->body;

    v_cross(dx + 6 * b + 3, c->rt[side], w);
    sum += (side ? -1 : 1) * (v_dot(c->meeting.normal, dx + 6 * b) + v_dot(c->meeting.normal, w));
  }
  return sum;
}

void EfdaApply(Efda *e, const PetscReal *dx)
{
  CrRigidState *s = e->trial;

  for (PetscInt b = 0; b < e->rigid->n; b++) {
    const PetscReal *turn = dx + 6 * b + 3;
    PetscReal        q[4] = {1, turn[0] / 2, turn[1] / 2, turn[2] / 2}, size;

    if (!e->bodies[b].guided) continue;
    v_add(s->x + 3 * b, 1, dx + 6 * b);
    if (e->rigid->dim == 2)
      s->angle[b] += turn[2];
    else if (v_dot(turn, turn) >
             0) { /* the angular momentum turns with the body: its energy stays */
      size = 1 / sqrt(1 + v_dot(turn, turn) / 4);
      for (int i = 0; i < 4; i++) q[i] *= size;
      CrQuaternionTimes(q, s->q + 4 * b, s->q + 4 * b);
      CrCayleyTurn(turn, s->pi + 3 * b);
    }
  }
}

/* Gaps of pressed contacts are closed together, each by no more than half of what its force could do. */
static void close_gaps(Efda *e, PetscReal s)
{
  PetscReal *dx = e->dx;

  for (int round = 0; round < MOST_ROUNDS; round++) {
    PetscReal worst = 0;

    for (PetscInt b = 0; b < 6 * e->rigid->n; b++) dx[b] = 0;
    EfdaPoses(e, e->trial);
    for (PetscInt k = 0; k < e->ncontacts; k++) {
      EfdaContact *c = &e->contacts[k];
      CrMeeting    m;

      if (!c->held || !(c->p[0] > 0)) continue;
      EfdaMeet(e, c, e->t + s, &m);
      c->room = m.gap;
      worst = PetscMax(worst, fabs(m.gap));
    }
    if (worst <= 1e-15 * e->length) return; /* no place of a corner is told better */
    for (int sweep = 0; sweep < 200; sweep++) {
      PetscReal change = 0;

      for (PetscInt k = 0; k < e->ncontacts; k++) {
        EfdaContact         *c = &e->contacts[k];
        const EfdaCandidate *d = &e->candidates[c->candidate];
        PetscReal            w, P, limit;

        if (!c->held || !(c->p[0] > 0)) continue;
        w = e->bodies[d->body].free
                ? 1 / e->rigid->mass[d->body] + (d->other < 0 ? 0 : 1 / e->rigid->mass[d->other])
                : c->W[0];
        limit = s * c->p[0] / 2;
        P = c->shift - (c->room + EfdaOpens(e, c, dx)) / w;
        P = PetscMax(-limit, PetscMin(limit, P));
        if (P == c->shift) continue;
        change = PetscMax(change, fabs(P - c->shift) * w);
        EfdaDisplace(e, c, P - c->shift, 0, dx);
        c->shift = P;
      }
      if (change <= 1e-3 * worst || change <= 1e-18 * e->size) break;
    }
    EfdaApply(e, dx);
  }
}

/* Minus the work of the loads on the correction: the potential energy that it made. */
static PetscReal correction_work(const Efda *e)
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

/* ---- a part --------------------------------------------------------------------------------------------- */

/* Which bodies are guided, and which of them belong to islands that touch no obstacle. */
static void mark_bodies(Efda *e)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    e->roots[b] = b;
    e->bodies[b].guided = PETSC_FALSE;
    e->bodies[b].free = PETSC_TRUE;
  }
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    const EfdaCandidate *d = &e->candidates[e->contacts[k].candidate];

    if (!e->contacts[k].held) continue;
    e->bodies[d->body].guided = PETSC_TRUE;
    if (d->other < 0) continue;
    e->bodies[d->other].guided = PETSC_TRUE;
    EfdaJoin(e, d->body, d->other);
  }
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    const EfdaCandidate *d = &e->candidates[e->contacts[k].candidate];

    if (e->contacts[k].held && d->other < 0) e->bodies[EfdaRoot(e, d->body)].free = PETSC_FALSE;
  }
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].free = e->bodies[EfdaRoot(e, b)].free;
}

/* Biases and the first guess of a held contact. */
static void begin_contact(Efda *e, EfdaContact *c, PetscReal s)
{
  const EfdaCandidate *d = &e->candidates[c->candidate];
  const EfdaKept      *kept = find_kept(e, c);

  c->shift = c->shift_t = 0;
  c->spring = kept ? kept->spring : 0;
  for (int i = 0; i < 3; i++) c->bias[i] = 0;
  if (c->tried > 0) { /* for another length of the part: much the same force */
    for (int i = 0; i < 3; i++) c->p[i] *= s / c->tried, c->pt[i] *= s / c->tried;
  } else if (kept) {
    c->p[0] = kept->force[0] * s;
    for (int i = 0; i < 3; i++) c->pt[i] = kept->force[1 + i] * s;
  }
  c->tried = s;
  EfdaWallVelocity(e, d, e->t, s, c->wall_velocity);
  c->may_settle = e->settling && !e->striking;
  c->takes = c->strikes && e->tangential < 1;
  if (c->strikes)
    c->bias[0] = (1 - d->restitution) * PetscMin(c->rate0, 0) / 2;
  else if (c->may_settle && c->rate0 < 0 && c->rate0 > -2 * e->h * e->a)
    c->bias[0] = c->rate0 / 2;
  c->bias0 = c->bias[0];
}

/* Gauss-Seidel, a tenfold better or to round-off: the geometry of the next pass is another. greatest: the change of
   the first sweep. Redundant contacts that stick, with residues of velocity that do not fit together, have no solution;
   their impulses would grow by the same amount for ever: *stuck. */
static PetscErrorCode sweep(Efda *e, PetscReal *greatest, PetscBool *stuck)
{
  PetscReal change = PETSC_MAX_REAL, first = PETSC_MAX_REAL, mark = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  *stuck = PETSC_FALSE;
  for (PetscInt n = 0;
       n < MOST_SWEEPS && (n == 0 || change > PetscMax(0.1 * first, 1e-15 * e->speed)); n++) {
    change = 0;
    for (PetscInt k = 0; k < e->ncontacts; k++)
      if (e->contacts[k].held) change = fmax(change, EfdaSolveOne(e, &e->contacts[k]));
    if (n == 0) first = change;
    if (n == TOGETHER && e->together) PetscCall(EfdaSolveTogether(e, PETSC_FALSE, 1e-13));
    if (n % STUCK != STUCK - 1) continue;
    *stuck = change > 0.99 * mark;
    mark = change;
    if (*stuck) break;
  }
  *greatest = first;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How much the positions of the end differ from those of the pass before. */
static PetscReal moved(const Efda *e)
{
  PetscReal most = 0;

  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; e->bodies[b].guided && i < 3; i++)
      most = PetscMax(most, fabs(e->trial->x[3 * b + i] - e->last[3 * b + i]));
  return most;
}

/* The work of the part from `now` to `trial`. */
static void sum_work(Efda *e)
{
  EfdaWorkBegin(&e->part);
  e->part.contact_work = correction_work(e);
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    PetscReal u[3];

    if (!e->contacts[k].held) continue;
    EfdaSpeedAt(e, &e->contacts[k], u);
    EfdaEnter(e, &e->contacts[k], u, &e->part);
  }
  /* loads that have no potential */
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; !e->bodies[b].away && i < 3; i++)
      e->part.external_work +=
          e->rigid->mass[b] * (e->load[3 * b + i] - e->model->gravity[i]) *
          ((e->bodies[b].guided ? e->base : e->trial)->x[3 * b + i] - e->now->x[3 * b + i]);
}

static void release(Efda *e)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].guided = PETSC_FALSE;
}

void EfdaFly(Efda *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (!e->bodies[b].guided && !e->bodies[b].away)
      CrRigidFlight(e->rigid, b, e->trial, s, e->load + 3 * b);
}

/* The first middle is that of free motion. */
static PetscBool move_freely(Efda *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; i < 3; i++) e->bodies[b].force[i] = e->bodies[b].torque[i] = 0;
  return EfdaMove(e, s, PETSC_FALSE);
}

/* Angular momentum of free bodies to round-off, converged or not: their velocities of the middle and their displacements
   do not depend on lever arms, so these can be taken last. */
static PetscBool align_free(Efda *e, PetscReal s)
{
  PetscReal *dx = e->dx;
  PetscBool  good = PETSC_TRUE;

  for (PetscInt k = 0; k < e->ncontacts; k++) {
    EfdaContact         *c = &e->contacts[k];
    const EfdaCandidate *d = &e->candidates[c->candidate];

    if (!c->held || !e->bodies[d->body].free) continue;
    for (int side = 0; side < (d->other < 0 ? 1 : 2); side++) {
      PetscInt b = side ? d->other : d->body;

      for (int i = 0; i < 3; i++)
        c->rt[side][i] = c->meeting.point[i] - (e->now->x[3 * b + i] + e->trial->x[3 * b + i]) / 2;
      v_copy(c->rt[side], c->rn[side]);
      if (c->p[0] > 0) v_add(c->rn[side], c->shift / (2 * c->p[0]), e->bodies[b].v);
      if (c->shift_t != 0) v_add(c->rt[side], c->shift_t / (2 * c->p[1]), e->bodies[b].v);
    }
    EfdaBlock(e, c);
  }
  EfdaSumForces(e);
  good = EfdaMove(e, s, PETSC_TRUE);
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].guided && e->bodies[b].free)
      for (int i = 0; i < 3; i++) e->base->x[3 * b + i] = e->trial->x[3 * b + i];
  for (PetscInt b = 0; b < 6 * e->rigid->n; b++) dx[b] = 0;
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    const EfdaContact *c = &e->contacts[k];

    if (c->held && e->bodies[e->candidates[c->candidate].body].free)
      EfdaDisplace(e, c, c->shift, c->shift_t, dx);
  }
  EfdaApply(e, dx);
  return good;
}

/* Passes until the contact law holds in the geometry of the middle. */
static PetscErrorCode solve(Efda *e, PetscReal s, PetscBool *good)
{
  PetscReal change;
  PetscBool stuck;
  PetscInt  pass;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < e->ncontacts; k++)
    if (e->contacts[k].held) begin_contact(e, &e->contacts[k], s);
  *good = move_freely(e, s);
  for (pass = 0; pass < MOST_PASSES && *good; pass++) {
    PetscCall(PetscArraycpy(e->last, e->trial->x, 3 * e->rigid->n));
    set_rows(e, s);
    EfdaSumForces(e);
    *good = EfdaMove(e, s, PETSC_FALSE); /* velocities for the forces so far, in this geometry */
    if (!*good) break;
    PetscCall(sweep(e, &change, &stuck));
    EfdaSumForces(e);
    *good = EfdaMove(e, s, PETSC_FALSE);
    PetscCall(CrRigidStateCopy(e->trial, e->base));
    if (e->penalty)
      EfdaPenaltyShift(e, s);
    else {
      for (PetscInt k = 0; k < e->ncontacts; k++) e->contacts[k].shift = 0;
      close_gaps(e, s);
    }
    if (pass > 0 && moved(e) <= 4e-16 * e->length && change <= 1e-14 * e->speed) break;
    if (pass > 1 && stuck && change <= 1e-6 * e->speed && moved(e) <= 1e-9 * e->size) break;
  }
  e->passes += pass + 1;
  if (*good) *good = align_free(e, s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaGuide(Efda *e, PetscReal s, PetscBool *good)
{
  PetscBool pressed = PETSC_FALSE;

  PetscFunctionBeginUser;
  *good = PETSC_TRUE;
  PetscCall(CrRigidStateCopy(e->now, e->trial));
  mark_bodies(e);
  EfdaFly(e, s);
  for (PetscInt b = 0; b < e->rigid->n; b++) pressed = pressed || e->bodies[b].guided;
  if (pressed) {
    PetscCall(solve(e, s, good));
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
    pressed = PETSC_FALSE;
    for (PetscInt k = 0; k < e->ncontacts; k++)
      pressed = pressed || (e->contacts[k].held && e->contacts[k].p[0] > 0);
    if (!pressed) { /* nothing holds after all: free flight is more exact */
      release(e);
      PetscCall(CrRigidStateCopy(e->now, e->trial));
      EfdaFly(e, s);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Slip of the pressed contacts over the part, by pair and slave; contacts of one slave by their pressure. */
static void slide(Efda *e, PetscReal s)
{
  for (int add = 1; add >= 0; add--)
    for (PetscInt k = 0; k < e->ncontacts; k++) {
      const EfdaContact   *c = &e->contacts[k];
      const EfdaCandidate *d = &e->candidates[c->candidate];
      PetscInt             slot;
      PetscReal            u[3], *sum;

      if (!c->held || !(c->p[0] > 0)) continue;
      slot = e->contact->slide_of[d->pair] + (e->names ? e->names[d->body] : d->body);
      sum = e->slide + 4 * slot;
      if (add) {
        EfdaSpeedAt(e, c, u);
        for (int i = 0; i < 3; i++)
          sum[i] += s * c->p[0] * (u[1] * c->t1[i] + (e->rigid->dim == 3 ? u[2] * c->t2[i] : 0));
        sum[3] += c->p[0];
      } else {
        CrContactSlide(e->contact, slot, sum);
        sum[0] = sum[1] = sum[2] = sum[3] = 0;
      }
    }
}

PetscErrorCode EfdaAccept(Efda *e, PetscReal s)
{
  EfdaKept *swap = e->previous;
  PetscInt  room = e->previous_room;

  PetscFunctionBeginUser;
  sum_work(e);
  EfdaWorkAdd(&e->total, &e->part);
  PetscCall(CrRigidStateCopy(e->trial, e->now));
  slide(e, s);
  if (e->penalty) EfdaPenaltyKeep(e, s);
  PetscCall(keep(e, s));
  e->previous = e->kept;
  e->nprevious = e->nkept;
  e->previous_room = e->kept_room;
  e->kept = swap;
  e->kept_room = room;
  e->t += s;
  PetscFunctionReturn(PETSC_SUCCESS);
}
