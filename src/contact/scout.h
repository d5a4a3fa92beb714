/* Scouts: which facets of a surface come near the points of this rank? The owners of the facets answer, because they know
   the positions. Every rank tells all others the boxes around its points. The owner of a facet that comes near a box
   sends its number and the displacements of its corners. So no rank needs positions of whole surfaces to choose the part
   that it sees (stage.h, multipliers/lists.h). On one rank nothing travels. */
#pragma once

#include "contact/contact.h"

/* What a pass asks for, and what it gets. Items are facets of the master, or its edges if the slaves are edges. */
typedef struct {
  PetscBool asks;
  PetscReal
      box[6]; /* around the points of this rank, with all margins: least coordinates, greatest */
  PetscInt  n, room;
  PetscInt *items;  /* [n] items that come near the box, ascending; owned by the scouts */
  PetscReal all[6]; /* the box around all items of the master, of all ranks */
} CrScoutPass;

typedef struct {
  const CrContact *contact; /* borrowed */
  PetscInt         npasses; /* of the contact when the scouts were made */
  CrScoutPass     *passes;  /* [npasses]; owned, as all below */
  PetscInt        *start,
      *own; /* facets of each surface whose first corner this rank owns, as compressed rows */
} CrScouts;

PetscErrorCode CrScoutsCreate(const CrContact *contact, CrScouts **scouts);
PetscErrorCode CrScoutsDestroy(CrScouts **scouts);
/* Makes a box empty. Widens a box by a point, and by a distance. */
void CrScoutEmpty(PetscReal box[6]);
void CrScoutInclude(PetscInt dim, const PetscReal *x, PetscReal box[6]);
void CrScoutWiden(PetscReal distance, PetscReal box[6]);
/* Answers the passes that ask, at displacements u. These must be up to date at owned nodes of the surfaces, and at
   ghosts of elements there. The corners of all items that are found get values too. A pass that asks does so on all
   ranks. Collective. */
PetscErrorCode CrScoutsAsk(CrScouts *scouts, PetscReal *u);
