/* The stage is the part of the contact surfaces in which a rank searches for contacts, if contact forces come from
   springs. The stage has the facets within a margin around the rank's own slaves, and the nodes of these facets.
   Bounding boxes, search trees and exchanged displacements exist only for the stage. The stage is renewed, that is
   chosen again, when the surfaces have moved by more than the margin. On one rank, or if points are not divided among
   the ranks, the stage contains all facets. */
#pragma once

#include "contact/contact.h"
#include "contact/scout.h"
#include "model/vicinity.h"

struct CrStage {
  PetscInt  nsets;
  PetscBool whole;             /* the stage contains all facets of all surfaces */
  PetscInt  nnodes, *nodes;    /* local numbers of the nodes on the stage; owned, like all below */
  PetscInt *nfacets, **facets; /* [nsets] facets of each surface on the stage, ascending */
  /* Surface nodes that this rank owns, as compressed rows. Row s is own[own_start[s]] to own[own_start[s+1] - 1] and
     belongs to surface s. */
  PetscInt    nown, *own_start, *own;
  PetscReal  *base;   /* [nown*dim] displacements of the nodes `own` at the last renewal */
  PetscReal  *way;    /* [nsets] greatest displacement of a surface since the last renewal */
  PetscReal  *margin; /* [npasses] distance that both sides together may move before a renewal */
  CrVicinity *near;
  CrScouts   *scouts; /* find the facets near the slaves of this rank */
  PetscInt    renewals;
};

/* Creates the stage of this rank. The new stage contains all facets. */
PetscErrorCode CrStageCreate(const CrContact *contact, CrStage **stage);
PetscErrorCode CrStageDestroy(CrStage **stage);
/* Renews the stage if a node leaves the margin on its way from u0 to u0 + h v0, or to `guess`. u0, v0 and `guess` then
   get values at all nodes on the stage. Collective. */
PetscErrorCode CrStageMove(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                           const PetscReal *guess);
