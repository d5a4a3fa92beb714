/* Lists the balls that may come into contact in a step. Cells are a little wider than the largest body, so that a body
   needs to be compared with half of its neighbours only. The grid of cells is periodic, so that a body far away needs
   no additional cells. Bodies that are far apart may share a cell, and their distance shows that they do not touch. */
#include "base/grow.h"
#include "base/vector.h"
#include "integrate/efda/crowd_ball_internal.h"

#define WIDTH 2.5 /* of a cell, in greatest radii; more where nothing else fits */
#define ROOMY 4   /* cells per body at most */
#define FAR                                                                                        \
  0.1 /* of the distance of their centres: two that go more than that in a step are looked at where they meet */

/* ---- cells ---------------------------------------------------------------------------------- */

/* Maps i, which is less than n outside of [0, n), into this range. */
CR_INLINE PetscInt wrap(PetscInt i, PetscInt n)
{
  return i < 0 ? i + n : i < n ? i : i - n;
}

/* Orders the directions of the grid from fastest to slowest. The last is that of the load, so that sweeps go bottom
   up. */
static void choose_axes(EfdaBalls *p)
{
  const double *load = p->step.load;
  PetscBool     flat = p->def.dim == 2;
  int           slow = p->def.dim - 1, *axis = p->grid.axis;

  for (int d = 0; d < p->def.dim; d++)
    if (__builtin_fabs(load[d]) > __builtin_fabs(load[slow])) slow = d;
  axis[0] = flat ? 1 - slow : (slow + 1) % 3;
  axis[1] = flat ? slow : (slow + 2) % 3;
  axis[2] = flat ? 2 : slow;
}

static PetscErrorCode choose_cells(EfdaBalls *p)
{
  double   low[3], high[3], most;
  PetscInt cells = 1;

  PetscFunctionBeginUser;
  v_bounds(p->def.n, p->step.x, low, high);
  p->grid.width = WIDTH * p->crowd.size;
  most = p->def.dim == 2 ? __builtin_sqrt((double)ROOMY * p->def.n + 64)
                         : __builtin_cbrt((double)ROOMY * p->def.n + 512);
  for (int a = 0; a < 3; a++) {
    int    d = p->grid.axis[a];
    double n = __builtin_floor((high[d] - low[d]) / p->grid.width) + 2;

    if (!(n < most * 3)) n = __builtin_floor(most * 3);
    p->grid.origin[a] = low[d];
    p->grid.count[a] = d < p->def.dim ? (n < 3 ? 3 : (PetscInt)n) : 1;
    cells *= p->grid.count[a];
  }
  PetscCall(CrGrow(cells + 1, &p->grid.room, &p->grid.start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The cell at given coordinates, which may be less than a period outside of the grid. */
CR_INLINE PetscInt cell_at(const EfdaBalls *p, PetscInt x, PetscInt y, PetscInt z)
{
  const PetscInt *n = p->grid.count;

  return (wrap(z, n[2]) * n[1] + wrap(y, n[1])) * n[0] + wrap(x, n[0]);
}

static PetscInt cell_of(const EfdaBalls *p, const double *x)
{
  const PetscInt *n = p->grid.count;
  PetscInt        c[3];

  for (int a = 0; a < 3; a++) {
    double at = __builtin_floor((x[p->grid.axis[a]] - p->grid.origin[a]) / p->grid.width);

    if (!(at > -1e9 && at < 1e9)) at = 0; /* not a number: the step fails by its energy */
    c[a] = (PetscInt)at;
    if (c[a] < 0 || c[a] >= n[a]) c[a] = wrap(c[a] % n[a], n[a]);
  }
  if (p->step.load[p->grid.axis[2]] > 0) c[2] = n[2] - 1 - c[2];
  return cell_at(p, c[0], c[1], c[2]);
}

/* Sorts the bodies by cell, and within a cell by number (counting sort). */
static void sort_bodies(EfdaBalls *p)
{
  PetscInt n = p->def.n, cells = p->grid.count[0] * p->grid.count[1] * p->grid.count[2];

  for (PetscInt k = 0; k <= cells; k++) p->grid.start[k] = 0;
  for (PetscInt b = 0; b < n; b++) {
    p->grid.cell[b] = cell_of(p, &p->step.x[3 * b]);
    p->grid.start[p->grid.cell[b]]++;
  }
  for (PetscInt k = 0; k < cells; k++) p->grid.start[k + 1] += p->grid.start[k];
  for (PetscInt b = n - 1; b >= 0; b--) p->order[--p->grid.start[p->grid.cell[b]]] = b;
}

/* Loads positions and velocities of the start of the step, in the order of the cells. */
static void load_bodies(EfdaBalls *p, double h)
{
  const double *load = p->step.load, *v = p->step.v;
  PetscInt      n = p->def.n;
  double mean[3] = {0, 0, 0}, a = v_length(load), slow = (p->grid.width - 2 * p->crowd.size) / 2;

  for (PetscInt b = 0; b < n; b++)
    for (int d = 0; d < 3; d++) mean[d] += v[3 * b + d] / n;
  p->crowd.speed = 0;
  for (PetscInt k = 0; k < n; k++) {
    PetscInt      b = p->order[k];
    const double *y = &p->step.x[3 * b], *w = &v[3 * b], *o = &p->step.spin[3 * b];
    double        r = p->def.radius[b], m = p->def.mass[b], past[3], past_size;

    v_less(w, mean, past);
    past_size = v_length(past);
    p->crowd.speed = past_size > p->crowd.speed ? past_size : p->crowd.speed;
    p->way[k] = h * (past_size + h * a / 2);
    p->is_fast[k] = p->way[k] > slow;
    p->place[k] = (EfdaFour){y[0], y[1], y[2], r};
    p->before[k] = (EfdaFour){w[0], w[1], w[2], r + EFDA_BALL_REACH * p->way[k]};
    p->turn0[k] = (EfdaFour){r * o[0], r * o[1], r * o[2], 0};
    p->bodies[k].v =
        (EfdaFour){w[0] + h / 2 * load[0], w[1] + h / 2 * load[1], w[2] + h / 2 * load[2], 1 / m};
    p->bodies[k].s = p->turn0[k];
    p->bodies[k].s[3] = r * r / p->def.inertia[b];
  }
}

static void load_walls(EfdaBalls *p)
{
  for (PetscInt w = 0; w < p->def.nwalls; w++) {
    const EfdaBallWall *wall = &p->step.walls[w];
    const double       *x = wall->point, *v = wall->velocity;
    PetscInt            k = p->def.n + w;

    p->place[k] = (EfdaFour){x[0], x[1], x[2], wall->radius};
    p->before[k] = p->bodies[k].v = (EfdaFour){v[0], v[1], v[2], 0};
    p->turn0[k] = p->bodies[k].s = (EfdaFour){0, 0, 0, 0};
  }
}

/* ---- contacts ------------------------------------------------------------------------------- */

typedef struct {
  EfdaBalls          *balls;
  double              h, a; /* step, size of the load */
  EfdaFour            load;
  const EfdaBallWall *walls;
} Listing;

static Listing listing_of(EfdaBalls *p, double h)
{
  const double *load = p->step.load;

  return (Listing){p, h, v_length(load), {load[0], load[1], load[2], 0}, p->step.walls};
}

static PetscErrorCode make_room(EfdaBalls *p)
{
  PetscInt         room = p->contacts_room ? 2 * p->contacts_room : 4 * p->def.n + 64;
  EfdaBallContact *more = NULL;

  PetscFunctionBeginUser;
  if (p->ncontacts < p->contacts_room) PetscFunctionReturn(PETSC_SUCCESS);
  if (posix_memalign((void **)&more, 64, sizeof *more * room)) CrMachineFail("out of memory");
  if (p->ncontacts) memcpy(more, p->contacts, sizeof *more * p->ncontacts);
  free(p->contacts);
  p->contacts = more;
  PetscCall(CrGrow(room, &p->contacts_room, &p->drift));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The impulse of the last step, cut to the friction cone of the new normal. */
static EfdaFour recall(const EfdaBalls *p, PetscInt one, PetscInt other, EfdaFour normal, double mu,
                       double h)
{
  PetscInt low = one < other ? one : other, high = one < other ? other : one;

  for (PetscInt k = p->kept.start[low]; k < p->kept.start[low + 1]; k++) {
    EfdaFour q;
    double   qn, size;

    if (p->kept.other[k] != high) continue;
    q = (EfdaFour){p->kept.impulse[3 * k], p->kept.impulse[3 * k + 1], p->kept.impulse[3 * k + 2],
                   0} *
        (h / p->kept.h);
    q = one < other ? q : -q;
    qn = four_dot(q, normal);
    if (!(qn > 0)) break;
    q = q - qn * normal;
    size = __builtin_sqrt(four_dot(q, q));
    if (size > mu * qn) q *= mu * qn / size;
    return q + qn * normal;
  }
  return (EfdaFour){0, 0, 0, 0};
}

/* Sets the bias, with which the velocity of the middle is compared, and the state of a contact (theory 18.6). */
static void judge(const Listing *l, EfdaBallContact *c, EfdaFour u, const EfdaBallLaw *law)
{
  EfdaFour nu = four_three(c->normal);
  double   h = l->h, un = four_dot(u, nu), e = un < -2 * h * l->a ? law->restitution : 0;
  double   free = c->wall < 0 ? un : un + h / 2 * four_dot(l->load, nu);

  if (c->gap <= h * h * l->a || c->gap + h * free < 0) {
    c->bias = (1 - e) / 2 * u;
    c->state = un < -2 * h * l->a ? EFDA_BALL_IMPACT : EFDA_BALL_RESTING;
  } else {
    c->bias = (u - un * nu) / 2 - c->gap / h * nu;
    c->state = EFDA_BALL_NEAR;
  }
}

/* Two balls at the distance d = (R + gap) nu approach fast. With the normal of the start they could seem to collide
   where they pass each other. Takes the normal of the time at which they touch, or are nearest, on straight paths.
   Returns the gap along it that closes until then. */
static double look_ahead(EfdaFour u, double R, double h, double gap, EfdaFour *nu)
{
  EfdaFour d = (R + gap) * *nu;
  double   uu = four_dot(u, u), s = -four_dot(d, u) / uu, least, depth;

  s = s < h ? s : h;
  least = __builtin_sqrt(four_dot(d + s * u, d + s * u));
  if (least < R && s > 0) { /* first of the two instants at which the distance is R */
    EfdaFour side = d - four_dot(d, u) / uu * u;

    depth = R * R - four_dot(side, side);
    s = (-four_dot(d, u) - __builtin_sqrt(uu * (depth > 0 ? depth : 0))) / uu;
    d += s * u;
    *nu = d / __builtin_sqrt(four_dot(d, d));
    return -s * four_dot(u, *nu);
  }
  d += s * u;
  *nu = d / least;
  return least - R - s * four_dot(u, *nu);
}

/* Sets all members of a contact except its bodies and its law, from gap and normal. */
static void fill(const Listing *l, EfdaBallContact *c, EfdaFour normal, double gap, EfdaFour u)
{
  const EfdaBalls   *p = l->balls;
  const EfdaBallLaw *law = &p->def.laws[c->law];
  PetscInt           n = p->def.n, i = c->i, j = c->j;
  double wn = p->bodies[i].v[3] + p->bodies[j].v[3], R = p->place[i][3] + p->place[j][3];

  if (gap > 0 && (c->wall < 0 || c->wall == CR_WALL_OUTSIDE) && four_dot(u, normal) < 0 &&
      l->h * l->h * four_dot(u, u) > FAR * FAR * R * R)
    gap = look_ahead(u, R, l->h, gap, &normal);
  u -= four_cross(p->turn0[i] + p->turn0[j], normal);
  c->gap = gap;
  c->normal = normal;
  c->normal[3] = 1 / wn;
  c->impulse = (EfdaFour){0, 0, 0, 0};
  judge(l, c, u, law);
  c->bias[3] = law->friction;
  if (c->state != EFDA_BALL_IMPACT || law->restitution == 0)
    c->impulse = recall(p, p->order[i], j < n ? p->order[j] : j, normal, law->friction, l->h);
  four_only_take(normal, c->impulse, &c->bias);
  c->impulse[3] = 1 / (wn + p->bodies[i].s[3] + p->bodies[j].s[3]);
}

/* Lists the contact of i with j (a body, or n + wall), unless they cannot reach each other. */
static PetscErrorCode consider(Listing *l, PetscInt i, PetscInt j, EfdaFour plane, int wall)
{
  EfdaBalls         *p = l->balls;
  PetscInt           n = p->def.n, bi = p->order[i], bj = j < n ? p->order[j] : j, row, column;
  const EfdaBallLaw *law;
  EfdaBallContact   *c;
  EfdaFour           normal, u;
  double             gap, speed;

  PetscFunctionBeginUser;
  row = p->def.kind[bi];
  column = j < n ? p->def.kind[bj] : p->def.nkinds + (j - n);
  law = &p->def.laws[row * (p->def.nkinds + p->def.nwalls) + column];
  if (law->pair < 0) PetscFunctionReturn(PETSC_SUCCESS);
  gap = four_gap(p->place[i], p->place[j], plane, wall, &normal);
  if (gap < -p->crowd.deepest) p->crowd.deepest = -gap;
  u = four_three(p->before[i] - p->before[j]);
  speed = __builtin_sqrt(four_dot(u, u));
  if (gap > EFDA_BALL_REACH * l->h * (speed + l->h * l->a)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(make_room(p));
  c = &p->contacts[p->ncontacts++];
  *c = (EfdaBallContact){.i = (int)i, .j = (int)j, .wall = (signed char)wall};
  c->law = (int)(law - p->def.laws);
  fill(l, c, normal, gap, u);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the contacts of i with walls. A first look at the gap leaves out most walls. */
static PetscErrorCode with_walls(Listing *l, PetscInt i)
{
  EfdaBalls *p = l->balls;
  EfdaFour   v = p->before[i], normal;
  double     speed = __builtin_sqrt(four_dot(v, v)) + l->h * l->a;

  PetscFunctionBeginUser;
  for (PetscInt w = 0; w < p->def.nwalls; w++) {
    const EfdaBallWall *wall = &l->walls[w];
    PetscInt            j = p->def.n + w;
    EfdaFour nu = {wall->normal[0], wall->normal[1], wall->normal[2], 0}, u = p->before[j];
    double   gap = four_gap(p->place[i], p->place[j], nu, wall->kind, &normal);

    if (gap > EFDA_BALL_REACH * l->h * (speed + __builtin_sqrt(four_dot(u, u)))) continue;
    PetscCall(consider(l, i, j, nu, wall->kind));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does i list the pair, or j? If both outrun their cells, the faster one lists it, or the first of equals. If one
   does, that one lists it; else the one that is asked. */
static PetscBool is_mine(const EfdaBalls *p, PetscInt i, PetscInt j)
{
  if (!p->is_fast[i] || !p->is_fast[j]) return p->is_fast[i] || !p->is_fast[j];
  return p->way[i] > p->way[j] || (p->way[i] == p->way[j] && i < j);
}

/* Lists the contacts of i with the bodies at the sorted places [first, last). */
static PetscErrorCode with_range(Listing *l, PetscInt i, PetscInt first, PetscInt last)
{
  EfdaBalls *p = l->balls;
  EfdaFour   xi = p->place[i];
  double     ri = p->before[i][3];

  PetscFunctionBeginUser;
  for (PetscInt j = first; j < last; j++) {
    EfdaFour way = xi - p->place[j];
    double   cut = ri + p->before[j][3];

    if (four_dot(way, way) > cut * cut || !is_mine(p, i, j)) continue;
    PetscCall(consider(l, i, j, (EfdaFour){0, 0, 0, 0}, -1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode with_cell(Listing *l, PetscInt i, PetscInt cell)
{
  return with_range(l, i, l->balls->grid.start[cell], l->balls->grid.start[cell + 1]);
}

/* Lists the contacts of i with the bodies in the cells x - 1, x, x + 1 of the row (y, z). */
static PetscErrorCode with_row(Listing *l, PetscInt i, PetscInt x, PetscInt y, PetscInt z)
{
  const EfdaBalls *p = l->balls;
  PetscInt         cell = cell_at(p, x, y, z);

  PetscFunctionBeginUser;
  if (x > 0 && x + 1 < p->grid.count[0])
    PetscCall(with_range(l, i, p->grid.start[cell - 1], p->grid.start[cell + 2]));
  else
    for (int d = -1; d <= 1; d++) PetscCall(with_cell(l, i, cell_at(p, x + d, y, z)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the contacts of a slow body with the rest of its cell and with half of the cells around it. */
static PetscErrorCode with_neighbours(Listing *l, PetscInt i)
{
  const EfdaBalls *p = l->balls;
  PetscInt         nx = p->grid.count[0], ny = p->grid.count[1], cell = p->grid.cell[p->order[i]];
  PetscInt         x = cell % nx, y = cell / nx % ny, z = cell / nx / ny;

  PetscFunctionBeginUser;
  PetscCall(with_range(l, i, i + 1, p->grid.start[cell + 1]));
  PetscCall(with_cell(l, i, cell_at(p, x + 1, y, z)));
  PetscCall(with_row(l, i, x, y + 1, z));
  if (p->def.dim == 2) PetscFunctionReturn(PETSC_SUCCESS);
  for (int d = -1; d <= 1; d++) PetscCall(with_row(l, i, x, y + d, z + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the contacts of a body that outruns the cells around it: in all cells where it could meet a body that is
   not faster. */
static PetscErrorCode with_far(Listing *l, PetscInt i)
{
  const EfdaBalls *p = l->balls;
  const PetscInt  *n = p->grid.count;
  PetscInt         cell = p->grid.cell[p->order[i]], from[3], to[3];
  PetscInt         x = cell % n[0], y = cell / n[0] % n[1], z = cell / n[0] / n[1];
  double far = __builtin_ceil((p->place[i][3] + p->crowd.size + 2 * p->way[i]) / p->grid.width);

  PetscFunctionBeginUser;
  for (int d = 0; d < 3; d++) {
    from[d] = 2 * far + 1 < n[d] ? -(PetscInt)far : 0; /* every cell once */
    to[d] = 2 * far + 1 < n[d] ? (PetscInt)far : n[d] - 1;
  }
  for (PetscInt c = from[2]; c <= to[2]; c++)
    for (PetscInt b = from[1]; b <= to[1]; b++)
      for (PetscInt a = from[0]; a <= to[0]; a++)
        PetscCall(with_cell(l, i, cell_at(p, x + a, y + b, z + c)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CR_VARIANT(EfdaBallList)(EfdaCrowd *crowd, PetscReal h)
{
  EfdaBalls *p = crowd->data;
  Listing    l = listing_of(p, h);

  PetscFunctionBeginUser;
  choose_axes(p);
  PetscCall(choose_cells(p));
  sort_bodies(p);
  load_bodies(p, h);
  load_walls(p);
  p->ncontacts = 0;
  crowd->deepest = p->step.way = 0;
  for (PetscInt i = 0; i < p->def.n; i++) {
    PetscCall(with_walls(&l, i));
    if (p->is_fast[i])
      PetscCall(with_far(&l, i));
    else
      PetscCall(with_neighbours(&l, i));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CR_VARIANT(EfdaBallRefresh)(EfdaBalls *p, double h)
{
  Listing l = listing_of(p, h);

  p->crowd.deepest = 0;
  EFDA_EACH_BALL_CONTACT (c, p) {
    EfdaFour normal, u = four_three(p->before[c->i] - p->before[c->j]);
    double   gap = four_gap(p->place[c->i], p->place[c->j], c->normal, c->wall, &normal);

    if (gap < -p->crowd.deepest) p->crowd.deepest = -gap;
    fill(&l, c, normal, gap, u);
  }
}
