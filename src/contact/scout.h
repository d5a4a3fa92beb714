/* A scout finds the facets of a surface that come near the contact points of this rank. The owners of the facets
   answer, because they know the positions. Every rank tells all others the boxes around its points. The owner of a
   facet that comes near a box sends its number and the displacements of its corners. So no rank needs positions of
   whole surfaces to choose the part that it sees (stage.h, multipliers/lists.h). On one rank no message is sent. */
#pragma once

#include "contact/contact.h"

/* A scout: a question (which items are near `box`?) and its answer (`items`). Items are facets of a surface, or sharp
   edges. All ranks have scouts for the same surfaces. */
typedef struct {
  const CrSurface *surface; /* borrowed */
  const CrRidges  *ridges;  /* of a surface; NULL: the items are facets; borrowed */
  PetscBool        asks;    /* the question is to be answered; the value is the same on all ranks */
  /* around the points of this rank, with all margins: least coordinates, greatest. An empty box asks for nothing. */
  PetscReal box[6];
  PetscInt  n, room;
  PetscInt *items;  /* [n] items that come near the box, ascending; owned by the scouts */
  PetscReal all[6]; /* the box around all items, of all ranks */
} CrScout;

typedef struct {
  const CrContact *contact; /* borrowed */
  PetscInt         n;
  CrScout         *list; /* [n]; owned, as all below */
  PetscInt        *start,
      *own; /* facets of each surface whose first corner this rank owns, as compressed rows */
} CrScouts;

/* Creates n questions. The caller sets surfaces and edges. CrScoutsOfPasses: one for each pass, for facets of its
   master or for its edges. */
PetscErrorCode CrScoutsCreate(const CrContact *contact, PetscInt n, CrScouts **scouts);
PetscErrorCode CrScoutsOfPasses(const CrContact *contact, CrScouts **scouts);
PetscErrorCode CrScoutsDestroy(CrScouts **scouts);
/* Makes a box empty. Widens a box by a point, and by a distance. */
void CrScoutEmpty(PetscReal box[6]);
void CrScoutInclude(PetscInt dim, const PetscReal *x, PetscReal box[6]);
void CrScoutWiden(PetscReal distance, PetscReal box[6]);
/* Answers the questions, at displacements u. These must be up to date at owned nodes of the surfaces, and at ghosts of
   elements there. `bring`: the nodes of all items that are found get values too; else u does not change. Collective. */
PetscErrorCode CrScoutsAsk(CrScouts *scouts, PetscReal *u, PetscBool bring);
