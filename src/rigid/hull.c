/* Convex hulls of few points: faces (faces.c), edges, mass, principal axes. */
#include "rigid/internal.h"

/* The face in which the edge runs the other way: each is met in two faces, once in each direction. */
static PetscInt face_behind(const CrShape *s, PetscInt a, PetscInt b)
{
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
      PetscInt next = k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f];

      if (s->face_vertices[k] == b && s->face_vertices[next] == a) return f;
    }
  return -1;
}

static PetscErrorCode find_edges(CrShape *s)
{
  PetscFunctionBeginUser;
  if (s->dim == 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(2 * s->face_start[s->nfaces], &s->edges));
  PetscCall(PetscMalloc1(2 * s->face_start[s->nfaces], &s->edge_faces));
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
      PetscInt a = s->face_vertices[k];
      PetscInt b = s->face_vertices[k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f]];
      PetscInt other;

      if (a > b) continue;
      other = face_behind(s, a, b);
      PetscCheck(other >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "an edge of a hull has one face");
      s->edges[2 * s->nedges] = a;
      s->edges[2 * s->nedges + 1] = b;
      s->edge_faces[2 * s->nedges] = f;
      s->edge_faces[2 * s->nedges + 1] = other;
      s->nedges++;
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the simplex (origin, faces' triangles; 2D: origin and side): volume, first and second moments. */
static void add_simplex(PetscInt dim, const PetscReal a[3], const PetscReal b[3],
                        const PetscReal c[3], PetscReal *volume, PetscReal first[3],
                        PetscReal second[9])
{
  const PetscReal *p[3] = {a, b, c};
  PetscReal        d[3], V, sum[3] = {0, 0, 0}, f;

  v_cross(a, b, d);
  V = dim == 2 ? d[2] / 2 : v_dot(d, c) / 6;
  for (PetscInt k = 0; k < dim; k++) v_add(sum, 1, p[k]);
  f = 1.0 / (PetscReal)((dim + 1) * (dim + 2));
  *volume += V;
  v_add(first, V / (PetscReal)(dim + 1), sum);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal m = sum[i] * sum[j];

      for (PetscInt k = 0; k < dim; k++) m += p[k][i] * p[k][j];
      second[3 * i + j] += V * f * m;
    }
}

/* Cyclic Jacobi: eigenvectors of a symmetric matrix in the columns of V. */
static void diagonalise(PetscReal A[9], PetscReal V[9])
{
  for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
  for (int sweep = 0; sweep < 50; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        PetscReal apq = A[3 * p + q], theta, t, c, s;

        if (fabs(apq) <= 1e-17 * (fabs(A[4 * p]) + fabs(A[4 * q]))) continue;
        theta = (A[4 * q] - A[4 * p]) / (2 * apq);
        t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        c = 1 / sqrt(t * t + 1);
        s = t * c;
        for (int k = 0; k < 3; k++) {
          PetscReal x = A[3 * k + p], y = A[3 * k + q];

          A[3 * k + p] = c * x - s * y;
          A[3 * k + q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          PetscReal x = A[3 * p + k], y = A[3 * q + k];

          A[3 * p + k] = c * x - s * y;
          A[3 * q + k] = s * x + c * y;
          x = V[3 * k + p];
          y = V[3 * k + q];
          V[3 * k + p] = c * x - s * y;
          V[3 * k + q] = s * x + c * y;
        }
      }
}

static void quaternion_of(const PetscReal R[9], PetscReal q[4])
{
  PetscReal t[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8], R[8] - R[0] - R[4]};
  int       k = 0;
  PetscReal s;

  for (int i = 1; i < 4; i++)
    if (t[i] > t[k]) k = i;
  q[k] = sqrt(1 + t[k]) / 2;
  s = 1 / (4 * q[k]);
  if (k == 0)
    q[1] = s * (R[7] - R[5]), q[2] = s * (R[2] - R[6]), q[3] = s * (R[3] - R[1]);
  else {
    int       i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    PetscReal w = R[3 * l + j] - R[3 * j + l];

    q[0] = s * w;
    q[1 + j] = s * (R[3 * i + j] + R[3 * j + i]);
    q[1 + l] = s * (R[3 * i + l] + R[3 * l + i]);
  }
}

/* Corners and faces seen from the mass centre, along the axes that are the columns of V. */
static void move(CrShape *s, const PetscReal centre[3], const PetscReal V[9])
{
  for (PetscInt k = 0; k < s->nvertices; k++) {
    v_add(s->vertices + 3 * k, -1, centre);
    m_back(V, s->vertices + 3 * k, s->vertices + 3 * k);
    s->reach = PetscMax(s->reach, v_length(s->vertices + 3 * k));
  }
  for (PetscInt f = 0; f < s->nfaces; f++) {
    m_back(V, s->normals + 3 * f, s->normals + 3 * f);
    s->offsets[f] = -PETSC_MAX_REAL;
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++)
      s->offsets[f] =
          PetscMax(s->offsets[f], v_dot(s->normals + 3 * f, s->vertices + 3 * s->face_vertices[k]));
  }
}

static void find_mass(CrShape *s, PetscBool keep_axes)
{
  PetscReal              first[3] = {0}, second[9] = {0}, A[9], V[9], det, cross[3];
  static const PetscReal none[3] = {0, 0, 0};

  s->volume = 0;
  for (PetscInt f = 0; f < s->nfaces; f++) {
    const PetscInt *v = s->face_vertices + s->face_start[f];
    PetscInt        m = s->face_start[f + 1] - s->face_start[f];

    if (s->dim == 2)
      add_simplex(2, s->vertices + 3 * v[0], s->vertices + 3 * v[1], none, &s->volume, first,
                  second);
    for (PetscInt k = 1; s->dim == 3 && k + 1 < m; k++)
      add_simplex(3, s->vertices + 3 * v[0], s->vertices + 3 * v[k], s->vertices + 3 * v[k + 1],
                  &s->volume, first, second);
  }
  for (int i = 0; i < 3; i++) first[i] /= s->volume;
  for (int i = 0; i < 9; i++) A[i] = second[i] / s->volume - first[i / 3] * first[i % 3];
  for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
  if (!keep_axes && s->dim == 3) diagonalise(A, V);
  v_cross(V, V + 3, cross); /* rows of V are as good for the sign of its determinant */
  det = v_dot(cross, V + 6);
  for (int i = 0; det < 0 && i < 3; i++) V[3 * i + 2] = -V[3 * i + 2];
  for (int i = 0; i < 3; i++) s->gyration[i] = A[4 * ((i + 1) % 3)] + A[4 * ((i + 2) % 3)];
  if (!keep_axes && s->dim == 3) quaternion_of(V, s->turn);
  move(s, first, V);
}

PetscErrorCode CrShapeHull(CrShape *s, const CrDeckNode *where, PetscInt n,
                           const PetscReal points[], PetscBool keep_axes)
{
  PetscReal size = 0;
  PetscBool found;

  PetscFunctionBeginUser;
  s->kind = CR_SHAPE_POLYTOPE;
  s->turn[0] = 1;
  s->turn[1] = s->turn[2] = s->turn[3] = 0;
  if (n > CR_MOST_CORNERS) CrDeckFail(where, "the shape has more than %d corners", CR_MOST_CORNERS);
  for (PetscInt k = 0; k < 3 * n; k++) size = PetscMax(size, fabs(points[k] - points[k % 3]));
  PetscCall(CrShapeFindFaces(s, n, points, size, &found));
  if (!found)
    CrDeckFail(where, "the shape of these points has no %s", s->dim == 2 ? "area" : "volume");
  PetscCall(find_edges(s));
  find_mass(s, keep_axes);
  PetscFunctionReturn(PETSC_SUCCESS);
}
