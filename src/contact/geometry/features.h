/* Features of a contact surface: its vertices and edges, how sharp they are, and which directions of contact they
   admit. Lists, sizes and angles come from the reference shape and are computed once. */
#pragma once

#include "model/model.h"

typedef struct CrSurface CrSurface; /* surface.h */

#define CR_LEAST_RIDGE 0.08 /* radians: convex edges that turn less are never sharp */

/* An edge of a surface with its two facets. */
typedef struct {
  PetscInt  nodes[2];  /* local nodes of the model; both belong to the surface */
  PetscInt  facets[2]; /* facets of the skin, see below */
  PetscReal turn;      /* angle between the normals of the two facets; negative: concave */
} CrRidge;

typedef struct {
  /* The skin: the facets of the surface, then those facets of the whole body that share a node with the rim of
     the surface. All arrays are owned. */
  PetscInt  nfacets;
  PetscInt *ncorners, *corners; /* as in CrSurface */
  /* facets of the skin around node i: fan[fan_start[i]] to fan[fan_start[i+1]-1] */
  PetscInt *fan_start, *fan;
  /* [nnodes + 1] nodes at the far ends of the edges out of node i */
  PetscInt  *spoke_start, *spokes;
  PetscBool *open; /* [nnodes] the skin itself ends at the node */
  PetscReal *turn; /* [nnodes] greatest turn of a convex edge at the node (2D: of the vertex) */
  /* [nnodes] third greatest turn of a convex edge at the node: three sharp edges meet at a corner in space */
  PetscReal *third_turn;
  PetscReal        *
      spacing; /* [nnodes] distance between neighbouring nodes around the node: length, or root of an area */
  PetscReal *facet_spacing; /* [facets of the surface] mean of the corners' spacings */
  /* [facets of the surface] the same on the facet's own side of creases: beyond a crease, facets may be much smaller */
  PetscReal *side_spacing;
  /* [facets of the surface] half of the greatest angle below 60 degrees between the facet and a neighbour: the error of
     its normal if the facets approximate a curve */
  PetscReal *slack;
  PetscInt   nridges;
  CrRidge   *ridges; /* 3D: edges between two facets, all or only those above CR_LEAST_RIDGE */
} CrFeatures;

/* Computes the features of a surface. index[] gives the index of each local node of the model in surface->nodes; -1:
   the node is not in the surface. */
PetscErrorCode CrFeaturesCreate(const CrModel *model, const PetscInt *index, CrSurface *surface);
PetscErrorCode CrFeaturesDestroy(CrFeatures **features);
/* Removes edges that are never sharp from `ridges`. Only contact laws that satisfy the gap condition exactly need these
   edges. */
PetscErrorCode CrFeaturesForgetMild(CrFeatures *features);

/* Computes the positions of the corners of facet f of the skin, at displacements u (NULL: in the reference shape).
   Returns the number of corners. */
PetscInt CrSkinCorners(const CrModel *model, const CrFeatures *features, PetscInt f,
                       const PetscReal *u, PetscReal x[4][3]);
/* Returns true if node i is on a convex edge or corner that turns by more than `corner` (radians). */
PetscBool CrIsSharp(const CrSurface *surface, PetscInt i, PetscReal corner);
/* Returns true if node i is neither on a plane side nor sharp. The facets around such a node approximate a curve. */
PetscBool CrIsCurved(const CrSurface *surface, PetscInt i, PetscReal corner);
/* Returns true if node i may touch a facet whose outward normal is nu, with the nodes at displacements u. The direction
   -nu must lie, up to the angle tol, in the cone of normals of the node. At a convex node this means that no edge out
   of the node leads further along -nu. At flat and concave nodes, and at ends of a skin, one facet around the node must
   have the normal -nu. tol is the pair's `cone` plus the slack of the facet. */
PetscBool CrIsAdmitted(const CrModel *model, const CrSurface *surface, PetscInt i,
                       const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Returns true if a facet around node i has the normal -nu, up to the angle tol. This facet then lies flat on a surface
   with the normal nu. */
PetscBool CrLiesFlat(const CrModel *model, const CrSurface *surface, PetscInt i, const PetscReal *u,
                     const PetscReal nu[3], PetscReal tol);

/* Returns the share of node i on a facet of another surface, if the nodes of both surfaces are slaves: the part of the
   node's area that carries pressure. Nodes of the finer surface have greater shares. The shares of two smooth surfaces
   that lie on each other sum to 1. A sharp node has at least one half. */
PetscReal CrShareBoth(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                      PetscReal corner);
/* Returns the share of node i if only one of two surfaces has slaves at a place: 1 for nodes of the finer surface and
   for sharp nodes, else 0. If both are equally fine within 15 %, `leads` says that the slave counts as the finer one.
   Else the roles would alternate from node to node on irregular meshes of one size. */
PetscReal CrShareFiner(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                       PetscReal corner, PetscBool leads);
/* Compute the same shares from the spacing of the point's own surface and that of the other surface. */
PetscReal CrShareBothBySpacing(PetscReal own, PetscReal other, PetscBool sharp);
PetscReal CrShareFinerBySpacing(PetscReal own, PetscReal other, PetscBool sharp, PetscBool leads);
