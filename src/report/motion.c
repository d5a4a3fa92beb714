/* Rigid bodies of a film. They do not change their shape, so that a frame has only their position, rotation, velocity
   and angular velocity. */
#include <math.h>
#include "base/vector.h"
#include "report/internal.h"

/* Rigid bodies stand behind the others in the file, with their nodes; a file in which they do not
   has none, as far as the film goes. part[b]: of the last cell of body b. */
PetscErrorCode CrFilmFindRigid(CrFilm *film, const PetscInt part[])
{
  PetscInt b = film->nbodies, k = film->nnodes;

  PetscFunctionBeginUser;
  while (b > 0 && part[b - 1] > 0) b--;
  while (k > 0 && film->node_body[k - 1] >= b) k--;
  for (PetscInt i = 0; i < k; i++)
    if (film->node_body[i] >= b) b = film->nbodies, k = film->nnodes;
  film->first_rigid = b;
  film->first_rigid_node = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilmMotionCreate(CrFilm *film, const PetscReal *points)
{
  const PetscInt n = film->nbodies - film->first_rigid;
  PetscInt      *count;

  PetscFunctionBeginUser;
  if (!n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(3 * n, &film->start));
  PetscCall(PetscMalloc1(3 * (film->nnodes - film->first_rigid_node), &film->shape));
  PetscCall(PetscMalloc1((size_t)film->room * 4 * (size_t)n, &film->turn));
  if (film->field[CR_FILM_VELOCITY])
    PetscCall(PetscMalloc1((size_t)film->room * 6 * (size_t)n, &film->speed));
  PetscCall(PetscCalloc1(n, &count));
  for (int pass = 0; pass < 2; pass++)
    for (PetscInt k = film->first_rigid_node; k < film->nnodes; k++) {
      PetscInt b = film->node_body[k] - film->first_rigid, A = film->node[k];

      for (int i = 0; i < 3; i++) {
        PetscReal x = points[3 * A + i];

        if (pass == 0)
          film->start[3 * b + i] += x;
        else
          film->shape[3 * (k - film->first_rigid_node) + i] =
              (float)(x - film->start[3 * b + i] / count[b]);
      }
      if (pass == 0) count[b]++;
    }
  for (PetscInt b = 0; b < n; b++)
    for (int i = 0; i < 3; i++) film->start[3 * b + i] /= PetscMax(1, count[b]);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- how a body is turned ------------------------------------------------------------------- */

static void widen(const float from[3], PetscReal to[3])
{
  for (int i = 0; i < 3; i++) to[i] = (PetscReal)from[i];
}

/* A right-handed frame with its first axis along a and the second in the plane of a and b. */
static void frame_of(const PetscReal a[3], const PetscReal b[3], PetscReal e[3][3])
{
  for (int i = 0; i < 3; i++) e[0][i] = a[i];
  v_unit(e[0]);
  v_cross(a, b, e[2]);
  v_unit(e[2]);
  v_cross(e[2], e[0], e[1]);
}

/* From a rotation to its quaternion, by the greatest of the four components. */
static void quaternion(PetscReal R[3][3], float q[4])
{
  const PetscReal trace = R[0][0] + R[1][1] + R[2][2];
  int             i = 0, j, k;
  PetscReal       s;

  if (trace > 0) {
    s = 2 * sqrt(trace + 1);
    q[0] = (float)(0.25 * s);
    for (i = 0; i < 3; i++) {
      j = (i + 1) % 3, k = (i + 2) % 3;
      q[1 + i] = (float)((R[k][j] - R[j][k]) / s);
    }
    return;
  }
  for (j = 1; j < 3; j++)
    if (R[j][j] > R[i][i]) i = j;
  j = (i + 1) % 3, k = (i + 2) % 3;
  s = 2 * sqrt(PetscMax(0, 1 + R[i][i] - R[j][j] - R[k][k]));
  q[0] = (float)((R[k][j] - R[j][k]) / s);
  q[1 + i] = (float)(0.25 * s);
  q[1 + j] = (float)((R[j][i] + R[i][j]) / s);
  q[1 + k] = (float)((R[k][i] + R[i][k]) / s);
}

/* Nodes of a body and where they are from its centre, as it is drawn and as it was at the start. */
typedef struct {
  PetscInt     n;
  const float *shape, *now;
} Body;

/* 2D: the turn that fits all nodes best, as (cos, 0, 0, sin) of half of it. */
static void turn_flat(const Body *body, float q[4])
{
  PetscReal along = 0, across = 0, half;

  for (PetscInt k = 0; k < body->n; k++) {
    PetscReal r[3], x[3];

    widen(body->shape + 3 * k, r);
    widen(body->now + 3 * k, x);
    along += r[0] * x[0] + r[1] * x[1];
    across += r[0] * x[1] - r[1] * x[0];
  }
  half = 0.5 * atan2(across, along);
  q[0] = (float)cos(half);
  q[1] = q[2] = 0;
  q[3] = (float)sin(half);
}

/* 3D: by the two nodes that span the greatest area with the centre. */
static void turn_solid(const Body *body, float q[4])
{
  PetscInt  far = 0, aside = 0;
  PetscReal a[3], b[3], c[3], greatest = -1, before[3][3], after[3][3], R[3][3];

  for (PetscInt k = 0; k < body->n; k++) {
    widen(body->shape + 3 * k, a);
    if (v_dot(a, a) > greatest) greatest = v_dot(a, a), far = k;
  }
  widen(body->shape + 3 * far, a);
  greatest = -1;
  for (PetscInt k = 0; k < body->n; k++) {
    widen(body->shape + 3 * k, b);
    v_cross(a, b, c);
    if (v_dot(c, c) > greatest) greatest = v_dot(c, c), aside = k;
  }
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
  if (!(greatest > 0)) return; /* a point */
  widen(body->shape + 3 * aside, b);
  frame_of(a, b, before);
  widen(body->now + 3 * far, a);
  widen(body->now + 3 * aside, b);
  frame_of(a, b, after);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[i][j] =
          after[0][i] * before[0][j] + after[1][i] * before[1][j] + after[2][i] * before[2][j];
  quaternion(R, q);
}

/* ---- how fast it is ------------------------------------------------------------------------- */

/* Velocity of the centre and spin from those of the nodes: v_k - v = w x r_k, so that the sum of
   r_k x (v_k - v) is (sum of r_k.r_k I - r_k r_k) w. */
static void speed_of(const Body *body, PetscInt dim, const PetscInt *node, const PetscReal *all,
                     float out[6])
{
  PetscReal v[3] = {0}, L[3] = {0}, J[3][3] = {{0}}, w[3] = {0}, r[3], d[3], c[3], det;

  for (PetscInt k = 0; k < body->n; k++)
    for (int i = 0; i < 3; i++) v[i] += all[3 * node[k] + i] / (PetscReal)body->n;
  for (PetscInt k = 0; k < body->n; k++) {
    widen(body->now + 3 * k, r);
    for (int i = 0; i < 3; i++) d[i] = all[3 * node[k] + i] - v[i];
    v_cross(r, d, c);
    for (int i = 0; i < 3; i++) {
      L[i] += c[i];
      for (int j = 0; j < 3; j++) J[i][j] += (i == j ? v_dot(r, r) : 0) - r[i] * r[j];
    }
  }
  if (dim == 2)
    w[2] = J[2][2] > 0 ? L[2] / J[2][2] : 0;
  else {
    v_cross(J[1], J[2], c);
    det = v_dot(J[0], c);
    for (int i = 0; i < 3 && det != 0; i++) { /* Cramer; J is symmetric */
      v_cross(J[(i + 1) % 3], J[(i + 2) % 3], c);
      w[i] = v_dot(L, c) / det;
    }
  }
  for (int i = 0; i < 3; i++) {
    out[i] = (float)v[i];
    out[3 + i] = (float)w[i];
  }
}

/* First node of the body whose node k is, and of the one after. */
static Body body_at(const CrFilm *film, PetscInt f, PetscInt k)
{
  PetscInt end = k;

  while (end < film->nnodes && film->node_body[end] == film->node_body[k]) end++;
  return (Body){end - k, film->shape + 3 * (k - film->first_rigid_node),
                film->offset + 3 * (f * film->nnodes + k)};
}

void CrFilmTurn(CrFilm *film, PetscInt f)
{
  for (PetscInt k = film->first_rigid_node, n; k < film->nnodes; k += n) {
    const PetscInt b = film->node_body[k] - film->first_rigid;
    const Body     body = body_at(film, f, k);
    float         *q = film->turn + 4 * (f * (film->nbodies - film->first_rigid) + b);

    if (film->dim == 2)
      turn_flat(&body, q);
    else
      turn_solid(&body, q);
    n = body.n;
  }
}

void CrFilmSpeed(CrFilm *film, PetscInt f, const PetscReal *velocity)
{
  if (!film->speed) return;
  for (PetscInt k = film->first_rigid_node, n; k < film->nnodes; k += n) {
    const PetscInt b = film->node_body[k] - film->first_rigid;
    const Body     body = body_at(film, f, k);

    speed_of(&body, film->dim, film->node + k, velocity,
             film->speed + 6 * (f * (film->nbodies - film->first_rigid) + b));
    n = body.n;
  }
}
