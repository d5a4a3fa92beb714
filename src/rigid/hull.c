/* Convex hulls of few points, and what follows from them: every plane through three points (2D: line
   through two) with all others on one side is a face. Costs n^4 (n^3), paid once when the deck is read. */
#include "rigid/internal.h"

typedef struct {
  CrShape         *s;
  PetscInt         n;
  const PetscReal *x;    /* points */
  PetscReal        eps;  /* what counts as on a plane */
  PetscInt         room; /* of faces */
  PetscInt         nlinks;
} Hull;

static PetscErrorCode grow(Hull *h)
{
  CrShape *s = h->s;

  PetscFunctionBeginUser;
  if (s->nfaces < h->room) PetscFunctionReturn(PETSC_SUCCESS);
  h->room = 2 * h->room + 16;
  PetscCall(PetscRealloc(sizeof(PetscReal) * 3 * (size_t)h->room, &s->normals));
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)h->room, &s->offsets));
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)(h->room + 1), &s->face_start));
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)(h->room * h->n), &s->face_vertices));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_known(const CrShape *s, const PetscReal n[3])
{
  for (PetscInt f = 0; f < s->nfaces; f++)
    if (v_dot(n, s->normals + 3 * f) > 1 - 1e-12) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Points of a face in the order in which they are met around its normal, those on its sides left out. */
static PetscInt order_face(const Hull *h, const PetscReal normal[3], PetscInt m, PetscInt *list)
{
  PetscInt n = 0, sorted[256], at = 0;

  /* gift wrapping: from the first extreme point, each next has all others to the left */
  for (PetscInt k = 1; k < m; k++)
    for (int i = 0; i < 3; i++) {
      PetscReal d = h->x[3 * list[k] + i] - h->x[3 * list[at] + i];

      if (fabs(d) <= h->eps) continue;
      if (d < 0) at = k;
      break;
    }
  for (PetscInt first = at; n < m;) {
    PetscInt next = -1;

    sorted[n++] = list[at];
    for (PetscInt k = 0; k < m; k++) {
      PetscReal a[3], b[3], c[3], side;

      if (k == at) continue;
      v_less(h->x + 3 * list[k], h->x + 3 * list[at], a);
      if (next < 0) {
        if (v_length(a) > h->eps) next = k;
        continue;
      }
      v_less(h->x + 3 * list[next], h->x + 3 * list[at], b);
      v_cross(b, a, c);
      side = v_dot(c, normal);
      if (side < -h->eps * v_length(b) ||
          (fabs(side) <= h->eps * v_length(b) && v_length(a) > v_length(b)))
        next = k;
    }
    at = next;
    if (at < 0 || at == first) break;
  }
  for (PetscInt k = 0; k < n; k++) list[k] = sorted[k];
  return n;
}

/* Takes the plane with this normal through point `at` as a face if all points lie below. */
static PetscErrorCode try_face(Hull *h, PetscReal normal[3], PetscInt at)
{
  CrShape  *s      = h->s;
  PetscReal offset = v_dot(normal, h->x + 3 * at);
  PetscInt  m      = 0, list[256];

  PetscFunctionBeginUser;
  if (is_known(s, normal)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < h->n; k++) {
    PetscReal d = v_dot(normal, h->x + 3 * k) - offset;

    if (d > h->eps) PetscFunctionReturn(PETSC_SUCCESS);
    if (d > -h->eps) list[m++] = k;
  }
  PetscCall(grow(h));
  v_copy(normal, s->normals + 3 * s->nfaces);
  s->offsets[s->nfaces] = offset;
  if (s->dim == 3)
    m = order_face(h, normal, m, list);
  else { /* the two ends, so that the inside is to the left */
    PetscInt  low = list[0], high = list[0];
    PetscReal t[3] = {-normal[1], normal[0], 0};

    for (PetscInt k = 1; k < m; k++) {
      if (v_dot(t, h->x + 3 * list[k]) < v_dot(t, h->x + 3 * low)) low = list[k];
      if (v_dot(t, h->x + 3 * list[k]) > v_dot(t, h->x + 3 * high)) high = list[k];
    }
    list[0] = low, list[1] = high, m = 2;
  }
  for (PetscInt k = 0; k < m; k++) s->face_vertices[h->nlinks + k] = list[k];
  s->face_start[s->nfaces++] = h->nlinks;
  h->nlinks += m;
  s->face_start[s->nfaces] = h->nlinks;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_faces(Hull *h)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < h->n; i++)
    for (PetscInt j = i + 1; j < h->n; j++)
      for (PetscInt k = h->s->dim == 2 ? j : j + 1; k < (h->s->dim == 2 ? j + 1 : h->n); k++) {
        PetscReal a[3], b[3], c[3], size;

        v_less(h->x + 3 * j, h->x + 3 * i, a);
        v_less(h->x + 3 * k, h->x + 3 * i, b);
        if (h->s->dim == 2) b[0] = b[1] = 0, b[2] = 1;
        v_cross(a, b, c);
        size = v_unit(c);
        if (!(size > 1e-10 * v_length(a) * v_length(b)) || !(v_length(a) > h->eps)) continue;
        PetscCall(try_face(h, c, i));
        for (int d = 0; d < 3; d++) c[d] = -c[d];
        PetscCall(try_face(h, c, i));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keeps the points that are corners, in their order. */
static PetscErrorCode keep_corners(Hull *h)
{
  CrShape  *s = h->s;
  PetscInt *number, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(h->n, &number));
  for (PetscInt k = 0; k < h->n; k++) number[k] = -1;
  for (PetscInt k = 0; k < h->nlinks; k++) number[s->face_vertices[k]] = 0;
  for (PetscInt k = 0; k < h->n; k++)
    if (number[k] == 0) number[k] = n++;
  PetscCall(PetscMalloc1(3 * n, &s->vertices));
  for (PetscInt k = 0; k < h->n; k++)
    if (number[k] >= 0) v_copy(h->x + 3 * k, s->vertices + 3 * number[k]);
  for (PetscInt k = 0; k < h->nlinks; k++) s->face_vertices[k] = number[s->face_vertices[k]];
  s->nvertices = n;
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Each edge is met in two faces, once in each direction. */
/* The face in which the edge runs the other way. */
static PetscInt face_behind(const CrShape *s, PetscInt a, PetscInt b)
{
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
      PetscInt next = k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f];

      if (s->face_vertices[k] == b && s->face_vertices[next] == a) return f;
    }
  return -1;
}

static PetscErrorCode find_edges(Hull *h)
{
  CrShape *s = h->s;

  PetscFunctionBeginUser;
  if (s->dim == 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(2 * h->nlinks, &s->edges));
  PetscCall(PetscMalloc1(2 * h->nlinks, &s->edge_faces));
  for (PetscInt f = 0; f < s->nfaces; f++)
    for (PetscInt k = s->face_start[f]; k < s->face_start[f + 1]; k++) {
      PetscInt a = s->face_vertices[k];
      PetscInt b = s->face_vertices[k + 1 < s->face_start[f + 1] ? k + 1 : s->face_start[f]];
      PetscInt other;

      if (a > b) continue;
      other = face_behind(s, a, b);
      PetscCheck(other >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "an edge of a hull has one face");
      s->edges[2 * s->nedges]          = a;
      s->edges[2 * s->nedges + 1]      = b;
      s->edge_faces[2 * s->nedges]     = f;
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
        t     = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        c     = 1 / sqrt(t * t + 1);
        s     = t * c;
        for (int k = 0; k < 3; k++) {
          PetscReal x = A[3 * k + p], y = A[3 * k + q];

          A[3 * k + p] = c * x - s * y;
          A[3 * k + q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          PetscReal x = A[3 * p + k], y = A[3 * q + k];

          A[3 * p + k] = c * x - s * y;
          A[3 * q + k] = s * x + c * y;
          x            = V[3 * k + p];
          y            = V[3 * k + q];
          V[3 * k + p] = c * x - s * y;
          V[3 * k + q] = s * x + c * y;
        }
      }
}

static void quaternion_of(const PetscReal R[9], PetscReal q[4])
{
  PetscReal t[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8], R[8] - R[0] - R[4]};
  int       k    = 0;
  PetscReal s;

  for (int i = 1; i < 4; i++)
    if (t[i] > t[k]) k = i;
  q[k] = sqrt(1 + t[k]) / 2;
  s    = 1 / (4 * q[k]);
  if (k == 0)
    q[1] = s * (R[7] - R[5]), q[2] = s * (R[2] - R[6]), q[3] = s * (R[3] - R[1]);
  else {
    int       i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    PetscReal w = R[3 * l + j] - R[3 * j + l];

    q[0]     = s * w;
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
    s->offsets[f] = v_dot(s->normals + 3 * f, s->vertices + 3 * s->face_vertices[s->face_start[f]]);
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
  Hull      h    = {.s = s, .n = n, .x = points};
  PetscReal size = 0;

  PetscFunctionBeginUser;
  s->kind    = CR_SHAPE_POLYTOPE;
  s->turn[0] = 1;
  s->turn[1] = s->turn[2] = s->turn[3] = 0;
  for (PetscInt k = 0; k < 3 * n; k++) size = PetscMax(size, fabs(points[k] - points[k % 3]));
  h.eps = 1e-9 * size;
  PetscCall(find_faces(&h));
  if (s->nfaces < s->dim + 1 || h.nlinks < (s->dim == 2 ? 6 : 12))
    CrDeckFail(where, "the points span no %s", s->dim == 2 ? "area" : "volume");
  PetscCall(keep_corners(&h));
  PetscCall(find_edges(&h));
  find_mass(s, keep_axes);
  PetscFunctionReturn(PETSC_SUCCESS);
}
