/* Sections, blocks and records of the two formats of Gmsh. */
#pragma once

#include "mesh/readers/gmsh.h"

/* A block of nodes or elements, as its head describes it. */
typedef struct {
  int64_t  n;
  PetscInt label;      /* the entity (4.1) */
  int      shape;      /* shape of the elements */
  int64_t  ntags;      /* number of tags of each element (2.2) */
  PetscInt parameters; /* numbers behind the coordinates of each node (4.1) */
} CrGmshBlock;

/* Whole sections, at whose begin the cursor stands. */
PetscErrorCode CrGmshReadFormat(CrGmsh *g);
PetscErrorCode CrGmshReadNames(CrGmsh *g);
PetscErrorCode CrGmshReadNodes22(CrGmsh *g);
PetscErrorCode CrGmshReadElements22(CrGmsh *g);
PetscErrorCode CrGmshReadEntities41(CrGmsh *g);
PetscErrorCode CrGmshReadNodes41(CrGmsh *g);
PetscErrorCode CrGmshReadElements41(CrGmsh *g);
/* Heads of sections: the number of nodes or elements, and of blocks (4.1). */
PetscErrorCode CrGmshHead22(CrGmsh *g, CrGmshSection section, int64_t *n);
PetscErrorCode CrGmshHead41(CrGmsh *g, CrGmshSection section, int64_t *nblocks, int64_t *n);
/* Heads of blocks, which may hold no more than `left`: elements of binary files (2.2), nodes and elements (4.1). */
PetscErrorCode CrGmshElementBlock22(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshNodeBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshElementBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
/* One node A: number and coordinates (2.2); its number; its coordinates (4.1). */
PetscErrorCode CrGmshNode22(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodeTag41(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodePoint41(CrGmsh *g, const CrGmshBlock *block, PetscInt A);
/* One element: a line of text (2.2), or one of a block. */
PetscErrorCode CrGmshElementLine22(CrGmsh *g);
PetscErrorCode CrGmshElement22(CrGmsh *g, const CrGmshBlock *block);
PetscErrorCode CrGmshElement41(CrGmsh *g, const CrGmshBlock *block);
