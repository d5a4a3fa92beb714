#include "contact/laws/law.h"

const CrContactLaw *CrLawAt(PetscInt k)
{
  static const CrContactLaw *const laws[] = {
#define CR_LAW(name) &CrLaw_##name,
#include "contact/laws/registry.def"
#undef CR_LAW
      NULL};

  return laws[k];
}
