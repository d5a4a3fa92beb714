/* Exponential functions of all lanes of a vector register at once, without a function call for every lane. */
#pragma once

#include "base/lanes.h"

/* Returns true if the mask is set in all lanes, by one instruction if the processor has one. */
CR_INLINE int in_all_lanes(CrMask mask)
{
#if defined(__AVX512DQ__) && CR_WIDTH == 8
  return _mm512_movepi64_mask((__m512i)mask) == 0xff;
#elif defined(__AVX2__) && CR_WIDTH == 4
  return _mm256_movemask_pd((__m256d)mask) == 0xf;
#elif defined(__SSE2__) && CR_WIDTH == 2
  return _mm_movemask_pd((__m128d)mask) == 0x3;
#else
  return lanes_all(mask);
#endif
}

/* greatest |x| for which exp_series is exact; slightly more than half of ln 2 */
#define CR_EXP_REACH 0.35
/* for smaller |x|, exp_minus_one uses the series alone; slightly less than half of ln 2 */
#define CR_EXP_NEAR 0.34

/* Returns (exp(x) - 1 - x) 2/x^2 by the series 1 + x/3 + x^2/12 + ... + 2 x^k/(k+2)!. The result is exact to the last
   digit for |x| up to CR_EXP_REACH. Even and odd powers are summed separately. */
CR_INLINE CrLanes exp_series(CrLanes x)
{
  CrLanes x2 = x * x, even = lanes_set(2.0 / 87178291200.0), odd = lanes_set(2.0 / 6227020800.0);

  even = 2.0 / 479001600 + x2 * even;
  odd = 2.0 / 39916800 + x2 * odd;
  even = 2.0 / 3628800 + x2 * even;
  odd = 2.0 / 362880 + x2 * odd;
  even = 2.0 / 40320 + x2 * even;
  odd = 2.0 / 5040 + x2 * odd;
  even = 2.0 / 720 + x2 * even;
  odd = 2.0 / 120 + x2 * odd;
  even = 2.0 / 24 + x2 * even;
  odd = 2.0 / 6 + x2 * odd;
  return 1 + (x * odd + x2 * even);
}

/* Computes exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1) with x = n ln 2 + r. Small values keep all their digits. The
   result is -1 for x far below 0, and NaN if it is too large for a double. */
CR_INLINE CrLanes exp_minus_one(CrLanes x)
{
  const CrMask near = (x < lanes_set(CR_EXP_NEAR)) & (x > lanes_set(-CR_EXP_NEAR));
  CrLanes      y, shifted, n, r, power, value;
  CrMask       whole;

  if (in_all_lanes(near)) return x + x * x / 2 * exp_series(x); /* n = 0 */
  y = lanes_select(x < lanes_set(-700), lanes_set(-700), x);
  shifted = y * 1.4426950408889634 + 0x1.8p52;
  n = shifted - 0x1.8p52;
  r = y - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33;
  whole = (CrMask)shifted - (CrMask)lanes_set(0x1.8p52);
  power = (CrLanes)((CrMask)lanes_set(1) + (whole << 52));
  value = power * (r + r * r / 2 * exp_series(r)) + (power - 1);
  return lanes_select(x < lanes_set(700), value, lanes_set(NAN));
}
