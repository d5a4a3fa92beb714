/* Signed distances from surfaces at their present place, against all facets one by one, against winding numbers,
   and against formulas. */
#include "model_from_text.h"
#include "base/vector.h"
#include "contact/geometry/shell.h"

#define ROOM 400 /* facets of the largest surface */

static unsigned seed = 7;

typedef struct {
  Problem    p;
  CrSurface *surface;
  CrShell   *shell;
  PetscReal *u;
} Case;

static void open_case(Case *c, int dim, const char *mesh, const char *set)
{
  const CrModel *m;

  CHECK_OK(problem_open(&c->p,
                        "carom: 1\ndimension: %d\nmaterials: [{name: m, lambda: 1, shear: 1, "
                        "density: 1}]\nbodies: [{name: b, material: m, mesh: {%s}}]\n"
                        "time: {method: explicit, step: 1e-3, end: 1}\n",
                        dim, mesh));
  m = c->p.model;
  for (PetscInt s = 0; s < m->nsets; s++)
    if (!strcmp(m->sets[s].name, set)) CHECK_OK(CrSurfaceCreate(m, &m->sets[s], &c->surface));
  CHECK_OK(CrShellCreate(m, c->surface, 20, &c->shell));
  c->u = calloc((size_t)(m->nlocal * m->dim), sizeof *c->u);
}

static void close_case(Case *c)
{
  CHECK_OK(CrShellDestroy(&c->shell));
  CHECK_OK(CrSurfaceDestroy(&c->surface));
  CHECK_OK(problem_close(&c->p));
  free(c->u);
}

static void place(Case *c)
{
  CrShellPlace(c->p.model, c->u, c->shell);
  CHECK_OK(CrShellFit(c->shell));
}

/* Every node goes to another distance from the origin: a star with dents and spikes, which does not cut itself. */
static void make_star(Case *c, PetscReal least, PetscReal most)
{
  const CrModel *m = c->p.model;

  for (PetscInt A = 0; A < m->nlocal; A++) {
    PetscReal r = (most + least) / 2 + (most - least) / 2 * random_number(&seed);

    for (PetscInt i = 0; i < m->dim; i++) c->u[m->dim * A + i] = (r - 1) * m->X[m->dim * A + i];
  }
  place(c);
}

/* ---- by other means ------------------------------------------------------------------------- */

/* The triangles of a facet; a segment is one with its first corner twice. */
static int triangles_of(const Case *c, PetscInt f, PetscReal t[4][3][3])
{
  const PetscInt n = c->surface->ncorners[f];

  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++) {
      t[k][0][i] = CrShellCorner(c->shell, f, n == 4 ? k : 0)[i];
      t[k][1][i] = CrShellCorner(c->shell, f, n == 4 ? (k + 1) % 4 : 1)[i];
      t[k][2][i] = n == 2 ? t[k][0][i] : n == 3 ? CrShellCorner(c->shell, f, 2)[i] : 0;
      for (int a = 0; n == 4 && a < 4; a++) t[k][2][i] += CrShellCorner(c->shell, f, a)[i] / 4;
    }
  return n == 4 ? 4 : 1;
}

static PetscReal from_segment(const PetscReal a[3], const PetscReal b[3], const PetscReal x[3])
{
  PetscReal e[3], w[3], t;

  v_less(b, a, e);
  v_less(x, a, w);
  t = v_dot(e, e) > 0 ? PetscMax(0, PetscMin(1, v_dot(e, w) / v_dot(e, e))) : 0;
  v_add(w, -t, e);
  return v_length(w);
}

/* Distance from a triangle: from its plane, if the projection has three positive areas, else from its edges. */
static PetscReal from_triangle(PetscReal t[3][3], const PetscReal x[3])
{
  PetscReal least = PETSC_MAX_REAL, n[3], s[3], r[3], w[3], q[3];
  int       in = 1;

  v_less(t[1], t[0], s);
  v_less(t[2], t[0], r);
  v_cross(s, r, n);
  for (int k = 0; k < 3; k++) {
    least = PetscMin(least, from_segment(t[k], t[(k + 1) % 3], x));
    v_less(t[(k + 1) % 3], t[k], s);
    v_less(x, t[k], w);
    v_cross(s, w, q);
    in = in && v_dot(q, n) > 0;
  }
  return in ? PetscAbsReal(v_dot(w, n)) / v_length(n) : least;
}

static PetscReal distance_of(const Case *c, const PetscReal x[3])
{
  PetscReal least = PETSC_MAX_REAL, t[4][3][3];

  for (PetscInt f = 0; f < c->surface->nfacets; f++)
    for (int k = triangles_of(c, f, t) - 1; k >= 0; k--)
      least = PetscMin(least, from_triangle(t[k], x));
  return least;
}

/* How often the surface goes around x: 1 inside, 0 outside. 2D: angles; 3D: solid angles (van Oosterom and
   Strackee 1983). */
static PetscReal winding(const Case *c, const PetscReal x[3])
{
  PetscReal sum = 0, t[4][3][3];

  for (PetscInt f = 0; f < c->surface->nfacets; f++)
    for (int k = triangles_of(c, f, t) - 1; k >= 0; k--) {
      PetscReal w[3][3], l[3], n[3];

      for (int a = 0; a < 3; a++) {
        v_less(t[k][a], x, w[a]);
        l[a] = v_length(w[a]);
      }
      v_cross(w[1], w[2], n);
      if (c->surface->dim == 2)
        sum += PetscAtan2Real(w[0][0] * w[1][1] - w[0][1] * w[1][0], v_dot(w[0], w[1])) /
               (2 * PETSC_PI);
      else
        sum += PetscAtan2Real(v_dot(w[0], n), l[0] * l[1] * l[2] + v_dot(w[0], w[1]) * l[2] +
                                                  v_dot(w[1], w[2]) * l[0] +
                                                  v_dot(w[2], w[0]) * l[1]) /
               (2 * PETSC_PI);
    }
  return sum;
}

static void compare(const Case *c, PetscInt n, PetscInt *inside)
{
  for (PetscInt k = 0; k < n; k++) {
    PetscReal   x[3] = {0}, d, w;
    PetscInt    found[ROOM];
    CrShellFoot foot;

    for (PetscInt i = 0; i < c->surface->dim; i++) x[i] = 1.6 * random_number(&seed);
    CrShellFootOf(c->shell, x, &foot);
    d = distance_of(c, x);
    w = winding(c, x);
    CHECK(PetscAbsReal(w - round(w)) < 1e-9);
    CHECK_NEAR(foot.distance, w > 0.5 ? -d : d, 1e-13);
    CHECK(!foot.rim);
    CHECK(CrShellIsInside(c->shell, x, ROOM, found) == (w > 0.5));
    *inside += w > 0.5;
  }
}

/* Closed stars: segments, triangles, quadrilaterals. */
static void test_stars(void)
{
  const struct {
    int         dim;
    const char *mesh;
  } cases[] = {
      {2, "disc: {radius: 1, core: 6, rings: 2}"},
      {3, "ball: {radius: 1, elements: 4}"},
      {3, "block: {from: [-0.6, -0.6, -0.6], to: [0.6, 0.6, 0.6], elements: [3, 3, 3], type: T4}"}};

  for (int k = 0; k < 3; k++) {
    Case     c = {0};
    PetscInt inside = 0;

    open_case(&c, cases[k].dim, cases[k].mesh, "boundary");
    for (int again = 0; again < 4; again++) {
      make_star(&c, 0.5, 1.5);
      compare(&c, 300, &inside);
    }
    CHECK(inside > 40 && inside < 1160);
    close_case(&c);
  }
}

/* Warped quadrilaterals: a point of the bilinear surface is on it, and one above it along the normal is as far away. */
static void test_warped(void)
{
  Case c = {0};

  open_case(&c, 3, "ball: {radius: 1, elements: 3}", "boundary");
  make_star(&c, 0.95, 1.05);
  for (PetscInt f = 0; f < c.surface->nfacets; f++)
    for (int k = -1; k <= 1; k++) {
      const PetscReal a = 0.4, b = -0.3;
      const PetscReal N[4] = {(1 - a) * (1 - b) / 4, (1 + a) * (1 - b) / 4, (1 + a) * (1 + b) / 4,
                              (1 - a) * (1 + b) / 4};
      const PetscReal A[4] = {b - 1, 1 - b, 1 + b, -1 - b}, B[4] = {a - 1, -1 - a, 1 + a, 1 - a};
      PetscReal       x[3] = {0}, s[3] = {0}, t[3] = {0}, n[3];
      CrShellFoot     foot;

      for (int i = 0; i < 4; i++) {
        v_add(x, N[i], CrShellCorner(c.shell, f, i));
        v_add(s, A[i], CrShellCorner(c.shell, f, i));
        v_add(t, B[i], CrShellCorner(c.shell, f, i));
      }
      v_cross(s, t, n);
      v_unit(n);
      v_add(x, 1e-3 * k, n);
      CrShellFootOf(c.shell, x, &foot);
      CrShellRefine(c.shell, x, &foot);
      CHECK_NEAR(foot.distance, 1e-3 * k, 1e-13);
    }
  close_case(&c);
}

/* A cube: the formula, at places on either side of faces, edges and corners. */
static void test_cube(void)
{
  Case c = {0};

  open_case(&c, 3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [3, 2, 4]}", "boundary");
  place(&c);
  CHECK(c.shell->nedges == 4 * (3 + 2 + 4));
  for (int k = 0; k < 500; k++) {
    PetscReal   x[3], out = 0, in = PETSC_MAX_REAL;
    CrShellFoot foot;

    for (int i = 0; i < 3; i++) {
      x[i] = 0.5 + (k % 2 ? 0.8 : 0.501) * random_number(&seed);
      out += PetscSqr(PetscMax(0, PetscMax(-x[i], x[i] - 1)));
      in = PetscMin(in, PetscMin(x[i], 1 - x[i]));
    }
    CrShellFootOf(c.shell, x, &foot);
    CHECK_NEAR(foot.distance, in > 0 ? -in : PetscSqrtReal(out), 1e-14);
  }
  close_case(&c);
}

/* An open surface: a sign over its facets, none beyond its rim. */
static void test_open(void)
{
  Case        c = {0};
  CrShellFoot foot;

  open_case(&c, 2, "block: {from: [0, 0], to: [4, 1], elements: [4, 1]}", "top");
  place(&c);
  CrShellFootOf(c.shell, (PetscReal[]){1.3, 0.8, 0}, &foot);
  CHECK_NEAR(foot.distance, -0.2, 1e-15);
  CHECK(!foot.rim && foot.facet == 1);
  CrShellFootOf(c.shell, (PetscReal[]){2, 1.25, 0}, &foot);
  CHECK_NEAR(foot.distance, 0.25, 1e-15);
  CHECK(!foot.rim);
  CrShellFootOf(c.shell, (PetscReal[]){4.1, 0.9, 0}, &foot);
  CHECK(foot.rim);
  close_case(&c);
}

/* After a small way the tree's boxes stay, after a long one they follow; answers are right in both cases. */
static void test_moves(void)
{
  Case        c = {0};
  CrShellFoot foot;

  open_case(&c, 2, "block: {from: [0, 0], to: [1, 1], elements: [8, 8]}", "boundary");
  place(&c);
  for (int k = 1; k <= 60; k++) {
    for (PetscInt A = 0; A < c.p.model->nlocal; A++) c.u[2 * A] = 0.005 * k;
    place(&c);
    CrShellFootOf(c.shell, (PetscReal[]){1 + 0.005 * k - 0.03, 0.5, 0}, &foot);
    CHECK_NEAR(foot.distance, -0.03, 1e-14);
  }
  CHECK_NEAR(c.shell->moved, 0.3, 1e-13);
  close_case(&c);
}

/* A straight edge across the edge of a cube, neither end inside: the smaller way out. */
static void test_edges(void)
{
  Case        c = {0};
  PetscInt    found[200];
  CrShellFoot foot;

  open_case(&c, 3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}", "boundary");
  place(&c);
  /* enters through x = 1 at height 0.9 and leaves through z = 1 at x = 0.8 */
  CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){1.4, 0.4, 0.7}, (PetscReal[]){0.4, 0.4, 1.2},
                              200, found, &foot),
             0.1, 1e-14);
  CHECK_NEAR(foot.foot[0], 0.9, 1e-14);
  CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){1.4, 0.4, 0.9}, (PetscReal[]){0.4, 0.4, 1.4},
                              200, found, &foot),
             0, 0);
  /* an end inside, 0.2 below x = 1, where the edge comes in or goes out */
  CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){1.4, 0.4, 0.7}, (PetscReal[]){0.8, 0.4, 0.7},
                              200, found, &foot),
             0.2, 1e-14);
  CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){0.8, 0.4, 0.7}, (PetscReal[]){1.4, 0.4, 0.7},
                              200, found, &foot),
             0.2, 1e-14);
  /* an end that touches the face, inside or outside by rounding */
  for (int k = -1; k <= 1; k++)
    CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){1 + k * 1e-15, 0.4, 0.9},
                                (PetscReal[]){0.6, 0.4, 1.1}, 200, found, &foot),
               0.1, 1e-13);
  close_case(&c);
}

/* An edge below the ridge of a flat roof, neither end inside: lifting it by its depth moves it out. */
static void test_edge_below_roof(void)
{
  Case        c = {0};
  PetscInt    found[200];
  CrShellFoot foot;

  open_case(&c, 3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2]}", "boundary");
  for (PetscInt A = 0; A < c.p.model->nlocal; A++) {
    const PetscReal *X = c.p.model->X + 3 * A;

    c.u[3 * A + 2] = X[2] > 0.9 && PetscAbsReal(X[0] - 0.5) < 0.1 ? 0.05 : 0;
  }
  place(&c);
  /* the roof rises from 1 to 1.05, and the edge has the height 1.02 */
  CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){-0.4, 0.4, 1.02},
                              (PetscReal[]){1.4, 0.4, 1.02}, 200, found, &foot),
             0.03, 6e-4);
  /* both ends touch the roof: rounding puts them inside or outside, and the depth stays the same */
  for (int k = -1; k <= 1; k++)
    for (int m = -1; m <= 1; m++)
      CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){0.2, 0.4, 1.02 + k * 1e-14},
                                  (PetscReal[]){0.8, 0.4, 1.02 + m * 1e-14}, 200, found, &foot),
                 0.03, 6e-4);
  close_case(&c);
}

/* An edge that begins on the ridge of one roof and goes below that of the next: rounding puts its begin on either side
   of the surface, or on it, and the depth below the next ridge stays the same. */
static void test_edge_from_ridge_to_ridge(void)
{
  Case            c = {0};
  PetscInt        found[400];
  CrShellFoot     foot;
  const PetscReal q[3] = {1, 0.4, 1.02};
  PetscReal       above;

  open_case(&c, 3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [4, 2, 2]}", "boundary");
  for (PetscInt A = 0; A < c.p.model->nlocal; A++) {
    const PetscReal *X = c.p.model->X + 3 * A;

    c.u[3 * A + 2] = X[2] > 0.9 && PetscAbsReal(PetscAbsReal(X[0] - 0.5) - 0.25) < 0.1 ? 0.05 : 0;
  }
  place(&c);
  above = CrShellEdgeDepth(c.shell, (PetscReal[]){0.25, 0.4, 1.05 + 1e-9}, q, 400, found, &foot);
  CHECK(above > 0.01 && above < 0.02);
  for (int k = -3; k <= 3; k++)
    CHECK_NEAR(CrShellEdgeDepth(c.shell, (PetscReal[]){0.25, 0.4, 1.05 + k * 2.3e-16}, q, 400,
                                found, &foot),
               above, 1e-8);
  close_case(&c);
}

/* Marks the facets above a height in the reference shape, and the nodes of all facets around their corners. */
static void mark_above(const Case *c, PetscReal height, char *facets, char *nodes)
{
  const CrSurface *s = c->surface;
  PetscInt        *index;

  CHECK_OK(CrSurfaceIndex(c->p.model, s, &index));
  for (PetscInt f = 0; f < s->nfacets; f++) {
    for (PetscInt a = 0; a < s->ncorners[f]; a++)
      if (c->p.model->X[3 * s->corners[4 * f + a] + 2] > height) facets[f] = 1;
    for (PetscInt a = 0; facets[f] && a < s->ncorners[f]; a++) {
      PetscInt i = index[s->corners[4 * f + a]];

      for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
        for (PetscInt b = 0; b < s->ncorners[s->around[k]]; b++)
          nodes[index[s->corners[4 * s->around[k] + b]]] = 1;
    }
  }
  CHECK_OK(PetscFree(index));
}

/* A part of a shell gives the distances of the whole near its facets, also after a motion, and its arrays are as long as
   the part. */
static void test_part(void)
{
  Case      c = {0};
  char      facets[ROOM] = {0}, nodes[ROOM] = {0};
  CrShell  *part;
  PetscReal moved;

  open_case(&c, 3, "ball: {center: [0, 0, 0], radius: 1, elements: 4}", "boundary");
  CHECK(c.surface->nfacets <= ROOM && c.surface->nnodes <= ROOM);
  CHECK_OK(CrShellCreate(c.p.model, c.surface, 20, &part));
  mark_above(&c, 0.6, facets, nodes);
  for (int round = 0; round < 3; round++) {
    make_star(&c, 0.97, 1.03);
    if (round == 1) CHECK_OK(CrShellRestrict(c.p.model, part, facets, nodes));
    moved = CrShellPlace(c.p.model, c.u, part);
    CHECK(moved >= 0 && moved < 0.06);
    CHECK_OK(CrShellFit(part));
    for (int k = 0; k < 200; k++) {
      PetscReal   x[3] = {0.3 * random_number(&seed), 0.3 * random_number(&seed),
                          0.95 + 0.2 * random_number(&seed)};
      CrShellFoot foot, whole;

      CrShellFootOf(part, x, &foot);
      CrShellFootOf(c.shell, x, &whole);
      CHECK(foot.facet == whole.facet && foot.distance == whole.distance);
    }
  }
  CHECK(part->nnodes < c.surface->nnodes && part->nknown < c.surface->nfacets);
  CHECK(part->nfacets < part->nknown && !part->whole && c.shell->whole);
  for (PetscInt k = 0; k < part->nnodes; k++)
    for (int i = 0; i < 3; i++)
      CHECK(CrShellNode(part, part->nodes[k])[i] == CrShellNode(c.shell, part->nodes[k])[i]);
  CHECK_OK(CrShellDestroy(&part));
  close_case(&c);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_stars();
  test_warped();
  test_cube();
  test_open();
  test_moves();
  test_edges();
  test_edge_below_roof();
  test_edge_from_ridge_to_ridge();
  test_part();
  return check_end();
}
