/* Contact of convex polytopes: the distance of two polytopes (best separating axis), the corners and edges that touch,
   and the closest point to a given point. Polygons are polytopes whose faces are their sides. */
#include "rigid/internal.h"

#define CR_MOST_EDGES (3 * CR_MOST_CORNERS) /* of a convex polytope */

/* ---- separating axes ------------------------------------------------------------------------------ */

/* Least of n.(x of b) - offset of a's face f, all in space. */
static PetscReal face_apart(const CrShape *a, const CrPose *pa, PetscInt f, const CrShape *b,
                            const CrPose *pb, PetscReal n[3])
{
  PetscReal l[3], X[3], d[3], base;

  m_times(pa->R, a->normals + 3 * f, n);
  v_less(pb->x, pa->x, d);
  base = v_dot(n, d) - a->offsets[f];
  for (int i = 0; i < 3; i++) l[i] = -n[i];
  m_back(pb->R, l, l);
  return base - CrShapeSupport(b, l, X);
}

typedef struct {
  PetscReal greatest; /* over all axes */
  PetscReal apart;    /* of the axis that is taken */
  PetscInt  kind;     /* 0: face of a, 1: face of b, 2: edges */
  PetscInt  a, b;     /* face or edges */
  PetscReal n[3];     /* of b towards a */
} Axis;

static void best_face(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                      PetscInt kind, Axis *best)
{
  for (PetscInt f = 0; f < a->nfaces; f++) {
    PetscReal n[3], s = face_apart(a, pa, f, b, pb, n);

    best->greatest = PetscMax(best->greatest, s);
    /* a face of the second is preferred only where it is clearly better: no flicker between equals */
    if (s > best->apart + 1e-9 * (a->reach + b->reach)) {
      best->apart = s;
      best->kind = kind;
      best->a = f;
      for (int i = 0; i < 3; i++) best->n[i] = kind ? n[i] : -n[i];
    }
  }
}

static void edge_of(const CrShape *s, const CrPose *p, PetscInt e, PetscReal x[3], PetscReal u[3])
{
  PetscReal y[3];

  to_space(p, s->vertices + 3 * s->edges[2 * e], x);
  to_space(p, s->vertices + 3 * s->edges[2 * e + 1], y);
  v_less(y, x, u);
}

/* Directions in which an edge is the extreme one lie between the normals of its two faces. If those of an edge of a
   and those, turned round, of an edge of b have one in common, that is where the edges can touch; A, B: normals of a's
   edge, C, D: of b's, turned round. */
static PetscBool cross_over(const PetscReal A[3], const PetscReal B[3], const PetscReal BxA[3],
                            const PetscReal C[3], const PetscReal D[3])
{
  PetscReal c = v_dot(C, BxA), d = v_dot(D, BxA), DxC[3], a, b;

  if (c * d >= 0) return PETSC_FALSE;
  v_cross(D, C, DxC);
  a = v_dot(A, DxC), b = v_dot(B, DxC);
  return a * b < 0 && c * b > 0;
}

static void edge_normals(const CrShape *s, const CrPose *p, PetscInt e, PetscReal sign,
                         PetscReal A[3], PetscReal B[3])
{
  m_times(p->R, s->normals + 3 * s->edge_faces[2 * e], A);
  m_times(p->R, s->normals + 3 * s->edge_faces[2 * e + 1], B);
  for (int i = 0; i < 3; i++) A[i] *= sign, B[i] *= sign;
}

/* Radius of a ball about the mass centre that lies within. */
static PetscReal inner_radius(const CrShape *s)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt f = 0; f < s->nfaces; f++) least = PetscMin(least, s->offsets[f]);
  return least;
}

typedef struct {
  PetscInt  n, edge[CR_MOST_EDGES];
  PetscReal A[CR_MOST_EDGES][3],
      B[CR_MOST_EDGES][3]; /* normals of the faces that meet, times sign */
} Arcs;

/* The edges of s along whose directions the two may be further apart than `apart`. Along a unit m they are by no more
   than m.d less the inner radii, d from the centre of s to the other's; and for m between the normals A and B m.d is no
   more than the greater of A.d and B.d over the cosine of half the angle between them. */
static void collect_arcs(const CrShape *s, const CrPose *p, PetscReal sign, const PetscReal d[3],
                         PetscReal apart, Arcs *arcs)
{
  arcs->n = 0;
  for (PetscInt e = 0; e < s->nedges; e++) {
    PetscReal *A = arcs->A[arcs->n], *B = arcs->B[arcs->n], most, cosine;

    edge_normals(s, p, e, sign, A, B);
    most = PetscMax(0, PetscMax(v_dot(A, d), v_dot(B, d)));
    cosine = sqrt(PetscMax(0, (1 + v_dot(A, B)) / 2));
    if (most < (apart - 1e-9 * s->reach) * cosine) continue;
    arcs->edge[arcs->n++] = e;
  }
}

/* Only edges that are extreme along their common normal count: then the lines' distance is the one. */
static void best_edges(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                       Axis *best)
{
  PetscReal apart = best->apart + inner_radius(a) + inner_radius(b), away[3];
  Arcs      first, second;

  v_less(pb->x, pa->x, away);
  collect_arcs(a, pa, 1, away, apart, &first);
  collect_arcs(b, pb, -1, away, apart, &second);
  for (PetscInt k = 0; k < first.n; k++) {
    const PetscReal *A = first.A[k], *B = first.B[k];
    PetscReal        BxA[3], x[3], u[3], y[3], w[3], n[3], d[3], s;

    v_cross(B, A, BxA);
    for (PetscInt l = 0; l < second.n; l++) {
      if (!cross_over(A, B, BxA, second.A[l], second.B[l])) continue;
      edge_of(a, pa, first.edge[k], x, u);
      edge_of(b, pb, second.edge[l], y, w);
      v_cross(u, w, n);
      if (!(v_unit(n) > 1e-8 * v_length(u) * v_length(w))) continue;
      if (v_dot(n, A) + v_dot(n, B) > 0) /* of b towards a */
        for (int i = 0; i < 3; i++) n[i] = -n[i];
      v_less(x, y, d);
      s = v_dot(n, d);
      best->greatest = PetscMax(best->greatest, s);
      if (s > best->apart + 1e-6 * (a->reach + b->reach)) {
        best->apart = s;
        best->kind = 2;
        best->a = first.edge[k];
        best->b = second.edge[l];
        v_copy(n, best->n);
      }
    }
  }
}

static void best_axis(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                      Axis *best)
{
  best->apart = best->greatest = PETSC_MIN_REAL;
  best_face(a, pa, b, pb, 0, best);
  best_face(b, pb, a, pa, 1, best);
  if (a->dim == 3) best_edges(a, pa, b, pb, best);
}

/* Where two edges' lines are nearest, half way. The gap along the common normal changes as these points of the bodies
   move against each other, be they beyond the ends of the edges or not. */
static void between_edges(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          const Axis *axis, PetscReal point[3])
{
  PetscReal x[3], u[3], y[3], w[3], d[3], A, B, C, D, E, det;

  edge_of(a, pa, axis->a, x, u);
  edge_of(b, pb, axis->b, y, w);
  v_less(x, y, d);
  A = v_dot(u, u), B = v_dot(u, w), C = v_dot(w, w), D = v_dot(u, d), E = v_dot(w, d);
  det = A * C - B * B;
  v_add(x, (B * E - C * D) / det, u);
  v_add(y, (A * E - B * D) / det, w);
  for (int i = 0; i < 3; i++) point[i] = (x[i] + y[i]) / 2;
}

/* The point is where bodies move against each other as the gap changes: over a face the other's corner. */
PetscReal CrPolytopesApart(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                           CrMeeting *m)
{
  Axis      axis;
  PetscReal l[3], X[3];

  best_axis(a, pa, b, pb, &axis);
  m->gap = axis.greatest;
  v_copy(axis.n, m->normal);
  if (axis.kind == 2)
    between_edges(a, pa, b, pb, &axis, m->point);
  else if (axis.kind == 1) {
    for (int i = 0; i < 3; i++) l[i] = -axis.n[i];
    m_back(pa->R, l, l);
    CrShapeSupport(a, l, X);
    to_space(pa, X, m->point);
    v_add(m->point, -m->gap / 2, m->normal);
  } else {
    m_back(pb->R, axis.n, l);
    CrShapeSupport(b, l, X);
    to_space(pb, X, m->point);
    v_add(m->point, m->gap / 2, m->normal);
  }
  return m->gap;
}

/* ---- corners on a face ------------------------------------------------------------------------------ */

/* Cuts a convex polygon (points of b in space) at a plane: keeps d.x <= offset. */
static PetscInt cut(PetscInt n, PetscReal (*x)[3], const PetscReal d[3], PetscReal offset)
{
  PetscReal y[CR_MOST_FEATURES][3];
  PetscInt  m = 0;

  for (PetscInt k = 0; k < n && m + 2 < CR_MOST_FEATURES; k++) {
    const PetscReal *p = x[k], *q = x[(k + 1) % n];
    PetscReal        a = v_dot(d, p) - offset, b = v_dot(d, q) - offset;

    if (a <= 0) v_copy(p, y[m++]);
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) {
      for (int i = 0; i < 3; i++) y[m][i] = p[i] + a / (a - b) * (q[i] - p[i]);
      m++;
    }
  }
  for (PetscInt k = 0; k < m; k++) v_copy(y[k], x[k]);
  return m;
}

/* 2D: a piece of a line. */
static PetscInt cut_line(PetscReal (*x)[3], const PetscReal d[3], PetscReal offset)
{
  PetscReal a = v_dot(d, x[0]) - offset, b = v_dot(d, x[1]) - offset;

  if (a > 0 && b > 0) return 0;
  for (int k = 0; k < 2; k++)
    if ((k ? b : a) > 0)
      for (int i = 0; i < 3; i++)
        x[k][i] = x[k][i] + (k ? b / (b - a) : a / (a - b)) * (x[1 - k][i] - x[k][i]);
  return 2;
}

/* The corners of b's face that looks most at face f of a, cut to what lies over that face. */
static PetscInt overlap(const CrShape *a, const CrPose *pa, PetscInt f, const CrShape *b,
                        const CrPose *pb, PetscReal (*x)[3])
{
  PetscReal n[3], l[3], least = PETSC_MAX_REAL;
  PetscInt  other = 0, m, count;

  m_times(pa->R, a->normals + 3 * f, n);
  m_back(pb->R, n, l);
  for (PetscInt k = 0; k < b->nfaces; k++) {
    PetscReal d = v_dot(l, b->normals + 3 * k);

    if (d < least) least = d, other = k;
  }
  m = b->face_start[other + 1] - b->face_start[other];
  for (PetscInt k = 0; k < m; k++)
    to_space(pb, b->vertices + 3 * b->face_vertices[b->face_start[other] + k], x[k]);
  count = a->face_start[f + 1] - a->face_start[f];
  for (PetscInt k = 0; k < count && m; k++) {
    const PetscInt *v = a->face_vertices + a->face_start[f];
    PetscReal       p[3], q[3], side[3];

    to_space(pa, a->vertices + 3 * v[k], p);
    to_space(pa, a->vertices + 3 * v[(k + 1) % count], q);
    if (a->dim == 2) { /* beyond the end p: away from q */
      v_less(p, q, side);
      v_unit(side);
      m = cut_line(x, side, v_dot(side, p) + 1e-12 * a->reach);
    } else {
      v_less(q, p, side);
      v_cross(side, n, side);
      v_unit(side);
      m = cut(m, x, side, v_dot(side, p) + 1e-12 * a->reach);
    }
  }
  return m;
}

/* Corners of b over face f of a that are nearer than reach; b is the body of the corners. */
static PetscInt corners(const CrShape *a, const CrPose *pa, PetscInt f, const CrShape *b,
                        const CrPose *pb, PetscBool swapped, PetscReal reach, CrFeature *features)
{
  PetscReal x[CR_MOST_FEATURES][3], n[3], p[3];
  PetscInt  m = overlap(a, pa, f, b, pb, x), count = 0;

  m_times(pa->R, a->normals + 3 * f, n);
  to_space(pa, a->vertices + 3 * a->face_vertices[a->face_start[f]], p);
  for (PetscInt k = 0; k < m; k++) {
    PetscReal  d[3];
    CrFeature *feature = &features[count];

    v_less(x[k], p, d);
    if (v_dot(d, n) > reach) continue;
    *feature = (CrFeature){.kind = CR_MEET_CORNER,
                           .key = (swapped ? 1 << 20 : 0) + 1000 * f + k,
                           .swapped = swapped};
    to_body(pb, x[k], feature->a);
    v_copy(a->vertices + 3 * a->face_vertices[a->face_start[f]], feature->b);
    v_copy(a->normals + 3 * f, feature->db);
    count++;
  }
  return count;
}

static PetscInt touching_edges(const CrShape *a, const CrShape *b, const Axis *axis, CrFeature *f)
{
  *f = (CrFeature){.kind = CR_MEET_EDGES, .key = (1 << 21) + 1000 * axis->a + axis->b};
  v_copy(a->vertices + 3 * a->edges[2 * axis->a], f->a);
  v_less(a->vertices + 3 * a->edges[2 * axis->a + 1], f->a, f->da);
  v_copy(b->vertices + 3 * b->edges[2 * axis->b], f->b);
  v_less(b->vertices + 3 * b->edges[2 * axis->b + 1], f->b, f->db);
  return 1;
}

/* The corner is a point of the first body, the plane of the second; else swapped. */
static PetscInt touching_corners(const CrShape *a, const CrPose *pa, const CrShape *b,
                                 const CrPose *pb, const Axis *axis, PetscReal reach, CrFeature *f)
{
  if (axis->kind == 0) return corners(a, pa, axis->a, b, pb, PETSC_TRUE, reach, f);
  return corners(b, pb, axis->a, a, pa, PETSC_FALSE, reach, f);
}

PetscInt CrPolytopeFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                            PetscReal reach, PetscReal closed, CrFeature features[])
{
  Axis axis;

  best_axis(a, pa, b, pb, &axis);
  if (axis.greatest > reach) return 0;
  if (axis.greatest > closed) {
    features[0] = (CrFeature){.kind = CR_MEET_APART, .key = -1};
    return 1;
  }
  if (axis.kind == 2) return touching_edges(a, b, &axis, features);
  return touching_corners(a, pa, b, pb, &axis, reach, features);
}

PetscInt CrPolytopeManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                            PetscReal reach, CrFeature features[])
{
  Axis     face, edge;
  PetscInt n;

  face.apart = face.greatest = PETSC_MIN_REAL;
  best_face(a, pa, b, pb, 0, &face);
  best_face(b, pb, a, pa, 1, &face);
  if (face.greatest > reach) return 0;
  edge = face;
  if (a->dim == 3) best_edges(a, pa, b, pb, &edge);
  if (edge.greatest > reach) return 0;
  /* corners over a face are told apart from it along its normal, whatever the edges do */
  n = touching_corners(a, pa, b, pb, &face, reach, features);
  if (edge.kind == 2 && n < CR_MOST_FEATURES) n += touching_edges(a, b, &edge, features + n);
  if (n == 0) features[n++] = (CrFeature){.kind = CR_MEET_APART, .key = -1};
  return n;
}

/* ---- a point ------------------------------------------------------------------------------------------ */

/* Nearest point of a piece of a line. */
static void nearest_on_line(const PetscReal x[3], const PetscReal p[3], const PetscReal q[3],
                            PetscReal near[3])
{
  PetscReal u[3], d[3], t;

  v_less(q, p, u);
  v_less(x, p, d);
  t = v_dot(u, d) / v_dot(u, u);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  v_copy(p, near);
  v_add(near, t, u);
}

/* Is the point's foot on the plane of face f within the face? */
PetscBool CrPolytopeIsOver(const CrShape *s, PetscInt f, const PetscReal x[3])
{
  const PetscInt *v = s->face_vertices + s->face_start[f];
  PetscInt        n = s->face_start[f + 1] - s->face_start[f];

  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *p = s->vertices + 3 * v[k], *q = s->vertices + 3 * v[(k + 1) % n];
    PetscReal        side[3], d[3];

    v_less(x, p, d);
    v_less(q, p, side);
    if (s->dim == 3) {
      v_cross(side, s->normals + 3 * f, side);
      if (v_dot(side, d) > 0) return PETSC_FALSE;
    } else if (v_dot(side, d) < 0)
      return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

PetscReal CrPolytopeNearest(const CrShape *s, const PetscReal x[3], PetscReal normal[3],
                            PetscReal nearest[3])
{
  PetscReal deepest = PETSC_MIN_REAL, least = PETSC_MAX_REAL;
  PetscInt  best = 0;

  for (PetscInt f = 0; f < s->nfaces; f++) {
    PetscReal d = v_dot(s->normals + 3 * f, x) - s->offsets[f];

    if (d > deepest) deepest = d, best = f;
  }
  v_copy(s->normals + 3 * best, normal);
  v_copy(x, nearest);
  v_add(nearest, -deepest, normal);
  if (deepest <= 0 || CrPolytopeIsOver(s, best, x)) return deepest;
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
      PetscInt  l = k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f];
      PetscReal near[3], d[3];

      nearest_on_line(x, s->vertices + 3 * s->face_vertices[k],
                      s->vertices + 3 * s->face_vertices[l], near);
      v_less(x, near, d);
      if (v_length(d) < least) {
        least = v_length(d);
        v_copy(near, nearest);
        v_copy(d, normal);
      }
    }
  /* another face than the best may be below the point too */
  for (PetscInt f = 0; f < s->nfaces; f++) {
    PetscReal d = v_dot(s->normals + 3 * f, x) - s->offsets[f];

    if (d > 0 && d < least && CrPolytopeIsOver(s, f, x)) {
      least = d;
      v_copy(s->normals + 3 * f, normal);
      v_copy(x, nearest);
      v_add(nearest, -d, normal);
    }
  }
  v_unit(normal);
  return least;
}
