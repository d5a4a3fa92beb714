/* Impulses on rigid bodies at the end of a step (theory 16.6). With the pose of the end, the angular velocity is
   om = R_1 I^-1 R_1^T pi. So the energy of rotation is a quadratic form of pi, and an impulse does the work of its moment
   on the mean of om before and after. */
#include "base/vector.h"
#include "contact/partners/impulse.h"

void CrPartnerPull(const CrGrip *grip, PetscInt dim, const PetscReal *row, PetscReal pull[6])
{
  for (int i = 0; i < 6; i++) pull[i] = 0;
  for (PetscInt a = 0; a < grip->n; a++) {
    PetscReal f[3] = {0}, moment[3];

    for (PetscInt i = 0; i < dim; i++) f[i] = row[dim * grip->column[a] + i];
    v_cross(grip->arm[a], f, moment);
    v_add(pull, grip->side, f);
    v_add(pull + 3, grip->side, moment);
  }
}

/* om = R I^-1 R^T pi */
static void spin_of(const CrPartner *p, const PetscReal R[9], const PetscReal pi[3],
                    PetscReal om[3])
{
  PetscReal own[3];

  m_back(R, pi, own);
  for (int i = 0; i < 3; i++) own[i] = p->is_free[3 + i] ? own[i] / p->I[i] : 0;
  m_times(R, own, om);
}

void CrPartnerAnswer(const CrPartner *p, const PetscReal pull[6], PetscReal answer[6])
{
  for (int i = 0; i < 3; i++) answer[i] = p->is_free[i] ? pull[i] / p->mass : 0;
  spin_of(p, p->end.R, pull + 3, answer + 3);
}

void CrPartnerTwists(const CrPartner *p, PetscReal h, PetscReal before[6], PetscReal after[6])
{
  PetscReal pi[3];

  for (int i = 0; i < 3; i++) {
    before[i] = p->v0[i];
    after[i] = p->is_free[i] ? p->v0[i] + h * (p->force[i] / p->mass + p->load[i]) : p->v0[i];
    pi[i] = p->pi0[i] + (p->is_free[3 + i] ? h * p->torque[i] : 0);
  }
  spin_of(p, p->start.R, p->pi0, before + 3);
  spin_of(p, p->end.R, pi, after + 3);
}
