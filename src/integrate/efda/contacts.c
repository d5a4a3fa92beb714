/* Who may touch whom in a step of efda: candidates, contacts, their geometry and local problems. */
#include "cone/local.h"
#include "integrate/efda/efda.h"

/* ---- poses and meetings ---------------------------------------------------------------------------- */

void EfdaPoses(Efda *e, const CrRigidState *state)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) CrPoseGet(e->rigid, state, b, &e->poses[b]);
}

static void meet_obstacle(const Efda *e, const EfdaCandidate *c, const CrFeature *f, PetscReal t,
                          CrMeeting *m)
{
  const CrObstacle *o = &e->contact->obstacles[c->obstacle];
  const CrShape    *shape = &e->rigid->shapes[e->rigid->shape[c->body]];
  PetscReal         shift[3];
  CrWall            wall;

  CrObstacleShift(o, t, shift);
  if (CrObstacleWall(o, c->wall, shift, &wall))
    CrWallMeeting(shape, &e->poses[c->body], &wall, f, m);
  else {
    CrPose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

    v_copy(wall.point, pose.x);
    CrShapesMeeting(shape, &e->poses[c->body], &e->balls[c->obstacle], &pose, f, m);
  }
}

static void meet(const Efda *e, const EfdaCandidate *c, const CrFeature *f, PetscReal t,
                 CrMeeting *m)
{
  const CrRigid *r = e->rigid;

  if (c->other >= 0)
    CrShapesMeeting(&r->shapes[r->shape[c->body]], &e->poses[c->body],
                    &r->shapes[r->shape[c->other]], &e->poses[c->other], f, m);
  else
    meet_obstacle(e, c, f, t, m);
}

void EfdaMeet(const Efda *e, const EfdaContact *c, PetscReal t, CrMeeting *m)
{
  meet(e, &e->candidates[c->candidate], &c->feature, t, m);
}

PetscInt EfdaFeatures(const Efda *e, const EfdaCandidate *c, PetscReal t, PetscReal reach,
                      CrFeature *features)
{
  const CrRigid *r = e->rigid;
  const CrShape *shape = &r->shapes[r->shape[c->body]], *other;
  PetscReal      shift[3];
  CrWall         wall;
  CrPose         pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

  if (c->other >= 0) {
    pose = e->poses[c->other];
    other = &r->shapes[r->shape[c->other]];
  } else {
    CrObstacleShift(&e->contact->obstacles[c->obstacle], t, shift);
    if (CrObstacleWall(&e->contact->obstacles[c->obstacle], c->wall, shift, &wall))
      return CrWallFeatures(shape, &e->poses[c->body], &wall, reach, features);
    v_copy(wall.point, pose.x);
    other = &e->balls[c->obstacle];
  }
  if (e->heap) return CrShapesManifold(shape, &e->poses[c->body], other, &pose, reach, features);
  return CrShapesFeatures(shape, &e->poses[c->body], other, &pose, reach, e->close, features);
}

void EfdaWallVelocity(const Efda *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3])
{
  const CrObstacle *o;

  v[0] = v[1] = v[2] = 0;
  if (c->other >= 0) return;
  o = &e->contact->obstacles[c->obstacle];
  for (int i = 0; i < 3; i++) v[i] = o->velocity[i] + o->acceleration[i] * (t + s / 2);
}

/* ---- candidates -------------------------------------------------------------------------------------- */

/* How far a body's surface can come within h. */
static PetscReal travel(const Efda *e, PetscInt b, PetscReal h)
{
  const CrRigid *r = e->rigid;
  PetscReal      spin[3], a = v_length(e->load + 3 * b);

  CrRigidSpin(r, e->now, b, spin);
  return h * (v_length(e->now->v + 3 * b) + h * a) +
         PetscMin(2, h * v_length(spin)) * r->shapes[r->shape[b]].reach;
}

PetscErrorCode EfdaAddCandidate(Efda *e, const CrRigidPair *pair, PetscInt body, PetscInt other,
                                PetscInt obstacle, PetscInt wall)
{
  const CrPair *p = &e->contact->pairs[pair->pair];

  PetscFunctionBeginUser;
  if (e->ncandidates == e->candidates_room) {
    e->candidates_room = 2 * e->candidates_room + 64;
    PetscCall(PetscRealloc(sizeof(EfdaCandidate) * (size_t)e->candidates_room, &e->candidates));
  }
  e->candidates[e->ncandidates++] =
      (EfdaCandidate){body, other, obstacle, wall, pair->pair, p->friction, p->restitution};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What could meet within h even if impacts turn velocities about: paths of the start, twice as long. */
PetscErrorCode EfdaFindCandidates(Efda *e, PetscReal h)
{
  const CrRigid *r = e->rigid;

  PetscFunctionBeginUser;
  e->ncandidates = 0;
  if (!e->contact) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt a = 0; a < r->n; a++) {
    PetscBool          swapped;
    const CrRigidPair *pair;

    for (PetscInt o = 0; o < e->contact->nobstacles; o++) {
      pair = CrContactRigidPairOf(e->contact, a, -1, o, &swapped);
      for (PetscInt w = 0; pair && w < CrObstacleWalls(&e->contact->obstacles[o], r->dim); w++)
        PetscCall(EfdaAddCandidate(e, pair, a, -1, o, w));
    }
    for (PetscInt b = a + 1; b < r->n; b++) {
      PetscReal d[3], reach = r->shapes[r->shape[a]].reach + r->shapes[r->shape[b]].reach;

      v_less(e->now->x + 3 * a, e->now->x + 3 * b, d);
      if (v_length(d) > reach + 2 * (travel(e, a, h) + travel(e, b, h)) + 4 * e->speed * h)
        continue;
      pair = CrContactRigidPairOf(e->contact, a, b, -1, &swapped);
      if (pair) PetscCall(EfdaAddCandidate(e, pair, swapped ? b : a, swapped ? a : b, -1, -1));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

void EfdaRelative(const Efda *e, const EfdaContact *c, const PetscReal *v0, const PetscReal *om0,
                  const PetscReal *v1, const PetscReal *om1, PetscReal u[3])
{
  const EfdaCandidate *k = &e->candidates[c->candidate];
  PetscReal            w[3];

  v_cross(om0, c->rt[0], w);
  for (int i = 0; i < 3; i++) u[i] = v0[i] + w[i] - c->wall_velocity[i];
  if (k->other < 0) return;
  v_cross(om1, c->rt[1], w);
  for (int i = 0; i < 3; i++) u[i] -= v1[i] + w[i];
}

/* Gap and velocity of a contact in a state, whose poses must be those at hand; returns the rate of the gap. */
static PetscReal look_at(Efda *e, const CrRigidState *state, PetscReal t, EfdaContact *c,
                         PetscReal u[3])
{
  const EfdaCandidate *k = &e->candidates[c->candidate];
  PetscReal            om0[3], om1[3] = {0, 0, 0}, none[3] = {0, 0, 0};

  EfdaMeet(e, c, t, &c->meeting);
  EfdaWallVelocity(e, k, t, 0, c->wall_velocity);
  EfdaRows(e, c, state->x + 3 * k->body, k->other < 0 ? none : state->x + 3 * k->other);
  CrRigidSpin(e->rigid, state, k->body, om0);
  if (k->other >= 0) CrRigidSpin(e->rigid, state, k->other, om1);
  EfdaRelative(e, c, state->v + 3 * k->body, om0, k->other < 0 ? none : state->v + 3 * k->other,
               om1, u);
  return v_dot(u, c->meeting.normal);
}

static void start_contact(Efda *e, EfdaContact *c)
{
  PetscReal u[3];

  c->rate0 = c->low.rate = look_at(e, e->now, e->t, c, u);
  c->gap0 = c->low.gap = c->meeting.gap;
  v_copy(u, c->slip0);
  v_add(c->slip0, -c->rate0, c->meeting.normal);
  /* what comes fast is met at its instant, however near it is */
  c->closed = c->feature.kind != CR_MEET_APART &&
              c->gap0 <= (c->rate0 < -e->rest ? 1e-12 * e->length : e->close);
}

EfdaLook EfdaLookAt(Efda *e, const EfdaContact *c, PetscReal s)
{
  EfdaContact copy = *c;
  PetscReal   u[3], rate = look_at(e, e->trial, e->t + s, &copy, u);

  return (EfdaLook){copy.meeting.gap, rate};
}

PetscErrorCode EfdaCollect(Efda *e, PetscReal s)
{
  CrFeature features[CR_MOST_FEATURES];

  PetscFunctionBeginUser;
  e->ncontacts = 0;
  EfdaPoses(e, e->now);
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    const EfdaCandidate *c = &e->candidates[k];
    PetscReal wall[3], reach = travel(e, c->body, s) + (c->other < 0 ? 0 : travel(e, c->other, s));
    PetscInt  n;

    EfdaWallVelocity(e, c, e->t, s, wall);
    reach = 1.5 * (reach + s * v_length(wall)) + e->close;
    n = EfdaFeatures(e, c, e->t, reach, features);
    if (e->ncontacts + n > e->contacts_room) {
      e->contacts_room = 2 * (e->ncontacts + n) + 16;
      PetscCall(PetscRealloc(sizeof(EfdaContact) * (size_t)e->contacts_room, &e->contacts));
    }
    for (PetscInt i = 0; i < n; i++) {
      EfdaContact *contact = &e->contacts[e->ncontacts++];

      PetscCall(PetscMemzero(contact, sizeof *contact));
      contact->candidate = k;
      contact->feature = features[i];
      start_contact(e, contact);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaEnterGaps(Efda *e, const CrRigidState *state, PetscReal t)
{
  CrFeature features[CR_MOST_FEATURES];

  EfdaPoses(e, state);
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    PetscInt n = EfdaFeatures(e, &e->candidates[k], t, 0, features);

    for (PetscInt i = 0; i < n; i++) {
      CrMeeting m;

      meet(e, &e->candidates[k], &features[i], t, &m);
      CrTallyGap(&e->total.tally, e->candidates[k].pair, m.gap);
    }
  }
}

/* ---- islands --------------------------------------------------------------------------------------------- */

PetscInt EfdaRoot(Efda *e, PetscInt b)
{
  while (e->roots[b] != b) b = e->roots[b] = e->roots[e->roots[b]];
  return b;
}

void EfdaJoin(Efda *e, PetscInt a, PetscInt b)
{
  a = EfdaRoot(e, a), b = EfdaRoot(e, b);
  e->roots[PetscMax(a, b)] = PetscMin(a, b);
}

/* ---- one contact ------------------------------------------------------------------------------------------- */

void EfdaRows(const Efda *e, EfdaContact *c, const PetscReal *x0, const PetscReal *x1)
{
  v_frame(e->rigid->dim, c->meeting.normal, c->t1, c->t2);
  v_less(c->meeting.point, x0, c->rt[0]);
  v_less(c->meeting.point, x1, c->rt[1]);
  for (int i = 0; i < 2; i++) v_copy(c->rt[i], c->rn[i]);
}

static const PetscReal *direction(const EfdaContact *c, PetscInt a)
{
  return a == 0 ? c->meeting.normal : a == 1 ? c->t1 : c->t2;
}

/* W_ab = d_a.d_b/m + (r_a x d_a).I^-1 (r_b x d_b), of both bodies. */
void EfdaBlock(const Efda *e, EfdaContact *c)
{
  const EfdaCandidate *k = &e->candidates[c->candidate];
  PetscInt             dim = e->rigid->dim;

  for (PetscInt a = 0; a < 9; a++) c->W[a] = c->inverse[a] = 0;
  for (int side = 0; side < (k->other < 0 ? 1 : 2); side++) {
    PetscInt b = side ? k->other : k->body;

    for (PetscInt a = 0; a < dim; a++) {
      v_cross(a ? c->rt[side] : c->rn[side], direction(c, a), c->arm[side][a]);
      m_times(e->bodies[b].inverse, c->arm[side][a], c->turn[side][a]);
    }
    for (PetscInt i = 0; i < dim; i++)
      for (PetscInt j = 0; j < dim; j++)
        c->W[j * dim + i] +=
            (i == j ? 1 / e->rigid->mass[b] : 0) + v_dot(c->arm[side][i], c->turn[side][j]);
  }
  if (dim == 3) {
    for (int j = 0; j < 3; j++) {
      PetscReal unit[3] = {j == 0, j == 1, j == 2};

      if (!m_solve(c->W, unit, c->inverse + 3 * j))
        c->inverse[0] = c->inverse[4] = c->inverse[8] = 0;
    }
  } else {
    PetscReal det = c->W[0] * c->W[3] - c->W[1] * c->W[2];

    c->inverse[0] = c->W[3] / det, c->inverse[3] = c->W[0] / det;
    c->inverse[1] = -c->W[1] / det, c->inverse[2] = -c->W[2] / det;
  }
  c->rho = CrConeRho(dim, c->W);
}

/* Velocity in the frame for the bodies' velocities of the middle; returns its normal part. */
PetscReal EfdaSpeedAt(const Efda *e, const EfdaContact *c, PetscReal u[3])
{
  const EfdaCandidate *k = &e->candidates[c->candidate];
  const EfdaBody      *b0 = &e->bodies[k->body], *b1 = k->other < 0 ? NULL : &e->bodies[k->other];
  PetscReal            v[3];

  for (int i = 0; i < 3; i++) v[i] = b0->v[i] - c->wall_velocity[i] - (b1 ? b1->v[i] : 0);
  u[2] = 0;
  for (PetscInt a = 0; a < e->rigid->dim; a++) {
    u[a] = v_dot(direction(c, a), v) + v_dot(c->arm[0][a], b0->om);
    if (b1) u[a] -= v_dot(c->arm[1][a], b1->om);
  }
  return u[0];
}

/* Bodies' velocities change with the half impulse dp. */
static void push(Efda *e, const EfdaContact *c, const PetscReal dp[3])
{
  const EfdaCandidate *k = &e->candidates[c->candidate];

  for (int side = 0; side < (k->other < 0 ? 1 : 2); side++) {
    PetscInt  b = side ? k->other : k->body;
    PetscReal sign = side ? -1 : 1;

    for (PetscInt a = 0; a < e->rigid->dim; a++) {
      v_add(e->bodies[b].v, sign * dp[a] / e->rigid->mass[b], direction(c, a));
      v_add(e->bodies[b].om, sign * dp[a], c->turn[side][a]);
    }
  }
}

void EfdaGive(Efda *e, EfdaContact *c, const PetscReal p[3])
{
  PetscReal dp[3];

  for (int a = 0; a < 3; a++) {
    dp[a] = p[a] - c->p[a];
    c->p[a] = p[a];
  }
  push(e, c, dp);
}

/* Stick that ends the slip of the start (theory 18.5), if friction can do it and takes energy by it. */
static PetscBool try_settling(const Efda *e, const EfdaContact *c, const PetscReal free[3],
                              PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal mu = e->candidates[c->candidate].friction, b[3], work = 0, size = 0;

  b[0] = free[0];
  for (PetscInt a = 1; a < dim; a++) b[a] = free[a] - c->settle[a - 1] / 2;
  if (b[0] >= 0) return PETSC_FALSE;
  for (PetscInt a = 0; a < dim; a++) {
    r[a] = 0;
    for (PetscInt j = 0; j < dim; j++) r[a] -= c->inverse[j * dim + a] * b[j];
    if (a) size += r[a] * r[a], work += r[a] * c->settle[a - 1];
  }
  return r[0] > 0 && size <= mu * mu * r[0] * r[0] && work <= 0;
}

/* The impulse r of a contact whose velocity without it is u, judged against the bias, of the tangential one a part;
   returns the work of friction. */
static PetscReal solve_against(const Efda *e, const EfdaContact *c, const PetscReal u[3],
                               PetscReal part, PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal mu = e->candidates[c->candidate].friction, free[3], work = 0;

  for (PetscInt a = 0; a < dim; a++) {
    free[a] = u[a] - (a ? part : 1) * c->bias[a];
    r[a] = c->p[a];
  }
  if (c->may_settle && try_settling(e, c, free, r)) return 0;
  for (PetscInt a = 0; a < dim; a++) r[a] = c->p[a];
  if (dim == 2)
    cone_local(2, c->W, c->inverse, mu, c->rho, free, r);
  else
    cone_local(3, c->W, c->inverse, mu, c->rho, free, r);
  for (PetscInt a = 1; a < dim; a++) {
    work += r[a] * u[a];
    for (PetscInt j = 0; j < dim; j++) work += r[a] * c->W[j * dim + a] * r[j];
  }
  return work;
}

/* The impulse r of a contact for the bodies' velocities as they are, and the greatest change of velocity it makes. */
static PetscReal solve_one(const Efda *e, const EfdaContact *c, PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal u[3], change = 0;

  EfdaSpeedAt(e, c, u);
  for (PetscInt a = 0; a < dim; a++)
    for (PetscInt j = 0; j < dim; j++) u[a] -= c->W[j * dim + a] * c->p[j];
  if (solve_against(e, c, u, 1, r) > 0 && c->takes) {
    PetscReal low = 0, high = 1; /* none of the bias asks for no work */

    for (int n = 0; n < 60 && high - low > 1e-16; n++) {
      PetscReal part = (low + high) / 2;

      if (solve_against(e, c, u, part, r) > 0)
        high = part;
      else
        low = part;
    }
    (void)solve_against(e, c, u, low, r);
  }
  for (PetscInt a = 0; a < dim; a++)
    change = PetscMax(change, fabs(r[a] - c->p[a]) * c->W[a * dim + a]);
  return change;
}

PetscReal EfdaSolveOne(Efda *e, EfdaContact *c)
{
  PetscReal r[3] = {0}, change = solve_one(e, c, r);

  if (change > 0) EfdaGive(e, c, r);
  return change;
}

PetscReal EfdaResidual(const Efda *e, const EfdaContact *c)
{
  PetscReal r[3];

  return solve_one(e, c, r);
}

/* ---- sums ---------------------------------------------------------------------------------------------------- */

CrContactStatus EfdaStatus(const Efda *e, const EfdaContact *c)
{
  PetscReal t = e->rigid->dim == 3 ? hypot(c->p[1], c->p[2]) : fabs(c->p[1]);

  return CrCoulombStatus(e->candidates[c->candidate].friction, c->p[0], t);
}

void EfdaWorkBegin(EfdaWork *work)
{
  CrTallyBegin(&work->tally);
  work->contact_work = work->external_work = 0;
}

void EfdaEnter(const Efda *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work)
{
  PetscInt  dim = e->rigid->dim, pair = e->candidates[c->candidate].pair;
  PetscReal force[3] = {0, 0, 0};

  work->contact_work += 2 * c->p[0] * u[0];
  for (PetscInt a = 0; a < dim; a++) {
    work->external_work += 2 * c->p[a] * v_dot(direction(c, a), c->wall_velocity);
    v_add(force, 2 * c->p[a] / e->h, direction(c, a));
    if (a) CrTallyLoss(&work->tally, pair, -2 * c->p[a] * u[a]);
  }
  CrTallyPoint(&work->tally, pair, EfdaStatus(e, c), force);
}

void EfdaWorkAdd(EfdaWork *work, const EfdaWork *part)
{
  CrTallyAdd(&work->tally, &part->tally);
  work->contact_work += part->contact_work;
  work->external_work += part->external_work;
}
