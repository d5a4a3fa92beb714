/* A contact surface: linear facets, with data of the reference shape. Quadratic faces are split into linear
   ones. Every rank has all facets, in the same order. */
#pragma once

#include "contact/geometry/features.h"

struct CrSurface {
  PetscInt dim, body;
  PetscInt nnodes;
  /* local nodes of the model, in the order of the set; owned, like all arrays here */
  PetscInt *nodes;
  /* [nnodes] reference area that belongs to a node (2D: length times thickness) */
  PetscReal *weight;
  /* [nnodes*dim] unit outward normal at a node of the reference shape: the mean over the facets around it, in 3D
     weighted by their angles at the node */
  PetscReal *normal;
  /* [nnodes] greatest angle between facets of one patch around the node, in radians */
  PetscReal *turn;
  PetscBool *rim; /* [nnodes] the node is on an open edge, which has no facet beyond it */
  PetscInt   nfacets;
  PetscInt  *ncorners;  /* [nfacets] 2, 3 or 4 */
  PetscInt  *corners;   /* [nfacets*4] local nodes of the model, outward; -1 after the last */
  PetscInt  *neighbour; /* [nfacets*4] facet beyond edge a (kinematics.h); -1: the edge is open */
  /* [nfacets] number of the smooth patch; creases above 60 degrees separate patches */
  PetscInt   *patch;
  PetscInt    npatches;
  PetscReal  *size;                  /* [nfacets] length, or square root of the area */
  PetscReal   mean_size, least_size; /* mean and least size of the facets */
  PetscReal   hole;   /* half of the greatest distance between two corners of a facet */
  PetscReal  *height; /* [nfacets] height of the layer of nodes behind the facet (CrLocalFacet) */
  PetscReal   layer;  /* the mean of these heights, by area */
  PetscInt   *around_start, *around; /* facets around node i of nodes[], as compressed rows */
  CrFeatures *features;              /* corners and edges of the body at this surface */
};

PetscErrorCode CrSurfaceCreate(const CrModel *model, const CrModelSet *set, CrSurface **surface);
PetscErrorCode CrSurfaceDestroy(CrSurface **surface);
/* For self-contact: returns true if facet f contains node i of nodes[], or shares a node with a facet that contains
   this node. */
PetscBool CrSurfaceIsNear(const CrSurface *surface, PetscInt i, PetscInt f);
