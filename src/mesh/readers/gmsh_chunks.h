/* Reads a Gmsh file in parallel. Rank 0 scans the file and tells the other ranks which bytes contain which nodes and
   elements. Every rank then reads a part of both, and the ranks make the parts of the mesh together. The functions of
   this file reject a file with unusual contents or mistakes. The reader of whole files (gmsh.h) then reads the file, or
   reports the error. */
#pragma once

#include "mesh/boundary.h"
#include "mesh/readers/gmsh_formats.h"

/* A stretch is a range of consecutive nodes or elements of one block of the file. One rank reads the stretch. In text
   files every node or element has its own line. */
typedef struct {
  PetscInt first; /* number of the first node or element in the file, from 0 */
  /* header of the block, but block.n is the number of nodes or elements of the stretch */
  CrGmshBlock block;
  int64_t     begin, end;               /* first byte of the stretch in the file, and end */
  int64_t     points_begin, points_end; /* format 4.1: bytes of the coordinates of nodes */
} CrGmshStretch;

/* Data about the file that every rank has. */
typedef struct {
  struct {
    /* first byte of the section in the file, and end; end = 0: the file has no such section */
    int64_t begin, end;
  } sections[CR_GMSH_NSECTIONS];
  PetscInt  version, nnodes, nelements;
  PetscBool binary, swap, partitioned;
} CrGmshFacts;

/* The data about the file, and the stretches of nodes and elements that this rank reads. */
typedef struct {
  CrGmshFacts    facts;
  PetscInt       nnodes, nelements; /* numbers of stretches with nodes, and with elements */
  CrGmshStretch *nodes, *elements;  /* owned */
} CrGmshPlan;

/* Scans the file on rank 0, and distributes the stretches over the ranks. No stretch has more than `most` nodes or
   elements. All ranks read about equal numbers of nodes and of elements. Collective. */
PetscErrorCode CrGmshPlanCreate(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                                CrGmshPlan *plan);
PetscErrorCode CrGmshPlanDestroy(CrGmshPlan *plan);
/* Reads into g the names, the entities, and the stretches of this rank. The nodes of elements are stored as tags. Not
   collective. */
PetscErrorCode CrGmshReadStretches(const CrGmshPlan *plan, CrGmsh *g);
/* Reads the bytes from `begin` to `end` of the file into g->text, and sets the cursor to their start. */
PetscErrorCode CrGmshLoad(CrGmsh *g, int64_t begin, int64_t end);

/* ---- nodes of the file, distributed over the ranks ----------------------------------------- */

/* Data about nodes, which are distributed over the ranks. Each rank stores a range of the nodes of the file (kept
   nodes). Each rank also has the nodes that its elements use. The arrays lists[].nodes of CrGmsh are indices into the
   nodes that elements use. */
typedef struct {
  MPI_Comm    comm;
  PetscMPIInt rank, size;
  /* number of nodes of the file; first node and number of the nodes that this rank stores */
  PetscInt all, begin, n;
  /* [n] number of each kept node in the mesh; -1: no cell uses the node; owned, like all arrays below */
  PetscInt *kept_number;
  PetscInt  nknown; /* number of nodes that elements of this rank use */
  /* [nknown] numbers of the nodes that elements use, in the file and in the mesh (-1: no cell uses the node) */
  PetscInt *index, *number;
  /* number of nodes of the mesh; [size + 1] first node of the mesh that each rank stores */
  PetscInt nnodes, *starts;
} CrGmshShared;

/* Finds the nodes that elements use, and numbers the nodes of cells in the order of the file. Refuses nodes that are
   missing or given twice, and 2D meshes that are not flat. Collective. */
PetscErrorCode CrGmshShareNodes(CrGmsh *g, CrGmshShared *shared);
PetscErrorCode CrGmshSharedDestroy(CrGmshShared *shared);
/* Warns of nodes at the same position, as the reader of whole files does. Collective. */
PetscErrorCode CrGmshWarnOfDoubles(const CrGmsh *g, const CrGmshShared *shared);
/* Looks up n nodes of the mesh, given by their numbers, at the ranks that store them. X gets their coordinates.
   askers[] gets the number of ranks that have requested each node. Collective. */
PetscErrorCode CrGmshFindPoints(const CrGmsh *g, const CrGmshShared *shared, PetscInt n,
                                const PetscInt *numbers, PetscReal *X, PetscInt *askers);

/* ---- the part of the mesh ------------------------------------------------------------------ */

/* Makes this rank's part of the mesh. The part is the same that CrMeshDeal would make from the whole mesh.
   Collective. */
PetscErrorCode CrGmshMakePart(CrGmsh *g, CrGmshShared *shared, CrMeshPart *part);
/* Adds the physical groups of Gmsh to the part as sets, after the set "boundary". Collective. */
PetscErrorCode CrGmshMakePartSets(CrGmsh *g, const CrGmshShared *shared, const CrBoundaryBook *book,
                                  CrMeshPart *part);

/* Reads this rank's part of the mesh from a file. part->mesh is NULL if the file must be read as a whole. `most` is the
   greatest length of a stretch. Collective. */
PetscErrorCode CrGmshReadPart(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                              CrMeshPart *part);
