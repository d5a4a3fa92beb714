/* Finds the faces of the convex hull of few points. In 3D the program first moves the points by random displacements
   that are far larger than rounding errors and far smaller than any relevant length. Then no four points lie in a
   plane. It finds all triangles of points that have all other points on one side. Triangles that lie in a plane up to
   the tolerance `flat` form one face, because coordinates in a deck have a limited number of digits. The search takes
   O(n^4) operations at most, once when the deck is read. */
#include "rigid/internal.h"

#define MOVE 1e-10 /* of the size */

typedef struct {
  PetscInt   n;
  PetscReal *x;              /* [3n] points, none twice */
  PetscReal  flat;           /* what counts as in a plane */
  PetscReal *moved;          /* [3n] points, for who is below whom */
  PetscInt   nt, (*tri)[3];  /* triangles, counter-clockwise from outside */
  PetscInt  *across, *group; /* [3nt] triangle behind the edge that begins at a corner; [nt] face */
  PetscInt   nf, nlinks;
  PetscReal *normals;      /* [3nf] */
  PetscInt  *start, *loop; /* [nf+1], [nlinks] */
} Faces;

/* ---- triangles ------------------------------------------------------------------------------- */

static void move_points(PetscReal size, unsigned seed, Faces *h)
{
  for (PetscInt k = 0; k < 3 * h->n; k++) {
    seed = seed * 1664525u + 1013904223u;
    h->moved[k] = h->x[k] + MOVE * size * ((PetscReal)(seed >> 8) / (1u << 24) - 0.5);
  }
}

/* 1: all other points are below the triangle, -1: above, 0: on both sides. */
static int side_of(const Faces *h, PetscInt i, PetscInt j, PetscInt k)
{
  PetscReal a[3], b[3], c[3], d[3];
  int       side = 0;

  v_less(h->moved + 3 * j, h->moved + 3 * i, a);
  v_less(h->moved + 3 * k, h->moved + 3 * i, b);
  v_cross(a, b, c);
  for (PetscInt l = 0; l < h->n; l++) {
    int other;

    if (l == i || l == j || l == k) continue;
    v_less(h->moved + 3 * l, h->moved + 3 * i, d);
    other = v_dot(c, d) < 0 ? 1 : -1;
    if (side == -other) return 0;
    side = other;
  }
  return side;
}

/* Twice as many triangles as corners less four: more say that rounding decided. */
static void find_triangles(Faces *h)
{
  h->nt = 0;
  for (PetscInt i = 0; i < h->n; i++)
    for (PetscInt j = i + 1; j < h->n; j++)
      for (PetscInt k = j + 1; k < h->n && h->nt < 2 * h->n; k++) {
        int side = side_of(h, i, j, k);

        if (!side) continue;
        h->tri[h->nt][0] = i;
        h->tri[h->nt][1] = side > 0 ? j : k;
        h->tri[h->nt++][2] = side > 0 ? k : j;
      }
}

/* The triangles behind the edges; false: some edge has none. */
static PetscBool find_neighbours(Faces *h)
{
  for (PetscInt t = 0; t < h->nt; t++)
    for (int e = 0; e < 3; e++) {
      h->across[3 * t + e] = -1;
      for (PetscInt o = 0; o < 3 * h->nt; o++)
        if (h->tri[o / 3][o % 3] == h->tri[t][(e + 1) % 3] &&
            h->tri[o / 3][(o + 1) % 3] == h->tri[t][e])
          h->across[3 * t + e] = o / 3;
      if (h->across[3 * t + e] < 0) return PETSC_FALSE;
    }
  return PETSC_TRUE;
}

/* ---- faces ----------------------------------------------------------------------------------- */

/* Twice the area of a triangle, with its normal; 0 if it is flatter than what is in a plane. */
static PetscReal area_of(const Faces *h, PetscInt t, PetscReal normal[3])
{
  const PetscReal *p = h->x + 3 * h->tri[t][0], *q = h->x + 3 * h->tri[t][1];
  const PetscReal *r = h->x + 3 * h->tri[t][2];
  PetscReal        a[3], b[3], c[3], area, longest;

  v_less(q, p, a);
  v_less(r, p, b);
  v_less(r, q, c);
  v_cross(a, b, normal);
  area = v_unit(normal);
  longest = PetscMax(v_length(a), PetscMax(v_length(b), v_length(c)));
  return area > h->flat * longest ? area : 0;
}

static PetscBool is_in_plane(const Faces *h, PetscInt t, const PetscReal normal[3], PetscReal at)
{
  for (int k = 0; k < 3; k++)
    if (fabs(v_dot(normal, h->x + 3 * h->tri[t][k]) - at) > h->flat) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* The face of triangle t: all that hang together with it in its plane. */
static void grow_face(Faces *h, PetscInt t, const PetscReal normal[3])
{
  PetscReal at = v_dot(normal, h->x + 3 * h->tri[t][0]);
  PetscBool grows = PETSC_TRUE;

  v_copy(normal, h->normals + 3 * h->nf);
  h->group[t] = h->nf;
  while (grows) {
    grows = PETSC_FALSE;
    for (PetscInt o = 0; o < 3 * h->nt; o++) {
      PetscInt other = h->across[o];

      if (h->group[o / 3] != h->nf || h->group[other] >= 0 || !is_in_plane(h, other, normal, at))
        continue;
      h->group[other] = h->nf;
      grows = PETSC_TRUE;
    }
  }
  h->nf++;
}

/* Largest triangles first: their planes are the best known. What is left has no area of its own and
   goes to a neighbour. */
static void group_triangles(Faces *h)
{
  PetscBool left = PETSC_TRUE;

  h->nf = 0;
  for (PetscInt t = 0; t < h->nt; t++) h->group[t] = -1;
  for (;;) {
    PetscReal best = 0, normal[3] = {0}, n[3] = {0};
    PetscInt  seed = -1;

    for (PetscInt t = 0; t < h->nt; t++) {
      PetscReal area = h->group[t] < 0 ? area_of(h, t, n) : 0;

      if (!(area > best)) continue;
      best = area;
      seed = t;
      v_copy(n, normal);
    }
    if (seed < 0) break;
    grow_face(h, seed, normal);
  }
  for (PetscInt again = 0; left && h->nf && again < h->nt; again++) {
    left = PETSC_FALSE;
    for (PetscInt o = 0; o < 3 * h->nt; o++) {
      if (h->group[o / 3] < 0 && h->group[h->across[o]] >= 0)
        h->group[o / 3] = h->group[h->across[o]];
      if (h->group[o / 3] < 0) left = PETSC_TRUE;
    }
  }
}

/* The edges of a face against others, one after the other; false: they are no single round. */
static PetscBool walk_around(Faces *h, PetscInt f, PetscInt *next)
{
  PetscInt edges = 0, first = -1, at;

  for (PetscInt k = 0; k < h->n; k++) next[k] = -1;
  for (PetscInt o = 0; o < 3 * h->nt; o++) {
    if (h->group[o / 3] != f || h->group[h->across[o]] == f) continue;
    first = h->tri[o / 3][o % 3];
    next[first] = h->tri[o / 3][(o + 1) % 3];
    edges++;
  }
  h->start[f] = h->nlinks;
  for (at = first; at >= 0 && h->nlinks - h->start[f] < edges; at = next[at])
    h->loop[h->nlinks++] = at;
  return edges && at == first;
}

/* Points on the edge of two faces are no corners. */
static PetscBool drop_points_on_edges(Faces *h, PetscInt *count)
{
  PetscInt n = 0;

  for (PetscInt k = 0; k < h->n; k++) count[k] = 0;
  for (PetscInt k = 0; k < h->nlinks; k++) count[h->loop[k]]++;
  for (PetscInt f = 0; f < h->nf; f++) {
    PetscInt begin = n;

    for (PetscInt k = h->start[f]; k < h->start[f + 1]; k++)
      if (count[h->loop[k]] > 2) h->loop[n++] = h->loop[k];
    h->start[f] = begin;
    if (n - begin < 3) return PETSC_FALSE;
  }
  h->start[h->nf] = h->nlinks = n;
  return PETSC_TRUE;
}

static PetscBool find_loops(Faces *h, PetscInt *work)
{
  h->nlinks = 0;
  for (PetscInt f = 0; f < h->nf; f++)
    if (!walk_around(h, f, work)) return PETSC_FALSE;
  h->start[h->nf] = h->nlinks;
  return h->nf > 3 ? drop_points_on_edges(h, work) : PETSC_FALSE;
}

/* ---- the plane ------------------------------------------------------------------------------- */

static PetscReal turn_of(const Faces *h, PetscInt a, PetscInt b, PetscInt c)
{
  PetscReal u[3], w[3], d[3];

  v_less(h->x + 3 * b, h->x + 3 * a, u);
  v_less(h->x + 3 * c, h->x + 3 * a, w);
  v_cross(u, w, d);
  return d[2] / PetscMax(v_length(w), PETSC_MACHINE_EPSILON); /* distance of b from the line */
}

static PetscBool is_before(const PetscReal *a, const PetscReal *b)
{
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* The chain of Andrew (1979): from left to right below, and back above. Sides as pairs of corners. */
static void find_sides(Faces *h, PetscInt *order, PetscInt *chain)
{
  PetscInt m = 0;

  for (PetscInt k = 0; k < h->n; k++) { /* by insertion: few points */
    PetscInt at = k;

    for (; at > 0 && is_before(h->x + 3 * k, h->x + 3 * order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  for (PetscInt half = 0, low = 1; half < 2; half++, low = m) {
    for (PetscInt k = half; k < h->n; k++) {
      PetscInt p = order[half ? h->n - 1 - k : k];

      while (m > low && turn_of(h, chain[m - 2], chain[m - 1], p) <= h->flat) m--;
      chain[m++] = p;
    }
  }
  m--; /* the first point again */
  h->nf = m > 2 ? m : 0;
  for (PetscInt f = 0; f < h->nf; f++) {
    PetscReal t[3];

    h->loop[2 * f] = chain[f];
    h->loop[2 * f + 1] = chain[(f + 1) % m];
    h->start[f] = 2 * f;
    v_less(h->x + 3 * h->loop[2 * f + 1], h->x + 3 * h->loop[2 * f], t);
    h->normals[3 * f] = t[1];
    h->normals[3 * f + 1] = -t[0];
    h->normals[3 * f + 2] = 0;
    v_unit(h->normals + 3 * f);
  }
  h->start[h->nf] = h->nlinks = 2 * h->nf;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void take_points(PetscInt n, const PetscReal *x, Faces *h)
{
  h->n = 0;
  for (PetscInt k = 0; k < n; k++) {
    PetscInt l = 0;

    for (; l < h->n; l++) {
      PetscReal d[3];

      v_less(x + 3 * k, h->x + 3 * l, d);
      if (v_length(d) <= h->flat) break;
    }
    if (l == h->n) v_copy(x + 3 * k, h->x + 3 * h->n++);
  }
}

/* The shape's corners, in their order, and its faces. */
static PetscErrorCode fill_shape(const Faces *h, PetscInt *number, CrShape *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(3 * h->nf, &s->normals));
  PetscCall(PetscMalloc1(h->nf, &s->offsets));
  PetscCall(PetscMalloc1(h->nf + 1, &s->face_start));
  PetscCall(PetscMalloc1(h->nlinks, &s->face_vertices));
  for (PetscInt k = 0; k < h->n; k++) number[k] = -1;
  for (PetscInt k = 0; k < h->nlinks; k++) number[h->loop[k]] = 0;
  for (PetscInt k = 0; k < h->n; k++)
    if (number[k] == 0) number[k] = s->nvertices++;
  PetscCall(PetscMalloc1(3 * s->nvertices, &s->vertices));
  for (PetscInt k = 0; k < h->n; k++)
    if (number[k] >= 0) v_copy(h->x + 3 * k, s->vertices + 3 * number[k]);
  s->nfaces = h->nf;
  PetscCall(PetscArraycpy(s->face_start, h->start, h->nf + 1));
  PetscCall(PetscArraycpy(s->normals, h->normals, 3 * h->nf));
  for (PetscInt k = 0; k < h->nlinks; k++) s->face_vertices[k] = number[h->loop[k]];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeFindFaces(CrShape *s, PetscInt n, const PetscReal *x, PetscReal size,
                                PetscBool *found)
{
  static const PetscReal flat[] = {1e-7, 1e-8, 1e-9, 1e-6, 1e-5}; /* of the size, in turn */
  Faces                  h = {0};
  PetscInt              *work, *chain;

  PetscFunctionBeginUser;
  *found = PETSC_FALSE;
  PetscCall(
      PetscMalloc5(3 * n, &h.x, 3 * n, &h.moved, 2 * n, &h.tri, 6 * n, &h.across, 2 * n, &h.group));
  PetscCall(PetscMalloc5(6 * n, &h.normals, 2 * n + 1, &h.start, 6 * n, &h.loop, n, &work,
                         2 * n + 1, &chain));
  for (size_t k = 0; !*found && k < PETSC_STATIC_ARRAY_LENGTH(flat); k++) {
    h.flat = flat[k] * size;
    take_points(n, x, &h);
    if (s->dim == 2) {
      find_sides(&h, work, chain);
      *found = h.nf > 2;
      continue;
    }
    move_points(size, (unsigned)k + 1, &h);
    find_triangles(&h);
    if (h.nt < 4 || !find_neighbours(&h)) continue;
    group_triangles(&h);
    *found = find_loops(&h, work);
  }
  if (*found) PetscCall(fill_shape(&h, work, s));
  PetscCall(PetscFree5(h.x, h.moved, h.tri, h.across, h.group));
  PetscCall(PetscFree5(h.normals, h.start, h.loop, work, chain));
  PetscFunctionReturn(PETSC_SUCCESS);
}
