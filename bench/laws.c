/* Costs of material laws beside neo-Hookean's bare kernels, for bricks: conserving force, its tangent, and the force
   at one time, on data that stays in cache. Steps change strains by some percent; "a small step" is the force at one time
   after a step that has flowed, with a hundredth of that change, as explicit steps are. Times are CPU seconds, the least of several tries. usage:
   carom_bench_laws */
#include <string.h>
#include <time.h>
#include "run/run.h"
#include "model/forces.h"

#define SIDE 6

static double cpu(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const struct {
  const char *name, *material, *volume;
} laws[] = {
    {"neo-hookean", "model: neo-hookean", "point"},
    {"neo-hookean, mean", "model: neo-hookean", "mean"},
    {"j2", "model: j2, yield: 0.5, hardening: 2", "mean"},
    {"j2, saturation", "model: j2, yield: 0.5, saturation: {stress: 1, exponent: 10}", "mean"},
    {"prony, two branches",
     "model: neo-hookean, prony: [{shear: 20, time: 0.1}, {shear: 10, time: 1}]", "mean"},
    {"viscosity", "model: neo-hookean, viscosity: {shear: 1, bulk: 1}", "mean"},
};

static const char *const kinds[] = {"conserving", "tangent", "at one time", "a small step"};

typedef struct {
  CrDeck  *deck;
  CrModel *model;
  CrState *state;
} Problem;

static PetscErrorCode open_cube(const char material[], const char volume[], Problem *p)
{
  char text[1024];

  PetscFunctionBeginUser;
  snprintf(text, sizeof text,
           "carom: 1\ndimension: 3\n"
           "materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93, %s}]\n"
           "bodies: [{name: b, material: m, volume: %s,\n"
           "  mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [%d, %d, %d]}}}]\n"
           "time: {method: midpoint, step: 0.01, end: 1}\n",
           material, volume, SIDE, SIDE, SIDE);
  PetscCall(CrProblemParse("bench", text, 0, NULL, &p->deck));
  PetscCall(CrModelCreate(PETSC_COMM_WORLD, p->deck, &p->model));
  PetscCall(CrStateCreate(p->model, p->deck, &p->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Microseconds of one element. */
static double kernel_time(const Problem *p, const CrNodal *nodal, CrKernel *kernel,
                          CrForceKind kind, const CrKernelOut *out)
{
  const CrElementBlock *block = &p->model->blocks[0];
  double                best = 1e30;

  for (int k = 0; k < 9; k++) {
    double t = cpu();

    for (int again = 0; again < 20; again++)
      for (PetscInt i = 0; i < block->nbatches; i++) kernel(block, i, nodal, kind, out);
    best = PetscMin(best, (cpu() - t) / 20);
  }
  return 1e6 * best / (double)p->model->ncells;
}

/* The state becomes that of u1, which becomes the start of a small step. */
static void flow_on(const Problem *p, PetscReal *u0, PetscReal *u1, const CrNodal *nodal)
{
  const CrElementBlock *b = &p->model->blocks[0];
  const PetscInt        n = b->stress_rule.n * b->state_size * CR_BATCH;
  PetscReal             loss[CR_BATCH];

  for (PetscInt batch = 0; batch < b->nbatches; batch++)
    b->element->commit(b, batch, nodal, CR_FORCE_POINT,
                       &(CrKernelOut){.state = p->state->points.next[0] + batch * n, .loss = loss});
  for (PetscInt k = 0; k < b->nbatches * n; k++)
    p->state->points.now[0][k] = p->state->points.next[0][k];
  for (PetscInt k = 0; k < p->model->nlocal * 3; k++) {
    PetscReal change = u1[k] - u0[k];

    u0[k] = u1[k];
    u1[k] += 0.01 * change;
  }
}

static PetscErrorCode measure(const char name[], const char material[], const char volume[],
                              double base[4])
{
  Problem          p;
  PetscReal       *u0, *u1, *out;
  double           time[4];
  CrNodal          nodal;
  const CrElement *e;

  PetscFunctionBeginUser;
  PetscCall(open_cube(material, volume, &p));
  PetscCall(PetscCalloc3(p.model->nlocal * 3, &u0, p.model->nlocal * 3, &u1,
                         CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH, &out));
  for (PetscInt k = 0; k < p.model->nlocal * 3; k++) { /* strains of some percent: j2 flows */
    u0[k] = 2e-4 * (double)((k * 7919) % 101);
    u1[k] = 2e-4 * (double)((k * 6151) % 103);
  }
  nodal = (CrNodal){.X = p.model->X, .u0 = u0, .u1 = u1, .h = 0.01};
  if (p.model->remembers) nodal.state = p.state->points.now[0];
  e = p.model->blocks[0].element;
  time[0] = kernel_time(&p, &nodal, e->force, CR_FORCE_CONSERVING, &(CrKernelOut){.force = out});
  time[1] =
      kernel_time(&p, &nodal, e->tangent, CR_FORCE_CONSERVING, &(CrKernelOut){.tangent = out});
  time[2] = kernel_time(&p, &nodal, e->force, CR_FORCE_POINT, &(CrKernelOut){.force = out});
  if (p.model->remembers) flow_on(&p, u0, u1, &nodal);
  time[3] = kernel_time(&p, &nodal, e->force, CR_FORCE_POINT, &(CrKernelOut){.force = out});
  for (int k = 0; k < 4; k++)
    if (!(base[k] > 0)) base[k] = time[k];
  printf("%-22s", name);
  for (int k = 0; k < 4; k++) printf(" %s %6.3f us (%4.1f)", kinds[k], time[k], time[k] / base[k]);
  printf("\n");
  PetscCall(PetscFree3(u0, u1, out));
  PetscCall(CrStateDestroy(&p.state));
  PetscCall(CrModelDestroy(&p.model));
  PetscCall(CrDeckDestroy(&p.deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  double base[4] = {0};

  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++)
    PetscCall(measure(laws[k].name, laws[k].material, laws[k].volume, base));
  PetscCall(PetscFinalize());
  return 0;
}
