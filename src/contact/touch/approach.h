/* The search of a step: which facets a slave may meet, to which one it is bound, and what overlaps at the start. */
#pragma once

#include "contact/touch/touch.h"

/* Facets near the path of the i-th slave, without its own neighbourhood in self-contact. */
PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch);
/* Binds a slave to the patch that its path pierces. It is bound to the facet as well where its path is long, so
   that the facet nearest in the middle may be one on the far side. */
void CrTouchBind(const CrContact *c, CrTouch *touch, PetscInt facet, const CrInstant *start);
/* Binds a node that ended inside to the facet through which it came; false: it is outside, or bound there already. For
   exact laws of the gap. */
PetscBool CrTouchCatch(const CrContact *c, CrTouch *touch, const CrInstant *start,
                       const CrInstant *end);
/* The gap over one facet. */
PetscReal CrTouchGapOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at);
/* The search and the gap of passes on facets, as CrPassOps. */
PetscErrorCode CrSearchFacets(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                              const PetscReal *const ends[]);
PetscReal      CrGapOnFacets(const CrContact *c, const CrTouch *touch, const PetscReal *u1);

/* ---- overlap at the start ---- */

void CrOverlapNote(const CrContact *c, CrTouch *touch, PetscReal gap);
/* Takes note of the gap of a touch on facets, and on the curves they stand for. */
void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0);
void CrOverlapForget(CrContact *c); /* what was noted, for another attempt */
/* Then: what is pushed out, overlap of facets or of curves. */
void CrOverlapDecide(CrContact *c);
