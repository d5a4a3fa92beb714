/* Which instruction set the kernels run on. Files that work in lanes are compiled once per set (base/lanes.h), and a
   table has one entry for each. Other files may hold a second version of an inline function, for all sets above the
   baseline (CR_TARGET_WIDE). */
#pragma once

#include "base/base.h"

typedef enum { CR_ISA_BASELINE, CR_ISA_AVX2, CR_ISA_AVX512, CR_NISAS } CrIsa;

/* The best set of this processor (by cpuid), or the one that CAROM_ISA names (baseline, avx2,
   avx512) if the processor has it. Chosen once. */
CrIsa       CrIsaGet(void);
const char *CrIsaName(CrIsa isa);
PetscBool   CrIsaIsThere(CrIsa isa); /* in this processor */

/* What CR_VARIANT(name) named in files that are compiled once per set. CR_ISA_DECLARE declares the variants of an
   object or function of this type, CR_ISA_ROW is the initialiser of an array [CR_NISAS] of their addresses. Other
   processors have the baseline alone. */
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

/* Both, as the file's own name_table: CR_ISA_TABLE(const Kernels, MyKernels); The entry for this processor is
   CR_ISA_OWN(MyKernels), a pointer. */
#define CR_ISA_TABLE(type, name)                                                                   \
  CR_ISA_DECLARE(type, name);                                                                      \
  static type *const name##_table[CR_NISAS] = CR_ISA_ROW(name)
#define CR_ISA_OWN(name) name##_table[CrIsaGet()]
