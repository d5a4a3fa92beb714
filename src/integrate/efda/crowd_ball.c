/* The functions of the engine for many balls. Contacts are in the order of their cells. Loops that take most of the
   time are compiled once per instruction set. */
#include "base/grow.h"
#include "base/vector.h"
#include "integrate/efda/crowd_ball_internal.h"

#define DEEP   2e-3 /* overlap, in greatest radii, after which newly met pairs are pushed too */
#define SECOND 6    /* rounds of that */
#define WALL   11   /* numbers of a wall in the key of the list */

CR_ISA_TABLE(const EfdaBallLoops, EfdaBallLoops);

/* ---- the list of the coming step ------------------------------------------------------------- */

static double *put(double *to, const double *from, PetscInt n)
{
  memcpy(to, from, sizeof(double) * n);
  return to + n;
}

static void key(const EfdaCrowd *crowd, PetscReal h, PetscReal *to)
{
  const EfdaBalls    *p = crowd->data;
  const EfdaBallStep *s = &p->step;

  *to++ = h;
  to = put(to, s->load, 3);
  to = put(to, s->x, 3 * p->def.n);
  to = put(to, s->v, 3 * p->def.n);
  to = put(to, s->spin, 3 * p->def.n);
  for (const EfdaBallWall *w = s->walls; w < s->walls + p->def.nwalls; w++) {
    *to++ = w->kind;
    *to++ = w->radius;
    to = put(to, w->point, 3);
    to = put(to, w->normal, 3);
    to = put(to, w->velocity, 3);
  }
}

/* ---- velocities ------------------------------------------------------------------------------ */

/* The contacts start with the impulses of the list. These change the velocities of the middle. */
static PetscErrorCode begin(EfdaCrowd *crowd, PetscReal h, PetscBool *good)
{
  EfdaBalls *p = crowd->data;

  PetscFunctionBeginUser;
  (void)h;
  *good = PETSC_TRUE;
  crowd->load = v_length(p->step.load);
  crowd->energy = p->step.scale;
  EFDA_EACH_BALL_CONTACT (c, p) {
    EfdaFour q = four_three(c->impulse);

    if (q[0] != 0 || q[1] != 0 || q[2] != 0)
      four_push(&p->bodies[c->i], &p->bodies[c->j], four_three(c->normal), q);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Changes the biases for the present impulses. A neighbour may reverse the slip of a contact, so that friction would
   create energy. With `strict` the new bias lets no contact create energy, whatever its neighbours do. */
static void tame(EfdaCrowd *crowd, PetscBool makes, PetscBool strict)
{
  const EfdaBalls *p = crowd->data;

  EFDA_EACH_BALL_CONTACT (c, p) {
    EfdaFour nu = four_three(c->normal);
    double   mu = c->bias[3], bn;

    if (makes) four_only_take(c->normal, c->impulse, &c->bias);
    if (!strict) continue;
    bn = four_dot(c->bias, nu);
    c->bias = (bn < 0 ? bn : 0) * nu;
    c->bias[3] = mu;
  }
}

/* ---- positions ------------------------------------------------------------------------------- */

/* A body with a single impact, and no other contact, moves on from the time of the impact, not from the middle. */
static void shift_impacts(EfdaBalls *p, double h)
{
  memset(p->touching, 0, sizeof *p->touching * (p->def.n + p->def.nwalls));
  EFDA_EACH_BALL_CONTACT (c, p)
    if (four_dot(c->impulse, c->normal) > 0) {
      p->touching[c->i]++;
      p->touching[c->j]++;
    }
  EFDA_EACH_BALL_CONTACT (c, p) {
    EfdaFour q = four_three(c->impulse);
    double   speed, psi;

    if (c->state != EFDA_BALL_IMPACT || !(four_dot(q, c->normal) > 0) || !(c->gap > 0)) continue;
    if (p->touching[c->i] > 1 || (c->j < p->def.n && p->touching[c->j] > 1)) continue;
    speed = -four_dot(p->before[c->i] - p->before[c->j], c->normal);
    psi = 1 - 2 * c->gap / (h * speed);
    psi = psi > 1 ? 1 : psi < -1 ? -1 : psi;
    p->place[c->i] += h * psi * p->bodies[c->i].v[3] * q;
    p->place[c->j] -= h * psi * p->bodies[c->j].v[3] * q;
  }
}

/* Copies the positions to the caller. Returns the work of the load on the part of the displacement by which bodies
   were pushed. */
static double place_bodies(const EfdaBalls *p, double h)
{
  const double *load = p->step.load;
  double       *x = p->step.x, work = 0;

  for (PetscInt k = 0; k < p->def.n; k++) {
    PetscInt b = p->order[k];

    for (int d = 0; d < 3; d++) {
      work += p->def.mass[b] * load[d] * (p->place[k][d] - x[3 * b + d] - h * p->bodies[k].v[d]);
      x[3 * b + d] = p->place[k][d];
    }
  }
  return work;
}

static void turn_bodies(const EfdaBalls *p)
{
  double *v = p->step.v, *spin = p->step.spin, *turn = p->step.turn;

  for (PetscInt k = 0; k < p->def.n; k++) {
    PetscInt b = p->order[k];
    double   r = p->def.radius[b];

    for (int d = 0; d < 3; d++) {
      if (turn) turn[3 * b + d] = p->bodies[k].s[d] / r;
      v[3 * b + d] = 2 * p->bodies[k].v[d] - p->before[k][d];
      spin[3 * b + d] = (2 * p->bodies[k].s[d] - p->turn0[k][d]) / r;
    }
  }
}

/* ---- what is kept and counted --------------------------------------------------------------- */

/* Stores the impulses, sorted by the body with the lower number: the first round counts, the second fills from the
   end. */
static PetscErrorCode keep(EfdaBalls *p, double h)
{
  EfdaBallKept *kept = &p->kept;
  PetscInt      n = p->def.n;

  PetscFunctionBeginUser;
  PetscCall(CrGrowArrays(p->ncontacts, &kept->room, sizeof *kept->other, &kept->other,
                         3 * sizeof *kept->impulse, &kept->impulse));
  memset(kept->start, 0, sizeof *kept->start * (n + 1));
  for (int fill = 0; fill < 2; fill++) {
    for (PetscInt k = p->ncontacts - 1; k >= 0; k--) {
      const EfdaBallContact *c = &p->contacts[k];
      PetscInt bi = p->order[c->i], bj = c->j < n ? p->order[c->j] : c->j, low = PetscMin(bi, bj);

      if (!(four_dot(c->impulse, c->normal) > 0)) continue;
      if (fill) {
        PetscInt at = --kept->start[low];

        kept->other[at] = PetscMax(bi, bj);
        for (int d = 0; d < 3; d++)
          kept->impulse[3 * at + d] = bi < bj ? c->impulse[d] : -c->impulse[d];
      } else
        kept->start[low]++;
    }
    for (PetscInt b = 0; !fill && b < n; b++) kept->start[b + 1] += kept->start[b];
  }
  kept->n = kept->start[n];
  kept->nreals = 3 * kept->n;
  kept->h = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Enters the slip at the velocity u, with half the normal impulse pn. Of two bodies of one kind, the one with the lower
   number is the slave. */
static void slide(EfdaBalls *p, const EfdaBallContact *c, EfdaFour u, double pn, double h)
{
  const EfdaBallLaw *law = &p->def.laws[c->law];
  PetscInt           n = p->def.n, i = p->order[c->i], j = c->j < n ? p->order[c->j] : -1;
  PetscBool turn = j >= 0 && (law->sign < 0 || (p->def.kind[i] == p->def.kind[j] && j < i));
  PetscReal slip[3];

  u -= four_dot(u, c->normal) * c->normal;
  for (int d = 0; d < 3; d++) slip[d] = (turn ? -h : h) * pn * u[d];
  CrTallySlide(&p->work.tally, p->def.contact->slide_of[law->pair] + (turn ? j : i), pn, slip);
}

/* Enters moment and work of a wall at a ball, in the middle of the step. q is half of the impulse. */
static void enter_wall(EfdaBalls *p, const EfdaBallContact *c, EfdaFour q, double h)
{
  EfdaFour at = p->place[c->i] + h / 2 * p->bodies[c->i].v - p->place[c->i][3] * c->normal, m;

  if (c->j < p->def.n) return;
  m = 2 / h * four_cross(four_three(at), q);
  CrTallyObstacle(&p->work.tally, p->def.laws[c->law].pair, (PetscReal[3]){m[0], m[1], m[2]},
                  2 * four_dot(q, p->bodies[c->j].v));
}

static void count(EfdaBalls *p, double h)
{
  EFDA_EACH_BALL_CONTACT (c, p) {
    const EfdaBallLaw *law = &p->def.laws[c->law];
    EfdaFour           nu = four_three(c->normal), q = four_three(c->impulse), t, u;
    double             pn = four_dot(q, nu), force[3];

    if (!(pn > 0)) continue;
    t = q - pn * nu;
    for (int d = 0; d < 3; d++) force[d] = 2 / h * law->sign * q[d];
    CrTallyLoss(&p->work.tally, law->pair, c->loss);
    CrTallyPoint(&p->work.tally, law->pair,
                 CrCoulombStatus(law->friction, pn, PetscSqrtReal(four_dot(t, t))), force,
                 (PetscReal[3]){nu[0], nu[1], nu[2]});
    enter_wall(p, c, q, h);
    if (!p->def.contact) continue;
    u = four_slip(&p->bodies[c->i], &p->bodies[c->j], nu);
    slide(p, c, u, pn, h);
  }
}

/* Ends the step. All bodies move with the velocity of the middle. Then they are pushed apart, or together where contacts
   rest. Walls get the positions that they have at the end. */
static PetscErrorCode move(EfdaCrowd *crowd, PetscReal h)
{
  EfdaBalls *p = crowd->data;

  PetscFunctionBeginUser;
  count(p, h);
  for (PetscInt k = 0; k < p->def.n + p->def.nwalls; k++)
    p->place[k] += h * four_three(p->bodies[k].v);
  shift_impacts(p, h);
  p->loops->push(p, h);
  p->step.pushed = place_bodies(p, h);
  turn_bodies(p);
  PetscCall(keep(p, h));
  for (PetscInt w = 0; w < p->def.nwalls; w++) {
    p->walls[w] = p->step.walls[w];
    v_add(p->walls[w].point, h, p->walls[w].velocity);
  }
  p->step.walls = p->walls;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The greatest displacement of a body by pushes, in any coordinate. */
static double farthest(const EfdaBalls *p)
{
  const double *x = p->step.x;
  double        most = 0;

  for (PetscInt k = 0; k < p->def.n; k++)
    for (int d = 0; d < 3; d++)
      most = PetscMax(most, PetscAbsReal(p->place[k][d] - x[3 * p->order[k] + d]));
  return most;
}

/* Pushes once more. As long as pushes are small against the reach of the list, the list still has all pairs that
   may press. */
static PetscErrorCode push(EfdaCrowd *crowd, PetscReal h)
{
  EfdaBalls *p = crowd->data;

  PetscFunctionBeginUser;
  p->loops->push(p, 0);
  p->step.way += 2 * PetscSqrtReal(3.0) * farthest(p); /* of two, in any direction */
  p->step.pushed += place_bodies(p, 0);
  if (p->step.way > EFDA_BALL_REACH * h * h * crowd->load)
    PetscCall(p->loops->list(crowd, h));
  else
    p->loops->refresh(p, h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The other functions are loops that are compiled per instruction set. */
static const EfdaCrowdKernel kernel = {
    .tuning = {EFDA_BALL_SWEEPS, EFDA_BALL_TOLERANCE, SECOND, DEEP},
    .key = key,
    .begin = begin,
    .tame = tame,
    .move = move,
    .push = push,
};

/* ---- create ---------------------------------------------------------------------------------- */

/* Bodies, places and velocities of the start are one block of memory, which begins at a cache line. */
static PetscErrorCode create_bodies(EfdaBalls *p, PetscInt all)
{
  const size_t size = (size_t)PetscMax(all, 1) * (sizeof *p->bodies + 3 * sizeof *p->place);

  PetscFunctionBeginUser;
  if (posix_memalign((void **)&p->bodies, 64, size)) CrMachineFail("out of memory");
  memset(p->bodies, 0, size);
  p->place = (EfdaFour *)(p->bodies + all);
  p->before = p->place + all;
  p->turn0 = p->before + all;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaBallsCreate(const EfdaBallsDef *def, EfdaBalls **out)
{
  PetscInt   n = def->n, all = def->n + def->nwalls;
  EfdaBalls *p;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&p));
  p->def = *def;
  p->loops = CR_ISA_OWN(EfdaBallLoops);
  p->kernel = kernel;
  p->kernel.list = p->loops->list;
  p->kernel.sweep = p->loops->sweep;
  p->kernel.work = p->loops->work;
  PetscCall(EfdaCrowdCreate(&p->kernel, p, 4 + 9 * n + WALL * def->nwalls, &p->crowd));
  p->crowd.tuning.sweeps = def->sweeps;
  p->crowd.tuning.tolerance = def->tolerance;
  for (PetscInt b = 0; b < n; b++) p->crowd.size = PetscMax(p->crowd.size, def->radius[b]);
  PetscCall(create_bodies(p, all));
  PetscCall(
      PetscCalloc5(n, &p->way, n, &p->is_fast, all, &p->touching, n, &p->order, n, &p->grid.cell));
  PetscCall(PetscCalloc2(n + 1, &p->kept.start, def->nwalls, &p->walls));
  PetscCall(EfdaWorkCreate(def->contact, PETSC_FALSE, &p->work));
  p->kept.h = 1;
  *out = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaBallsDestroy(EfdaBalls **balls)
{
  EfdaBalls *p = *balls;

  PetscFunctionBeginUser;
  if (!p) PetscFunctionReturn(PETSC_SUCCESS);
  free(p->bodies);
  free(p->contacts);
  PetscCall(PetscFree5(p->way, p->is_fast, p->touching, p->order, p->grid.cell));
  PetscCall(PetscFree2(p->kept.start, p->walls));
  PetscCall(EfdaCrowdDestroy(&p->crowd));
  PetscCall(EfdaWorkDestroy(&p->work));
  PetscCall(PetscFree(p->kept.other));
  PetscCall(PetscFree(p->kept.impulse));
  PetscCall(PetscFree(p->grid.start));
  PetscCall(PetscFree(p->drift));
  PetscCall(PetscFree(*balls));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- for the others -------------------------------------------------------------------------- */

PetscErrorCode EfdaBallsStep(EfdaBalls *p, PetscReal h, const PetscReal load[3], PetscReal scale,
                             const EfdaBallWall *walls, PetscReal *x, PetscReal *v, PetscReal *spin,
                             PetscReal *turn, const EfdaWork **work)
{
  PetscBool good;

  PetscFunctionBeginUser;
  EfdaWorkBegin(&p->work);
  p->step = (EfdaBallStep){load, walls, x, v, spin, turn, .scale = scale};
  PetscCall(EfdaCrowdStep(&p->crowd, h, &good));
  EFDA_EACH_BALL_CONTACT (c, p)
    if (c->gap < 0) CrTallyGap(&p->work.tally, p->def.laws[c->law].pair, c->gap);
  p->work.push_work = -p->step.pushed;
  p->work.contact_work = p->step.normal - p->step.pushed;
  p->work.passes = p->crowd.sweeps;
  *work = &p->work;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaBallsDeepest(EfdaBalls *p, const EfdaBallWall *walls, PetscReal *x, PetscReal *v,
                                PetscReal *spin, PetscReal *depth)
{
  const double none[3] = {0, 0, 0};

  PetscFunctionBeginUser;
  p->step = (EfdaBallStep){.load = none, .walls = walls, .x = x, .v = v, .spin = spin};
  PetscCall(p->loops->list(&p->crowd, 0));
  p->crowd.is_listed = PETSC_FALSE; /* not that of a step */
  *depth = p->crowd.deepest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaBallsArchive(EfdaBalls *p, CrArchive *archive)
{
  EfdaBallKept *kept = &p->kept;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "crowd.step", 1, &kept->h));
  PetscCall(CrArchiveAddInts(archive, "crowd.start", p->def.n + 1, kept->start));
  PetscCall(CrArchiveAddList(archive, "crowd.other", &kept->n, &kept->other));
  PetscCall(CrArchiveAddRealList(archive, "crowd.impulses", &kept->nreals, &kept->impulse));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaBallsResume(EfdaBalls *p)
{
  EfdaBallKept *kept = &p->kept;

  PetscFunctionBeginUser;
  if (kept->nreals != 3 * kept->n || kept->start[p->def.n] != kept->n)
    CrInputFail("the contact impulses stored in the checkpoint are damaged");
  kept->room = kept->n;
  p->crowd.is_listed = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
