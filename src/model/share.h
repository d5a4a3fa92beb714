/* Declarations for the distribution of meshes over the ranks: the part of each rank (share), the order of nodes, the
   register of nodes, and facets. Only those files of src/model that distribute the mesh include this header. */
#pragma once

#include <stdint.h>
#include "base/mail.h"
#include "model/model.h"

/* The part of a named set on this rank. */
typedef struct {
  char      name[64];
  PetscInt  body, nnodes, nfacets;
  PetscInt *nodes, *facets; /* numbers of nodes and facets of CrShare; owned */
  PetscBool is_surface;     /* the set has facets on some rank */
  PetscBool touches;        /* `contact:` names this surface, so every rank gets all of it */
  /* a boundary of which `contact:` names only parts: every rank gets the facets beside these parts */
  PetscBool beside;
} CrShareSet;

/* The part of the meshes of all bodies on a rank, before nodes and cells are sent to their owners: a range of the cells
   of each body, and the nodes of these cells. A node may be on several ranks. All sets are on every rank, in the same
   order. */
typedef struct {
  PetscInt    dim, nnodes, ncells, nfacets, nsets;
  PetscInt    all_nodes, all_cells; /* numbers summed over all ranks */
  PetscReal  *X;                    /* owned, like all arrays below */
  PetscInt   *number;               /* [nnodes] natural, ascending */
  PetscInt   *node_body, *cell_number, *cell_type, *cell_body;
  PetscInt   *cell_offset, *cell_nodes; /* compressed rows; numbers of nodes on this rank */
  PetscInt   *facet_cell, *facet_face;
  CrShareSet *sets;
} CrShare;

/* An order of nodes in which neighbours in space are neighbours in memory: the order of natural numbers, or along a
   space-filling curve, body after body. */
typedef struct {
  PetscInt  dim;
  PetscBool along_curve;
  PetscReal low[3], size; /* lowest corner and size of the box that the curve fills */
} CrOrder;

/* A node to be ordered: first by `group`, then in the order. */
typedef struct {
  PetscInt group, body, node, index;
  uint64_t position;
} CrOrderPlace;

/* The register of nodes: a rank keeps the entries of a range of natural numbers. Other ranks may own these nodes. */
typedef struct {
  /* number of nodes of all ranks; first number and length of the range of this rank */
  PetscInt   all, begin, n;
  PetscInt  *body, *owner, *global; /* [n] owned, like all below */
  PetscReal *X;
  PetscInt   nmembers;
  PetscInt  *member_node, *member_set; /* sets of the nodes; ordered by node */
} CrRegister;

typedef struct {
  PetscInt natural, local; /* natural: -1 for a free entry */
} CrNodeEntry;

/* A map from natural numbers to local numbers: a table if the natural numbers lie close together, otherwise a hash
   table. */
typedef struct {
  PetscInt     low, span, *table; /* owned, like all below; NULL: the hash table */
  int          bits;              /* the hash table has two to this power of entries */
  CrNodeEntry *entries;
} CrNodeMap;

PetscErrorCode CrNodeMapCreate(PetscInt n, const PetscInt *natural, CrNodeMap *map);
PetscInt       CrNodeMapFind(const CrNodeMap *map,
                             /* returns -1 if the map does not contain the number */
                             PetscInt natural);
PetscErrorCode CrNodeMapDestroy(CrNodeMap *map);

/* Joins this rank's parts of the meshes of all bodies, and sets the ranges of nodes and cells of the bodies.
   Refuses degenerate cells. Collective. */
PetscErrorCode CrShareCreate(const CrDeck *deck, CrModel *model, CrShare *share);
PetscErrorCode CrShareDestroy(CrShare *share);
/* Returns the height of the layer of nodes behind facet f: the volume of its cell divided by the area of the facet; for
   a triangle or tetrahedron, the altitude. Cells of second order have two such layers. */
PetscReal CrShareHeight(const CrShare *share, PetscInt f);
/* Decides which rank computes each cell of the share. Collective. */
PetscErrorCode CrSharePartition(MPI_Comm comm, const CrShare *share, PetscInt *part);
/* Chooses the order of nodes. Collective. */
PetscErrorCode CrOrderChoose(MPI_Comm comm, const CrShare *share, CrOrder *order);
CrOrderPlace   CrOrderAt(const CrOrder *order, PetscInt group, PetscInt body, PetscInt node,
                         PetscInt index, const PetscReal *X);
void           CrOrderSort(PetscInt n, CrOrderPlace *places);
/* Registers all nodes of the shares and chooses their owners; owner[] are the owners of the nodes of the share.
   Collective. */
PetscErrorCode CrRegisterCreate(MPI_Comm comm, const CrShare *share, const PetscInt *part,
                                const CrOrder *order, CrRegister *reg, PetscInt *owner);
PetscErrorCode CrRegisterDestroy(CrRegister *reg);
/* Sends the nodes to their owners. *n is the number of nodes that this rank owns, and the arrays have their places in
   the order and their coordinates. The register gets their global numbers, which begin with *first. Collective. */
PetscErrorCode CrRegisterOwned(MPI_Comm comm, CrRegister *reg, const CrOrder *order,
                               PetscInt *first, PetscInt *n, CrOrderPlace **places, PetscReal **X);
/* Looks up n nodes of any owner: global number, body, coordinates. The members (pairs of node and set, of owned and of
   requested nodes) are in any order. Collective. */
PetscErrorCode CrRegisterFind(MPI_Comm comm, const CrRegister *reg, PetscInt dim, PetscInt n,
                              const PetscInt *nodes, PetscInt *global, PetscInt *body, PetscReal *X,
                              PetscInt *nmembers, PetscInt **members);
/* Finds the nodes of a share that belong to contact surfaces. Other ranks may have the facets of these surfaces.
   Collective. */
PetscErrorCode CrRegisterTouching(MPI_Comm comm, const CrRegister *reg, const CrShare *share,
                                  PetscInt *touching);
/* Adds a rank to a list, unless the list contains it. */
void CrAddRank(PetscInt rank, PetscInt *n, PetscInt ranks[]);
/* Functions of facets.c. CrFacetsSend sends facets to the ranks that need them, CrFacetsNodes returns the natural
   numbers of the nodes of a facet, and CrFacetsFill adds the facets to the sets of the model. CrMembersFill adds nodes
   to the sets: n pairs of natural number and set, which it sorts. */
PetscErrorCode CrSetsCreate(CrModel *model, const CrShare *share);
PetscErrorCode CrFacetsSend(MPI_Comm comm, const CrShare *share, const CrRegister *reg,
                            const PetscInt *owner, CrPost *post);
PetscInt       CrFacetsNodes(const CrPost *facets, PetscInt k, const PetscInt **nodes);
PetscErrorCode CrFacetsFill(CrModel *model, const CrNodeMap *map, const CrPost *facets);
PetscErrorCode CrMembersFill(CrModel *model, const CrNodeMap *map, PetscInt n, PetscInt *members);
/* Sends every rank its part of the mesh: nodes, blocks, sets. The share is destroyed. Collective. */
PetscErrorCode CrModelDistribute(CrModel *model, CrShare *share);
