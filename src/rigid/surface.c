/* A rigid shape as a contact surface: gaps, faces, curvature, and points that may touch facets and walls. */
#include "rigid/internal.h"
#include "rigid/surface.h"

#define CREASE 0.5 /* cosine between faces that a node in contact does not pass over */

/* ---- gaps and faces --------------------------------------------------------------------------- */

static PetscReal over_face(const CrShape *s, PetscInt f, const PetscReal Y[3])
{
  return v_dot(s->normals + 3 * f, Y) - s->offsets[f];
}

PetscReal CrShapeGap(const CrShape *s, const PetscReal x[3], const PetscReal R[9],
                     const PetscReal at[3], PetscReal nu[3])
{
  PetscReal d[3], Y[3], gap = PETSC_MIN_REAL;
  CrMeeting m;
  CrPose    pose;

  if (s->kind != CR_SHAPE_POLYTOPE) {
    v_copy(x, pose.x);
    for (int i = 0; i < 9; i++) pose.R[i] = R[i];
    CrShapeMeetPoint(s, &pose, at, &m);
    v_copy(m.normal, nu);
    return m.gap;
  }
  v_less(at, x, d);
  m_back(R, d, Y);
  for (PetscInt f = 0; f < s->nfaces; f++) {
    if (!(over_face(s, f, Y) > gap)) continue;
    gap = over_face(s, f, Y);
    m_times(R, s->normals + 3 * f, nu);
  }
  return gap;
}

PetscReal CrShapeInnerRadius(const CrShape *s)
{
  PetscReal least =
      s->kind == CR_SHAPE_ELLIPSOID || s->kind == CR_SHAPE_POLYTOPE ? PETSC_MAX_REAL : s->radius;

  for (PetscInt i = 0; s->kind == CR_SHAPE_ELLIPSOID && i < s->dim; i++)
    least = PetscMin(least, s->axes[i]);
  for (PetscInt f = 0; s->kind == CR_SHAPE_POLYTOPE && f < s->nfaces; f++)
    least = PetscMin(least, s->offsets[f]);
  return least;
}

/* May the point be on this face? In contact: not beyond a crease; free: faces that it faces. */
static PetscBool may_use(const CrShape *s, const CrFaceChoice *choice, PetscInt f)
{
  PetscReal nu[3];
  PetscBool listed = PETSC_FALSE;

  for (PetscInt k = 0; choice->listed && k < choice->n; k++)
    if (choice->listed[k] == f) listed = PETSC_TRUE;
  if (choice->listed && (!listed || choice->patch < 0)) return listed;
  if (choice->patch >= 0) return v_dot(s->normals + 3 * f, s->normals + 3 * choice->patch) > CREASE;
  m_times(choice->R, s->normals + 3 * f, nu);
  return CrIsFaced(choice->normal, nu);
}

PetscInt CrShapeFace(const CrShape *s, const CrFaceChoice *choice, const PetscReal R[9],
                     const PetscReal y[3], PetscReal *beyond)
{
  PetscReal Y[3], greatest = PETSC_MIN_REAL;
  PetscInt  best = -1;

  *beyond = PETSC_MIN_REAL;
  m_back(R, y, Y);
  for (PetscInt f = 0; f < s->nfaces; f++) {
    PetscReal over = over_face(s, f, Y);

    if (!may_use(s, choice, f))
      *beyond = PetscMax(*beyond, over);
    else if (over > greatest) {
      greatest = over;
      best = f;
    }
  }
  return best;
}

/* ---- curvature -------------------------------------------------------------------------------- */

/* d nu / dx of the distance to an ellipsoid: S (1 + g S)^-1 with the curvature S of the surface at the
   foot point; in the axes of the body. */
static void ellipsoid_bend(const CrShape *s, PetscReal gap, const PetscReal n[3],
                           const PetscReal Y[3], PetscReal N[9])
{
  PetscReal foot[3], slope[3] = {0}, w[3] = {0}, S[9], M[9], size;

  v_copy(Y, foot);
  v_add(foot, -gap, n);
  for (PetscInt i = 0; i < s->dim; i++) {
    w[i] = 1 / (s->axes[i] * s->axes[i]);
    slope[i] = w[i] * foot[i];
  }
  size = v_length(slope);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal sum = 0;

      for (int k = 0; k < 3; k++) sum += ((i == k) - n[i] * n[k]) * w[k] * ((k == j) - n[k] * n[j]);
      S[3 * i + j] = sum / size;
    }
  for (int i = 0; i < 9; i++) M[i] = (i % 4 == 0) + gap * S[i];
  for (int j = 0; j < 3; j++) { /* columns of (1 + g S)^-1 S */
    PetscReal b[3] = {S[j], S[3 + j], S[6 + j]}, x[3] = {0, 0, 0};

    (void)m_solve(M, b, x);
    for (int i = 0; i < 3; i++) N[3 * i + j] = x[i];
  }
}

/* Distance to a straight line with a radius around it: d nu / dx = (1 - nu nu - u u)/distance, without
   the u u beyond the ends and for balls. */
static void round_bend(const CrShape *s, const PetscReal n[3], const PetscReal Y[3], PetscReal N[9])
{
  PetscBool beside = s->kind == CR_SHAPE_CAPSULE && PetscAbsReal(Y[2]) < s->half;
  PetscReal d[3];

  v_copy(Y, d);
  if (s->kind == CR_SHAPE_CAPSULE) d[2] -= PetscMax(-s->half, PetscMin(s->half, Y[2]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      N[3 * i + j] = ((i == j) - n[i] * n[j] - (beside && i == 2 && j == 2 ? 1 : 0)) / v_length(d);
}

void CrShapeBend(const CrShape *s, PetscReal gap, const PetscReal n[3], const PetscReal Y[3],
                 PetscReal N[9])
{
  if (s->kind == CR_SHAPE_ELLIPSOID)
    ellipsoid_bend(s, gap, n, Y, N);
  else
    round_bend(s, n, Y, N);
}

/* ---- points ----------------------------------------------------------------------------------- */

PetscInt CrShapePoints(const CrShape *s)
{
  if (s->kind == CR_SHAPE_POLYTOPE) return s->nvertices;
  return s->kind == CR_SHAPE_CAPSULE ? 2 : 1;
}

PetscReal CrShapePoint(const CrShape *s, PetscInt i, PetscReal at[3])
{
  at[0] = at[1] = at[2] = 0;
  if (s->kind == CR_SHAPE_POLYTOPE) v_copy(s->vertices + 3 * i, at);
  if (s->kind == CR_SHAPE_CAPSULE) at[2] = i ? s->half : -s->half;
  return s->kind == CR_SHAPE_POLYTOPE || s->kind == CR_SHAPE_ELLIPSOID ? 0 : s->radius;
}

void CrEllipsoidForm(const CrShape *ellipsoid, const PetscReal R[9], PetscReal B[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      B[3 * i + j] = 0;
      for (int k = 0; k < 3; k++)
        B[3 * i + j] += R[3 * i + k] * PetscSqr(ellipsoid->axes[k]) * R[3 * j + k];
    }
}

/* r = -B nu/s, s^2 = nu.B nu */
void CrEllipsoidReach(const CrShape *ellipsoid, const PetscReal R[9], const PetscReal nu[3],
                      PetscReal r[3])
{
  PetscReal B[9], s;

  CrEllipsoidForm(ellipsoid, R, B);
  m_times(B, nu, r);
  s = sqrt(v_dot(nu, r));
  for (int i = 0; i < 3; i++) r[i] = -r[i] / s;
}

/* ---- walls ------------------------------------------------------------------------------------ */

/* The point of a shape against a ball, from outside. */
static void meet_ball(const CrShape *s, const CrPose *pose, const CrWall *wall, CrMeeting *m)
{
  CrShape   ball = {.kind = CR_SHAPE_BALL,
                    .dim = s->dim,
                    .radius = wall->radius,
                    .reach = wall->radius};
  CrPose    at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  CrFeature feature = {.kind = CR_MEET_SMOOTH};

  for (PetscInt k = 0; k < s->dim; k++) ball.axes[k] = wall->radius;
  v_copy(wall->point, at.x);
  CrShapesMeeting(s, pose, &ball, &at, &feature, m);
  v_add(m->point, m->gap / 2, m->normal); /* from half way to the body */
}

PetscReal CrShapeAtWall(const CrShape *s, PetscInt i, const CrWall *wall, PetscBool outside,
                        const PetscReal x[3], const PetscReal mean[9], const PetscReal half[9],
                        PetscReal nu[3], PetscReal arm[3])
{
  PetscBool corner = s->kind == CR_SHAPE_POLYTOPE || s->kind == CR_SHAPE_CAPSULE;
  CrFeature feature = {.kind = corner ? CR_MEET_CORNER : CR_MEET_SMOOTH};
  CrMeeting m;
  CrPose    pose;

  if (corner) CrShapePoint(s, i, feature.a);
  v_copy(x, pose.x);
  for (int k = 0; k < 9; k++) pose.R[k] = corner && !outside ? mean[k] : half[k];
  if (outside)
    meet_ball(s, &pose, wall, &m);
  else
    CrWallMeeting(s, &pose, wall, &feature, &m);
  v_copy(m.normal, nu);
  v_less(m.point, x, arm);
  return m.gap;
}
