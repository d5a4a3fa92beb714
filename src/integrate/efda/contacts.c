/* Finds the candidates of a step (bodies that may touch) and their contacts. */
#include "integrate/efda/contacts.h"

/* ---- poses and meetings ---------------------------------------------------------------------- */

void EfdaPoses(EfdaSystem *e, const CrRigidState *state)
{
  for (PetscInt b = 0; b < e->rigid->n; b++) CrPoseGet(e->rigid, state, b, &e->poses[b]);
}

/* Returns the shape of the master of a candidate and its pose at time t. If the master is a wall, returns NULL and
   the wall. */
static const CrShape *master_of(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t,
                                CrPose *pose, CrWall *wall)
{
  const CrObstacle *o;
  PetscReal         shift[3];

  if (c->other >= 0) {
    *pose = e->poses[c->other];
    return CrRigidShape(e->rigid, c->other);
  }
  o = &e->contact->obstacles[c->obstacle];
  CrObstacleShift(o, t, shift);
  if (CrObstacleWall(o, c->wall, shift, wall)) return NULL;
  *pose = (CrPose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  v_copy(wall->point, pose->x);
  return &e->balls[c->obstacle];
}

void EfdaMeet(const EfdaSystem *e, const EfdaContact *c, PetscReal t, CrMeeting *m)
{
  const CrPose  *at = &e->poses[c->of->body];
  CrPose         pose;
  CrWall         wall;
  const CrShape *shape = CrRigidShape(e->rigid, c->of->body),
                *other = master_of(e, c->of, t, &pose, &wall);

  if (other)
    CrShapesMeeting(shape, at, other, &pose, &c->feature, m);
  else
    CrWallMeeting(shape, at, &wall, &c->feature, m);
}

PetscReal EfdaGapAt(const EfdaSystem *e, const EfdaContact *c, PetscReal t)
{
  CrMeeting m;

  EfdaMeet(e, c, t, &m);
  return m.gap;
}

/* Finds the features of a candidate with a gap below `reach`, at the poses. Returns their number. */
static PetscInt find_features(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t,
                              PetscReal reach, CrFeature *features)
{
  CrPose         pose;
  CrWall         wall;
  const CrPose  *at = &e->poses[c->body];
  const CrShape *shape = CrRigidShape(e->rigid, c->body), *other = master_of(e, c, t, &pose, &wall);

  if (!other) return CrWallFeatures(shape, at, &wall, reach, features);
  if (e->manifold) return CrShapesManifold(shape, at, other, &pose, reach, features);
  return CrShapesFeatures(shape, at, other, &pose, reach, e->scale.close, features);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* The distance that a point of a body's surface can move within h. */
static PetscReal travel(const EfdaSystem *e, PetscInt b, PetscReal h)
{
  const CrRigid *r = e->rigid;
  PetscReal      spin[3], a = v_length(e->load + 3 * b);

  CrRigidSpin(r, e->now, b, spin);
  return h * (v_length(e->now->v + 3 * b) + h * a) +
         PetscMin(2, h * v_length(spin)) * CrRigidShape(r, b)->reach;
}

PetscErrorCode EfdaAddCandidate(EfdaSystem *e, PetscInt a, PetscInt b, PetscInt obstacle,
                                PetscInt wall)
{
  PetscBool          swapped;
  const CrRigidPair *pair = CrContactRigidPairOf(e->contact, a, b, obstacle, &swapped);
  const CrPair      *p;

  PetscFunctionBeginUser;
  if (!pair) PetscFunctionReturn(PETSC_SUCCESS);
  p = &e->contact->pairs[pair->pair];
  CrListAdd(&e->candidates, (EfdaCandidate){swapped ? b : a, swapped ? a : b, obstacle, wall,
                                            pair->pair, p->friction, p->restitution, 0});
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Impacts may change velocities within h. So paths are taken twice as long as those of the start. */
PetscErrorCode EfdaFindCandidates(EfdaSystem *e, PetscReal h)
{
  const CrRigid *r = e->rigid;

  PetscFunctionBeginUser;
  e->candidates.n = 0;
  if (!e->contact) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt a = 0; a < r->n; a++) {
    for (PetscInt o = 0; o < e->contact->nobstacles; o++)
      for (PetscInt w = 0; w < CrObstacleWalls(&e->contact->obstacles[o], r->dim); w++)
        PetscCall(EfdaAddCandidate(e, a, -1, o, w));
    for (PetscInt b = a + 1; b < r->n; b++) {
      PetscReal d[3], reach = CrRigidShape(r, a)->reach + CrRigidShape(r, b)->reach;

      v_less(e->now->x + 3 * a, e->now->x + 3 * b, d);
      if (v_length(d) > reach + 2 * (travel(e, a, h) + travel(e, b, h)) + 4 * e->scale.speed * h)
        continue;
      PetscCall(EfdaAddCandidate(e, a, b, -1, -1));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Finds gap and relative velocity of a contact in a state, at its poses. Returns the rate of the gap. */
static PetscReal look_at(EfdaSystem *e, const CrRigidState *state, PetscReal t, EfdaContact *c,
                         PetscReal u[3])
{
  PetscReal om[2][3];

  EfdaMeet(e, c, t, &c->meeting);
  EfdaWallVelocity(e, c->of, t, 0, c->wall_velocity);
  EfdaRows(e, c);
  EFDA_EACH_SIDE (side, b, c->of) CrRigidSpin(e->rigid, state, b, om[side]);
  EfdaRelative(c, state->v, (const PetscReal *const[2]){om[0], om[1]}, u);
  return v_dot(u, c->meeting.normal);
}

static void start_contact(EfdaSystem *e, EfdaContact *c)
{
  PetscReal u[3];

  c->start.rate = c->low.rate = look_at(e, e->now, e->t, c, u);
  c->start.gap = c->low.gap = c->meeting.gap;
  v_copy(u, c->slip0);
  v_add(c->slip0, -c->start.rate, c->meeting.normal);
  /* bodies that approach fast are not closed, however near: their impact is resolved in time */
  c->closed =
      c->feature.kind != CR_MEET_APART &&
      c->start.gap <= (c->start.rate < -e->scale.rest ? 1e-12 * e->scale.length : e->scale.close);
}

EfdaLook EfdaLookAt(EfdaSystem *e, const EfdaContact *c, PetscReal s)
{
  EfdaContact copy = *c;
  PetscReal   u[3], rate = look_at(e, e->trial, e->t + s, &copy, u);

  return (EfdaLook){copy.meeting.gap, rate};
}

PetscErrorCode EfdaAddContacts(EfdaSystem *e, const EfdaCandidate *candidate, PetscReal reach)
{
  CrFeature features[CR_MOST_FEATURES];
  PetscInt  n = find_features(e, candidate, e->t, reach, features);

  PetscFunctionBeginUser;
  PetscCall(CrListGrow(&e->contacts, n));
  for (PetscInt i = 0; i < n; i++)
    e->contacts.at[e->contacts.n++] = (EfdaContact){.of = candidate, .feature = features[i]};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaCollect(EfdaSystem *e, PetscReal s)
{
  PetscFunctionBeginUser;
  e->contacts.n = 0;
  EfdaPoses(e, e->now);
  EFDA_EACH_CANDIDATE (c, e) {
    PetscReal wall[3], reach = travel(e, c->body, s) + (c->other < 0 ? 0 : travel(e, c->other, s));

    EfdaWallVelocity(e, c, e->t, s, wall);
    PetscCall(EfdaAddContacts(e, c, 1.5 * (reach + s * v_length(wall)) + e->scale.close));
  }
  EFDA_EACH (c, e) start_contact(e, c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaEnterGaps(EfdaSystem *e, const CrRigidState *state, PetscReal t)
{
  CrFeature features[CR_MOST_FEATURES];

  EfdaPoses(e, state);
  EFDA_EACH_CANDIDATE (d, e) {
    EfdaContact c = {.of = d};
    PetscInt    n = find_features(e, d, t, 0, features);

    for (PetscInt i = 0; i < n; i++) {
      c.feature = features[i];
      CrTallyGap(&e->total.tally, d->pair, EfdaGapAt(e, &c, t));
    }
  }
}
