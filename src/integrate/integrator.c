/* The registry of methods, and the work before and after every step that does not depend on the method. */
#include <string.h>
#include "integrate/integrator.h"
#include "integrate/statics.h"
#include "model/reactions.h"
#include "solve/newton.h"

#define CR_INTEGRATOR(name) extern const CrIntegratorOps CrIntegrator_##name;
#include "integrate/registry.def"
#undef CR_INTEGRATOR

#define CR_INTEGRATOR(name) &CrIntegrator_##name,
static const CrIntegratorOps *const table[] = {
#include "integrate/registry.def"
};

const CrIntegratorOps *CrIntegratorAt(PetscInt i)
{
  return i < (PetscInt)(sizeof table / sizeof table[0]) ? table[i] : NULL;
}

const char *CrIntegratorNameAt(PetscInt i)
{
  return CrIntegratorAt(i) ? CrIntegratorAt(i)->name : NULL;
}

const CrKey *CrIntegratorOptionsAt(PetscInt i)
{
  static const CrKey     none[] = {{.name = NULL}};
  const CrIntegratorOps *ops = CrIntegratorAt(i);

  if (!ops) return NULL;
  return ops->options ? ops->options : none;
}

const CrIntegratorOps *CrIntegratorFind(const char name[])
{
  for (PetscInt i = 0; CrIntegratorAt(i); i++)
    if (!strcmp(name, CrIntegratorAt(i)->name)) return CrIntegratorAt(i);
  return NULL;
}

/* The methods that accept something, "a, b, c". */
static void list_methods(unsigned what, char *text, size_t size)
{
  size_t n = 0;

  *text = 0;
  for (PetscInt i = 0; CrIntegratorAt(i) && n < size; i++)
    if (CrIntegratorAt(i)->accepts & what)
      n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", CrIntegratorAt(i)->name);
}

/* Quasi-static steps end in equilibrium; the mid-point rule as published is there for the sources' examples. */
static const CrIntegratorOps *choose_steps(const CrIntegratorOps *ops, const CrDeckNode *time,
                                           const CrModel *model)
{
  PetscBool middle =
      ops->accepts & CR_MIDDLE_STATICS && CrDeckIsWord(CrDeckFind(time, "equilibrium"), "middle");

  return model->quasi_static && ops->statics && !middle ? ops->statics : ops;
}

static PetscErrorCode check_rigid(const CrIntegratorOps *ops, const CrDeckNode *time,
                                  const CrModel *model)
{
  const CrDeckNode *rigid = CrDeckFind(model->rigid->groups[0].deck, "rigid");
  unsigned          needs = model->nbodies ? CR_PARTNERS : CR_RIGID;
  char              methods[256];

  PetscFunctionBeginUser;
  list_methods(needs, methods, sizeof methods);
  if (model->quasi_static && model->nbodies && ops->statics == &CrStatics) {
    if (choose_steps(ops, time, model) != &CrStatics)
      CrDeckFail(CrDeckFind(time, "equilibrium"),
                 "a deck with rigid and deformable bodies needs `equilibrium: end`");
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!(ops->accepts & needs))
    CrDeckFail(rigid, "method %s cannot be used with rigid bodies%s; methods that can: %s",
               ops->name,
               model->nbodies               ? " beside deformable ones"
               : ops->accepts & CR_PARTNERS ? " alone"
                                            : "",
               methods);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void warn_of_restitution(const CrIntegratorOps *ops, const CrContact *contact)
{
  for (PetscInt k = 0; contact && k < contact->npairs; k++)
    if (contact->pairs[k].rebounds && !(ops->accepts & CR_RESTITUTION)) {
      CrWarn(
          "contact %s: restitution is for rigid bodies under efda; under method %s it has no effect",
          contact->pairs[k].name, ops->name);
      return;
    }
}

/* A deck that asks for what the method cannot do is refused before anything runs. */
static PetscErrorCode check_accepts(const CrIntegratorOps *ops, const CrDeckNode *time,
                                    const CrModel *model, const CrContact *contact)
{
  char methods[256];

  PetscFunctionBeginUser;
  if (model->rigid->n) PetscCall(check_rigid(ops, time, model));
  list_methods(CR_DEFORMABLE, methods, sizeof methods);
  if (model->nbodies && !(ops->accepts & CR_DEFORMABLE))
    CrDeckFail(CrDeckFind(model->bodies[0].deck, "mesh"),
               "method %s is for rigid bodies only; use one of %s", ops->name, methods);
  list_methods(CR_QUASI_STATIC, methods, sizeof methods);
  if (model->quasi_static && !(ops->accepts & CR_QUASI_STATIC))
    CrDeckFail(CrDeckFind(time, "analysis"),
               "method %s cannot run a quasi-static analysis; use one of %s", ops->name, methods);
  if (!model->all_lumped && !(ops->accepts & CR_CONSISTENT_MASS))
    CrDeckFail(CrDeckFind(time, "method"), "method %s needs lumped mass in every body", ops->name);
  list_methods(CR_CONTACT, methods, sizeof methods);
  if (contact && !(ops->accepts & CR_CONTACT))
    CrDeckFail(CrDeckFind(time, "method"), "method %s cannot compute contact; use one of %s",
               ops->name, methods);
  list_methods(CR_DRAG, methods, sizeof methods);
  if (model->drags && (!(ops->accepts & CR_DRAG) || model->quasi_static))
    CrDeckFail(CrDeckFind(time, "method"),
               "damping.mass of a material can be used only in dynamic analyses under %s", methods);
  warn_of_restitution(ops, contact);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIntegratorCreate(const CrDeckNode *time, PetscReal first_step,
                                  const CrModel *model, CrContact *contact, CrState *state,
                                  CrIntegrator **out)
{
  CrIntegrator  *it;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&it));
  it->ops = CrIntegratorFind(CrDeckText(CrDeckFind(time, "method")));
  it->contact = contact;
  it->first_step = first_step;
  it->remembers = CrModelLoses(model);
  it->tolerance = CrDeckReal(CrDeckFind(time, "tolerance"));
  it->steps = choose_steps(it->ops, time, model);
  PetscCall(PetscCalloc1(it->steps->data_size, (char **)&it->data));
  code = check_accepts(it->ops, time, model, contact);
  if (!code && contact) code = CrContactRemember(contact, state);
  if (!code)
    code = CrReactionsCreate(model, contact ? contact->nobstacles : 0, CrObstacleNameAt, contact,
                             &state->reactions);
  if (!code && it->steps->configure) code = it->steps->configure(it, time);
  if (!code && it->steps->setup) code = it->steps->setup(it, model, state);
  if (!code && contact && model->nbodies &&
      (it->ops->accepts & CR_PARTNERS || it->steps == &CrStatics))
    PetscCall(CrContactWarnSlaves(contact));
  if (code) PetscCall(CrIntegratorDestroy(&it));
  *out = it;
  PetscFunctionReturn(code);
}

/* The step is accepted: impulses, filtered forces and reactions. */
static PetscErrorCode book(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal t,
                           PetscReal h, const CrStepReport *report)
{
  CrStepSpan step = {t, h, report->impulse_now, report->impulse_before};

  PetscFunctionBeginUser;
  if (step.now == 0 && step.before == 0) step.now = h;
  if (it->contact) CrContactBook(it->contact, &step, state->contact, state->reactions);
  PetscCall(CrReactionsBook(state->reactions, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIntegratorStep(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                                CrStepReport *report)
{
  PetscReal t = state->t;

  PetscFunctionBeginUser;
  if (h > 0) {
    it->blame[0] = 0;
    CrReactionsBegin(state->reactions);
    state->points.lags = (it->ops->accepts & CR_AUTO_STEP) != 0;
    PetscCall(CrStateBeginStep(model, state, h));
    PetscCall(it->steps->step(it, model, state, h, report));
    PetscCall(CrStateEndStep(model, state, report->reason == CR_STEP_OK));
    if (report->reason == CR_STEP_OK) PetscCall(book(it, model, state, t, h, report));
  } else if (it->steps->deepest)
    PetscCall(it->steps->deepest(it, model, state, &report->max_penetration));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  report->material_loss = state->points.loss + state->bulk.loss;
  report->body_losses = state->points.losses;
  report->bulk_losses = state->bulk.losses;
  if (it->contact) report->penalty = state->contact->stored;
  if (it->steps->stored_energy)
    PetscCall(it->steps->stored_energy(it, model, state, &report->penalty));
  if (it->steps->kinetic_shift)
    PetscCall(it->steps->kinetic_shift(it, model, state, &report->kinetic_shift));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIntegratorArchive(CrIntegrator *it, CrArchive *archive)
{
  PetscFunctionBeginUser;
  if (it->newton) PetscCall(CrNewtonArchive(it->newton, archive));
  if (it->steps->archive) PetscCall(it->steps->archive(it, archive));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIntegratorResume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  PetscFunctionBeginUser;
  if (it->contact) CrContactResume(it->contact);
  if (it->newton) PetscCall(CrNewtonResume(it->newton));
  if (it->steps->resume) PetscCall(it->steps->resume(it, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIntegratorDestroy(CrIntegrator **it)
{
  PetscFunctionBeginUser;
  if (!*it) PetscFunctionReturn(PETSC_SUCCESS);
  if ((*it)->steps->destroy) PetscCall((*it)->steps->destroy(*it));
  PetscCall(CrNewtonDestroy(&(*it)->newton));
  PetscCall(PetscFree((*it)->data));
  PetscCall(PetscFree(*it));
  PetscFunctionReturn(PETSC_SUCCESS);
}
