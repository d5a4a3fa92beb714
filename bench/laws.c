/* Costs of material laws beside neo-Hookean's bare kernels, for bricks: conserving force, its tangent, and the force
   at one time, on data that stays in cache. Steps change strains by some percent; "a small step" is the force at one time
   after a step that has flowed, with a hundredth of that change, as explicit steps are. Times are CPU seconds, the least of many tries.
   Laws take turns, so that a busy machine disturbs all of them alike. usage:
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

#define LAWS   ((int)(sizeof laws / sizeof laws[0]))
#define KINDS  4
#define ROUNDS 25

typedef struct {
  CrDeck    *deck;
  CrModel   *model;
  CrState   *state;
  CrNodal    nodal;
  PetscReal *u0, *u1, *out;
  double     best[KINDS];
} Problem;

static Problem problems[sizeof laws / sizeof laws[0]];

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

/* Microseconds of one element, once through the cube twenty times. */
static double kernel_time(const Problem *p, CrKernel *kernel, CrForceKind kind,
                          const CrKernelOut *out)
{
  const CrElementBlock *block = &p->model->blocks[0];
  double                t = cpu();

  for (int again = 0; again < 20; again++)
    for (PetscInt i = 0; i < block->nbatches; i++) kernel(block, i, &p->nodal, kind, out);
  return 1e6 * (cpu() - t) / (20 * (double)p->model->ncells);
}

/* The state becomes that of u1, which becomes the start of a small step. */
static void flow_on(const Problem *p)
{
  const CrElementBlock *b = &p->model->blocks[0];
  const PetscInt        n = b->stress_rule.n * b->state_size * CR_BATCH;
  PetscReal             loss[CR_BATCH];

  if (!p->model->remembers) return;
  for (PetscInt batch = 0; batch < b->nbatches; batch++)
    b->element->commit(b, batch, &p->nodal, CR_FORCE_POINT,
                       &(CrKernelOut){.state = p->state->points.next[0] + batch * n, .loss = loss});
  for (PetscInt k = 0; k < b->nbatches * n; k++)
    p->state->points.now[0][k] = p->state->points.next[0][k];
  for (PetscInt k = 0; k < p->model->nlocal * 3; k++) {
    PetscReal change = p->u1[k] - p->u0[k];

    p->u0[k] = p->u1[k];
    p->u1[k] += 0.01 * change;
  }
}

static PetscErrorCode prepare(const char material[], const char volume[], Problem *p)
{
  PetscFunctionBeginUser;
  PetscCall(open_cube(material, volume, p));
  PetscCall(PetscCalloc3(p->model->nlocal * 3, &p->u0, p->model->nlocal * 3, &p->u1,
                         CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH, &p->out));
  for (PetscInt k = 0; k < p->model->nlocal * 3; k++) { /* strains of some percent: j2 flows */
    p->u0[k] = 2e-4 * (double)((k * 7919) % 101);
    p->u1[k] = 2e-4 * (double)((k * 6151) % 103);
  }
  p->nodal = (CrNodal){.X = p->model->X, .u0 = p->u0, .u1 = p->u1, .h = 0.01};
  if (p->model->remembers) p->nodal.state = p->state->points.now[0];
  for (int k = 0; k < KINDS; k++) p->best[k] = HUGE_VAL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One time of each kind: all but the last belong to the first step, the last to the small one. */
static void measure(Problem *p, int first, int last)
{
  const CrElement *e = p->model->blocks[0].element;

  for (int k = first; k < last; k++) {
    CrKernel   *kernel = k == 1 ? e->tangent : e->force;
    CrForceKind kind = k < 2 ? CR_FORCE_CONSERVING : CR_FORCE_POINT;
    CrKernelOut out = {0};

    if (k == 1) out.tangent = p->out;
    if (k != 1) out.force = p->out;
    p->best[k] = PetscMin(p->best[k], kernel_time(p, kernel, kind, &out));
  }
}

static void print(void)
{
  for (int l = 0; l < LAWS; l++) {
    printf("%-22s", laws[l].name);
    for (int k = 0; k < KINDS; k++)
      printf(" %s %6.3f us (%4.2f)", kinds[k], problems[l].best[k],
             problems[l].best[k] / problems[0].best[k]);
    printf("\n");
  }
}

static PetscErrorCode close_cube(Problem *p)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(p->u0, p->u1, p->out));
  PetscCall(CrStateDestroy(&p->state));
  PetscCall(CrModelDestroy(&p->model));
  PetscCall(CrDeckDestroy(&p->deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  for (int l = 0; l < LAWS; l++) PetscCall(prepare(laws[l].material, laws[l].volume, &problems[l]));
  for (int round = 0; round < ROUNDS; round++)
    for (int l = 0; l < LAWS; l++) measure(&problems[l], 0, KINDS - 1);
  for (int l = 0; l < LAWS; l++) flow_on(&problems[l]);
  for (int round = 0; round < ROUNDS; round++)
    for (int l = 0; l < LAWS; l++) measure(&problems[l], KINDS - 1, KINDS);
  print();
  for (int l = 0; l < LAWS; l++) PetscCall(close_cube(&problems[l]));
  PetscCall(PetscFinalize());
  return 0;
}
