/* The laws of the velocity update with friction (theory 16.5). New contact closes the gap at the end of the step, as in
   the discrete rate, and impulses return the energy that this takes. Contact that lasts remembers its pressure and
   traction. So a body at rest stays at rest: nothing must move to press it, and no impulse acts on it. */
#include "contact/laws/law.h"

/* A point that comes from outside and holds no spring. */
static PetscBool is_new(const CrLawInput *in)
{
  return in->gap0 > 0 && in->gd0 >= 0;
}

/* The pressure of new contact closes the gap at the end, but for the penetration -p/kn. */
static PetscBool close_gap(const CrLawInput *in, CrLawOutput *out)
{
  const PetscReal p = in->ln - in->kn * in->gap1;

  if (!(p >= 0)) return PETSC_FALSE;
  out->p = p;
  out->p_gap1 = -in->kn;
  out->gd1 = -p / in->kn;
  out->bounces = PETSC_TRUE;
  return PETSC_TRUE;
}

/* Springs in the dynamic gap and slip, which lose nothing but friction (theory 14). Only new contact differs. */
static void with_springs(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  if (in->mu == 0) {
    CrLaw_discrete_rate.evaluate(law, in, out); /* nothing must stick */
  } else if (!is_new(in)) {
    CrLaw_dissipative.evaluate(law, in, out);
  } else if (close_gap(in, out)) {
    CrCoulomb(in, law->theta, out);
    CrSpringReturn(law, in, out);
    out->owed = out->p * in->dg + CrQuadraticPotential(in->kn, out->gd1);
  } else
    out->gd1 = in->gd0 + in->dg;
}

/* Multipliers take the place of the springs and start from their forces of the last step. They store no energy. While
   augmentation is not finished, they may do some work: that is owed too. */
static void with_multipliers(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  const PetscReal p = in->ln - in->kn * (PetscMin(in->gd0, 0) + in->dg);
  CrLawInput      trial = *in;
  PetscReal       work = 0;

  if (in->mu == 0) {
    CrLaw_discrete_rate.evaluate(law, in, out);
    return;
  }
  if (is_new(in) ? !close_gap(in, out) : !(p >= 0)) return;
  if (!is_new(in)) {
    out->p = p;
    out->p_dg = -in->kn;
    out->gd1 = -p / in->kn;
  }
  for (PetscInt i = 0; i < in->ntangents; i++) trial.eta0[i] += in->lt[i] / in->kt;
  CrCoulomb(&trial, 1, out);
  for (PetscInt i = 0; i < in->ntangents; i++) {
    out->eta1[i] = out->t[i] / in->kt;
    work += out->t[i] * in->ds[i];
  }
  out->loss = PetscMax(work, 0);
  out->owed = out->p * in->dg - PetscMin(work, 0);
}

const CrContactLaw CrLaw_discrete_spring = {
    .name = "discrete-spring",
    .help = "gap of the end for new contact, springs for contact that lasts (velocity-update)",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_DYNAMIC,
    .theta = 0.5,
    .evaluate = with_springs,
    .potential = CrQuadraticPotential,
};

const CrContactLaw CrLaw_discrete_multiplier = {
    .name = "discrete-multiplier",
    .help = "the same, where augmentation makes the springs rigid (velocity-update)",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_FORCES,
    .theta = 1,
    .evaluate = with_multipliers,
};
