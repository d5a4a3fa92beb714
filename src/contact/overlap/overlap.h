/* Measures the penetration of the two sides of every pair, independently of the contact search. The measurement thus
   reveals contacts that the contact search has failed to find.

   The measurement is made for every row of contacts.csv. The measurement compares the nodes of each deformable side,
   and in 3D its sharp edges, with the facets, walls or rigid bodies of the other side. Points of rigid bodies are
   compared with facets. A penetration is `unseen` if there is no pressed point within the distance of one facet. The
   columns include penetration that exists at the start of the run. Such penetration is not called unseen; it causes a
   separate warning. A body is compared with itself if the pair names the whole body. Pairs of rigid bodies, and of two
   named surfaces of one body, are not measured. */
#pragma once

#include "contact/contact.h"

typedef struct CrOverlaps CrOverlaps;

/* The greatest values over all pairs and rows. */
typedef struct {
  /* penetration of the first side into the second, of the second into the first; unseen */
  PetscReal ab, ba, unseen;
  PetscInt  warned; /* number of pairs with a warning of unseen penetration */
} CrOverlapSums;

/* Creates the measurement. `springs` says that the method has penalties, so that penalties that are too soft cause a
   warning. `allowed` says that the deck limits max_penetration itself, so that deep penetration does not end the run.
   Collective. */
PetscErrorCode CrOverlapsCreate(CrContact *contact, PetscBool springs, PetscBool allowed,
                                CrOverlaps **overlaps);
PetscErrorCode CrOverlapsDestroy(CrOverlaps **overlaps);
/* Adds to the archive the data that a checkpoint needs. */
PetscErrorCode CrOverlapsArchive(CrOverlaps *overlaps, CrArchive *archive);
/* Measures a state, and fills contact->picture->overlap. Each kind of warning appears once per pair. */
PetscErrorCode CrOverlapsMeasure(CrOverlaps *overlaps, const CrState *state);
/* CrOverlapsGreatest returns the greatest values of all pairs since the start of the run. CrOverlapsDescribe describes
   the pair with the greatest penetration, for the audit. */
CrOverlapSums CrOverlapsGreatest(const CrOverlaps *overlaps);
void          CrOverlapsDescribe(const CrOverlaps *overlaps, char text[], size_t size);
/* Returns the reason why the run must end; NULL: the run may continue. */
const char *CrOverlapsFailure(const CrOverlaps *overlaps);
