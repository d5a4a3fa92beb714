/* Motion along contacts that stay closed (theory 18.5). The unknowns are the half impulses p. The velocities in the
   middle of the sub-step follow from p, and the geometry is that of the middle. The energy balance is exact for any p,
   so that the iteration is needed for the contact law only. At the end, positions are corrected along the normals, so
   that gaps close. The work of the loads on this correction is counted. */
#include <string.h>
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"
#include "rigid/rotation.h"

#define MOST_PASSES 20
#define MOST_SWEEPS 200
#define MOST_ROUNDS 4
#define TOGETHER    10 /* sweeps after which unlike masses are solved at once */
#define STUCK       20 /* sweeps within which the change of velocity must decrease */

/* The memory of a contact from the last part; NULL: none. */
static const EfdaKept *find_kept(const EfdaSystem *e, const EfdaContact *c)
{
  const EfdaCandidate *d = c->of;

  for (const EfdaKept *k = e->previous.at; k < e->previous.at + e->previous.n; k++)
    if (k->body == d->body && k->other == d->other && k->wall == EfdaWallNumber(d) &&
        k->key == c->feature.key)
      return k;
  return NULL;
}

/* ---- the middle ------------------------------------------------------------------------------ */

static void middle_pose(const EfdaSystem *e, PetscInt b, CrPose *pose)
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

/* A contact force that comes with a displacement along the normal keeps angular momentum if its lever arm is taken
   from x - (shift/(2 p)) v of the middle. The gap changes with the velocity at the true arm. So the bias is for that
   velocity; else displacements would cause more displacements. */
static void move_arms(EfdaSystem *e, EfdaContact *c)
{
  PetscReal psi = c->p[0] > 0 ? c->shift / (2 * c->p[0]) : 0; /* psi2 h/2 */

  c->bias[0] = c->bias0;
  EFDA_EACH_SIDE (side, b, c->of) {
    PetscReal w[3];

    v_add(c->rn[side], psi, e->bodies[b].v);
    v_cross(e->bodies[b].om, e->bodies[b].v, w);
    c->bias[0] += (side ? -psi : psi) * v_dot(w, c->d[0]);
  }
}

/* Computes the geometry of the held contacts in the middle of the part. */
static void set_rows(EfdaSystem *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].guided) {
      middle_pose(e, b, &e->poses[b]);
      CrRigidInverse(e->rigid, b, e->poses[b].R, e->bodies[b].inverse);
    }
  EFDA_EACH_HELD (c, e) {
    const EfdaCandidate *d = c->of;

    EfdaMeet(e, c, e->t + s / 2, &c->meeting);
    EfdaRows(e, c);
    if (e->bodies[d->body].free) move_arms(e, c);
    c->p[1] = v_dot(c->pt, c->d[1]);
    c->p[2] = e->rigid->dim == 3 ? v_dot(c->pt, c->d[2]) : 0;
    c->settle[0] = v_dot(c->slip0, c->d[1]);
    c->settle[1] = v_dot(c->slip0, c->d[2]);
    if (e->bodies[d->body].free && c->spring.shift != 0 && c->p[1] != 0) {
      EFDA_EACH_SIDE (side, b, d)
        v_add(c->rt[side], c->spring.shift / (2 * c->p[1]), e->bodies[b].v);
    }
    EfdaSetBlock(e, c);
    if (c->strikes) {
      c->bias[1] = (1 - e->options->tangential) * c->settle[0] / 2;
      c->bias[2] = (1 - e->options->tangential) * c->settle[1] / 2;
    }
  }
}

/* Closes the gaps of all pressed contacts together, by position impulses. Each one is at most half of what the force of
   its contact would cause. */
static void close_gaps(EfdaSystem *e, PetscReal s)
{
  for (int round = 0; round < MOST_ROUNDS; round++) {
    PetscReal worst = 0;

    EfdaPoses(e, e->trial);
    EFDA_EACH_HELD (c, e) {
      if (!(c->p[0] > 0)) continue;
      c->room = EfdaGapAt(e, c, e->t + s);
      worst = PetscMax(worst, fabs(c->room));
    }
    if (worst <= 1e-15 * e->scale.length) return; /* the places of corners are not more exact */
    for (int sweep = 0; sweep < 200; sweep++) {
      PetscReal change = 0;

      EFDA_EACH_HELD (c, e) {
        const EfdaCandidate *d = c->of;
        PetscReal            w, P, limit;

        if (!(c->p[0] > 0)) continue;
        w = e->bodies[d->body].free
                ? 1 / e->rigid->mass[d->body] + (d->other < 0 ? 0 : 1 / e->rigid->mass[d->other])
                : c->block.W[0];
        limit = s * c->p[0] / 2;
        P = c->shift - (c->room + EfdaOpens(e, c)) / w;
        P = PetscMax(-limit, PetscMin(limit, P));
        if (P == c->shift) continue;
        change = PetscMax(change, fabs(P - c->shift) * w);
        EfdaDisplace(e, c, P - c->shift, 0);
        c->shift = P;
      }
      if (change <= 1e-3 * worst || change <= 1e-18 * e->scale.size) break;
    }
    EfdaApply(e);
  }
}

/* ---- a part ---------------------------------------------------------------------------------- */

/* Marks bodies that are guided, and bodies whose island touches no obstacle. */
static void mark_bodies(EfdaSystem *e)
{
  CrUnionStart(e->rigid->n, e->roots);
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    e->bodies[b].guided = PETSC_FALSE;
    e->bodies[b].free = PETSC_TRUE;
  }
  EFDA_EACH_HELD (c, e) {
    EfdaSetGuided(e, c->of);
    if (c->of->other >= 0) CrUnionJoin(e->roots, c->of->body, c->of->other);
  }
  EFDA_EACH_HELD (c, e)
    if (c->of->other < 0) e->bodies[CrUnionRoot(e->roots, c->of->body)].free = PETSC_FALSE;
  for (PetscInt b = 0; b < e->rigid->n; b++)
    e->bodies[b].free = e->bodies[CrUnionRoot(e->roots, b)].free;
}

/* Sets biases and the first guess of a held contact. */
static void begin_contact(EfdaSystem *e, EfdaContact *c, PetscReal s)
{
  const EfdaCandidate *d = c->of;
  const EfdaKept      *kept = find_kept(e, c);

  c->shift = c->spring.shift = 0;
  c->spring.stretch = kept ? kept->spring : 0;
  for (int i = 0; i < 3; i++) c->bias[i] = 0;
  if (c->tried > 0) { /* solved for another length of the part: the force is about the same */
    for (int i = 0; i < 3; i++) c->p[i] *= s / c->tried, c->pt[i] *= s / c->tried;
  } else if (kept) {
    c->p[0] = kept->force[0] * s;
    for (int i = 0; i < 3; i++) c->pt[i] = kept->force[1 + i] * s;
  }
  c->tried = s;
  EfdaWallVelocity(e, d, e->t, s, c->wall_velocity);
  c->may_settle = e->options->settling && !e->striking;
  c->takes = c->strikes && e->options->tangential < 1;
  if (c->strikes)
    c->bias[0] = (1 - d->restitution) * PetscMin(c->start.rate, 0) / 2;
  else if (c->may_settle && c->start.rate < 0 && c->start.rate > -2 * e->h * e->scale.a)
    c->bias[0] = c->start.rate / 2;
  c->bias0 = c->bias[0];
}

/* Sweeps until the change of velocity is a tenth of that of the first sweep (*greatest), or rounding. More is not
   worth it, since the next pass has another geometry. Redundant contacts that stick may have no solution: their
   impulses grow by the same amount in every sweep, and *stuck is set. */
static PetscErrorCode sweep(EfdaSystem *e, PetscReal *greatest, PetscBool *stuck)
{
  PetscReal change = PETSC_MAX_REAL, first = PETSC_MAX_REAL, mark = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  *stuck = PETSC_FALSE;
  for (PetscInt n = 0;
       n < MOST_SWEEPS && (n == 0 || change > PetscMax(0.1 * first, 1e-15 * e->scale.speed)); n++) {
    change = EfdaSweep(e, PETSC_FALSE);
    if (n == 0) first = change;
    if (n == TOGETHER) PetscCall(EfdaSolveTogether(e, PETSC_FALSE, 1e-13));
    if (n % STUCK != STUCK - 1) continue;
    *stuck = change > 0.99 * mark;
    mark = change;
    if (*stuck) break;
  }
  *greatest = first;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The greatest difference of the positions at the end from those of the last pass. */
static PetscReal moved(const EfdaSystem *e)
{
  PetscReal most = 0;

  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; e->bodies[b].guided && i < 3; i++)
      most = PetscMax(most, fabs(e->trial->x[3 * b + i] - e->last[3 * b + i]));
  return most;
}

/* The first guess of the middle is that of free motion. */
static PetscBool move_freely(EfdaSystem *e, PetscReal s)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    for (int i = 0; i < 3; i++) e->bodies[b].force[i] = e->bodies[b].torque[i] = 0;
  return EfdaMove(e, s, PETSC_FALSE);
}

/* Keeps the angular momentum of free bodies to round-off, converged or not. Their velocities of the middle and their
   displacements do not depend on lever arms, so these can be computed last. */
static PetscBool align_free(EfdaSystem *e, PetscReal s)
{
  PetscBool good;

  EFDA_EACH_HELD (c, e) {
    const EfdaCandidate *d = c->of;

    if (!e->bodies[d->body].free) continue;
    EFDA_EACH_SIDE (side, b, d) {
      for (int i = 0; i < 3; i++)
        c->rt[side][i] = c->meeting.point[i] - (e->now->x[3 * b + i] + e->trial->x[3 * b + i]) / 2;
      v_copy(c->rt[side], c->rn[side]);
      if (c->p[0] > 0) v_add(c->rn[side], c->shift / (2 * c->p[0]), e->bodies[b].v);
      if (c->spring.shift != 0) v_add(c->rt[side], c->spring.shift / (2 * c->p[1]), e->bodies[b].v);
    }
    EfdaSetBlock(e, c);
  }
  EfdaSumForces(e);
  good = EfdaMove(e, s, PETSC_TRUE);
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].guided && e->bodies[b].free) v_copy(e->trial->x + 3 * b, e->base->x + 3 * b);
  EFDA_EACH_HELD (c, e)
    if (e->bodies[c->of->body].free) EfdaDisplace(e, c, c->shift, c->spring.shift);
  EfdaApply(e);
  return good;
}

/* Repeats passes until the contact law holds in the geometry of the middle. */
static PetscErrorCode solve(EfdaSystem *e, PetscReal s, PetscBool *good)
{
  PetscReal change;
  PetscBool stuck;
  PetscInt  pass;

  PetscFunctionBeginUser;
  EFDA_EACH_HELD (c, e) begin_contact(e, c, s);
  *good = move_freely(e, s);
  for (pass = 0; pass < MOST_PASSES && *good; pass++) {
    PetscCall(PetscArraycpy(e->last, e->trial->x, 3 * e->rigid->n));
    set_rows(e, s);
    EfdaSumForces(e);
    *good = EfdaMove(e, s, PETSC_FALSE); /* under the present forces, with the new directions */
    if (!*good) break;
    PetscCall(sweep(e, &change, &stuck));
    EfdaSumForces(e);
    *good = EfdaMove(e, s, PETSC_FALSE);
    PetscCall(CrRigidStateCopy(e->trial, e->base));
    if (e->options->penalty)
      EfdaPenaltyShift(e, s);
    else {
      EFDA_EACH (c, e) c->shift = 0;
      close_gaps(e, s);
    }
    if (pass > 0 && moved(e) <= 4e-16 * e->scale.length && change <= 1e-14 * e->scale.speed) break;
    if (pass > 1 && stuck && change <= 1e-6 * e->scale.speed && moved(e) <= 1e-9 * e->scale.size)
      break;
  }
  e->total.passes += pass + 1;
  if (*good) *good = align_free(e, s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaGuide(EfdaSystem *e, PetscReal s, PetscBool *good)
{
  PetscBool held = PETSC_FALSE, pressed = PETSC_FALSE;

  PetscFunctionBeginUser;
  *good = PETSC_TRUE;
  PetscCall(CrRigidStateCopy(e->now, e->trial));
  mark_bodies(e);
  EfdaFly(e, s);
  EFDA_EACH (c, e) held = held || c->held;
  if (held) PetscCall(solve(e, s, good));
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  EFDA_EACH_HELD (c, e) pressed = pressed || c->p[0] > 0;
  if (held && !pressed) { /* nothing holds after all: free flight is more exact */
    for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].guided = PETSC_FALSE;
    PetscCall(CrRigidStateCopy(e->now, e->trial));
    EfdaFly(e, s);
  }
  EfdaPoses(e, e->trial);
  PetscFunctionReturn(PETSC_SUCCESS);
}
