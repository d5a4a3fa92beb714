#include "rigid/corners.h"
#include "base/vector.h"

#define SMOOTH (PETSC_PI / 3) /* faces that turn less stand for a curve */

/* ---- angles ----------------------------------------------------------------------------------- */

static PetscReal angle_between(const PetscReal a[3], const PetscReal b[3])
{
  PetscReal sine[3];

  v_cross(a, b, sine);
  return PetscAtan2Real(v_length(sine), v_dot(a, b));
}

PetscReal CrEdgeTurn(const CrShape *s, PetscInt edge)
{
  const PetscInt *f = s->edge_faces + 2 * edge;

  return angle_between(s->normals + 3 * f[0], s->normals + 3 * f[1]);
}

/* The two faces at a corner of a polygon. */
static void faces_at(const CrShape *s, PetscInt i, PetscInt faces[2])
{
  PetscInt n = 0;

  for (PetscInt f = 0; f < s->nfaces && n < 2; f++)
    if (s->face_vertices[2 * f] == i || s->face_vertices[2 * f + 1] == i) faces[n++] = f;
}

PetscReal CrCornerTurn(const CrShape *s, PetscInt i)
{
  PetscReal greatest = 0;
  PetscInt  f[2] = {0, 0};

  if (s->dim == 2) {
    faces_at(s, i, f);
    return angle_between(s->normals + 3 * f[0], s->normals + 3 * f[1]);
  }
  for (PetscInt e = 0; e < s->nedges; e++)
    if (s->edges[2 * e] == i || s->edges[2 * e + 1] == i)
      greatest = PetscMax(greatest, CrEdgeTurn(s, e));
  return greatest;
}

PetscBool CrShapeIsSharp(const CrShape *s, PetscReal corner)
{
  for (PetscInt i = 0; s->kind == CR_SHAPE_POLYTOPE && i < s->nvertices; i++)
    if (CrCornerTurn(s, i) > corner) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static PetscReal distance(const CrShape *s, PetscInt i, PetscInt j)
{
  PetscReal way[3];

  v_less(s->vertices + 3 * i, s->vertices + 3 * j, way);
  return v_length(way);
}

/* Twice the vector of the area is the sum of products of neighbouring corners, seen from the first. */
static PetscReal face_area(const CrShape *s, PetscInt face)
{
  const PetscInt *v = s->face_vertices + s->face_start[face],
                 n = s->face_start[face + 1] - s->face_start[face];
  PetscReal a[3], b[3], part[3], sum[3] = {0, 0, 0};

  for (PetscInt k = 1; k + 1 < n; k++) {
    v_less(s->vertices + 3 * v[k], s->vertices + 3 * v[0], a);
    v_less(s->vertices + 3 * v[k + 1], s->vertices + 3 * v[0], b);
    v_cross(a, b, part);
    v_add(sum, 0.5, part);
  }
  return v_length(sum);
}

PetscReal CrFaceSize(const CrShape *s, PetscInt face)
{
  const PetscInt *v = s->face_vertices + s->face_start[face];

  return s->dim == 2 ? distance(s, v[0], v[1]) : PetscSqrtReal(face_area(s, face));
}

static PetscBool has_corner(const CrShape *s, PetscInt face, PetscInt i)
{
  for (PetscInt k = s->face_start[face]; k < s->face_start[face + 1]; k++)
    if (s->face_vertices[k] == i) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscReal CrCornerSize(const CrShape *s, PetscInt i)
{
  PetscReal sum = 0;
  PetscInt  n = 0;

  for (PetscInt f = 0; f < s->nfaces; f++) {
    if (!has_corner(s, f, i)) continue;
    sum += CrFaceSize(s, f);
    n++;
  }
  return sum / (PetscReal)PetscMax(n, 1);
}

PetscReal CrEdgeLength(const CrShape *s, PetscInt edge)
{
  return distance(s, s->edges[2 * edge], s->edges[2 * edge + 1]);
}

PetscReal CrEdgeArea(const CrShape *s, PetscInt edge)
{
  const PetscInt *f = s->edge_faces + 2 * edge;

  return (face_area(s, f[0]) + face_area(s, f[1])) / 3;
}

PetscReal CrFaceSlack(const CrShape *s, PetscInt face)
{
  PetscReal greatest = 0;

  for (PetscInt e = 0; s->dim == 3 && e < s->nedges; e++)
    if (s->edge_faces[2 * e] == face || s->edge_faces[2 * e + 1] == face) {
      PetscReal turn = CrEdgeTurn(s, e);

      if (turn < SMOOTH) greatest = PetscMax(greatest, turn / 2);
    }
  for (PetscInt k = 0; s->dim == 2 && k < 2; k++) {
    PetscReal turn = CrCornerTurn(s, s->face_vertices[2 * face + k]);

    if (turn < SMOOTH) greatest = PetscMax(greatest, turn / 2);
  }
  return greatest;
}

/* ---- what may touch --------------------------------------------------------------------------- */

/* Does the way from corner i to corner j lead along -n by more than the angle whose sine is given? */
static PetscBool leads_on(const CrShape *s, PetscInt i, PetscInt j, const PetscReal n[3],
                          PetscReal sine)
{
  PetscReal way[3];

  v_less(s->vertices + 3 * j, s->vertices + 3 * i, way);
  return -v_dot(n, way) > sine * v_length(way) ? PETSC_TRUE : PETSC_FALSE;
}

/* Does no edge out of corner i lead farther along -n, in body axes? */
static PetscBool is_farthest(const CrShape *s, PetscInt i, const PetscReal n[3], PetscReal sine)
{
  for (PetscInt f = 0; s->dim == 2 && f < s->nfaces; f++) {
    const PetscInt *v = s->face_vertices + 2 * f;

    if (v[0] == i && leads_on(s, i, v[1], n, sine)) return PETSC_FALSE;
    if (v[1] == i && leads_on(s, i, v[0], n, sine)) return PETSC_FALSE;
  }
  for (PetscInt e = 0; s->dim == 3 && e < s->nedges; e++) {
    const PetscInt *v = s->edges + 2 * e;

    if (v[0] == i && leads_on(s, i, v[1], n, sine)) return PETSC_FALSE;
    if (v[1] == i && leads_on(s, i, v[0], n, sine)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The edges out of a flat corner also leave the way into the body free: one face at least must look along -nu. */
PetscBool CrCornerIsAdmitted(const CrShape *s, PetscInt i, const PetscReal R[9],
                             const PetscReal nu[3], PetscReal tol)
{
  PetscReal n[3], greatest = -1;

  m_back(R, nu, n);
  if (!is_farthest(s, i, n, PetscSinReal(tol))) return PETSC_FALSE;
  for (PetscInt f = 0; f < s->nfaces; f++)
    if (has_corner(s, f, i)) greatest = PetscMax(greatest, -v_dot(n, s->normals + 3 * f));
  return greatest > 0 ? PETSC_TRUE : PETSC_FALSE;
}

void CrEdgeWaysIn(const CrShape *s, PetscInt edge, const PetscReal R[9], PetscReal in[2][3])
{
  const PetscInt *f = s->edge_faces + 2 * edge;
  PetscReal       along[3];

  v_less(s->vertices + 3 * s->edges[2 * edge + 1], s->vertices + 3 * s->edges[2 * edge], along);
  for (int k = 0; k < 2; k++) {
    PetscReal way[3];

    v_cross(s->normals + 3 * f[k], along, way);
    v_unit(way);
    /* the other face looks away from the inside of this one */
    if (v_dot(way, s->normals + 3 * f[1 - k]) > 0)
      for (int i = 0; i < 3; i++) way[i] = -way[i];
    m_times(R, way, in[k]);
  }
}

PetscBool CrEdgeIsAdmitted(const CrShape *s, PetscInt edge, const PetscReal R[9],
                           const PetscReal nu[3], PetscReal tol)
{
  const PetscInt *ends = s->edges + 2 * edge, *f = s->edge_faces + 2 * edge;
  const PetscReal sine = PetscSinReal(tol);
  PetscReal       in[2][3], n[3], along[3];

  m_back(R, nu, n);
  v_less(s->vertices + 3 * ends[1], s->vertices + 3 * ends[0], along);
  CrEdgeWaysIn(s, edge, R, in);
  return PetscMin(v_dot(n, s->normals + 3 * f[0]), v_dot(n, s->normals + 3 * f[1])) < 0 &&
         PetscAbsReal(v_dot(n, along)) <= sine * v_length(along) && -v_dot(nu, in[0]) <= sine &&
         -v_dot(nu, in[1]) <= sine;
}

PetscReal CrEdgeFlatWidth(const CrShape *s, PetscInt edge, const PetscReal R[9],
                          const PetscReal nu[3], PetscReal tol)
{
  PetscReal n[3], width = 0;

  m_back(R, nu, n);
  for (int k = 0; k < 2; k++) {
    const PetscInt f = s->edge_faces[2 * edge + k];

    if (-v_dot(n, s->normals + 3 * f) >= PetscCosReal(tol))
      width = PetscMax(width, face_area(s, f) / CrEdgeLength(s, edge));
  }
  return width;
}

PetscReal CrLineDepth(const CrShape *s, const PetscReal a[3], const PetscReal b[3],
                      PetscReal place[3])
{
  PetscReal from = 0, to = 1, way[3];
  PetscInt  in = -1, out = -1;

  v_less(b, a, way);
  for (PetscInt f = 0; f < s->nfaces; f++) {
    PetscReal above = v_dot(s->normals + 3 * f, a) - s->offsets[f];
    PetscReal rise = v_dot(s->normals + 3 * f, way), at = rise != 0 ? -above / rise : 0;

    if (rise == 0 && above >= 0) return 0;
    if (rise < 0 && at > from) {
      from = at;
      in = f;
    }
    if (rise > 0 && at < to) {
      to = at;
      out = f;
    }
  }
  if (in < 0 || out < 0 || !(from < to)) return 0;
  v_copy(a, place);
  v_add(place, (from + to) / 2, way);
  return (to - from) * PetscMin(-v_dot(way, s->normals + 3 * in), v_dot(way, s->normals + 3 * out));
}
