/* Elements with laws that flow or creep, with the part of the volume that kernels add: the work of the forces of a
   step is the change of energy and the loss; tangents against differences; the same numbers from every instruction
   set. */
#include "base/isa.h"
#include "element_batch.h"

#define METAL "model: j2, bulk: 1.6, shear: 0.7, yield: 0.05, hardening: 0.1, kinematic: 0.1"
#define VOCE  "model: j2, bulk: 1.6, shear: 0.7, yield: 0.05, saturation: {stress: 0.1, exponent: 3}"
#define CREEP "model: neo-hookean, bulk: 1.6, shear: 0.7, prony: [{shear: 0.4, time: 0.1}]"
#define VOIGT                                                                                      \
  "model: mooney-rivlin, c10: 0.2, c01: 0.1, bulk: 1.6, viscosity: {shear: 0.01, bulk: 0.01}"

static const char *const laws[] = {METAL, VOCE, CREEP, VOIGT};

#define NUMBERS (CR_MAX_POINTS * 64 * CR_BATCH)
#define STEP    0.05

typedef struct {
  Batch     batch;
  PetscReal state[NUMBERS], next[NUMBERS];
} Body;

static PetscErrorCode read_law(const char text[], CrMaterial *material)
{
  char    deck_text[512];
  CrDeck *deck;

  PetscFunctionBeginUser;
  snprintf(deck_text, sizeof deck_text, "materials: [{name: m, density: 1, %s}]", text);
  PetscCall(CrDeckParse("law", deck_text, strlen(deck_text), 0, NULL, &deck));
  PetscCall(CrDeckValidate(deck, CrMaterialKeys));
  PetscCall(CrMaterialRead(CrDeckFind(CrDeckRoot(deck), "materials.0"), PETSC_FALSE, material));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CrNodal nodal_of(const Body *body)
{
  CrNodal nodal = batch_nodal(&body->batch);

  nodal.state = body->state;
  nodal.h = STEP;
  return nodal;
}

static void commit(Body *body, PetscReal loss[CR_BATCH])
{
  const CrElementBlock *block = &body->batch.block;
  CrNodal               nodal = nodal_of(body);

  block->element->commit(block, 0, &nodal, CR_FORCE_POINT,
                         &(CrKernelOut){.state = body->next, .loss = loss});
}

/* A random element whose state has a step behind it: from rest to u0. */
static void open_body(Body *body, const CrElement *e, const CrMaterial *material, PetscReal part,
                      unsigned seed)
{
  CrElementBlock *block = &body->batch.block;
  PetscReal       start[64] = {0}, loss[CR_BATCH], end[BATCH_REALS];
  PetscInt        ns = e->dim == 2 ? 4 : 6;

  batch_fill(&body->batch, e, material, PETSC_FALSE, 0.05, seed);
  block->state_size = CrMaterialStateSize(material, e->dim);
  block->split = PETSC_TRUE;
  block->volume_part = part;
  if (material->ops->state_init) material->ops->state_init(material, ns, start);
  for (PetscInt k = 0; k < e->stress_rule->n * block->state_size * CR_BATCH; k++)
    body->state[k] = start[k / CR_BATCH % block->state_size];
  memcpy(end, body->batch.u1, sizeof end);
  memcpy(body->batch.u1, body->batch.u0, sizeof end);
  memset(body->batch.u0, 0, sizeof end);
  commit(body, loss);
  memcpy(body->state, body->next, sizeof body->state);
  memcpy(body->batch.u0, body->batch.u1, sizeof end);
  memcpy(body->batch.u1, end, sizeof end);
}

static void energies(const Body *body, const PetscReal *state, const PetscReal *u,
                     PetscReal W[CR_BATCH])
{
  const CrElementBlock *block = &body->batch.block;
  CrNodal               nodal = {.X = body->batch.X, .u0 = u, .u1 = u, .state = state};

  block->element->observe(block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.energy = W});
}

static void test_balance(Body *body)
{
  const CrElementBlock *block = &body->batch.block;
  const CrElement      *e = block->element;
  CrNodal               nodal = nodal_of(body);
  PetscReal f[BATCH_REALS], W0[CR_BATCH], W1[CR_BATCH], loss[CR_BATCH], worst = 0, taken = 0;

  e->force(block, 0, &nodal, CR_FORCE_CONSERVING, &(CrKernelOut){.force = f});
  commit(body, loss);
  energies(body, body->state, body->batch.u0, W0);
  energies(body, body->next, body->batch.u1, W1);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscReal work = 0;

    for (PetscInt a = 0; a < e->nnodes; a++)
      for (PetscInt i = 0; i < e->dim; i++) {
        PetscInt k = batch_dof(e, l, a, i);

        work += f[(a * e->dim + i) * CR_BATCH + l] * (body->batch.u1[k] - body->batch.u0[k]);
      }
    keep_greatest(&worst, work - (W1[l] - W0[l]) - loss[l]);
    CHECK(loss[l] >= 0);
    taken += loss[l];
  }
  CHECK_LESS(worst, 1e-13); /* energies of about 1 */
  CHECK_LESS(1e-3, taken);
}

static void test_tangent(Body *body, CrForceKind kind)
{
  const PetscReal       h = 1e-6;
  const CrElementBlock *block = &body->batch.block;
  const CrElement      *e = block->element;
  CrNodal               nodal = nodal_of(body);
  static PetscReal      K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH], f[2][BATCH_REALS];
  PetscReal             worst = 0;
  PetscInt              nd = e->nnodes * e->dim;

  e->tangent(block, 0, &nodal, kind, &(CrKernelOut){.tangent = K});
  for (PetscInt c = 0; c < nd; c += 3) { /* a third of the columns */
    for (int k = 0; k < 2; k++) {
      for (PetscInt l = 0; l < CR_BATCH; l++)
        body->batch.u1[batch_dof(e, l, c / e->dim, c % e->dim)] += k ? 2 * h : -h;
      e->force(block, 0, &nodal, kind, &(CrKernelOut){.force = f[k]});
    }
    for (PetscInt l = 0; l < CR_BATCH; l++)
      body->batch.u1[batch_dof(e, l, c / e->dim, c % e->dim)] -= h;
    for (PetscInt r = 0; r < nd; r++)
      for (PetscInt l = 0; l < CR_BATCH; l++) {
        PetscInt q = r * CR_BATCH + l;

        keep_greatest(&worst, (f[1][q] - f[0][q]) / (2 * h) - K[(r * nd + c) * CR_BATCH + l]);
      }
  }
  CHECK_LESS(worst, 1e-6);
}

/* Newton of statics continues the pressure linearly from an iterate. Where the iterate is the present one, that is the
   derivative. From another iterate it differs, and for a uniform stretch along one direction, whose volume is linear in
   the displacements, it is the pressure reached if U is quadratic. */
static void test_continued(Body *body)
{
  static PetscReal      K[3][CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH], before[BATCH_REALS];
  const CrElementBlock *block = &body->batch.block;
  const CrElement      *e = block->element;
  const PetscBool       quadratic = block->material->ops->volume == CR_VOLUME_QUADRATIC;
  CrNodal               nodal = nodal_of(body);
  PetscInt              n = e->nnodes * e->dim;
  PetscReal             same = 0, other = 0;

  for (CrForceKind kind = CR_FORCE_CONSERVING; kind <= CR_FORCE_POINT; kind++) {
    nodal.before = nodal.reached = NULL;
    e->tangent(block, 0, &nodal, kind, &(CrKernelOut){.tangent = K[0]});
    nodal.before = nodal.reached = nodal.u1;
    e->tangent(block, 0, &nodal, kind, &(CrKernelOut){.tangent = K[1]});
    for (PetscInt k = 0; k < n * CR_BATCH; k++) /* x' = 1.1 x, y' = y, z' = z */
      before[k] = nodal.u1[k] + (k % e->dim ? 0 : 0.1 * (body->batch.X[k] + nodal.u1[k]));
    nodal.before = before;
    e->tangent(block, 0, &nodal, kind, &(CrKernelOut){.tangent = K[2]});
    for (PetscInt k = 0; k < n * n * CR_BATCH; k++) {
      keep_greatest(&same, K[1][k] - K[0][k]);
      keep_greatest(&other, K[2][k] - K[0][k]);
    }
  }
  CHECK_LESS(same, 1e-12);
  if (quadratic)
    CHECK_LESS(other, 1e-12);
  else
    CHECK_LESS(1e-6, other);
}

/* ---- bulk viscosity -------------------------------------------------------------------------------- */

/* Area of a quadrilateral, by its diagonals. */
static PetscReal area(const Body *body, PetscInt l, const PetscReal *u)
{
  const CrElement *e = body->batch.block.element;
  PetscReal        x[4][2];

  for (PetscInt a = 0; a < 4; a++)
    for (PetscInt i = 0; i < 2; i++)
      x[a][i] = body->batch.X[batch_dof(e, l, a, i)] + u[batch_dof(e, l, a, i)];
  return ((x[2][0] - x[0][0]) * (x[3][1] - x[1][1]) - (x[2][1] - x[0][1]) * (x[3][0] - x[1][0])) /
         2;
}

/* With volume: mean the loss of the bulk viscosity knows the volume of the element alone, which four straight sides
   say: V eta (Theta1 - Theta0)^2/h. */
static void test_mean_viscosity(void)
{
  static Body      body;
  static PetscReal zero[BATCH_REALS];
  const CrElement *e = CrElementGet(CR_Q4);
  CrMaterial       material;
  PetscReal        loss[CR_BATCH], worst = 0;

  CHECK_OK(
      read_law("model: neo-hookean, bulk: 1.6, shear: 0.7, viscosity: {bulk: 0.3}", &material));
  open_body(&body, e, &material, 0, 67);
  commit(&body, loss);
  for (PetscInt l = 0; l < CR_BATCH; l++) {
    PetscReal V = area(&body, l, zero);
    PetscReal change = (area(&body, l, body.batch.u1) - area(&body, l, body.batch.u0)) / V;

    keep_greatest(&worst, loss[l] - 0.3 * V * 0.7 * change * change / STEP);
  }
  CHECK_LESS(worst, 1e-13); /* losses of about 3 */
}

/* ---- lanes ------------------------------------------------------------------------------------------ */

/* Field [lane][node][i] and state [point][component][lane] with the lanes turned round. */
static void reverse(const Body *from, Body *to)
{
  const CrElement *e = from->batch.block.element;
  PetscInt         n = e->nnodes * e->dim, m = e->stress_rule->n * from->batch.block.state_size;

  for (PetscInt l = 0; l < CR_BATCH; l++)
    for (PetscInt k = 0; k < n; k++) {
      PetscInt a = l * n + k, b = (CR_BATCH - 1 - l) * n + k;

      to->batch.X[b] = from->batch.X[a];
      to->batch.u0[b] = from->batch.u0[a];
      to->batch.u1[b] = from->batch.u1[a];
    }
  for (PetscInt k = 0; k < m * CR_BATCH; k++)
    to->state[k / CR_BATCH * CR_BATCH + CR_BATCH - 1 - k % CR_BATCH] = from->state[k];
}

static PetscInt count_differences(PetscInt n, const PetscReal *x, const PetscReal *y)
{
  PetscInt differ = 0;

  for (PetscInt k = 0; k < n * CR_BATCH; k++)
    differ += x[k] != y[k / CR_BATCH * CR_BATCH + CR_BATCH - 1 - k % CR_BATCH];
  return differ;
}

/* What an element does must not depend on its neighbours in the batch: ranks batch their cells differently. One lane
   hardly moves and one moves far, so that lanes take different ways through the functions. */
static void test_lanes(Body *body)
{
  static Body           other;
  static PetscReal      f[2][BATCH_REALS], next[NUMBERS];
  const CrElementBlock *block = &body->batch.block;
  const CrElement      *e = block->element;
  PetscInt              n = e->nnodes * e->dim;
  PetscReal             loss[2][CR_BATCH];
  CrNodal               nodal[2];

  for (PetscInt k = 0; k < n; k++) body->batch.u1[2 * n + k] *= 1.8;
  for (PetscInt k = 0; k < n; k++)
    body->batch.u1[5 * n + k] = body->batch.u0[5 * n + k] + 1e-9 * body->batch.u1[5 * n + k];
  memcpy(&other, body, sizeof other);
  other.batch.block.nodes = other.batch.nodes;
  reverse(body, &other);
  nodal[0] = nodal_of(body);
  nodal[1] = nodal_of(&other);
  for (CrForceKind kind = CR_FORCE_CONSERVING; kind <= CR_FORCE_POINT; kind++) {
    e->force(block, 0, &nodal[0], kind, &(CrKernelOut){.force = f[0]});
    e->force(&other.batch.block, 0, &nodal[1], kind, &(CrKernelOut){.force = f[1]});
    CHECK(!count_differences(n, f[0], f[1]));
  }
  commit(body, loss[0]);
  memcpy(next, body->next, sizeof next);
  commit(&other, loss[1]);
  CHECK(!count_differences(1, loss[0], loss[1]));
  CHECK(!count_differences(e->stress_rule->n * block->state_size, next, other.next));
}

/* ---- instruction sets ---------------------------------------------------------------------------- */

/* What the kernels of the chosen instruction set compute, as text: forces of both kinds, losses, states. */
static void print_everything(FILE *out)
{
  static Body      body;
  static PetscReal f[BATCH_REALS];
  PetscReal        loss[CR_BATCH];

  for (PetscInt t = 0; CrElementAt(t); t++)
    for (int k = 0; k < 4; k++) {
      const CrElement *e = CrElementAt(t);
      CrMaterial       material;
      CrNodal          nodal;
      PetscInt         n = e->nnodes * e->dim * CR_BATCH;

      CHECK_OK(read_law(laws[k], &material));
      open_body(&body, e, &material, 0.1, 71);
      nodal = nodal_of(&body);
      e->force(&body.batch.block, 0, &nodal, CR_FORCE_CONSERVING, &(CrKernelOut){.force = f});
      for (PetscInt i = 0; i < n; i++) fprintf(out, "%.17g\n", (double)f[i]);
      e->force(&body.batch.block, 0, &nodal, CR_FORCE_POINT, &(CrKernelOut){.force = f});
      for (PetscInt i = 0; i < n; i++) fprintf(out, "%.17g\n", (double)f[i]);
      commit(&body, loss);
      for (PetscInt i = 0; i < CR_BATCH; i++) fprintf(out, "%.17g\n", (double)loss[i]);
      n = e->stress_rule->n * body.batch.block.state_size * CR_BATCH;
      for (PetscInt i = 0; i < n; i++) fprintf(out, "%.17g\n", (double)body.next[i]);
    }
}

/* This program once more, under another instruction set, which is chosen when a program starts. */
static FILE *run_under(const char program[], CrIsa isa)
{
  char command[PETSC_MAX_PATH_LEN + 64];

  snprintf(command, sizeof command, "CAROM_ISA=%s '%s' print", CrIsaName(isa), program);
  return popen(command, "r");
}

static void test_instruction_sets(const char program[])
{
  for (CrIsa isa = CR_ISA_AVX2; isa < CR_NISAS; isa++) {
    FILE     *a, *b;
    double    x, y;
    PetscReal worst = 0;
    PetscInt  n = 0;

    if (!CrIsaIsThere(isa)) continue;
    a = run_under(program, CR_ISA_BASELINE);
    b = run_under(program, isa);
    CHECK(a && b);
    while (a && b && fscanf(a, "%lf", &x) == 1 && fscanf(b, "%lf", &y) == 1) {
      keep_greatest(&worst, x - y);
      n++;
    }
    CHECK(n > 10000);
    CHECK_LESS(worst, 1e-12); /* a few roundings of numbers of about 1 */
    if (a) pclose(a);
    if (b) pclose(b);
  }
}

int main(int argc, char **argv)
{
  static Body body;

  if (check_start(argc, argv)) return 1;
  if (argc == 2 && !strcmp(argv[1], "print")) {
    print_everything(stdout);
    return 0;
  }
  test_instruction_sets(argv[0]);
  test_mean_viscosity();
  for (PetscInt t = 0; CrElementAt(t); t++)
    for (int k = 0; k < 4; k++)
      for (int part = 0; part < 2; part++) { /* mean, point */
        CrMaterial material;
        int        before = check_failures;

        CHECK_OK(read_law(laws[k], &material));
        open_body(&body, CrElementAt(t), &material, part, 67);
        test_balance(&body);
        test_tangent(&body, CR_FORCE_CONSERVING);
        test_tangent(&body, CR_FORCE_POINT);
        if (!part) test_continued(&body);
        test_lanes(&body);
        if (check_failures > before)
          printf("  %s, volume at %s, %s\n", CrCells[CrElementAt(t)->type].name,
                 part ? "points" : "the mean", laws[k]);
      }
  return check_end();
}
