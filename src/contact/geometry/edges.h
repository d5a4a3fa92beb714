/* Splits faces into linear facets, computes their normals, and finds facets that share an edge. */
#pragma once

#include "model/model.h"

/* Splits a face of the mesh into linear facets: computes their corners, as local nodes of the model, and the number of
   corners of each. Returns the number of facets; 0: contact does not support such faces. */
PetscInt CrFaceSplit(const CrLocalFacet *face, PetscInt *ncorners, PetscInt corners[4][4]);
/* Computes the outward normal of a facet. In 2D it is the direction of the segment, rotated clockwise by a right angle.
   For a triangle it follows from two sides, and for a quad from the diagonals. The normal is zero for a facet without
   area. */
void CrFacetNormal(PetscInt ncorners, PetscReal X[4][3], PetscReal n[3]);
/* Computes the positions of the corners of facet f of a list, at displacements u (NULL: in the reference shape). In 2D
   their third coordinates are zero. Returns their number. */
PetscInt CrFacetCorners(const CrModel *model, const PetscInt *ncorners, const PetscInt *corners,
                        PetscInt f, const PetscReal *u, PetscReal x[4][3]);
void     CrFacetCentre(PetscInt ncorners, PetscReal x[4][3], PetscReal centre[3]);
/* Lists the facets around each node, ascending, as compressed rows. index[] numbers the local nodes; -1: a node has no
   row. start has n + 2 entries, which must be zero. *around is allocated. */
PetscErrorCode CrFacetsAround(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                              const PetscInt *index, PetscInt n, PetscInt *start,
                              PetscInt **around);
/* Finds the facet beyond each edge and stores it in neighbour[nfacets*4]; -1: the edge is open. Edge a runs from
   corner a to the next; of a segment, edge a is its end a. */
PetscErrorCode CrEdgesMatch(PetscInt nfacets, const PetscInt *ncorners, const PetscInt *corners,
                            PetscInt *neighbour);
