/* Measures how finely the steps of a run resolve its contacts. The energy balance does not show this.

   A contact of a pair lasts as long as consecutive accepted steps have pressed points. The ripple of a contact is the
   total variation of the magnitude of the pair's force, divided by its maximum: 2 if the force rises and falls
   once. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"
#include "output/output.h"

typedef struct CrResolution CrResolution;

/* Creates the measurement. `lasting` says that contacts have a duration, because the analysis is dynamic. */
PetscErrorCode CrResolutionCreate(const CrContact *contact, PetscBool lasting,
                                  CrResolution **resolution);
PetscErrorCode CrResolutionDestroy(CrResolution **resolution);
/* Adds to the archive of a checkpoint the numbers collected since the start of the run. */
PetscErrorCode CrResolutionArchive(CrResolution *resolution, CrArchive *archive);
/* Adds an accepted step of size h, from the ledger of the contact. Collective. */
PetscErrorCode CrResolutionStep(CrResolution *resolution, PetscReal h);
/* Returns the numbers at the end of the run. If `resolution` is NULL, all numbers are missing (NaN). */
CrResolved CrResolutionEnd(CrResolution *resolution);
