/* Computes the distance of a point from a facet with its edges, and finds out whether a path goes through the facet. */
#include "base/vector.h"
#include "contact/geometry/facet.h"
#include "contact/geometry/kinematics.h"

/* Facets are enlarged by this part, so that a path through a common edge of two facets meets one of them. */
#define EDGE_OVERLAP 1e-9

static void segment_proximity(const PetscReal *x, CrProximity *near)
{
  CrProjection    p;
  const PetscBool good = CrProject(2, 2, x, &p);
  const PetscReal l = PetscSqrtReal(p.n2);
  PetscReal       beyond;

  near->corner = -1;
  for (int i = 0; i < 3; i++) near->nu[i] = good ? p.n[i] / l : 0;
  if (!good) {
    near->gap = near->distance = v_length(p.way);
    near->outside = PETSC_MAX_REAL;
    near->edge = 0;
    return;
  }
  near->gap = v_dot(p.way, near->nu);
  near->outside = PetscMax(0, PetscMax(-p.xi[0], p.xi[0] - 1));
  near->edge = near->corner = near->outside > 0 ? p.xi[0] > 1 : -1;
  beyond = near->outside * l;
  near->distance =
      beyond > 0 ? PetscSqrtReal(near->gap * near->gap + beyond * beyond) : PetscAbsReal(near->gap);
}

/* Nearest point of the edges; way: from there to the slave. Beyond a corner two edges are
   equally near; the one whose line is further away counts. corner: which one, if beyond one. */
static PetscInt nearest_edge(PetscInt nmaster, const PetscReal *x, const PetscReal nu[3],
                             PetscReal way[3], PetscInt *corner)
{
  PetscReal best = PETSC_MAX_REAL, best_beyond = 0;
  PetscInt  edge = 0;

  for (int a = 0; a < nmaster; a++) {
    const PetscReal *from = x + 3 * (a + 1), *to = x + 3 * ((a + 1) % nmaster + 1);
    PetscReal        e[3], y[3], out[3], l2, s, d2, beyond;

    v_less(to, from, e);
    v_less(x, from, y);
    l2 = v_dot(e, e);
    s = l2 > 0 ? PetscMin(1, PetscMax(0, v_dot(y, e) / l2)) : 0;
    v_cross(e, nu, out);
    beyond = l2 > 0 ? v_dot(y, out) / PetscSqrtReal(l2) : 0;
    v_add(y, -s, e);
    d2 = v_dot(y, y);
    if (d2 > best * (1 + 1e-12)) continue;
    if (d2 >= best * (1 - 1e-12) && beyond <= best_beyond) continue;
    best = d2;
    best_beyond = beyond;
    edge = a;
    *corner = s == 0 ? a : s == 1 ? (a + 1) % nmaster : -1;
    v_copy(y, way);
  }
  return edge;
}

static PetscBool is_inside(PetscInt nmaster, const PetscReal xi[2])
{
  if (nmaster == 3) return xi[0] >= 0 && xi[1] >= 0 && xi[0] + xi[1] <= 1;
  return PetscAbsReal(xi[0]) <= 1 && PetscAbsReal(xi[1]) <= 1;
}

static void facet_proximity(PetscInt nmaster, const PetscReal *x, CrProximity *near)
{
  CrProjection    p;
  const PetscBool good = CrProject(3, nmaster, x, &p) || (nmaster == 4 && CrProjectCentre(x, &p));
  PetscReal       way[3], length;

  near->corner = -1;
  length = good ? PetscSqrtReal(p.n2) : 1;
  for (int i = 0; i < 3; i++) near->nu[i] = good ? p.n[i] / length : 0;
  if (good) near->gap = v_dot(near->nu, p.way);
  if (good && is_inside(nmaster, p.xi)) {
    near->distance = PetscAbsReal(near->gap);
    near->outside = 0;
    near->edge = -1;
    return;
  }
  near->edge = nearest_edge(nmaster, x, near->nu, way, &near->corner);
  near->distance = v_length(way);
  if (!good) {
    near->gap = near->distance;
    near->outside = PETSC_MAX_REAL;
    return;
  }
  v_add(way, -near->gap, near->nu);
  near->outside = v_length(way) / PetscSqrtReal((nmaster == 3 ? 0.5 : 4) * length); /* of area */
}

void CrFacetProximity(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrProximity *near)
{
  near->rest = CR_REST_NONE;
  if (dim == 2)
    segment_proximity(x, near);
  else
    facet_proximity(nmaster, x, near);
}

/* Straight paths of a slave and the nodes of a facet. */
typedef struct {
  PetscInt         dim, nmaster;
  const PetscReal *x0, *x1;
  PetscReal        margin;
  PetscReal        round_off; /* round-off error of a gap */
} Path;

static void look(const Path *path, PetscReal s, CrProximity *near)
{
  const PetscInt n = path->dim * (path->nmaster + 1);
  PetscReal      x[CR_CONTACT_DOFS];

  for (int a = 0; a < n; a++) x[a] = (1 - s) * path->x0[a] + s * path->x1[a];
  CrFacetProximity(path->dim, path->nmaster, x, near);
}

static PetscBool is_on_facet(const void *ctx, PetscReal s)
{
  const Path *path = ctx;
  CrProximity near;

  look(path, s, &near);
  return near.outside <= path->margin + EDGE_OVERLAP;
}

/* Cubic in Bernstein form, by repeated averages. */
static PetscReal cubic(const PetscReal b[4], PetscReal s, PetscReal *slope)
{
  const PetscReal t = 1 - s;
  const PetscReal c0 = t * b[0] + s * b[1], c1 = t * b[1] + s * b[2], c2 = t * b[2] + s * b[3];
  const PetscReal d0 = t * c0 + s * c1, d1 = t * c1 + s * c2;

  *slope = 3 * (d1 - d0);
  return t * d0 + s * d1;
}

/* The ends of the intervals of [0,1] on which the cubic is monotone. Returns their number plus 1. */
static int stretches(const PetscReal b[4], PetscReal s[4])
{
  const PetscReal d0 = b[1] - b[0], d1 = b[2] - b[1], d2 = b[3] - b[2];
  const PetscReal A = d0 - 2 * d1 + d2, B = d1 - d0, C = d0, disc = B * B - A * C;
  int             n = 1;

  s[0] = 0;
  if (disc > 0) { /* A s^2 + 2 B s + C = 0, without cancellation */
    const PetscReal q = -B - (B < 0 ? -1 : 1) * PetscSqrtReal(disc), r = C / q;
    const PetscReal t = A != 0 ? q / A : 2; /* 2: a value outside of [0,1] */

    if (PetscMin(r, t) > 0 && PetscMin(r, t) < 1) s[n++] = PetscMin(r, t);
    if (PetscMax(r, t) > 0 && PetscMax(r, t) < 1) s[n++] = PetscMax(r, t);
  }
  s[n] = 1;
  return n + 1;
}

/* The zero of the gap in an interval where it falls: Newton, kept inside the bracket. */
static PetscReal falling_root(const PetscReal b[4], PetscReal lo, PetscReal hi)
{
  PetscReal s = (lo + hi) / 2;

  for (int it = 0; it < 60 && hi - lo > 1e-15; it++) {
    PetscReal slope, f = cubic(b, s, &slope), to;

    if (f == 0) break;
    if (f > 0)
      lo = s;
    else
      hi = s;
    to = slope < 0 ? s - f / slope : lo;
    if (!(to > lo && to < hi)) to = (lo + hi) / 2;
    if (PetscAbsReal(to - s) < 1e-16) break;
    s = to;
  }
  return s;
}

/* The first time at which the cubic (gap times size) goes from positive to negative while the slave is over the
   facet (is_there). A start on the facet counts as positive. */
static PetscBool first_fall(const PetscReal b[4], PetscReal round_off, CrIsThere *is_there,
                            const void *path, PetscReal *when)
{
  PetscBool outside = b[0] >= -round_off;
  PetscReal s[4], f = b[0], slope;
  int       n;

  if (b[0] >= 0 && b[1] >= 0 && b[2] >= 0 && b[3] >= 0) return PETSC_FALSE;
  if (!outside && b[1] <= 0 && b[2] <= 0 && b[3] <= 0) return PETSC_FALSE;
  n = stretches(b, s);
  for (int i = 1; i < n; i++) {
    const PetscReal last = f;

    f = i == n - 1 ? b[3] : cubic(b, s[i], &slope);
    if (outside && f < 0 && f < last) {
      *when = last > 0 ? falling_root(b, s[i - 1], s[i]) : s[i - 1];
      if (is_there(path, *when)) return PETSC_TRUE;
    }
    if (f > 0) outside = PETSC_TRUE;
    if (f < -round_off) outside = PETSC_FALSE;
  }
  return PETSC_FALSE;
}

/* gap * length = y_x tau_y - y_y tau_x is quadratic in time; raised to a cubic. */
static PetscBool segment_crossing(const Path *path, PetscReal *when)
{
  PetscReal y[2][2], tau[2][2], q[3], b[4];

  for (int t = 0; t < 2; t++)
    for (int i = 0; i < 2; i++) {
      const PetscReal *x = t ? path->x1 : path->x0;

      y[t][i] = x[i] - x[2 + i];
      tau[t][i] = x[4 + i] - x[2 + i];
    }
  q[0] = y[0][0] * tau[0][1] - y[0][1] * tau[0][0];
  q[1] =
      (y[0][0] * tau[1][1] - y[0][1] * tau[1][0] + y[1][0] * tau[0][1] - y[1][1] * tau[0][0]) / 2;
  q[2] = y[1][0] * tau[1][1] - y[1][1] * tau[1][0];
  b[0] = q[0];
  b[1] = (q[0] + 2 * q[1]) / 3;
  b[2] = (2 * q[1] + q[2]) / 3;
  b[3] = q[2];
  return first_fall(b, path->round_off * (PetscAbsReal(tau[0][0]) + PetscAbsReal(tau[0][1])),
                    is_on_facet, path, when);
}

PetscBool CrVolumeFalls(PetscReal y[2][3], PetscReal tau[2][2][3], PetscReal round_off,
                        CrIsThere *is_there, const void *ctx, PetscReal *when)
{
  PetscReal n[3][3], other[3], b[4];

  for (int t = 0; t < 2; t++) v_cross(tau[t][0], tau[t][1], n[2 * t]);
  v_cross(tau[0][0], tau[1][1], n[1]);
  v_cross(tau[1][0], tau[0][1], other);
  v_add(n[1], 1, other); /* twice the middle coefficient */
  b[0] = v_dot(y[0], n[0]);
  b[1] = (v_dot(y[1], n[0]) + v_dot(y[0], n[1])) / 3;
  b[2] = (v_dot(y[1], n[1]) + v_dot(y[0], n[2])) / 3;
  b[3] = v_dot(y[1], n[2]);
  return first_fall(b, round_off * PetscSqrtReal(v_dot(n[0], n[0])), is_there, ctx, when);
}

/* gap * 2 area = y . (tau_1 x tau_2) */
static PetscBool triangle_crossing(const Path *path, PetscReal *when)
{
  PetscReal y[2][3], tau[2][2][3];

  for (int t = 0; t < 2; t++) {
    const PetscReal *x = t ? path->x1 : path->x0;

    v_less(x, x + 3, y[t]);
    v_less(x + 6, x + 3, tau[t][0]);
    v_less(x + 9, x + 3, tau[t][1]);
  }
  return CrVolumeFalls(y, tau, path->round_off, is_on_facet, path, when);
}

/* The slave is outside at one time and inside at the other: finds the zero of the gap by false position,
   halving the value at the end that stays (Illinois). */
static PetscReal gap_root(const Path *path, PetscReal lo, PetscReal g_lo, PetscReal hi,
                          PetscReal g_hi)
{
  CrProximity near;
  int         side = 0;

  for (int it = 0; it < 100 && hi - lo > 1e-14; it++) {
    PetscReal s = lo + (hi - lo) * g_lo / (g_lo - g_hi);

    if (!(s > lo && s < hi)) s = (lo + hi) / 2;
    look(path, s, &near);
    if (PetscAbsReal(near.gap) <= 0.1 * path->round_off) return s;
    if (near.gap > 0) {
      lo = s;
      g_lo = near.gap;
      if (side == 1) g_hi /= 2;
      side = 1;
    } else {
      hi = s;
      g_hi = near.gap;
      if (side == -1) g_lo /= 2;
      side = -1;
    }
  }
  return (lo + hi) / 2;
}

/* An upper bound of the relative speed of slave and facet, valid for points beyond the edges too; and the
   longest edge times the margin. */
static void quad_bounds(const Path *path, PetscReal *speed, PetscReal *reach)
{
  PetscReal v2 = 0, l2 = 0;

  for (int A = 1; A <= 4; A++) {
    const int B = A % 4 + 1;
    PetscReal v[3], w[3], e0[3], e1[3];

    v_less(path->x1, path->x1 + 3 * A, v);
    v_less(path->x0, path->x0 + 3 * A, w);
    v_less(v, w, v);
    v_less(path->x0 + 3 * B, path->x0 + 3 * A, e0);
    v_less(path->x1 + 3 * B, path->x1 + 3 * A, e1);
    v2 = PetscMax(v2, v_dot(v, v));
    l2 = PetscMax(l2, PetscMax(v_dot(e0, e0), v_dot(e1, e1)));
  }
  *speed = 1.25 * PetscSqrtReal(v2);
  *reach = (path->margin + EDGE_OVERLAP) * PetscSqrtReal(l2);
}

/* A cheap test that usually decides: along one direction the slave stays above all four nodes, or below. Points
   of the margin are no mean values of the nodes, so there must be some room. */
static PetscBool quad_stays_apart(const Path *path)
{
  PetscReal d[2][3], n[3], lo = PETSC_MAX_REAL, hi = PETSC_MIN_REAL, room;

  v_less(path->x0 + 9, path->x0 + 3, d[0]);
  v_less(path->x0 + 12, path->x0 + 6, d[1]);
  v_cross(d[0], d[1], n);
  for (int A = 1; A <= 4; A++)
    for (int t = 0; t < 2; t++) {
      const PetscReal *x = t ? path->x1 : path->x0;

      v_less(x, x + 3 * A, d[t]);
      lo = PetscMin(lo, v_dot(n, d[t]));
      hi = PetscMax(hi, v_dot(n, d[t]));
    }
  room = 8 * (path->margin + EDGE_OVERLAP) * (hi - lo);
  return lo > room || hi < -room;
}

/* The slave is outside at both times lo and hi. Finds a time between them at which it is inside: the minimum of
   the parabola through the gaps at lo, hi and the middle. Returns hi if there is none. */
static PetscReal dip(const Path *path, PetscReal lo, PetscReal g_lo, PetscReal hi, PetscReal g_hi,
                     CrProximity *near)
{
  PetscReal middle = (lo + hi) / 2, bend, s;

  look(path, middle, near);
  if (near->gap < 0) return middle;
  bend = g_lo - 2 * near->gap + g_hi;
  s = bend > 0 ? middle + (g_lo - g_hi) / bend * (hi - lo) / 4 : lo;
  if (!(s > lo && s < hi)) return hi;
  look(path, s, near);
  return near->gap < 0 ? s : hi;
}

/* The bilinear surface itself, not two triangles: a node that lies on it must not count as inside.
   Its gap is no polynomial; the path is walked in steps that cannot pass the facet, or in
   sixteenths near it, and looked at within one where it could dip in and out again. */
static PetscBool quad_crossing(const Path *path, PetscReal *when)
{
  CrProximity near;
  PetscReal   speed, reach, s = 0, g;
  PetscBool   outside;

  if (quad_stays_apart(path)) return PETSC_FALSE;
  quad_bounds(path, &speed, &reach);
  if (speed == 0) return PETSC_FALSE;
  look(path, 0, &near);
  g = near.gap;
  outside = g >= -path->round_off;
  if (PetscAbsReal(g) <= path->round_off && near.outside <= path->margin + EDGE_OVERLAP) {
    look(path, s = 1e-3, &near); /* the slave starts on the facet: does it move inward? */
    if (near.gap < 0 && near.gap < g) {
      *when = 0;
      return PETSC_TRUE;
    }
    g = near.gap;
  }
  while (s < 1) {
    const PetscReal safe = (near.distance - reach) / speed;
    PetscReal       to = PetscMin(1, s + PetscMax(0.0625, safe));

    if (s + safe > 1) return PETSC_FALSE;
    look(path, to, &near);
    if (outside && g > 0 && near.gap > 0 && g + near.gap < speed * (to - s)) {
      CrProximity inside;
      PetscReal   at = dip(path, s, g, to, near.gap, &inside);

      if (at < to) {
        to = at;
        near = inside;
      }
    }
    if (outside && near.gap < 0) {
      *when = g > 0 ? gap_root(path, s, g, to, near.gap) : s;
      if (is_on_facet(path, *when)) return PETSC_TRUE;
    }
    outside = near.gap >= -path->round_off;
    g = near.gap;
    s = to;
  }
  return PETSC_FALSE;
}

PetscBool CrFacetCrossing(PetscInt dim, PetscInt nmaster, const PetscReal *x0, const PetscReal *x1,
                          PetscReal margin, PetscReal *when)
{
  Path      path = {.dim = dim, .nmaster = nmaster, .x0 = x0, .x1 = x1, .margin = margin};
  PetscReal range = 0;

  for (int a = 0; a < dim * (nmaster + 1); a++) range = PetscMax(range, PetscAbsReal(x0[a]));
  path.round_off = 16 * PETSC_MACHINE_EPSILON * range;
  if (dim == 2) return segment_crossing(&path, when);
  return nmaster == 3 ? triangle_crossing(&path, when) : quad_crossing(&path, when);
}
