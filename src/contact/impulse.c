#include <math.h>
#include "contact/impulse.h"

#define MOST_ITERATIONS 100
#define DENSE_LIMIT     400 /* points of a cluster that is solved by Cholesky */
#define TOLERANCE       1e-14
#define GOOD_ENOUGH     1e-11

void CrImpulseSettle(PetscInt n, PetscReal *c, PetscReal *bank)
{
  PetscReal owed = *bank, room = 0, share;

  for (PetscInt l = 0; l < n; l++) {
    if (c[l] > 0) {
      owed += c[l];
      c[l] = 0;
    }
    room -= c[l];
  }
  share = room > 0 ? PetscMin(1, PetscMax(0, owed) / room) : 0;
  for (PetscInt l = 0; l < n; l++) c[l] -= share * c[l];
  *bank = owed - share * room;
}

/* ---- one cluster, scaled: unit diagonal ------------------------------------------------------ */

typedef struct {
  PetscInt   n;
  PetscInt  *start, *column; /* within the cluster */
  PetscReal *value, *b, *c;  /* scaled; c >= 0 here: minus that of the system */
  PetscReal *y, *step, *Ay, *trial, *work, *H;
} Cluster;

static void times(const Cluster *k, const PetscReal *y, PetscReal *Ay)
{
  for (PetscInt l = 0; l < k->n; l++) {
    Ay[l] = 0;
    for (PetscInt q = k->start[l]; q < k->start[l + 1]; q++) Ay[l] += k->value[q] * y[k->column[q]];
  }
}

/* The convex function; *size: what its rounding is of. */
static PetscReal phi(const Cluster *k, const PetscReal *y, PetscReal *Ay, PetscReal *size)
{
  PetscReal sum = 0;

  *size = 0;
  times(k, y, Ay);
  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal work = y[l] * (Ay[l] / 2 + k->b[l]), barrier = k->c[l] * log(y[l]);

    sum += work - barrier;
    *size += PetscAbsReal(y[l] * Ay[l]) + PetscAbsReal(y[l] * k->b[l]) + PetscAbsReal(barrier);
  }
  return sum;
}

static PetscReal residual(const Cluster *k, const PetscReal *y, PetscReal *Ay)
{
  PetscReal greatest = 0;

  times(k, y, Ay);
  for (PetscInt l = 0; l < k->n; l++)
    greatest = PetscMax(greatest, PetscAbsReal(y[l] * (Ay[l] + k->b[l]) - k->c[l]));
  return greatest;
}

/* H step = gradient by Cholesky in place; false if H is not positive definite. */
static PetscBool solve_dense(const Cluster *k, const PetscReal *diagonal, const PetscReal *r,
                             PetscReal *x)
{
  PetscInt   n = k->n;
  PetscReal *H = k->H;

  for (PetscInt i = 0; i < n * n; i++) H[i] = 0;
  for (PetscInt l = 0; l < n; l++) {
    for (PetscInt q = k->start[l]; q < k->start[l + 1]; q++) H[l * n + k->column[q]] += k->value[q];
    H[l * n + l] += diagonal[l];
  }
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j <= i; j++) {
      PetscReal sum = H[i * n + j];

      for (PetscInt q = 0; q < j; q++) sum -= H[i * n + q] * H[j * n + q];
      if (i == j && !(sum > 0)) return PETSC_FALSE;
      H[i * n + j] = i == j ? sqrt(sum) : sum / H[j * n + j];
    }
  for (PetscInt i = 0; i < n; i++) {
    x[i] = r[i];
    for (PetscInt q = 0; q < i; q++) x[i] -= H[i * n + q] * x[q];
    x[i] /= H[i * n + i];
  }
  for (PetscInt i = n; i-- > 0;) {
    for (PetscInt q = i + 1; q < n; q++) x[i] -= H[q * n + i] * x[q];
    x[i] /= H[i * n + i];
  }
  return PETSC_TRUE;
}

/* The same by conjugate gradients with the diagonal, for large clusters; work holds r, z, p, Hp. */
static PetscBool solve_sparse(const Cluster *k, const PetscReal *diagonal, const PetscReal *rhs,
                              PetscReal *x)
{
  PetscInt   n = k->n;
  PetscReal *r = k->work, *z = r + n, *p = z + n, *Hp = p + n, rz = 0, start = 0;

  for (PetscInt l = 0; l < n; l++) {
    x[l] = 0;
    r[l] = rhs[l];
    p[l] = z[l] = r[l] / (1 + diagonal[l]);
    rz += r[l] * z[l];
  }
  start = rz;
  for (PetscInt it = 0; it < 4 * n && rz > 1e-30 * start; it++) {
    PetscReal pHp = 0, next = 0;

    times(k, p, Hp);
    for (PetscInt l = 0; l < n; l++) pHp += p[l] * (Hp[l] += diagonal[l] * p[l]);
    if (!(pHp > 0)) return PETSC_FALSE;
    for (PetscInt l = 0; l < n; l++) {
      x[l] += rz / pHp * p[l];
      r[l] -= rz / pHp * Hp[l];
      z[l] = r[l] / (1 + diagonal[l]);
      next += r[l] * z[l];
    }
    for (PetscInt l = 0; l < n; l++) p[l] = z[l] + next / rz * p[l];
    rz = next;
  }
  return PETSC_TRUE;
}

/* Uncoupled roots, without cancellation. */
static void start_from_roots(Cluster *k)
{
  for (PetscInt l = 0; l < k->n; l++) {
    PetscReal b = k->b[l], root = sqrt(b * b + 4 * k->c[l]);

    k->y[l] = b > 0 ? 2 * k->c[l] / (b + root) : (root - b) / 2;
  }
}

/* Damped Newton on phi; keeps y > 0. Returns false when it can go no further. */
static PetscBool improve(Cluster *k)
{
  PetscReal *gradient = k->trial, *diagonal = k->Ay, length = 1, slope = 0, before, size, unused;

  times(k, k->y, k->Ay);
  for (PetscInt l = 0; l < k->n; l++) {
    gradient[l] = k->c[l] / k->y[l] - k->Ay[l] - k->b[l]; /* minus the gradient of phi */
    diagonal[l] = k->c[l] / (k->y[l] * k->y[l]);
  }
  if (!(k->n <= DENSE_LIMIT ? solve_dense(k, diagonal, gradient, k->step)
                            : solve_sparse(k, diagonal, gradient, k->step)))
    return PETSC_FALSE;
  for (PetscInt l = 0; l < k->n; l++) {
    slope += gradient[l] * k->step[l];
    if (k->step[l] < 0) length = PetscMin(length, -0.95 * k->y[l] / k->step[l]);
  }
  before = phi(k, k->y, k->Ay, &size);
  for (int halving = 0; halving < 60; halving++, length /= 2) {
    for (PetscInt l = 0; l < k->n; l++) k->trial[l] = k->y[l] + length * k->step[l];
    /* near the minimum phi no longer resolves the step: rounding may pass */
    if (phi(k, k->trial, k->Ay, &unused) <= before - 1e-4 * length * slope + 1e-14 * size) break;
  }
  for (PetscInt l = 0; l < k->n; l++) k->y[l] = k->trial[l];
  return PETSC_TRUE;
}

static void solve_cluster(Cluster *k, CrImpulseReport *report)
{
  PetscReal scale = 0, now, best = PETSC_INFINITY;
  PetscInt  it = 0, idle = 0;

  for (PetscInt l = 0; l < k->n; l++) scale = PetscMax(scale, k->c[l]);
  if (scale == 0) scale = 1;
  /* c = 0 is the limit of c -> 0 */
  for (PetscInt l = 0; l < k->n; l++) k->c[l] = PetscMax(k->c[l], 1e-30 * scale);
  start_from_roots(k);
  for (; it < MOST_ITERATIONS; it++) {
    now  = residual(k, k->y, k->Ay) / scale;
    idle = now < 0.5 * best ? 0 : idle + 1;
    best = PetscMin(best, now);
    if (now <= TOLERANCE || (now <= GOOD_ENOUGH && idle > 2)) break;
    if (!improve(k)) break;
  }
  now                = residual(k, k->y, k->Ay) / scale;
  report->iterations = PetscMax(report->iterations, it);
  report->residual   = PetscMax(report->residual, now);
  if (!(now <= GOOD_ENOUGH)) report->converged = PETSC_FALSE;
}

/* ---- clusters ------------------------------------------------------------------------------- */

static PetscInt root_of(PetscInt *parent, PetscInt l)
{
  while (parent[l] != l) l = parent[l] = parent[parent[l]];
  return l;
}

/* parent[l]: the first point of the cluster of l. */
static void connect(const CrImpulseSystem *s, PetscInt *parent)
{
  for (PetscInt l = 0; l < s->n; l++) parent[l] = l;
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt q = s->start[l]; q < s->start[l + 1]; q++) {
      PetscInt a = root_of(parent, l), b = root_of(parent, s->column[q]);

      if (s->value[q] != 0) parent[PetscMax(a, b)] = PetscMin(a, b);
    }
  for (PetscInt l = 0; l < s->n; l++) parent[l] = root_of(parent, l);
}

static PetscReal diagonal_of(const CrImpulseSystem *s, PetscInt l)
{
  for (PetscInt q = s->start[l]; q < s->start[l + 1]; q++)
    if (s->column[q] == l) return s->value[q];
  return 0;
}

/* Rows of the cluster that begins with `first`, scaled by the roots of the diagonal. */
static void gather(const CrImpulseSystem *s, const PetscInt *members, PetscInt *index,
                   const PetscReal *scale, Cluster *k)
{
  PetscInt n = 0;

  for (PetscInt i = 0; i < k->n; i++) index[members[i]] = i;
  for (PetscInt i = 0; i < k->n; i++) {
    PetscInt l = members[i];

    k->start[i] = n;
    k->b[i]     = s->b[l] / scale[l];
    k->c[i]     = -s->c[l];
    for (PetscInt q = s->start[l]; q < s->start[l + 1]; q++) {
      if (s->value[q] == 0) continue;
      k->column[n]  = index[s->column[q]];
      k->value[n++] = s->value[q] / (scale[l] * scale[s->column[q]]);
    }
  }
  k->start[k->n] = n;
}

/* A point whose nodes are all held: its equation is linear. */
static PetscReal held_point(const CrImpulseSystem *s, PetscInt l, CrImpulseReport *report)
{
  if (s->c[l] == 0) return 0;
  if (s->b[l] > 0) return -s->c[l] / s->b[l];
  if (s->c[l] < 0) report->converged = PETSC_FALSE;
  return 0;
}

static PetscErrorCode make_cluster(PetscInt n, PetscInt entries, Cluster *k)
{
  PetscInt dense = PetscMin(n, DENSE_LIMIT);

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(n + 1, &k->start, entries, &k->column, entries, &k->value));
  PetscCall(PetscMalloc6(n, &k->b, n, &k->c, n, &k->y, n, &k->step, n, &k->Ay, n, &k->trial));
  PetscCall(PetscMalloc2(4 * n, &k->work, dense * dense, &k->H));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_cluster(Cluster *k)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(k->start, k->column, k->value));
  PetscCall(PetscFree6(k->b, k->c, k->y, k->step, k->Ay, k->trial));
  PetscCall(PetscFree2(k->work, k->H));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points in the order of their clusters: members[], and where each cluster begins. */
static void sort_by_cluster(PetscInt n, const PetscInt *parent, PetscInt *members, PetscInt *count)
{
  for (PetscInt l = 0; l <= n; l++) count[l] = 0;
  for (PetscInt l = 0; l < n; l++) count[parent[l] + 1]++;
  for (PetscInt l = 0; l < n; l++) count[l + 1] += count[l];
  for (PetscInt l = 0; l < n; l++) members[count[parent[l]]++] = l;
  for (PetscInt l = n; l > 0; l--) count[l] = count[l - 1];
  count[0] = 0;
}

PetscErrorCode CrImpulseSolve(const CrImpulseSystem *s, PetscReal *j, CrImpulseReport *report)
{
  Cluster    k = {0};
  PetscInt  *parent, *members, *count, *index;
  PetscReal *scale;

  PetscFunctionBeginUser;
  *report = (CrImpulseReport){.converged = PETSC_TRUE};
  if (!s->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
      PetscMalloc5(s->n, &parent, s->n, &members, s->n + 1, &count, s->n, &index, s->n, &scale));
  PetscCall(make_cluster(s->n, s->start[s->n], &k));
  connect(s, parent);
  sort_by_cluster(s->n, parent, members, count);
  for (PetscInt l = 0; l < s->n; l++) scale[l] = sqrt(diagonal_of(s, l));
  for (PetscInt l = 0; l < s->n; l++) {
    k.n = count[l + 1] - count[l];
    if (!k.n) continue;
    report->clusters++;
    report->largest = PetscMax(report->largest, k.n);
    if (k.n == 1 && !(scale[l] > 0)) {
      j[l] = held_point(s, l, report);
      continue;
    }
    gather(s, members + count[l], index, scale, &k);
    solve_cluster(&k, report);
    for (PetscInt i = 0; i < k.n; i++) {
      PetscInt m = members[count[l] + i];

      j[m] = k.y[i] / scale[m];
    }
  }
  PetscCall(free_cluster(&k));
  PetscCall(PetscFree5(parent, members, count, index, scale));
  PetscFunctionReturn(PETSC_SUCCESS);
}
