#include <stdlib.h>
#include <string.h>
#include "base/isa.h"

static const char *const names[CR_NISAS] = {"baseline", "avx2", "avx512"};

PetscBool CrIsaIsThere(CrIsa isa)
{
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (isa == CR_ISA_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#if defined(CR_WIDE)
  if (isa == CR_ISA_AVX512) return CrIsaIsThere(CR_ISA_AVX2); /* for tests of eight lanes */
#endif
  if (isa == CR_ISA_AVX512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
  return isa == CR_ISA_BASELINE;
}

static CrIsa choose(void)
{
  const char *wish = getenv("CAROM_ISA");

  for (CrIsa isa = CR_NISAS; wish && isa-- > 0;)
    if (!strcmp(wish, names[isa]) && CrIsaIsThere(isa)) return isa;
  if (wish && *wish)
    CrWarn(
        "CAROM_ISA=%s is ignored: this instruction set is unknown, or the processor does not support it",
        wish);
  for (CrIsa isa = CR_NISAS; isa-- > 0;)
    if (CrIsaIsThere(isa)) return isa;
  return CR_ISA_BASELINE;
}

CrIsa CrIsaGet(void)
{
  static CrIsa     isa;
  static PetscBool known = PETSC_FALSE;

  if (!known) isa = choose();
  known = PETSC_TRUE;
  return isa;
}

const char *CrIsaName(CrIsa isa)
{
  return names[isa];
}
