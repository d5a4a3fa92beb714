/* A Gmsh file in chunks. Rank 0 scans the file and tells the other ranks which bytes contain which nodes and elements.
   Every rank then reads its share of both, and the ranks make the parts of the mesh together. These functions reject a
   file with unusual contents or mistakes. The reader of whole files then reads it, or prints an error. */
#pragma once

#include "mesh/boundary.h"
#include "mesh/readers/gmsh_formats.h"

/* A range of nodes or elements of one block of the file. One rank reads the range. In text files every node or element
   has its own line. */
typedef struct {
  PetscInt    first;      /* number of the first node or element in the file, from 0 */
  CrGmshBlock block;      /* header of the block; n is the number of entries of the stretch */
  int64_t     begin, end; /* bytes of the file */
  int64_t     points_begin, points_end; /* coordinates of nodes (4.1) */
} CrGmshStretch;

/* Data about the file that every rank has. */
typedef struct {
  struct {
    /* first byte of the section, and end; end = 0: the file has no such section */
    int64_t begin, end;
  } sections[CR_GMSH_NSECTIONS];
  PetscInt  version, nnodes, nelements;
  PetscBool binary, swap, partitioned;
} CrGmshFacts;

/* The file, data about it, and the ranges of nodes and elements (stretches) that this rank reads. */
typedef struct {
  CrGmshFacts    facts;
  PetscInt       nnodes, nelements; /* numbers of stretches */
  CrGmshStretch *nodes, *elements;  /* owned */
} CrGmshPlan;

/* Scans the file, on rank 0 only. No stretch is longer than `most`. Each rank reads an equal number of nodes and of
   elements. Collective. */
PetscErrorCode CrGmshPlanCreate(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                                CrGmshPlan *plan);
PetscErrorCode CrGmshPlanDestroy(CrGmshPlan *plan);
/* Reads names, entities, and the nodes and elements of this rank. Nodes of elements are tags. Not collective. */
PetscErrorCode CrGmshReadStretches(const CrGmshPlan *plan, CrGmsh *g);
/* Reads bytes of a file into g->text, and puts the cursor there. */
PetscErrorCode CrGmshLoad(CrGmsh *g, int64_t begin, int64_t end);

/* ---- nodes of the file in shares ----------------------------------------------------------- */

/* Data about nodes that the ranks collect together. A rank keeps its share of the nodes of the file. A rank also has
   the nodes that its elements use; lists[].nodes are indices into these nodes. */
typedef struct {
  MPI_Comm    comm;
  PetscMPIInt rank, size;
  /* number of nodes of the file; first node and number of nodes that this rank keeps */
  PetscInt all, begin, n;
  /* [n] number of each kept node in the mesh; -1: no cell uses it; owned, like all arrays below */
  PetscInt *kept_number;
  PetscInt  nknown; /* number of nodes that elements of this rank use */
  /* [nknown] numbers of these nodes in the file, and in the mesh (-1: no cell uses the node) */
  PetscInt *index, *number;
  /* number of nodes of the mesh; [size + 1] first node that each rank keeps */
  PetscInt nnodes, *starts;
} CrGmshShared;

/* Finds the nodes that elements name, and numbers those of cells in the order of the file. Refuses nodes that are
   missing or given twice, and 2D meshes that are not flat. Collective. */
PetscErrorCode CrGmshShareNodes(CrGmsh *g, CrGmshShared *shared);
PetscErrorCode CrGmshSharedDestroy(CrGmshShared *shared);
/* Warns of nodes at the same position, as the reader of whole files does. Collective. */
PetscErrorCode CrGmshWarnOfDoubles(const CrGmsh *g, const CrGmshShared *shared);
/* Looks up n nodes of the mesh, by their numbers, at the ranks that keep them: coordinates, and how many ranks have
   asked. Collective. */
PetscErrorCode CrGmshFindPoints(const CrGmsh *g, const CrGmshShared *shared, PetscInt n,
                                const PetscInt *numbers, PetscReal *X, PetscInt *askers);

/* ---- the part of the mesh ------------------------------------------------------------------ */

/* Makes the part of this rank, as CrMeshDeal would. Collective. */
PetscErrorCode CrGmshMakePart(CrGmsh *g, CrGmshShared *shared, CrMeshPart *part);
/* Adds physical groups as sets of the part, after "boundary". Collective. */
PetscErrorCode CrGmshMakePartSets(CrGmsh *g, const CrGmshShared *shared, const CrBoundaryBook *book,
                                  CrMeshPart *part);

/* Reads the part of this rank from a file. part->mesh is NULL if the file must be read as a whole. Collective. */
PetscErrorCode CrGmshReadPart(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                              CrMeshPart *part);
