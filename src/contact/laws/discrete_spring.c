/* The contact laws of the velocity update (theory 16.5). A new contact closes the gap at the end of the step, as in
   discrete_rate.c, and impulses return the energy that this dissipates. The contact bounces in this way until half of
   the impulse of its pressure exceeds the impulse that would reverse its velocity. Then it rests: it stores pressure
   and traction from step to step. So a body at rest stays at rest, because the pressure needs no displacement, and no
   impulse acts on it. */
#include "contact/laws/law.h"

/* Is this a new contact? Its gap was open at t_n, and its spring has no stretch. */
static PetscBool is_new(const CrLawInput *in)
{
  return in->gap0 > 0 && in->gd0 >= 0;
}

/* Computes the pressure. A new contact closes the gap at the end, and a contact that bounces keeps its gap, both up to
   the penetration p/kn. `energy` is 1 if a spring stores part of the work of the pressure, and 0 without a spring. The
   rest of the work is owed. It is never positive, because the potential is convex. Returns false if the contact opens.
   */
static PetscBool press(const CrLawInput *in, PetscReal energy, CrLawOutput *out)
{
  const PetscReal s0 = PetscMin(in->gd0, 0), gap = is_new(in) ? in->gap1 : s0 + in->dg;
  const PetscReal p = in->ln - in->kn * gap;

  out->bounces = is_new(in) || !in->rests;
  out->owed = -energy * CrQuadraticPotential(in->kn, s0);
  if (!(p >= 0)) return PETSC_FALSE; /* the contact opens, and all energy of its spring is owed */
  out->p = p;
  out->closes = is_new(in);
  if (is_new(in))
    out->p_gap1 = -in->kn;
  else
    out->p_dg = -in->kn;
  out->gd1 = -p / in->kn;
  out->owed += p * in->dg + energy * CrQuadraticPotential(in->kn, out->gd1);
  return PETSC_TRUE;
}

/* Contact that rests is held by springs in the dynamic gap and slip, which dissipate energy only by friction (theory
   14). */
static void with_springs(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  if (!is_new(in) && in->rests)
    CrLaw_dissipative.evaluate(law, in, out);
  else if (press(in, 1, out)) {
    CrCoulomb(in, law->theta, out);
    CrSpringReturn(law, in, out);
  }
}

/* Multipliers replace the springs. They start from the contact forces of the last step, and store no energy. Before
   augmentation has converged, they may give energy to the bodies; `owed` includes this work. Without friction the
   multipliers of the source suffice: augmentation leaves no penetration that could grow. */
static void with_multipliers(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  CrLawInput trial = *in;
  PetscReal  work = 0;

  if (in->mu == 0) CrLaw_discrete_rate.evaluate(law, in, out);
  if (in->mu == 0 || !press(in, 0, out)) return;
  for (PetscInt i = 0; i < in->ntangents; i++) trial.eta0[i] += in->lt[i] / in->kt;
  CrCoulomb(&trial, law->theta, out);
  for (PetscInt i = 0; i < in->ntangents; i++) {
    out->eta1[i] = out->t[i] / in->kt;
    work += out->t[i] * in->ds[i];
  }
  out->loss = PetscMax(work, 0);
  out->owed -= PetscMin(work, 0);
}

const CrContactLaw CrLaw_discrete_spring = {
    .name = "discrete-spring",
    .help =
        "velocity-update: the force of a new contact follows from the gap at the end of the step; a spring carries a lasting contact",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_DYNAMIC,
    .bounces = PETSC_TRUE,
    .theta = 0.5,
    .evaluate = with_springs,
    .potential = CrQuadraticPotential,
};

const CrContactLaw CrLaw_discrete_multiplier = {
    .name = "discrete-multiplier",
    .help =
        "velocity-update: like discrete-spring, but augmented Lagrangian multipliers prevent penetration",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_OWN,
    .memory = CR_MEMORY_FORCES,
    .bounces = PETSC_TRUE,
    .theta = 1,
    .evaluate = with_multipliers,
};
