/* Coulomb friction by radial return. */
#include "contact/laws/law.h"

#define STICKS                                                                                     \
  1e-6 /* a contact sticks if its tangential force is below the limit by this part of the limit */

/* The trial traction kt (eta0 + theta ds); returns its size. */
static PetscReal try_to_stick(const CrLawInput *in, PetscReal theta, PetscReal trial[2])
{
  PetscReal size = 0;

  for (PetscInt i = 0; i < in->ntangents; i++) {
    trial[i] = in->kt * (in->eta0[i] + theta * in->ds[i]);
    size += trial[i] * trial[i];
  }
  return PetscSqrtReal(size);
}

/* Traction and derivatives of a point that sticks or slips. */
static void fill(const CrLawInput *in, PetscReal theta, const PetscReal trial[2], PetscReal size,
                 CrLawOutput *out)
{
  PetscInt  n = in->ntangents;
  PetscReal limit = in->mu * out->p, share = size > 0 ? limit / size : 0, d[2];

  for (PetscInt i = 0; i < n; i++) {
    d[i] = size > 0 ? trial[i] / size : 0;
    out->t[i] = out->status == CR_STICKING ? trial[i] : limit * d[i];
    out->t_p[i] = out->status == CR_STICKING ? 0 : in->mu * d[i];
  }
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt j = 0; j < n; j++)
      out->t_ds[i][j] = theta * in->kt *
                        (out->status == CR_STICKING ? (i == j) : share * ((i == j) - d[i] * d[j]));
}

void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out)
{
  PetscReal trial[2], size = try_to_stick(in, theta, trial);

  out->status = in->mu == 0 ? CR_SMOOTH : size <= in->mu * out->p ? CR_STICKING : CR_SLIPPING;
  if (out->status != CR_SMOOTH) fill(in, theta, trial, size, out);
}

/* At the limit, and without pressure, a point may count as sticking or slipping. Slip that turns round within an
   iteration has passed through stick, so the point sticks for that iteration. */
void CrCoulombSteady(const CrLawInput *in, CrLawOutput *out)
{
  PetscReal trial[2], along = 0, size = try_to_stick(in, 1, trial);
  PetscReal limit = in->mu * out->p;
  PetscBool inside = in->loose ? size < (1 - STICKS) * limit : size <= limit, stays;

  out->status = in->mu == 0 ? CR_SMOOTH : inside ? CR_STICKING : CR_SLIPPING;
  if (out->status == CR_SMOOTH) return;
  for (PetscInt i = 0; i < in->ntangents; i++) along += in->last_way[i] * trial[i];
  stays = along < 0 || (in->held && in->last == CR_STICKING);
  if (!inside && stays) {
    out->status = CR_STICKING;
    out->unsettled = PETSC_TRUE;
  }
  fill(in, 1, trial, size, out);
}

CrContactStatus CrCoulombStatus(PetscReal friction, PetscReal normal, PetscReal tangential)
{
  if (!(normal > 0)) return CR_OPEN;
  if (friction == 0) return CR_SMOOTH;
  return tangential < (1 - STICKS) * friction * normal ? CR_STICKING : CR_SLIPPING;
}
