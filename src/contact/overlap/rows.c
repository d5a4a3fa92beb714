/* Finds the greatest penetrations and the deepest items of all ranks. Every rank gets the same result. */
#include "contact/overlap/internal.h"

#define KINDS 4 /* of deepest items: unseen, pressed, through, at the start */

static CrInside *deepest(CrPairOverlap *pair, PetscInt kind)
{
  CrInside *items[KINDS] = {&pair->worst, &pair->pressed, &pair->through, &pair->first};

  return items[kind];
}

/* Items are numbered look after look. */
static const CrLook *look_of(const CrOverlaps *o, PetscInt item)
{
  const CrLook *look = o->looks;

  while (item >= look->first + look->n) look++;
  return look;
}

/* The greatest values of each pair, in o->reals. */
static PetscErrorCode reduce_values(CrOverlaps *o)
{
  const PetscInt n = o->contact->npairs;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *values = o->reals + (2 + KINDS) * k;

    for (int way = 0; way < 2; way++) values[way] = o->pairs[k].deep[way];
    for (PetscInt kind = 0; kind < KINDS; kind++)
      values[2 + kind] = deepest(&o->pairs[k], kind)->beyond;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->reals, (PetscMPIInt)((2 + KINDS) * n), MPIU_REAL,
                             MPIU_MAX, o->contact->model->comm));
  for (PetscInt k = 0; k < n; k++)
    for (int way = 0; way < 2; way++) o->pairs[k].deep[way] = o->reals[(2 + KINDS) * k + way];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which items are the deepest, in o->ints: of equally deep ones that with the lowest number. */
static PetscErrorCode choose_items(CrOverlaps *o)
{
  const PetscInt n = o->contact->npairs;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < KINDS * n; k++) {
    const CrInside *in = deepest(&o->pairs[k / KINDS], k % KINDS);
    PetscReal       most = o->reals[(2 + KINDS) * (k / KINDS) + 2 + k % KINDS];

    o->ints[k] = most > 0 && in->beyond == most ? in->item : PETSC_MAX_INT;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->ints, (PetscMPIInt)(KINDS * n), MPIU_INT, MPI_MIN,
                             o->contact->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The ranks that have the deepest items tell the others about them. Each item is on one rank, and zero on the others. */
static PetscErrorCode share_items(CrOverlaps *o)
{
  const PetscInt n = KINDS * o->contact->npairs;
  PetscInt       m = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) m += o->ints[k] < PETSC_MAX_INT;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(m, &o->shared.room, &o->shared.at));
  PetscCall(PetscArrayzero(o->shared.at, m));
  m = 0;
  for (PetscInt k = 0; k < n; k++) {
    const CrInside *in = deepest(&o->pairs[k / KINDS], k % KINDS);

    if (o->ints[k] == PETSC_MAX_INT) continue;
    if (in->beyond > 0 && in->item == o->ints[k]) o->shared.at[m] = *in;
    m++;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->shared.at, (PetscMPIInt)(m * sizeof(CrInside)),
                             MPI_BYTE, MPI_BOR, o->contact->model->comm));
  m = 0;
  for (PetscInt k = 0; k < n; k++) {
    CrInside *in = deepest(&o->pairs[k / KINDS], k % KINDS);

    if (o->ints[k] == PETSC_MAX_INT) continue;
    *in = o->shared.at[m++];
    in->look = look_of(o, in->item);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapsReduce(CrOverlaps *o)
{
  PetscFunctionBeginUser;
  if (o->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(reduce_values(o));
  PetscCall(choose_items(o));
  PetscCall(share_items(o));
  /* checkpoints have the penetration of all items at the start */
  if (!o->begun)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->start, (PetscMPIInt)o->nitems, MPIU_REAL, MPIU_MAX,
                               o->contact->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
