/* The iteration on multipliers, with constant pairs and normals (theory 19.2). It projects the multipliers themselves,
   and not their increments, on the friction cone. The diagonal matrix of Jacobi's iteration divides the mass of every
   node among the pairs that contain the node,

     Htilde_s = sum_A |W_sA| b_A / m_A,   b_A = sum_t |W_tA|.

   A rigid body of finite mass adds |r_s| sum_t |r_t| / I + n / m, where r are the lever arms of its n pairs. Then the
   eigenvalues of Htilde^-1 H lie in [0,1] for all meshes and masses. So Jacobi's iteration cannot diverge without
   friction.

   Nesterov's extrapolation reduces the number of iterations. It restarts whenever the extrapolation would increase the
   objective function. Gauss-Seidel corrects the pairs one by one, forward and backward, with the diagonal H_ss.

   A round of Jacobi's or Nesterov's method is the same on any number of ranks: each rank corrects its own pairs, and
   the velocity changes of all ranks are summed at the nodes (rounds.h). */
#include <string.h>
#include "contact/multipliers/press.h"

/* Through a rigid body, two pairs have a block of H in common. It is not larger than 1/m + |r||r'|/I. */
static PetscReal body_share(CrInner inner, const CrPress *p)
{
  const CrPressBody *b = p->body;
  PetscReal          r = v_length(p->arm);

  if (inner == CR_INNER_GAUSS_SEIDEL) return b->inverse_mass + r * r * b->greatest;
  return b->inverse_mass * b->count + r * b->arms * b->greatest;
}

/* Adds up the parts of nodes and bodies that the pairs of all ranks claim. */
static PetscErrorCode sum_shares(CrMultipliers *m, const CrPressList *list)
{
  PetscFunctionBeginUser;
  CR_EACH_PRESS (p, list) {
    for (PetscInt a = 0; a < p->n; a++) m->share[p->nodes[a]] += PetscAbsReal(p->W[a]);
    if (p->body) {
      p->body->count += 1;
      p->body->arms += v_length(p->arm);
    }
  }
  PetscCall(CrVicinitySum(CrRoundsHalo(m->rounds), 1, m->share));
  PetscCall(CrRoundsCountBodies(m->rounds, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressPrecondition(CrMultipliers *m, CrInner inner, const CrPressList *list)
{
  PetscFunctionBeginUser;
  if (inner != CR_INNER_GAUSS_SEIDEL) PetscCall(sum_shares(m, list));
  CR_EACH_PRESS (p, list) {
    p->diagonal = p->body ? body_share(inner, p) : 0;
    for (PetscInt a = 0; a < p->n; a++)
      p->diagonal +=
          PetscAbsReal(p->flow[a]) *
          (inner == CR_INNER_GAUSS_SEIDEL ? PetscAbsReal(p->W[a]) : m->share[p->nodes[a]]);
  }
  CR_EACH_PRESS (p, list)
    for (PetscInt a = 0; a < p->n; a++) m->share[p->nodes[a]] = 0;
  CrRoundsZero(m->rounds, 1, m->share);
  for (PetscInt b = 0; b < m->bodies->n; b++) m->bodies->now[b].count = m->bodies->now[b].arms = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes the multipliers after one correction by the rates of v, projected on the friction cone. */
static inline void project(PetscInt dim, const CrPress *p, PetscReal kick, const PetscReal *v,
                           PetscReal next[4])
{
  PetscReal w[3] = {0}, over = 1 / (kick * p->diagonal), size = 0, closing;

  CrPressVelocity(dim, p, v, w);
  closing = CrPressClosing(dim, p, w);
  next[0] = PetscMax(0, p->lam[0] + (closing - p->bound) * over);
  for (int i = 1; i < 4; i++) {
    next[i] = p->frozen ? p->lam[i] : p->lam[i] + w[i - 1] * over;
    size += PetscSqr(next[i]);
  }
  if (size > PetscSqr(p->mu * next[0])) {
    PetscReal factor = p->mu * next[0] / PetscSqrtReal(size);

    for (int i = 1; i < 4; i++) next[i] *= factor;
  }
}

/* Sets the multipliers to next[], and changes v with them. Returns the squared change of velocity. */
static inline PetscReal take(PetscInt dim, CrPress *p, PetscReal kick, const PetscReal next[4],
                             PetscReal *v)
{
  PetscReal change = next[0] - p->lam[0], force[3], size = change * change;

  p->lam[0] = next[0];
  for (int i = 1; i < 4; i++) {
    force[i - 1] = change * p->nu[i - 1] - (next[i] - p->lam[i]);
    size += PetscSqr(next[i] - p->lam[i]);
    p->lam[i] = next[i];
  }
  if (size == 0) return 0;
  CrPressPush(dim, p, kick, force, v);
  return size * PetscSqr(kick * p->diagonal);
}

void CrPressTake(PetscInt dim, CrPress *p, PetscReal kick, const PetscReal next[4], PetscReal *v)
{
  take(dim, p, kick, next, v);
}

/* A round of Jacobi's method. Returns the greatest change on this rank. */
static inline PetscReal jacobi(PetscInt dim, PetscReal kick, const CrPressList *list, PetscReal *v)
{
  PetscReal moved = 0;

  CR_EACH_PRESS (p, list) project(dim, p, kick, v, p->next);
  CR_EACH_PRESS (p, list) {
    PetscReal change = take(dim, p, kick, p->next, v);

    moved = PetscMax(moved, change);
  }
  return moved;
}

/* Every second sweep runs backwards, so that no end of the list is favoured. */
static inline PetscReal gauss_seidel(PetscInt dim, PetscReal kick, const CrPressList *list,
                                     PetscBool back, PetscReal *v)
{
  PetscReal moved = 0, next[4];

  for (PetscInt k = 0; k < list->n; k++) {
    CrPress  *p = CrPressAt(list, back ? list->n - 1 - k : k);
    PetscReal change;

    project(dim, p, kick, v, next);
    change = take(dim, p, kick, next, v); /* because PetscMax would call it twice */
    moved = PetscMax(moved, change);
  }
  return moved;
}

PetscReal CrPressSweepOnce(PetscInt dim, PetscReal kick, const CrPressList *list, PetscBool back,
                           PetscReal *v)
{
  return dim == 2 ? gauss_seidel(2, kick, list, back, v) : gauss_seidel(3, kick, list, back, v);
}

/* The first half of an accelerated iteration (Nesterov). lam and v belong to the extrapolated point y; next[] is the
   last iterate. Returns the greatest change of the iterate on this rank. *uphill: is the extrapolation going uphill? */
static inline PetscReal correct(PetscInt dim, PetscReal kick, const CrPressList *list,
                                const PetscReal *v, PetscReal *uphill)
{
  PetscReal moved = 0;

  *uphill = 0;
  CR_EACH_PRESS (p, list) {
    PetscReal last[4], size = 0;

    for (int i = 0; i < 4; i++) last[i] = p->next[i];
    project(dim, p, kick, v, p->next);
    for (int i = 0; i < 4; i++) {
      *uphill += p->diagonal * (p->lam[i] - p->next[i]) * (p->next[i] - last[i]);
      size += PetscSqr(p->next[i] - p->lam[i]);
      p->previous[i] = last[i];
    }
    moved = PetscMax(moved, size * PetscSqr(kick * p->diagonal));
  }
  return moved;
}

/* The second half: to the new extrapolated point. *theta is the state of the extrapolation. */
static inline void extrapolate(PetscInt dim, PetscReal kick, const CrPressList *list,
                               PetscReal uphill, PetscReal *theta, PetscReal *v)
{
  PetscReal t1 = (1 + PetscSqrtReal(1 + 4 * *theta * *theta)) / 2, factor;

  if (uphill > 0) *theta = t1 = 1; /* start again */
  factor = (*theta - 1) / t1;
  CR_EACH_PRESS (p, list) {
    PetscReal y[4];

    for (int i = 0; i < 4; i++) y[i] = p->next[i] + factor * (p->next[i] - p->previous[i]);
    take(dim, p, kick, y, v);
  }
  *theta = t1;
}

/* One round of the pairs of all ranks. *moved: the greatest change on this rank. */
static inline PetscErrorCode round_of(PetscInt dim, CrMultipliers *m, CrInner inner, PetscReal kick,
                                      const CrPressList *list, PetscReal *theta, PetscReal *v,
                                      PetscReal *moved)
{
  PetscReal uphill;

  PetscFunctionBeginUser;
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  if (inner == CR_INNER_JACOBI)
    *moved = jacobi(dim, kick, list, v);
  else {
    *moved = correct(dim, kick, list, v, &uphill);
    PetscCall(CrRoundsSum(m->rounds, 1, &uphill));
    extrapolate(dim, kick, list, uphill, theta, v);
  }
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline PetscErrorCode iterate(PetscInt dim, CrMultipliers *m,
                                     const CrMultiplierOptions *options, PetscReal kick,
                                     const CrPressList *list, PetscReal *v, PetscInt *iterations)
{
  PetscReal theta = 1, moved = 0;

  PetscFunctionBeginUser;
  if (options->inner == CR_INNER_NESTEROV)
    CR_EACH_PRESS (p, list) memcpy(p->next, p->lam, sizeof p->next);
  for (PetscInt j = 0; j < options->iterations; j++) {
    ++*iterations;
    PetscCall(round_of(dim, m, options->inner, kick, list, &theta, v, &moved));
    if (options->tolerance > 0) PetscCall(CrRoundsGreatest(m->rounds, 1, &moved));
    if (moved < PetscSqr(options->tolerance)) break;
  }
  if (options->inner == CR_INNER_NESTEROV) { /* from the extrapolated point to the last iterate */
    PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
    CR_EACH_PRESS (p, list) take(dim, p, kick, p->next, v);
    PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Compiles the iteration twice, with the dimension as a constant. */
PetscErrorCode CrPressIterate(CrMultipliers *m, const CrMultiplierOptions *options, PetscReal kick,
                              const CrPressList *list, PetscReal *v, PetscInt *iterations)
{
  PetscFunctionBeginUser;
  if (!(m->all > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  if (options->inner == CR_INNER_GAUSS_SEIDEL || options->inner == CR_INNER_CLOSING)
    PetscCall(CrPressSweep(m, options, kick, list, v, iterations));
  else if (m->contact->model->dim == 2)
    PetscCall(iterate(2, m, options, kick, list, v, iterations));
  else
    PetscCall(iterate(3, m, options, kick, list, v, iterations));
  PetscFunctionReturn(PETSC_SUCCESS);
}
