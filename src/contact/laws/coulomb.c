/* Coulomb friction by radial return. */
#include "contact/laws/law.h"

#define STICKS                                                                                     \
  1e-6 /* a contact sticks if its tangential force is below the limit by this part of the limit */

void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out)
{
  PetscInt  n = in->ntangents;
  PetscReal limit = in->mu * out->p, size = 0, trial[2], d[2];

  for (PetscInt i = 0; i < n; i++) {
    trial[i] = in->kt * (in->eta0[i] + theta * in->ds[i]);
    size += trial[i] * trial[i];
  }
  size = PetscSqrtReal(size);
  out->status = in->mu == 0 ? CR_SMOOTH : size <= limit ? CR_STICKING : CR_SLIPPING;
  if (out->status == CR_SMOOTH) return;
  for (PetscInt i = 0; i < n; i++) {
    d[i] = size > 0 ? trial[i] / size : 0;
    out->t[i] = out->status == CR_STICKING ? trial[i] : limit * d[i];
    out->t_p[i] = out->status == CR_STICKING ? 0 : in->mu * d[i];
  }
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      out->t_ds[i][j] =
          theta * in->kt *
          (out->status == CR_STICKING ? (i == j) : limit / size * ((i == j) - d[i] * d[j]));
}

CrContactStatus CrCoulombStatus(PetscReal friction, PetscReal normal, PetscReal tangential)
{
  if (!(normal > 0)) return CR_OPEN;
  if (friction == 0) return CR_SMOOTH;
  return tangential < (1 - STICKS) * friction * normal ? CR_STICKING : CR_SLIPPING;
}
