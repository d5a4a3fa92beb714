/* The mid-point rule with the conserving stress (middle.c). Without contact, the energy balance and the momenta of free
   bodies are exact up to the tolerance of the solver. With `stress: plain`, the stress at F_m^T F_m, momenta are
   conserved and energy drifts. Contact is the plain penalty on the gap at mid-step (theory 13.9), which conserves
   momenta and creates energy. This contact is meant for comparisons. As in the literature, the run continues with a
   warning if elements become inverted. */
#include "integrate/middle.h"
#include "integrate/statics.h"

static const CrKey options[] = {
    {"stress", CR_WORD, "conserving", "conserving|plain",
     .help =
         "midpoint: stress formula; conserving: conserves energy; plain: stress at the mid-point, for comparison"},
    {"first_slip", CR_WORD, "half", "half|none",
     .help =
         "midpoint: part of the slip that counts in the first step of a contact; none: as in the source paper, but sliding points stick for this step"},
    {"equilibrium", CR_WORD, "end", "end|middle",
     .help =
         "dissipative, midpoint: time within a quasi-static step at which forces are in equilibrium; middle: as in the papers, but displacements oscillate after jumps of the load"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  CrMiddle *mp = it->data;

  PetscFunctionBeginUser;
  mp->plain = CrDeckIsWord(CrDeckFind(time, "stress"), "plain");
  mp->slides = PETSC_TRUE;
  mp->law = CrLaw_middle_penalty;
  if (CrDeckIsWord(CrDeckFind(time, "first_slip"), "none")) mp->law.onset = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  CrMiddle *mp = it->data;

  PetscFunctionBeginUser;
  if (model->rigid->n) { /* their points have no middle of the last step to slide from */
    mp->slides = PETSC_FALSE;
    mp->law.slip = CR_SLIP_SPACE;
  }
  PetscCall(CrImplicitAddRigid(it, model, state));
  if (it->contact) PetscCall(CrContactDivide(it->contact, PETSC_FALSE));
  PetscCall(CrMiddleSetup(it, mp, model, state));
  mp->im.real_gap = PETSC_TRUE;
  mp->im.through = it->contact && !model->quasi_static;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleStep(it, it->data, model, state, h, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleArchive(it->data, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleDestroy(it->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_midpoint = {
    .name = "midpoint",
    .citation = "Simo and Tarnow 1992; Gonzalez 2000 (energy-momentum mid-point rule)",
    .help =
        "implicit mid-point rule that conserves energy and momentum of solids; ordinary penalty contact, which may create energy",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_DRAG | CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT |
               CR_PARTNERS | CR_SPRINGS | CR_MIDDLE_STATICS,
    .data_size = sizeof(CrMiddle),
    .options = options,
    .statics = &CrStatics,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .advise = CrImplicitAdvise,
    .destroy = destroy,
};
