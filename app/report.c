/* The command `carom report`: writes the web page of a run. */
#include "report/report.h"
#include "app/app.h"

PetscErrorCode AppReport(const AppArguments *a, int *status)
{
  PetscFunctionBeginUser;
  *status = 0;
  PetscCall(CrReportWrite(a->words[0], a->limit > 0 ? a->limit : CR_REPORT_SIZE));
  CrLog("%s/report.html\n", a->words[0]);
  PetscFunctionReturn(PETSC_SUCCESS);
}
