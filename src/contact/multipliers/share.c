/* The ranks divide the search of an explicit step. Every rank has all surfaces with their positions, so each could find
   all pairs. If many points press, each rank searches only for a share of the listed nodes. One exchange then gives all
   results to every rank.

   All shares have about the same number of points that pressed in the last step, because other points cost little. The
   shares follow one another in the order of the lists. So together they are exactly the list that one rank would find,
   and all later steps are the same on every rank.

   The ranks also divide the gaps at the end of a step, which need another closest point for each pair. They are sent
   together with the sums of the integrator. */
#include "base/grow.h"
#include "contact/multipliers/share.h"

#define WORTH       512  /* with fewer pressed points, a search takes less time than an exchange */
#define WORTH_PAIRS 1024 /* with fewer pairs, an iteration takes less time than an exchange */
#define MOST_ROUNDS 8    /* with more iterations, a share depends on too many pairs around it */
#define SPARE       64   /* places */
#define TOLD        5    /* reals per pair that ranks exchange */

struct CrSharing {
  MPI_Comm    comm; /* borrowed */
  PetscMPIInt ranks, rank;
  PetscInt   *cut; /* [2*ranks] pass and item where a share begins; owned, as the rest */
  /* `places` is the room for the entries of one rank in `all` */
  PetscInt n, room, places, room_all;
  /* entries found by this rank, and by all; the first entry of a rank has their number in n */
  CrFound *own, *all;
  /* most entries that a rank found; rank and place of the next entry of `all` to take */
  PetscInt   most, from, at;
  PetscInt   room_gaps;
  PetscReal *gaps; /* gaps of the pairs */
  /* the shared iteration */
  char      *round; /* [nlocal] iteration in which a node begins to matter; zero between uses */
  PetscInt   room_mine, *mine;
  char      *taken; /* [room_mine] */
  PetscInt   room_told;
  PetscReal *told;
  /* [ranks] number of the reals from each rank in `told`, and index of the first one */
  PetscMPIInt *counts, *start;
};

PetscErrorCode CrSharingCreate(MPI_Comm comm, PetscInt nlocal, CrSharing **out)
{
  PetscMPIInt ranks;
  CrSharing  *d;

  PetscFunctionBeginUser;
  *out = NULL;
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  if (ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(&d));
  d->comm = comm;
  d->ranks = ranks;
  PetscCallMPI(MPI_Comm_rank(comm, &d->rank));
  PetscCall(
      PetscCalloc4(2 * ranks, &d->cut, ranks, &d->counts, ranks, &d->start, nlocal, &d->round));
  *out = d;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharingDestroy(CrSharing **sharing)
{
  PetscFunctionBeginUser;
  if (!*sharing) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*sharing)->cut, (*sharing)->counts, (*sharing)->start, (*sharing)->round));
  PetscCall(PetscFree((*sharing)->mine));
  PetscCall(PetscFree((*sharing)->taken));
  PetscCall(PetscFree((*sharing)->told));
  PetscCall(PetscFree((*sharing)->own));
  PetscCall(PetscFree((*sharing)->all));
  PetscCall(PetscFree((*sharing)->gaps));
  PetscCall(PetscFree(*sharing));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrSharingIsWorthIt(const CrMultipliers *m)
{
  return m->sharing && m->pressed.n >= WORTH;
}

/* Finds where the shares begin. m->pressed is in the order of the lists. */
static void cut_shares(const CrMultipliers *m)
{
  const CrContact *c = m->contact;
  CrSharing       *d = m->sharing;
  PetscInt         n = 0, k = 0, r = 1;

  for (PetscInt i = 0; i < m->pressed.n; i++)
    n += CrPressOpsOf(&c->passes[m->pressed.items[2 * i + 1]])->shares;
  for (PetscInt i = 0; i < m->pressed.n && r < d->ranks; i++) {
    PetscInt pass = m->pressed.items[2 * i + 1];

    if (!CrPressOpsOf(&c->passes[pass])->shares) continue;
    for (; r < d->ranks && k == r * n / d->ranks; r++) {
      d->cut[2 * r] = pass;
      d->cut[2 * r + 1] = m->pressed.items[2 * i] - c->passes[pass].first;
    }
    k++;
  }
  for (; r < d->ranks; r++)
    d->cut[2 * r] = c->npasses; /* nothing to divide: the first share has everything */
}

/* The first entry in the list of a pass that does not come before the beginning of a share. */
static PetscInt first_entry(const CrMultipliers *m, PetscInt pass, PetscInt share)
{
  const CrNearPass *list = &m->lists->passes[pass];
  const CrSharing  *d = m->sharing;
  PetscInt          low = 0, high = list->n;

  if (share == d->ranks) return list->n;
  if (pass != d->cut[2 * share]) return pass < d->cut[2 * share] ? list->n : 0;
  while (low < high) {
    PetscInt middle = (low + high) / 2;

    if (list->item[middle] < d->cut[2 * share + 1])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static PetscErrorCode look_at_share(CrMultipliers *m, const CrMultiplierStep *step)
{
  CrSharing *d = m->sharing;

  PetscFunctionBeginUser;
  d->n = 0;
  for (PetscInt pass = 0; pass < m->contact->npasses; pass++) {
    PetscInt end = first_entry(m, pass, d->rank + 1);

    if (!CrPressOpsOf(&m->contact->passes[pass])->shares) continue;
    for (PetscInt k = first_entry(m, pass, d->rank); k < end; k++) {
      PetscCall(CrGrow(d->n + 2, &d->room, &d->own)); /* the first entry has their number */
      if (CrPressLook(m, step, pass, k, &d->own[d->n + 1])) d->n++;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Exchanges the first `places` entries of every rank, and how many each rank has found. */
static PetscErrorCode exchange(CrSharing *d)
{
  PetscInt    part = d->places + 1;
  PetscMPIInt bytes;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(part, &d->room, &d->own));
  PetscCall(CrGrow(d->ranks * part, &d->room_all, &d->all));
  d->own[0] = (CrFound){.n = d->n};
  PetscCall(PetscMPIIntCast((PetscInt)sizeof(CrFound) * part, &bytes));
  PetscCallMPI(MPI_Allgather(d->own, bytes, MPI_BYTE, d->all, bytes, MPI_BYTE, d->comm));
  d->most = 0;
  for (PetscMPIInt r = 0; r < d->ranks; r++) d->most = PetscMax(d->most, d->all[part * r].n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One exchange is enough if there is room for a little more than was found last time. */
PetscErrorCode CrSharingLook(CrMultipliers *m, const CrMultiplierStep *step)
{
  CrSharing *d = m->sharing;

  PetscFunctionBeginUser;
  cut_shares(m);
  PetscCall(look_at_share(m, step));
  d->places = d->most + d->most / 8 + SPARE;
  PetscCall(exchange(d));
  if (d->most > d->places) {
    d->places = d->most;
    PetscCall(exchange(d));
  }
  d->from = d->at = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharingTake(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                             const PetscReal *v)
{
  CrSharing *d = m->sharing;

  PetscFunctionBeginUser;
  for (; d->from < d->ranks; d->from++, d->at = 0) {
    const CrFound *part = d->all + d->from * (d->places + 1);

    for (; d->at < part[0].n; d->at++) {
      if (part[d->at + 1].pass != pass) PetscFunctionReturn(PETSC_SUCCESS);
      PetscCall(CrPressAdd(m, step, &part[d->at + 1], v));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first pair of a share. */
static PetscInt first_pair(const CrMultipliers *m, PetscInt share)
{
  return (PetscInt)(m->npairs * (PetscInt64)share / m->sharing->ranks);
}

PetscInt CrMultipliersShare(const CrMultipliers *m)
{
  return CrSharingIsWorthIt(m) ? m->npairs / m->sharing->ranks + 1 : 0;
}

void CrMultipliersGaps(const CrMultipliers *m, const PetscReal *u, PetscReal t, PetscReal *gaps)
{
  PetscInt first = first_pair(m, m->sharing->rank), end = first_pair(m, m->sharing->rank + 1);

  for (PetscInt k = first; k < end; k++) gaps[k - first] = CrPressGapAt(m, &m->pairs[k], u, t);
}

PetscErrorCode CrMultipliersTakeGaps(CrMultipliers *m, PetscInt stride, const PetscReal *gaps)
{
  CrSharing *d = m->sharing;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->npairs, &d->room_gaps, &d->gaps));
  for (PetscInt r = 0; r < d->ranks; r++)
    PetscCall(PetscArraycpy(d->gaps + first_pair(m, r), gaps + stride * r,
                            first_pair(m, r + 1) - first_pair(m, r)));
  m->gaps = d->gaps;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the iteration ---------------------------------------------------------------------------

   An iteration of Jacobi's method on a pair depends only on the pairs that share nodes with it. So k iterations on a
   share need k rings of pairs around it. They give the same multipliers as an iteration on one rank. */

static PetscBool is_shared(const CrMultipliers *m)
{
  const CrMultiplierOptions *o = &m->options;

  if (!m->sharing || m->npairs < WORTH_PAIRS || m->bodies->n || m->returns) return PETSC_FALSE;
  if (m->variant.middle || m->variant.searches) return PETSC_FALSE;
  return o->inner == CR_INNER_JACOBI && o->tolerance == 0 && o->iterations <= MOST_ROUNDS;
}

/* Takes a pair, and marks its nodes as those that matter from this round on, unless they did before. */
static void take_pair(CrSharing *d, const CrPress *p, PetscInt k, char round)
{
  d->taken[k] = 1;
  for (PetscInt a = 0; a < p->n; a++)
    if (!d->round[p->nodes[a]]) d->round[p->nodes[a]] = round;
}

static PetscBool matters(const CrSharing *d, const CrPress *p, char round)
{
  for (PetscInt a = 0; a < p->n; a++) {
    char r = d->round[p->nodes[a]];

    if (r && r <= round) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscErrorCode CrSharingChoose(CrMultipliers *m)
{
  CrSharing *d = m->sharing;
  PetscInt   first, end, n = 0;

  PetscFunctionBeginUser;
  m->mine = (CrPressList){.pairs = m->pairs, .n = m->npairs};
  if (!is_shared(m)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrowTwo(m->npairs, &d->room_mine, &d->mine, &d->taken));
  PetscCall(PetscArrayzero(d->taken, m->npairs));
  first = first_pair(m, d->rank);
  end = first_pair(m, d->rank + 1);
  for (PetscInt k = first; k < end; k++) take_pair(d, &m->pairs[k], k, 1);
  for (char round = 1; round <= m->options.iterations; round++)
    for (PetscInt k = 0; k < m->npairs; k++)
      if (!d->taken[k] && matters(d, &m->pairs[k], round))
        take_pair(d, &m->pairs[k], k, (char)(round + 1));
  for (PetscInt k = 0; k < m->npairs; k++) {
    if (!d->taken[k]) continue;
    d->mine[n++] = k;
    for (PetscInt a = 0; a < m->pairs[k].n; a++) d->round[m->pairs[k].nodes[a]] = 0;
  }
  m->mine.n = n;
  m->mine.index = d->mine;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharingTell(CrMultipliers *m)
{
  CrSharing *d = m->sharing;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(TOLD * m->npairs, &d->room_told, &d->told));
  for (PetscMPIInt r = 0; r < d->ranks; r++) {
    PetscCall(PetscMPIIntCast(TOLD * first_pair(m, r), &d->start[r]));
    PetscCall(PetscMPIIntCast(TOLD * first_pair(m, r + 1) - d->start[r], &d->counts[r]));
  }
  for (PetscInt k = first_pair(m, d->rank); k < first_pair(m, d->rank + 1); k++) {
    const CrPress *p = &m->pairs[k];
    PetscReal     *told = d->told + TOLD * k;

    for (int i = 0; i < 4; i++) told[i] = p->lam[i];
    told[4] = p->offset;
  }
  PetscCallMPI(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, d->told, d->counts, d->start,
                              MPIU_REAL, d->comm));
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress         *p = &m->pairs[k];
    const PetscReal *told = d->told + TOLD * k;

    for (int i = 0; i < 4; i++) p->lam[i] = told[i];
    p->offset = told[4];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
