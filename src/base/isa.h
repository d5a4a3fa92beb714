/* Chooses code for the instruction set of the processor. Files that use lanes (SIMD vectors) are compiled once per
   instruction set (base/lanes.h), and tables of functions have one entry for each set. Other files may contain a second
   version of a function for all sets above the baseline (CR_TARGET_WIDE). */
#pragma once

#include "base/base.h"

typedef enum { CR_ISA_BASELINE, CR_ISA_AVX2, CR_ISA_AVX512, CR_NISAS } CrIsa;

/* CrIsaGet returns the best instruction set that this processor has (by cpuid). The environment variable CAROM_ISA
   (baseline, avx2, avx512) chooses another set, if the processor has it. The choice is made once. */
CrIsa       CrIsaGet(void);
const char *CrIsaName(CrIsa isa);
PetscBool   CrIsaIsThere(CrIsa isa); /* true: the processor has this instruction set */

/* CR_VARIANT(name) of base/lanes.h defines one variant of an object or function per instruction set. CR_ISA_DECLARE
   declares all variants. CR_ISA_ROW initialises an array [CR_NISAS] of their addresses. Processors other than x86-64
   have only the baseline. */
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

/* CR_ISA_TABLE(const Kernels, MyKernels); declares the variants of MyKernels, and defines in this file the array
   MyKernels_table of their addresses. CR_ISA_OWN(MyKernels) is then a pointer to the variant for this processor. */
#define CR_ISA_TABLE(type, name)                                                                   \
  CR_ISA_DECLARE(type, name);                                                                      \
  static type *const name##_table[CR_NISAS] = CR_ISA_ROW(name)
#define CR_ISA_OWN(name) name##_table[CrIsaGet()]
