/* Surfaces as contact sees them: split facets, areas of nodes, neighbours, patches; against trying
   all pairs, against formulas for plane shapes, and against integrals over closed surfaces. */
#include "model_from_text.h"
#include "contact/geometry/surface.h"

/* ---- bodies ------------------------------------------------------------------------------- */

static PetscErrorCode open_body(Problem *p, PetscInt dim, const char *mesh)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\ndimension: %d\n%smaterials: [{name: m, lambda: 1, shear: 1, "
                         "density: 1}]\nbodies: [{name: b, material: m, mesh: {%s}}]\n"
                         "time: {method: explicit, step: 1e-3, end: 1}\n",
                         (int)dim, dim == 2 ? "thickness: 0.5\n" : "", mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const CrModelSet *find_set(const CrModel *model, const char *name)
{
  for (PetscInt s = 0; s < model->nsets; s++)
    if (!strcmp(model->sets[s].name, name)) return &model->sets[s];
  CHECK(!"the set exists");
  exit(1);
}

/* A surface by hand: as much of a model as a surface looks at. */
typedef struct {
  CrModel      model;
  CrModelSet   set;
  PetscReal    X[3 * 32];
  PetscInt     nodes[32], natural[32];
  CrLocalFacet facets[32];
} Hand;

static void hand_start(Hand *h, PetscInt dim, PetscInt nnodes, const PetscReal *X)
{
  memset(h, 0, sizeof *h);
  memcpy(h->X, X, sizeof *X * (size_t)(dim * nnodes));
  h->model = (CrModel){.dim = dim,
                       .thickness = 1,
                       .nlocal = nnodes,
                       .nowned = nnodes,
                       .X = h->X,
                       .natural = h->natural};
  h->set = (CrModelSet){.name = "by hand",
                        .is_surface = PETSC_TRUE,
                        .nnodes = nnodes,
                        .nodes = h->nodes,
                        .facets = h->facets};
  for (PetscInt A = 0; A < nnodes; A++) h->nodes[A] = h->natural[A] = A;
}

static void hand_add(Hand *h, CrCellType type, const PetscInt *nodes)
{
  CrLocalFacet *facet = &h->facets[h->set.nfacets++];

  facet->type = type;
  for (PetscInt a = 0; a < CrCells[type].nnodes; a++) facet->nodes[a] = nodes[a];
}

/* ---- geometry of facets, by other means than the surface's own ---------------------------- */

/* Corner a of facet f in the reference shape. */
static const PetscReal *corner(const CrModel *model, const CrSurface *s, PetscInt f, PetscInt a)
{
  static PetscReal at[8][3];
  static int       next;
  PetscReal       *x = at[next++ % 8];

  for (PetscInt i = 0; i < 3; i++)
    x[i] = i < s->dim ? model->X[s->dim * s->corners[4 * f + a] + i] : 0;
  return x;
}

static void cross_of(const PetscReal *o, const PetscReal *a, const PetscReal *b, PetscReal n[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    n[i] = (a[j] - o[j]) * (b[k] - o[k]) - (a[k] - o[k]) * (b[j] - o[j]);
  }
}

/* Area vector: of a segment turned clockwise, of the rest as a fan of triangles. */
static void area_vector(const CrModel *model, const CrSurface *s, PetscInt f, PetscReal A[3])
{
  const PetscReal *o = corner(model, s, f, 0);

  A[0] = A[1] = A[2] = 0;
  if (s->dim == 2) {
    A[0] = corner(model, s, f, 1)[1] - o[1];
    A[1] = o[0] - corner(model, s, f, 1)[0];
  }
  for (PetscInt a = 1; a + 1 < s->ncorners[f]; a++) {
    PetscReal n[3];

    cross_of(o, corner(model, s, f, a), corner(model, s, f, a + 1), n);
    for (int i = 0; i < 3; i++) A[i] += 0.5 * n[i];
  }
}

/* A component of the normal at a node of the surface. */
static PetscReal normal_at(const CrModel *model, const CrSurface *s, PetscInt i, PetscInt j)
{
  PetscReal n[3];

  CrSurfaceNormal(model, s, i, n);
  return n[j];
}

static PetscReal length_of(const PetscReal a[3])
{
  return PetscSqrtReal(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* Area of corner a of a plane quad: its Jacobian is linear, so the integral of N_a J is known from J
   at the corners, which is a fourth of the products of their sides. */
static PetscReal quad_share(const CrModel *model, const CrSurface *s, PetscInt f, PetscInt a)
{
  static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  PetscReal        J[4], mean = 0, slope[2] = {0};

  for (PetscInt b = 0; b < 4; b++) {
    PetscReal n[3];

    cross_of(corner(model, s, f, b), corner(model, s, f, (b + 1) % 4),
             corner(model, s, f, (b + 3) % 4), n);
    J[b] = 0.25 * length_of(n);
    mean += J[b] / 4;
    for (int d = 0; d < 2; d++) slope[d] += J[b] * sign[b][d] / 4;
  }
  return mean + (slope[0] * sign[a][0] + slope[1] * sign[a][1]) / 3;
}

static PetscReal corner_share(const CrModel *model, const CrSurface *s, PetscInt f, PetscInt a)
{
  PetscReal A[3];

  if (s->ncorners[f] == 4) return quad_share(model, s, f, a);
  area_vector(model, s, f, A);
  return length_of(A) / (PetscReal)s->ncorners[f];
}

/* ---- what holds for every surface --------------------------------------------------------- */

/* Has facet f the node A? */
static PetscBool has_node(const CrSurface *s, PetscInt f, PetscInt A)
{
  for (PetscInt a = 0; a < s->ncorners[f]; a++)
    if (s->corners[4 * f + a] == A) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* How often the facets have the edge (2D: the end) of f, f itself included, and who the other is. */
static PetscInt count_edge(const CrSurface *s, PetscInt f, PetscInt a, PetscInt *other)
{
  PetscInt A = s->corners[4 * f + a], B = s->corners[4 * f + (a + 1) % s->ncorners[f]], n = 0;

  for (PetscInt g = 0; g < s->nfacets; g++) {
    if (!has_node(s, g, A) || (s->dim == 3 && !has_node(s, g, B))) continue;
    n++;
    if (g != f) *other = g;
  }
  return n;
}

static void check_neighbours(const CrSurface *s)
{
  PetscInt bad = 0;

  for (PetscInt f = 0; f < s->nfacets; f++)
    for (PetscInt a = 0; a < 4; a++) {
      PetscInt g = s->neighbour[4 * f + a], other = -1, mutual = 0;

      if (a >= s->ncorners[f]) {
        bad += g != -1 || s->corners[4 * f + a] != -1;
        continue;
      }
      bad += g != (count_edge(s, f, a, &other) == 2 ? other : -1);
      for (PetscInt b = 0; g >= 0 && b < s->ncorners[g]; b++)
        mutual += s->neighbour[4 * g + b] == f;
      bad += g >= 0 && mutual != 1;
    }
  CHECK(bad == 0);
}

static PetscInt count_open(const CrSurface *s)
{
  PetscInt n = 0;

  for (PetscInt f = 0; f < s->nfacets; f++)
    for (PetscInt a = 0; a < s->ncorners[f]; a++) n += s->neighbour[4 * f + a] < 0;
  return n;
}

/* Labels spread over edges that are not creases until nothing changes: the least facet of each
   patch. Patches are numbered by these. */
static void check_patches(const CrModel *model, const CrSurface *s)
{
  PetscInt *label, bad = 0, n = 0, changed = 1;

  CHECK_OK(PetscMalloc1(s->nfacets, &label));
  for (PetscInt f = 0; f < s->nfacets; f++) label[f] = f;
  while (changed) {
    changed = 0;
    for (PetscInt f = 0; f < s->nfacets; f++)
      for (PetscInt a = 0; a < s->ncorners[f]; a++) {
        PetscInt  g = s->neighbour[4 * f + a];
        PetscReal A[3], B[3], cosine;

        if (g < 0 || label[f] <= label[g]) continue;
        area_vector(model, s, f, A);
        area_vector(model, s, g, B);
        cosine = (A[0] * B[0] + A[1] * B[1] + A[2] * B[2]) / (length_of(A) * length_of(B));
        if (PetscAcosReal(PetscMin(1, cosine)) > PETSC_PI / 3 + 1e-6) continue;
        label[f] = label[g];
        changed = 1;
      }
  }
  for (PetscInt f = 0; f < s->nfacets; f++)
    bad += s->patch[f] != (label[f] == f ? n++ : s->patch[label[f]]);
  CHECK(bad == 0);
  CHECK(n == s->npatches);
  CHECK_OK(PetscFree(label));
}

/* Facets around each node: all that have it, ascending. What is near shares a node with them. */
static void check_around(const CrSurface *s)
{
  PetscInt bad = 0;

  CHECK(s->around_start[0] == 0);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscInt at = s->around_start[i];

    for (PetscInt f = 0; f < s->nfacets; f++) {
      PetscBool near = PETSC_FALSE;

      if (has_node(s, f, s->nodes[i])) bad += at >= s->around_start[i + 1] || s->around[at++] != f;
      for (PetscInt g = 0; g < s->nfacets && !near; g++)
        for (PetscInt a = 0; a < s->ncorners[g] && has_node(s, g, s->nodes[i]); a++)
          if (has_node(s, f, s->corners[4 * g + a])) near = PETSC_TRUE;
      bad += near != CrSurfaceIsNear(s, i, f);
    }
    bad += at != s->around_start[i + 1];
  }
  CHECK(bad == 0);
}

/* Weights and sizes from the formulas for plane facets. */
static void check_weights(const CrModel *model, const CrSurface *s, PetscReal relative)
{
  PetscReal worst = 0, size = 0, least = PETSC_MAX_REAL, mean = 0;

  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal weight = 0;

    for (PetscInt f = 0; f < s->nfacets; f++)
      for (PetscInt a = 0; a < s->ncorners[f]; a++)
        if (s->corners[4 * f + a] == s->nodes[i]) weight += corner_share(model, s, f, a);
    worst = PetscMax(worst, PetscAbsReal(s->weight[i] / (weight * model->thickness) - 1));
  }
  CHECK_NEAR(worst, 0, relative);
  for (PetscInt f = 0; f < s->nfacets; f++) {
    PetscReal A[3], expected;

    area_vector(model, s, f, A);
    expected = s->dim == 2 ? length_of(A) : PetscSqrtReal(length_of(A));
    size = PetscMax(size, PetscAbsReal(s->size[f] / expected - 1));
    least = PetscMin(least, s->size[f]);
    mean += s->size[f];
  }
  CHECK_NEAR(size, 0, relative);
  CHECK_NEAR(s->mean_size, mean / (PetscReal)s->nfacets, 1e-14 * mean);
  CHECK_NEAR(s->least_size, least, 0);
}

static void check_surface(const CrModel *model, const CrSurface *s, PetscReal relative)
{
  PetscReal worst = 0;

  check_neighbours(s);
  check_patches(model, s);
  check_around(s);
  check_weights(model, s, relative);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal n[3] = {0};

    for (PetscInt j = 0; j < s->dim; j++) n[j] = normal_at(model, s, i, j);
    worst = PetscMax(worst, PetscAbsReal(length_of(n) - 1));
  }
  CHECK_NEAR(worst, 0, 4e-16);
}

/* The volume behind a closed surface, by the divergence theorem: right only if every facet is there
   and turned outward. */
static PetscReal volume(const CrModel *model, const CrSurface *s)
{
  PetscReal v = 0;

  for (PetscInt f = 0; f < s->nfacets; f++) {
    PetscReal A[3];

    area_vector(model, s, f, A);
    for (PetscInt a = 0; a < s->ncorners[f]; a++)
      for (PetscInt i = 0; i < s->dim; i++)
        v += corner(model, s, f, a)[i] * A[i] / (PetscReal)(s->ncorners[f] * s->dim);
  }
  return v;
}

static PetscReal total_weight(const CrSurface *s)
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < s->nnodes; i++) sum += s->weight[i];
  return sum;
}

/* ---- rectangles and boxes ----------------------------------------------------------------- */

/* Nodes of a box know by their place which sides they are on: the mean normal has equal parts of
   them, however a side is cut into facets. */
static void check_box_normals(const CrModel *model, const CrSurface *s, const PetscReal *to)
{
  PetscReal worst = 0;

  for (PetscInt i = 0; i < s->nnodes; i++) {
    const PetscReal *X = &model->X[s->dim * s->nodes[i]];
    PetscReal        n[3] = {0};

    for (PetscInt j = 0; j < s->dim; j++) n[j] = X[j] == 0 ? -1 : X[j] == to[j] ? 1 : 0;
    for (PetscInt j = 0; j < s->dim; j++)
      worst = PetscMax(worst, PetscAbsReal(normal_at(model, s, i, j) - n[j] / length_of(n)));
  }
  CHECK_NEAR(worst, 0, 1e-15);
}

static void test_box(CrCellType type, PetscInt nfacets, PetscInt open_top)
{
  const PetscReal to[3] = {2, 1, 0.75};

  Problem    p;
  CrSurface *s, *top;
  char       mesh[256];
  PetscInt   dim = CrCells[type].dim;
  int        before = check_failures;

  snprintf(mesh, sizeof mesh,
           dim == 2 ? "block: {from: [0, 0], to: [2, 1], elements: [4, 3], type: %s}"
                    : "block: {from: [0, 0, 0], to: [2, 1, 0.75], elements: [4, 3, 2], type: %s}",
           CrCells[type].name);
  CHECK_OK(open_body(&p, dim, mesh));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  check_surface(p.model, s, 1e-14);
  check_box_normals(p.model, s, to);
  CHECK(s->dim == dim && s->body == 0 && s->nfacets == nfacets && s->npatches == 2 * dim);
  CHECK(count_open(s) == 0);
  CHECK_NEAR(total_weight(s), dim == 2 ? 0.5 * 6 : 2 * (2 + 1.5 + 0.75), 1e-14);
  CHECK_NEAR(volume(p.model, s), dim == 2 ? 2 : 1.5, 1e-13);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK(s == NULL);
  CHECK_OK(CrSurfaceDestroy(&s));
  /* a single side ends somewhere */
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "top"), &top));
  check_surface(p.model, top, 1e-14);
  CHECK(top->npatches == 1 && count_open(top) == open_top);
  CHECK_NEAR(total_weight(top), dim == 2 ? 0.5 * 2 : 2, 1e-14);
  for (PetscInt i = 0; i < top->nnodes; i++)
    CHECK_NEAR(normal_at(p.model, top, i, dim - 1), 1, 1e-15);
  CHECK_OK(CrSurfaceDestroy(&top));
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", CrCells[type].name);
}

static void test_boxes(void)
{
  /* 14 edges; 12, 8 and 6 boxes on each pair of sides */
  test_box(CR_T3, 14, 2);
  test_box(CR_Q4, 14, 2);
  test_box(CR_T6, 28, 2);
  test_box(CR_Q8, 28, 2);
  test_box(CR_Q9, 28, 2);
  test_box(CR_H8, 52, 14);
  test_box(CR_T4, 104, 14);
  test_box(CR_T10, 416, 28);
}

/* Weights on a graded side: half of the elements beside the node, and half of those behind. */
static void test_graded(void)
{
  const PetscReal x[] = {0, 1. / 15, 3. / 15, 7. / 15, 1};

  Problem    p;
  CrSurface *s;

  CHECK_OK(
      open_body(&p, 2, "block: {from: [0, 0], to: [1, 1], elements: [4, 2], grading: [8, 1]}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "bottom"), &s));
  CHECK(s->nnodes == 5 && s->nfacets == 4);
  for (PetscInt i = 0; i < 5; i++) {
    PetscInt k = 0;

    while (PetscAbsReal(x[k] - p.model->X[2 * s->nodes[i]]) > 1e-12) k++;
    CHECK_NEAR(s->weight[i], 0.25 * ((k < 4 ? x[k + 1] - x[k] : 0) + (k > 0 ? x[k] - x[k - 1] : 0)),
               1e-15);
  }
  CHECK_NEAR(s->least_size, 1. / 15, 1e-15);
  CHECK_NEAR(s->mean_size, 1. / 4, 1e-15);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* ---- one facet of each type --------------------------------------------------------------- */

/* A plane quad that is no parallelogram: weights are exact, and with them the first moment of the
   area, because the coordinates are interpolated by the same shapes. Turned out of the axes. */
static void test_quad_is_exact(void)
{
  /* (0,0) (4,0) (3,2) (1,2): area 6, centroid (2, 8/9) */
  const PetscReal plane[4][2] = {{0, 0}, {4, 0}, {3, 2}, {1, 2}}, c = 0.6, d = 0.8;
  const PetscInt  nodes[4] = {0, 1, 2, 3};

  PetscReal  X[12], moment[3] = {0};
  Hand       h;
  CrSurface *s;

  for (int a = 0; a < 4; a++) { /* about x, then about z */
    PetscReal y = c * plane[a][1], x = plane[a][0];

    X[3 * a] = c * x - d * y;
    X[3 * a + 1] = d * x + c * y;
    X[3 * a + 2] = d * plane[a][1];
  }
  hand_start(&h, 3, 4, X);
  hand_add(&h, CR_Q4, nodes);
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  check_surface(&h.model, s, 1e-15);
  CHECK(count_open(s) == 4 && s->npatches == 1);
  CHECK_NEAR(total_weight(s), 6, 1e-14);
  CHECK_NEAR(s->size[0], PetscSqrtReal(6), 1e-15);
  /* by hand: J is 2 below, 1 above, so 1.5 - eta/2; the integral of N is 1.5 -+ 1/6 */
  for (int a = 0; a < 4; a++) {
    CHECK_NEAR(s->weight[a], a < 2 ? 5. / 3 : 4. / 3, 1e-15 * 4);
    for (int i = 0; i < 3; i++) moment[i] += s->weight[a] * X[3 * a + i];
  }
  CHECK_NEAR(moment[0], 6 * (c * 2 - d * c * 8 / 9), 1e-14);
  CHECK_NEAR(moment[1], 6 * (d * 2 + c * c * 8 / 9), 1e-14);
  CHECK_NEAR(moment[2], 6 * d * 8 / 9, 1e-14);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* Quadratic faces: which nodes get how much, in parts of the whole. */
static void test_quadratic_faces(void)
{
  const PetscReal straight[] = {0, 0, 3, 4, 1.5, 2};
  const PetscReal triangle[] = {0, 0, 1, 2, 0, 1, 0, 2, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  const PetscInt  nodes[] = {0, 1, 2, 3, 4, 5};

  Hand       h;
  CrSurface *s;

  hand_start(&h, 2, 3, straight);
  h.model.thickness = 2;
  hand_add(&h, CR_S3, nodes);
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  check_surface(&h.model, s, 1e-15);
  CHECK(s->nfacets == 2 && count_open(s) == 2 && s->npatches == 1);
  CHECK(s->corners[0] == 0 && s->corners[1] == 2 && s->corners[4] == 2 && s->corners[5] == 1);
  CHECK(s->neighbour[0] == -1 && s->neighbour[1] == 1 && s->neighbour[4] == 0);
  for (int i = 0; i < 3; i++) CHECK_NEAR(s->weight[i], i < 2 ? 2.5 : 5, 1e-15);
  CHECK_NEAR(normal_at(&h.model, s, 0, 0), 0.8, 1e-15); /* material on the left */
  CHECK_NEAR(normal_at(&h.model, s, 0, 1), -0.6, 1e-15);
  CHECK_OK(CrSurfaceDestroy(&s));

  hand_start(&h, 3, 6, triangle);
  hand_add(&h, CR_T6, nodes);
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  check_surface(&h.model, s, 1e-15);
  CHECK(s->nfacets == 4 && count_open(s) == 6 && s->npatches == 1);
  for (int i = 0; i < 6; i++) CHECK_NEAR(s->weight[i], i < 3 ? 2. / 12 : 2. / 4, 1e-15);
  for (int i = 0; i < 6; i++) CHECK_NEAR(normal_at(&h.model, s, i, 2), 1, 1e-15);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* ---- round bodies ------------------------------------------------------------------------- */

/* Closed, one patch, normals nearly along the radius; area and volume near those of the ball. */
static void test_ball(PetscInt dim, const char *mesh, PetscReal near)
{
  Problem    p;
  CrSurface *s;
  PetscReal  area = dim == 2 ? 0.5 * 2 * PETSC_PI * 3 : 4 * PETSC_PI * 9, worst = 1;
  PetscReal  all = dim == 2 ? PETSC_PI * 9 : 4. / 3 * PETSC_PI * 27;

  CHECK_OK(open_body(&p, dim, mesh));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "outer"), &s));
  check_surface(p.model, s, dim == 2 ? 1e-14 : 0.01); /* these quads are not plane */
  CHECK(s->npatches == 1 && count_open(s) == 0);
  CHECK_NEAR(total_weight(s), area, near * area);
  CHECK_NEAR(volume(p.model, s), all, 2 * near * all);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal cosine = 0;

    for (PetscInt j = 0; j < dim; j++)
      cosine += normal_at(p.model, s, i, j) * p.model->X[dim * s->nodes[i] + j] / 3;
    worst = PetscMin(worst, cosine);
  }
  CHECK_LESS(PetscAcosReal(worst), 0.05);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* Outside and inside of a ring are two patches; the inside looks at the middle. */
static void test_ring(void)
{
  Problem    p;
  CrSurface *s;

  CHECK_OK(open_body(&p, 2, "ring: {radius: 3, thickness: 1, around: 24, across: 2}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  check_surface(p.model, s, 1e-14);
  CHECK(s->nfacets == 48 && s->npatches == 2 && count_open(s) == 0);
  CHECK_NEAR(volume(p.model, s), 12 * PetscSinReal(PETSC_PI / 12) * (9 - 4), 1e-13);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "inner"), &s));
  check_surface(p.model, s, 1e-14);
  CHECK(s->npatches == 1 && count_open(s) == 0);
  for (PetscInt i = 0; i < s->nnodes; i++)
    for (PetscInt j = 0; j < 2; j++)
      CHECK_NEAR(normal_at(p.model, s, i, j), -p.model->X[2 * s->nodes[i] + j] / 2, 1e-14);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* The outside of a hexagon bends by just 60 degrees at each corner, of a pentagon by 72. */
static void test_crease(PetscInt around, PetscInt npatches)
{
  Problem    p;
  CrSurface *s;
  char       mesh[128];

  snprintf(mesh, sizeof mesh, "ring: {radius: 3, thickness: 1, around: %d, across: 1}",
           (int)around);
  CHECK_OK(open_body(&p, 2, mesh));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "outer"), &s));
  CHECK(s->nfacets == around && s->npatches == npatches);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* Curved quadratic faces: a block of T6 or T10 pulled out of shape. */
static void test_curved(PetscInt dim)
{
  Problem    p;
  CrSurface *s;

  CHECK_OK(open_body(&p, dim,
                     dim == 2 ? "block: {from: [0, 0], to: [1, 1], elements: [5, 4], type: Q8}"
                              : "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [2, 2, 2], "
                                "type: T10}"));
  for (PetscInt A = 0; A < p.model->nlocal; A++) {
    PetscReal *X = &p.model->X[dim * A];

    X[0] += 0.1 * X[1] * X[1];
    X[1] += 0.05 * PetscSinReal(2 * X[0]);
    X[dim - 1] += 0.1 * X[0] * X[0];
  }
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  check_surface(p.model, s, 1e-13);
  CHECK(count_open(s) == 0 && s->nfacets == (dim == 2 ? 36 : 192) && s->npatches == 2 * dim);
  CHECK(volume(p.model, s) > 0.9);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* The integral over a quad out of plane, against one in many small steps. */
static void test_warped_quad(void)
{
  enum { N = 400 };

  static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const PetscReal  X[] = {0, 0, 0, 1, 0.1, 0.2, 1.2, 1, -0.1, 0, 0.9, 0.3};
  const PetscInt   nodes[] = {0, 1, 2, 3};

  PetscReal  weight[4] = {0};
  Hand       h;
  CrSurface *s;

  for (int k = 0; k < N * N; k++) {
    PetscReal xi[2] = {(2 * (k % N) + 1.0) / N - 1, (2 * (k / N) + 1.0) / N - 1}, t[2][3] = {{0}};
    PetscReal zero[3] = {0}, n[3];

    for (int a = 0; a < 4; a++)
      for (int i = 0; i < 3; i++)
        for (int d = 0; d < 2; d++)
          t[d][i] += 0.25 * sign[a][d] * (1 + sign[a][1 - d] * xi[1 - d]) * X[3 * a + i];
    cross_of(zero, t[0], t[1], n);
    for (int a = 0; a < 4; a++)
      weight[a] +=
          (1 + sign[a][0] * xi[0]) * (1 + sign[a][1] * xi[1]) * length_of(n) / ((PetscReal)N * N);
  }
  hand_start(&h, 3, 4, X);
  hand_add(&h, CR_Q4, nodes);
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  /* four points: not exact out of plane, but near */
  for (int a = 0; a < 4; a++) CHECK_NEAR(s->weight[a], weight[a], 2e-3 * weight[a]);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* ---- where a surface is not a sheet ------------------------------------------------------- */

/* Two squares that meet in a corner: four segments there, nobody's neighbours. Their normals cancel
   at the corner; one of them stands for all. */
static void test_touching_squares(void)
{
  const PetscReal X[] = {0, 0, 1, 0, 1, 1, 0, 1, 2, 1, 2, 2, 1, 2};
  const PetscInt  around[2][4] = {{0, 1, 2, 3}, {2, 4, 5, 6}};

  Hand       h;
  CrSurface *s;

  hand_start(&h, 2, 7, X);
  for (int q = 0; q < 2; q++)
    for (int a = 0; a < 4; a++)
      hand_add(&h, CR_S2, (PetscInt[]){around[q][a], around[q][(a + 1) % 4]});
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  check_surface(&h.model, s, 1e-15);
  CHECK(s->nfacets == 8 && count_open(s) == 4 && s->npatches == 8);
  CHECK(normal_at(&h.model, s, 2, 0) == 1 &&
        normal_at(&h.model, s, 2, 1) == 0); /* of the first, 1-2 */
  CHECK_NEAR(s->weight[2], 2, 1e-15);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* Two cubes that share an edge: its four facets are open there. */
static void test_touching_cubes(void)
{
  /* the second is the first moved along (1, 1, 0), so its nodes 0 and 4 are 2 and 6 of the first */
  const PetscInt second[8] = {2, 8, 9, 10, 6, 11, 12, 13};

  PetscReal  X[3 * 14] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
  Hand       h;
  CrSurface *s;

  for (int a = 0; a < 8; a++)
    for (int i = 0; i < 3; i++) X[3 * second[a] + i] = X[3 * a + i] + (i < 2);
  hand_start(&h, 3, 14, X);
  for (int cube = 0; cube < 2; cube++)
    for (int f = 0; f < 6; f++) {
      PetscInt nodes[4];

      for (int a = 0; a < 4; a++) {
        PetscInt A = CrCells[CR_H8].faces[f][a];

        nodes[a] = cube ? second[A] : A;
      }
      hand_add(&h, CR_Q4, nodes);
    }
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  check_surface(&h.model, s, 1e-15);
  CHECK_NEAR(volume(&h.model, s), 2, 1e-14);
  CHECK(s->nfacets == 12 && count_open(s) == 4 && s->npatches == 12);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* Two facets that run along their common edge in the same sense are no neighbours: inside and outside
   would change places. */
static void test_same_sense(void)
{
  const PetscReal X[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

  Hand       h;
  CrSurface *s;

  hand_start(&h, 3, 4, X);
  hand_add(&h, CR_T3, (PetscInt[]){0, 1, 2});
  hand_add(&h, CR_T3, (PetscInt[]){1, 2, 3});
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  CHECK(count_open(s) == 6 && s->npatches == 2);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* ---- self-contact, refusals --------------------------------------------------------------- */

/* Near are the two segments at a node and one more on each side. */
static void test_near(void)
{
  Problem    p;
  CrSurface *s;

  CHECK_OK(open_body(&p, 2, "disc: {radius: 1, core: 4, rings: 2}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "outer"), &s));
  CHECK(s->nfacets == 16);
  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscInt near = 0;

    for (PetscInt f = 0; f < s->nfacets; f++) near += CrSurfaceIsNear(s, i, f);
    CHECK(near == 4);
  }
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* Nodes that no facet has stay out of everything. A surface may have no facet, a set that is none may
   not become one. */
static void test_odd_sets(void)
{
  const PetscReal X[] = {0, 0, 1, 0, 2, 0};

  Hand       h;
  CrSurface *s = NULL;

  hand_start(&h, 2, 3, X);
  hand_add(&h, CR_S2, (PetscInt[]){1, 0});
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  CHECK(s->nnodes == 3 && s->weight[2] == 0 && normal_at(&h.model, s, 2, 0) == 0 &&
        normal_at(&h.model, s, 2, 1) == 0);
  CHECK(s->around_start[2] == 2 && s->around_start[3] == 2 && !CrSurfaceIsNear(s, 2, 0));
  CHECK_NEAR(normal_at(&h.model, s, 0, 1), 1, 0);
  CHECK_OK(CrSurfaceDestroy(&s));
  h.set.nfacets = 0; /* no facets on this rank */
  CHECK_OK(CrSurfaceCreate(&h.model, &h.set, &s));
  CHECK(s->nfacets == 0 && s->npatches == 0 && s->mean_size == 0 && s->least_size == 0);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  h.set.is_surface = PETSC_FALSE;
  CHECK(CrSurfaceCreate(&h.model, &h.set, &s) == PETSC_ERR_ARG_WRONG);
  CHECK_OK(PetscPopErrorHandler());
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  test_boxes();
  test_graded();
  test_quad_is_exact();
  test_quadratic_faces();
  test_ball(2, "disc: {radius: 3, core: 8, rings: 2}", 0.01);
  test_ball(2, "ball: {radius: 3, elements: 8}", 0.02);
  test_ball(3, "ball: {radius: 3, elements: 6}", 0.05);
  test_ring();
  test_crease(6, 1);
  test_crease(5, 5);
  test_curved(2);
  test_curved(3);
  test_warped_quad();
  test_touching_squares();
  test_touching_cubes();
  test_same_sense();
  test_near();
  test_odd_sets();
  return check_end();
}
