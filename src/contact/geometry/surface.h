/* A contact surface is a list of linear facets, with data of the reference shape. Quadratic faces are split into linear
   facets. Every rank has all facets, in the same order. */
#pragma once

#include "contact/geometry/features.h"

struct CrSurface {
  PetscInt dim, body;
  PetscInt nnodes;
  /* local nodes of the model, in the order of the node set; owned, like all arrays here */
  PetscInt *nodes;
  /* [nnodes] reference area that belongs to a node (2D: length times thickness) */
  PetscReal *weight;
  /* [nnodes] greatest angle between facets of one patch around the node, in radians */
  PetscReal *turn;
  PetscBool *rim; /* [nnodes] the node is on an open edge, which has no facet beyond it */
  PetscInt   nfacets;
  PetscInt  *ncorners; /* [nfacets] 2, 3 or 4 */
  /* [nfacets*4] local nodes, ordered so that the normal points outward; unused entries are -1 */
  PetscInt *corners;
  PetscInt *neighbour; /* [nfacets*4] facet beyond edge a (CrProximity.edge); -1: open edge */
  /* [nfacets] number of the smooth patch to which the facet belongs; creases above 60 degrees separate patches */
  PetscInt   *patch;
  PetscInt    npatches;
  PetscReal  *size;                  /* [nfacets] length, or square root of the area */
  PetscReal   mean_size, least_size; /* mean and least size of the facets */
  PetscReal   hole;   /* half of the greatest distance between two corners of one facet */
  PetscReal  *height; /* [nfacets] height of the element layer behind the facet (CrLocalFacet) */
  PetscReal   layer;  /* the mean of these heights, weighted by area */
  PetscInt   *around_start, *around; /* compressed rows: row i has the facets around nodes[i] */
  CrFeatures *features;              /* sharp corners and edges of this surface */
};

/* Creates the contact surface of a node set of the model. */
PetscErrorCode CrSurfaceCreate(const CrModel *model, const CrModelSet *set, CrSurface **surface);
PetscErrorCode CrSurfaceDestroy(CrSurface **surface);
/* Computes the unit outward normal at node nodes[i] in the reference shape, which is the mean of the normals of the
   facets around the node. In 3D these normals are weighted by the angles of the facets at the node. The normal is zero
   if no facet is around the node. */
void CrSurfaceNormal(const CrModel *model, const CrSurface *surface, PetscInt i,
                     PetscReal normal[3]);
/* Allocates index[nlocal], which gives the index in surface->nodes of each node of the surface. Other entries are not
   set. Free it with PetscFree. */
PetscErrorCode CrSurfaceIndex(const CrModel *model, const CrSurface *surface, PetscInt **index);
/* Returns true if facet f contains the node nodes[i], or shares a node with a facet that contains nodes[i].
   Self-contact uses this function. */
PetscBool CrSurfaceIsNear(const CrSurface *surface, PetscInt i, PetscInt f);
