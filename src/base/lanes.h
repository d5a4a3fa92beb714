/* Declares SIMD vectors. A CrLanes is a vector of CR_WIDTH reals, one real (lane) for each of CR_WIDTH finite elements.
   The type is a vector extension of GCC and clang. A batch is a group of CR_BATCH elements (material.h), the same
   number on every processor. Element loops compute a batch in groups of CR_WIDTH elements. Files that include this
   header are compiled once per instruction set, so their public names need CR_VARIANT. Only inline functions have
   arguments or results of these vector types. */
#pragma once

#include <math.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#include "base/isa.h"

/* CR_WIDE: a test build with eight lanes without AVX-512 */
#if defined(__AVX512F__) || defined(CR_WIDE)
#define CR_WIDTH 8
#define CR_ISA   avx512
#elif defined(__AVX2__)
#define CR_WIDTH 4
#define CR_ISA   avx2
#else
#define CR_WIDTH 2
#define CR_ISA   baseline
#endif

#define CR_PASTE_(a, b) a##_##b
#define CR_PASTE(a, b)  CR_PASTE_(a, b)
#define CR_VARIANT(a)   CR_PASTE(a, CR_ISA)

typedef double CrLanes __attribute__((vector_size(8 * CR_WIDTH)));
typedef long   CrMask __attribute__((vector_size(8 * CR_WIDTH)));

#define CR_INLINE static inline __attribute__((always_inline, unused))

CR_INLINE CrLanes lanes_set(double a)
{
  return a - (CrLanes){0};
}

CR_INLINE CrLanes lanes_load(const double *p)
{
  CrLanes v;

  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

CR_INLINE void lanes_store(double *p, CrLanes v)
{
  __builtin_memcpy(p, &v, sizeof v);
}

/* Selects between `a` and `b` lane by lane. A lane of the result is that of `a` if the mask is set in this lane, and
   that of `b` if it is not. */
CR_INLINE CrLanes lanes_select(CrMask mask, CrLanes a, CrLanes b)
{
  return (CrLanes)(((CrMask)a & mask) | ((CrMask)b & ~mask));
}

CR_INLINE CrLanes lanes_min(CrLanes a, CrLanes b)
{
  return lanes_select(a < b, a, b);
}

CR_INLINE PetscBool lanes_all(CrMask mask)
{
  for (int l = 0; l < CR_WIDTH; l++)
    if (!mask[l]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Returns the square roots of all lanes, by one vector instruction if the processor has one. A loop over sqrt would
   branch for every lane, because sqrt may set errno. */
CR_INLINE CrLanes lanes_sqrt(CrLanes a)
{
#if defined(__AVX512F__)
  return (CrLanes)_mm512_sqrt_pd((__m512d)a);
#elif defined(__AVX2__) && CR_WIDTH == 4
  return (CrLanes)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__) && CR_WIDTH == 2
  return (CrLanes)_mm_sqrt_pd((__m128d)a);
#else
  for (int l = 0; l < CR_WIDTH; l++) a[l] = sqrt(a[l]);
  return a;
#endif
}

CR_INLINE CrLanes lanes_exp(CrLanes a)
{
  for (int l = 0; l < CR_WIDTH; l++) a[l] = exp(a[l]);
  return a;
}

CR_INLINE CrLanes lanes_expm1(CrLanes a)
{
  for (int l = 0; l < CR_WIDTH; l++) a[l] = expm1(a[l]);
  return a;
}

CR_INLINE CrLanes lanes_log1p(CrLanes a)
{
  for (int l = 0; l < CR_WIDTH; l++) a[l] = log1p(a[l]);
  return a;
}

/* Returns log(1+x) - x without cancellation. With y = x/(2+x), log(1+x) = 2(y + y^3/3 + ...) and 2y - x = -xy. So the
   result is -xy + 2y(y^2/3 + y^4/5 + ...). */
CR_INLINE double log1p_minus(double x)
{
  double y = x / (2 + x), y2 = y * y, sum = 0, power = 1;

  if (!(fabs(x) < 0.2)) return log1p(x) - x;
  for (int k = 3; k < 21; k += 2) sum += (power *= y2) / k;
  return -x * y + 2 * y * sum;
}

CR_INLINE CrLanes lanes_log1p_minus(CrLanes a)
{
  for (int l = 0; l < CR_WIDTH; l++) a[l] = log1p_minus(a[l]);
  return a;
}

/* Returns (log(1+x) - x)/x by the series of log1p_minus, without a division by x if x is small. */
CR_INLINE CrLanes lanes_log1p_ratio(CrLanes x)
{
  for (int l = 0; l < CR_WIDTH; l++) {
    double y = x[l] / (2 + x[l]), y2 = y * y, sum = 0, power = 1;

    if (!(fabs(x[l]) < 0.2)) {
      x[l] = (log1p(x[l]) - x[l]) / x[l];
      continue;
    }
    for (int k = 3; k < 21; k += 2) sum += (power *= y2) / k;
    x[l] = -y + 2 / (2 + x[l]) * sum;
  }
  return x;
}

/* Returns exp(x) - 1 - x without cancellation, by the series x^2/2 (1 + x/3 (1 + x/4 (...))). */
CR_INLINE double expm1_minus(double x)
{
  double sum = 1;

  if (!(fabs(x) < 0.2)) return expm1(x) - x;
  for (int k = 13; k > 2; k--) sum = 1 + x / k * sum;
  return x * x / 2 * sum;
}

CR_INLINE CrLanes lanes_expm1_minus(CrLanes a)
{
  for (int l = 0; l < CR_WIDTH; l++) a[l] = expm1_minus(a[l]);
  return a;
}
