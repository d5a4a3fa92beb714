/* Declarations for the distribution of meshes over the MPI ranks. A share is the part of the meshes that a rank has
   read or made, before nodes and cells are sent to the ranks that own them. Only the files of src/model that distribute
   the mesh include this header. */
#pragma once

#include <stdint.h>
#include "base/mail.h"
#include "model/model.h"

/* The part of a named set of nodes and facets that is in the share of this rank. */
typedef struct {
  char      name[64];
  PetscInt  body, nnodes, nfacets;
  PetscInt *nodes, *facets; /* numbers of its nodes and facets in the arrays of CrShare; owned */
  PetscBool is_surface;     /* the set has facets on some rank */
  PetscBool touches;        /* `contact:` names this surface, so every rank gets all of it */
  /* the set is a whole boundary, and `contact:` names parts of it: every rank gets the facets next to these parts */
  PetscBool beside;
} CrShareSet;

/* The share of a rank: a range of the cells of each body, and the nodes of these cells. A node may be in the shares of
   several ranks. Every rank has entries for all named sets, in the same order. */
typedef struct {
  PetscInt   dim, nnodes, ncells, nfacets, nsets;
  PetscInt   all_nodes, all_cells; /* numbers summed over all ranks */
  PetscReal *X;                    /* owned, like all arrays below */
  PetscInt  *number;               /* [nnodes] natural numbers of the nodes, ascending */
  PetscInt  *node_body, *cell_number, *cell_type, *cell_body;
  /* nodes of the cells as compressed rows; numbers of nodes in this share */
  PetscInt   *cell_offset, *cell_nodes;
  PetscInt   *facet_cell, *facet_face;
  CrShareSet *sets;
} CrShare;

/* An order of nodes in which neighbours in space are mostly neighbours in memory. The order is that of natural numbers,
   or that along a space-filling curve, body after body. */
typedef struct {
  PetscInt  dim;
  PetscBool along_curve;
  PetscReal low[3], size; /* lowest corner and size of the box that the curve fills */
} CrOrder;

/* A node with its sort key: nodes are sorted by `group`, then by the order of CrOrder. */
typedef struct {
  PetscInt group, body, node, index;
  uint64_t position;
} CrOrderPlace;

/* The register of nodes is a table of all nodes, which is distributed over the ranks. Each rank stores the entries of a
   range of natural numbers. Other ranks may own these nodes. */
typedef struct {
  /* number of all nodes; first natural number and length of the range that this rank stores */
  PetscInt   all, begin, n;
  PetscInt  *body, *owner, *global; /* [n] owned, like all below */
  PetscReal *X;
  PetscInt   nmembers;
  /* pairs of a node and a set that contains it; sorted by node */
  PetscInt *member_node, *member_set;
} CrRegister;

typedef struct {
  /* natural and local number of a node; natural = -1: the entry is empty */
  PetscInt natural, local;
} CrNodeEntry;

/* A map from natural numbers to local numbers: a table if the natural numbers lie close together, otherwise a hash
   table. */
typedef struct {
  /* table[natural - low] is the local number; NULL: the hash table is used; owned, like all below */
  PetscInt     low, span, *table;
  int          bits; /* the hash table has 2^bits entries */
  CrNodeEntry *entries;
} CrNodeMap;

PetscErrorCode CrNodeMapCreate(PetscInt n, const PetscInt *natural, CrNodeMap *map);
PetscInt
               CrNodeMapFind(const CrNodeMap *map,
                             /* returns the local number; -1 if the map does not contain the natural number */
                             PetscInt natural);
PetscErrorCode CrNodeMapDestroy(CrNodeMap *map);

/* Joins this rank's parts of the meshes of all bodies, and sets the ranges of nodes and cells of the bodies.
   Refuses degenerate cells. Collective. */
PetscErrorCode CrShareCreate(const CrDeck *deck, CrModel *model, CrShare *share);
PetscErrorCode CrShareDestroy(CrShare *share);
/* Returns the distance between facet f and the next layer of nodes behind it. This distance is the height of the cell,
   or half of the height for cells of second order. The height is the volume of the cell divided by the area of the
   facet; for a triangle or tetrahedron, the altitude. */
PetscReal CrShareHeight(const CrShare *share, PetscInt f);
/* Decides which rank computes each cell of the share. Collective. */
PetscErrorCode CrSharePartition(MPI_Comm comm, const CrShare *share, PetscInt *part);
/* Chooses the order of nodes in memory. Collective. */
PetscErrorCode CrOrderChoose(MPI_Comm comm, const CrShare *share, CrOrder *order);
CrOrderPlace   CrOrderAt(const CrOrder *order, PetscInt group, PetscInt body, PetscInt node,
                         PetscInt index, const PetscReal *X);
void           CrOrderSort(PetscInt n, CrOrderPlace *places);
/* Builds the register from the nodes of all shares, and chooses the rank that owns each node. owner[] gets the owners
   of the nodes of this share. Collective. */
PetscErrorCode CrRegisterCreate(MPI_Comm comm, const CrShare *share, const PetscInt *part,
                                const CrOrder *order, CrRegister *reg, PetscInt *owner);
PetscErrorCode CrRegisterDestroy(CrRegister *reg);
/* Sends the nodes to their owners. *n is the number of nodes that this rank owns, *places are their sort keys, and *X
   their coordinates. The global numbers of these nodes begin with *first, and are entered into the register.
   Collective. */
PetscErrorCode CrRegisterOwned(MPI_Comm comm, CrRegister *reg, const CrOrder *order,
                               PetscInt *first, PetscInt *n, CrOrderPlace **places, PetscReal **X);
/* Looks up the global number, body and coordinates of n nodes in the register, given by natural numbers. *members gets
   pairs of a node and a set that contains it, for owned and requested nodes, in any order. Collective. */
PetscErrorCode CrRegisterFind(MPI_Comm comm, const CrRegister *reg, PetscInt dim, PetscInt n,
                              const PetscInt *nodes, PetscInt *global, PetscInt *body, PetscReal *X,
                              PetscInt *nmembers, PetscInt **members);
/* Marks in touching[] the nodes of a share that belong to contact surfaces. Other ranks may have the facets of these
   surfaces. Collective. */
PetscErrorCode CrRegisterTouching(MPI_Comm comm, const CrRegister *reg, const CrShare *share,
                                  PetscInt *touching);
/* Adds a rank to a list of *n ranks, unless the list contains it. */
void CrAddRank(PetscInt rank, PetscInt *n, PetscInt ranks[]);
/* Functions of facets.c for the sets of the model. CrSetsCreate creates the sets. CrFacetsSend sends facets to the
   ranks that need them. CrFacetsNodes returns the natural numbers of the nodes of facet k. CrFacetsFill adds the
   received facets to the sets. CrMembersFill adds nodes to the sets; `members` contains n pairs of natural node number
   and set, which the function sorts. */
PetscErrorCode CrSetsCreate(CrModel *model, const CrShare *share);
PetscErrorCode CrFacetsSend(MPI_Comm comm, const CrShare *share, const CrRegister *reg,
                            const PetscInt *owner, CrPost *post);
PetscInt       CrFacetsNodes(const CrPost *facets, PetscInt k, const PetscInt **nodes);
PetscErrorCode CrFacetsFill(CrModel *model, const CrNodeMap *map, const CrPost *facets);
PetscErrorCode CrMembersFill(CrModel *model, const CrNodeMap *map, PetscInt n, PetscInt *members);
/* Sends every rank its part of the mesh: nodes, blocks of elements, and sets. Destroys the share. Collective. */
PetscErrorCode CrModelDistribute(CrModel *model, CrShare *share);
