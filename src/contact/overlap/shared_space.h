/* Finds bodies that occupy the same space. The measurement of penetration (overlap.h) examines the
   surfaces that a contact pair names. It cannot find bodies without a pair, surfaces that the deck names by mistake, or
   two equal meshes at the same place, whose nodes lie on each other's surfaces. So this test examines the elements: the
   centre of an element of one body must not lie inside an element of another body. The same holds for the mass centres
   of rigid bodies without a contact pair, if there are not too many. */
#pragma once

#include "contact/contact.h"

typedef struct CrSharedSpace CrSharedSpace;

/* Creates the test. *space is NULL if the deck has no contact, no deformable body, or only one body. Collective. */
PetscErrorCode CrSharedSpaceCreate(const CrModel *model, const CrContact *contact,
                                   CrSharedSpace **space);
PetscErrorCode CrSharedSpaceDestroy(CrSharedSpace **space);
/* Adds to the archive of a checkpoint the pairs of bodies of which the run has warned. */
PetscErrorCode CrSharedSpaceArchive(CrSharedSpace *space, CrArchive *archive);
/* Tests the state at the start of the run. The function warns of bodies that share space and have no contact pair. If
   they have a pair, and most of one body lies inside the other, the function reports an error of the deck. `allowed` is
   true if the deck itself limits max_penetration; then there is no error. Collective. */
PetscErrorCode CrSharedSpaceStart(CrSharedSpace *space, const CrState *state, PetscBool allowed);
/* Tests the state after a step, about twenty times in a run until the time `end`, and warns once of each pair of
   bodies. Collective. */
PetscErrorCode CrSharedSpaceLook(CrSharedSpace *space, const CrState *state, PetscReal end);
/* Returns the number of pairs of bodies of which the run has warned. */
PetscInt CrSharedSpacePairs(const CrSharedSpace *space);
