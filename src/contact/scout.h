/* A scout is a query to all ranks: it finds the facets of a surface that come near the contact points of this rank.
   Only the owners of facets know their positions. So every rank sends the boxes around its points to all other ranks.
   The owner of a facet that comes near a box sends its number and the displacements of its corners. So no rank needs
   the positions of whole surfaces to choose the facets that it needs (stage.h, multipliers/lists.h). On one rank no
   message is sent. */
#pragma once

#include "contact/contact.h"

/* A scout: a question (which items are near `box`?) and its answer (`items`). Items are facets of a surface, or sharp
   edges. All ranks have scouts for the same surfaces. */
typedef struct {
  const CrSurface *surface; /* borrowed */
  const CrRidges  *ridges;  /* sharp edges of a surface; NULL: the items are facets; borrowed */
  PetscBool        asks;    /* CrScoutsAsk answers this query; same value on all ranks */
  /* box around the points of this rank, with all margins: least coordinates, then greatest coordinates. An empty box
     finds no items. */
  PetscReal box[6];
  PetscInt  n, room;
  PetscInt *items;  /* [n] items that come near the box, ascending; owned by the scouts */
  PetscReal all[6]; /* the box around all items, of all ranks */
} CrScout;

typedef struct {
  const CrContact *contact; /* borrowed */
  PetscInt         n;
  CrScout         *list; /* [n]; owned, like all arrays below */
  PetscInt        *start,
      *own; /* facets of each surface whose first corner this rank owns, as compressed rows */
} CrScouts;

/* Creates n questions. The caller sets surfaces and edges. CrScoutsOfPasses creates one question for each pass, for
   facets of its master or for its edges. */
PetscErrorCode CrScoutsCreate(const CrContact *contact, PetscInt n, CrScouts **scouts);
PetscErrorCode CrScoutsOfPasses(const CrContact *contact, CrScouts **scouts);
PetscErrorCode CrScoutsDestroy(CrScouts **scouts);
/* These functions make a box empty, widen a box so that it contains a point, and widen a box by a distance. */
void CrScoutEmpty(PetscReal box[6]);
void CrScoutInclude(PetscInt dim, const PetscReal *x, PetscReal box[6]);
void CrScoutWiden(PetscReal distance, PetscReal box[6]);
/* Answers the questions, at displacements u. The values of u must be up to date at owned nodes of the surfaces, and at
   ghosts of elements there. If `bring` is true, u also gets values at the nodes of all items that are found; else u
   does not change. Collective. */
PetscErrorCode CrScoutsAsk(CrScouts *scouts, PetscReal *u, PetscBool bring);
