/* The plain penalty on the real gap, in the middle and at the end of a step (theory 13.9): what most codes do. */
#include "contact/laws/law.h"

PetscReal CrQuadraticPotential(PetscReal kn, PetscReal gap)
{
  return gap < 0 ? kn / 2 * gap * gap : 0;
}

void CrPlainPenalty(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  if (in->gap > 0) return;
  out->p = -in->kn * in->gap;
  out->p_gap = -in->kn;
  out->gd1 = in->gap;
  CrCoulomb(in, law->theta, out);
  for (PetscInt i = 0; i < in->ntangents; i++) out->eta1[i] = out->t[i] / in->kt;
}

/* Slip is measured from the middle of the last step, so there is none in the first step of contact. */
static void in_the_middle(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  CrContactLaw now = *law;

  if (!(in->gd0 < 0)) now.theta = 0;
  CrPlainPenalty(&now, in, out);
}

const CrContactLaw CrLaw_middle_penalty = {
    .name = "middle-penalty",
    .help = "penalty on the gap at the mid-point (midpoint)",
    .where = CR_WHERE_MIDDLE,
    .slip = CR_SLIP_ALONG,
    .memory = CR_MEMORY_REAL,
    .theta = 1,
    .evaluate = in_the_middle,
    .potential = CrQuadraticPotential,
};

const CrContactLaw CrLaw_end_penalty = {
    .name = "end-penalty",
    .help = "penalty on the gap at the end of the step (newmark)",
    .where = CR_WHERE_END,
    .memory = CR_MEMORY_REAL,
    .theta = 1,
    .evaluate = CrPlainPenalty,
    .potential = CrQuadraticPotential,
};
