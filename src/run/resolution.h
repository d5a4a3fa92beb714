/* How finely the steps of a run resolve its contacts. The ledger of energy does not tell.

   A contact of a pair lasts as long as consecutive accepted steps have pressed points. The ripple of a contact is the
   total variation of the magnitude of the pair's force, divided by its maximum: 2 if the force rises and falls once. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"
#include "output/output.h"

typedef struct CrResolution CrResolution;

/* `lasting`: time passes in the analysis, so that contacts have a duration. */
PetscErrorCode CrResolutionCreate(const CrContact *contact, PetscBool lasting,
                                  CrResolution **resolution);
PetscErrorCode CrResolutionDestroy(CrResolution **resolution);
/* For checkpoints: adds the numbers collected since the start to the archive. */
PetscErrorCode CrResolutionArchive(CrResolution *resolution, CrArchive *archive);
/* Takes in an accepted step of size h, from contact's ledger. Collective. */
PetscErrorCode CrResolutionStep(CrResolution *resolution, PetscReal h);
/* The numbers at the end of the run. NULL gives numbers that are all missing. */
CrResolved CrResolutionEnd(CrResolution *resolution);
