/* Which instruction set the element kernels run on. The folders material/ and element/ are compiled
   once per set; a table per set is chosen at start-up. */
#pragma once

#include "base/base.h"

typedef enum { CR_ISA_BASELINE, CR_ISA_AVX2, CR_ISA_AVX512, CR_NISAS } CrIsa;

/* The best set of this processor (by cpuid), or the one that CAROM_ISA names (baseline, avx2,
   avx512) if the processor has it. Chosen once. */
CrIsa       CrIsaGet(void);
const char *CrIsaName(CrIsa isa);
PetscBool   CrIsaIsThere(CrIsa isa); /* in this processor */
