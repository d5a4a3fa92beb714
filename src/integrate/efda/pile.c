#include "integrate/efda/pile_internal.h"

#define GUARD_ROUNDS  40 /* of five sweeps, where friction and impact would create energy */
#define GUARD_SWEEPS  5
#define STRICT_ROUNDS 20    /* of fifty, after that */
#define NEGLIGIBLE    1e-9  /* part of the energy scale that is let be */
#define DEEP          2e-3  /* overlap, in radii, after which newly met pairs are pushed too */
#define SECOND        6     /* rounds of that */
#define FEW_SWEEPS    1e-12 /* where nothing loads: part of the greatest speed */

extern const CrPileKernels CrPileKernels_baseline;
#if defined(__x86_64__)
extern const CrPileKernels CrPileKernels_avx2, CrPileKernels_avx512;
#endif

static const CrPileKernels *kernels_of_machine(void)
{
#if defined(__x86_64__)
  static const CrPileKernels *const table[CR_NISAS] = {&CrPileKernels_baseline, &CrPileKernels_avx2,
                                                       &CrPileKernels_avx512};

  return table[CrIsaGet()];
#else
  return &CrPileKernels_baseline;
#endif
}

/* ---- create --------------------------------------------------------------------------------- */

static PetscErrorCode aligned(size_t count, size_t size, void *out)
{
  void *memory = NULL;

  PetscFunctionBeginUser;
  if (posix_memalign(&memory, 64, (count ? count : 1) * size)) CrMachineFail("out of memory");
  memset(memory, 0, (count ? count : 1) * size);
  *(void **)out = memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode copy(const void *from, size_t bytes, void *out)
{
  void *memory;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc(bytes ? bytes : 1, &memory));
  if (bytes) memcpy(memory, from, bytes);
  *(void **)out = memory;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPileCreate(const CrPileDef *def, CrPile **out)
{
  PetscInt n = def->n, all = def->n + def->nwalls;
  CrPile  *p;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&p));
  p->def = *def;
  PetscCall(copy(def->radius, sizeof(PetscReal) * n, &p->def.radius));
  PetscCall(copy(def->mass, sizeof(PetscReal) * n, &p->def.mass));
  PetscCall(copy(def->inertia, sizeof(PetscReal) * n, &p->def.inertia));
  PetscCall(copy(def->kind, sizeof(PetscInt) * n, &p->def.kind));
  PetscCall(
      copy(def->laws, sizeof(CrPileLaw) * def->nkinds * (def->nkinds + def->nwalls), &p->def.laws));
  PetscCall(
      copy(def->slide_of, sizeof(PetscInt) * (def->nslides ? def->npairs : 0), &p->def.slide_of));
  PetscCall(PetscCalloc1(def->nslides, &p->slides));
  for (PetscInt b = 0; b < n; b++) p->greatest = PetscMax(p->greatest, def->radius[b]);
  PetscCall(aligned(all, sizeof *p->bodies, &p->bodies));
  PetscCall(aligned(all, sizeof *p->place, &p->place));
  PetscCall(aligned(all, sizeof *p->before, &p->before));
  PetscCall(aligned(all, sizeof *p->turn0, &p->turn0));
  PetscCall(PetscCalloc5(n, &p->way, n, &p->is_fast, all, &p->touching, n, &p->order, n, &p->cell));
  PetscCall(
      PetscCalloc3(n + 1, &p->kept_start, 9 * n, &p->listed_state, def->nwalls, &p->listed_walls));
  PetscCall(CrTallyCreate(def->npairs, &p->tally));
  p->kept_h = 1;
  p->kernels = kernels_of_machine();
  *out = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPileDestroy(CrPile **pile)
{
  CrPile *p = *pile;

  PetscFunctionBeginUser;
  if (!p) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(p->def.radius));
  PetscCall(PetscFree(p->def.mass));
  PetscCall(PetscFree(p->def.inertia));
  PetscCall(PetscFree(p->def.kind));
  PetscCall(PetscFree(p->def.laws));
  PetscCall(PetscFree(p->def.slide_of));
  PetscCall(PetscFree(p->slides));
  free(p->bodies);
  free(p->place);
  free(p->before);
  free(p->turn0);
  free(p->contacts);
  PetscCall(PetscFree5(p->way, p->is_fast, p->touching, p->order, p->cell));
  PetscCall(PetscFree3(p->kept_start, p->listed_state, p->listed_walls));
  PetscCall(CrTallyDestroy(&p->tally));
  PetscCall(PetscFree2(p->kept_other, p->kept));
  PetscCall(PetscFree(p->start));
  PetscCall(PetscFree(p->drift));
  PetscCall(PetscFree(p->packed));
  PetscCall(PetscFree(*pile));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the list of the coming step ------------------------------------------------------------- */

/* Padding has no say: walls are compared number by number. */
static PetscBool same_walls(PetscInt n, const CrPileWall *a, const CrPileWall *b)
{
  for (PetscInt w = 0; w < n; w++) {
    if (a[w].kind != b[w].kind || a[w].radius != b[w].radius) return PETSC_FALSE;
    for (int d = 0; d < 3; d++)
      if (a[w].point[d] != b[w].point[d] || a[w].normal[d] != b[w].normal[d] ||
          a[w].velocity[d] != b[w].velocity[d])
        return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool is_listed(const CrPile *p, double h, const double load[3], const CrPileWall *walls,
                           const double *x, const double *v, const double *spin)
{
  PetscInt n = p->def.n;
  size_t   bytes = 3 * n * sizeof(double);

  if (!p->listed || p->listed_h != h || memcmp(load, p->listed_load, 3 * sizeof(double)))
    return PETSC_FALSE;
  if (!same_walls(p->def.nwalls, walls, p->listed_walls)) return PETSC_FALSE;
  return !memcmp(x, p->listed_state, bytes) && !memcmp(v, p->listed_state + 3 * n, bytes) &&
         !memcmp(spin, p->listed_state + 6 * n, bytes);
}

static PetscErrorCode list(CrPile *p, double h, const double load[3], const CrPileWall *walls,
                           const double *x, const double *v, const double *spin)
{
  PetscInt n = p->def.n;
  size_t   bytes = 3 * n * sizeof(double);

  PetscFunctionBeginUser;
  PetscCall(p->kernels->list(p, h, load, walls, x, v, spin));
  memcpy(p->listed_state, x, bytes);
  memcpy(p->listed_state + 3 * n, v, bytes);
  memcpy(p->listed_state + 6 * n, spin, bytes);
  memcpy(p->listed_load, load, sizeof p->listed_load);
  for (PetscInt w = 0; w < p->def.nwalls; w++) p->listed_walls[w] = walls[w];
  p->listed_h = h;
  p->listed = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPileDeepest(CrPile *p, const CrPileWall *walls, const PetscReal *x,
                             const PetscReal *v, const PetscReal *spin, PetscReal *depth)
{
  const double none[3] = {0, 0, 0};

  PetscFunctionBeginUser;
  PetscCall(p->kernels->list(p, 0, none, walls, x, v, spin));
  p->listed = PETSC_FALSE; /* not that of a step */
  *depth = p->deepest;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- velocities ------------------------------------------------------------------------------ */

/* The velocities of the middle get the impulses that the contacts start with. */
static void start_warm(CrPile *p)
{
  for (PetscInt k = 0; k < p->ncontacts; k++) {
    CrPileContact *c = &p->contacts[k];
    CrFour         q = four_three(c->impulse), turn;

    if (q[0] == 0 && q[1] == 0 && q[2] == 0) continue;
    turn = four_cross(c->normal, q);
    p->bodies[c->i].v += q * p->bodies[c->i].v[3];
    p->bodies[c->j].v -= q * p->bodies[c->j].v[3];
    turn[3] = 0;
    p->bodies[c->i].s -= turn * p->bodies[c->i].s[3];
    p->bodies[c->j].s -= turn * p->bodies[c->j].s[3];
  }
}

/* Biases for which no contact can create energy once it is solved, whatever its neighbours do. */
static void be_strict(CrPile *p)
{
  for (PetscInt k = 0; k < p->ncontacts; k++) {
    CrPileContact *c = &p->contacts[k];
    CrFour         nu = four_three(c->normal);
    double         mu = c->bias[3], bn = four_dot(c->bias, nu);

    c->bias = (bn < 0 ? bn : 0) * nu;
    c->bias[3] = mu;
  }
}

/* The same with the impulses as they came out: what a neighbour turned round would give energy back. */
static void only_take(CrPile *p)
{
  for (PetscInt k = 0; k < p->ncontacts; k++)
    four_only_take(p->contacts[k].normal, p->contacts[k].impulse, &p->contacts[k].bias);
}

typedef struct {
  double friction, normal, walls;
  int    sweeps;
} Work;

static Work solve(CrPile *p, double h, double load, double scale)
{
  double tolerance = load > 0 ? p->def.tolerance * h * load : FEW_SWEEPS * p->speed;
  Work   work = {0};

  start_warm(p);
  work.sweeps =
      p->kernels->sweep(p->contacts, p->ncontacts, p->bodies, (int)p->def.sweeps, tolerance);
  for (int round = 0;; round++) {
    p->kernels->work(p->contacts, p->ncontacts, p->bodies, p->def.n, &work.friction, &work.normal,
                     &work.walls);
    if (!(PetscMax(work.friction, work.friction + work.normal) > NEGLIGIBLE * scale) ||
        round >= GUARD_ROUNDS + STRICT_ROUNDS)
      break;
    if (work.friction > 0) only_take(p);
    if (round == GUARD_ROUNDS) be_strict(p);
    work.sweeps += p->kernels->sweep(p->contacts, p->ncontacts, p->bodies,
                                     round < GUARD_ROUNDS ? GUARD_SWEEPS : 10 * GUARD_SWEEPS, 0);
  }
  return work;
}

/* ---- positions ------------------------------------------------------------------------------- */

/* A free body that strikes one thing goes on from the instant of the impact, not from the middle. */
static void shift_impacts(CrPile *p, double h)
{
  memset(p->touching, 0, sizeof *p->touching * (p->def.n + p->def.nwalls));
  for (PetscInt k = 0; k < p->ncontacts; k++)
    if (four_dot(p->contacts[k].impulse, p->contacts[k].normal) > 0) {
      p->touching[p->contacts[k].i]++;
      p->touching[p->contacts[k].j]++;
    }
  for (PetscInt k = 0; k < p->ncontacts; k++) {
    const CrPileContact *c = &p->contacts[k];
    CrFour               q = four_three(c->impulse);
    double               speed, psi;

    if (c->state != CR_PILE_IMPACT || !(four_dot(q, c->normal) > 0) || !(c->gap > 0)) continue;
    if (p->touching[c->i] > 1 || (c->j < p->def.n && p->touching[c->j] > 1)) continue;
    speed = -four_dot(p->before[c->i] - p->before[c->j], c->normal);
    psi = 1 - 2 * c->gap / (h * speed);
    psi = psi > 1 ? 1 : psi < -1 ? -1 : psi;
    p->place[c->i] += h * psi * p->bodies[c->i].v[3] * q;
    p->place[c->j] -= h * psi * p->bodies[c->j].v[3] * q;
  }
}

/* Everything moves with the velocity of the middle, then apart or together. */
static void move(CrPile *p, double h)
{
  PetscInt all = p->def.n + p->def.nwalls;

  for (PetscInt k = 0; k < all; k++) p->place[k] += h * four_three(p->bodies[k].v);
  shift_impacts(p, h);
  p->kernels->push(p->contacts, p->ncontacts, p->bodies, p->place, h, (int)p->def.pushes, p->drift);
}

/* Hands the positions back; work of the load on the way that bodies were put, not moved. */
static double place_bodies(const CrPile *p, double h, const double load[3], double *x)
{
  double work = 0;

  for (PetscInt k = 0; k < p->def.n; k++) {
    PetscInt b = p->order[k];

    for (int d = 0; d < 3; d++) {
      work += p->def.mass[b] * load[d] * (p->place[k][d] - x[3 * b + d] - h * p->bodies[k].v[d]);
      x[3 * b + d] = p->place[k][d];
    }
  }
  return work;
}

static void turn_bodies(const CrPile *p, double *v, double *spin, double *turn)
{
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

/* ---- what is kept and told ------------------------------------------------------------------- */

/* Impulses by the lesser body. */
static PetscErrorCode keep(CrPile *p, double h)
{
  PetscInt n = p->def.n, sum = 0;

  PetscFunctionBeginUser;
  if (p->ncontacts > p->kept_room) {
    PetscCall(PetscFree2(p->kept_other, p->kept));
    p->kept_room = p->contacts_room;
    PetscCall(PetscMalloc2(p->kept_room, &p->kept_other, p->kept_room, &p->kept));
  }
  memset(p->kept_start, 0, sizeof *p->kept_start * (n + 1));
  for (int fill = 0; fill < 2; fill++) {
    for (PetscInt k = 0; k < p->ncontacts; k++) {
      const CrPileContact *c = &p->contacts[k];
      PetscInt bi = p->order[c->i], bj = c->j < n ? p->order[c->j] : c->j, low = PetscMin(bi, bj);

      if (!(four_dot(c->impulse, c->normal) > 0)) continue;
      if (fill) {
        PetscInt at = p->kept_start[low]++;

        p->kept_other[at] = PetscMax(bi, bj);
        for (int d = 0; d < 3; d++) p->kept[at][d] = bi < bj ? c->impulse[d] : -c->impulse[d];
      } else
        p->kept_start[low + 1]++;
    }
    if (fill) break;
    for (PetscInt b = 0; b < n; b++) p->kept_start[b + 1] += p->kept_start[b];
    sum = p->kept_start[n];
  }
  for (PetscInt b = n; b > 0; b--) p->kept_start[b] = p->kept_start[b - 1];
  p->kept_start[0] = 0;
  p->nkept = sum;
  p->kept_h = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of two bodies of one kind the lesser is the slave. */
static void slide(CrPile *p, const CrPileContact *c, CrFour u, double pn, double h)
{
  const CrPileLaw *law = &p->def.laws[c->law];
  PetscInt         n = p->def.n, i = p->order[c->i], j = c->j < n ? p->order[c->j] : -1;
  PetscBool        turn = j >= 0 && (law->sign < 0 || (p->def.kind[i] == p->def.kind[j] && j < i));
  PetscReal       *sum = p->slides[p->def.slide_of[law->pair] + (turn ? j : i)];

  u -= four_dot(u, c->normal) * c->normal;
  for (int d = 0; d < 3; d++) sum[d] += (turn ? -h : h) * pn * u[d];
  sum[3] += pn;
}

static void count(CrPile *p, double h)
{
  if (p->def.nslides) memset(p->slides, 0, sizeof *p->slides * p->def.nslides);
  for (PetscInt k = 0; k < p->ncontacts; k++) {
    const CrPileContact *c = &p->contacts[k];
    const CrPileLaw     *law = &p->def.laws[c->law];
    CrFour               nu = four_three(c->normal), q = four_three(c->impulse), t, u;
    double               pn = four_dot(q, nu), force[3];

    if (!(pn > 0)) continue;
    t = q - pn * nu;
    for (int d = 0; d < 3; d++) force[d] = 2 / h * law->sign * q[d];
    CrTallyLoss(&p->tally, law->pair, c->loss);
    CrTallyPoint(&p->tally, law->pair,
                 CrCoulombStatus(law->friction, pn, PetscSqrtReal(four_dot(t, t))), force);
    if (!p->def.nslides) continue;
    u = p->bodies[c->i].v - p->bodies[c->j].v -
        four_cross(p->bodies[c->i].s + p->bodies[c->j].s, nu);
    slide(p, c, u, pn, h);
  }
}

static void measure_overlap(CrPile *p)
{
  for (PetscInt k = 0; k < p->ncontacts; k++)
    CrTallyGap(&p->tally, p->def.laws[p->contacts[k].law].pair, p->contacts[k].gap);
}

/* How far the farthest body was put from x. */
static double farthest(const CrPile *p, const double *x)
{
  double most = 0;

  for (PetscInt k = 0; k < p->def.n; k++)
    for (int d = 0; d < 3; d++)
      most = PetscMax(most, PetscAbsReal(p->place[k][d] - x[3 * p->order[k] + d]));
  return most;
}

/* Pairs that the step had not listed are pushed apart too. While pushes are small against what every list reaches beyond
   touching, it stays that of all who may press. */
static PetscErrorCode push_again(CrPile *p, double h, const double load[3], const CrPileWall *walls,
                                 double *x, const double *v, const double *spin, double *work)
{
  double a = PetscSqrtReal(load[0] * load[0] + load[1] * load[1] + load[2] * load[2]);
  double way = 0;

  PetscFunctionBeginUser;
  for (int round = 0; round < SECOND && p->deepest > DEEP * p->greatest; round++) {
    p->kernels->push(p->contacts, p->ncontacts, p->bodies, p->place, 0, (int)p->def.pushes,
                     p->drift);
    way += 2 * PetscSqrtReal(3.0) * farthest(p, x); /* of two, in any direction */
    *work += place_bodies(p, 0, load, x);
    if (way > CR_PILE_REACH * h * h * a) {
      PetscCall(list(p, h, load, walls, x, v, spin));
      way = 0;
    } else {
      p->kernels->refresh(p, h, load, walls);
      memcpy(p->listed_state, x, 3 * p->def.n * sizeof(double));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPileStep(CrPile *p, PetscReal h, const PetscReal load[3], PetscReal scale,
                          const CrPileWall *walls, PetscReal *x, PetscReal *v, PetscReal *spin,
                          PetscReal *turn, CrPileReport *report)
{
  double a = PetscSqrtReal(load[0] * load[0] + load[1] * load[1] + load[2] * load[2]), pushed;
  Work   work;

  PetscFunctionBeginUser;
  CrTallyBegin(&p->tally);
  *report = (CrPileReport){.tally = &p->tally, .slides = p->slides};
  if (!is_listed(p, h, load, walls, x, v, spin)) PetscCall(list(p, h, load, walls, x, v, spin));
  report->listed = p->ncontacts;
  work = solve(p, h, a, scale);
  count(p, h);
  move(p, h);
  pushed = place_bodies(p, h, load, x);
  turn_bodies(p, v, spin, turn);
  PetscCall(keep(p, h));
  for (PetscInt w = 0; w < p->def.nwalls; w++) {
    p->listed_walls[w] = walls[w];
    for (int d = 0; d < 3; d++) p->listed_walls[w].point[d] += h * walls[w].velocity[d];
  }
  PetscCall(list(p, h, load, p->listed_walls, x, v, spin));
  PetscCall(push_again(p, h, load, p->listed_walls, x, v, spin, &pushed));
  measure_overlap(p);
  report->push_work = -pushed;
  report->contact_work = work.normal + report->push_work;
  report->wall_work = work.walls;
  report->sweeps = work.sweeps;
  PetscFunctionReturn(PETSC_SUCCESS);
}
