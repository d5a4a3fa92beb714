/* The contact search at the start of a step, for slaves on facets. The search finds the facets that a slave may touch,
   and binds the slave to a smooth patch of the master or to one facet. In the first step of a run the search also
   measures the initial penetration. */
#pragma once

#include "contact/touch/touch.h"

/* Finds the facets within the distance `reach` of the path of the i-th slave of the pass p, and stores the list for
   `touch` in contact->work->found. In self-contact, facets next to the slave are left out. */
PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch);
/* Binds the slave of `touch` to the patch of `facet`, through which its path passes. If the path is long, the function
   also binds the slave to `facet` for the whole step. Otherwise the closest facet in the middle of the step might lie
   on the far side of the body. */
void CrTouchBind(const CrContact *c, CrTouch *touch, PetscInt facet, const CrInstant *start);
/* Returns the facet closest to a slave that penetrates the master, even if the slave may not touch this facet. Returns
   -1 if the slave is outside of the master. */
PetscInt CrFacetAbove(const CrContact *c, const CrTouch *touch, const CrInstant *at);
/* Binds a slave that penetrates the master at the instant `end` to the facet through which it entered. Used for laws
   that satisfy the gap condition exactly. Returns false if the slave is outside of the master, or already bound to this
   facet. */
PetscBool CrTouchCatch(const CrContact *c, CrTouch *touch, const CrInstant *start,
                       const CrInstant *end);
/* Returns true if the slave is pressed, and at the instant `end` penetrates behind a facet other than touch->facet. */
PetscBool CrTouchSinks(const CrContact *c, const CrTouch *touch, const CrInstant *end);
/* CrSearchFacets and CrGapOnFacets are the functions `search` and `gap` of CrPassOps, for passes whose master consists
   of facets. */
PetscErrorCode CrSearchFacets(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                              const PetscReal *const ends[]);
PetscReal      CrGapOnFacets(const CrContact *c, const CrTouch *touch, const PetscReal *u1);

/* ---- penetration at the start of a run ---- */

/* Sets touch->overlap to `gap` if the gap is negative and the step is the first one of the run. */
void CrOverlapNote(const CrContact *c, CrTouch *touch, PetscReal gap);
/* Measures the gap of a contact to the facets, and to the smooth curves that the facets approximate. Stores the least
   and greatest of these gaps in the notes of the pair (CrPairNotes). */
void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Resets the gaps in the notes of all pairs, for another attempt at the first step. */
void CrOverlapForget(CrContact *c);
/* Sets touch->press, the part of the initial penetration that the program removes gradually. If the gaps vary only
   because facets approximate curves, this part is the penetration of the smooth curves. Otherwise it is the penetration
   of the facets. Called after all gaps have been measured. Collective. */
PetscErrorCode CrOverlapDecide(CrContact *c);
/* Returns true if the slave has left `facet` across a valley (concave edge), so that another facet is closer. The
   closest point on `facet` then stays at the edge of this facet. The contact force may then point along the surface,
   which is wrong. */
PetscBool CrTouchHangs(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at);
