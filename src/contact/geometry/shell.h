/* A shell is a contact surface in its current configuration, with functions for the signed distance of points from it.
   Contact itself does not use this distance. So the distance does not depend on the facets that contact chooses.

   The sign comes from the nearest feature: a facet, an edge or a vertex. Edges and vertices have pseudo-normals:
   sums of the normals of their facets, in 3D at vertices weighted by angles (Baerentzen and Aanaes 2005). A
   quadrilateral counts as the four triangles around its centre. */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"

typedef struct {
  const CrSurface *surface; /* borrowed */
  /* [4 nfacets] indices of the corners in surface->nodes; owned, like all arrays below */
  PetscInt  *at;
  PetscReal *x;      /* [3 nnodes] positions */
  PetscReal  box[6]; /* box around the nodes below: three least coordinates, three greatest */
  PetscReal  moved;  /* upper bound of the distance that a node has moved, summed over all calls */
  /* The part of the surface that queries search, ascending: facets, and nodes that have a position. A rank may leave
     out facets that are far from all its points. */
  PetscInt  nfacets, nnodes;
  PetscInt *facets, *nodes; /* [nfacets] of the surface; [nnodes] indices in surface->nodes */
  PetscInt  nedges;         /* 3D: number of sharp convex edges */
  PetscInt *edges;          /* [2 nedges] indices of the nodes of these edges in surface->nodes */
  /* The tree of facets. The boxes of the tree are wider than the facets by a margin. The tree is updated only after the
     nodes have moved farther than this margin. */
  CrTree    *tree;
  PetscReal *boxes, fitted;
  PetscBool  is_placed, is_fitted;
} CrShell;

/* The closest point of a shell to a given point, and their distance. */
typedef struct {
  PetscReal distance; /* negative: inside */
  PetscReal foot[3];
  PetscInt  facet;
  PetscBool rim; /* the closest point lies on an open edge, so the sign has no meaning */
} CrShellFoot;

/* Creates a shell of a surface. An edge is sharp if the angle between its two facets in the reference shape is above
   `corner` degrees. */
PetscErrorCode CrShellCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                             CrShell **shell);
PetscErrorCode CrShellDestroy(CrShell **shell);
/* Restricts the shell to facets and nodes that are marked (one char for each of the surface); NULL: to all. Call
   CrShellPlace and CrShellFit before the next query. */
PetscErrorCode CrShellRestrict(CrShell *shell, const char *facets, const char *nodes);
/* Moves the nodes to the displacements u; NULL: to the reference shape. Returns the greatest displacement of a node
   that this rank owns, and adds it to `moved`. */
PetscReal CrShellPlace(const CrModel *model, const PetscReal *u, CrShell *shell);
/* Updates the tree of facets. Call it after CrShellPlace, before any query. */
PetscErrorCode CrShellFit(CrShell *shell);
/* Finds the facets whose boxes meet `box` (2 dim numbers), ascending. Returns their number, at most `room`. */
PetscInt CrShellQuery(const CrShell *shell, const PetscReal *box, PetscInt room, PetscInt *found);
void     CrShellFootOf(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot);
/* If the closest point lies on a quadrilateral, moves it to the bilinear surface, which elements and contact use. The
   four triangles differ from this surface if the quadrilateral is warped. */
void CrShellRefine(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot);
/* Returns the penetration of the straight edge from p to q; 0: there is none. The penetration is the least displacement
   along the normal of a closest point that moves the edge out of the body. found has `room` entries. */
PetscReal CrShellEdgeDepth(const CrShell *shell, const PetscReal p[3], const PetscReal q[3],
                           PetscInt room, PetscInt *found, CrShellFoot *foot);
/* Returns true if a point is inside a closed shell. The test follows two rays from the point, because one ray may pass
   exactly through an edge. Self-contact needs this test, because the closest facet to a node is its own. found has
   `room` entries. */
PetscBool CrShellIsInside(const CrShell *shell, const PetscReal x[3], PetscInt room,
                          PetscInt *found);
/* Finds the closest point to node i on facets that share no node with the facets of node i, and its distance. facet is
   -1 if there is no such facet. */
void CrShellOtherFoot(const CrShell *shell, PetscInt i, CrShellFoot *foot);
/* Computes the unit normal at node i from the normals of its facets, weighted by angles in 3D. The normal is zero at an
   open edge. */
void CrShellNodeNormal(const CrShell *shell, PetscInt i, PetscReal normal[3]);
/* Return the number of parts of a facet (segments or triangles), and the corners of part k. A part of a quadrilateral
   has corner k, the next corner, and the centre. */
PetscInt CrShellParts(const CrShell *shell, PetscInt facet);
void     CrShellPart(const CrShell *shell, PetscInt facet, PetscInt k, PetscReal p[3][3]);
/* Return the position of corner a of a facet, and the unit normal of a facet. */
const PetscReal *CrShellCorner(const CrShell *shell, PetscInt facet, PetscInt a);
void             CrShellNormal(const CrShell *shell, PetscInt facet, PetscReal normal[3]);
