/* Finds the features by which two shapes may touch, and the gap, normal and point of each feature. */
#include "rigid/internal.h"

static PetscBool is_ball(const CrShape *s)
{
  return s->kind == CR_SHAPE_BALL || s->kind == CR_SHAPE_POINT;
}

/* Balls and capsules: a centre or a straight line, grown by the radius. */
static PetscBool is_swollen(const CrShape *s)
{
  return is_ball(s) || s->kind == CR_SHAPE_CAPSULE;
}

/* ---- walls -------------------------------------------------------------------------------------- */

/* Point of the body that is farthest from the centre of a sphere around it, by fixed point: the body
   must be more curved than the sphere. */
static void farthest(const CrShape *s, const CrPose *p, const PetscReal centre[3], PetscReal x[3])
{
  PetscReal e[3], l[3], X[3], last[3] = {0, 0, 0};

  v_less(p->x, centre, e);
  if (!(v_length(e) > 0)) e[0] = 1;
  for (int k = 0; k < 500; k++) {
    PetscReal d[3];

    m_back(p->R, e, l);
    CrShapeSupport(s, l, X);
    to_space(p, X, x);
    v_less(x, centre, e);
    v_less(x, last, d);
    if (v_length(d) <= 1e-16 * s->reach) return;
    v_copy(x, last);
  }
}

static void meet_wall(const CrWall *w, const PetscReal x[3], CrMeeting *m)
{
  if (w->is_plane) {
    PetscReal d[3];

    v_less(x, w->point, d);
    m->gap = v_dot(d, w->normal);
    v_copy(w->normal, m->normal);
  } else {
    v_less(w->point, x, m->normal);
    m->gap = w->radius - v_unit(m->normal);
  }
  v_copy(x, m->point); /* of the body: a wall has no lever arm to share */
}

/* A ball about c: its point nearest to the wall. */
static void ball_point(const CrWall *w, const PetscReal c[3], PetscReal radius, PetscReal x[3])
{
  PetscReal d[3];

  if (w->is_plane)
    for (int i = 0; i < 3; i++) x[i] = c[i] - radius * w->normal[i];
  else {
    v_less(c, w->point, d);
    if (!(v_unit(d) > 0)) d[0] = 1;
    for (int i = 0; i < 3; i++) x[i] = c[i] + radius * d[i];
  }
}

void CrWallMeeting(const CrShape *s, const CrPose *p, const CrWall *w, const CrFeature *f,
                   CrMeeting *m)
{
  PetscReal x[3], l[3], X[3];

  if (f->kind == CR_MEET_CORNER) {
    to_space(p, f->a, x);
    if (s->kind == CR_SHAPE_CAPSULE) ball_point(w, x, s->radius, x);
  } else if (is_ball(s))
    ball_point(w, p->x, s->radius, x);
  else if (w->is_plane) {
    for (int i = 0; i < 3; i++) l[i] = -w->normal[i];
    m_back(p->R, l, l);
    CrShapeSupport(s, l, X);
    to_space(p, X, x);
  } else
    farthest(s, p, w->point, x);
  meet_wall(w, x, m);
}

PetscInt CrWallFeatures(const CrShape *s, const CrPose *p, const CrWall *w, PetscReal reach,
                        CrFeature features[])
{
  PetscInt  n = 0;
  CrMeeting m;

  if (s->kind == CR_SHAPE_POLYTOPE || s->kind == CR_SHAPE_CAPSULE) {
    PetscInt all = s->kind == CR_SHAPE_POLYTOPE ? s->nvertices : 2;

    for (PetscInt k = 0; k < all && n < CR_MOST_FEATURES; k++) {
      features[n] = (CrFeature){.kind = CR_MEET_CORNER, .key = k};
      if (s->kind == CR_SHAPE_POLYTOPE)
        v_copy(s->vertices + 3 * k, features[n].a);
      else
        features[n].a[2] = k ? s->half : -s->half;
      CrWallMeeting(s, p, w, &features[n], &m);
      if (m.gap <= reach) n++;
    }
    return n;
  }
  features[0] = (CrFeature){.kind = CR_MEET_SMOOTH};
  CrWallMeeting(s, p, w, &features[0], &m);
  return m.gap <= reach ? 1 : 0;
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

static void between(const PetscReal xa[3], const PetscReal xb[3], CrMeeting *m)
{
  for (int i = 0; i < 3; i++) m->point[i] = (xa[i] + xb[i]) / 2;
}

/* Two points with radii around them. */
static void meet_balls(const PetscReal ca[3], PetscReal ra, const PetscReal cb[3], PetscReal rb,
                       CrMeeting *m)
{
  PetscReal xa[3], xb[3];

  v_less(ca, cb, m->normal);
  m->gap = v_unit(m->normal) - ra - rb;
  v_copy(ca, xa);
  v_copy(cb, xb);
  v_add(xa, -ra, m->normal);
  v_add(xb, rb, m->normal);
  between(xa, xb, m);
}

static PetscReal clip(PetscReal t)
{
  return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* Nearest points of two straight lines. */
static void meet_lines(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                       CrMeeting *m)
{
  PetscReal x[3], u[3], y[3], w[3], d[3], A, B, C, D, E, det, s, t;

  CrCapsuleLine(a, pa, x, u);
  CrCapsuleLine(b, pb, y, w);
  v_less(x, y, d);
  A = v_dot(u, u), B = v_dot(u, w), C = v_dot(w, w), D = v_dot(u, d), E = v_dot(w, d);
  det = A * C - B * B;
  s = det > 1e-12 * A * C ? clip((B * E - C * D) / det) : A > 0 ? 0.5 : 0;
  t = C > 0 ? clip((B * s + E) / C) : 0;
  s = A > 0 ? clip((B * t - D) / A) : 0;
  v_add(x, s, u);
  v_add(y, t, w);
  meet_balls(x, a->radius, y, b->radius, m);
}

/* A ball (first) against a polytope. */
static void meet_ball_polytope(const CrShape *ball, const CrPose *pa, const CrShape *s,
                               const CrPose *pb, CrMeeting *m)
{
  PetscReal X[3], n[3], near[3], x[3];
  PetscReal d;

  to_body(pb, pa->x, X);
  d = CrPolytopeNearest(s, X, n, near);
  m_times(pb->R, n, m->normal);
  to_space(pb, near, x);
  m->gap = d - ball->radius;
  v_copy(x, m->point);
  v_add(m->point, m->gap / 2, m->normal);
}

static void flip(CrMeeting *m)
{
  for (int i = 0; i < 3; i++) m->normal[i] = -m->normal[i];
}

static void meet_corner(const CrPose *pa, const CrPose *pb, const CrFeature *f, CrMeeting *m)
{
  PetscReal x[3], y[3], d[3];

  to_space(pa, f->a, x);
  to_space(pb, f->b, y);
  m_times(pb->R, f->db, m->normal);
  v_less(x, y, d);
  m->gap = v_dot(d, m->normal);
  v_copy(x, m->point);
  v_add(m->point, -m->gap / 2, m->normal);
}

static void meet_edges(const CrPose *pa, const CrPose *pb, const CrFeature *f, CrMeeting *m)
{
  PetscReal x[3], u[3], y[3], w[3], d[3], A, B, C, D, E, det;

  to_space(pa, f->a, x);
  m_times(pa->R, f->da, u);
  to_space(pb, f->b, y);
  m_times(pb->R, f->db, w);
  v_cross(u, w, m->normal);
  v_unit(m->normal);
  v_less(pa->x, pb->x, d);
  if (v_dot(d, m->normal) < 0) flip(m);
  v_less(x, y, d);
  m->gap = v_dot(d, m->normal);
  A = v_dot(u, u), B = v_dot(u, w), C = v_dot(w, w), D = v_dot(u, d), E = v_dot(w, d);
  det = A * C - B * B;
  if (det > 1e-12 * A * C) { /* where the lines are nearest, if the edges go that far */
    v_add(x, clip((B * E - C * D) / det), u);
    v_add(y, clip((A * E - B * D) / det), w);
  }
  between(x, y, m);
}

static void meet_smooth(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        CrMeeting *m)
{
  if (is_ball(a) && is_ball(b))
    meet_balls(pa->x, a->radius, pb->x, b->radius, m);
  else if (is_swollen(a) && is_swollen(b))
    meet_lines(a, pa, b, pb, m);
  else if (b->kind == CR_SHAPE_CAPSULE || (a->kind == CR_SHAPE_POLYTOPE && b->kind != a->kind)) {
    meet_smooth(b, pb, a, pa, m);
    flip(m);
  } else if (a->kind == CR_SHAPE_CAPSULE)
    (void)CrMeetCapsule(a, pa, b, pb, m);
  else if (b->kind == CR_SHAPE_POLYTOPE && is_ball(a))
    meet_ball_polytope(a, pa, b, pb, m);
  else if (b->kind == CR_SHAPE_POLYTOPE)
    CrMeetEllipsoidPolytope(a, pa, b, pb, m);
  else
    CrMeetSmooth(a, pa, b, pb, m);
}

/* One end of a capsule as a ball against a polytope. */
static void meet_end(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                     const CrFeature *f, CrMeeting *m)
{
  CrPose end = *pa;

  to_space(pa, f->a, end.x);
  meet_ball_polytope(a, &end, b, pb, m);
}

void CrShapesMeeting(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                     const CrFeature *f, CrMeeting *m)
{
  if (f->kind == CR_MEET_CORNER && f->swapped) {
    meet_corner(pb, pa, f, m);
    flip(m);
  } else if (f->kind == CR_MEET_CORNER)
    meet_corner(pa, pb, f, m);
  else if (f->kind == CR_MEET_EDGES)
    meet_edges(pa, pb, f, m);
  else if (f->kind == CR_MEET_END && f->swapped) {
    meet_end(b, pb, a, pa, f, m);
    flip(m);
  } else if (f->kind == CR_MEET_END)
    meet_end(a, pa, b, pb, f, m);
  else if (f->kind == CR_MEET_APART)
    CrPolytopesApart(a, pa, b, pb, m);
  else
    meet_smooth(a, pa, b, pb, m);
}

/* A capsule on a polytope: its two ends, so that it can lie on a face; and where it is nearest, which may be between
   them, or come to be there as it tips over an edge. Not where it touches with both ends over one face: there the
   distance is straight along the capsule. */
static PetscInt capsule_features(const CrShape *a, const CrPose *pa, const CrShape *b,
                                 const CrPose *pb, PetscBool swapped, PetscReal reach,
                                 PetscReal closed, CrFeature *f)
{
  PetscInt  n = 0;
  CrMeeting m, end[2];

  for (int k = 0; k < 2; k++) {
    f[n] = (CrFeature){.kind = CR_MEET_END, .key = k, .swapped = swapped};

    f[n].a[2] = k ? a->half : -a->half;
    meet_end(a, pa, b, pb, &f[n], &end[k]);
    if (end[k].gap <= reach) n++;
  }
  (void)CrMeetCapsule(a, pa, b, pb, &m);
  if (m.gap > reach) return n;
  if (m.gap <= closed && v_dot(end[0].normal, end[1].normal) > 1 - 1e-9) return n;
  f[n++] = (CrFeature){.kind = CR_MEET_SMOOTH, .key = 2};
  return n;
}

PetscInt CrShapesFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, PetscReal closed, CrFeature features[])
{
  PetscReal d[3];
  CrMeeting m;

  v_less(pa->x, pb->x, d);
  if (v_length(d) > a->reach + b->reach + reach) return 0;
  if (a->kind == CR_SHAPE_POLYTOPE && b->kind == CR_SHAPE_POLYTOPE)
    return CrPolytopeFeatures(a, pa, b, pb, reach, closed, features);
  if (a->kind == CR_SHAPE_CAPSULE && b->kind == CR_SHAPE_POLYTOPE)
    return capsule_features(a, pa, b, pb, PETSC_FALSE, reach, closed, features);
  if (b->kind == CR_SHAPE_CAPSULE && a->kind == CR_SHAPE_POLYTOPE)
    return capsule_features(b, pb, a, pa, PETSC_TRUE, reach, closed, features);
  features[0] = (CrFeature){.kind = CR_MEET_SMOOTH};
  meet_smooth(a, pa, b, pb, &m);
  return m.gap <= reach ? 1 : 0;
}

PetscInt CrShapesManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, CrFeature features[])
{
  PetscReal d[3];

  if (a->kind != CR_SHAPE_POLYTOPE || b->kind != CR_SHAPE_POLYTOPE)
    return CrShapesFeatures(a, pa, b, pb, reach, reach, features);
  v_less(pa->x, pb->x, d);
  if (v_length(d) > a->reach + b->reach + reach) return 0;
  return CrPolytopeManifold(a, pa, b, pb, reach, features);
}

void CrShapeMeetPoint(const CrShape *shape, const CrPose *pose, const PetscReal x[3], CrMeeting *m)
{
  CrShape point = {.kind = CR_SHAPE_POINT, .dim = shape->dim};
  CrPose  at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

  v_copy(x, at.x);
  meet_smooth(&point, &at, shape, pose, m);
  v_copy(x, m->point); /* from half way to the surface */
  v_add(m->point, -m->gap, m->normal);
}
