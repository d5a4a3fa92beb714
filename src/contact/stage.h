/* The stage: the part of the contact surfaces in which a rank searches for contacts with springs. These are the facets
   near its own slaves, chosen with a margin, and the nodes on which these facets depend. Boxes of paths, trees and
   exchanged values exist for the stage only. The stage is chosen again when the surfaces have moved by more than the
   margin. On one rank, and where points are not divided among the ranks, the stage contains all facets. */
#pragma once

#include "contact/contact.h"
#include "contact/scout.h"
#include "model/vicinity.h"

struct CrStage {
  PetscInt  nsets;
  PetscBool whole;          /* the stage contains all facets of all surfaces */
  PetscInt  nnodes, *nodes; /* local nodes of surfaces that are on stage; owned, like all below */
  PetscInt *nfacets, **facets; /* [nsets] facets of each surface, ascending */
  PetscInt  nown, *own_start,
      *own;           /* nodes of each surface that this rank owns, as compressed rows */
  PetscReal  *base;   /* [nown*dim] displacements of the nodes `own` at the last renewal */
  PetscReal  *way;    /* [nsets] greatest displacement of a surface since the last renewal */
  PetscReal  *margin; /* [npasses] distance that both sides together may move before a renewal */
  CrVicinity *near;
  CrScouts   *scouts; /* find the facets near the slaves of this rank */
  PetscInt    renewals;
};

PetscErrorCode CrStageCreate(const CrContact *contact, CrStage **stage);
PetscErrorCode CrStageDestroy(CrStage **stage);
/* Renews the stage if nodes that go from u0 to u0 + h v0, or to `guess`, leave the margin. The three arrays then get
   values at all nodes on stage. Collective. */
PetscErrorCode CrStageMove(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                           const PetscReal *guess);
