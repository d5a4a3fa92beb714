/* carom methods, carom schema: what the registries and tables hold. */
#include "app/app.h"
#include "element/element.h"
#include "integrate/integrator.h"
#include "material/material.h"
#include "run/run.h"

static const char *claims_of(const CrIntegratorOps *ops, char *text, size_t size)
{
  snprintf(text, size, "%s%s%s", ops->claims & CR_BALANCES_ENERGY ? "energy, " : "",
           ops->claims & CR_KEEPS_LINEAR ? "linear momentum" : "",
           ops->claims & CR_KEEPS_ANGULAR ? ", angular momentum" : "");
  return text;
}

PetscErrorCode AppMethods(const AppArguments *a, int *status)
{
  char text[128];

  PetscFunctionBeginUser;
  (void)a;
  (void)status;
  CrLog("integrators (time.method)\n");
  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);

    CrLog("  %-24s %s\n", ops->name, ops->help);
    CrLog("  %-24s keeps: %s; %s\n", "", claims_of(ops, text, sizeof text), ops->citation);
    for (const CrKey *key = CrIntegratorOptionsAt(i); key->name; key++)
      CrLog("  %-24s   option %s (default %s)\n", "", key->name,
            key->fallback ? key->fallback : "none");
  }
  CrLog("materials (materials: model)\n");
  for (PetscInt i = 0; CrMaterialAt(i); i++)
    CrLog("  %-24s %s\n", CrMaterialAt(i)->name, CrMaterialAt(i)->help);
  CrLog("elements (mesh: type)\n");
  for (PetscInt i = 0; CrElementAt(i); i++) {
    const CrElement *e = CrElementAt(i);

    CrLog("  %-24s %" PetscInt_FMT "D, %" PetscInt_FMT " nodes, %" PetscInt_FMT " stress point%s\n",
          CrCells[e->type].name, e->dim, e->nnodes, e->npoints, e->npoints == 1 ? "" : "s");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSchema(const AppArguments *a, int *status)
{
  PetscFunctionBeginUser;
  (void)a;
  (void)status;
  PetscCall(CrDeckWriteSchema(CrProblemKeys(), stdout));
  PetscFunctionReturn(PETSC_SUCCESS);
}
