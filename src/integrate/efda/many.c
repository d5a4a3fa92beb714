/* Efda for many round bodies: the engine of integrate/efda/pile.h, fed from the model (theory 18.6). */
#include "integrate/efda/efda.h"
#include "model/conditions.h"

#define FROM 50 /* more bodies than this */
#define CORNERED                                                                                   \
  10 /* or more polytopes: their piles have many contacts that depend on each other */

#define LOAD 64 /* round bodies of unlike masses up to this number are not for the pile */

struct EfdaMany {
  PetscReal  *spin, *turn; /* [3n] */
  CrPileWall *walls;
  PetscInt    nwalls, *obstacle, *wall; /* of each wall */
  PetscReal   scale;                    /* an energy of the system */
};

static PetscBool is_round(const CrRigid *r)
{
  for (PetscInt k = 0; k < r->nshapes; k++)
    if (r->shapes[k].kind != CR_SHAPE_BALL) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Does a step of these ask for all contacts at once? */
static PetscBool is_many(const CrRigid *r)
{
  PetscInt n = 0;

  for (PetscInt b = 0; b < r->n; b++) n += r->shapes[r->shape[b]].kind == CR_SHAPE_POLYTOPE;
  return r->n > FROM || n > CORNERED;
}

/* Columns behind the kinds are walls. */
static void fill_laws(const Efda *e, PetscInt nkinds, const PetscInt *body, CrPileLaw *laws)
{
  const struct EfdaMany *m = e->many;
  PetscInt               n = nkinds + m->nwalls;

  for (PetscInt a = 0; a < nkinds; a++)
    for (PetscInt b = 0; b < n; b++) {
      PetscBool          swapped = PETSC_FALSE;
      const CrRigidPair *pair =
          b < nkinds
              ? CrContactRigidPairOf(e->contact, body[a], body[b], -1, &swapped)
              : CrContactRigidPairOf(e->contact, body[a], -1, m->obstacle[b - nkinds], &swapped);
      CrPileLaw *law = &laws[a * n + b];

      law->pair = pair ? pair->pair : -1;
      law->sign = swapped ? -1 : 1;
      if (pair) law->friction = e->contact->pairs[pair->pair].friction;
      if (pair) law->restitution = e->contact->pairs[pair->pair].restitution;
    }
}

static PetscErrorCode create_pile(Efda *e)
{
  const CrRigid   *r = e->rigid;
  struct EfdaMany *m = e->many;
  CrPileDef        def = {.dim = r->dim,
                          .n = r->n,
                          .nwalls = m->nwalls,
                          .npairs = e->contact ? e->contact->npairs : 0,
                          .nslides = e->contact ? e->contact->nslides : 0,
                          .slide_of = e->contact ? e->contact->slide_of : NULL,
                          .mass = r->mass,
                          .sweeps = CR_PILE_SWEEPS,
                          .pushes = CR_PILE_PUSHES,
                          .tolerance = CR_PILE_TOLERANCE};
  PetscReal       *radius, *inertia;
  PetscInt        *kind, *body;
  CrPileLaw       *laws;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(r->n, &radius, r->n, &inertia));
  PetscCall(CrContactRigidKinds(e->contact, r, &def.nkinds, &kind, &body));
  PetscCall(PetscCalloc1(def.nkinds * (def.nkinds + m->nwalls), &laws));
  for (PetscInt b = 0; b < r->n; b++) {
    radius[b] = r->shapes[r->shape[b]].radius;
    inertia[b] = r->inertia[3 * b + 2];
  }
  fill_laws(e, def.nkinds, body, laws);
  def.kind = kind;
  def.radius = radius;
  def.inertia = inertia;
  def.laws = laws;
  PetscCall(CrPileCreate(&def, &e->pile));
  PetscCall(PetscFree2(radius, inertia));
  PetscCall(PetscFree2(kind, body));
  PetscCall(PetscFree(laws));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The engine knows one constant acceleration. */
static PetscBool is_plain(const CrModel *model)
{
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];

    if (c->rigid >= 0) return PETSC_FALSE;
    if (c->kind == CR_GRAVITY && v_length(c->value) > 0) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

PetscErrorCode EfdaManySetUp(Efda *e)
{
  struct EfdaMany *m;
  PetscInt         o = e->contact ? e->contact->nobstacles : 0;

  PetscFunctionBeginUser;
  if (e->engine == 2 && e->penalty) CrDeckFail(e->engine_node, "many is for variant instant");
  if (e->engine == 0) e->engine = e->penalty || !is_many(e->rigid) ? 1 : 2;
  if (e->engine == 2 && (e->sequential || e->tangential < 1))
    CrWarn(
        "engine many takes the impacts of a step together: %s has no effect; engine: few resolves "
        "them",
        e->sequential ? "impacts: sequential" : "tangential_restitution");
  if (e->engine == 1 || !is_round(e->rigid) || !is_plain(e->model))
    PetscFunctionReturn(PETSC_SUCCESS);
  /* its sweeps do not carry a heavy body on a light one; on a bed of them they do, nearly */
  if (e->together && e->rigid->n <= LOAD) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(&e->many));
  m = e->many;
  for (PetscInt k = 0; k < o; k++)
    m->nwalls += CrObstacleWalls(&e->contact->obstacles[k], e->rigid->dim);
  PetscCall(PetscCalloc5(3 * e->rigid->n, &m->spin, 3 * e->rigid->n, &m->turn, m->nwalls, &m->walls,
                         m->nwalls, &m->obstacle, m->nwalls, &m->wall));
  for (PetscInt k = 0, n = 0; k < o; k++)
    for (PetscInt w = 0; w < CrObstacleWalls(&e->contact->obstacles[k], e->rigid->dim); w++) {
      m->obstacle[n] = k;
      m->wall[n++] = w;
    }
  PetscCall(create_pile(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaManyDestroy(Efda *e)
{
  struct EfdaMany *m = e->many;

  PetscFunctionBeginUser;
  PetscCall(CrPileDestroy(&e->pile));
  if (m) PetscCall(PetscFree5(m->spin, m->turn, m->walls, m->obstacle, m->wall));
  PetscCall(PetscFree(e->many));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Walls where they stand at t, with their mean velocity over h. */
static void place_walls(const Efda *e, PetscReal t, PetscReal h)
{
  struct EfdaMany *m = e->many;

  for (PetscInt k = 0; k < m->nwalls; k++) {
    const CrObstacle *o = &e->contact->obstacles[m->obstacle[k]];
    CrPileWall       *w = &m->walls[k];
    PetscReal         shift[3], next[3];
    PetscBool         inside;
    CrWall            wall;

    CrObstacleShift(o, t, shift);
    CrObstacleShift(o, t + h, next);
    inside = CrObstacleWall(o, m->wall[k], shift, &wall);
    w->kind = wall.is_plane ? CR_WALL_PLANE : inside ? CR_WALL_INSIDE : CR_WALL_OUTSIDE;
    w->radius = wall.radius;
    for (int i = 0; i < 3; i++) {
      w->point[i] = wall.point[i];
      w->normal[i] = wall.normal[i];
      w->velocity[i] = h > 0 ? (next[i] - shift[i]) / h : 0;
    }
  }
}

/* Orientations turn about the angular velocity of the middle. */
static void turn_bodies(const Efda *e, CrRigidState *s, PetscReal h)
{
  const struct EfdaMany *m = e->many;

  for (PetscInt b = 0; b < e->rigid->n; b++) {
    PetscReal turn[3], q[4], *to = s->q + 4 * b;

    for (int i = 0; i < 3; i++) {
      s->pi[3 * b + i] =
          e->rigid->inverse[3 * b + i] > 0 ? m->spin[3 * b + i] * e->rigid->inertia[3 * b + i] : 0;
      turn[i] = h * m->turn[3 * b + i];
    }
    if (e->rigid->dim == 2)
      s->angle[b] += turn[2];
    else {
      CrQuaternionTurn(turn, q);
      CrQuaternionTimes(q, to, to);
    }
  }
}

/* An energy to judge round-off by: what the bodies have, and what falling their own size gives. */
static PetscReal energy_scale(const Efda *e, const CrRigidState *s)
{
  PetscReal sum = 0;

  for (PetscInt b = 0; b < e->rigid->n; b++)
    sum += CrRigidKinetic(e->rigid, s, b) + e->rigid->mass[b] * v_length(e->load + 3 * b) *
                                                e->rigid->shapes[e->rigid->shape[b]].radius;
  return sum;
}

PetscErrorCode EfdaManyDeepest(Efda *e, const CrState *state, PetscReal *depth)
{
  struct EfdaMany *m = e->many;

  PetscFunctionBeginUser;
  if (e->contact) place_walls(e, state->t, 0);
  PetscCall(CrPileDeepest(e->pile, m->walls, state->rigid->x, state->rigid->v, m->spin, depth));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaManyStep(Efda *e, CrState *state, PetscReal h)
{
  struct EfdaMany *m = e->many;
  CrRigidState    *s = state->rigid;
  CrPileReport     pile = {0};

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < e->rigid->n; b++) CrRigidSpin(e->rigid, s, b, m->spin + 3 * b);
  if (e->contact) place_walls(e, state->t, h);
  PetscCall(CrPileStep(e->pile, h, e->load, energy_scale(e, s), m->walls, s->x, s->v, m->spin,
                       m->turn, &pile));
  turn_bodies(e, s, h);
  CrTallyAdd(&e->total.tally, pile.tally);
  e->total.contact_work = pile.contact_work;
  e->total.external_work = pile.wall_work;
  for (PetscInt k = 0; e->contact && k < e->contact->nslides; k++)
    CrContactSlide(e->contact, k, pile.slides[k]);
  e->passes = pile.sweeps;
  PetscFunctionReturn(PETSC_SUCCESS);
}
