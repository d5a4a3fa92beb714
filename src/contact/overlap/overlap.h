/* How far the two sides of every pair lie inside each other, whatever contact looks at. Contact that finds nothing
   must not look like contact that sees nothing.

   Asked at every row of contacts.csv. Nodes of each deformable side, and in 3D its sharp edges, are compared with
   the facets, walls or rigid bodies of the other side, and points of rigid bodies with the facets. What a pressed
   point within one facet holds is seen; the rest is `unseen`. Overlap of the start counts in the columns, not in
   what is unseen, and not in warnings. A body is compared with itself where the pair names it as a whole. Between rigid
   bodies, and between two named surfaces of one body, nothing is measured. */
#pragma once

#include "contact/contact.h"

typedef struct CrOverlaps CrOverlaps;

/* The greatest values over all pairs and rows. */
typedef struct {
  PetscReal ab, ba, unseen; /* the first side in the second, the second in the first */
  PetscInt  warned;         /* pairs that were warned of because nothing holds their overlap */
} CrOverlapSums;

/* `springs`: the method presses by penalties, so that too soft ones are warned of. `allowed`: the deck has a limit
   on max_penetration of its own, so that deep overlap does not end the run. Collective. */
PetscErrorCode CrOverlapsCreate(CrContact *contact, PetscBool springs, PetscBool allowed,
                                CrOverlaps **overlaps);
PetscErrorCode CrOverlapsDestroy(CrOverlaps **overlaps);
/* For checkpoints. */
PetscErrorCode CrOverlapsArchive(CrOverlaps *overlaps, CrArchive *archive);
/* Measures a state, fills contact->picture->overlap, and warns, once per pair. */
PetscErrorCode CrOverlapsMeasure(CrOverlaps *overlaps, const CrState *state);
/* Values since the start, and where: the pair that overlaps most, in words for the audit. */
CrOverlapSums CrOverlapsGreatest(const CrOverlaps *overlaps);
void          CrOverlapsDescribe(const CrOverlaps *overlaps, char text[], size_t size);
/* Why the run must end; NULL: it may go on. */
const char *CrOverlapsFailure(const CrOverlaps *overlaps);
