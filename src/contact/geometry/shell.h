/* A shell is a contact surface in its current configuration, with functions that compute the signed distance of points
   from this surface. The contact search does not use this distance. So the distance is independent of the facets that
   the contact search chooses.

   The sign of the distance follows from the normal of the nearest feature, which is a facet, an edge or a vertex. Edges
   and vertices have pseudo-normals, which are sums of the normals of their facets. At vertices in 3D these sums are
   weighted by angles (Baerentzen and Aanaes 2005). A quadrilateral is replaced by the four triangles around its
   centre. */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"

typedef struct {
  const CrSurface *surface; /* borrowed */
  PetscReal box[6]; /* box around all nodes in `nodes`: three least coordinates, three greatest */
  /* greatest displacements of the nodes, summed over all calls of CrShellPlace */
  PetscReal moved;
  /* The part of the surface in which queries search: some facets, and the nodes whose positions are known, both
     ascending. A rank may leave out facets that are far from all its contact points. Arrays are as long as this part
     of the surface, and not as long as the whole surface. */
  PetscInt nfacets, nnodes;
  /* [nfacets] facets of the surface; [nnodes] indices in surface->nodes; owned, like all arrays below */
  PetscInt  *facets, *nodes;
  PetscReal *x; /* [3 nnodes] current positions of the nodes (CrShellNode) */
  /* Facets whose corners are all in `nodes`, ascending. They are `facets` and the facets around the corners of these,
     on which normals depend. at[4 nknown] are the places of their corners in `nodes`. */
  PetscInt  nknown, *known, *at;
  PetscBool whole;  /* the part is the whole surface: known[f] is f, and nodes[i] is i */
  PetscInt  nedges; /* 3D: number of sharp convex edges */
  PetscInt *edges;  /* [2 nedges] indices of the nodes of these edges in surface->nodes */
  /* The search tree of the facets. Its boxes are wider than the facets by a margin. The tree is updated only after the
     nodes have moved farther than this margin. */
  CrTree    *tree;
  PetscReal *boxes, fitted;
  PetscBool  is_placed, is_fitted;
} CrShell;

/* The point of a shell that is closest to a given point, and the distance of the two points. */
typedef struct {
  PetscReal distance; /* signed distance; negative: the point is inside */
  PetscReal foot[3];
  PetscInt  facet;
  PetscBool rim; /* the closest point lies on an open edge, so the sign has no meaning */
} CrShellFoot;

/* Creates a shell of a surface. An edge is sharp if the normals of its two facets in the reference shape differ by more
   than `corner` degrees. */
PetscErrorCode CrShellCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                             CrShell **shell);
PetscErrorCode CrShellDestroy(CrShell **shell);
/* Restricts the shell to the marked facets and nodes. facets[] and nodes[] have one char for each facet and node of the
   surface, which is not zero if the item is marked. NULL marks all items. The corners of marked facets must be marked,
   and also the corners of all facets around these corners. Call CrShellPlace and CrShellFit before the next query. */
PetscErrorCode CrShellRestrict(const CrModel *model, CrShell *shell, const char *facets,
                               const char *nodes);
/* Moves the nodes of the shell to the displacements u; NULL: to the reference shape. Returns the greatest distance by
   which a node of this rank has moved since the last call, and adds it to shell->moved. */
PetscReal CrShellPlace(const CrModel *model, const PetscReal *u, CrShell *shell);
/* Updates the search tree of the facets. Call this function after CrShellPlace, before any query. */
PetscErrorCode CrShellFit(CrShell *shell);
/* Finds the facets whose boxes intersect `box`, ascending. `box` has 2*dim numbers: least coordinates, then greatest.
   found[] gets the facets. Returns their number, at most `room`. */
PetscInt CrShellQuery(const CrShell *shell, const PetscReal *box, PetscInt room, PetscInt *found);
void     CrShellFootOf(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot);
/* Moves a closest point on a quadrilateral from its four triangles to the bilinear surface, which elements and contact
   use. The triangles differ from the bilinear surface if the quadrilateral is warped. */
void CrShellRefine(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot);
/* Returns the penetration of the straight edge from p to q into the body; 0: there is none. The penetration is the
   least displacement that moves the edge out of the body, along the normal at a closest point. *foot gets this closest
   point. found[] is work space of `room` entries. */
PetscReal CrShellEdgeDepth(const CrShell *shell, const PetscReal p[3], const PetscReal q[3],
                           PetscInt room, PetscInt *found, CrShellFoot *foot);
/* Returns true if the point x is inside a closed shell. The test follows two rays from the point, because one ray may
   pass exactly through an edge. Self-contact needs this test, because the facet closest to a node is one of the node's
   own facets. found[] is work space of `room` entries. */
PetscBool CrShellIsInside(const CrShell *shell, const PetscReal x[3], PetscInt room,
                          PetscInt *found);
/* Finds the point closest to node i on facets that share no node with the facets of node i. foot->facet is -1 if there
   is no such facet. */
void CrShellOtherFoot(const CrShell *shell, PetscInt i, CrShellFoot *foot);
/* Computes the unit normal at node i as the mean of the normals of its facets, in 3D weighted by angles. The normal is
   zero if node i is on an open edge. */
void CrShellNodeNormal(const CrShell *shell, PetscInt i, PetscReal normal[3]);
/* A facet consists of parts, which are segments or triangles. CrShellParts returns the number of parts of a facet.
   CrShellPart computes the corners p of part k. Part k of a quadrilateral has corner k, the next corner, and the
   centre. */
PetscInt CrShellParts(const CrShell *shell, PetscInt facet);
void     CrShellPart(const CrShell *shell, PetscInt facet, PetscInt k, PetscReal p[3][3]);
/* Returns the position of node i of the surface, which must be one of the nodes of the shell. */
const PetscReal *CrShellNode(const CrShell *shell, PetscInt i);
/* CrShellCorner returns the position of corner a of a facet. CrShellNormal computes the unit normal of a facet. */
const PetscReal *CrShellCorner(const CrShell *shell, PetscInt facet, PetscInt a);
void             CrShellNormal(const CrShell *shell, PetscInt facet, PetscReal normal[3]);
