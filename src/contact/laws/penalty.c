/* The plain penalty on the real gap, in the middle or at the end of a step (theory 13.9), as in most codes. A third law
   is for statics (theory 9.3). */
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

/* Slip is measured from the middle of the last step. A point that was open there has touched at some time since then,
   on the average half-way. So half of the slip counts. With none, a sliding point would stick for a step, and friction
   would lose too little: 22 % where a contact lasts five steps. */
static void in_the_middle(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  CrContactLaw now = *law;

  if (!(in->gd0 < 0)) now.theta = law->onset * law->theta;
  CrPlainPenalty(&now, in, out);
}

/* A point that the linear model holds pulls until Newton's next iteration has closed its gap. */
static void at_rest(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  (void)law;
  if (in->gap > 0 && !in->held) return;
  out->unsettled = in->gap > 0;
  out->p = -in->kn * in->gap;
  out->p_gap = -in->kn;
  out->gd1 = in->gap;
  CrCoulombSteady(in, out);
  for (PetscInt i = 0; i < in->ntangents; i++) out->eta1[i] = out->t[i] / in->kt;
}

const CrContactLaw CrLaw_middle_penalty = {
    .name = "middle-penalty",
    .help = "midpoint: penalty springs, with the gap at the middle of the step",
    .where = CR_WHERE_MIDDLE,
    .slip = CR_SLIP_ALONG,
    .memory = CR_MEMORY_REAL,
    .theta = 1,
    .onset = 0.5,
    .evaluate = in_the_middle,
    .potential = CrQuadraticPotential,
};

const CrContactLaw CrLaw_end_penalty = {
    .name = "end-penalty",
    .help = "newmark: penalty springs, with the gap at the end of the step",
    .where = CR_WHERE_END,
    .memory = CR_MEMORY_REAL,
    .theta = 1,
    .evaluate = CrPlainPenalty,
    .potential = CrQuadraticPotential,
};

const CrContactLaw CrLaw_rest_penalty = {
    .name = "rest-penalty",
    .help = "quasi-static analyses: penalty springs, with the gap at the end of the step",
    .where = CR_WHERE_END,
    .slip = CR_SLIP_MEAN,
    .memory = CR_MEMORY_REAL,
    .steady = PETSC_TRUE,
    .theta = 1,
    .evaluate = at_rest,
    .potential = CrQuadraticPotential,
};
