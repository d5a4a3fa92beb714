/* Exact contact: the law returns the reactions that the Coulomb solver has found (theory 17). */
#include "contact/laws/law.h"

/* Returns reactions as pressure and traction. They obey Coulomb's law already. */
static void hand_out(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  PetscReal size = 0;

  (void)law;
  if (!(in->ln > 0)) return;
  out->p = in->ln;
  for (PetscInt i = 0; i < in->ntangents; i++) {
    out->t[i] = in->lt[i];
    size += PetscSqr(in->lt[i]);
    out->loss += in->lt[i] * in->ds[i];
  }
  out->status = CrCoulombStatus(in->mu, out->p, PetscSqrtReal(size));
}

const CrContactLaw CrLaw_reactions = {
    .name = "reactions",
    .help = "bipotential: no penetration, and contact forces that obey Coulomb's law exactly",
    .where = CR_WHERE_MIDDLE,
    .facet = CR_FACET_SAME,
    .memory = CR_MEMORY_NONE,
    .exact = PETSC_TRUE,
    .theta = 1,
    .evaluate = hand_out,
};
