#include "integrate/efda/crowd.h"

#define GUARD_ROUNDS  40 /* most rounds of GUARD_SWEEPS sweeps that prevent creation of energy */
#define GUARD_SWEEPS  5
#define STRICT_ROUNDS 20    /* most strict rounds after these, of ten times as many sweeps */
#define NEGLIGIBLE    1e-9  /* contacts may create this part of the energy */
#define AT_REST       1e-12 /* tolerance without loads, as a part of the greatest velocity */

PetscErrorCode EfdaCrowdCreate(const EfdaCrowdKernel *kernel, void *data, PetscInt nkey,
                               EfdaCrowd *crowd)
{
  PetscFunctionBeginUser;
  *crowd = (EfdaCrowd){.kernel = kernel, .data = data, .tuning = kernel->tuning, .nkey = nkey};
  PetscCall(PetscCalloc2(nkey, &crowd->listed, nkey, &crowd->now));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaCrowdDestroy(EfdaCrowd *crowd)
{
  return PetscFree2(crowd->listed, crowd->now);
}

/* Does the list made at the end of the last step still hold? It does unless a number on which it depends has changed.
   */
static PetscBool is_listed(EfdaCrowd *c, PetscReal h)
{
  if (!c->is_listed) return PETSC_FALSE;
  c->kernel->key(c, h, c->now);
  for (PetscInt k = 0; k < c->nkey; k++)
    if (c->now[k] != c->listed[k]) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Sweeps over the contacts. As long as they would create energy, their biases are changed and more sweeps follow.
   */
static PetscErrorCode solve(EfdaCrowd *c, PetscReal h, PetscBool *good)
{
  const EfdaCrowdKernel *k = c->kernel;
  PetscReal tolerance = c->load > 0 ? c->tuning.tolerance * h * c->load : AT_REST * c->speed;

  PetscFunctionBeginUser;
  c->sweeps = k->sweep(c, c->tuning.sweeps, tolerance);
  if (k->together && c->sweeps == c->tuning.sweeps) PetscCall(k->together(c));
  for (PetscInt round = 0;; round++) {
    PetscReal friction, normal;

    *good = k->work(c, h, &friction, &normal);
    if (!*good || !(PetscMax(friction, friction + normal) > NEGLIGIBLE * c->energy) ||
        round >= GUARD_ROUNDS + STRICT_ROUNDS)
      break;
    k->tame(c, friction > 0, round == GUARD_ROUNDS);
    c->sweeps += k->sweep(c, round < GUARD_ROUNDS ? GUARD_SWEEPS : 10 * GUARD_SWEEPS, 0);
    if (k->together && round % GUARD_ROUNDS == 0) PetscCall(k->together(c));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaCrowdStep(EfdaCrowd *c, PetscReal h, PetscBool *good)
{
  PetscFunctionBeginUser;
  if (!is_listed(c, h)) PetscCall(c->kernel->list(c, h));
  c->is_listed = PETSC_FALSE;
  PetscCall(c->kernel->begin(c, h, good));
  if (*good) PetscCall(solve(c, h, good));
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(c->kernel->move(c, h));
  PetscCall(c->kernel->list(c, h));
  for (PetscInt round = 0; round < c->tuning.again && c->deepest > c->tuning.deep * c->size;
       round++)
    PetscCall(c->kernel->push(c, h));
  c->kernel->key(c, h, c->listed);
  c->is_listed = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
