/* What a rank has of contact: of a body of which contact names one side, that side and the facets beside it, and not
   the rest of the boundary. Histories by owner: rows of arrays on their way to slabs and back, and the history of a
   point on its own rank alone. */
#include "contact/division.h"
#include "model/slabs.h"
#include "model_from_text.h"

#define N 6 /* elements along an edge */

static const char deck[] =
    "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"
    "bodies:\n"
    "  - {name: a, material: m, velocity: [0, 0, -0.2], mesh: {block: {from: [0, 0, 0],"
    " to: [1, 1, 1], elements: [6, 6, 6]}}}\n"
    "  - {name: b, material: m, position: [0.02, 0.03, 0], mesh: {block: {from: [0, 0, -1],"
    " to: [1, 1, 0], elements: [6, 6, 6]}}}\n"
    "contact: [{between: [a.bottom, b], friction: 0.3}]\n"
    "time: {method: explicit, step: 0.001, end: 1}\n";

static const CrModelSet *set_of(const CrModel *model, PetscInt body, const char *name)
{
  for (PetscInt s = 0; s < model->nsets; s++)
    if (model->sets[s].body == body && !strcmp(model->sets[s].name, name)) return &model->sets[s];
  return NULL;
}

/* Facets with a node at z = 0. Others must have an owned node, or a cell that this rank counts. */
static PetscInt count_beside(const CrModel *model, const CrModelSet *set)
{
  PetscInt beside = 0;

  for (PetscInt f = 0; f < set->nfacets; f++) {
    PetscBool low = PETSC_FALSE, own = set->facets[f].owned;

    for (PetscInt a = 0; a < 4; a++) {
      PetscInt A = set->facets[f].nodes[a];

      low = low || PetscAbsReal(model->X[3 * A + 2]) < 1e-12;
      own = own || A < model->nowned;
    }
    beside += low;
    CHECK(low || own);
  }
  return beside;
}

static void test_surfaces(const CrModel *model)
{
  const CrModelSet *bottom = set_of(model, 0, "bottom"), *skin = set_of(model, 0, "boundary");

  CHECK(bottom->nfacets == N * N && bottom->nnodes == (N + 1) * (N + 1));
  CHECK(count_beside(model, skin) == N * N + 4 * N);
  CHECK(set_of(model, 1, "boundary")->nfacets == 6 * N * N); /* named as a whole */
}

/* Row r has the numbers 10 r and 10 r + 1; rank p gives the rows r = p, p + size, .. and needs all from p on. */
static void test_rows(void)
{
  enum { ALL = 9000 }; /* more than travels at once */
  PetscInt    given[ALL], needed[ALL], ngiven = 0, nneeded = 0;
  PetscReal   values[2 * ALL];
  PetscMPIInt rank, size;
  CrSlab      slab = {0};

  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  for (PetscInt r = rank; r < ALL; r++) {
    needed[nneeded++] = r;
    if ((r - rank) % size) continue;
    values[2 * ngiven] = 10.0 * (PetscReal)r;
    values[2 * ngiven + 1] = 10.0 * (PetscReal)r + 1;
    given[ngiven++] = r;
  }
  CHECK_OK(CrSlabFromRows(PETSC_COMM_WORLD, ALL, ngiven, given, 2, values, &slab));
  CHECK(slab.all == 2 * ALL);
  for (PetscInt k = 0; k < slab.n; k++) {
    PetscInt at = (PetscInt)slab.begin + k;

    CHECK(slab.values[k] == 10.0 * (PetscReal)(at / 2) + (PetscReal)(at % 2));
  }
  CHECK_OK(CrSlabToRows(PETSC_COMM_WORLD, ALL, nneeded, needed, 2, &slab, values));
  for (PetscInt k = 0; k < 2 * nneeded; k++)
    CHECK(values[k] == 10.0 * (PetscReal)needed[k / 2] + (PetscReal)(k % 2));
  CHECK_OK(CrSlabDestroy(&slab));
}

/* Every point is given by one rank, and nothing of it is on other ranks. */
static void test_history(Problem *p)
{
  CrContactHistory *h = p->state->contact;
  PetscInt          all = 0, pressed = 0;

  CHECK_OK(problem_run(p, 20, 0.001));
  CHECK_OK(CrContactCollect(p->contact, h));
  for (PetscInt k = 0; k < p->contact->npasses; k++)
    for (PetscInt i = 0; i < p->contact->passes[k].n; i++) {
      const PetscReal *method = h->method + h->width * (p->contact->passes[k].first + i);
      PetscBool        mine = CrPointIsMine(p->contact, &p->contact->passes[k], i);

      pressed += mine && method[0] > 0;
      CHECK(mine || method[0] == 0);
    }
  all = h->rows.all ? h->rows.ngiven : h->npoints;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &pressed, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  CHECK(all == h->npoints);
  CHECK(pressed > 10);
}

int main(int argc, char **argv)
{
  Problem p;
  int     failures;

  if (check_start(argc, argv)) return 1;
  test_rows();
  CHECK_OK(problem_open(&p, deck));
  if (!check_failures) {
    test_surfaces(p.model);
    test_history(&p);
    CHECK_OK(problem_close(&p));
  }
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}
