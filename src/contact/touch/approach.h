/* The search at the start of a step finds the facets that a slave may touch, and binds the slave to a patch or a
   facet. In the first step the search also measures the initial penetration. */
#pragma once

#include "contact/touch/touch.h"

/* Finds the facets within `reach` of the path of the i-th slave. In self-contact, facets next to the slave are left
   out. */
PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch);
/* Assigns a slave to the patch of a facet through which its path passes. If the path is long, the function also assigns
   the slave to this facet. Otherwise the closest facet in the middle of the step might lie on the far side of the
   body. */
void CrTouchBind(const CrContact *c, CrTouch *touch, PetscInt facet, const CrInstant *start);
/* Returns the facet closest to a slave that penetrates, even if the slave may not touch this facet; -1: the slave is
   outside of the master. */
PetscInt CrFacetAbove(const CrContact *c, const CrTouch *touch, const CrInstant *at);
/* For laws that satisfy the gap condition exactly: if the slave penetrates at `end`, assigns it to the facet through
   which it entered the master. Returns false if the slave is outside, or bound to this facet already. */
PetscBool CrTouchCatch(const CrContact *c, CrTouch *touch, const CrInstant *start,
                       const CrInstant *end);
/* Returns true if a pressed slave penetrates at `end` behind a facet that is not the facet of its touch. */
PetscBool CrTouchSinks(const CrContact *c, const CrTouch *touch, const CrInstant *end);
/* These are the functions `search` and `gap` of CrPassOps for passes whose master consists of facets. */
PetscErrorCode CrSearchFacets(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                              const PetscReal *const ends[]);
PetscReal      CrGapOnFacets(const CrContact *c, const CrTouch *touch, const PetscReal *u1);

/* ---- penetration at the start of a run ---- */

/* In the first step: sets touch->overlap to the gap, if it is negative. */
void CrOverlapNote(const CrContact *c, CrTouch *touch, PetscReal gap);
/* Measures the gap of a contact to the facets, and to the curves that the facets approximate. The notes of the pair get
   the least and greatest of these gaps. */
void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Resets the notes of all pairs, for another attempt at the first step. */
void CrOverlapForget(CrContact *c);
/* Called after all measurements: sets touch->press, the part of the initial penetration that is removed gradually. This
   part is the penetration of the smooth curves if the gaps vary only because facets approximate curves. Otherwise it is
   the penetration of the facets. Collective. */
PetscErrorCode CrOverlapDecide(CrContact *c);
/* Returns true if the slave has left `facet` across a valley, so that another facet is closer. The closest point on
   `facet` is then held at the edge of this facet, and the contact force may have a wrong direction, along the
   surface. */
PetscBool CrTouchHangs(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at);
