/* Measures how finely the time steps of a run resolve its contacts. The energy balance does not show this.

   A contact of a pair of bodies is a sequence of consecutive accepted steps in which the pair has closed contact
   points. The ripple of a contact is the total variation of the magnitude of the pair's force, divided by its maximum.
   The ripple is 2 if the force rises and falls once. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"
#include "output/output.h"

typedef struct CrResolution CrResolution;

/* Creates the measurement. `lasting` is true if contacts have a duration, that is, if the analysis is dynamic. */
PetscErrorCode CrResolutionCreate(const CrContact *contact, PetscBool lasting,
                                  CrResolution **resolution);
PetscErrorCode CrResolutionDestroy(CrResolution **resolution);
/* Adds to the archive of a checkpoint the durations and forces measured since the start of the run. */
PetscErrorCode CrResolutionArchive(CrResolution *resolution, CrArchive *archive);
/* Adds to the measurement an accepted step of size h, with the contact forces of this step. Collective. */
PetscErrorCode CrResolutionStep(CrResolution *resolution, PetscReal h);
/* Returns the results at the end of the run. If `resolution` is NULL, all results are missing (NaN). */
CrResolved CrResolutionEnd(CrResolution *resolution);
