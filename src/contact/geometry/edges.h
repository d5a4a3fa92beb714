/* Functions that split faces of the mesh into linear facets, compute the normals of facets, and find facets that share
   an edge. */
#pragma once

#include "model/model.h"

/* Splits a face of the mesh into linear facets. corners[f] are the corners of facet f, as local nodes of the model.
   ncorners[f] is the number of these corners. Returns the number of facets, or 0 if contact does not support such
   faces. */
PetscInt CrFaceSplit(const CrLocalFacet *face, PetscInt *ncorners, PetscInt corners[4][4]);
/* Computes the unit outward normal n of a facet with the corners X. In 2D, n is the direction of the segment, rotated
   clockwise by a right angle. For a triangle, n is computed from two sides, and for a quad from the diagonals. n is
   zero for a facet without area. */
void CrFacetNormal(PetscInt ncorners, PetscReal X[4][3], PetscReal n[3]);
/* Computes the positions x of the corners of facet f, at the displacements u (NULL: in the reference shape). ncorners[]
   and corners[] describe a list of facets as in CrSurface. In 2D the third coordinates are zero. Returns the number of
   corners. */
PetscInt CrFacetCorners(const CrModel *model, const PetscInt *ncorners, const PetscInt *corners,
                        PetscInt f, const PetscReal *u, PetscReal x[4][3]);
void     CrFacetCentre(PetscInt ncorners, PetscReal x[4][3], PetscReal centre[3]);
/* Lists the facets around each node, ascending, as compressed rows. index[] gives the row of each local node, 0 to n-1;
   -1: the node has no row. start[] has n + 2 entries, which must be zero before the call. *around is allocated. */
PetscErrorCode CrFacetsAround(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                              const PetscInt *index, PetscInt n, PetscInt *start,
                              PetscInt **around);
/* Finds the facet on the other side of each edge. neighbour[4*f + a] is the facet beyond edge a of facet f; -1: the
   edge is open. Edge a runs from corner a to the next corner. Edge a of a segment is its end a. */
PetscErrorCode CrEdgesMatch(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                            PetscInt *neighbour);
