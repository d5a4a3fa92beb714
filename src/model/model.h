/* The model, which is constant during a run, and the state, which changes in every step. Nodes have three numbers:
     natural  0..nglobal-1, bodies in deck order; the same on any number of ranks; files use it
     global   PETSc's: owned nodes of rank 0, of rank 1, ...
     local    owned nodes 0..nowned-1, then ghosts nowned..nlocal-1 in order of their global numbers
   The degree of freedom is dim*node + i in every numbering. Nodal arrays have nlocal*dim reals. Vectors are PETSc
   ghost vectors: their array contains the owned part and, directly after it, the ghosts. */
#pragma once

#include <petscmat.h>
#include "base/archive.h"
#include "base/base.h"
#include "base/index.h"
#include "base/watch.h"
#include "deck/deck.h"
#include "element/element.h"
#include "model/history.h"
#include "material/material.h"
#include "mesh/mesh.h"
#include "rigid/rigid.h"

/* Values of the key `volume` of a body. The volume ratio in the material law is the mean of the element (CR_MEAN), or
   the value at each quadrature point (CR_POINT). With CR_AUTO the program chooses between the two, depending on the
   elements and the law. */
typedef enum { CR_AUTO, CR_MEAN, CR_POINT } CrVolumeWord;

typedef struct {
  char              name[64];
  const CrDeckNode *deck;     /* the entry of the body in the deck; borrowed */
  const CrMaterial *material; /* borrowed from the model */
  PetscInt          first_node,
      nnodes; /* natural number of the body's first node, and number of its nodes */
  /* number of the body's first cell in the whole mesh, and number of its cells */
  PetscInt  first_cell, ncells;
  PetscBool consistent; /* the mass matrix is consistent, not lumped */
  PetscBool one_point;  /* elements have one quadrature point */
  /* whether the law uses the volume ratio at quadrature points, or the mean of an element */
  CrVolumeWord volume;
  /* if `volume` is CR_MEAN: fraction of the volumetric energy that is nevertheless computed at quadrature points */
  PetscReal volume_part;
  PetscBool touches; /* `contact:` names the body */
  PetscReal mass;
  PetscReal centroid[3]; /* mass centre of the reference shape */
  PetscReal size;        /* diagonal of the body's bounding box */
} CrBody;

/* A boundary facet with local node numbers. The order of its nodes gives the outward normal. */
typedef struct {
  CrCellType type;
  PetscInt   nodes[CR_MAX_FACE_NODES];
  PetscBool  owned; /* this rank, and no other, counts the facet in sums */
  /* distance between the facet and the next layer of nodes: height of the cell, or half of it for cells of second
     order */
  PetscReal height;
} CrLocalFacet;

/* The part of a named set of nodes and facets on this rank. A set is, for instance, "boundary", "left" or a physical
   group of a Gmsh file. The part has the facets that contain an owned node. If `contact:` names the surface, every rank
   has all its facets, in the same order. If a body has such a surface, its set "boundary" also has all facets that
   share a node with the surface. */
typedef struct {
  char          name[64];
  PetscInt      body;
  PetscBool     is_surface; /* the set has facets on some rank */
  PetscInt      nnodes, nfacets;
  PetscInt     *nodes;  /* local node numbers, including ghosts; owned */
  CrLocalFacet *facets; /* owned */
} CrModelSet;

#define CR_SET_WORDS 128 /* room for "body.set" */

typedef struct CrCondition CrCondition; /* loads and supports: conditions.h */
typedef struct CrGraph     CrGraph;     /* coupled nodes: graph.h */
typedef struct CrReactions CrReactions; /* reactions of supports and obstacles: reactions.h */
typedef struct CrVicinity  CrVicinity;  /* ghosts that are needed at present: vicinity.h */

struct CrModel {
  MPI_Comm  comm;
  PetscInt  dim;
  PetscReal thickness; /* 1 in 3D */
  /* 2D with axial symmetry: x is the radius, y the axis, and integrals go around the full circle */
  PetscBool axial;
  PetscBool quasi_static;

  /* numbers of nodes; first: global number of owned node 0 */
  PetscInt   nglobal, nowned, nlocal, first;
  PetscInt  *natural;   /* [nlocal], owned */
  PetscInt  *ghosts;    /* [nlocal-nowned] global numbers, ascending, owned */
  PetscInt  *node_body; /* [nlocal], owned */
  PetscReal *X;         /* [nlocal*dim], owned */
  PetscInt   ncells;    /* number of cells of the whole mesh, over all ranks */

  PetscInt        nmaterials;
  CrMaterial     *materials; /* owned */
  PetscInt        nbodies;   /* number of bodies with a mesh */
  CrBody         *bodies;    /* owned */
  CrRigid        *rigid; /* the rigid->n bodies without a mesh, which come last in files; owned */
  PetscInt        nblocks;
  CrElementBlock *blocks; /* owned */
  PetscInt        nsets;
  CrModelSet     *sets; /* owned */
  /* finds a body's number in the deck's `bodies` by its name; owned, like all indices below */
  CrIndex *entry_names;
  /* finds a material's number in the deck's `materials` by its name */
  CrIndex *material_names;
  CrIndex *side_names; /* bodies and surfaces that `contact` names */
  CrIndex *body_names; /* finds the number of a body with a mesh by its name */
  CrIndex *set_names;  /* finds the number of a set by the name "body.set" */
  /* the deck's `contact` has the key `default`, so that all bodies may touch */
  PetscBool    all_touch;
  PetscInt     nconditions;
  CrCondition *conditions; /* owned */

  CrGraph  *graph; /* built when a matrix or consistent mass is first needed; owned */
  PetscBool all_lumped;
  /* entries of the consistent mass matrix, one per node pair of the graph; owned. NULL: all masses are lumped, and
     row_mass contains them */
  PetscReal *mass;
  PetscReal *row_mass; /* [nowned] row sums of the mass matrix, on which gravity acts; owned */
  /* acceleration of constant gravity, which has a potential; varying gravity is a load */
  PetscReal gravity[3];
  PetscReal total_mass, size; /* size: diagonal of the bounding box */
  /* no loads, supports, obstacles or mass-proportional damping: linear and angular momentum must stay constant */
  PetscBool   is_free;
  PetscBool   drags;     /* the material of some body has mass-proportional damping */
  PetscBool   remembers; /* the material law of some body has internal variables */
  PetscReal   bulk[2];   /* linear and quadratic bulk viscosity of `explicit`; 0: none */
  PetscBool   thickens;  /* one of the two bulk viscosities is not 0 */
  Vec         prototype; /* ghost vector of the nodal layout, owned */
  CrWatch    *watch;     /* measures the computing time of each part of the run; owned */
  CrVicinity *seam;      /* ghosts of the cells that this rank counts in sums; owned */
  /* ghosts that CrModelUpdateGhosts updates; the list changes during a run; owned */
  CrVicinity *live;
};

/* Internal variables of material laws at the quadrature points. The array of a block of elements has
   [nbatches][points][components][CR_BATCH] numbers, including ghost cells and unused lanes. The array is NULL if the
   law of the block has no internal variables. All members are empty if no law has internal variables. */
typedef struct {
  PetscInt nblocks;
  /* [nblocks] number of reals per cell: points times components; owned, like all below */
  PetscInt *width;
  /* [nblocks] internal variables after the last accepted step; constant during a step */
  PetscReal **now;
  /* [nblocks] internal variables at the end of a step, computed when it is accepted; then `now` and `next` are
     swapped */
  PetscReal **next;
  PetscReal  *u0;   /* [nlocal*dim] displacements at which `now` was computed; used during a step */
  PetscReal   h;    /* size of the present step; 0 between steps */
  PetscBool   lags; /* the time integration is by central differences (CrPast) */
  /* energy that the material laws have dissipated since the start, on all ranks */
  PetscReal loss;
  /* [nbodies] losses: dissipated energy of each body since the start; taken: dissipated energy in the last step */
  PetscReal *losses, *taken;
  PetscInt   nmarks, marks_per_body;
  /* codes of element types, quadrature rules and laws, body by body; a restart compares them */
  PetscInt *marks;
} CrPoints;

/* Data of the bulk viscosity of the method `explicit`: CR_BULK numbers for every cell, as an array
   [nbatches][CR_BULK][CR_BATCH] in each block. All members are empty if the deck has no bulk viscosity. */
typedef struct {
  PetscInt nblocks, nbodies;
  /* [nblocks] number of reals per cell, CR_BULK for each block; owned, like all below */
  PetscInt *width;
  /* [nblocks] now: data after the last accepted step; next: data of the present step */
  PetscReal **now, **next;
  /* energy that bulk viscosity has dissipated since the start, on all ranks */
  PetscReal loss;
  /* [nbodies] losses: dissipated energy of each body since the start; taken: energy of the present step on this rank */
  PetscReal *losses, *taken;
  PetscInt  *marks; /* [nbodies] for checkpoints */
} CrBulk;

struct CrState {
  PetscInt      n; /* number of accepted steps */
  PetscReal     t;
  Vec           u, v;  /* displacement from the mesh and velocity, with ghosts up to date; owned */
  CrRigidState *rigid; /* state of the rigid bodies, the same on every rank; owned */
  CrPoints      points;
  CrBulk        bulk;
  CrContactHistory *contact; /* contact history; NULL: the model has no contact; owned */
  /* reactions of supports and obstacles; NULL until the time integration method is created; owned */
  CrReactions *reactions;
};

/* Top-level keys of the deck that the model reads, beside `materials` and `conditions`. */
extern const CrKey CrModelKeys[];

/* Builds the model from a validated deck. Collective. */
PetscErrorCode CrModelCreate(MPI_Comm comm, const CrDeck *deck, CrModel **model);
PetscErrorCode CrModelDestroy(CrModel **model);
/* Removes all facets from the sets, except facets that contain an owned node or that this rank counts in sums. The
   function is called after the contact surfaces have been created. */
PetscErrorCode CrModelTrimFacets(CrModel *model);
/* Creates the state at the start of a run: initial velocities, spins and deformations. Supports have their prescribed
   velocity. */
PetscErrorCode CrStateCreate(const CrModel *model, const CrDeck *deck, CrState **state);
PetscErrorCode CrStateDestroy(CrState **state);
/* CrIntegratorStep calls CrStateBeginStep before and CrStateEndStep after every step. During the step, material laws
   use the internal variables at the start of the step. If the step is accepted, state->u must contain the displacements
   at its end, and the laws update their internal variables once. Collective. */
PetscErrorCode CrStateBeginStep(const CrModel *model, CrState *state, PetscReal h);
PetscErrorCode CrStateEndStep(const CrModel *model, CrState *state, PetscBool accepted);
/* Add to the archive the data that a checkpoint needs. */
PetscErrorCode CrPointsArchive(CrPoints *points, CrArchive *archive);
PetscErrorCode CrBulkArchive(CrBulk *bulk, CrArchive *archive);
/* Returns true if materials or bulk viscosity dissipate energy. Tables then have columns for this energy. */
PetscBool CrModelLoses(const CrModel *model);

/* Creates a zero vector with dim numbers per node, including ghosts. */
PetscErrorCode CrModelCreateVec(const CrModel *model, Vec *v);
/* Copy values from the owners to ghosts. CrModelUpdateGhosts updates the ghosts of elements, and the ghosts near
   surfaces that may touch (vicinity.h). CrModelUpdateAllGhosts updates all ghosts, which is necessary for vectors that
   are used in more than one step. */
PetscErrorCode CrModelUpdateGhosts(const CrModel *model, Vec v);
PetscErrorCode CrModelUpdateAllGhosts(const CrModel *model, Vec v);
/* Finds a body or a set by its name in the deck: "body" (the whole body; *set is NULL) or "body.surface". If there is
   none, the error message lists the names that exist. */
PetscErrorCode CrModelFindSet(const CrModel *model, const CrDeckNode *words, PetscInt *body,
                              const CrModelSet **set);
/* Returns the number of the set that contains all boundary facets of a body; -1 if there is none. */
PetscInt CrModelBoundary(const CrModel *model, PetscInt body);
/* Finds the node of `body` (of `set`, if it is not NULL) that is nearest to a point of the reference mesh. *node is
   its local number on the rank that owns it, and -1 on all other ranks. Of several nearest nodes, the one with the
   lowest natural number is used. If the node is far from the point, a warning at `where` is given (NULL: no warning).
   Collective. */
PetscErrorCode CrModelNearestNode(const CrModel *model, PetscInt body, const CrModelSet *set,
                                  const CrDeckNode *where, const PetscReal at[3], PetscInt *node);
/* Returns the number of degrees of freedom of the whole model. */
PetscInt CrModelDofs(const CrModel *model);
/* Computes *h, a lower bound of the critical step of central differences, from bounds of the eigenvalues of all
   elements. u are the displacements of local dofs; NULL: the undeformed mesh. If `state` is NULL, internal variables
   have their initial values. Collective. */
PetscErrorCode CrModelCriticalStep(const CrModel *model, const CrState *state, const PetscReal *u,
                                   PetscReal *h);
/* Computes *stiffness, the greatest diagonal entry of all element stiffness matrices in the undeformed mesh.
   Collective. */
PetscErrorCode CrModelStiffest(const CrModel *model, PetscReal *stiffness);
