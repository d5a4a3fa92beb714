/* Features of a contact surface are its vertices and edges. This file describes how sharp vertices and edges are, and
   in which directions they may touch other surfaces. Lists, sizes and angles are computed once, from the reference
   shape. */
#pragma once

#include "model/model.h"

typedef struct CrSurface CrSurface; /* surface.h */

#define CR_LEAST_RIDGE 0.08 /* radians; an edge is never sharp if its facets differ by less */

/* An edge of a surface with its two facets. */
typedef struct {
  PetscInt  nodes[2];  /* local nodes of the model; both belong to the surface */
  PetscInt  facets[2]; /* numbers of its facets in the skin (CrFeatures) */
  PetscReal turn;      /* angle between the facets' normals, in radians; negative: concave */
} CrRidge;

typedef struct {
  /* The skin is a list of facets. It has the facets of the surface, and then the facets beside the surface. These are
     the other facets of the body that share a node with the rim of the surface. Only the facets beside the surface are
     stored here (CrSkinNodes). All arrays are owned. */
  PetscInt  nfacets;            /* number of all facets of the skin */
  PetscInt *ncorners, *corners; /* of the facets beside the surface, as in CrSurface */
  /* Nodes of the surface that belong to a facet beside it: their indices in surface->nodes, ascending. The facets of
     the skin around node rims[r] are fan[fan_start[r]] to fan[fan_start[r+1]-1] (CrSkinFan). */
  PetscInt   nrims;
  PetscInt  *rims, *fan_start, *fan;
  PetscBool *open; /* [nnodes] the node is on the boundary of the skin */
  PetscReal *turn; /* [nnodes] greatest `turn` of a convex edge at the node (2D: of the vertex) */
  /* [nnodes] third greatest `turn` of a convex edge at the node. If it is large, the node is a corner where three sharp
     edges meet. */
  PetscReal *third_turn;
  /* [nnodes] distance between neighbouring nodes around the node (2D: a length; 3D: square root of an area) */
  PetscReal *spacing;
  PetscReal *facet_spacing; /* [surface->nfacets] mean of the corners' spacings */
  /* [surface->nfacets] the same, without facets beyond a crease, which may be much smaller */
  PetscReal *side_spacing;
  /* [surface->nfacets] half of the greatest angle below 60 degrees between the facet and a neighbour. This is the error
     of the facet's normal if the facets approximate a curve. */
  PetscReal *slack;
  PetscInt   nridges;
  CrRidge   *ridges; /* 3D: [nridges] all edges, or only those above CR_LEAST_RIDGE */
} CrFeatures;

/* Computes the features of a surface. index[] gives the index of each local node of the model in surface->nodes; -1:
   the node is not in the surface. normal[3*nfacets] has the unit normals of the surface's facets. */
PetscErrorCode CrFeaturesCreate(const CrModel *model, const PetscInt *index,
                                const PetscReal *normal, CrSurface *surface);
PetscErrorCode CrFeaturesDestroy(CrFeatures **features);
/* Removes from features->ridges the edges that are never sharp (CR_LEAST_RIDGE). Only contact laws that satisfy the gap
   condition exactly need these edges. */
PetscErrorCode CrFeaturesForgetMild(CrFeatures *features);

/* Finds the corners of facet f of the skin, as local nodes of the model. Returns their number. */
PetscInt CrSkinNodes(const CrSurface *surface, PetscInt f, const PetscInt **nodes);
/* Computes the positions x of the corners of facet f of the skin, at the displacements u (NULL: in the reference
   shape). Returns the number of corners. */
PetscInt CrSkinCorners(const CrModel *model, const CrSurface *surface, PetscInt f,
                       const PetscReal *u, PetscReal x[4][3]);
/* Finds the facets of the skin around node i of the surface, ascending. Returns their number. */
PetscInt CrSkinFan(const CrSurface *surface, PetscInt i, const PetscInt **facets);
/* Returns true if node i of the surface is on a convex edge whose facets differ by more than `corner` (radians). In 2D
   the node itself is the edge. */
PetscBool CrIsSharp(const CrSurface *surface, PetscInt i, PetscReal corner);
/* Returns true if the facets around node i approximate a curve. The node is then neither sharp nor on a plane part of
   the surface. */
PetscBool CrIsCurved(const CrSurface *surface, PetscInt i, PetscReal corner);
/* Returns true if node i may touch a facet whose outward normal is nu, at the displacements u. The direction -nu must
   lie in the node's cone of normals, up to the angle tol (radians). At a convex node, this means that no edge leads
   from the node further along -nu. At flat and concave nodes, and on the boundary of the skin, one facet around the
   node must have the normal -nu. tol is the pair's angle `cone` plus the `slack` of the facet. */
PetscBool CrIsAdmitted(const CrModel *model, const CrSurface *surface, PetscInt i,
                       const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Returns true if a facet around node i has the normal -nu, up to the angle tol (radians). The facet then lies flat on
   a surface with the normal nu. */
PetscBool CrLiesFlat(const CrModel *model, const CrSurface *surface, PetscInt i, const PetscReal *u,
                     const PetscReal nu[3], PetscReal tol);

/* Returns the share of node i of the slave on a facet of the master, if the nodes of both surfaces are slaves. The
   share is the fraction of the node's area that carries pressure. Nodes of the finer surface have greater shares. The
   shares of two smooth surfaces that lie on each other sum to 1. A sharp node has a share of at least one half. */
PetscReal CrShareBoth(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                      PetscReal corner);
/* Returns the share of node i if only one of the two surfaces has slaves at a place. The share is 1 for nodes of the
   finer surface and for sharp nodes, and 0 otherwise. If the two meshes are equally fine within 15 %, the slave counts
   as the finer one if `leads` is true. Without this rule, the roles would alternate from node to node on irregular
   meshes of the same size. */
PetscReal CrShareFiner(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                       PetscReal corner, PetscBool leads);
/* Compute the same shares as CrShareBoth and CrShareFiner from two node spacings: `own` of the point's surface, and
   `other` of the other surface. */
PetscReal CrShareBothBySpacing(PetscReal own, PetscReal other, PetscBool sharp);
PetscReal CrShareFinerBySpacing(PetscReal own, PetscReal other, PetscBool sharp, PetscBool leads);
