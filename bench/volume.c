/* Costs of `volume: mean` and of the laws without state: bare kernels on a mesh that stays in cache, beside neo-Hookean at
   points. Times are CPU seconds of this process, the least of several tries. usage: carom_bench_volume */
#include <string.h>
#include <time.h>
#include "base/isa.h"
#include "element/element.h"
#include "model/model.h"
#include "run/run.h"

typedef enum { FORCE, TANGENT, FORCE_AT, NKERNELS } Kernel;

static double cpu(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PetscErrorCode open_body(const char *type, const char *law, const char *volume,
                                CrDeck **deck, CrModel **model)
{
  PetscBool plane = !strcmp(type, "Q4") || !strcmp(type, "T6");
  char      text[1024];

  PetscFunctionBeginUser;
  snprintf(text, sizeof text,
           "carom: 1\ndimension: %d\nmaterials: [{name: m, model: %s, density: 1}]\n"
           "bodies: [{name: b, material: m, volume: %s, mesh: {block: {from: %s, to: %s, elements: "
           "%s, type: %s}}}]\ntime: {method: midpoint, step: 0.01, end: 1}\n",
           plane ? 2 : 3, law, volume, plane ? "[0, 0]" : "[0, 0, 0]",
           plane ? "[1, 1]" : "[1, 1, 1]", plane ? "[16, 16]" : "[6, 6, 6]", type);
  PetscCall(CrProblemParse("bench", text, 0, NULL, deck));
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, *deck, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All batches of the model, once. */
static void pass(const CrModel *model, Kernel kernel, const CrNodal *nodal, PetscReal *out)
{
  PetscReal   W[CR_BATCH], det[CR_BATCH];
  CrKernelOut result = {.force = kernel == TANGENT ? NULL : out,
                        .tangent = kernel == TANGENT ? out : NULL,
                        .energy = kernel == FORCE_AT ? W : NULL,
                        .det = kernel == FORCE_AT ? det : NULL};

  for (PetscInt b = 0; b < model->nblocks; b++)
    for (PetscInt i = 0; i < model->blocks[b].nbatches; i++) {
      const CrElementBlock *block = &model->blocks[b];
      CrKernel             *k = kernel == TANGENT ? block->element->tangent : block->element->force;

      k(block, i, nodal, kernel == FORCE_AT ? CR_FORCE_POINT : CR_FORCE_CONSERVING, &result);
    }
}

/* Microseconds per element. */
static PetscErrorCode cost(const char *type, const char *law, const char *volume, Kernel kernel,
                           double *microseconds)
{
  CrDeck    *deck;
  CrModel   *model;
  PetscReal *u0, *u1, *out;
  double     best = 1e30;

  PetscFunctionBeginUser;
  PetscCall(open_body(type, law, volume, &deck, &model));
  PetscCall(PetscMalloc3(model->nlocal * 3, &u0, model->nlocal * 3, &u1,
                         CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH, &out));
  for (PetscInt k = 0; k < model->nlocal * model->dim; k++) {
    u0[k] = 1e-5 * (double)((k * 104729) % 101);
    u1[k] = 1e-5 * (double)((k * 7919) % 101);
  }
  for (int k = 0; k < 9; k++) {
    const CrNodal nodal = {.X = model->X, .u0 = u0, .u1 = u1};
    double        t = cpu();

    for (int again = 0; again < 20; again++) pass(model, kernel, &nodal, out);
    best = PetscMin(best, (cpu() - t) / 20);
  }
  *microseconds = 1e6 * best / (double)model->ncells;
  PetscCall(PetscFree3(u0, u1, out));
  PetscCall(CrModelDestroy(&model));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode table(void)
{
  const char *const types[] = {"Q4", "T6", "H8", "T10"};
  const char *const laws[] = {"neo-hookean, lambda: 130, shear: 43",
                              "mooney-rivlin, c10: 15, c01: 6, bulk: 150",
                              "ogden, mu: [25, 4, -1], alpha: [1.3, 5, -2], bulk: 150"};
  const char *const kernels[] = {"force", "tangent", "force at"};

  PetscFunctionBeginUser;
  for (int t = 0; t < 4; t++)
    for (Kernel k = 0; k < NKERNELS; k++)
      for (int l = 0; l < 3; l++) {
        double point, mean;

        PetscCall(cost(types[t], laws[l], "point", k, &point));
        PetscCall(cost(types[t], laws[l], "mean", k, &mean));
        printf("%-4s %-8s %-14.*s point %7.3f us, mean %7.3f us, ratio %.2f\n", types[t],
               kernels[k], (int)strcspn(laws[l], ","), laws[l], point, mean, mean / point);
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  printf("instruction set %s\n", CrIsaName(CrIsaGet()));
  PetscCall(table());
  PetscCall(PetscFinalize());
  return 0;
}
