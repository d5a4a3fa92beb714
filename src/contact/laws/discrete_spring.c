/* The law of the velocity update with friction (theory 16.5). New contact closes the gap at the end of the step, as
   in the discrete rate. Contact that lasts is held by springs, normal and tangential, which remember their stretch.
   So a body that is at rest stays at rest: nothing must move to press it. */
#include "contact/laws/law.h"

/* Without friction nothing must stick, and the law is the discrete rate: the spring starts each step anew. */
static PetscReal stretch(const CrLawInput *in)
{
  return in->mu > 0 ? PetscMin(in->gd0, 0) : 0;
}

/* The pressure of the end does work on the springs. What they do not take, the velocity update owes: it is never
   positive, because the potential is convex. */
static PetscBool press(const CrLawInput *in, PetscReal energy, CrLawOutput *out)
{
  const PetscReal s0 = stretch(in);
  const PetscBool is_new = in->gap0 > 0 && s0 == 0;
  const PetscReal p = in->ln - in->kn * (is_new ? in->gap1 : s0 + in->dg);

  out->owed = -energy * CrQuadraticPotential(in->kn, s0);
  if (!(p >= 0)) return PETSC_FALSE;
  out->p = p;
  if (is_new)
    out->p_gap1 = -in->kn;
  else
    out->p_dg = -in->kn;
  if (in->mu > 0) out->gd1 = -p / in->kn;
  out->owed += p * in->dg + energy * CrQuadraticPotential(in->kn, out->gd1);
  return PETSC_TRUE;
}

static void rub(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  CrLawInput trial = *in;

  for (PetscInt i = 0; i < in->ntangents; i++) trial.eta0[i] += in->lt[i] / in->kt;
  CrCoulomb(&trial, law->theta, out);
  for (PetscInt i = 0; in->mu > 0 && i < in->ntangents; i++) out->eta1[i] = out->t[i] / in->kt;
}

static void with_springs(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  if (press(in, 1, out)) rub(law, in, out);
}

/* Multipliers of the last step store no energy. A step that augmentation has not finished may leave friction that
   drives the slip: that work is owed too. */
static void with_multipliers(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  PetscReal work = 0;

  if (!press(in, 0, out)) return;
  rub(law, in, out);
  for (PetscInt i = 0; i < in->ntangents; i++) work += out->t[i] * in->ds[i];
  out->loss = PetscMax(work, 0);
  out->owed -= PetscMin(work, 0);
}

const CrContactLaw CrLaw_discrete_spring = {
    .name = "discrete-spring",
    .help = "gap of the end for new contact, springs for contact that lasts (velocity-update)",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_DYNAMIC,
    .theta = 1,
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
