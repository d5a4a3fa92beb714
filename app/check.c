/* The command `carom check`: creates everything that a run of the deck needs, and prints a description of it. */
#include <string.h>
#include "app/app.h"
#include "app/check.h"
#include "base/union.h"
#include "run/run.h"
#include "solve/newton.h"

/* Counts the parts of each body that elements connect. With several processes no process knows them: 0. */
static PetscErrorCode count_parts(const CrModel *model, PetscInt parts[])
{
  PetscInt *parent;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(parts, model->nbodies));
  if (model->nowned != model->nglobal) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(model->nlocal, &parent));
  CrUnionStart(model->nlocal, parent);
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt cell = 0; cell < b->n; cell++) {
      const PetscInt *nodes =
          b->nodes + cell / CR_BATCH * b->element->nnodes * CR_BATCH + cell % CR_BATCH;

      for (PetscInt a = 1; a < b->element->nnodes; a++)
        CrUnionJoin(parent, nodes[0], nodes[a * CR_BATCH]);
    }
  }
  for (PetscInt A = 0; A < model->nlocal; A++) parts[model->node_body[A]] += parent[A] == A;
  PetscCall(PetscFree(parent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_bodies(const CrModel *model)
{
  PetscInt s = 0, *parts; /* s: the sets stand in the order of their bodies */

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nbodies, &parts));
  PetscCall(count_parts(model, parts));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    const CrBody *body = &model->bodies[b];

    CrLog("  body %s: %" PetscInt_FMT " nodes, %" PetscInt_FMT
          " elements, %s (%s), mass %.10g (%s)\n",
          body->name, body->nnodes, body->ncells, body->material->name,
          body->material->elastic->name, (double)body->mass,
          body->consistent ? "consistent" : "lumped");
    if (parts[b] > 1)
      CrLog("    this body has %" PetscInt_FMT
            " parts that share no nodes, so nothing joins them\n",
            parts[b]);
    CrLog("    surfaces and sets:");
    for (; s < model->nsets && model->sets[s].body == b; s++) CrLog(" %s", model->sets[s].name);
    CrLog("\n");
  }
  PetscCall(PetscFree(parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void describe_rigid(const CrRigid *r)
{
  for (PetscInt g = 0; g < r->ngroups; g++) {
    const CrRigidGroup *group = &r->groups[g];
    PetscInt            b = group->first;

    CrLog("  rigid %s: %s, %" PetscInt_FMT " of mass %.10g", group->name,
          r->shapes[group->shape].word, group->n, (double)r->mass[b]);
    if (r->dim == 2)
      CrLog(", inertia %.10g\n", (double)r->inertia[3 * b + 2]);
    else
      CrLog(", inertia %.10g %.10g %.10g\n", (double)r->inertia[3 * b],
            (double)r->inertia[3 * b + 1], (double)r->inertia[3 * b + 2]);
  }
}

static void describe_contact(const CrContact *contact, const CrIntegratorOps *method)
{
  CrLog("  contact pairs: %" PetscInt_FMT "\n", contact ? contact->npairs : 0);
  for (PetscInt k = 0; contact && k < contact->npairs; k++) {
    const CrPair *pair = &contact->pairs[k];

    CrLog("    %s%s: friction %g", pair->name, pair->found ? " (found)" : "",
          (double)pair->friction);
    if (method->accepts & CR_RESTITUTION) CrLog(", restitution %g", (double)pair->restitution);
    if (!(method->accepts & CR_SPRINGS)) {
      CrLog("\n");
      continue;
    }
    CrLog(", weight %s", pair->unit || pair->rigid ? "unit" : "area");
    if (pair->slaves != CR_SLAVES_AUTO) CrLog(", slaves %s", CrSlavesWord(pair->slaves));
    CrLog("\n");
    CrLog("      normal penalty %.6g (%s)\n", (double)pair->kn, pair->kn_text);
    CrLog("      tangential penalty %.6g (%s)\n", (double)pair->kt, pair->kt_text);
  }
}

/* Options under `time:` that belong to other methods have no effect. */
static void note_foreign_options(const CrRun *run)
{
  const CrDeckNode *time = CrDeckFind(CrDeckRoot(run->deck), "time");

  for (PetscInt m = 0; CrIntegratorAt(m); m++) {
    if (CrIntegratorAt(m) == run->integrator->ops) continue;
    for (const CrKey *key = CrIntegratorOptionsAt(m); key->name; key++) {
      const CrKey *own = run->integrator->ops->options;

      while (own && own->name && strcmp(own->name, key->name)) own++;
      if (own && own->name) continue;
      if (CrDeckFind(time, key->name))
        CrLog("  note: %s: %s is an option of %s and has no effect under %s\n",
              CrDeckPlace(CrDeckFind(time, key->name)), key->name, CrIntegratorAt(m)->name,
              run->integrator->ops->name);
    }
  }
}

PetscErrorCode AppCheck(const AppArguments *a, int *status)
{
  CrRun         *run;
  CrModel       *model;
  PetscReal      critical;
  PetscMPIInt    rank;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  (void)status;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  code = CrRunCreate(PETSC_COMM_WORLD, a->words[0], a->nsets, a->sets, &run);
  if (code == CR_ERR_INPUT && a->json && !rank) PetscCall(AppCheckMistake());
  PetscCall(code);
  model = run->model;
  if (a->json || a->preview) {
    PetscCall(AppCheckJson(run, a->preview));
    PetscCall(CrRunDestroy(&run));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrModelCriticalStep(model, NULL, NULL, &critical));
  CrLog("%s: good\n", a->words[0]);
  CrLog("  dimension %" PetscInt_FMT ", %" PetscInt_FMT " %s, %" PetscInt_FMT
        " nodes, %" PetscInt_FMT " elements, mass %.10g\n",
        model->dim, model->nbodies + model->rigid->n,
        model->nbodies + model->rigid->n == 1 ? "body" : "bodies", model->nglobal, model->ncells,
        (double)model->total_mass);
  PetscCall(describe_bodies(model));
  describe_rigid(model->rigid);
  describe_contact(run->contact, run->integrator->ops);
  CrLog("  conditions: %" PetscInt_FMT "\n", model->nconditions);
  CrLog("  method %s, %s, %" PetscInt_FMT " steps to t = %g\n", run->integrator->ops->name,
        model->quasi_static ? "quasi-static" : "dynamic", run->schedule.total,
        (double)run->schedule.t_end);
  if (model->ncells)
    CrLog("  critical time step of explicit methods: %.6g (estimated from the elements)\n",
          (double)critical);
  if (run->integrator->newton)
    CrLog("  linear solver: %s\n", CrNewtonSolverText(run->integrator->newton));
  note_foreign_options(run);
  PetscCall(CrRunDestroy(&run));
  PetscFunctionReturn(PETSC_SUCCESS);
}
