/* Computes the derivative of the force of one contact with respect to the positions of its nodes. */
#include "contact/touch/touch.h"

PetscBool CrTouchIsSplit(const CrTouch *touch, const CrContactStep *step)
{
  return step->law->facet != CR_FACET_NONE && touch->k.nmaster && touch->facet1 != touch->facet &&
         touch->out.p_gap1 != 0;
}

/* If slip is measured along the reference shape: the derivative of the slip, in the form that multiplies t_ds.
   The closest point moves by H/length of its facet. As the facet grows, a sticking spring, stiffer by `metric`,
   becomes softer. */
static PetscReal slide_along_gradient(const CrTouch *touch, PetscInt b)
{
  PetscReal stretch = b < 2 ? 0 : b < 4 ? -touch->k.e[0][b - 2] : touch->k.e[0][b - 4];
  PetscReal slip = touch->in.metric * touch->k.H[0][b];

  if (touch->out.status != CR_STICKING || touch->out.t_ds[0][0] == 0) return slip;
  return slip - touch->out.t[0] / touch->out.t_ds[0][0] * stretch / touch->k.length;
}

static PetscReal slip_row(const CrTouch *touch, PetscReal share, PetscInt i, PetscInt b)
{
  return share < 1 ? share * touch->k.H[i][b] + (1 - share) * touch->H0[i][b] : touch->k.H[i][b];
}

void CrPointTangent(const CrContactStep *step, const CrTouch *touch, const PetscReal *x,
                    const PetscReal *du, const PetscReal *slide,
                    PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  PetscInt  dim = touch->k.dim, n = dim * (touch->k.nmaster + 1), nt = dim - 1;
  PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS], dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  PetscReal dp[CR_CONTACT_DOFS], ds[2][CR_CONTACT_DOFS],
      factor = step->law->where == CR_WHERE_END ? 1 : 2, share = CrTouchSlipPart(touch, step->law);
  const CrLawOutput *o = &touch->out;

  CrKinematicsGradient(&touch->k, x, dG, dH);
  for (PetscInt b = 0; b < n; b++) { /* gradients of increments, pressure, tractions */
    PetscReal dg = factor * touch->k.G[b];

    for (PetscInt a = 0; a < n; a++) dg += du[a] * dG[a][b];
    dp[b] = o->p_dg * dg + o->p_gap * touch->k.G[b];
    if (step->law->facet != CR_FACET_NONE && !CrTouchIsSplit(touch, step))
      dp[b] += factor * o->p_gap1 * touch->k1.G[b];
    for (PetscInt i = 0; i < nt; i++) {
      ds[i][b] = step->slide_factor * slip_row(touch, share, i, b);
      if (step->law->slip == CR_SLIP_ALONG && dim == 2 && touch->k.nmaster && !touch->k.rest)
        ds[i][b] = slide_along_gradient(touch, b);
      else
        for (PetscInt a = 0; a < n; a++) ds[i][b] += share * slide[a] * dH[i][a][b];
    }
  }
  for (PetscInt a = 0; a < n; a++)
    for (PetscInt b = 0; b < n; b++) K[a][b] = touch->k.G[a] * dp[b] + o->p * dG[a][b];
  for (PetscInt i = 0; i < nt; i++)
    for (PetscInt b = 0; b < n; b++) {
      PetscReal dt = o->t_p[i] * dp[b];

      for (PetscInt j = 0; j < nt; j++) dt += o->t_ds[i][j] * ds[j][b];
      for (PetscInt a = 0; a < n; a++) K[a][b] -= touch->k.H[i][a] * dt + o->t[i] * dH[i][a][b];
    }
}
