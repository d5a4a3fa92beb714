/* Functions that read the sections, blocks and entries of Gmsh files. The names of the functions contain the version of
   the format: 22 for version 2.2, and 41 for version 4.1. */
#pragma once

#include "mesh/readers/gmsh.h"

/* A block of n nodes or elements, as the header of the block describes it. */
typedef struct {
  int64_t  n;
  PetscInt label; /* tag of the geometric entity (4.1) */
  int      shape; /* shape of the elements */
  int64_t  ntags; /* number of tags of each element (2.2) */
  /* number of parametric coordinates that follow the coordinates of each node (4.1) */
  PetscInt parameters;
} CrGmshBlock;

/* Read whole sections. The cursor must be at the start of the section. */
PetscErrorCode CrGmshReadFormat(CrGmsh *g);
PetscErrorCode CrGmshReadNames(CrGmsh *g);
PetscErrorCode CrGmshReadNodes22(CrGmsh *g);
PetscErrorCode CrGmshReadElements22(CrGmsh *g);
PetscErrorCode CrGmshReadEntities41(CrGmsh *g);
PetscErrorCode CrGmshReadNodes41(CrGmsh *g);
PetscErrorCode CrGmshReadElements41(CrGmsh *g);
/* Read the header of a section: the number *n of nodes or elements, and the number of blocks (4.1). */
PetscErrorCode CrGmshHead22(CrGmsh *g, CrGmshSection section, int64_t *n);
PetscErrorCode CrGmshHead41(CrGmsh *g, CrGmshSection section, int64_t *nblocks, int64_t *n);
/* Read the header of a block. Blocks exist for elements of binary files (2.2), and for nodes and elements (4.1). A
   block may have at most `left` nodes or elements. */
PetscErrorCode CrGmshElementBlock22(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshNodeBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshElementBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
/* Read data of node A. CrGmshNode22 reads its tag and coordinates, CrGmshNodeTag41 its tag, and CrGmshNodePoint41 its
   coordinates. */
PetscErrorCode CrGmshNode22(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodeTag41(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodePoint41(CrGmsh *g, const CrGmshBlock *block, PetscInt A);
/* Read one element. CrGmshElementLine22 reads a line of text. The other two read an element of a block. */
PetscErrorCode CrGmshElementLine22(CrGmsh *g);
PetscErrorCode CrGmshElement22(CrGmsh *g, const CrGmshBlock *block);
PetscErrorCode CrGmshElement41(CrGmsh *g, const CrGmshBlock *block);
