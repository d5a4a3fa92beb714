/* Sections, blocks and records of the two formats of Gmsh. */
#pragma once

#include "mesh/readers/gmsh.h"

/* A block of nodes or elements, as its header describes it. */
typedef struct {
  int64_t  n;
  PetscInt label;      /* the entity (4.1) */
  int      shape;      /* shape of the elements */
  int64_t  ntags;      /* number of tags of each element (2.2) */
  PetscInt parameters; /* numbers after the coordinates of each node (4.1) */
} CrGmshBlock;

/* Read whole sections. The cursor must be at the start of the section. */
PetscErrorCode CrGmshReadFormat(CrGmsh *g);
PetscErrorCode CrGmshReadNames(CrGmsh *g);
PetscErrorCode CrGmshReadNodes22(CrGmsh *g);
PetscErrorCode CrGmshReadElements22(CrGmsh *g);
PetscErrorCode CrGmshReadEntities41(CrGmsh *g);
PetscErrorCode CrGmshReadNodes41(CrGmsh *g);
PetscErrorCode CrGmshReadElements41(CrGmsh *g);
/* Read headers of sections: the number of nodes or elements, and of blocks (4.1). */
PetscErrorCode CrGmshHead22(CrGmsh *g, CrGmshSection section, int64_t *n);
PetscErrorCode CrGmshHead41(CrGmsh *g, CrGmshSection section, int64_t *nblocks, int64_t *n);
/* Read headers of blocks: elements of binary files (2.2), nodes and elements (4.1). A block may have at most `left`
   entries. */
PetscErrorCode CrGmshElementBlock22(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshNodeBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
PetscErrorCode CrGmshElementBlock41(CrGmsh *g, int64_t left, CrGmshBlock *block);
/* Read node A: number and coordinates (2.2), the number only (4.1), and the coordinates only (4.1). */
PetscErrorCode CrGmshNode22(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodeTag41(CrGmsh *g, PetscInt A);
PetscErrorCode CrGmshNodePoint41(CrGmsh *g, const CrGmshBlock *block, PetscInt A);
/* Read one element: a line of text (2.2), or an element of a block. */
PetscErrorCode CrGmshElementLine22(CrGmsh *g);
PetscErrorCode CrGmshElement22(CrGmsh *g, const CrGmshBlock *block);
PetscErrorCode CrGmshElement41(CrGmsh *g, const CrGmshBlock *block);
