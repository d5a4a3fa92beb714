/* The overlap check by owner. A block slides over a long base, at a known depth inside it. On any number of ranks the
   check finds this depth, from positions that only the owners of nodes have: ghosts are not a number before each call. A
   rank has the facets near its own items alone, and chooses them anew as the block moves on. */
#include "contact/overlap/internal.h"
#include "model_from_text.h"

static const char deck[] =
    "carom: 1\ndimension: 3\nmaterials: [{name: m, young: 100, poisson: 0.3, density: 1}]\n"
    "bodies:\n"
    "  - {name: block, material: m, mesh: {block: {from: [0.55, 0.2, 0.01], to: [1.5, 0.8, 1.01],"
    " elements: [4, 3, 4]}}}\n"
    "  - {name: base, material: m, mesh: {block: {from: [0, 0, -1], to: [8, 1, 0], elements: [32, 4, 4]}}}\n"
    "contact: [{between: [%s, %s]}]\n"
    "time: {method: dissipative, step: 0.01, end: 1}\n";

static const PetscReal gap = 0.01;

/* Moves the block by `way` along the base, and `depth` into it. */
static void place(const Problem *p, PetscReal way, PetscReal depth)
{
  const CrModel *model = p->model;
  PetscReal     *u;

  CHECK_OK(VecGetArray(p->state->u, &u));
  for (PetscInt A = 0; A < model->nlocal; A++) {
    PetscBool moves = model->node_body[A] == 0;

    u[3 * A] = moves ? way : 0;
    u[3 * A + 1] = 0;
    u[3 * A + 2] = moves ? -depth - gap : 0;
    for (int i = 0; i < 3 && A >= model->nowned; i++) u[3 * A + i] = NAN;
  }
  CHECK_OK(VecRestoreArray(p->state->u, &u));
}

/* The number of facets that all ranks have of a surface, and how many there are. */
static void count_facets(const CrOverlaps *o, PetscInt *have, PetscInt *there_are)
{
  *have = *there_are = 0;
  for (PetscInt s = 0; s < o->contact->model->nsets; s++)
    if (o->shells[s]) {
      *have += o->shells[s]->nfacets;
      *there_are += o->shells[s]->surface->nfacets;
    }
  MPI_Allreduce(MPI_IN_PLACE, have, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
}

static void test_sliding(const char *a, const char *b)
{
  Problem          p = {0};
  CrOverlaps      *o;
  const PetscReal *row;
  PetscInt         have, there_are;

  CHECK_OK(problem_open(&p, deck, a, b));
  CHECK_OK(CrOverlapsCreate(p.contact, PETSC_TRUE, PETSC_FALSE, &o));
  row = p.contact->picture->overlap;
  place(&p, 0, -gap / 2);
  CHECK_OK(CrOverlapsMeasure(o, p.state));
  CHECK(row[0] == 0 && row[1] == 0 && row[2] == 0);
  for (int k = 0; k <= 24; k++) {
    PetscReal depth = 0.01 + 0.0005 * k;

    place(&p, 0.25 * k, depth);
    CHECK_OK(CrOverlapsMeasure(o, p.state));
    for (int i = 0; i < 3; i++) CHECK_NEAR(row[i], depth, 1e-13);
  }
  count_facets(o, &have, &there_are);
  CHECK(o->ranks == 1 ? have == there_are && o->renewals == 0
                      : have < o->ranks * there_are && o->renewals > 3);
  CHECK(!CrOverlapsFailure(o));
  /* deeper than a layer of elements, but less than half of the thickness, 1; then more */
  place(&p, 3.01, 0.45);
  CHECK_OK(CrOverlapsMeasure(o, p.state));
  for (int i = 0; i < 3; i++) CHECK_NEAR(row[i], 0.45, 1e-13);
  CHECK(!CrOverlapsFailure(o));
  place(&p, 3.01, 0.51);
  CHECK_OK(CrOverlapsMeasure(o, p.state));
  CHECK(CrOverlapsFailure(o) && strstr(CrOverlapsFailure(o), "more than 0.5"));
  CHECK_OK(CrOverlapsDestroy(&o));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_sliding("block.bottom", "base.top");
  test_sliding("base.top", "block.bottom");
  return check_end();
}
