/* Crossings of edges that several ranks have. A crossing of a sharp edge with any edge may belong to passes of both
   directions (theory 19.9). Then the first of these passes has its pair. A rank sees only its own pairs, so the ranks
   compare their pairs here. */
#include "base/grow.h"
#include "contact/multipliers/close.h"

/* A crossing: the natural numbers of its nodes, ascending, and its place in the order of a run on one rank. */
typedef struct {
  PetscInt nodes[4], fresh, pass, point; /* fresh: 1 if closing has just called the pair in */
} Crossing;

#define INTS ((PetscMPIInt)(sizeof(Crossing) / sizeof(PetscInt)))

struct CrDoubles {
  PetscMPIInt size, *counts,
      *starts; /* [size] numbers of PetscInt of each rank; owned, like the rest */
  PetscInt  room, all_room;
  Crossing *own, *all;
};

PetscErrorCode CrDoublesCreate(const CrModel *model, CrDoubles **doubles)
{
  CrDoubles *d;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&d));
  PetscCallMPI(MPI_Comm_size(model->comm, &d->size));
  PetscCall(PetscMalloc2(d->size, &d->counts, d->size, &d->starts));
  *doubles = d;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDoublesDestroy(CrDoubles **doubles)
{
  PetscFunctionBeginUser;
  if (!*doubles) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*doubles)->counts, (*doubles)->starts));
  PetscCall(PetscFree((*doubles)->own));
  PetscCall(PetscFree((*doubles)->all));
  PetscCall(PetscFree(*doubles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_crossing(const CrMultipliers *m, const CrPress *p)
{
  return CrPassHasEdges(&m->contact->passes[p->pass]) && p->n == 4;
}

static PetscErrorCode set_crossing(const CrMultipliers *m, const CrPress *p, PetscBool fresh,
                                   Crossing *to)
{
  PetscFunctionBeginUser;
  *to = (Crossing){.fresh = fresh, .pass = p->pass, .point = p->point};
  for (int a = 0; a < 4; a++) to->nodes[a] = m->contact->model->natural[p->nodes[a]];
  PetscCall(PetscSortInt(4, to->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All ranks get the crossings of all ranks. *n is their number. */
static PetscErrorCode gather(CrMultipliers *m, PetscInt had, PetscInt *n)
{
  CrDoubles  *d = m->doubles;
  MPI_Comm    comm = m->contact->model->comm;
  PetscInt    nown = 0;
  PetscMPIInt mine;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->npairs, &d->room, &d->own));
  for (PetscInt k = 0; k < m->npairs; k++)
    if (is_crossing(m, &m->pairs[k]))
      PetscCall(set_crossing(m, &m->pairs[k], k >= had, &d->own[nown++]));
  mine = (PetscMPIInt)nown * INTS;
  PetscCallMPI(MPI_Allgather(&mine, 1, MPI_INT, d->counts, 1, MPI_INT, comm));
  *n = 0;
  for (PetscMPIInt r = 0; r < d->size; *n += d->counts[r++] / INTS)
    d->starts[r] = (PetscMPIInt)*n * INTS;
  PetscCall(CrGrow(*n, &d->all_room, &d->all));
  PetscCallMPI(
      MPI_Allgatherv(d->own, mine, MPIU_INT, d->all, d->counts, d->starts, MPIU_INT, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a come before b in a run on one rank? */
static PetscBool is_before(const Crossing *a, const Crossing *b)
{
  if (a->fresh != b->fresh) return a->fresh < b->fresh;
  if (a->pass != b->pass) return a->pass < b->pass;
  return a->point < b->point;
}

static PetscBool is_double(const CrDoubles *d, PetscInt n, const Crossing *own)
{
  for (const Crossing *other = d->all; other < d->all + n; other++) {
    PetscBool same = PETSC_TRUE;

    for (int a = 0; a < 4; a++) same = same && other->nodes[a] == own->nodes[a];
    if (same && is_before(other, own)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode CrPressDropDoubles(CrMultipliers *m, PetscInt had)
{
  PetscInt n, left = had;

  PetscFunctionBeginUser;
  PetscCall(gather(m, had, &n));
  for (PetscInt k = had; k < m->npairs; k++) {
    Crossing own;

    if (m->contact->passes[m->pairs[k].pass].kind == CR_EDGE_ACROSS) {
      PetscCall(set_crossing(m, &m->pairs[k], PETSC_TRUE, &own));
      if (is_double(m->doubles, n, &own)) continue;
    }
    m->pairs[left++] = m->pairs[k];
  }
  m->npairs = left;
  PetscFunctionReturn(PETSC_SUCCESS);
}
