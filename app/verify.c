#include "app/app.h"
PetscErrorCode AppVerify(const AppArguments *a, int *status)
{
  (void)a;
  (void)status;
  return 0;
}
