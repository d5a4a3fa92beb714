/* Features of contact surfaces and the directions that vertices admit: against the angles of blocks, wedges and
   grooves, which are known. */
#include "model_from_text.h"
#include "base/vector.h"
#include "contact/geometry/edges.h"
#include "contact/geometry/surface.h"

#define DEGREE (PETSC_PI / 180)

static const CrModelSet *find_set(const CrModel *model, const char *name)
{
  for (PetscInt s = 0; s < model->nsets; s++)
    if (!strcmp(model->sets[s].name, name)) return &model->sets[s];
  CHECK(!"the set exists");
  exit(1);
}

static PetscErrorCode open_body(Problem *p, PetscInt dim, const char *mesh)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\ndimension: %d\nmaterials: [{name: m, lambda: 1, shear: 1, "
                         "density: 1}]\nbodies: [{name: b, material: m, mesh: {%s}}]\n"
                         "time: {method: explicit, step: 1e-3, end: 1}\n",
                         (int)dim, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The node of a surface at a place of the reference shape. */
static PetscInt node_at(const CrModel *model, const CrSurface *s, PetscReal x, PetscReal y,
                        PetscReal z)
{
  const PetscReal at[3] = {x, y, z};

  for (PetscInt i = 0; i < s->nnodes; i++) {
    PetscReal far = 0;

    for (PetscInt j = 0; j < s->dim; j++)
      far = PetscMax(far, PetscAbsReal(model->X[s->dim * s->nodes[i] + j] - at[j]));
    if (far < 1e-9) return i;
  }
  CHECK(!"the node exists");
  exit(1);
}

/* Does node i admit a facet that lies in the direction `angle` from it (degrees, in the plane of the first two
   axes)? */
static PetscBool admits(const CrModel *model, const CrSurface *s, PetscInt i, const PetscReal *u,
                        PetscReal angle, PetscReal tol)
{
  PetscReal nu[3] = {-PetscCosReal(angle * DEGREE), -PetscSinReal(angle * DEGREE), 0};

  return CrIsAdmitted(model, s, i, u, nu, tol * DEGREE);
}

/* The directions that a node admits are an interval: its ends, by trying all. */
static void check_interval(const CrModel *model, const CrSurface *s, PetscInt i, const PetscReal *u,
                           PetscReal from, PetscReal to)
{
  for (PetscReal a = -179.75; a < 180; a += 0.5) {
    PetscReal middle = (from + to) / 2, off = a - middle;

    off -= 360 * PetscFloorReal((off + 180) / 360);
    CHECK(admits(model, s, i, u, a, 15) == (PetscAbsReal(off) < (to - from) / 2 + 15));
  }
}

/* A block of 2 x 1: a corner admits the right angle between its two normals, a node of a side its normal; turned
   by a displacement the intervals turn along. A side alone has the corners of the whole block. */
static void test_block(void)
{
  Problem    p;
  CrSurface *s, *top;
  PetscReal *u;

  CHECK_OK(open_body(&p, 2, "block: {from: [0, 0], to: [2, 1], elements: [4, 2]}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "top"), &top));
  CHECK_OK(PetscCalloc1(2 * p.model->nlocal, &u));
  for (int turned = 0; turned < 2; turned++) {
    PetscReal by = turned ? 30 : 0, c = PetscCosReal(by * DEGREE), d = PetscSinReal(by * DEGREE);

    for (PetscInt A = 0; A < p.model->nlocal; A++) {
      const PetscReal *X = &p.model->X[2 * A];

      u[2 * A] = c * X[0] - d * X[1] - X[0];
      u[2 * A + 1] = d * X[0] + c * X[1] - X[1];
    }
    check_interval(p.model, s, node_at(p.model, s, 2, 1, 0), u, by, by + 90);
    check_interval(p.model, s, node_at(p.model, s, 0, 1, 0), u, by + 90, by + 180);
    check_interval(p.model, s, node_at(p.model, s, 1, 1, 0), u, by + 90, by + 90);
    check_interval(p.model, top, node_at(p.model, top, 2, 1, 0), u, by, by + 90);
    check_interval(p.model, top, node_at(p.model, top, 0.5, 1, 0), u, by + 90, by + 90);
  }
  CHECK(top->rim[node_at(p.model, top, 2, 1, 0)]);
  CHECK(!top->features->open[node_at(p.model, top, 2, 1, 0)]);
  CHECK_NEAR(top->features->turn[node_at(p.model, top, 2, 1, 0)], PETSC_PI / 2, 1e-12);
  CHECK(CrIsSharp(s, node_at(p.model, s, 2, 1, 0), 20 * DEGREE));
  CHECK(!CrIsSharp(s, node_at(p.model, s, 1, 1, 0), 20 * DEGREE));
  CHECK_NEAR(s->features->slack[0], 0, 1e-12);
  CHECK_NEAR(s->features->spacing[node_at(p.model, s, 1, 1, 0)], 0.5, 1e-12);
  CHECK_OK(PetscFree(u));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(CrSurfaceDestroy(&top));
  CHECK_OK(problem_close(&p));
}

/* The number of facets of a set that contain a node, and that have the same corners as facet f of the skin. */
static PetscInt count_like(const CrModelSet *set, PetscInt node, PetscInt n,
                           const PetscInt *corners)
{
  PetscInt like = 0;

  for (PetscInt k = 0; k < set->nfacets; k++) {
    PetscInt same = 0, has = 0;

    for (PetscInt a = 0; a < 4; a++) {
      has += set->facets[k].nodes[a] == node;
      for (PetscInt b = 0; b < n; b++) same += set->facets[k].nodes[a] == corners[b];
    }
    like += has && (!n || same == n);
  }
  return like;
}

/* The facets of the skin around the nodes of a side, and around those of the whole boundary, are the facets of the body
   around these nodes. A surface without a rim stores no facets twice. */
static void test_skin(void)
{
  Problem           p;
  const CrModelSet *all;

  CHECK_OK(open_body(&p, 3, "block: {from: [0, 0, 0], to: [3, 2, 2], elements: [3, 2, 2]}"));
  all = find_set(p.model, "boundary");
  for (int side = 0; side < 2; side++) {
    CrSurface *s;

    CHECK_OK(CrSurfaceCreate(p.model, side ? find_set(p.model, "top") : all, &s));
    CHECK(s->features->nfacets - s->nfacets == (side ? 2 * (3 + 2) : 0));
    CHECK(s->features->nrims == (side ? 2 * (3 + 2) : 0));
    CHECK(side || !s->features->corners);
    for (PetscInt i = 0; i < s->nnodes; i++) {
      const PetscInt *fan, n = CrSkinFan(s, i, &fan);

      CHECK(n == count_like(all, s->nodes[i], 0, NULL));
      for (PetscInt k = 0; k < n; k++) {
        const PetscInt *corners, nc = CrSkinNodes(s, fan[k], &corners);

        CHECK(k == 0 || fan[k] > fan[k - 1]);
        CHECK(nc == 4 && count_like(all, s->nodes[i], nc, corners) == 1);
      }
    }
    CHECK_OK(CrSurfaceDestroy(&s));
  }
  CHECK_OK(problem_close(&p));
}

/* A disc of n sides: each facet turns by 360/n degrees, no vertex is sharp, the slack is half of the turn. */
static void test_disc(void)
{
  Problem    p;
  CrSurface *s;

  CHECK_OK(open_body(&p, 2, "disc: {radius: 3, core: 8, rings: 2}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  for (PetscInt i = 0; i < s->nnodes; i++) {
    CHECK_NEAR(s->features->turn[i], 2 * PETSC_PI / s->nfacets, 1e-3);
    CHECK(!CrIsSharp(s, i, 20 * DEGREE));
  }
  for (PetscInt f = 0; f < s->nfacets; f++)
    CHECK_NEAR(s->features->slack[f], PETSC_PI / s->nfacets, 1e-3);
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* A concave vertex, at the bottom of a groove whose sides rise by 10 degrees: it admits what either side does. */
static void test_groove(void)
{
  const PetscReal rise = 10 * DEGREE;
  PetscReal       u[8] = {0}, X[8] = {0, PetscTanReal(rise), 1, 0, 2, PetscTanReal(rise), 1, -1};
  PetscInt        nodes[4] = {0, 1, 2, 3}, natural[4] = {0, 1, 2, 3};
  CrLocalFacet    facets[4] = {{.type = CR_S2, .nodes = {1, 0}},
                               {.type = CR_S2, .nodes = {2, 1}},
                               {.type = CR_S2, .nodes = {0, 3}},
                               {.type = CR_S2, .nodes = {3, 2}}};
  CrModelSet      set = {.name = "by hand",
                         .is_surface = PETSC_TRUE,
                         .nnodes = 4,
                         .nfacets = 4,
                         .nodes = nodes,
                         .facets = facets};
  CrModel model = {.dim = 2, .thickness = 1, .nlocal = 4, .nowned = 4, .X = X, .natural = natural};
  CrSurface *s;

  CHECK_OK(CrSurfaceCreate(&model, &set, &s));
  CHECK(s->features->turn[1] == 0);
  check_interval(&model, s, 1, u, 80, 100);
  CHECK_OK(CrSurfaceDestroy(&s));
  /* with an end that nothing continues, the one normal counts */
  set.nfacets = 2;
  CHECK_OK(CrSurfaceCreate(&model, &set, &s));
  CHECK(s->features->open[0] && !s->features->open[1]);
  check_interval(&model, s, 0, u, 80, 80);
  CHECK_OK(CrSurfaceDestroy(&s));
}

/* A cuboid: twelve edges of ridges, in pieces; corners admit an octant, edges a quarter, sides their normal. */
static void test_cuboid(const char *type, PetscInt pieces)
{
  const PetscReal third = 1 / PetscSqrtReal(3), half = PetscSqrtReal(0.5);
  const PetscReal outward[3] = {-third, -third, -third}, edge[3] = {-half, 0, -half};
  const PetscReal up[3] = {0, 0, -1}, front[3] = {-1, 0, 0};

  Problem    p;
  CrSurface *s, *top;
  PetscReal *u, tol = 15 * DEGREE;
  char       mesh[200];
  PetscInt   i;

  snprintf(mesh, sizeof mesh,
           "block: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 2, 2], type: %s}", type);
  CHECK_OK(open_body(&p, 3, mesh));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "top"), &top));
  CHECK_OK(PetscCalloc1(3 * p.model->nlocal, &u));
  CHECK(s->features->nridges > pieces); /* also edges within the faces */
  CHECK_OK(CrFeaturesForgetMild(s->features));
  CHECK_OK(CrFeaturesForgetMild(top->features));
  CHECK(s->features->nridges == pieces);
  for (PetscInt k = 0; k < s->features->nridges; k++)
    CHECK_NEAR(s->features->ridges[k].turn, PETSC_PI / 2, 1e-12);
  for (int named = 0; named < 2; named++) {
    CrSurface *at = named ? top : s;

    i = node_at(p.model, at, 2, 1, 1);
    CHECK(CrIsAdmitted(p.model, at, i, u, outward, tol) &&
          CrIsAdmitted(p.model, at, i, u, up, tol));
    CHECK(CrIsSharp(at, i, 20 * DEGREE));
    i = node_at(p.model, at, 2, 0.5, 1);
    CHECK(CrIsAdmitted(p.model, at, i, u, edge, tol) && CrIsAdmitted(p.model, at, i, u, up, tol));
    CHECK(!CrIsAdmitted(p.model, at, i, u, outward, tol));
    i = node_at(p.model, at, 1, 0.5, 1);
    CHECK(CrIsAdmitted(p.model, at, i, u, up, tol) && !CrIsAdmitted(p.model, at, i, u, edge, tol));
    CHECK(!CrIsAdmitted(p.model, at, i, u, front, tol) && !CrIsSharp(at, i, 20 * DEGREE));
    CHECK_NEAR(at->features->spacing[i], strcmp(type, "T10") ? 0.5 : 0.25, 1e-12);
  }
  CHECK(top->features->nridges == pieces * 12 / 32);
  CHECK_OK(PetscFree(u));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(CrSurfaceDestroy(&top));
  CHECK_OK(problem_close(&p));
}

/* The corner of a block lies flat on a surface that faces its top or its side, not on one between them. */
static void test_flat(void)
{
  Problem    p;
  CrSurface *s;
  PetscReal *u;

  CHECK_OK(open_body(&p, 2, "block: {from: [0, 0], to: [2, 1], elements: [4, 2]}"));
  CHECK_OK(CrSurfaceCreate(p.model, find_set(p.model, "boundary"), &s));
  CHECK_OK(PetscCalloc1(2 * p.model->nlocal, &u));
  for (PetscReal a = -179.5; a < 180; a += 1) {
    const PetscReal nu[3] = {-PetscCosReal(a * DEGREE), -PetscSinReal(a * DEGREE), 0};
    PetscBool       flat = PetscAbsReal(a) < 2 || PetscAbsReal(a - 90) < 2;

    CHECK(CrLiesFlat(p.model, s, node_at(p.model, s, 2, 1, 0), u, nu, 2 * DEGREE) == flat);
  }
  CHECK_OK(PetscFree(u));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* Two blocks of unlike elements: the shares of nodes that stand on each other sum to 1; corners have a half. */
static void test_shares(void)
{
  Problem    p[2];
  CrSurface *s[2];
  PetscInt   mid[2];

  CHECK_OK(open_body(&p[0], 2, "block: {from: [0, 0], to: [2, 1], elements: [2, 1]}"));
  CHECK_OK(open_body(&p[1], 2, "block: {from: [0, 0], to: [2, 1], elements: [6, 3]}"));
  for (int k = 0; k < 2; k++) {
    CHECK_OK(CrSurfaceCreate(p[k].model, find_set(p[k].model, "top"), &s[k]));
    mid[k] = node_at(p[k].model, s[k], k ? 2. / 3 : 1, 1, 0);
  }
  CHECK_NEAR(CrShareBoth(s[0], mid[0], s[1], 2, 0.3), 0.1, 1e-12); /* sizes 1 and 1/3 */
  CHECK_NEAR(CrShareBoth(s[1], mid[1], s[0], 0, 0.3), 0.9, 1e-12);
  CHECK_NEAR(CrShareBoth(s[0], node_at(p[0].model, s[0], 2, 1, 0), s[1], 2, 0.3), 0.5, 1e-12);
  CHECK(CrShareFiner(s[0], mid[0], s[1], 2, 0.3, PETSC_TRUE) == 0);
  CHECK(CrShareFiner(s[1], mid[1], s[0], 0, 0.3, PETSC_FALSE) == 1);
  CHECK(CrShareFiner(s[0], mid[0], s[0], 0, 0.3, PETSC_TRUE) == 1);
  CHECK(CrShareFiner(s[0], mid[0], s[0], 0, 0.3, PETSC_FALSE) == 0);
  CHECK(CrShareFiner(s[0], node_at(p[0].model, s[0], 2, 1, 0), s[1], 2, 0.3, PETSC_FALSE) == 1);
  for (int k = 0; k < 2; k++) {
    CHECK_OK(CrSurfaceDestroy(&s[k]));
    CHECK_OK(problem_close(&p[k]));
  }
}

/* Triangles around one node, in a mixed order: each has two neighbours, and its outer edge is open. A triangle on two
   nodes of another one, in the same sense, makes their common edge ambiguous. */
static void test_fan(PetscInt n)
{
  const PetscInt centre = 5, step = 3; /* n is no multiple of `step` */
  PetscInt       ncorners[100], corners[400], neighbour[400], wrong = 0;

  for (PetscInt k = 0; k < n; k++) {
    const PetscInt t = k * step % n; /* which triangle of the fan facet k is */

    ncorners[k] = 3;
    corners[4 * k] = centre;
    corners[4 * k + 1] = 10 + t;
    corners[4 * k + 2] = 10 + (t + 1) % n;
    corners[4 * k + 3] = -1;
  }
  CHECK_OK(CrEdgesMatch(n, ncorners, corners, neighbour));
  for (PetscInt k = 0; k < n; k++) {
    const PetscInt t = k * step % n;

    wrong += neighbour[4 * k + 1] != -1;
    wrong += neighbour[4 * k] * step % n != (t + n - 1) % n;
    wrong += neighbour[4 * k + 2] * step % n != (t + 1) % n;
  }
  CHECK(wrong == 0);
  ncorners[n] = 3;
  corners[4 * n] = centre;
  corners[4 * n + 1] = 10;
  corners[4 * n + 2] = 500;
  CHECK_OK(CrEdgesMatch(n + 1, ncorners, corners, neighbour));
  CHECK(neighbour[0] == -1 && neighbour[4 * n] == -1);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  test_block();
  test_skin();
  test_disc();
  test_groove();
  test_cuboid("H8", 32); /* 4 edges of 4, 8 of 2 elements */
  test_cuboid("T4", 32);
  test_cuboid("T10", 64);
  test_flat();
  test_shares();
  test_fan(7);
  test_fan(70); /* more edges at one node than are sorted one by one */
  return check_end();
}
