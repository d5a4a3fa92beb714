/* Samples: points between the nodes of a surface. They divide the area of the surface with the nodes, lie where the
   grid says, turn with their facet, and admit the directions of a facet or an edge. */
#include "model_from_text.h"
#include "base/vector.h"
#include "contact/geometry/samples.h"

#define DEGREE (PETSC_PI / 180)

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

static const CrModelSet *set_named(const CrModel *model, const char *name)
{
  for (PetscInt k = 0; k < model->nsets; k++)
    if (!strcmp(model->sets[k].name, name)) return &model->sets[k];
  CHECK(!"the set exists");
  exit(1);
}

static void position(const CrModel *model, const CrSample *sample, PetscReal x[3])
{
  x[0] = x[1] = x[2] = 0;
  for (PetscInt a = 0; a < sample->n; a++)
    for (PetscInt i = 0; i < model->dim; i++)
      x[i] += sample->c[a] * model->X[model->dim * sample->nodes[a] + i];
}

/* Samples and nodes together have the area of the surface, and its first moments where facets are parallelograms or
   triangles: `centre` is that of the surface. No two samples stand at one place. */
static void check_areas(const char *mesh, PetscInt dim, const char *set, PetscInt m, PetscInt count,
                        PetscReal area, const PetscReal centre[3])
{
  Problem    p;
  CrSurface *s;
  CrSamples *samples;
  PetscReal  total = 0, moment[3] = {0}, x[3], y[3];

  CHECK_OK(open_body(&p, dim, mesh));
  CHECK_OK(CrSurfaceCreate(p.model, set_named(p.model, set), &s));
  CHECK_OK(CrSamplesCreate(p.model, s, m, &samples));
  CHECK(samples->n == count);
  for (PetscInt k = 0; k < samples->n; k++) {
    const CrSample *sample = &samples->list[k];
    PetscReal       sum = 0;

    for (PetscInt a = 0; a < sample->n; a++) sum += sample->c[a];
    CHECK_NEAR(sum, 1, 1e-14);
    CHECK(s->nodes[sample->vertex] == sample->nodes[0]);
    position(p.model, sample, x);
    total += sample->weight;
    v_add(moment, sample->weight, x);
    for (PetscInt l = 0; l < k; l++) {
      position(p.model, &samples->list[l], y);
      v_add(y, -1, x);
      CHECK_LESS(1e-3, v_length(y));
    }
  }
  for (PetscInt i = 0; i < s->nnodes; i++) {
    total += s->weight[i] * CrSamplesLeave(samples);
    for (PetscInt j = 0; j < dim; j++)
      moment[j] += s->weight[i] * CrSamplesLeave(samples) * p.model->X[dim * s->nodes[i] + j];
  }
  CHECK_NEAR(total, area, 1e-12 * area);
  for (PetscInt j = 0; j < dim; j++) CHECK_NEAR(moment[j] / area, centre[j], 1e-12);
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

static void test_areas(void)
{
  const PetscReal top[3] = {1, 1, 0}, lid[3] = {1, 0.5, 1};

  check_areas("block: {from: [0, 0], to: [2, 1], elements: [4, 2]}", 2, "top", 3, 8, 2, top);
  /* 6 quads: 1 inside each, 17 edges of 1 */
  check_areas("block: {from: [0, 0, 0], to: [2, 1, 1], elements: [3, 2, 1]}", 3, "top", 2, 23, 2,
              lid);
  /* 4 triangles of 2 x 1 quads: 1 inside each, 9 edges of 2 */
  check_areas("block: {from: [0, 0, 0], to: [2, 1, 1], elements: [2, 1, 1], type: T4}", 3, "top", 3,
              4 + 18, 2, lid);
}

/* Of a cube turned by nothing: a sample inside the top admits facets that look down within the tolerance. A sample on
   an edge of the cube admits the right angle between the two sides, and nothing along the edge. */
static void test_directions(void)
{
  Problem    p;
  CrSurface *s;
  CrSamples *samples;
  PetscReal *u, x[3];
  PetscInt   inside = 0, sharp = 0;

  CHECK_OK(open_body(&p, 3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [1, 1, 1]}"));
  CHECK_OK(CrSurfaceCreate(p.model, set_named(p.model, "boundary"), &s));
  CHECK_OK(CrSamplesCreate(p.model, s, 2, &samples));
  CHECK_OK(PetscCalloc1(3 * p.model->nlocal, &u));
  for (PetscInt k = 0; k < samples->n; k++) {
    const CrSample *sample = &samples->list[k];

    position(p.model, sample, x);
    for (PetscReal a = -179.5; a < 180; a += 1) { /* in the plane of y and z */
      const PetscReal nu[3] = {0, -PetscSinReal(a * DEGREE), -PetscCosReal(a * DEGREE)};
      PetscBool       admitted = CrSampleIsAdmitted(p.model, s, sample, u, nu, 15 * DEGREE);

      if (PetscAbsReal(x[2] - 1) < 1e-9 && PetscAbsReal(x[1] - 0.5) < 1e-9 && sample->n == 4) {
        CHECK(admitted == (PetscAbsReal(a) < 15));
        inside++;
      }
      if (PetscAbsReal(x[2] - 1) < 1e-9 && PetscAbsReal(x[1] - 1) < 1e-9) {
        CHECK(admitted == (a > -15 && a < 105));
        CHECK_NEAR(sample->turn, 90 * DEGREE, 1e-9);
        sharp++;
      }
      if (PetscAbsReal(x[0]) < 1e-9 && PetscAbsReal(x[1]) < 1e-9) /* an edge along z */
        CHECK(!admitted || PetscAbsReal(a) > 75);
    }
  }
  CHECK(inside == 360 && sharp == 360);
  CHECK_OK(PetscFree(u));
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* In self-contact a sample leaves out the facets that share a node with its own. */
static void test_neighbours(void)
{
  Problem    p;
  CrSurface *s;
  CrSamples *samples;
  PetscInt   own = 0;

  CHECK_OK(open_body(&p, 2, "block: {from: [0, 0], to: [8, 1], elements: [8, 1]}"));
  CHECK_OK(CrSurfaceCreate(p.model, set_named(p.model, "top"), &s));
  CHECK_OK(CrSamplesCreate(p.model, s, 2, &samples));
  for (PetscInt f = 0; f < s->nfacets; f++) own += CrSampleIsNear(s, &samples->list[4], f);
  CHECK(own == 3);
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* Points of long edges: none if the facets of the other side are as large as the edges; else the points k/parts of each
   edge, with the area of a strip beside the edge, and directions between the normals of both facets. */
static void test_long_edges(void)
{
  const PetscReal up[3] = {0, 0, -1}, slant[3] = {0, -PETSC_SQRT2 / 2, -PETSC_SQRT2 / 2};
  Problem         p;
  CrSurface      *s;
  CrSamples      *samples;
  PetscReal      *u, x[3];
  PetscInt        on_top = 0;

  CHECK(CrLongEdgeParts(1, 1) == 1 && CrLongEdgeParts(1.5, 1) == 1 && CrLongEdgeParts(1.6, 1) == 2);
  CHECK(CrLongEdgeParts(3.1, 1) == 4 && CrLongEdgeParts(8, 1) == 8);
  CHECK_OK(open_body(&p, 3, "block: {from: [0, 0, 0], to: [4, 1, 2], elements: [1, 1, 2]}"));
  CHECK_OK(CrSurfaceCreate(p.model, set_named(p.model, "boundary"), &s));
  CHECK_OK(CrSamplesOfLongEdges(p.model, s, 20 * DEGREE, 1, 4, &samples));
  CHECK(samples->n == 0);
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSamplesOfLongEdges(p.model, s, 20 * DEGREE, 2, 2, &samples)); /* `samples: 2` */
  CHECK(samples->n == 0);
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSamplesOfLongEdges(p.model, s, 20 * DEGREE, 1, 1, &samples));
  CHECK(samples->n == 4 * 3); /* the middle of the flat sides has no points */
  CHECK_OK(PetscCalloc1(3 * p.model->nlocal, &u));
  for (PetscInt k = 0; k < samples->n; k++) {
    const CrSample *sample = &samples->list[k];

    position(p.model, sample, x);
    CHECK_NEAR(sample->c[0] + sample->c[1], 1, 1e-14);
    CHECK(sample->parts == (PetscAbsReal(x[0] - 2) < 1e-9 ? 2 : 4));
    CHECK_NEAR(sample->weight, 4, 1e-12); /* half of each facet beside it, 4 by 1 */
    CHECK_NEAR(sample->spacing, 1, 1e-12);
    CHECK_NEAR(sample->turn, 90 * DEGREE, 1e-9);
    if (x[2] < 1.9 || x[1] < 0.9) continue;
    CHECK(CrSampleIsAdmitted(p.model, s, sample, u, up, 15 * DEGREE));
    CHECK(CrSampleIsAdmitted(p.model, s, sample, u, slant, 15 * DEGREE));
    on_top++;
  }
  CHECK(on_top == 3);
  CHECK_OK(PetscFree(u));
  CHECK_OK(CrSamplesDestroy(&samples));
  CHECK_OK(CrSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_long_edges();
  test_areas();
  test_directions();
  test_neighbours();
  return check_end();
}
