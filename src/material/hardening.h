/* The yield stress Y(alpha, rate) of the plasticity law `j2`, where alpha is the equivalent plastic strain. The file
   has its constants, its value, and the plastic flow of one step. */
#pragma once

#include "material/power.h"
#include "material/tensor.h"

#define J2_MAX_TABLE 24

/* Indices of the constants of `j2` in CrMaterial.constants. Constants that a deck does not give are 0. */
enum {
  J2_YIELD,
  J2_HARDENING,
  J2_SATURATION, /* saturation stress minus initial yield stress */
  J2_EXPONENT,   /* exponent delta of the saturation term exp(-delta alpha) */
  J2_FACTOR,     /* factor of the power term */
  J2_POWER,
  J2_KINEMATIC,
  J2_JOHNSON_COOK, /* factor C of Johnson and Cook */
  J2_REFERENCE,    /* reference rate of Johnson and Cook */
  J2_PERZYNA,      /* viscosity of Perzyna */
  J2_RATE_POWER,   /* exponent 1/p of Perzyna's rate */
  /* 0: the flow has a closed formula; 1: it needs an iteration; 2: J2_BENDS_EVENLY */
  J2_ITERATES,
  /* for J2_BENDS_EVENLY: bound of the first neglected term of the series, divided by c^6 */
  J2_SERIES,
  J2_LIMIT,  /* for J2_BENDS_EVENLY: allowed size of this term, divided by the stress xi */
  J2_NTABLE, /* number of points of the hardening table, which replaces the formula above */
  J2_TABLE,  /* the table: alpha, Y, alpha, Y, ... */
  J2_SIZE = J2_TABLE + 2 * J2_MAX_TABLE
};

/* value of J2_ITERATES: Y has linear hardening and a saturation term without softening, and no other terms */
#define J2_BENDS_EVENLY 2

extern const CrKey CrHardeningKeys[];
/* Reads the constants of `j2`. Refuses a yield stress that falls to zero. */
PetscErrorCode CrHardeningConfigure(CrMaterial *material, const CrDeckNode *node);
/* Sets k[J2_SERIES] and k[J2_LIMIT]. The bound is computed with the greatest value of b in saturated_flow, which occurs
   at alpha = 0. */
void CrHardeningBoundSeries(const CrMaterial *material, PetscReal *k);

/* Interpolates Y in the table: piecewise linear, and constant after the last point. */
CR_INLINE void table_strength(const double *k, CrLanes alpha, CrLanes *Y, CrLanes *dY)
{
  const double *t = k + J2_TABLE;
  const int     n = (int)k[J2_NTABLE];

  *Y = lanes_set(t[2 * n - 1]);
  *dY = lanes_set(0);
  for (int i = n - 2; i >= 0; i--) {
    const double slope = (t[2 * i + 3] - t[2 * i + 1]) / (t[2 * i + 2] - t[2 * i]);
    CrMask       before = alpha < lanes_set(t[2 * i + 2]);

    *Y = lanes_select(before, t[2 * i + 1] + slope * (alpha - t[2 * i]), *Y);
    *dY = lanes_select(before, lanes_set(slope), *dY);
  }
}

/* Computes Y and dY/dalpha without the dependence on the rate. */
CR_INLINE void strength(const double *k, CrLanes alpha, CrLanes *Y, CrLanes *dY)
{
  if (k[J2_NTABLE] > 0) {
    table_strength(k, alpha, Y, dY);
    return;
  }
  *Y = k[J2_YIELD] + k[J2_HARDENING] * alpha;
  *dY = lanes_set(k[J2_HARDENING]);
  if (k[J2_EXPONENT] > 0) {
    CrLanes fall = exp_minus_one(-k[J2_EXPONENT] * alpha);

    *Y -= k[J2_SATURATION] * fall;
    *dY += k[J2_SATURATION] * k[J2_EXPONENT] * (1 + fall);
  }
  for (int l = 0; k[J2_FACTOR] > 0 && l < CR_WIDTH; l++) {
    (*Y)[l] += k[J2_FACTOR] * pow(alpha[l], k[J2_POWER]);
    (*dY)[l] += k[J2_FACTOR] * k[J2_POWER] * pow(alpha[l], k[J2_POWER] - 1);
  }
}

/* Computes Y, including its dependence on the rate, and its derivative dY with respect to alpha, at the end of a step
   of size h. In this step alpha grew by `grown`. */
CR_INLINE void strength_with_rate(const double *k, CrLanes alpha, CrLanes grown, double h,
                                  CrLanes *Y, CrLanes *dY)
{
  strength(k, alpha, Y, dY);
  for (int l = 0; k[J2_JOHNSON_COOK] > 0 && l < CR_WIDTH; l++) {
    double rate = grown[l] / h, C = k[J2_JOHNSON_COOK], faster;

    if (!(rate > k[J2_REFERENCE])) continue;
    faster = 1 + C * log(rate / k[J2_REFERENCE]);
    (*dY)[l] = (*dY)[l] * faster + (*Y)[l] * C / grown[l];
    (*Y)[l] *= faster;
  }
  for (int l = 0; k[J2_PERZYNA] > 0 && l < CR_WIDTH; l++) {
    double over = grown[l] > 0 ? k[J2_PERZYNA] * pow(grown[l] / h, k[J2_RATE_POWER]) : 0;

    (*Y)[l] += over;
    (*dY)[l] += grown[l] > 0 ? over * k[J2_RATE_POWER] / grown[l] : 0;
  }
}

/* ---- the flow of a step ------------------------------------------------------------------------- */

/* The equation xi - stiff g = sqrt(2/3) Y(alpha + sqrt(2/3) g) for the plastic multiplier g of a step. xi is the norm
   of the trial stress deviator. In lanes in which `flows` is false, the step is elastic, and g is 0. */
typedef struct {
  double  stiff, h;
  CrLanes xi, f, alpha; /* f: xi minus sqrt(2/3) Y at the start of the step */
  CrLanes dY;           /* slope of Y at the start of the step */
  CrMask  flows;
} FlowProblem;

#define FLOW_ROOT      0.81649658092772603 /* sqrt(2/3) */
#define FLOW_TOLERANCE 1e-15

/* Solves the equation for g by Newton's method within a bracket, in all lanes at once. A lane that has converged does
   not change any more. dY is the slope of Y at the solution. */
CR_INLINE void iterate_flow(const double *k, const FlowProblem *p, CrLanes *g, CrLanes *dY)
{
  CrLanes low = lanes_set(0), high = p->xi / p->stiff, tolerance = FLOW_TOLERANCE * high;
  CrLanes flow = lanes_select(p->flows, p->f / p->stiff, lanes_set(0));
  CrMask  done = ~p->flows;

  *dY = lanes_set(0);
  for (int it = 0; it < 80 && !in_all_lanes(done); it++) {
    CrLanes Y, slope, rest, next, step;

    strength_with_rate(k, p->alpha + FLOW_ROOT * flow, FLOW_ROOT * flow, p->h, &Y, &slope);
    rest = p->xi - p->stiff * flow - FLOW_ROOT * Y;
    low = lanes_select(rest > lanes_set(0), flow, low);
    high = lanes_select(rest > lanes_set(0), high, flow);
    next = flow + rest / (p->stiff + 2.0 / 3 * slope);
    next = lanes_select((next >= low) & (next <= high), next, (low + high) / 2);
    step = next - flow;
    *dY = lanes_select(done, *dY, slope);
    flow = lanes_select(done, flow, next);
    done |= (step * step <= tolerance * tolerance) | (step != step);
  }
  *g = flow;
}

/* saturated_flow solves the equation for J2_BENDS_EVENLY. With y = exponent sqrt(2/3) g the equation is y = c + b
   phi(y), where phi(y) = y - 1 + exp(-y) and 0 <= b < 1. The substitution y = c + y' gives an equation of the same form
   for y'. The constants of the new equation are c' = b phi(c)/(1 - b phi'(c)) and b' = b exp(-c)/(1 - b phi'(c)). This
   substitution is a step of Newton's method. The iteration never overshoots, since c' >= 0. For a small c the iteration
   ends with the series of the inverse function, y = c + b c^2/2 + ... (saturated_end). The error of the series is less
   than 4 b (1/720 + 0.08 b + ...) c^6. */
#define FLOW_NEAR 0.25 /* below this value of c the series converges quickly for every b */

CR_INLINE CrLanes saturated_end(CrLanes b, CrLanes c)
{
  CrLanes p5 = -1.0 / 120 + b * (5.0 / 24 - 7.0 / 8 * b * (1 - b));
  CrLanes p4 = 1.0 / 24 - b * (5.0 / 12 - 5.0 / 8 * b);
  CrLanes p3 = b / 2 - 1.0 / 6;

  return c + b * c * c * (0.5 + c * (p3 + c * (p4 + c * p5)));
}

CR_INLINE CrMask saturated_near(const double *k, const FlowProblem *p, CrLanes c)
{
  CrLanes c3 = c * c * c;

  return ((k[J2_SERIES] * c3 * c3 <= k[J2_LIMIT] * p->xi) & (c < lanes_set(FLOW_NEAR))) | (c != c);
}

CR_INLINE void saturated_flow(const double *k, const FlowProblem *p, CrLanes *g, CrLanes *dY)
{
  const double rate = k[J2_EXPONENT] * FLOW_ROOT, hard = k[J2_HARDENING];
  CrLanes      first = p->dY - hard, whole = 1 / (p->stiff + 2.0 / 3 * p->dY), fall = lanes_set(1);
  CrLanes      b = 2.0 / 3 * first * whole, rest = (p->stiff + 2.0 / 3 * hard) * whole; /* 1 - b */
  CrLanes      y = lanes_set(0);
  CrLanes      c = lanes_select(p->flows, rate * p->f * whole, lanes_set(0));
  CrMask       done = saturated_near(k, p, c);

  for (int it = 0; it < 80 && !in_all_lanes(done); it++) {
    CrLanes grown = exp_minus_one(-c), over = 1 / (rest + b * (1 + grown));
    CrLanes next = b * (c + grown) * over;

    y += lanes_select(done, lanes_set(0), c);
    fall = lanes_select(done, fall, fall * (1 + grown));
    b = lanes_select(done, b, b * (1 + grown) * over);
    rest = lanes_select(done, rest, rest * over);
    c = lanes_select(done, c, next);
    done |= saturated_near(k, p, c);
  }
  c = saturated_end(b, c);
  *g = (y + c) * (1 / rate);
  c = -c; /* exp(-c) is needed for tangents only */
  *dY = hard + first * fall *
                   (1 + c * (1 + c / 2 * (1 + c / 3 * (1 + c / 4 * (1 + c / 5 * (1 + c / 6))))));
}

CR_INLINE void solve_flow(const double *k, const FlowProblem *p, CrLanes *g, CrLanes *dY)
{
  if (!(k[J2_ITERATES] > 0)) {
    *dY = lanes_set(k[J2_HARDENING]);
    *g = lanes_select(p->flows, p->f * (1 / (p->stiff + 2.0 / 3 * k[J2_HARDENING])), lanes_set(0));
  } else if (k[J2_ITERATES] == J2_BENDS_EVENLY)
    saturated_flow(k, p, g, dY);
  else
    iterate_flow(k, p, g, dY);
}
