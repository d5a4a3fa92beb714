/* The commands `carom methods` and `carom schema`: print the registered methods, and the JSON Schema of the deck. */
#include <string.h>
#include "app/app.h"
#include "cone/cone.h"
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

/* How a method presses bodies apart: by which of `kinds` it accepts. */
static void list_contact(const char name[], const char help[], int kinds, int wanted)
{
  char text[256] = "";

  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);
    size_t                 n = strlen(text);

    if (ops->accepts & CR_CONTACT && (int)(ops->accepts & kinds) == wanted)
      snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", ops->name);
  }
  CrLog("  %-24s %s\n", name, help);
  CrLog("  %-24s used by: %s\n", "", text);
}

PetscErrorCode AppMethods(const AppArguments *a, int *status)
{
  char text[128];

  PetscFunctionBeginUser;
  (void)a;
  (void)status;
  CrLog("methods (time.method)\n");
  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);

    CrLog("  %-24s %s\n", ops->name, ops->help);
    CrLog("  %-24s exact balance of: %s; source: %s\n", "", claims_of(ops, text, sizeof text),
          ops->citation);
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

    CrLog("  %-24s %" PetscInt_FMT "D, %" PetscInt_FMT " nodes, %" PetscInt_FMT
          " integration point%s\n",
          CrCells[e->type].name, e->dim, e->nnodes, e->npoints, e->npoints == 1 ? "" : "s");
  }
  CrLog("contact laws (each method has one)\n");
  list_contact("penalty",
               "contact springs with the stiffnesses normal_penalty and tangential_penalty",
               CR_SPRINGS | CR_RESTITUTION, CR_SPRINGS);
  list_contact("multipliers", "contact forces that prevent penetration, without springs",
               CR_SPRINGS | CR_RESTITUTION, 0);
  list_contact(
      "restitution",
      "impacts of rigid bodies with a coefficient of restitution, then contact forces that keep the bodies apart",
      CR_SPRINGS | CR_RESTITUTION, CR_RESTITUTION);
  CrLog("laws of contact points (of the implicit methods)\n");
  for (PetscInt i = 0; CrLawAt(i); i++) CrLog("  %-24s %s\n", CrLawAt(i)->name, CrLawAt(i)->help);
  CrLog("friction laws (contact: friction)\n");
  CrLog(
      "  %-24s %s\n", "Coulomb",
      "a contact sticks while the traction is below the friction coefficient times the pressure, and then slips; 0: no friction");
  CrLog("friction solvers (carom friction --solver)\n");
  for (PetscInt i = 0; CrConeSolverName(i); i++)
    CrLog("  %-24s %s\n", CrConeSolverName(i), CrConeSolverHelp(i));
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
