/* Checks the energy that contact has created (theory 17.7). */
#include "run/internal.h"

#define CREATED      0.01 /* of the energy: what exact contact may create unmentioned */
#define CREATED_MOST 0.2  /* the same, beyond which the run ends */

/* Exact laws for gaps put nodes where they belong at the end of the step. A node that is put at the front of a facet which it had
   not crossed gets energy from nowhere; the ledger books it as work of contact. A trace of it is mentioned at the end. */
static PetscReal created_by_contact(const CrRun *run)
{
  const CrAudit *a = run->audit;

  if (!run->contact || run->model->quasi_static) return 0;
  if (!run->contact->tight && !run->contact->closes) return 0;
  if (run->state->n < CR_FIRST_STEPS || !(a->energy_scale > 0)) return 0;
  return PetscMin(a->energy_max_gain, a->contact_work) / a->energy_scale;
}

void CrRunCheckCreated(CrRun *run)
{
  const PetscReal share = created_by_contact(run);

  if (run->failed || !(share > CREATED_MOST)) return;
  run->failed = PETSC_TRUE;
  snprintf(
      run->failure, sizeof run->failure,
      "contact created %.2g %% of the energy until t = %g: nodes were placed in front of facets that they had not crossed; use shorter steps, finer meshes, or another method",
      (double)(100 * share), (double)run->state->t);
  CrWarn("%s", run->failure);
}

void CrRunWarnOfCreated(const CrRun *run)
{
  const PetscReal share = created_by_contact(run);

  if (share > CREATED)
    CrWarn("contact created %.2g %% of the energy; use shorter steps, finer meshes, or another "
           "method",
           (double)(100 * share));
}
