/* Scouts find the same facets and edges as a search over the whole surfaces. Only owners know the positions: ghosts
   that belong to no element have wrong ones until scouts bring them. */
#include "contact/scout.h"
#include "contact/place.h"
#include "model_from_text.h"

static const char deck[] =
    "carom: 1\ndimension: 3\nmaterials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]\n"
    "bodies:\n"
    "  - {name: a, material: m, mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [7, 6, 3]}}}\n"
    "  - {name: b, material: m, position: [0.02, 0.03, 0], mesh: {block: {from: [0, 0, -1],"
    " to: [1, 1, 0], elements: [5, 6, 3], type: T4}}}\n"
    "contact: [{between: [a, b.top], friction: 0.3}]\n"
    "time: {method: explicit, step: 0.001, end: 1}\n";

#define WRONG 1e6

/* A displacement that depends on the reference position alone. */
static PetscReal displacement(const CrModel *model, PetscInt node, PetscInt i)
{
  const PetscReal *X = model->X + 3 * node;

  return 0.1 * PetscSinReal(3 * X[(i + 1) % 3] + 2 * X[i]) + 0.05 * X[(i + 2) % 3];
}

static void fill(const CrModel *model, PetscReal *right, PetscReal *u)
{
  char *known;

  CHECK_OK(PetscCalloc1(model->nlocal, &known));
  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt e = 0;
         e < model->blocks[k].nbatches * model->blocks[k].element->nnodes * CR_BATCH; e++)
      known[model->blocks[k].nodes[e]] = 1;
  for (PetscInt A = 0; A < model->nlocal; A++)
    for (PetscInt i = 0; i < 3; i++) {
      right[3 * A + i] = displacement(model, A, i);
      u[3 * A + i] = known[A] ? right[3 * A + i] : WRONG;
    }
  CHECK_OK(PetscFree(known));
}

/* Does the box around some nodes come near? */
static PetscBool is_near(const CrContact *c, PetscInt n, const PetscInt *nodes, const PetscReal *u,
                         const PetscReal box[6])
{
  for (PetscInt i = 0; i < 3; i++) {
    PetscReal low = PETSC_MAX_REAL, high = -PETSC_MAX_REAL;

    for (PetscInt a = 0; a < n; a++) {
      PetscReal x = c->model->X[3 * nodes[a] + i] + u[3 * nodes[a] + i];

      low = PetscMin(low, x);
      high = PetscMax(high, x);
    }
    if (low > box[3 + i] || box[i] > high) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* The box of question k on a rank: a part of the model, different on each rank. */
static void box_of(PetscInt k, PetscMPIInt rank, PetscReal box[6])
{
  for (int i = 0; i < 3; i++) {
    box[i] = 0.15 * (PetscReal)((rank + k + i) % 4) - 0.1;
    box[3 + i] = box[i] + 0.8;
  }
  if ((rank + k) % 5 == 4) CrScoutEmpty(box);
}

/* Compares the answer to a question with a search over all items, at positions that the test knows. */
static void compare(const CrContact *c, const CrScout *q, const PetscReal *right,
                    const PetscReal *u, PetscBool bring, PetscInt *found)
{
  const PetscInt all = q->ridges ? q->ridges->n : q->surface->nfacets;
  PetscInt       n = 0;

  for (PetscInt f = 0; f < all; f++) {
    const PetscInt *nodes = q->ridges ? CrRidgeNodes(q->ridges, f) : q->surface->corners + 4 * f;
    const PetscInt  nc = q->ridges ? 2 : q->surface->ncorners[f];

    CHECK(is_near(c, nc, nodes, right, q->all));
    if (q->box[0] > q->box[3] || !is_near(c, nc, nodes, right, q->box)) continue;
    CHECK(n < q->n && q->items[n] == f);
    n++;
    for (PetscInt a = 0; bring && a < 3 * nc; a++)
      CHECK(u[3 * nodes[a / 3] + a % 3] == right[3 * nodes[a / 3] + a % 3]);
  }
  CHECK(n == q->n);
  *found += n;
}

static void test_answers(const CrContact *c, PetscBool bring)
{
  PetscReal  *right, *u;
  CrScouts   *scouts;
  PetscMPIInt rank;
  PetscInt    found = 0;

  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  CHECK_OK(PetscMalloc2(3 * c->model->nlocal, &right, 3 * c->model->nlocal, &u));
  fill(c->model, right, u);
  CHECK_OK(CrScoutsOfPasses(c, &scouts));
  for (PetscInt k = 0; k < scouts->n; k++) {
    scouts->list[k].asks = scouts->list[k].surface || scouts->list[k].ridges;
    box_of(k, rank, scouts->list[k].box);
  }
  CHECK_OK(CrScoutsAsk(scouts, u, bring));
  for (PetscInt k = 0; k < scouts->n; k++)
    if (scouts->list[k].asks) compare(c, &scouts->list[k], right, u, bring, &found);
  MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
  CHECK(found > 20); /* or nothing is tested */
  CHECK_OK(CrScoutsDestroy(&scouts));
  CHECK_OK(PetscFree2(right, u));
}

int main(int argc, char **argv)
{
  Problem p;
  int     failures;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(problem_open(&p, deck));
  if (!check_failures) {
    test_answers(p.contact, PETSC_TRUE);
    test_answers(p.contact, PETSC_FALSE);
    CHECK_OK(problem_close(&p));
  }
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}
