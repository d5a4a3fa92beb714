/* Durations of contacts in steps, ripple of forces, penetration in layers of elements. */
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
/* Greatest numbers of the run. */
enum { RIPPLE, LAYERS, CROSSED, GREATEST };

struct CrResolution {
  const CrContact *contact;   /* borrowed */
  CrFootprint     *footprint; /* owned */
  PetscBool        lasting;
  PetscInt  *length; /* [npairs] steps of the contact that goes on; 0: the pair is open. Owned */
  PetscReal *now;    /* [NOW npairs], owned */
  PetscInt   counts[BINS];   /* contacts that have ended */
  PetscReal  impulses[BINS]; /* their greatest impulses */
  PetscReal  greatest[GREATEST];
};

PetscErrorCode CrResolutionCreate(const CrContact *contact, PetscBool lasting, CrResolution **out)
{
  CrResolution *r;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  r->contact = contact;
  r->lasting = lasting;
  PetscCall(PetscCalloc2(contact->npairs, &r->length, NOW * contact->npairs, &r->now));
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
  PetscCall(PetscFree(*r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrResolutionArchive(CrResolution *r, CrArchive *archive)
{
  const PetscInt n = r->contact->npairs;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, "resolution.length", n, r->length));
  PetscCall(CrArchiveAddReals(archive, "resolution.now", NOW * n, r->now));
  PetscCall(CrArchiveAddInts(archive, "resolution.counts", BINS, r->counts));
  PetscCall(CrArchiveAddReals(archive, "resolution.impulses", BINS, r->impulses));
  PetscCall(CrArchiveAddReals(archive, "resolution.greatest", GREATEST, r->greatest));
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

/* Books the contact of a pair, and makes room for the next one. */
static void close_contact(CrResolution *r, PetscInt pair)
{
  PetscReal *now = r->now + NOW * pair;
  PetscInt   bin = bin_of(r->length[pair]);

  r->counts[bin]++;
  keep_greatest(&r->impulses[bin], now[IMPULSE]);
  if (now[PEAK] > 0) keep_greatest(&r->greatest[RIPPLE], now[VARIATION] / now[PEAK]);
  r->length[pair] = 0;
  for (int i = 0; i < NOW; i++) now[i] = 0;
}

static PetscErrorCode step_pair(CrResolution *r, PetscInt pair, PetscReal h)
{
  const CrTallySums *sums = &r->contact->picture->tally.pairs[pair];
  const PetscReal    layer = r->contact->pairs[pair].layer, force = v_length(sums->force);
  PetscReal         *now = r->now + NOW * pair;

  PetscFunctionBeginUser;
  if (layer > 0) keep_greatest(&r->greatest[LAYERS], sums->max_penetration / layer);
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
  keep_greatest(&r->greatest[CROSSED], h * CrFootprintRate(r->footprint, pair));
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

static PetscBool has_ended(const CrResolution *r)
{
  for (PetscInt b = 0; b < BINS; b++)
    if (r->counts[b]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Contacts that the end of the run cuts short do not say how long they last. They count if there are no others. */
static void close_all(CrResolution *r)
{
  const PetscBool others = has_ended(r);

  for (PetscInt k = 0; k < r->contact->npairs; k++) {
    const PetscReal *now = r->now + NOW * k;

    if (r->length[k] && !others)
      close_contact(r, k);
    else if (now[PEAK] > 0)
      keep_greatest(&r->greatest[RIPPLE], now[VARIATION] / now[PEAK]);
  }
}

/* Leaves out durations that only touches in passing have. */
static void drop_slight(CrResolution *r)
{
  PetscReal greatest = 0;

  for (PetscInt b = 0; b < BINS; b++) keep_greatest(&greatest, r->impulses[b]);
  for (PetscInt b = 0; b < BINS; b++)
    if (r->impulses[b] < SLIGHT * greatest) r->counts[b] = 0;
}

/* The duration that the contact with this number has, in the order of durations; of two in the middle the lower. */
static PetscReal length_at(const CrResolution *r, PetscInt number)
{
  PetscInt b = 0;

  while (number >= r->counts[b]) number -= r->counts[b++];
  return length_of(b);
}

CrResolved CrResolutionEnd(CrResolution *r)
{
  CrResolved resolved = {NAN, NAN, NAN, NAN, NAN, {NAN, NAN}, NAN, NAN};
  PetscInt   total = 0;

  if (!r) return resolved;
  close_all(r);
  drop_slight(r);
  for (PetscInt k = 0; k < r->contact->npairs; k++)
    if (r->contact->pairs[k].layer > 0) resolved.layers = r->greatest[LAYERS];
  CrFootprintEnd(r->footprint, resolved.along, &resolved.turn);
  if (r->lasting && r->greatest[CROSSED] > 0) resolved.crossed = r->greatest[CROSSED];
  if (r->greatest[RIPPLE] > 0) resolved.ripple = r->greatest[RIPPLE];
  for (PetscInt b = 0; b < BINS; b++) total += r->counts[b];
  if (!r->lasting || !total) return resolved;
  resolved.least = length_at(r, 0);
  resolved.median = length_at(r, (total - 1) / 2);
  return resolved;
}
