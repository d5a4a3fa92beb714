/* The contact law of Love and Laursen (LL03 54, theory 16), with penalties or multipliers. In a new contact the
   pressure closes the gap at the end of the step. In a lasting contact the gap stays constant. The velocity update
   returns the energy that this law dissipates. */
#include "contact/laws/law.h"

/* New contact is enforced on the gap at the end, lasting contact on the increment of the gap. So the work of
   the pressure is never positive. Friction has no memory. */
static void evaluate(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  PetscBool  is_new = in->gap0 > 0;
  PetscReal  p = in->ln - in->kn * (is_new ? in->gap1 : in->dg), work = 0, slip = 0;
  CrLawInput trial = *in;

  (void)law;
  if (!(p >= 0)) return;
  out->p = p;
  out->closes = is_new;
  if (is_new)
    out->p_gap1 = -in->kn;
  else
    out->p_dg = -in->kn;
  for (PetscInt i = 0; i < in->ntangents; i++) trial.eta0[i] = in->lt[i] / in->kt;
  CrCoulomb(&trial, 1, out);
  for (PetscInt i = 0; i < in->ntangents; i++) {
    work += out->t[i] * in->ds[i];
    slip += in->ds[i] * in->ds[i];
  }
  if (out->status == CR_SLIPPING)
    out->loss = PetscMin(in->mu * out->p * PetscSqrtReal(slip), PetscMax(0, work));
  out->bounces = PETSC_TRUE;
  out->owed = out->p * in->dg + out->loss - work;
}

const CrContactLaw CrLaw_discrete_rate = {
    .name = "discrete-rate",
    .help =
        "velocity-update: the force of a new contact follows from the gap at the end of the step, that of a lasting contact from the rate of the gap",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_NONE,
    .theta = 1,
    .evaluate = evaluate,
};
