#include "contact/pairing.h"
#include "integrate/explicit_points.h"
#include "model/conditions.h"

#define CLOSED           1e-9 /* of the distance from the origin: gaps of the start that are none */
#define START_ITERATIONS 50

/* One point at one wall, and what it remembers. */
typedef struct {
  PetscReal lam, tan[3], nu[3], offset;
} Memory;

typedef struct {
  PetscInt          body, pair, wall;
  const CrObstacle *obstacle; /* borrowed */
} Spot;

struct CrPoints {
  const CrModel      *model;   /* borrowed, as the contact */
  CrContact          *contact; /* NULL: they meet nothing */
  CrMultiplierOptions options;
  PetscInt            nspots, npairs;
  PetscReal           end;                       /* of the trial step */
  Spot               *spots;                     /* owned, as all below */
  Memory             *memory, *trial;            /* [nspots] of the last step, of this one */
  PetscReal          *a, *star, *x1, *v, *share; /* [3 n], share [n] */
  CrMultiplierPair   *pairs;                     /* [nspots], entry: the spot */
};

/* ---- life ------------------------------------------------------------------------------------ */

static PetscErrorCode check(const CrModel *model, const CrContact *c)
{
  const CrRigid *r = model->rigid;

  PetscFunctionBeginUser;
  for (PetscInt g = 0; g < r->ngroups; g++)
    if (r->shapes[r->groups[g].shape].kind != CR_SHAPE_POINT)
      CrDeckFail(CrDeckFind(r->groups[g].deck, "rigid"),
                 "method explicit knows rigid points only; efda knows %s",
                 r->shapes[r->groups[g].shape].word);
  for (PetscInt k = 0; c && k < c->nrigid; k++)
    if (c->rigid[k].obstacle < 0)
      CrDeckFail(CrDeckFind(r->groups[c->rigid[k].slave].deck, "rigid"),
                 "points meet obstacles only under explicit, not one another");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode list_spots(CrPoints *p)
{
  const CrRigid *r = p->model->rigid;

  PetscFunctionBeginUser;
  for (int fill = 0; fill < 2; fill++) {
    PetscInt n = 0;

    for (PetscInt k = 0; p->contact && k < p->contact->nrigid; k++) {
      const CrRigidPair  *pair  = &p->contact->rigid[k];
      const CrRigidGroup *group = &r->groups[pair->slave];
      const CrObstacle   *o     = &p->contact->obstacles[pair->obstacle];

      for (PetscInt b = group->first; b < group->first + group->n; b++) {
        PetscBool swapped;

        if (CrContactRigidPairOf(p->contact, b, -1, pair->obstacle, &swapped) != pair) continue;
        for (PetscInt w = 0; w < CrObstacleWalls(o, p->model->dim); w++, n++)
          if (fill) p->spots[n] = (Spot){b, pair->pair, w, o};
      }
    }
    if (!fill) PetscCall(PetscCalloc1(n, &p->spots));
    p->nspots = n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsCreate(const CrModel *model, CrContact *contact,
                              const CrMultiplierOptions *options, CrPoints **out)
{
  PetscInt  n = model->rigid->n;
  CrPoints *p;

  PetscFunctionBeginUser;
  *out = NULL;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(check(model, contact));
  PetscCall(PetscNew(&p));
  p->model   = model;
  p->contact = contact;
  p->options = *options;
  if (options->algorithm == CR_ALGORITHM_LEGACY) p->options.iterations = 1;
  PetscCall(list_spots(p));
  PetscCall(PetscCalloc3(p->nspots, &p->memory, p->nspots, &p->trial, p->nspots, &p->pairs));
  PetscCall(PetscCalloc5(3 * n, &p->a, 3 * n, &p->star, 3 * n, &p->x1, 3 * n, &p->v, n, &p->share));
  *out = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsDestroy(CrPoints **out)
{
  CrPoints *p = *out;

  PetscFunctionBeginUser;
  if (!p) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(p->spots));
  PetscCall(PetscFree3(p->memory, p->trial, p->pairs));
  PetscCall(PetscFree5(p->a, p->star, p->x1, p->v, p->share));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsArchive(CrPoints *p, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "explicit.points",
                              p->nspots * (PetscInt)(sizeof(Memory) / sizeof(PetscReal)),
                              (PetscReal *)p->memory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static PetscReal look(const CrPoints *p, const Spot *s, const PetscReal *x, PetscReal t,
                      PetscReal nu[3])
{
  PetscReal    shift[3];
  CrKinematics k;

  CrObstacleShift(s->obstacle, t, shift);
  CrObstacleKinematics(s->obstacle, s->wall, p->model->dim, shift, 0, x, &k);
  for (int i = 0; i < 3; i++) nu[i] = i < p->model->dim ? k.nu[i] : 0;
  return k.gap;
}

static void wall_velocity(const CrObstacle *o, PetscReal t0, PetscReal t1, PetscReal velocity[3])
{
  PetscReal s0[3], s1[3];

  CrObstacleShift(o, t0, s0);
  CrObstacleShift(o, t1, s1);
  for (int i = 0; i < 3; i++) velocity[i] = (s1[i] - s0[i]) / (t1 - t0);
}

/* The pair of a spot with a normal, starting from multipliers of before. */
static CrMultiplierPair *add_pair(CrPoints *p, PetscInt spot, const PetscReal nu[3],
                                  const Memory *start)
{
  const Spot       *s     = &p->spots[spot];
  CrMultiplierPair *pair  = &p->pairs[p->npairs++];
  PetscReal         along = 0;

  *pair            = (CrMultiplierPair){.entry = spot, .n = 1};
  pair->nodes[0]   = s->body;
  pair->W[0]       = 1;
  pair->inverse[0] = 1 / p->model->rigid->mass[s->body];
  pair->mu         = p->contact->pairs[s->pair].friction;
  pair->lam        = start ? start->lam : 0;
  for (int i = 0; i < 3; i++) pair->nu[i] = nu[i];
  for (int i = 0; start && i < 3; i++) along += start->tan[i] * nu[i];
  for (int i = 0; start && i < 3; i++) pair->tan[i] = start->tan[i] - along * nu[i];
  return pair;
}

/* The closing rate that is allowed, from the gap at t_n. */
static void set_bound(const CrPoints *p, PetscReal gap, PetscReal h, CrMultiplierPair *pair)
{
  const Memory *memory = &p->memory[pair->entry];

  pair->gap0 = gap;
  if (p->options.constraint == CR_CONSTRAINT_RATE) return;
  if (p->options.constraint == CR_CONSTRAINT_OFFSET && gap < 0)
    pair->offset = memory->lam > 0 ? PetscMax(memory->offset, gap) : gap;
  pair->bound = (gap - pair->offset) / h;
}

typedef struct {
  const PetscReal *x0;
  PetscReal        t, h, h0, kick;
} Step;

/* Pairs at x0 + h v, from the multipliers `start` of the spots (NULL: none). */
static void find(CrPoints *p, const Step *s, const Memory *start)
{
  p->npairs = 0;
  for (PetscInt k = 0; k < p->nspots; k++) {
    const Spot       *spot = &p->spots[k];
    const PetscReal  *x0 = s->x0 + 3 * spot->body, *v = p->v + 3 * spot->body;
    PetscReal         x[3], nu[3], wall[3], gap, gap0;
    CrMultiplierPair *pair;

    for (int i = 0; i < 3; i++) x[i] = x0[i] + s->h * v[i];
    gap = look(p, spot, x, s->t + s->h, nu);
    if (!(gap < 0) && !(start && start[k].lam > 0)) continue;
    wall_velocity(spot->obstacle, s->t, s->t + s->h, wall);
    gap0 = gap;
    for (int i = 0; i < 3; i++) gap0 -= s->h * nu[i] * (v[i] - wall[i]);
    pair = add_pair(p, k, nu, start ? &start[k] : NULL);
    for (int i = 0; i < 3; i++) pair->wall[i] = wall[i];
    set_bound(p, gap0, s->h, pair);
  }
  CrPairsPrecondition(p->options.inner, p->npairs, p->pairs, p->share);
}

/* Forces along the normals of t_n. */
static void turn_back(CrPoints *p, const Step *s)
{
  for (PetscInt k = 0; k < p->npairs; k++) {
    CrMultiplierPair *pair  = &p->pairs[k];
    const Spot       *spot  = &p->spots[pair->entry];
    PetscReal         along = 0, gap = look(p, spot, s->x0 + 3 * spot->body, s->t, pair->nu);

    for (int i = 0; i < 3; i++) along += pair->tan[i] * pair->nu[i];
    for (int i = 0; i < 3; i++) pair->tan[i] -= along * pair->nu[i];
    pair->offset = 0;
    set_bound(p, gap, s->h, pair);
  }
}

/* Bounds from the gaps that v leads to. */
static void bound_at_end(CrPoints *p, const Step *s)
{
  for (PetscInt k = 0; p->options.constraint != CR_CONSTRAINT_RATE && k < p->npairs; k++) {
    CrMultiplierPair *pair = &p->pairs[k];
    const Spot       *spot = &p->spots[pair->entry];
    PetscReal         x[3], nu[3], w[3], gap;

    for (int i = 0; i < 3; i++) x[i] = s->x0[3 * spot->body + i] + s->h * p->v[3 * spot->body + i];
    gap = look(p, spot, x, s->t + s->h, nu);
    CrPairVelocity(3, pair, p->v, w);
    pair->bound = CrPairClosing(3, pair, w) + (gap - pair->offset) / s->h;
  }
}

/* v = v* with the forces of the pairs. */
static PetscErrorCode apply(CrPoints *p, PetscReal kick)
{
  PetscReal force[3];

  PetscFunctionBeginUser;
  PetscCall(PetscArraycpy(p->v, p->star, 3 * p->model->rigid->n));
  for (PetscInt k = 0; k < p->npairs; k++) {
    CrPairForce(&p->pairs[k], force);
    CrPairPush(3, &p->pairs[k], kick, force, p->v);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode iterate(CrPoints *p, PetscReal kick, PetscInt *iterations)
{
  PetscReal residual;

  PetscFunctionBeginUser;
  PetscCall(apply(p, kick));
  *iterations += CrPairsIterate(&p->options, 3, kick, p->npairs, p->pairs, p->v, &residual);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the pairs say becomes the trial memory of their spots. */
static PetscErrorCode keep(CrPoints *p)
{
  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(p->trial, p->nspots));
  for (PetscInt k = 0; k < p->npairs; k++) {
    const CrMultiplierPair *pair = &p->pairs[k];
    Memory                 *to   = &p->trial[pair->entry];

    if (!(pair->lam > 0)) continue;
    to->lam    = pair->lam;
    to->offset = pair->offset;
    for (int i = 0; i < 3; i++) {
      to->tan[i] = pair->tan[i];
      to->nu[i]  = pair->nu[i];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static PetscErrorCode solve(CrPoints *p, const Step *s, PetscInt *iterations)
{
  CrAlgorithm algorithm = p->options.algorithm;
  PetscBool   warm =
      algorithm == CR_ALGORITHM_3 || algorithm == CR_ALGORITHM_SYM ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; warm && k < p->nspots; k++) /* the forces of the last step predict */
    for (int i = 0; p->memory[k].lam > 0 && i < 3; i++)
      p->v[3 * p->spots[k].body + i] +=
          s->kick / p->model->rigid->mass[p->spots[k].body] *
          (p->memory[k].lam * p->memory[k].nu[i] - p->memory[k].tan[i]);
  find(p, s, warm ? p->memory : NULL);
  if (algorithm == CR_ALGORITHM_SYM) {
    turn_back(p, s);
    for (PetscInt k = 0; k < p->options.outer; k++) {
      PetscCall(apply(p, s->kick));
      bound_at_end(p, s);
      PetscCall(iterate(p, s->kick, iterations));
    }
  } else
    PetscCall(iterate(p, s->kick, iterations));
  for (PetscInt k = 1; algorithm == CR_ALGORITHM_2 && k < p->options.outer; k++) {
    PetscCall(keep(p));
    find(p, s, p->trial);
    PetscCall(iterate(p, s->kick, iterations));
  }
  PetscCall(keep(p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Works of contact; moving obstacles count as external. */
static void contact_works(CrPoints *p, const Step *s, const PetscReal *v0, CrPointsWork *work)
{
  for (PetscInt k = 0; k < p->npairs; k++) {
    CrMultiplierPair *pair = &p->pairs[k];
    const PetscReal  *v1 = p->v + 3 * pair->nodes[0], *v = v0 + 3 * pair->nodes[0];
    PetscReal         wall[3], force[3];

    CrPairForce(pair, force);
    wall_velocity(p->spots[pair->entry].obstacle, s->t - s->h0, s->t, wall);
    pair->loss = 0;
    for (int i = 0; i < 3; i++) {
      PetscReal moved = s->kick * (wall[i] + pair->wall[i]) / 2;
      PetscReal way   = s->kick * (v[i] + v1[i]) / 2 - moved;

      work->normal += pair->lam * pair->nu[i] * way;
      pair->loss += pair->tan[i] * way;
      work->external += force[i] * moved;
      work->put_in += s->kick * PetscAbsReal(force[i]) *
                      PetscMax(PetscAbsReal(wall[i]), PetscAbsReal(pair->wall[i]));
    }
    work->friction += pair->loss;
  }
}

PetscErrorCode CrPointsStep(CrPoints *p, const CrState *state, PetscReal t, PetscReal h,
                            PetscReal h0, CrPointsWork *work, PetscInt *iterations)
{
  const CrRigid   *r  = p->model->rigid;
  const PetscReal *v0 = state->rigid->v;
  Step             s  = {.x0 = state->rigid->x, .t = t, .h = h, .h0 = h0, .kick = (h0 + h) / 2};

  PetscFunctionBeginUser;
  *work  = (CrPointsWork){0};
  p->end = t + h;
  CrRigidAccelerations(p->model, t, p->a);
  for (PetscInt k = 0; k < 3 * r->n; k++) p->v[k] = p->star[k] = v0[k] + s.kick * p->a[k];
  PetscCall(solve(p, &s, iterations));
  for (PetscInt k = 0; k < 3 * r->n; k++) {
    PetscReal m = r->mass[k / 3], loads = m * (p->a[k] - p->model->gravity[k % 3]);
    PetscReal fastest = PetscMax(PetscAbsReal(v0[k]), PetscAbsReal(p->v[k]));

    p->x1[k] = s.x0[k] + h * p->v[k];
    work->external += s.kick * loads * (v0[k] + p->v[k]) / 2;
    work->put_in += s.kick * m * PetscAbsReal(p->a[k]) * fastest;
    work->kinetic += m * PetscSqr(p->v[k]) / 2;
    work->internal += m * p->model->gravity[k % 3] * (h - h0) / 4 * (p->v[k] - v0[k]);
  }
  contact_works(p, &s, v0, work);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void count(CrPoints *p, const CrMultiplierPair *pair, CrStepReport *report)
{
  CrPair   *to   = &p->contact->pairs[p->spots[pair->entry].pair];
  PetscReal size = 0, force[3];

  CrPairForce(pair, force);
  for (int i = 0; i < 3; i++) {
    size += PetscSqr(pair->tan[i]);
    to->force[i] += force[i];
  }
  p->contact->met[p->spots[pair->entry].pair] = 1;
  p->contact->loss[p->spots[pair->entry].pair] += pair->loss;
  to->points++;
  report->contacts++;
  if (pair->mu == 0) return;
  if (size < PetscSqr((1 - 1e-9) * pair->mu * pair->lam))
    to->sticking++, report->sticking++;
  else
    to->slipping++;
}

PetscErrorCode CrPointsCommit(CrPoints *p, CrState *state, CrStepReport *report)
{
  PetscReal nu[3];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < p->nspots; k++) {
    CrPair *pair = &p->contact->pairs[p->spots[k].pair];

    pair->points = pair->sticking = pair->slipping = 0;
    pair->force[0] = pair->force[1] = pair->force[2] = pair->max_penetration = 0;
  }
  for (PetscInt k = 0; k < p->npairs; k++) {
    const Spot *spot = &p->spots[p->pairs[k].entry];
    PetscReal   deep = -look(p, spot, p->x1 + 3 * spot->body, p->end, nu);

    if (p->pairs[k].lam > 0) count(p, &p->pairs[k], report);
    p->contact->pairs[spot->pair].max_penetration =
        PetscMax(p->contact->pairs[spot->pair].max_penetration, deep);
    report->max_penetration = PetscMax(report->max_penetration, deep);
  }
  PetscCall(PetscArraycpy(p->memory, p->trial, p->nspots));
  PetscCall(PetscArraycpy(state->rigid->x, p->x1, 3 * p->model->rigid->n));
  PetscCall(PetscArraycpy(state->rigid->v, p->v, 3 * p->model->rigid->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsStart(CrPoints *p, CrState *state, PetscReal h, PetscReal *energy)
{
  const CrRigid      *r       = p->model->rigid;
  CrMultiplierOptions options = p->options;
  PetscReal           residual, nu[3];

  PetscFunctionBeginUser;
  CrRigidAccelerations(p->model, state->t, p->a);
  p->npairs = 0;
  for (PetscInt k = 0; k < p->nspots; k++) {
    const PetscReal *x    = state->rigid->x + 3 * p->spots[k].body;
    PetscReal        size = PetscAbsReal(x[0]) + PetscAbsReal(x[1]) + PetscAbsReal(x[2]);

    if (look(p, &p->spots[k], x, state->t, nu) > CLOSED * size) continue;
    add_pair(p, k, nu, NULL)->mu = 0;
  }
  CrPairsPrecondition(options.inner, p->npairs, p->pairs, p->share);
  options.iterations = START_ITERATIONS;
  options.tolerance  = 0;
  CrPairsIterate(&options, 3, 1, p->npairs, p->pairs, p->a, &residual);
  for (PetscInt k = 0; k < 3 * r->n; k++) {
    *energy += r->mass[k / 3] * PetscSqr(state->rigid->v[k]) / 2;
    state->rigid->v[k] -= h / 2 * p->a[k];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrPointsKineticShift(const CrPoints *p, const CrState *state, PetscReal h)
{
  const CrRigid *r   = p->model->rigid;
  PetscReal      sum = 0;

  for (PetscInt k = 0; k < 3 * r->n; k++)
    sum += h / 2 * r->mass[k / 3] * p->model->gravity[k % 3] * state->rigid->v[k];
  return sum;
}
