/* EFDA, energy consistent impact and friction of rigid bodies [BPA], in the form of theory 18.

   Coulomb's law and complementarity hold for the velocity in the middle of a step, v_m = (v_n + v_{n+1})/2. Then only
   slip dissipates energy, whatever the correction of positions does. Impacts are resolved in time: bodies fly, or slide
   along their contacts, up to the time of the impact. After the impact the rest of the step follows. So the result of a
   free impact does not depend on the step size. `variant: penalty` is the method as published: one step goes through
   the impact, and a spring and a dashpot correct the positions.

   Symbols of the paper and of this code:

   | paper | here |
   | contact forces F_N, F_T | p = h F/2, half of the impulse |
   | psi2, correction of positions | shift/(h p), with the position impulse `shift` along the normal |
   | Omega, S | omega, s |

   Theory 18.8 lists what differs from the printed text: the factor 1/2 of its Eq. 8, lever arms that keep angular
   momentum, and the impulse of the contact instead of the body's change of momentum. */
#include "integrate/efda/efda.h"

static const CrKey options[] = {
    {"variant", CR_WORD, "instant", "instant|penalty",
     .help =
         "efda: model of an impact; instant: velocities change at once; penalty: a spring and a dashpot act during a step"},
    {"settling", CR_TRUTH, "true",
     .help = "efda: whether small velocities that remain in lasting contacts are removed"},
    {"splitting", CR_TRUTH, "true",
     .help =
         "efda: whether a step is divided also at impacts of bodies that already touch another body"},
    {"impacts", CR_WORD, "simultaneous", "simultaneous|sequential",
     .help =
         "efda: impacts in a group of touching bodies are resolved simultaneously, or one contact after the other"},
    {"tangential_restitution", CR_REAL, "1", .range = "[0,1]",
     .help =
         "efda: fraction of the slip velocity that is reversed if the impulse is inside the friction cone"},
    {"omega", CR_REAL, "2", .range = "(0,inf)",
     .help = "efda with `variant: penalty`: step times frequency of the spring"},
    {"s", CR_REAL, "1", .range = "[0,inf)",
     .help = "efda with `variant: penalty`: damping ratio; 1 is critical damping"},
    {"engine", CR_WORD, "auto", "auto|few|many",
     .help =
         "efda: few: the time of every impact is computed; many: all contacts of a step are solved at once; auto: many if there are at least 51 bodies, or 11 bodies with corners"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  e->options = (EfdaOptions){
      .penalty = CrDeckIsWord(CrDeckFind(time, "variant"), "penalty"),
      .settling = CrDeckTruth(CrDeckFind(time, "settling")),
      .splitting = CrDeckTruth(CrDeckFind(time, "splitting")),
      .sequential = CrDeckIsWord(CrDeckFind(time, "impacts"), "sequential"),
      .tangential = CrDeckReal(CrDeckFind(time, "tangential_restitution")),
      .omega = CrDeckReal(CrDeckFind(time, "omega")),
      .s = CrDeckReal(CrDeckFind(time, "s")),
  };
  e->word = CrDeckFind(time, "engine");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  (void)state;
  PetscCall(EfdaChoose(e->word, &e->options, model, &e->ops));
  PetscCall(e->ops->create(&e->options, model, it->contact, &e->engine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  if (e->engine) PetscCall(e->ops->destroy(e->engine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *a)
{
  Efda *e = it->data;

  return e->ops->archive(e->engine, a);
}

static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Efda *e = it->data;

  (void)model, (void)state;
  return e->ops->resume(e->engine);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Efda           *e = it->data;
  const EfdaWork *work;
  PetscBool       good = PETSC_TRUE;

  PetscFunctionBeginUser;
  (void)model;
  PetscCall(e->ops->step(e->engine, state, h, &work, &good));
  if (!good) {
    report->reason = CR_FAIL_METHOD;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  state->n++;
  state->t += h;
  report->iterations = work->passes;
  report->contact_work = work->contact_work;
  report->external_work = work->external_work;
  report->nevents = work->events.n;
  report->events = work->events.at;
  CrTallyReport(&work->tally, report);
  if (!it->contact) PetscFunctionReturn(PETSC_SUCCESS);
  CrTallyBegin(&it->contact->picture->tally, state->contact);
  CrTallyAdd(&it->contact->picture->tally, &work->tally);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode deepest(CrIntegrator *it, const CrModel *model, const CrState *state,
                              PetscReal *depth)
{
  Efda *e = it->data;

  (void)model;
  return e->ops->deepest(e->engine, state, depth);
}

const CrIntegratorOps CrIntegrator_efda = {
    .name = "efda",
    .citation = "Bravo and Perez-Aparicio [BPA]",
    .help = "only for rigid bodies: impact, slip, stick and rolling with an exact energy balance",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_RIGID | CR_CONTACT | CR_RESTITUTION,
    .data_size = sizeof(Efda),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .deepest = deepest,
    .archive = archive,
    .resume = resume,
    .destroy = destroy,
};
