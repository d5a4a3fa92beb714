/* Computes what each level of a convergence study changes in the deck: smaller steps, finer meshes, or both. */
#include <string.h>
#include "app/converge.h"
#include "run/run.h"

static PetscReal power(const Converge *c, PetscInt level)
{
  return PetscPowReal(c->ratio, (PetscReal)level);
}

static void describe(Converge *c, PetscInt k, const char text[])
{
  size_t used = strlen(c->steps[k]);

  snprintf(c->steps[k] + used, sizeof c->steps[k] - used, "%s%s", used ? ", " : "", text);
}

/* ---- steps -------------------------------------------------------------------------------- */

/* [[size, count], ...] with smaller sizes and greater counts. */
static PetscErrorCode refine_list(Converge *c, const CrDeckNode *steps, PetscInt k)
{
  char   text[200] = "", note[64];
  size_t used = 0;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < CrDeckCount(steps) && used < sizeof text; i++) {
    const CrDeckNode *row = CrDeckItem(steps, i);

    used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.17g, %.0f]", i ? ", " : "",
                             (double)(CrDeckReal(CrDeckItem(row, 0)) / power(c, k)),
                             (double)(CrDeckReal(CrDeckItem(row, 1)) * power(c, k)));
  }
  if (used >= sizeof text)
    CrDeckFail(steps, "this list has too many entries for a convergence study");
  PetscCall(AppJobSet(&c->jobs[k], "time.steps=[%s]", text));
  snprintf(note, sizeof note, "steps / %g", (double)power(c, k));
  describe(c, k, note);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode refine_steps(Converge *c, const CrDeckNode *root, PetscInt k)
{
  const CrDeckNode *step = CrDeckFind(root, "time.step"), *steps = CrDeckFind(root, "time.steps");
  const CrDeckNode *safety = CrDeckFind(root, "time.safety");
  char              note[64];
  PetscReal         h;

  PetscFunctionBeginUser;
  if (steps) {
    PetscCall(refine_list(c, steps, k));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!step)
    CrDeckFail(CrDeckFind(root, "time"),
               "a convergence study needs the key time.step or time.steps");
  h = CrDeckReal(CrDeckIsReal(step) ? step : safety) / power(c, k);
  PetscCall(
      AppJobSet(&c->jobs[k], "time.%s=%.17g", CrDeckIsReal(step) ? "step" : "safety", (double)h));
  snprintf(note, sizeof note, "%s %.6g", CrDeckIsReal(step) ? "step" : "safety", (double)h);
  describe(c, k, note);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- meshes ------------------------------------------------------------------------------- */

/* Numbers of elements that the generators take. */
static const struct {
  const char *generator, *keys[2];
} counts[] = {
    {"block", {"elements"}},     {"quad", {"elements"}},         {"hex", {"elements"}},
    {"disc", {"core", "rings"}}, {"ring", {"around", "across"}}, {"ball", {"elements"}},
};

static PetscErrorCode refine_count(Converge *c, PetscInt k, const char path[], const CrDeckNode *n)
{
  char   text[120] = "";
  size_t used = 0;

  PetscFunctionBeginUser;
  if (!CrDeckIsList(n)) {
    PetscCall(AppJobSet(&c->jobs[k], "%s=%.0f", path, (double)(CrDeckReal(n) * power(c, k))));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt i = 0; i < CrDeckCount(n); i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.0f", i ? ", " : "",
                             (double)(CrDeckReal(CrDeckItem(n, i)) * power(c, k)));
  PetscCall(AppJobSet(&c->jobs[k], "%s=[%s]", path, text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Files are split in halves, as often as the ratio asks for. */
static PetscErrorCode refine_file(Converge *c, const CrDeckNode *mesh, PetscInt b, PetscInt k)
{
  const CrDeckNode *refine = CrDeckFind(mesh, "refine");
  PetscInt          halves = 0;

  PetscFunctionBeginUser;
  while (PetscPowReal(2, (PetscReal)halves) < power(c, k)) halves++;
  if (PetscPowReal(2, (PetscReal)halves) != power(c, k))
    CrDeckFail(
        mesh,
        "elements of a mesh file are refined by halving, so the ratio must be a power of two: use --ratio 2, 4 or 8");
  PetscCall(AppJobSet(&c->jobs[k], "bodies.%" PetscInt_FMT ".mesh.refine=%" PetscInt_FMT, b,
                      halves + (refine ? CrDeckInteger(refine) : 0)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode refine_body(Converge *c, const CrDeckNode *body, PetscInt b, PetscInt k)
{
  const CrDeckNode *mesh = CrDeckFind(body, "mesh");
  char              path[80];

  PetscFunctionBeginUser;
  if (!mesh) PetscFunctionReturn(PETSC_SUCCESS); /* a rigid body has none */
  if (CrDeckFind(mesh, "file")) {
    PetscCall(refine_file(c, mesh, b, k));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (size_t g = 0; g < sizeof counts / sizeof counts[0]; g++)
    for (int i = 0; i < 2 && counts[g].keys[i]; i++) {
      const CrDeckNode *n;

      snprintf(path, sizeof path, "%s.%s", counts[g].generator, counts[g].keys[i]);
      n = CrDeckFind(mesh, path);
      snprintf(path, sizeof path, "bodies.%" PetscInt_FMT ".mesh.%s.%s", b, counts[g].generator,
               counts[g].keys[i]);
      if (n) PetscCall(refine_count(c, k, path, n));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode refine_meshes(Converge *c, const CrDeckNode *root, PetscInt k)
{
  const CrDeckNode *bodies = CrDeckFind(root, "bodies");
  PetscInt          meshes = 0;
  char              note[64];

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++)
    meshes += CrDeckFind(CrDeckItem(bodies, b), "mesh") != NULL;
  if (!meshes) CrDeckFail(bodies, "there is no mesh to refine: use --of step");
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++)
    PetscCall(refine_body(c, CrDeckItem(bodies, b), b, k));
  snprintf(note, sizeof note, "elements / %g", (double)power(c, k));
  describe(c, k, note);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What acts on one node concentrates there without limit as elements shrink. */
static void warn_of_points(const CrDeckNode *root)
{
  const CrDeckNode *list = CrDeckFind(root, "conditions");

  for (PetscInt i = 0; i < CrDeckCount(list); i++)
    if (CrDeckFind(CrDeckItem(list, i), "at"))
      CrWarn(
          "%s: this condition acts on single nodes; displacements at these nodes do not converge as the mesh is refined",
          CrDeckPlace(CrDeckItem(list, i)));
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode set_levels(Converge *c, const CrDeckNode *root)
{
  const char     *of = c->arguments->of ? c->arguments->of : "step";
  const PetscBool steps = !strcmp(of, "step") || !strcmp(of, "both") ? PETSC_TRUE : PETSC_FALSE;
  const PetscBool mesh = !strcmp(of, "mesh") || !strcmp(of, "both") ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  if (!steps && !mesh) CrInputFail("--of %s: expected step, mesh or both", of);
  for (PetscInt k = 0; k < c->n; k++) {
    if (steps) PetscCall(refine_steps(c, root, k));
    if (mesh) PetscCall(refine_meshes(c, root, k));
  }
  if (mesh) warn_of_points(root);
  c->own_windows =
      mesh && !CrDeckIsReal(CrDeckFind(root, "output.filter")) ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeLevels(Converge *c)
{
  const AppArguments *a = c->arguments;
  const CrDeckNode   *title, *limit;
  CrDeck             *deck;
  PetscErrorCode      code;

  PetscFunctionBeginUser;
  PetscCall(CrProblemRead(PETSC_COMM_SELF, a->words[0], a->nsets, a->sets, &deck));
  title = CrDeckFind(CrDeckRoot(deck), "title");
  snprintf(c->title, sizeof c->title, "%s", title ? CrDeckText(title) : "");
  for (PetscInt k = 0; k < c->n; k++) {
    snprintf(c->names[k], sizeof c->names[k], "%s%slevel-%d", c->label ? c->label : "",
             c->label ? " " : "", (int)k);
    c->jobs[k].name = c->names[k];
    snprintf(c->jobs[k].dir, sizeof c->jobs[k].dir, "%s/level-%d", c->dir, (int)k);
    snprintf(c->jobs[k].log, sizeof c->jobs[k].log, "%s/level-%d.log", c->dir, (int)k);
  }
  limit = CrDeckFind(CrDeckRoot(deck), "audit." CR_RESOLUTION_LIMIT);
  c->limit = limit ? CrDeckReal(limit) : 0;
  code = set_levels(c, CrDeckRoot(deck));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(code);
}
