/* The engine for many balls: reads bodies, walls and laws from the model (theory 18.6). */
#include "integrate/efda/crowd_ball.h"
#include "integrate/efda/efda.h"
#include "model/conditions.h"
#include "rigid/rotation.h"

typedef struct {
  EfdaBalls     *balls; /* owned, as the arrays */
  const CrModel *model; /* borrowed, as the next two */
  const CrRigid *rigid;
  CrContact     *contact;
  PetscReal     *load, *spin, *turn; /* [3n] */
  PetscReal     *radius, *inertia;   /* [n] */
  PetscInt      *kind, *body;        /* of each body; one of each kind */
  EfdaBallLaw   *laws;
  EfdaBallWall  *walls;
  PetscInt       nwalls, *obstacle, *wall; /* of each wall */
} Engine;

/* Fills the table of laws. Columns of walls come after those of the kinds. */
static void fill_laws(const Engine *m, PetscInt nkinds)
{
  PetscInt n = nkinds + m->nwalls;

  for (PetscInt a = 0; a < nkinds; a++)
    for (PetscInt b = 0; b < n; b++) {
      PetscInt           other = b < nkinds ? m->body[b] : -1, wall = b - nkinds;
      PetscBool          swapped = PETSC_FALSE;
      const CrRigidPair *rigid = CrContactRigidPairOf(m->contact, m->body[a], other,
                                                      wall < 0 ? -1 : m->obstacle[wall], &swapped);
      const CrPair      *pair = rigid ? &m->contact->pairs[rigid->pair] : NULL;

      m->laws[a * n + b] = (EfdaBallLaw){.pair = pair ? rigid->pair : -1,
                                         .sign = swapped ? -1 : 1,
                                         .friction = pair ? pair->friction : 0,
                                         .restitution = pair ? pair->restitution : 0};
    }
}

static PetscErrorCode create_balls(Engine *m)
{
  const CrRigid *r = m->rigid;
  EfdaBallsDef   def = {.dim = r->dim,
                        .n = r->n,
                        .nwalls = m->nwalls,
                        .contact = m->contact,
                        .mass = r->mass,
                        .radius = m->radius,
                        .inertia = m->inertia,
                        .sweeps = EFDA_BALL_SWEEPS,
                        .pushes = EFDA_BALL_PUSHES,
                        .tolerance = EFDA_BALL_TOLERANCE};

  PetscFunctionBeginUser;
  PetscCall(CrContactRigidKinds(m->contact, r, &def.nkinds, &m->kind, &m->body));
  PetscCall(PetscCalloc1(def.nkinds * (def.nkinds + m->nwalls), &m->laws));
  fill_laws(m, def.nkinds);
  for (PetscInt b = 0; b < r->n; b++) {
    m->radius[b] = CrRigidShape(r, b)->radius;
    m->inertia[b] = r->inertia[3 * b + 2];
  }
  def.kind = m->kind;
  def.laws = m->laws;
  PetscCall(EfdaBallsCreate(&def, &m->balls));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(const EfdaOptions *options, const CrModel *model, CrContact *contact,
                             void **engine)
{
  const CrRigid *r = model->rigid;
  PetscInt       o = contact ? contact->nobstacles : 0;
  Engine        *m;

  PetscFunctionBeginUser;
  (void)options;
  PetscCall(PetscNew(&m));
  *m = (Engine){.model = model, .rigid = r, .contact = contact};
  for (PetscInt k = 0; k < o; k++) m->nwalls += CrObstacleWalls(&contact->obstacles[k], r->dim);
  PetscCall(PetscCalloc6(3 * r->n, &m->load, 3 * r->n, &m->spin, 3 * r->n, &m->turn, m->nwalls,
                         &m->walls, m->nwalls, &m->obstacle, m->nwalls, &m->wall));
  PetscCall(PetscMalloc2(r->n, &m->radius, r->n, &m->inertia));
  for (PetscInt k = 0, n = 0; k < o; k++)
    for (PetscInt w = 0; w < CrObstacleWalls(&contact->obstacles[k], r->dim); w++) {
      m->obstacle[n] = k;
      m->wall[n++] = w;
    }
  PetscCall(create_balls(m));
  *engine = m;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(void *engine)
{
  Engine *m = engine;

  PetscFunctionBeginUser;
  PetscCall(EfdaBallsDestroy(&m->balls));
  PetscCall(PetscFree2(m->radius, m->inertia));
  PetscCall(PetscFree2(m->kind, m->body));
  PetscCall(PetscFree(m->laws));
  PetscCall(PetscFree6(m->load, m->spin, m->turn, m->walls, m->obstacle, m->wall));
  PetscCall(PetscFree(m));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes the walls at time t, with their mean velocity over h. */
static void place_walls(const Engine *m, PetscReal t, PetscReal h)
{
  for (PetscInt k = 0; k < m->nwalls; k++) {
    const CrObstacle *o = &m->contact->obstacles[m->obstacle[k]];
    EfdaBallWall     *w = &m->walls[k];
    PetscReal         shift[3], next[3];
    PetscBool         inside;
    CrWall            wall;

    CrObstacleShift(o, t, shift);
    CrObstacleShift(o, t + h, next);
    inside = CrObstacleWall(o, m->wall[k], shift, &wall);
    w->kind = wall.is_plane ? CR_WALL_PLANE : inside ? CR_WALL_INSIDE : CR_WALL_OUTSIDE;
    w->radius = wall.radius;
    v_copy(wall.point, w->point);
    v_copy(wall.normal, w->normal);
    for (int i = 0; i < 3; i++) w->velocity[i] = h > 0 ? (next[i] - shift[i]) / h : 0;
  }
}

/* Turns the bodies by the angular velocity in the middle of the step. */
static void turn_bodies(const Engine *m, CrRigidState *s, PetscReal h)
{
  for (PetscInt b = 0; b < m->rigid->n; b++) {
    PetscReal turn[3], q[4], *to = s->q + 4 * b;

    for (int i = 0; i < 3; i++) {
      s->pi[3 * b + i] =
          m->rigid->inverse[3 * b + i] > 0 ? m->spin[3 * b + i] * m->rigid->inertia[3 * b + i] : 0;
      turn[i] = h * m->turn[3 * b + i];
    }
    if (m->rigid->dim == 2)
      s->angle[b] += turn[2];
    else {
      CrQuaternionTurn(turn, q);
      CrQuaternionTimes(q, to, to);
    }
  }
}

static PetscErrorCode step(void *engine, CrState *state, PetscReal h, const EfdaWork **work,
                           PetscBool *good)
{
  Engine       *m = engine;
  CrRigidState *s = state->rigid;

  PetscFunctionBeginUser;
  *good = PETSC_TRUE;
  CrRigidAccelerationsOver(m->model, state->t + h / 2, h, m->load);
  for (PetscInt b = 0; b < m->rigid->n; b++) CrRigidSpin(m->rigid, s, b, m->spin + 3 * b);
  place_walls(m, state->t, h);
  PetscCall(EfdaBallsStep(m->balls, h, m->load, EfdaEnergyScale(m->rigid, s, m->load), m->walls,
                          s->x, s->v, m->spin, m->turn, work));
  turn_bodies(m, s, h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode deepest(void *engine, const CrState *state, PetscReal *depth)
{
  Engine       *m = engine;
  CrRigidState *s = state->rigid;

  PetscFunctionBeginUser;
  place_walls(m, state->t, 0);
  PetscCall(EfdaBallsDeepest(m->balls, m->walls, s->x, s->v, m->spin, depth));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(void *engine, CrArchive *a)
{
  return EfdaBallsArchive(((Engine *)engine)->balls, a);
}

static PetscErrorCode resume(void *engine)
{
  return EfdaBallsResume(((Engine *)engine)->balls);
}

const EfdaEngineOps EfdaCrowdOfBalls = {create, destroy, step, deepest, archive, resume};
