/* The dissipative method of Armero and Petocz (AP97, theory 14) on the mid-point rule (middle.c):
   pressure from a difference quotient of the penalty potential in the dynamic gap, friction from the
   dynamic slip. Without friction E + P_N is kept exactly; friction can only take energy. */
#include <math.h>
#include "integrate/middle.h"

static PetscReal potential(PetscReal kn, PetscReal gap)
{
  return gap < 0 ? kn / 2 * gap * gap : 0;
}

/* p = -(U(g1) - U(g0))/(g1 - g0) and its derivative by g1, without cancellation. Both exactly zero
   counts as touching: a body that starts in touch is held. */
static void pressure(const CrLawInput *in, CrLawOutput *out)
{
  PetscReal kn = in->kn, g0 = in->gd0, g1 = in->gd0 + in->dg + (in->shift1 - in->shift0);

  out->status = CR_STICKING;
  out->gd1 = g1;
  if (g0 <= 0 && g1 <= 0) {
    out->p = -kn * (g0 + g1) / 2;
    out->p_dg = -kn / 2;
  } else if (g0 > 0 && g1 < 0) { /* onset */
    out->p = -potential(kn, g1) / (g1 - g0);
    out->p_dg = -(kn * g1 + out->p) / (g1 - g0);
  } else if (g0 < 0 && g1 > 0) { /* release */
    out->p = potential(kn, g0) / (g1 - g0);
    out->p_dg = -out->p / (g1 - g0);
  } else
    out->status = CR_OPEN;
}

/* The spring after a slip step: any length up to |u| is dissipative; this one follows the slip
   without lag, and never turns against the friction force. */
static void return_spring(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  PetscReal e[2] = {0}, u[2] = {0}, ee = 0, uu = 0, ue = 0;

  for (PetscInt i = 0; i < in->ntangents; i++) {
    e[i] = out->t[i] / in->kt;
    u[i] = (e[i] - (1 - law->theta) * in->eta0[i]) / law->theta;
    ee += e[i] * e[i];
    uu += u[i] * u[i];
    ue += u[i] * e[i];
  }
  for (PetscInt i = 0; i < in->ntangents; i++)
    out->eta1[i] =
        ue >= 0 ? (uu > ee ? u[i] * sqrt(ee / uu) : u[i]) : (ee > uu ? e[i] * sqrt(uu / ee) : e[i]);
}

static void evaluate(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  pressure(in, out);
  if (out->status == CR_OPEN) return;
  CrCoulomb(in, law->theta, out);
  if (out->p <= 0 || out->gd1 >= 0) return; /* the spring is forgotten */
  if (out->status == CR_STICKING)
    for (PetscInt i = 0; i < in->ntangents; i++) out->eta1[i] = in->eta0[i] + in->ds[i];
  else if (!law->reset)
    return_spring(law, in, out);
}

static const CrKey options[] = {
    {"stick_point", CR_WORD, "return", "return|reset",
     .help = "dissipative: the stick point after a slip step follows the slip, or starts anew"},
    {"theta", CR_REAL, "0.5", .range = "[0.5,1]",
     .help = "dissipative, bipotential: weight of the end of the step in the friction law"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  CrMiddle *mp = it->data;

  PetscFunctionBeginUser;
  mp->law = (CrContactLaw){.theta = CrDeckReal(CrDeckFind(time, "theta")),
                           .reset = CrDeckIsWord(CrDeckFind(time, "stick_point"), "reset"),
                           .evaluate = evaluate};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rigid bodies meet deformable ones and obstacles, by springs. */
static PetscErrorCode check_rigid(const CrContact *contact, const CrModel *model)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; contact && model->nbodies && k < contact->nrigid; k++) {
    const CrRigidPair *p = &contact->rigid[k];

    if (p->obstacle < 0)
      CrDeckFail(p->where,
                 "method dissipative knows no contact between rigid bodies (\"%s\" and "
                 "\"%s\"); efda does, without deformable ones",
                 model->rigid->groups[p->slave].name, model->rigid->groups[p->master].name);
    if (!(contact->pairs[p->pair].kn > 0))
      CrDeckFail(p->where, "normal_penalty of a rigid body on an obstacle must be given (force per "
                           "depth of a point)");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(check_rigid(it->contact, model));
  if (it->contact && model->nbodies && model->rigid->n)
    PetscCall(CrContactAddBodyPoints(it->contact));
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
    .help = "mid-point rule with dynamic gap and slip: contact that cannot create energy",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT | CR_PARTNERS |
               CR_SPRINGS,
    .data_size = sizeof(CrMiddle),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .destroy = destroy,
};
