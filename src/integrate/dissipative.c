/* The dissipative method of Armero and Petocz (AP97, theory 14), with the mid-point rule (middle.c). The pressure is a
   difference quotient of the penalty potential in the dynamic gap, and friction follows from the dynamic slip. Without
   friction, the energy of bodies and contact springs is conserved exactly. Friction can only dissipate energy. */
#include "integrate/middle.h"
#include "integrate/statics.h"

static const CrKey options[] = {
    {"stick_point", CR_WORD, "return", "return|reset",
     .help =
         "dissipative: place of the stick point (where the tangential spring starts) after a step with slip; return: it moves by the slip; reset: it is the current contact point"},
    {"theta", CR_REAL, "0.5", .range = "[0.5,1]",
     .help =
         "dissipative: weight of the end of the step in the friction law; bipotential: weight of the velocity at the end of the step"},
    {"equilibrium", CR_WORD, "end", "end|middle",
     .help =
         "dissipative, midpoint: time within a quasi-static step at which forces are in equilibrium; middle: as in the papers, but displacements oscillate after jumps of the load"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  CrMiddle *mp = it->data;

  PetscFunctionBeginUser;
  mp->law = CrLaw_dissipative;
  mp->law.theta = CrDeckReal(CrDeckFind(time, "theta"));
  mp->law.reset = CrDeckIsWord(CrDeckFind(time, "stick_point"), "reset");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(CrImplicitAddRigid(it, model, state));
  if (it->contact) PetscCall(CrContactDivide(it->contact, PETSC_FALSE));
  PetscCall(CrMiddleSetup(it, it->data, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleStep(it, it->data, model, state, h, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleDestroy(it->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_dissipative = {
    .name = "dissipative",
    .citation = "Armero and Petocz 1997 (dissipative dynamic contact with friction)",
    .help = "implicit mid-point rule with contact springs that cannot create energy",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_DRAG | CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT |
               CR_PARTNERS | CR_SPRINGS | CR_MIDDLE_STATICS,
    .data_size = sizeof(CrMiddle),
    .options = options,
    .statics = &CrStatics,
    .configure = configure,
    .setup = setup,
    .step = step,
    .destroy = destroy,
};
