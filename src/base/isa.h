/* The instruction set of the processor. Files that use lanes are compiled once per instruction set
   (base/lanes.h), and tables have one entry for each set. Other files may contain a second version of a
   function for all sets above the baseline (CR_TARGET_WIDE). */
#pragma once

#include "base/base.h"

typedef enum { CR_ISA_BASELINE, CR_ISA_AVX2, CR_ISA_AVX512, CR_NISAS } CrIsa;

/* CrIsaGet returns the best instruction set of this processor (by cpuid), or the set that CAROM_ISA names (baseline,
   avx2, avx512) if the processor has it. The choice is made once. */
CrIsa       CrIsaGet(void);
const char *CrIsaName(CrIsa isa);
PetscBool   CrIsaIsThere(CrIsa isa); /* does the processor have this instruction set? */

/* Access to the variants that CR_VARIANT(name) defines. CR_ISA_DECLARE declares all variants of an object or
   function; CR_ISA_ROW initialises an array [CR_NISAS] of their addresses. Processors other than x86-64 have
   the baseline alone. */
/* clang-format off */
#if defined(__x86_64__)
#define CR_ISA_DECLARE(type, name) extern type name##_baseline, name##_avx2, name##_avx512
#define CR_ISA_ROW(name) {&name##_baseline, &name##_avx2, &name##_avx512}
#define CR_TARGET_WIDE __attribute__((target("avx2,fma,popcnt")))
#else
#define CR_ISA_DECLARE(type, name) extern type name##_baseline
#define CR_ISA_ROW(name) {&name##_baseline, &name##_baseline, &name##_baseline}
#define CR_TARGET_WIDE
#endif
/* clang-format on */

/* CR_ISA_TABLE(const Kernels, MyKernels); declares the variants and defines the array MyKernels_table in this file.
   CR_ISA_OWN(MyKernels) is then a pointer to the variant for this processor. */
#define CR_ISA_TABLE(type, name)                                                                   \
  CR_ISA_DECLARE(type, name);                                                                      \
  static type *const name##_table[CR_NISAS] = CR_ISA_ROW(name)
#define CR_ISA_OWN(name) name##_table[CrIsaGet()]
