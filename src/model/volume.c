/* Decides whether the material law of a body uses the volume ratio at quadrature points or the mean of the element
   (theory 5.9), and warns of elements that lock in nearly incompressible materials. */
#include "model/internal.h"

#define LOCKS 0.4 /* Poisson's ratio above which elements of first order are too stiff at points */

/* Poisson's ratio of the long term: branches of viscosity relax, and leave a ratio that is greater. */
static PetscReal poisson(const CrMaterial *m)
{
  PetscReal lambda = m->lambda, shear = m->shear;

  for (PetscInt i = 0; i < m->viscosity.n; i++) {
    lambda += 2.0 / 3 * m->viscosity.shear[i];
    shear -= m->viscosity.shear[i];
  }
  return lambda / (2 * (lambda + shear));
}

/* Does the material resist a change of volume much more than a change of shape? */
static PetscBool keeps_volume(const CrMaterial *m)
{
  return !m->plane_stress && !m->elastic->turn &&
         ((m->ops->flags & CR_FLOWS) || poisson(m) > LOCKS);
}

PetscErrorCode CrVolumeRead(CrBody *body)
{
  const CrDeckNode *volume = CrDeckFind(body->deck, "volume");
  const CrDeckNode *part = CrDeckFind(body->deck, "volume_part");
  const CrMaterial *m = body->material;

  PetscFunctionBeginUser;
  body->volume = CrDeckIsWord(volume, "mean")    ? CR_MEAN
                 : CrDeckIsWord(volume, "point") ? CR_POINT
                                                 : CR_AUTO;
  body->volume_part = CrDeckReal(part);
  if (body->volume == CR_MEAN && !m->ops->volume)
    CrDeckFail(
        volume,
        "%s has no separate volumetric energy, which `volume: mean` needs; use neo-hookean or mooney-rivlin",
        m->elastic->name);
  if (body->volume == CR_MEAN && m->plane_stress)
    CrDeckFail(
        volume,
        "`volume: mean` is for plane strain and 3D, because in plane stress the thickness changes freely");
  if (body->volume == CR_POINT && CrDeckIsGiven(part))
    CrDeckFail(part, "this key is allowed only with `volume: mean`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the volume of these elements taken as a mean? */
static PetscBool is_mean(const CrBody *body, CrCellType type)
{
  if (!body->material->ops->volume || body->material->plane_stress || body->one_point)
    return PETSC_FALSE;
  if (body->volume != CR_AUTO) return body->volume == CR_MEAN;
  return (type == CR_Q4 || type == CR_H8) && keeps_volume(body->material);
}

void CrVolumeSetUp(const CrBody *body, CrElementBlock *block)
{
  PetscBool mean = is_mean(body, block->element->type);

  block->volume_part = mean ? body->volume_part : 1;
  block->split = body->material->ops->volume && (mean || block->state_size);
}

/* What to do about elements of this type, or NULL. */
static const char *remedy(const CrBody *body, CrCellType type)
{
  PetscBool first = type == CR_T3 || type == CR_T4;

  if (first && body->volume == CR_MEAN)
    return "have one integration point, so `volume: mean` has no effect; use Q4, H8, T6 or T10";
  if ((type == CR_Q8 || type == CR_Q9) && body->volume == CR_MEAN)
    return "are too soft with `volume: mean`; use Q4 or T6 elements, which are more accurate with the same number of nodes";
  if (!keeps_volume(body->material) || body->volume == CR_POINT) return NULL;
  if (first)
    return "lock: they are much too stiff in bending; use Q4 or H8, or T6 or T10 with `volume: mean`";
  if ((type == CR_Q4 || type == CR_H8) && !is_mean(body, type) && !body->one_point)
    return "lock (are much too stiff), and `volume: mean` cannot be used with this law; use neo-hookean, or elements of second order";
  return NULL;
}

void CrVolumeWarn(const CrBody *body, const CrMesh *mesh)
{
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    const char *text = remedy(body, mesh->blocks[b].type);

    if (text)
      CrWarn("body %s (%s, Poisson's ratio %.4g): its %s elements %s", body->name,
             body->material->name, (double)poisson(body->material),
             CrCells[mesh->blocks[b].type].name, text);
  }
}
