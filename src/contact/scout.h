/* A scout is a query to all ranks for the facets of a surface that are near the contact points of this rank. Only the
   rank that owns a facet knows its position. So every rank sends a box around its contact points to all other ranks. If
   a facet lies near the box, its owner replies with the facet's number and the displacements of its corners. In this
   way a rank gets the facets that it needs without the positions of whole surfaces (stage.h, multipliers/lists.h). On
   one rank no message is sent. */
#pragma once

#include "contact/contact.h"

/* A scout: a query (which items are near `box`?) and its result (`items`). Items are facets of a surface, or sharp
   edges. All ranks have scouts for the same surfaces. */
typedef struct {
  const CrSurface *surface; /* borrowed */
  const CrRidges  *ridges;  /* sharp edges of a surface; NULL: the items are facets; borrowed */
  PetscBool        asks;    /* true: CrScoutsAsk processes this query; same value on all ranks */
  /* box around the contact points of this rank, including all margins: three least coordinates, then three greatest. An
     empty box finds no items. */
  PetscReal box[6];
  PetscInt  n, room;
  PetscInt *items;  /* [n] numbers of the items near the box, ascending; owned */
  PetscReal all[6]; /* bounding box of all items of all ranks */
} CrScout;

typedef struct {
  const CrContact *contact; /* borrowed */
  PetscInt         n;
  CrScout         *list; /* [n]; owned, like all arrays below */
  /* Facets whose first corner this rank owns, as compressed rows. Row k is own[start[k]] to own[start[k+1] - 1] and
     belongs to the surface of node set k. */
  PetscInt *start, *own;
} CrScouts;

/* CrScoutsCreate creates n queries, of which the caller sets the surface or the edges. CrScoutsOfPasses creates one
   query for each contact pass, for the facets or the edges of its master. */
PetscErrorCode CrScoutsCreate(const CrContact *contact, PetscInt n, CrScouts **scouts);
PetscErrorCode CrScoutsOfPasses(const CrContact *contact, CrScouts **scouts);
PetscErrorCode CrScoutsDestroy(CrScouts **scouts);
/* CrScoutEmpty makes a box empty. CrScoutInclude enlarges a box so that it contains the point x. CrScoutWiden enlarges
   a box by a distance on all sides. */
void CrScoutEmpty(PetscReal box[6]);
void CrScoutInclude(PetscInt dim, const PetscReal *x, PetscReal box[6]);
void CrScoutWiden(PetscReal distance, PetscReal box[6]);
/* Processes the queries, with the nodes at the displacements u. The values of u must be up to date at the nodes that
   this rank owns and at the ghost nodes of its elements. If `bring` is true, u gets the values at the nodes of all
   items that are found; otherwise u does not change. Collective. */
PetscErrorCode CrScoutsAsk(CrScouts *scouts, PetscReal *u, PetscBool bring);
