/* The engine for few bodies: a step in which every impact has its own time, or a step with the spring and dashpot of
   the published method. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/efda.h"
#include "integrate/efda/few.h"
#include "integrate/efda/motion.h"

static PetscErrorCode create(const EfdaOptions *options, const CrModel *model, CrContact *contact,
                             void **engine)
{
  EfdaSystem *e;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&e));
  PetscCall(EfdaSystemCreate(options, model, model->rigid, contact, model->rigid->n, e));
  if (EfdaMassesDiffer(model->rigid)) PetscCall(EfdaTogetherCreate(e));
  *engine = e;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(void *engine)
{
  PetscFunctionBeginUser;
  PetscCall(EfdaTogetherDestroy(engine));
  PetscCall(EfdaSystemDestroy(engine));
  PetscCall(PetscFree(engine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Takes a step with springs. All contacts that overlap, at the start or at the end of free motion, act over the whole
   step. */
static PetscErrorCode step_penalty(EfdaSystem *e, PetscReal h, PetscBool *good)
{
  PetscFunctionBeginUser;
  PetscCall(EfdaCollect(e, h));
  e->striking = PETSC_FALSE;
  EFDA_EACH (c, e) {
    c->held = c->closed;
    c->strikes = PETSC_FALSE;
  }
  for (PetscInt more = 0; more <= e->contacts.n; more++) {
    EfdaContact *k;

    EFDA_EACH (c, e)
      if (c->held && c->start.rate < -PetscMax(e->scale.rest, 1e-12 * e->scale.speed))
        c->strikes = e->striking = PETSC_TRUE;
    EFDA_TRY(EfdaGuide(e, h, good));
    k = EfdaFindCrossing(e, h, 0);
    if (!k) break;
    k->held = PETSC_TRUE;
  }
  EfdaPenaltyKeep(e, h);
  PetscCall(EfdaAccept(e, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(void *engine, CrState *state, PetscReal h, const EfdaWork **work,
                           PetscBool *good)
{
  EfdaSystem *e = engine;

  PetscFunctionBeginUser;
  *work = &e->total;
  PetscCall(EfdaSystemBegin(e, state, h));
  PetscCall(EfdaFindCandidates(e, h));
  EFDA_TRY(e->options->penalty ? step_penalty(e, h, good) : EfdaStepInstant(e, h, good));
  PetscCall(CrRigidStateCopy(e->now, state->rigid));
  EfdaEnterGaps(e, e->now, state->t + h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode deepest(void *engine, const CrState *state, PetscReal *depth)
{
  EfdaSystem *e = engine;

  PetscFunctionBeginUser;
  PetscCall(EfdaSystemBegin(e, state, 0));
  PetscCall(EfdaFindCandidates(e, 0));
  EfdaEnterGaps(e, e->now, e->t);
  *depth = e->total.tally.total.max_penetration;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const EfdaEngineOps EfdaFew = {create, destroy, step, deepest, EfdaSystemArchive, EfdaSystemResume};
