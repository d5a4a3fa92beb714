/* A contact surface at its present place: how far points lie outside or inside of it. Contact itself does not use
   it, so that its answer is independent of which facets contact looks at.

   The sign comes from the nearest feature: a facet, an edge or a vertex. Edges and vertices have pseudo-normals:
   sums of the normals of their facets, in 3D at vertices weighted by angles (Baerentzen and Aanaes 2005). A
   quadrilateral counts as the four triangles around its centre. */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"

typedef struct {
  const CrSurface *surface; /* borrowed */
  PetscInt        *at;      /* [4 nfacets] index of the corners in surface->nodes; owned, as all */
  PetscReal       *x;       /* [3 nnodes] positions */
  PetscReal        box[6];  /* of all nodes: three least coordinates, three greatest */
  PetscReal        moved;   /* no node has gone farther than this, added up over all calls */
  PetscInt         nedges;  /* 3D: sharp convex edges, */
  PetscInt        *edges;   /* [2 nedges] by the indices of their nodes in surface->nodes */
  /* the tree of facets, whose boxes are wider than the facets: it is fitted only when they have moved more */
  CrTree    *tree;
  PetscReal *boxes, fitted;
  PetscBool  is_placed, is_fitted;
} CrShell;

/* The place where a point is nearest to a shell. */
typedef struct {
  PetscReal distance; /* negative: inside */
  PetscReal foot[3];
  PetscInt  facet;
  PetscBool rim; /* the foot lies on an open edge, so that the sign means nothing */
} CrShellFoot;

/* Edges are sharp where the normals of the reference shape turn by more than `corner` degrees. */
PetscErrorCode CrShellCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                             CrShell **shell);
PetscErrorCode CrShellDestroy(CrShell **shell);
/* Moves the nodes to the displacements u; NULL: to the reference shape. */
void CrShellPlace(const CrModel *model, const PetscReal *u, CrShell *shell);
/* Before any question about the place: makes the tree. */
PetscErrorCode CrShellFit(CrShell *shell);
void           CrShellFootOf(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot);
/* How deep a straight edge from p to q dips into the shell between two facets that it pierces: the smaller of the
   two ways out along their normals; 0: it does not. found has `room` entries. */
PetscReal CrShellEdgeDepth(const CrShell *shell, const PetscReal p[3], const PetscReal q[3],
                           PetscInt room, PetscInt *found, CrShellFoot *foot);
/* For self-contact, where the nearest feature of a node is its own facet: is a point inside a closed shell? It is if two
   rays say so, because a ray may graze an edge. found has `room` entries. */
PetscBool CrShellIsInside(const CrShell *shell, const PetscReal x[3], PetscInt room,
                          PetscInt *found);
/* The nearest facet that is not beside node i, its distance from the node, and the foot; facet -1: there is none. */
void CrShellOtherFoot(const CrShell *shell, PetscInt i, CrShellFoot *foot);
/* The sum of the normals around node i, of unit length. */
void CrShellNodeNormal(const CrShell *shell, PetscInt i, PetscReal normal[3]);
/* The parts of a facet, segments or triangles: their number, and the corners of part k. Of a quadrilateral: corner k, the
   next one, the centre. */
PetscInt CrShellParts(const CrShell *shell, PetscInt facet);
void     CrShellPart(const CrShell *shell, PetscInt facet, PetscInt k, PetscReal p[3][3]);
/* Position of corner a of a facet; its unit normal. */
const PetscReal *CrShellCorner(const CrShell *shell, PetscInt facet, PetscInt a);
void             CrShellNormal(const CrShell *shell, PetscInt facet, PetscReal normal[3]);
