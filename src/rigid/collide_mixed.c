/* Contact of shapes of different kinds: an ellipsoid with a polytope, and the axis of a capsule with either of them.
   Along a line, the distance of its points from a convex body is a convex function, so that its minimum is the only
   root of its slope. */
#include "rigid/internal.h"

/* Distance of a point from a body, outward direction, nearest point; in space. */
static PetscReal distance(const CrShape *s, const CrPose *p, const PetscReal x[3], PetscReal n[3],
                          PetscReal near[3])
{
  PetscReal X[3], d;
  CrMeeting m;

  if (s->kind == CR_SHAPE_POLYTOPE) {
    to_body(p, x, X);
    d = CrPolytopeNearest(s, X, n, near);
    m_times(p->R, n, n);
    to_space(p, near, near);
    return d;
  }
  {
    CrShape point = {.kind = CR_SHAPE_POINT, .dim = s->dim};
    CrPose  at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

    v_copy(x, at.x);
    CrMeetSmooth(&point, &at, s, p, &m);
  }
  v_copy(m.normal, n);
  v_copy(x, near);
  v_add(near, -m.gap, n);
  return m.gap;
}

/* Slope of the distance along the line from + t along. */
static PetscReal slope_at(const CrShape *s, const CrPose *p, const PetscReal from[3],
                          const PetscReal along[3], PetscReal t, PetscReal x[3], PetscReal n[3],
                          PetscReal near[3], PetscReal *d)
{
  v_copy(from, x);
  v_add(x, t, along);
  *d = distance(s, p, x, n, near);
  return v_dot(n, along);
}

/* The point of the line nearest to the body: t, the point, and what distance() gives. */
static PetscReal nearest_of_line(const CrShape *s, const CrPose *p, const PetscReal from[3],
                                 const PetscReal along[3], PetscReal *t, PetscReal x[3],
                                 PetscReal n[3], PetscReal near[3])
{
  PetscReal low = 0, high = 1, sl, sh, sm, d;
  int       side = 0;

  *t = 0;
  sl = slope_at(s, p, from, along, 0, x, n, near, &d);
  if (sl >= 0) return d;
  *t = 1;
  sh = slope_at(s, p, from, along, 1, x, n, near, &d);
  if (sh <= 0) return d;
  for (int k = 0; k < 200; k++) { /* false position with halving, bisection where that is slow */
    *t = k % 3 == 2 ? (low + high) / 2 : low + (high - low) * (sl / (sl - sh));
    if (!(*t > low && *t < high)) *t = (low + high) / 2;
    sm = slope_at(s, p, from, along, *t, x, n, near, &d);
    if (sm == 0 || high - low <= 4e-16) break;
    if (sm < 0) {
      low = *t, sl = sm;
      if (side == 1) sh /= 2;
      side = 1;
    } else {
      high = *t, sh = sm;
      if (side == -1) sl /= 2;
      side = -1;
    }
  }
  return d;
}

void CrCapsuleLine(const CrShape *s, const CrPose *p, PetscReal from[3], PetscReal along[3])
{
  PetscReal a[3] = {0, 0, -s->half}, b[3] = {0, 0, 2 * s->half};

  to_space(p, a, from);
  m_times(p->R, b, along);
}

PetscReal CrMeetCapsule(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        CrMeeting *m)
{
  PetscReal from[3], along[3], x[3], near[3], t;

  CrCapsuleLine(a, pa, from, along);
  m->gap = nearest_of_line(b, pb, from, along, &t, x, m->normal, near) - a->radius;
  v_copy(near, m->point);
  v_add(m->point, m->gap / 2, m->normal);
  return t;
}

/* ---- an ellipsoid (first) and a polytope ---------------------------------------------------------- */

/* Over the face whose plane separates most, if the ellipsoid's lowest point is over it. */
static PetscBool meet_face(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                           CrMeeting *m)
{
  PetscReal best = PETSC_MIN_REAL, x[3], X[3];
  PetscInt  face = 0;

  for (PetscInt f = 0; f < b->nfaces; f++) {
    PetscReal n[3], l[3], P[3], d[3], gap;

    m_times(pb->R, b->normals + 3 * f, n);
    for (int i = 0; i < 3; i++) l[i] = -n[i];
    m_back(pa->R, l, l);
    v_less(pa->x, pb->x, d);
    gap = v_dot(n, d) - b->offsets[f] - CrShapeSupport(a, l, P);
    if (gap <= best) continue;
    best = gap, face = f;
    v_copy(n, m->normal);
    to_space(pa, P, x);
  }
  m->gap = best;
  v_copy(x, m->point);
  v_add(m->point, -best / 2, m->normal);
  to_body(pb, x, X);
  return CrPolytopeIsOver(b, face, X);
}

/* A point of the polytope against the ellipsoid: distance() looks from the point, so its normal turns. */
static void take(PetscReal d, const PetscReal n[3], const PetscReal x[3], CrMeeting *m)
{
  m->gap = d;
  for (int i = 0; i < 3; i++) m->normal[i] = -n[i];
  v_copy(x, m->point);
  v_add(m->point, d / 2, m->normal);
}

static void meet_edges(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                       CrMeeting *m)
{
  m->gap = PETSC_MAX_REAL;
  for (PetscInt e = 0; e < b->nedges; e++) {
    PetscReal from[3], to[3], along[3], x[3], n[3], near[3], t, d;

    to_space(pb, b->vertices + 3 * b->edges[2 * e], from);
    to_space(pb, b->vertices + 3 * b->edges[2 * e + 1], to);
    v_less(to, from, along);
    d = nearest_of_line(a, pa, from, along, &t, x, n, near);
    if (d < m->gap) take(d, n, x, m);
  }
  for (PetscInt k = 0; b->dim == 2 && k < b->nvertices; k++) {
    PetscReal x[3], n[3], near[3], d;

    to_space(pb, b->vertices + 3 * k, x);
    d = distance(a, pa, x, n, near);
    if (d < m->gap) take(d, n, x, m);
  }
}

void CrMeetEllipsoidPolytope(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             CrMeeting *m)
{
  if (!meet_face(a, pa, b, pb, m)) meet_edges(a, pa, b, pb, m);
}
