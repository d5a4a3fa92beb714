/* A mesh whose file lists nodes and cells in random order is numbered along a curve: the answers are
   those of the ordered mesh to rounding, and everything that leaves the model is in the file's order. */
#include <stdlib.h>
#include <unistd.h>
#include "model_from_text.h"
#include "model/forces.h"
#include "model/gather.h"

#define STEPS 10

static char path[] = "/tmp/carom-renumber-XXXXXX";

/* perm[k]: where the k-th of the shuffled things was before. */
static PetscInt *shuffle(PetscInt n, unsigned seed)
{
  PetscInt *perm = NULL;

  if (PetscMalloc1(n, &perm)) return NULL;
  for (PetscInt k = 0; k < n; k++) perm[k] = k;
  for (PetscInt k = n - 1; k > 0; k--) {
    PetscInt j = (PetscInt)((random_number(&seed) + 1) / 2 * (PetscReal)(k + 1)), was = perm[k];

    perm[k] = perm[j];
    perm[j] = was;
  }
  return perm;
}

static void write_nodes(FILE *out, const CrMesh *mesh, const PetscInt *perm)
{
  int n = (int)mesh->nnodes;

  fprintf(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %d 1 %d\n%d 1 0 %d\n", n, n,
          (int)mesh->dim, n);
  for (int k = 0; k < n; k++) fprintf(out, "%d\n", k + 1);
  for (int k = 0; k < n; k++) {
    const PetscReal *X = mesh->X + mesh->dim * perm[k];

    fprintf(out, "%.17g %.17g %.17g\n", X[0], X[1], mesh->dim == 3 ? X[2] : 0);
  }
  fprintf(out, "$EndNodes\n");
}

/* The mesh with node k of the file the old node perm[k], cells at random too. */
static PetscErrorCode write_shuffled(const CrMesh *mesh, const PetscInt *perm)
{
  const CrCellBlock *b = &mesh->blocks[0];
  PetscInt           nn = CrCells[b->type].nnodes, *cells = shuffle(b->n, 5), *tag;
  FILE              *out = fopen(path, "w");

  PetscFunctionBeginUser;
  PetscCheck(out && cells, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscCall(PetscMalloc1(mesh->nnodes, &tag));
  for (PetscInt k = 0; k < mesh->nnodes; k++) tag[perm[k]] = k + 1;
  write_nodes(out, mesh, perm);
  fprintf(out, "$Elements\n1 %d 1 %d\n%d 1 %d %d\n", (int)b->n, (int)b->n, (int)mesh->dim,
          (int)CrCells[b->type].gmsh, (int)b->n);
  for (PetscInt e = 0; e < b->n; e++) {
    PetscInt in_file[CR_MAX_CELL_NODES];

    for (PetscInt a = 0; a < nn; a++)
      in_file[CrCells[b->type].gmsh_order[a]] = tag[b->nodes[nn * cells[e] + a]];
    fprintf(out, "%d", (int)e + 1);
    for (PetscInt a = 0; a < nn; a++) fprintf(out, " %d", (int)in_file[a]);
    fprintf(out, "\n");
  }
  fprintf(out, "$EndElements\n");
  fclose(out);
  PetscCall(PetscFree(cells));
  PetscCall(PetscFree(tag));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode open_with(Problem *p, PetscInt dim, const char mesh[])
{
  const char *spin = dim == 3 ? "[0.3, 0.2, 1]" : "1", *at = dim == 3 ? "[1, 1, 1]" : "[1, 1]";
  const char *force = dim == 3 ? "[0.02, 0.01, 0.03]" : "[0.02, 0.01]",
             *zero = dim == 3 ? "[0, 0, 0]" : "[0, 0]";

  PetscFunctionBeginUser;
  PetscCall(problem_open(p,
                         "carom: 1\ndimension: %d\n"
                         "materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, "
                         "density: 8.93}]\n"
                         "bodies: [{name: b, material: m, spin: %s, mesh: {%s}}]\n"
                         "conditions: [{on: b.boundary, pressure: 5}, {on: b, at: %s, force: %s},"
                         " {on: b, at: %s, fix: [x, y]}]\n"
                         "time: {method: explicit, step: 1.0e-3, end: 1}\n",
                         (int)dim, spin, mesh, at, force, zero));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every node once; *moved: some are not where they were. */
static PetscErrorCode check_numbers(const CrModel *model, PetscBool *moved)
{
  PetscInt *seen, wrong = 0;

  PetscFunctionBeginUser;
  *moved = PETSC_FALSE;
  PetscCall(PetscCalloc1(model->nglobal, &seen));
  for (PetscInt A = 0; A < model->nowned; A++) {
    seen[model->natural[A]]++;
    if (model->natural[A] != A) *moved = PETSC_TRUE;
  }
  for (PetscInt A = 0; A < model->nglobal; A++) wrong += seen[A] != 1;
  CHECK(model->nowned == model->nglobal && wrong == 0);
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mean spread of the node numbers of a cell, against that of random numbers, about n/2. */
static PetscReal spread(const CrModel *model)
{
  const CrElementBlock *b = &model->blocks[0];
  PetscReal             sum = 0;

  for (PetscInt e = 0; e < b->n; e++) {
    PetscInt low = model->nlocal, high = 0;

    for (PetscInt a = 0; a < b->element->nnodes; a++) {
      PetscInt A = b->nodes[(e / CR_BATCH * b->element->nnodes + a) * CR_BATCH + e % CR_BATCH];

      low = PetscMin(low, A);
      high = PetscMax(high, A);
    }
    sum += (PetscReal)(high - low);
  }
  return sum / (PetscReal)b->n / ((PetscReal)model->nlocal / 2);
}

static void check_cells_ascend(const CrModel *model)
{
  const CrElementBlock *b = &model->blocks[0];
  PetscInt              before = -1, wrong = 0;

  for (PetscInt e = 0; e < b->nowned; e++) {
    PetscInt low = model->nlocal;

    for (PetscInt a = 0; a < b->element->nnodes; a++)
      low = PetscMin(low,
                     b->nodes[(e / CR_BATCH * b->element->nnodes + a) * CR_BATCH + e % CR_BATCH]);
    wrong += low < before;
    before = low;
  }
  CHECK(wrong == 0);
}

/* Cells come out of the model as the mesh has them: numbers, order, nodes. */
static PetscErrorCode check_cells_out(const CrModel *model, const CrMesh *mesh)
{
  PetscInt *types, *offsets, *nodes, *bodies, wrong = 0;
  PetscInt  n = mesh->blocks[0].n * CrCells[mesh->blocks[0].type].nnodes;

  PetscFunctionBeginUser;
  PetscCall(CrModelGatherCells(model, &types, &offsets, &nodes, &bodies));
  CHECK(offsets[model->ncells] == n);
  for (PetscInt k = 0; k < n; k++) wrong += nodes[k] != mesh->blocks[0].nodes[k];
  CHECK(wrong == 0);
  PetscCall(PetscFree(types));
  PetscCall(PetscFree(offsets));
  PetscCall(PetscFree(nodes));
  PetscCall(PetscFree(bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Owned values in natural order; the caller frees. */
static PetscErrorCode in_natural_order(const CrModel *model, const PetscReal *owned,
                                       PetscReal **all)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nglobal * model->dim, all));
  PetscCall(CrModelGather(model, model->dim, owned, *all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Node k of the shuffled mesh does what node perm[k] of the ordered one does. */
static PetscErrorCode check_same(const char what[], const Problem p[2], const PetscInt *perm,
                                 const PetscReal *ordered, const PetscReal *shuffled,
                                 PetscReal bound)
{
  PetscInt   dim = p[0].model->dim;
  PetscReal *a, *b, worst = 0, scale = 0;

  PetscFunctionBeginUser;
  PetscCall(in_natural_order(p[0].model, ordered, &a));
  PetscCall(in_natural_order(p[1].model, shuffled, &b));
  for (PetscInt k = 0; k < p[0].model->nglobal * dim; k++) {
    scale = PetscMax(scale, PetscAbsReal(a[k]));
    worst = PetscMax(worst, PetscAbsReal(b[k] - a[perm[k / dim] * dim + k % dim]));
  }
  printf("  %s: worst difference %.2g of %.2g\n", what, worst, scale);
  CHECK(scale > 0);
  CHECK_LESS(worst, bound * scale);
  PetscCall(PetscFree(a));
  PetscCall(PetscFree(b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* (K + 3 M) v at the displacements reached, on owned dofs; the caller frees. */
static PetscErrorCode tangent_times(const Problem *p, PetscReal **product)
{
  PetscReal *u = copy_of(p->model, p->state->u);
  Mat        A;
  Vec        y;

  PetscFunctionBeginUser;
  PetscCall(CrModelCreateMatrix(p->model, &A));
  PetscCall(CrModelTangent(p->model, p->state, CR_FORCE_POINT, NULL, u, 1, 3, A));
  PetscCall(CrModelCreateVec(p->model, &y));
  PetscCall(MatMult(A, p->state->v, y));
  *product = copy_of(p->model, y);
  PetscCall(VecDestroy(&y));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFree(u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces of ten steps, and a tangent, added up in another order: roundings of a few dozen terms. */
static PetscErrorCode check_answers(Problem p[2], const PetscInt *perm)
{
  PetscReal *values[2];

  PetscFunctionBeginUser;
  for (int i = 0; i < 2; i++) PetscCall(problem_run(&p[i], STEPS, 1e-3));
  PetscCall(check_same("X", p, perm, p[0].model->X, p[1].model->X, 1e-15));
  for (int i = 0; i < 2; i++) values[i] = copy_of(p[i].model, p[i].state->u);
  PetscCall(check_same("u", p, perm, values[0], values[1], 1e-12));
  for (int i = 0; i < 2; i++) PetscCall(PetscFree(values[i]));
  for (int i = 0; i < 2; i++) PetscCall(tangent_times(&p[i], &values[i]));
  PetscCall(check_same("K v", p, perm, values[0], values[1], 1e-11));
  for (int i = 0; i < 2; i++) PetscCall(PetscFree(values[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode compare(PetscInt dim, const char block[])
{
  char      text[256], file[128];
  CrDeck   *deck;
  CrMesh   *mesh, *shuffled;
  PetscInt *perm;
  Problem   p[2];
  PetscBool moved[2];

  PetscFunctionBeginUser;
  printf("%s\n", block);
  snprintf(text, sizeof text, "mesh: {%s}", block);
  PetscCall(CrDeckParse("test", text, strlen(text), 0, NULL, &deck));
  PetscCall(CrMeshCreate(CrDeckRoot(deck), dim, "test", &mesh));
  PetscCall(CrDeckDestroy(&deck));
  perm = shuffle(mesh->nnodes, 3);
  PetscCall(write_shuffled(mesh, perm));
  snprintf(file, sizeof file, "file: %s", path);
  snprintf(text, sizeof text, "mesh: {%s}", file);
  PetscCall(CrDeckParse("test", text, strlen(text), 0, NULL, &deck));
  PetscCall(CrMeshCreate(CrDeckRoot(deck), dim, "test", &shuffled));
  PetscCall(CrDeckDestroy(&deck));

  PetscCall(open_with(&p[0], dim, block));
  PetscCall(open_with(&p[1], dim, file));
  for (int i = 0; i < 2; i++) PetscCall(check_numbers(p[i].model, &moved[i]));
  CHECK(!moved[0] && moved[1]); /* what is good stays as it is */
  CHECK_LESS(spread(p[1].model), 0.2);
  check_cells_ascend(p[1].model);
  PetscCall(check_cells_out(p[0].model, mesh));
  PetscCall(check_cells_out(p[1].model, shuffled));
  PetscCall(check_answers(p, perm));

  for (int i = 0; i < 2; i++) PetscCall(problem_close(&p[i]));
  PetscCall(CrMeshDestroy(&mesh));
  PetscCall(CrMeshDestroy(&shuffled));
  PetscCall(PetscFree(perm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  int fd = mkstemp(path);

  if (fd < 0 || check_start(argc, argv)) return 1;
  close(fd);
  CHECK_OK(compare(3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [18, 17, 16], type: T4}"));
  CHECK_OK(compare(3, "block: {from: [0, 0, 0], to: [1, 1, 1], elements: [20, 17, 15], type: H8}"));
  CHECK_OK(compare(2, "block: {from: [0, 0], to: [1, 1], elements: [90, 70], type: T3}"));
  remove(path);
  return check_end();
}
