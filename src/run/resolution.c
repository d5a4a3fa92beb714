/* Measures durations of contacts in steps, ripple of forces, and penetration relative to the layers of elements. */
#include "run/resolution.h"
#include <math.h>
#include "base/vector.h"
#include "run/footprint.h"

/* Durations are counted in bins, so that a run of any length needs no more room. A bin below 2 * FINE is one
   duration; a bin above is narrower than 1 / FINE of its durations. */
#define FINE 32
#define BINS (FINE * (8 * (PetscInt)sizeof(PetscInt)))
/* Part of the greatest impulse below which a contact is a touch in passing, whose duration does not matter. */
#define SLIGHT 0.01

/* Numbers of the contact of a pair that goes on. */
enum { FORCE, VARIATION, PEAK, IMPULSE, NOW };
/* Greatest numbers. */
enum { RIPPLE, LAYERS, CROSSED, GREATEST };

/* Contacts of one pair, or of all pairs where there are many. */
typedef struct {
  PetscInt  counts[BINS];   /* contacts that have ended, by their durations */
  PetscReal impulses[BINS]; /* their greatest impulses */
  PetscReal greatest[GREATEST];
} Books;

/* Pairs above this number have no books of their own: a run may have thousands of pairs. */
#define MOST_PAIRS 64

struct CrResolution {
  const CrContact *contact;   /* borrowed */
  CrFootprint     *footprint; /* owned */
  PetscBool        lasting;
  PetscInt  *length; /* [npairs] steps of the contact that goes on; 0: the pair is open. Owned */
  PetscReal *now;    /* [NOW npairs], owned */
  PetscInt   nbooks;
  Books     *books;      /* [nbooks], owned */
  CrResolvedPair *pairs; /* [nbooks] the numbers at the end, owned */
};

static Books *books_of(const CrResolution *r, PetscInt pair)
{
  return &r->books[pair < r->nbooks ? pair : 0];
}

PetscErrorCode CrResolutionCreate(const CrContact *contact, PetscBool lasting, CrResolution **out)
{
  CrResolution *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->contact = contact;
  r->lasting = lasting;
  r->nbooks = contact->npairs > MOST_PAIRS ? 1 : contact->npairs;
  PetscCall(PetscCalloc2(contact->npairs, &r->length, NOW * contact->npairs, &r->now));
  PetscCall(PetscCalloc2(r->nbooks, &r->books, r->nbooks, &r->pairs));
  PetscCall(CrFootprintCreate(contact, &r->footprint));
  *out = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrResolutionDestroy(CrResolution **r)
{
  PetscFunctionBeginUser;
  if (!*r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrFootprintDestroy(&(*r)->footprint));
  PetscCall(PetscFree2((*r)->length, (*r)->now));
  PetscCall(PetscFree2((*r)->books, (*r)->pairs));
  PetscCall(PetscFree(*r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrResolutionArchive(CrResolution *r, CrArchive *archive)
{
  const PetscInt n = r->contact->npairs;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, "resolution.length", n, r->length));
  PetscCall(CrArchiveAddReals(archive, "resolution.now", NOW * n, r->now));
  for (PetscInt k = 0; k < r->nbooks; k++) {
    char name[64];

    snprintf(name, sizeof name, "resolution.%" PetscInt_FMT ".counts", k);
    PetscCall(CrArchiveAddInts(archive, name, BINS, r->books[k].counts));
    snprintf(name, sizeof name, "resolution.%" PetscInt_FMT ".impulses", k);
    PetscCall(CrArchiveAddReals(archive, name, BINS, r->books[k].impulses));
    snprintf(name, sizeof name, "resolution.%" PetscInt_FMT ".greatest", k);
    PetscCall(CrArchiveAddReals(archive, name, GREATEST, r->books[k].greatest));
  }
  PetscCall(CrFootprintArchive(r->footprint, archive));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- steps ------------------------------------------------------------------------------------ */

static PetscInt bin_of(PetscInt length)
{
  PetscInt shift = 0;

  while (length >> shift >= 2 * FINE) shift++;
  return FINE * shift + (length >> shift);
}

/* The least duration in the bin. */
static PetscInt length_of(PetscInt bin)
{
  PetscInt shift = PetscMax(bin / FINE - 1, 0);

  return (bin - FINE * shift) << shift;
}

static void keep_greatest(PetscReal *max, PetscReal x)
{
  *max = PetscMax(*max, x);
}

/* Books the duration of the contact that a pair has, and its ripple. */
static void enter(const CrResolution *r, PetscInt pair, PetscBool duration, Books *books)
{
  const PetscReal *now = r->now + NOW * pair;
  const PetscInt   bin = bin_of(r->length[pair]);

  if (now[PEAK] > 0) keep_greatest(&books->greatest[RIPPLE], now[VARIATION] / now[PEAK]);
  if (!duration) return;
  books->counts[bin]++;
  keep_greatest(&books->impulses[bin], now[IMPULSE]);
}

/* Books the contact of a pair, and makes room for the next one. */
static void close_contact(CrResolution *r, PetscInt pair)
{
  PetscReal *now = r->now + NOW * pair;

  enter(r, pair, PETSC_TRUE, books_of(r, pair));
  r->length[pair] = 0;
  for (int i = 0; i < NOW; i++) now[i] = 0;
}

static PetscErrorCode step_pair(CrResolution *r, PetscInt pair, PetscReal h)
{
  const CrTallySums *sums = &r->contact->picture->tally.pairs[pair];
  const PetscReal    layer = r->contact->pairs[pair].layer, force = v_length(sums->force);
  PetscReal         *now = r->now + NOW * pair, *greatest = books_of(r, pair)->greatest;

  PetscFunctionBeginUser;
  if (layer > 0) keep_greatest(&greatest[LAYERS], sums->max_penetration / layer);
  if (!sums->points && !r->length[pair]) PetscFunctionReturn(PETSC_SUCCESS);
  now[VARIATION] += PetscAbsReal((sums->points ? force : 0) - now[FORCE]);
  if (!sums->points) {
    close_contact(r, pair);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  r->length[pair]++;
  now[FORCE] = force;
  now[IMPULSE] += force * h;
  keep_greatest(&now[PEAK], force);
  keep_greatest(&greatest[CROSSED], h * CrFootprintRate(r->footprint, pair));
  PetscCall(CrFootprintLook(r->footprint, pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrResolutionStep(CrResolution *r, PetscReal h)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < r->contact->npairs; k++) PetscCall(step_pair(r, k, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the end ---------------------------------------------------------------------------------- */

static PetscInt count(const Books *books)
{
  PetscInt total = 0;

  for (PetscInt b = 0; b < BINS; b++) total += books->counts[b];
  return total;
}

static void add(const Books *from, Books *to)
{
  for (PetscInt b = 0; b < BINS; b++) {
    to->counts[b] += from->counts[b];
    keep_greatest(&to->impulses[b], from->impulses[b]);
  }
  for (int i = 0; i < GREATEST; i++) keep_greatest(&to->greatest[i], from->greatest[i]);
}

/* Contacts that the end of the run cuts short do not say how long they last. They count if there are no others. */
static void add_open(const CrResolution *r, PetscInt first, PetscInt n, Books *books)
{
  const PetscBool others = count(books) > 0 ? PETSC_TRUE : PETSC_FALSE;

  for (PetscInt k = first; k < first + n; k++)
    if (r->length[k]) enter(r, k, !others, books);
}

/* Leaves out durations that only touches in passing have. */
static void drop_slight(Books *books)
{
  PetscReal greatest = 0;

  for (PetscInt b = 0; b < BINS; b++) keep_greatest(&greatest, books->impulses[b]);
  for (PetscInt b = 0; b < BINS; b++)
    if (books->impulses[b] < SLIGHT * greatest) books->counts[b] = 0;
}

/* The duration that the contact with this number has, in the order of durations; of two in the middle the lower. */
static PetscReal length_at(const Books *books, PetscInt number)
{
  PetscInt b = 0;

  while (number >= books->counts[b]) number -= books->counts[b++];
  return length_of(b);
}

/* What the books of some pairs say, with their open contacts. */
static CrResolvedPair conclude(const CrResolution *r, PetscInt first, PetscInt n, Books *books)
{
  CrResolvedPair found = {NULL, NAN, NAN, NAN, NAN};
  PetscInt       total;

  add_open(r, first, n, books);
  drop_slight(books);
  total = count(books);
  for (PetscInt k = first; k < first + n; k++)
    if (r->contact->pairs[k].layer > 0) found.layers = books->greatest[LAYERS];
  if (books->greatest[RIPPLE] > 0) found.ripple = books->greatest[RIPPLE];
  if (!r->lasting || !total) return found;
  found.least = length_at(books, 0);
  found.median = length_at(books, (total - 1) / 2);
  return found;
}

CrResolved CrResolutionEnd(CrResolution *r)
{
  CrResolved     resolved = {NAN, NAN, NAN, NAN, NAN, {NAN, NAN}, NAN, NAN, NAN, 0, NULL};
  CrResolvedPair all;
  Books          sum = {0};

  if (!r) return resolved;
  for (PetscInt k = 0; k < r->nbooks; k++) add(&r->books[k], &sum);
  all = conclude(r, 0, r->contact->npairs, &sum);
  resolved.least = all.least;
  resolved.median = all.median;
  resolved.ripple = all.ripple;
  resolved.layers = all.layers;
  CrFootprintEnd(r->footprint, resolved.along, &resolved.turn);
  if (r->lasting && sum.greatest[CROSSED] > 0) resolved.crossed = sum.greatest[CROSSED];
  for (PetscInt k = 0; r->nbooks == r->contact->npairs && k < r->nbooks; k++) {
    r->pairs[k] = conclude(r, k, 1, &r->books[k]);
    r->pairs[k].name = r->contact->pairs[k].name;
    resolved.npairs = r->nbooks;
  }
  resolved.pairs = r->pairs;
  return resolved;
}
