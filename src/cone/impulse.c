/* Solves the impulse equations (LL03 75). Every cluster of coupled points is a separate problem. The unknowns are y_l =
   s_l j_l with s_l = sqrt(A_ll), which all have the dimension sqrt(energy). If a pressure p goes to zero at the end of
   a step, the factor j goes to infinity, while the impulse j p stays finite. In the unknowns y the diagonal of A is 1,
   and with gamma = -c the equations are

       A y + b = z,   y_l z_l = gamma_l,   y, z > 0,

   and their solution is the minimum of the convex function Phi(y) = 1/2 y.A y + b.y - sum gamma_l ln y_l. Newton's
   method on Phi always converges. But an iteration at most doubles a y that is too small, and at most divides one that
   is too large by twenty. A test with 24 points and c over 14 decades needed 117 iterations. So this file uses the
   primal-dual interior point method. Its unknowns are y and z, and all products y_l z_l decrease to gamma_l together,
   along

       y_l z_l = max(gamma_l, mu),   mu -> 0.

   This path keeps y and z away from zero until it is known which of them becomes small. The method needed at most 24
   iterations in the same tests, and c = 0 needs almost no special treatment. */
#include "base/union.h"
#include "cone/impulse.h"
#include "base/vector.h"

#define DENSE_POINTS 300   /* clusters above are solved by conjugate gradients */
#define MOST_STEPS   100   /* of Newton; 10 to 25 are usual */
#define BOUNDARY     0.99  /* part of the way to y = 0 or z = 0 that a step may go */
#define FAR          1e6   /* how far from max(gamma, mu) a product may be, as a factor */
#define RESIDUAL     1e-12 /* converged: of max |c| */
#define BALANCE      1e-10 /* converged: of max(|c|, b^2), whatever the rounding */
#define ROUNDING     64    /* converged: roundings of a point's own terms */
#define NOTHING      1e-60 /* |c| below this part of max(|c|, b^2) is zero */
#define LINEAR       1e-14 /* reduction of the residual by conjugate gradients */
#define ZERO_GAMMA   1e-32 /* stands for c = 0, of max |c|: then y or z is rounding, or both */

/* One cluster, scaled; its points are numbered from 0. */
typedef struct {
  PetscInt         n;
  const PetscInt  *start, *column; /* rows of the scaled matrix; borrowed, as all that follow */
  const PetscReal *value;
  PetscReal       *b, *gamma, *y, *z;
  PetscReal       *w;                 /* A y + b, which z becomes */
  PetscReal       *best;              /* y of the smallest residual so far */
  PetscReal       *step, *zstep;      /* of y and z */
  PetscReal       *load, *barrier;    /* (A + barrier) step = load */
  PetscReal       *residual, *p, *Hp; /* of the linear solvers */
  PetscReal       *dense;             /* [n][n], NULL for conjugate gradients */
  PetscReal        most;              /* max(gamma, b^2): where mu starts */
  PetscReal        energy;            /* max gamma, or max b^2 if that is 0 */
} Cluster;

/* ---- scalar functions ------------------------------------------------------------------------ */

/* The positive root of y^2 + beta y = gamma, without cancellation. */
static inline PetscReal positive_root(PetscReal beta, PetscReal gamma)
{
  PetscReal r = PetscHypotReal(beta, 2 * PetscSqrtReal(gamma));

  return beta > 0 ? 2 * (gamma / (beta + r)) : (r - beta) / 2;
}

/* The part of a step that a positive x allows. */
static inline PetscReal reach(PetscReal x, PetscReal step)
{
  return step < 0 ? -BOUNDARY * x / step : PETSC_MAX_REAL;
}

/* x = A y of the scaled cluster. */
static void multiply(const Cluster *k, const PetscReal *y, PetscReal *x)
{
  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal sum = 0;

    for (PetscInt e = k->start[l]; e < k->start[l + 1]; e++) sum += k->value[e] * y[k->column[e]];
    x[l] = sum;
  }
}

/* ---- the linear system (A + barrier) step = load --------------------------------------------- */

static void fill_dense(const Cluster *k)
{
  const PetscInt n = k->n;

  for (PetscInt e = 0; e < n * n; e++) k->dense[e] = 0;
  for (PetscInt l = 0; l < n; l++) {
    for (PetscInt e = k->start[l]; e < k->start[l + 1]; e++)
      k->dense[l * n + k->column[e]] = k->value[e];
    k->dense[l * n + l] += k->barrier[l];
  }
}

/* H = L L^T in the lower triangle. Pivots that are only rounding (A singular, and no barrier that
   matters) become that rounding. */
static void factor_dense(const Cluster *k)
{
  const PetscInt n = k->n;
  PetscReal     *H = k->dense, *diagonal = k->p, *column = k->Hp;

  for (PetscInt l = 0; l < n; l++) diagonal[l] = H[l * n + l];
  for (PetscInt m = 0; m < n; m++) {
    PetscReal least = n * PETSC_MACHINE_EPSILON * diagonal[m];
    PetscReal pivot = PetscSqrtReal(PetscMax(H[m * n + m], least));

    H[m * n + m] = pivot;
    for (PetscInt l = m + 1; l < n; l++) column[l] = H[l * n + m] /= pivot;
    for (PetscInt l = m + 1; l < n; l++)
      for (PetscInt i = m + 1; i <= l; i++) H[l * n + i] -= column[l] * column[i];
  }
}

static void solve_dense(const Cluster *k)
{
  const PetscInt n = k->n;
  PetscReal     *L = k->dense, *x = k->step;

  fill_dense(k);
  factor_dense(k);
  for (PetscInt l = 0; l < n; l++) x[l] = (k->load[l] - v_dot_n(l, L + l * n, x)) / L[l * n + l];
  for (PetscInt l = n - 1; l >= 0; l--) { /* x = L^T \ x */
    x[l] /= L[l * n + l];
    for (PetscInt i = 0; i < l; i++) x[i] -= L[l * n + i] * x[l];
  }
}

/* Conjugate gradients, preconditioned by the diagonal. What a bad end leaves is one more Newton
   step. */
static void solve_sparse(const Cluster *k)
{
  PetscReal *x = k->step, *r = k->residual, *p = k->p, *Hp = k->Hp, rz = 0, goal;

  for (PetscInt l = 0; l < k->n; l++) {
    x[l] = 0;
    r[l] = k->load[l];
    p[l] = r[l] / (1 + k->barrier[l]);
    rz += r[l] * p[l];
  }
  goal = PetscSqr(LINEAR) * rz;
  for (PetscInt it = 0; it < k->n + 100 && rz > goal; it++) {
    PetscReal alpha, old = rz;

    multiply(k, p, Hp);
    for (PetscInt l = 0; l < k->n; l++) Hp[l] += k->barrier[l] * p[l];
    alpha = rz / v_dot_n(k->n, p, Hp);
    rz = 0;
    for (PetscInt l = 0; l < k->n; l++) {
      x[l] += alpha * p[l];
      r[l] -= alpha * Hp[l];
      rz += r[l] * r[l] / (1 + k->barrier[l]);
    }
    for (PetscInt l = 0; l < k->n; l++) p[l] = r[l] / (1 + k->barrier[l]) + rz / old * p[l];
  }
}

/* ---- one cluster ----------------------------------------------------------------------------- */

/* w = A y + b. Returns the greatest |y w - gamma| over the size of its terms: 1 far away, a few
   roundings at the solution, whatever the sizes of the c are. */
static PetscReal evaluate(const Cluster *k)
{
  PetscReal worst = 0;

  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal sum = k->b[l], size = PetscAbsReal(k->b[l]), part;

    for (PetscInt e = k->start[l]; e < k->start[l + 1]; e++) {
      PetscReal term = k->value[e] * k->y[k->column[e]];

      sum += term;
      size += PetscAbsReal(term);
    }
    k->w[l] = sum;
    part = PetscAbsReal(k->y[l] * sum - k->gamma[l]) / (k->y[l] * size + k->gamma[l]);
    if (!(part <= worst)) worst = part; /* keeps NaN */
  }
  return worst;
}

/* Every point by itself, at the product max(gamma, mu). */
static void start_at(const Cluster *k, PetscReal mu)
{
  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal product = PetscMax(k->gamma[l], mu);

    k->y[l] = positive_root(k->b[l], product);
    k->z[l] = product / k->y[l];
  }
}

/* Newton for A y + b = z, y z = max(gamma, mu): the steps of y and z, and how far they may go. */
static PetscReal find_step(const Cluster *k, PetscReal mu)
{
  PetscReal t = 1;

  for (PetscInt l = 0; l < k->n; l++) {
    k->load[l] = PetscMax(k->gamma[l], mu) / k->y[l] - k->w[l];
    k->barrier[l] = k->z[l] / k->y[l];
  }
  if (k->dense)
    solve_dense(k);
  else
    solve_sparse(k);
  for (PetscInt l = 0; l < k->n; l++) {
    k->zstep[l] = PetscMax(k->gamma[l], mu) / k->y[l] - k->z[l] - k->barrier[l] * k->step[l];
    t = PetscMin(t, reach(k->y[l], k->step[l]));
    t = PetscMin(t, reach(k->z[l], k->zstep[l]));
  }
  return t;
}

static void advance(const Cluster *k, PetscReal t, PetscReal mu)
{
  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal z;

    k->y[l] += t * k->step[l];
    z = PetscMax(k->gamma[l], mu) / k->y[l];
    k->z[l] = PetscMin(PetscMax(k->z[l] + t * k->zstep[l], z / FAR), z * FAR);
  }
}

static void keep(const Cluster *k)
{
  for (PetscInt l = 0; l < k->n; l++) k->best[l] = k->y[l];
}

/* Follows the path down, the faster the longer the last step was, and stops at rounding. */
static PetscInt follow(const Cluster *k, PetscReal mu)
{
  PetscReal best = PETSC_MAX_REAL, part = 0.01;
  PetscInt  steps;

  for (steps = 0; steps < MOST_STEPS; steps++) {
    PetscReal worst = evaluate(k), t;

    if (!(worst < best / 2) && best <= ROUNDING * PETSC_MACHINE_EPSILON) break;
    if (worst < best) keep(k);
    best = PetscMin(best, worst);
    if (best <= 4 * PETSC_MACHINE_EPSILON || PetscIsNanReal(worst)) break;
    t = find_step(k, part * mu);
    mu *= 1 - t * (1 - part);
    advance(k, t, mu);
    part = t > 0.9 ? 0.01 : t > 0.5 ? 0.1 : 0.5;
  }
  return steps;
}

/* y into best. The points by themselves may be the solution already. */
static PetscInt solve_scaled(const Cluster *k)
{
  start_at(k, 0);
  keep(k);
  if (k->energy == 0 || evaluate(k) <= ROUNDING * PETSC_MACHINE_EPSILON) return 0;
  start_at(k, k->most);
  return follow(k, k->most);
}

/* ---- the clusters of a system ---------------------------------------------------------------- */

/* The scaled rows in the order of the clusters, and what is kept of every point. */
typedef struct {
  PetscInt   clusters, largest;
  PetscInt  *first;          /* [clusters+1] where the clusters begin; owned, as all that follow */
  PetscInt  *point, *place;  /* which point has a place in this order, and back */
  PetscInt  *parent;         /* of a point, until the clusters are known */
  PetscInt  *start, *column; /* columns count from the first place of their cluster */
  PetscReal *value;
  PetscReal *scale;  /* of a point: sqrt(A_ll) */
  PetscReal *energy; /* of a point: the scale of its residual, energy of its cluster */
  PetscReal *most;   /* of a point: most of its cluster */
} Order;

/* Points of A_ll = 0 are alone: their rows are zero but for underflow. */
static inline PetscBool is_coupled(const CrImpulseSystem *s, const Order *o, PetscInt l, PetscInt e)
{
  return s->value[e] != 0 && o->scale[l] > 0 && o->scale[s->column[e]] > 0;
}

/* Joins what is coupled. The root of a cluster is its least point. */
static void join_points(const CrImpulseSystem *s, Order *o)
{
  CrUnionStart(s->n, o->parent);
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++)
      if (is_coupled(s, o, l, e)) CrUnionJoin(o->parent, l, s->column[e]);
}

/* Clusters in the order of their least points, the points of each ascending: so a cluster is solved
   in the same way whatever else the system holds. */
static void order_points(PetscInt n, Order *o)
{
  PetscInt *cluster = o->place, *end = o->first;

  for (PetscInt l = 0; l < n; l++) {
    PetscInt r = CrUnionRoot(o->parent, l);

    if (r == l) end[o->clusters] = 0;
    cluster[l] = r == l ? o->clusters++ : cluster[r];
    end[cluster[l]]++;
    o->largest = PetscMax(o->largest, end[cluster[l]]);
  }
  for (PetscInt c = 1; c < o->clusters; c++) end[c] += end[c - 1];
  end[o->clusters] = n;
  for (PetscInt l = n - 1; l >= 0; l--) o->point[--end[cluster[l]]] = l; /* end becomes first */
  for (PetscInt at = 0; at < n; at++) o->place[o->point[at]] = at;
}

static void scale_rows(const CrImpulseSystem *s, Order *o)
{
  PetscInt used = 0;

  for (PetscInt c = 0; c < o->clusters; c++)
    for (PetscInt at = o->first[c]; at < o->first[c + 1]; at++) {
      PetscInt l = o->point[at];

      o->start[at] = used;
      for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++) {
        if (!is_coupled(s, o, l, e)) continue;
        o->column[used] = o->place[s->column[e]] - o->first[c];
        o->value[used++] = s->value[e] / o->scale[l] / o->scale[s->column[e]];
      }
    }
  o->start[s->n] = used;
}

static PetscErrorCode create_order(const CrImpulseSystem *s, Order *o)
{
  const PetscInt n = s->n, entries = n ? s->start[n] : 0;

  PetscFunctionBeginUser;
  PetscCall(
      PetscMalloc5(n + 1, &o->first, n, &o->point, n, &o->place, n, &o->parent, n + 1, &o->start));
  PetscCall(PetscMalloc5(entries, &o->column, entries, &o->value, n, &o->scale, n, &o->energy, n,
                         &o->most));
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++)
      if (s->column[e] == l) o->scale[l] = PetscSqrtReal(s->value[e]);
  join_points(s, o);
  order_points(n, o);
  scale_rows(s, o);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy_order(Order *o)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(o->first, o->point, o->place, o->parent, o->start));
  PetscCall(PetscFree5(o->column, o->value, o->scale, o->energy, o->most));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for the largest cluster; b holds all vectors. */
static PetscErrorCode create_room(PetscInt n, Cluster *k)
{
  PetscReal    **vectors[] = {&k->b,        &k->gamma, &k->y,     &k->z,    &k->w,
                              &k->best,     &k->step,  &k->zstep, &k->load, &k->barrier,
                              &k->residual, &k->p,     &k->Hp};
  const PetscInt count = sizeof vectors / sizeof *vectors, side = PetscMin(n, DENSE_POINTS);
  PetscReal     *memory;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(count * n, &memory, side * side, &k->dense));
  for (PetscInt i = 0; i < count; i++) *vectors[i] = memory + i * n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a cluster in its system ----------------------------------------------------------------- */

/* Fills b and gamma, and finds the energies about. */
static void load_cluster(const CrImpulseSystem *s, const Order *o, PetscInt c, Cluster *k)
{
  const PetscInt *point = o->point + o->first[c];
  PetscReal       most_c = 0, most_b = 0;

  for (PetscInt i = 0; i < k->n; i++) {
    k->b[i] = s->b[point[i]] / o->scale[point[i]];
    k->gamma[i] = -s->c[point[i]];
    most_c = PetscMax(most_c, k->gamma[i]);
    most_b = PetscMax(most_b, PetscSqr(k->b[i]));
  }
  k->most = PetscMax(most_c, most_b);
  k->energy = most_c > NOTHING * k->most ? most_c : most_b;
  for (PetscInt i = 0; i < k->n; i++)
    if (k->gamma[i] <= NOTHING * k->most) k->gamma[i] = ZERO_GAMMA * k->energy;
}

/* Points with c = 0 that need no impulse get none. */
static void store_cluster(const CrImpulseSystem *s, const Order *o, PetscInt c, const Cluster *k,
                          PetscReal *j)
{
  const PetscInt *point = o->point + o->first[c];

  for (PetscInt i = 0; i < k->n; i++) k->y[i] = k->best[i];
  evaluate(k);
  for (PetscInt i = 0; i < k->n; i++) {
    PetscInt  l = point[i];
    PetscBool has_energy = k->gamma[i] == -s->c[l];

    j[l] = has_energy || k->y[i] > k->w[i] ? k->y[i] / o->scale[l] : 0;
    o->energy[l] = k->energy;
    o->most[l] = k->most;
  }
}

/* Room is as made for the largest cluster. */
static PetscInt solve_cluster(const CrImpulseSystem *s, const Order *o, PetscInt c,
                              const Cluster *room, PetscReal *j)
{
  const PetscInt l = o->point[o->first[c]];
  Cluster        k = *room;
  PetscInt       steps;

  if (o->scale[l] == 0) { /* it can move nothing */
    j[l] = s->b[l] > 0 ? -s->c[l] / s->b[l] : 0;
    o->energy[l] = o->most[l] = -s->c[l];
    return 0;
  }
  k.n = o->first[c + 1] - o->first[c];
  k.start = o->start + o->first[c];
  k.column = o->column;
  k.value = o->value;
  if (k.n > DENSE_POINTS) k.dense = NULL;
  load_cluster(s, o, c, &k);
  steps = solve_scaled(&k);
  store_cluster(s, o, c, &k, j);
  return steps;
}

/* The verdict, on the equations as given. A system without solution ends in impulses that grow
   until the rounding of their terms hides c; the bound by the energies about tells it from a
   solution. */
static void judge(const CrImpulseSystem *s, const Order *o, const PetscReal *j,
                  CrImpulseReport *report)
{
  for (PetscInt l = 0; l < s->n; l++) {
    PetscReal w = s->b[l], size = PetscAbsReal(w), residual, rounding;

    for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++) {
      PetscReal term = s->value[e] * j[s->column[e]];

      w += term;
      size += PetscAbsReal(term);
    }
    residual = j[l] * w + s->c[l];
    rounding = PetscMin(ROUNDING * PETSC_MACHINE_EPSILON * j[l] * size, BALANCE * o->most[l]);
    if (!(PetscAbsReal(residual) <= RESIDUAL * o->energy[l] + rounding))
      report->converged = PETSC_FALSE;
    if (o->energy[l] > 0)
      report->residual = PetscMax(report->residual, PetscAbsReal(residual) / o->energy[l]);
    report->defect += residual;
  }
}

/* ---- public ---------------------------------------------------------------------------------- */

static PetscErrorCode check_system(const CrImpulseSystem *s)
{
  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < s->n; l++) {
    PetscReal diagonal = -1;

    for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++)
      if (s->column[e] == l) diagonal = s->value[e];
    PetscCheck(diagonal >= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
               "impulse equations: the diagonal of point %" PetscInt_FMT " is negative or missing",
               l);
    PetscCheck(s->c[l] <= 0, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
               "impulse equations: c = %g > 0 at point %" PetscInt_FMT, (double)s->c[l], l);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImpulseSolve(const CrImpulseSystem *system, PetscReal *j, CrImpulseReport *report)
{
  Order   order = {0};
  Cluster room = {0};

  PetscFunctionBeginUser;
  PetscCall(check_system(system));
  PetscCall(create_order(system, &order));
  PetscCall(create_room(order.largest, &room));
  *report = (CrImpulseReport){.clusters = order.clusters,
                              .largest = order.largest,
                              .converged = PETSC_TRUE};
  for (PetscInt c = 0; c < order.clusters; c++) {
    PetscInt steps = solve_cluster(system, &order, c, &room, j);

    report->iterations = PetscMax(report->iterations, steps);
  }
  judge(system, &order, j, report);
  PetscCall(PetscFree2(room.b, room.dense));
  PetscCall(destroy_order(&order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrImpulseCount(PetscInt n, const PetscReal *c, PetscReal *debt, PetscReal *available)
{
  for (PetscInt l = 0; l < n; l++) {
    if (c[l] > 0)
      *debt += c[l];
    else
      *available -= c[l];
  }
}

PetscReal CrImpulseCharge(PetscInt n, PetscReal *c, PetscReal debt, PetscReal available)
{
  PetscReal taken = PetscMin(PetscMax(debt, 0), available);

  for (PetscInt l = 0; l < n; l++) {
    if (c[l] > 0)
      c[l] = 0;
    else if (taken > 0)
      c[l] -= c[l] * (taken / available);
  }
  return debt - taken;
}

void CrImpulseSettle(PetscInt n, PetscReal *c, PetscReal *bank)
{
  PetscReal debt = *bank, available = 0;

  CrImpulseCount(n, c, &debt, &available);
  *bank = CrImpulseCharge(n, c, debt, available);
}
