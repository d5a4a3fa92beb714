/* Measurement of the penetration of the two sides of every pair, independently of the contact search. So the
   measurement reveals contacts that the contact search has failed to find.

   The measurement is made for every row of the output table contacts.csv. The measurement tests whether nodes of a
   deformable side, and in 3D its sharp edges, penetrate the facets, walls or rigid bodies of the other side. The
   measurement also tests whether points of rigid bodies penetrate facets. A penetration is called `unseen` if there is
   no pressed contact point within the distance of one facet. The columns of the table include penetration that exists
   at the start of the run. Such penetration is not called unseen, but causes a separate warning. A body is tested for
   penetration into itself if the pair names the whole body. Pairs of rigid bodies, and pairs of two named surfaces of
   one body, are not measured. */
#pragma once

#include "contact/contact.h"

typedef struct CrOverlaps CrOverlaps;

/* The greatest values over all pairs and all rows of the table. */
typedef struct {
  /* ab: penetration of the first side into the second. ba: of the second side into the first. unseen: unseen
     penetration. */
  PetscReal ab, ba, unseen;
  PetscInt  warned; /* number of pairs with a warning of unseen penetration */
} CrOverlapSums;

/* Creates the data of the measurement. `springs` is true if the method has penalties; penalties that are too soft then
   cause a warning. `allowed` is true if the deck itself limits max_penetration; deep penetration then does not end the
   run. Collective. */
PetscErrorCode CrOverlapsCreate(CrContact *contact, PetscBool springs, PetscBool allowed,
                                CrOverlaps **overlaps);
PetscErrorCode CrOverlapsDestroy(CrOverlaps **overlaps);
/* Adds to the archive the data of the measurement that a checkpoint needs. */
PetscErrorCode CrOverlapsArchive(CrOverlaps *overlaps, CrArchive *archive);
/* Measures the penetrations in `state`, and fills contact->picture->overlap. Each kind of warning appears once per
   pair. */
PetscErrorCode CrOverlapsMeasure(CrOverlaps *overlaps, const CrState *state);
/* CrOverlapsGreatest returns the greatest values of all pairs since the start of the run. CrOverlapsDescribe writes to
   text[] a description of the pair with the greatest penetration, for the audit. */
CrOverlapSums CrOverlapsGreatest(const CrOverlaps *overlaps);
void          CrOverlapsDescribe(const CrOverlaps *overlaps, char text[], size_t size);
/* Returns a message that says why the run must end; NULL: the run may continue. */
const char *CrOverlapsFailure(const CrOverlaps *overlaps);
