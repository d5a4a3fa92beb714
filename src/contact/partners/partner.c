/* Rigid bodies of finite mass beside deformable ones (theory 14.3). The unknowns of a body are move = x1 - x0 and
   Cayley's rotation vector th. For given trial positions of the nodes, the equations of motion are

     M (v1 - v0)/h = F + M a,   (pi1 - pi0)/h = T,   v1 = 2 move/h - v0,   R1 = cay(th) R0,
     pi1 = R1 I Om1,            Om1 = 2 R0^T th/h - Om0.

   Every rank solves these equations whenever the contact forces are evaluated. The motion of the bodies adds the term
   -K_uz K_zz^-1 K_zu to the tangent of the nodes. F and T are sums over the forces of contact points, with the lever
   arms in the middle of the step. With these lever arms energy and both momenta are exact. In a quasi-static analysis
   the body rests: F + M a = 0 and T = 0 at the end of the step (rest.c). */
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/partners.h"
#include "rigid/rotation.h"

#define MOST_ITERATIONS 40
#define MOST_HALVINGS   12

/* ---- the step --------------------------------------------------------------------------------- */

/* Predicts free flight, from which the iteration and the search start. */
static void predict(CrPartner *p, PetscReal h)
{
  PetscReal spin[3];

  m_times(p->start.R, p->Om0, spin);
  for (int i = 0; i < 3; i++) {
    PetscReal a = p->newmark ? p->a0[i] : p->load[i];

    p->move[i] = p->rests ? 0 : h * (p->v0[i] + h * a / 2);
    p->turn[i] = p->rests ? 0 : h * spin[i];
  }
  CrPartnerPlace(p);
}

static void start(const CrRigid *r, const CrRigidState *state, PetscInt b, PetscReal h,
                  CrPartner *p)
{
  PetscReal Pi[3];

  p->shape = &r->shapes[r->shape[b]];
  p->mass = r->mass[b];
  CrPoseGet(r, state, b, &p->start);
  v_copy(state->v + 3 * b, p->v0);
  v_copy(state->pi + 3 * b, p->pi0);
  m_back(p->start.R, p->pi0, Pi);
  for (int i = 0; i < 3; i++) {
    PetscReal inverse = r->inverse[3 * b + i];

    p->is_free[i] = i < r->dim;
    p->is_free[3 + i] = inverse > 0;
    p->I[i] = inverse > 0 ? r->inertia[3 * b + i] : 0;
    p->Om0[i] = inverse * Pi[i];
  }
  p->guessed = PETSC_FALSE;
  predict(p, h);
  p->path = p->end;
}

/* Sets where in the step contact acts on body b, and by which rule it moves. */
static void place_in_time(const CrContact *c, PetscInt b)
{
  CrPartner            *p = &c->work->partners[b];
  const CrRigidNewmark *nm = c->work->newmark;

  p->rests = c->model->quasi_static;
  p->newmark = nm;
  p->at_end = p->rests || nm;
  for (int i = 0; nm && i < 3; i++) {
    p->a0[i] = nm->a[6 * b + i];
    p->A0[i] = nm->a[6 * b + 3 + i];
  }
}

PetscErrorCode CrContactBeginRigid(CrContact *c, const CrRigidState *state, PetscReal t,
                                   PetscReal h)
{
  const CrRigid *r = c->model->rigid;

  PetscFunctionBeginUser;
  if (!c->work->partners)
    PetscCall(
        PetscCalloc3(r->n, &c->work->partners, 3 * r->n, &c->work->loads, r->n, &c->work->shared));
  c->work->unheld = -1;
  for (PetscInt b = 0; b < r->n; b++) place_in_time(c, b);
  if (c->model->quasi_static || c->work->newmark) {
    CrRigidAccelerations(c->model, t, c->work->loads);
    for (PetscInt b = 0; b < r->n; b++) v_copy(c->work->loads + 3 * b, c->work->partners[b].load0);
    CrRigidAccelerations(c->model, t + h, c->work->loads);
  } else
    CrRigidAccelerationsOver(c->model, t + h / 2, h, c->work->loads);
  for (PetscInt b = 0; b < r->n; b++) {
    v_copy(c->work->loads + 3 * b, c->work->partners[b].load);
    start(r, state, b, h, &c->work->partners[b]);
  }
  c->work->h = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrPartnersSurprise(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPartner *p = &c->work->partners[PetscMax(c->passes[k].partner, 0)];
    PetscReal        d[3], least = PETSC_MAX_REAL;

    if (!c->passes[k].ops->body) continue;
    for (int e = 0; e < (p->guessed ? 2 : 1); e++) {
      const CrPose *pose = e ? &p->guess : &p->path;
      PetscReal     turned = 0;

      v_less(p->end.x, pose->x, d);
      for (int i = 0; i < 9; i++) turned += PetscSqr(p->end.R[i] - pose->R[i]);
      least = PetscMin(least, v_length(d) + p->shape->reach * sqrt(turned));
    }
    if (least > c->passes[k].reach / 2) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

void CrPartnersGuess(CrContact *c)
{
  for (PetscInt b = 0; b < c->model->rigid->n; b++) {
    CrPartner *p = &c->work->partners[b];

    p->guessed = PETSC_TRUE;
    p->guess = p->end;
  }
}

/* ---- equations of one body -------------------------------------------------------------------- */

/* Computes I Om1 and pi1. */
static void momentum(const CrPartner *p, PetscReal h, PetscReal L[3], PetscReal pi[3])
{
  m_back(p->start.R, p->turn, L);
  for (int i = 0; i < 3; i++) L[i] = p->I[i] * (2 * L[i] / h - p->Om0[i]);
  m_times(p->end.R, L, pi);
}

/* The residual of the body's equations. sizes: of the forces and torques in it. */
static void balance(CrPartner *p, PetscReal h, PetscReal sizes[2])
{
  PetscReal L[3], pi[3], a[3], rate[3];

  momentum(p, h, L, pi);
  if (p->newmark) CrNewmarkAccelerations(p, h, a, rate);
  sizes[0] = PetscMax(sizes[0], p->mass * (2 * v_length(p->v0) / h + v_length(p->load)));
  sizes[1] = PetscMax(sizes[1], 2 * v_length(p->pi0) / h);
  if (p->rests) sizes[1] = PetscMax(sizes[1], p->mass * v_length(p->load) * p->shape->reach);
  for (int i = 0; i < 3; i++) {
    PetscReal change = p->rests ? 0 : p->newmark ? a[i] : 2 * (p->move[i] / h - p->v0[i]) / h;
    PetscReal turned = p->rests ? 0 : p->newmark ? rate[i] : (pi[i] - p->pi0[i]) / h;

    p->residual[i] = p->is_free[i] ? p->force[i] + p->mass * (p->load[i] - change) : 0;
    p->residual[3 + i] = p->is_free[3 + i] ? p->torque[i] - turned : 0;
  }
}

/* ---- points of several ranks ------------------------------------------------------------------ */

PetscErrorCode CrPartnersShare(CrContact *c)
{
  const PetscInt n = c->model->rigid->n;
  PetscInt      *counts = c->work->shared;

  PetscFunctionBeginUser;
  if (!c->work->partners || !c->division) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < n; b++) counts[b] = 0;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrPass *pass = &c->passes[c->work->touches[k].pass];

    if (pass->ops->body && CrPassIsDivided(c, pass)) counts[pass->partner]++;
  }
  PetscCall(CrDivisionSumInts(c, n, counts));
  for (PetscInt b = 0; b < n; b++) c->work->partners[b].shared = counts[b];
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrPartnerSum(const CrContact *c, PetscInt b, PetscInt n, PetscReal *values)
{
  if (c->work->partners[b].shared) PetscCallAbort(c->model->comm, CrDivisionSum(c, n, values));
}

/* Force and torque on a body by some of its points, the sizes of both, and the number of points without a closest
   point. */
enum { FORCE = 0, TORQUE = 3, SIZES = 6, LOST = 8, NPARTS };

/* Evaluates the points of a body, those that are divided among the ranks or the others. */
static void evaluate(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step,
                     PetscBool choose, PetscBool divided, PetscReal parts[NPARTS])
{
  CR_EACH_PASS (pass, c) {
    if (pass->partner != b || CrPassIsDivided(c, pass) != divided) continue;
    CR_EACH_TOUCH_OF (t, c, pass - c->passes) {
      if (t->idle || parts[LOST] > 0) continue;
      if (!pass->ops->look(c, t, u0, step, choose)) {
        parts[LOST] = 1;
        continue;
      }
      if (step->law->exact) t->k1.gap = pass->ops->gap(c, t, step->end);
      if (t->out.p != 0) CrPartnerAddPoint(c, t, parts + FORCE, parts + TORQUE, parts + SIZES);
    }
  }
}

PetscReal CrPartnerEvaluate(CrContact *c, PetscInt b, const PetscReal *u0,
                            const CrContactStep *step, PetscBool choose)
{
  CrPartner *p = &c->work->partners[b];
  PetscReal  all[NPARTS] = {0}, own[NPARTS] = {0}, *sizes = all + SIZES, parts[2] = {0, 0};

  CrPartnerPlace(p);
  evaluate(c, b, u0, step, choose, PETSC_FALSE, all);
  if (p->shared) {
    evaluate(c, b, u0, step, choose, PETSC_TRUE, own);
    CrPartnerSum(c, b, NPARTS, own);
    for (int i = 0; i < NPARTS; i++) all[i] += own[i];
  }
  if (all[LOST] > 0) return PETSC_MAX_REAL;
  v_copy(all + FORCE, p->force);
  v_copy(all + TORQUE, p->torque);
  balance(p, c->work->h, sizes);
  if (p->rests) CrPartnerFloor(c, b, sizes);
  for (int i = 0; i < 2; i++) {
    PetscReal size = v_length(p->residual + 3 * i);

    parts[i] = size > 0 ? size / sizes[i] : 0;
  }
  return PetscMax(parts[0], parts[1]);
}

/* ---- its derivative --------------------------------------------------------------------------- */

/* d pi1 = [-C (Rm I Om1)^ + (2/h) R1 I R0^T] d(turn) */
static void add_inertia(const CrPartner *p, PetscReal h, PetscReal K[36])
{
  PetscReal L[3], pi[3], a[3], X[9], M[9];

  momentum(p, h, L, pi);
  m_times(p->Rm, L, a);
  m_cross(a, X);
  m_multiply(p->C, X, M);
  for (int i = 0; i < 3; i++) {
    K[6 * i + i] -= 2 * p->mass / (h * h);
    for (int j = 0; j < 3; j++) {
      PetscReal sum = -M[3 * i + j];

      for (int k = 0; k < 3; k++)
        sum += 2 / h * p->end.R[3 * i + k] * p->I[k] * p->start.R[3 * j + k];
      K[6 * (3 + i) + 3 + j] -= sum / h;
    }
  }
}

/* K <- K^-1 on the free unknowns, zero elsewhere. Gauss and Jordan with row exchange; rows are scaled
   by their inertia first, since forces and torques have no common measure. */
static PetscBool invert(const CrPartner *p, PetscReal K[36])
{
  PetscReal A[6][12] = {{0}};
  PetscInt  unknown[6], n = 0;

  for (int i = 0; i < 6; i++)
    if (p->is_free[i]) unknown[n++] = i;
  for (PetscInt i = 0; i < n; i++) {
    PetscReal scale = 1 / PetscAbsReal(K[7 * unknown[i]]);

    if (!(scale < PETSC_MAX_REAL)) scale = 1;
    for (PetscInt j = 0; j < n; j++) A[i][j] = scale * K[6 * unknown[i] + unknown[j]];
    A[i][6 + i] = scale;
  }
  for (PetscInt k = 0; k < n; k++) {
    PetscInt best = k;

    for (PetscInt i = k + 1; i < n; i++)
      if (PetscAbsReal(A[i][k]) > PetscAbsReal(A[best][k])) best = i;
    if (!(PetscAbsReal(A[best][k]) > 0)) return PETSC_FALSE;
    for (int j = 0; j < 12; j++) {
      PetscReal t = A[k][j];

      A[k][j] = A[best][j];
      A[best][j] = t;
    }
    for (int j = 11; j >= k; j--) A[k][j] /= A[k][k];
    for (PetscInt i = 0; i < n; i++) {
      PetscReal t = A[i][k];

      for (int j = (int)k; i != k && j < 12; j++) A[i][j] -= t * A[k][j];
    }
  }
  for (int i = 0; i < 36; i++) K[i] = 0;
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++) K[6 * unknown[i] + unknown[j]] = A[i][6 + j];
  return PETSC_TRUE;
}

/* Adds the derivatives of the forces of some points, as in evaluate(). */
static void differentiate(const CrContact *c, PetscInt b, const CrContactStep *step,
                          PetscBool divided, PetscReal K[36])
{
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *pass = &c->passes[k];

    if (pass->partner != b || CrPassIsDivided(c, pass) != divided) continue;
    for (PetscInt t = c->work->first[k]; t < c->work->first[k + 1]; t++) {
      const CrTouch *touch = &c->work->touches[t];

      if (!touch->idle && touch->out.status != CR_OPEN) pass->ops->turn(c, touch, step, K);
    }
  }
}

PetscBool CrPartnerDifferentiate(CrContact *c, PetscInt b, const CrContactStep *step)
{
  CrPartner *p = &c->work->partners[b];
  PetscReal  own[36] = {0};

  for (int i = 0; i < 36; i++) p->K[i] = 0;
  if (p->rests)
    CrPartnerAnchor(c, b, p->K);
  else if (p->newmark)
    CrNewmarkAddInertia(p, c->work->h, p->K);
  else
    add_inertia(p, c->work->h, p->K);
  differentiate(c, b, step, PETSC_FALSE, p->K);
  if (p->shared) {
    differentiate(c, b, step, PETSC_TRUE, own);
    CrPartnerSum(c, b, 36, own);
    for (int i = 0; i < 36; i++) p->K[i] += own[i];
  }
  return invert(p, p->K);
}

/* ---- Newton ----------------------------------------------------------------------------------- */

/* Takes one Newton step, halved until the residual falls. Returns the new residual; it is not below `now` if no step
   helps. */
static PetscReal improve(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step,
                         PetscReal now)
{
  CrPartner *p = &c->work->partners[b];
  PetscReal  d[6], move[3], turn[3], next = now;

  for (int i = 0; i < 6; i++) {
    d[i] = 0;
    for (int j = 0; j < 6; j++) d[i] += p->K[6 * i + j] * p->residual[j];
  }
  v_copy(p->move, move);
  v_copy(p->turn, turn);
  for (PetscInt k = 0; k < MOST_HALVINGS; k++) {
    v_copy(move, p->move);
    v_copy(turn, p->turn);
    v_add(p->move, -PetscPowRealInt(0.5, (int)k), d);
    v_add(p->turn, -PetscPowRealInt(0.5, (int)k), d + 3);
    next = CrPartnerEvaluate(c, b, u0, step, PETSC_FALSE);
    if (next < now) return next;
    if (now < 1e-12) break; /* rounding */
  }
  if (now >= 1e-12 || next < 1e-12) return next;
  v_copy(move, p->move); /* it was better before */
  v_copy(turn, p->turn);
  return CrPartnerEvaluate(c, b, u0, step, PETSC_FALSE);
}

static PetscBool solve(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step)
{
  PetscReal now = CrPartnerEvaluate(c, b, u0, step, c->work->iteration < FREEZE);

  for (PetscInt k = 0; k < MOST_ITERATIONS; k++) {
    PetscReal last = now;

    if (now <= 1e-16) return PETSC_TRUE;
    if (!(now < PETSC_MAX_REAL) || !CrPartnerDifferentiate(c, b, step)) return PETSC_FALSE;
    now = improve(c, b, u0, step, last);
    if (now < 1e-12 && now > last / 4) return PETSC_TRUE; /* as far as rounding lets it go */
    if (!(now < last)) return now < 1e-12 || CrPartnerIsRounding(c, b);
  }
  return CrPartnerIsRounding(c, b);
}

void CrPartnersSolve(CrContact *c, const PetscReal *u0, const CrContactStep *step)
{
  for (PetscInt b = 0; b < c->model->rigid->n; b++) {
    if (c->work->partners[b].rests && step->law->exact) { /* the method moves it (CrPartnerMove) */
      if (!(CrPartnerEvaluate(c, b, u0, step, c->work->iteration < FREEZE) < PETSC_MAX_REAL))
        c->work->lost = PETSC_TRUE;
      continue;
    }
    if (c->work->partners[b].rests) {
      if (CrPartnerSettle(c, b, u0, step)) continue;
      c->work->unheld = b;
      c->work->lost = PETSC_TRUE;
      predict(&c->work->partners[b], c->work->h);
      continue;
    }
    if (solve(c, b, u0, step)) continue;
    predict(&c->work->partners[b], c->work->h); /* once more, from free flight */
    if (!solve(c, b, u0, step)) c->work->lost = PETSC_TRUE;
  }
}

/* ---- after the step --------------------------------------------------------------------------- */

PetscReal CrContactRigidWork(const CrContact *c)
{
  PetscReal work = 0;

  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    const CrPartner *p = &c->work->partners[b];

    for (int i = 0; i < 3; i++) { /* contact at the end: by the trapezoidal rule */
      PetscReal load = p->at_end ? (p->load0[i] + p->load[i]) / 2 : p->load[i];

      work += p->mass * (load - c->model->gravity[i]) * p->move[i];
    }
  }
  return work;
}

/* Computes momenta from the forces, so that they are kept to round-off. */
void CrContactAcceptRigid(const CrContact *c, CrRigidState *state)
{
  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    const CrPartner *p = &c->work->partners[b];
    PetscReal        q[4], size = 0, *to = state->q + 4 * b;

    v_copy(p->end.x, state->x + 3 * b);
    if (p->newmark) CrNewmarkAccept(p, b, c->work->h, state);
    for (PetscInt i = 0; i < c->model->dim && !p->at_end; i++)
      state->v[3 * b + i] += c->work->h * (p->force[i] / p->mass + p->load[i]);
    for (int i = 0; i < 3; i++)
      if (p->is_free[3 + i] && !p->at_end) state->pi[3 * b + i] += c->work->h * p->torque[i];
    if (c->model->dim == 2) {
      state->angle[b] += 2 * atan(p->turn[2] / 2);
      continue;
    }
    CrPartnerQuaternion(p->turn, 1, q);
    CrQuaternionTimes(q, to, to);
    for (int i = 0; i < 4; i++) size += to[i] * to[i];
    for (int i = 0; i < 4; i++) to[i] /= sqrt(size);
  }
}
