/* Closing is an additional iteration of an explicit step, which removes the penetration at the end of this step (theory
   19.9). In this folder a pair is one slave in contact with its master (CrPress), not a pair of the deck. */
#pragma once

#include "contact/multipliers/press.h"

/* Examines the positions at the end of the step, which follow from the velocities v. *open becomes true if a pair, or a
   slave without a pair, penetrates deeper than allowed. The function then evaluates all pairs at these positions, and
   creates pairs for such slaves. `turn` is the number of earlier calls in this step. *slack is an upper bound of the
   distance by which positions have changed since the search; the function updates it. Collective. */
PetscErrorCode CrPressOpen(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v,
                           PetscInt turn, PetscReal *slack, PetscBool *open);
/* Removes pairs of edges that closing has called in, if another rank has a pair of the same crossing. Pairs from number
   `had` on are new. For several ranks only. Collective. */
PetscErrorCode CrPressDropDoubles(CrMultipliers *multipliers, PetscInt had);
/* Sets to zero the multipliers that are only rounding errors, and changes v accordingly. So the number of contacts does
   not depend on the number of ranks. `kick` is the time over which forces act. Collective. */
PetscErrorCode CrPressRelease(CrMultipliers *multipliers, PetscReal kick, PetscReal *v);
/* Returns the change of velocity below which the iteration of closing may end. h is the step size. */
PetscReal CrPressFine(const CrMultipliers *multipliers, PetscReal h);
/* Adds to the halo (rounds.h) the nodes of all facets that slaves may reach at the displacements `where` of
   CrMultipliers. *grown is true if some of these nodes had no values. `where` must then be set again. Collective. */
PetscErrorCode CrPressReach(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v,
                            PetscBool *grown);
/* Exchanges the changed pairs between the ranks, and prepares these pairs for Gauss-Seidel sweeps. Collective. */
PetscErrorCode CrPressAgree(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* Computes the normal multipliers of a list of pairs at constant friction forces, by conjugate gradients on the active
   set, and changes v accordingly. v are the velocities of all nodes of the list. Returns the number of iterations, at
   most `most`. */
PetscInt CrPressActive(PetscInt dim, PetscReal kick, PetscInt most, PetscReal tolerance,
                       const CrPressList *list, PetscReal *v);
/* Creates the work space of CrPressDropDoubles. */
PetscErrorCode CrDoublesCreate(const CrModel *model, CrDoubles **doubles);
PetscErrorCode CrDoublesDestroy(CrDoubles **doubles);
/* Returns the gap (< 0) of a pair of edges at t_n, or 0 if the edges did not penetrate each other then. */
PetscReal CrPressEdgesBefore(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                             const CrPress *pair);
/* Is the function `closed` of CrPressOps, for pairs that only closing begins. */
PetscBool CrPressNeverClosed(CrMultipliers *multipliers, PetscInt entry, const PetscReal *u,
                             PetscReal t, CrFound *found);
