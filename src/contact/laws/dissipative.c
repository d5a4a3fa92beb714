/* The law of Armero and Petocz (AP97, theory 14). The pressure is a difference quotient of the penalty potential in the
   dynamic gap, and friction follows from the dynamic slip. Without friction, the law returns exactly the energy that it
   has stored. */
#include <math.h>
#include "contact/laws/law.h"

/* p = -(U(g1) - U(g0))/(g1 - g0) and its derivative by g1, without cancellation. If both gaps are exactly zero,
   the point counts as touching: a body that starts in contact is held. */
static void pressure(const CrLawInput *in, CrLawOutput *out)
{
  PetscReal kn = in->kn, g0 = in->gd0, g1 = in->gd0 + in->dg + (in->shift1 - in->shift0);

  out->status = CR_STICKING;
  out->gd1 = g1;
  if (g0 <= 0 && g1 <= 0) {
    out->p = -kn * (g0 + g1) / 2;
    out->p_dg = -kn / 2;
  } else if (g0 > 0 && g1 < 0) { /* onset */
    out->p = -CrQuadraticPotential(kn, g1) / (g1 - g0);
    out->p_dg = -(kn * g1 + out->p) / (g1 - g0);
  } else if (g0 < 0 && g1 > 0) { /* release */
    out->p = CrQuadraticPotential(kn, g0) / (g1 - g0);
    out->p_dg = -out->p / (g1 - g0);
  } else
    out->status = CR_OPEN;
}

/* The spring after a slip step: any length up to |u| is dissipative; this one follows the slip
   without lag, and never turns against the friction force. */
static void return_spring(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  PetscReal e[2] = {0}, u[2] = {0}, ee = 0, uu = 0, ue = 0;

  for (PetscInt i = 0; i < in->ntangents; i++) {
    e[i] = out->t[i] / in->kt;
    u[i] = (e[i] - (1 - law->theta) * in->eta0[i]) / law->theta;
    ee += e[i] * e[i];
    uu += u[i] * u[i];
    ue += u[i] * e[i];
  }
  for (PetscInt i = 0; i < in->ntangents; i++)
    out->eta1[i] =
        ue >= 0 ? (uu > ee ? u[i] * sqrt(ee / uu) : u[i]) : (ee > uu ? e[i] * sqrt(uu / ee) : e[i]);
}

void CrSpringReturn(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  if (out->p <= 0 || out->gd1 >= 0) return; /* the spring is forgotten */
  if (out->status == CR_STICKING)
    for (PetscInt i = 0; i < in->ntangents; i++) out->eta1[i] = in->eta0[i] + in->ds[i];
  else if (!law->reset)
    return_spring(law, in, out);
}

static void evaluate(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out)
{
  pressure(in, out);
  if (out->status == CR_OPEN) return;
  CrCoulomb(in, law->theta, out);
  CrSpringReturn(law, in, out);
}

const CrContactLaw CrLaw_dissipative = {
    .name = "dynamic-gap",
    .help =
        "dissipative: penalty springs that are stretched by the changes of gap and slip, summed over the steps",
    .where = CR_WHERE_MIDDLE,
    .memory = CR_MEMORY_DYNAMIC,
    .theta = 0.5,
    .evaluate = evaluate,
    .potential = CrQuadraticPotential,
};
