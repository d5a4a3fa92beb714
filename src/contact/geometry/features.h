/* Features of a contact surface: its vertices and edges, how sharp they are, and which directions of contact they
   admit. Lists, sizes and angles come from the reference shape and are computed once. */
#pragma once

#include "model/model.h"

typedef struct CrSurface CrSurface; /* surface.h */

#define CR_LEAST_RIDGE 0.08 /* radians: convex edges that turn less are not listed as ridges */

/* A convex edge with its two facets. */
typedef struct {
  PetscInt  nodes[2];  /* local nodes of the model; both belong to the surface */
  PetscInt  facets[2]; /* of the skin, below */
  PetscReal turn;      /* angle between the normals of the two facets */
} CrRidge;

typedef struct {
  /* The skin: the facets of the surface, then those facets of the whole body that share a node with the rim of
     the surface. All arrays are owned. */
  PetscInt  nfacets;
  PetscInt *ncorners, *corners; /* as in CrSurface */
  PetscInt *fan_start, *fan;    /* [nnodes + 1] facets of the skin around node i, compressed rows */
  PetscInt *spoke_start,
      *spokes;        /* [nnodes + 1] nodes at the far ends of the edges out of node i */
  PetscBool *open;    /* [nnodes] the skin itself ends at the node */
  PetscReal *turn;    /* [nnodes] greatest turn of a convex edge at the node (2D: of the vertex) */
  PetscReal *spacing; /* [nnodes] distance between nodes there: length, or root of an area */
  PetscReal *facet_spacing; /* [facets of the surface] mean of the corners' spacings */
  PetscReal *
      slack; /* [facets of the surface] half of the greatest turn below 60 degrees at an edge of the
                       facet: the error of its normal where facets stand for a curve */
  PetscInt nridges;
  CrRidge *ridges; /* 3D: convex edges above CR_LEAST_RIDGE */
} CrFeatures;

/* index: of local nodes of the model in surface->nodes, -1: not there. */
PetscErrorCode CrFeaturesCreate(const CrModel *model, const PetscInt *index, CrSurface *surface);
PetscErrorCode CrFeaturesDestroy(CrFeatures **features);

/* Does node i stand at a convex edge or corner that turns by more than `corner` (radians)? */
PetscBool CrIsSharp(const CrSurface *surface, PetscInt i, PetscReal corner);
/* May node i touch a facet whose outward normal is nu, with the nodes at displacements u? The direction -nu must
   lie, up to the angle tol, in the cone of normals of the node: no edge out of the node leads further along -nu
   (convex nodes), or one facet around the node has that normal (flat and concave ones, ends of a skin).
   tol: the pair's `cone` plus the slack of the facet. */
PetscBool CrIsAdmitted(const CrModel *model, const CrSurface *surface, PetscInt i,
                       const PetscReal *u, const PetscReal nu[3], PetscReal tol);
/* Does one facet around node i look along -nu, up to the angle tol? Then a surface with the normal nu lies on it. */
PetscBool CrLiesFlat(const CrModel *model, const CrSurface *surface, PetscInt i, const PetscReal *u,
                     const PetscReal nu[3], PetscReal tol);

/* The part of its area that node i stands for on a facet of another surface, where both surfaces have points: the
   finer one leads, and the parts of two smooth surfaces that lie on each other sum to 1. A sharp node has at least
   a half. */
PetscReal CrShareBoth(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                      PetscReal corner);
/* The same where only one of two surfaces may hold at a place: 1 for the nodes of the finer one and for sharp
   nodes, else 0. leads: the slave is the finer one if both are equal within 15 %, so
   that roles do not alternate from node to node between irregular meshes of one size. */
PetscReal CrShareFiner(const CrSurface *slave, PetscInt i, const CrSurface *master, PetscInt facet,
                       PetscReal corner, PetscBool leads);
/* The same for a point whose own spacing is known, against the spacing of what it meets. */
PetscReal CrShareBothBySpacing(PetscReal own, PetscReal other, PetscBool sharp);
PetscReal CrShareFinerBySpacing(PetscReal own, PetscReal other, PetscBool sharp, PetscBool leads);
