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
   the value at each quadrature point (CR_POINT). With CR_AUTO the program chooses for the elements and the law. */
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
  /* where the law evaluates the volume ratio: at points, or as the mean of an element */
  CrVolumeWord volume;
  /* if `volume` is CR_MEAN: fraction of the volumetric energy that is nevertheless computed at quadrature points */
  PetscReal volume_part;
  PetscBool touches; /* `contact:` names the body */
  PetscReal mass;
  PetscReal centroid[3]; /* mass centre of the reference shape */
  PetscReal size;        /* diagonal of the body's bounding box */
} CrBody;

/* A boundary facet in local nodes, outward. */
typedef struct {
  CrCellType type;
  PetscInt   nodes[CR_MAX_FACE_NODES];
  PetscBool  owned; /* this rank, and no other, counts the facet in sums */
  /* height of the layer of nodes behind the facet: of the cell, or of half the cell if it is of second order */
  PetscReal height;
} CrLocalFacet;

/* The part of a named set ("boundary", "left", a physical group) on this rank. It has the facets that touch an owned
   node. A surface that `contact:` names has all its facets, in the same order on every rank. The boundary of such a
   body also has all facets that share a node with the surface. */
typedef struct {
  char          name[64];
  PetscInt      body;
  PetscBool     is_surface; /* the set has facets on some rank */
  PetscInt      nnodes, nfacets;
  PetscInt     *nodes;  /* local values, with ghosts; owned */
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
  PetscBool axial;     /* 2D: x is the radius, y the axis, all integrals go around the circle */
  PetscBool quasi_static;

  PetscInt   nglobal, nowned, nlocal, first; /* nodes; first: global number of owned node 0 */
  PetscInt  *natural;                        /* [nlocal], owned */
  PetscInt  *ghosts;                         /* [nlocal-nowned] global numbers, ascending, owned */
  PetscInt  *node_body;                      /* [nlocal], owned */
  PetscReal *X;                              /* [nlocal*dim], owned */
  PetscInt   ncells;                         /* number in the whole mesh, over all ranks */

  PetscInt        nmaterials;
  CrMaterial     *materials; /* owned */
  PetscInt        nbodies;   /* number of bodies with a mesh */
  CrBody         *bodies;    /* owned */
  CrRigid        *rigid; /* the rigid->n bodies without a mesh, which come last in files; owned */
  PetscInt        nblocks;
  CrElementBlock *blocks; /* owned */
  PetscInt        nsets;
  CrModelSet     *sets;        /* owned */
  CrIndex        *entry_names; /* number in the deck's `bodies`, by name; owned, as the next four */
  CrIndex        *material_names; /* number in the deck's `materials` */
  CrIndex        *side_names;     /* bodies and surfaces that `contact` names */
  CrIndex        *body_names;     /* body with a mesh, by name */
  CrIndex        *set_names;      /* set, by "body.set" */
  PetscBool       all_touch;      /* `contact` has a `default` */
  PetscInt        nconditions;
  CrCondition    *conditions; /* owned */

  CrGraph  *graph; /* built when a matrix or consistent mass is first needed; owned */
  PetscBool all_lumped;
  /* entries of the mass matrix, one per node pair of the graph; NULL: all masses are lumped, and row_mass has them;
     owned */
  PetscReal *mass;
  PetscReal *row_mass;   /* [nowned] row sums of the mass matrix, on which gravity acts; owned */
  PetscReal  gravity[3]; /* constant gravity; it has a potential. Varying gravity is a load */
  PetscReal  total_mass, size; /* size: diagonal of the bounding box */
  PetscBool
      is_free; /* no loads, supports, obstacles or damping by mass: momenta must stay constant */
  PetscBool   drags;     /* the material of some body has a damping by mass */
  PetscBool   remembers; /* the law of some body has a state at its points */
  PetscReal   bulk[2];   /* linear and quadratic bulk viscosity of `explicit`; 0: none */
  PetscBool   thickens;  /* one of the two bulk viscosities is not 0 */
  Vec         prototype; /* ghost vector of the nodal layout, owned */
  CrWatch    *watch;     /* measures the time of each part of the run; owned */
  CrVicinity *seam;      /* ghosts of the cells that this rank counts; owned */
  CrVicinity
      *live; /* ghosts that CrModelUpdateGhosts updates; the list changes during a run; owned */
};

/* State at the quadrature points of laws that have one. The array of a block has
   [nbatches][points][components][CR_BATCH] numbers, including ghost cells and unused lanes. It is NULL if the law of
   the block has no state. All members are empty if no law has a state. */
typedef struct {
  PetscInt    nblocks;
  PetscInt   *width; /* [nblocks] numbers of a cell, points x components; owned, as all below */
  PetscReal **now;   /* [nblocks] state after the last accepted step; constant during a step */
  PetscReal *
      *next;     /* [nblocks] filled when a step is accepted; then `now` and `next` are exchanged */
  PetscReal *u0; /* [nlocal*dim] displacements to which `now` belongs, during a step */
  PetscReal  h;  /* size of the present step; 0 between steps */
  PetscBool  lags; /* the method is one of central differences (CrPast) */
  /* energy that the material laws have dissipated since the start, on all ranks */
  PetscReal loss;
  /* [nbodies] this energy for each body; energy that the last step dissipated */
  PetscReal *losses, *taken;
  PetscInt   nmarks, marks_per_body;
  PetscInt  *marks; /* elements, rules and laws that the numbers belong to, body by body */
} CrPoints;

/* Bulk viscosity of `explicit`: CR_BULK numbers of every cell, [nbatches][CR_BULK][CR_BATCH] in each block. All members
   are empty if the deck has no bulk viscosity. */
typedef struct {
  PetscInt    nblocks, nbodies;
  PetscInt   *width;       /* [nblocks] CR_BULK each; owned, as all below */
  PetscReal **now, **next; /* [nblocks] after the last accepted step; of the trial state */
  /* energy that bulk viscosity has dissipated since the start, on all ranks */
  PetscReal loss;
  /* [nbodies] this energy for each body; energy of the trial step on this rank */
  PetscReal *losses, *taken;
  PetscInt  *marks; /* [nbodies] for checkpoints */
} CrBulk;

struct CrState {
  PetscInt      n; /* accepted steps */
  PetscReal     t;
  Vec           u, v;  /* displacement from the mesh and velocity, with ghosts up to date; owned */
  CrRigidState *rigid; /* state of the rigid bodies, the same on every rank; owned */
  CrPoints      points;
  CrBulk        bulk;
  CrContactHistory *contact;   /* NULL: nothing may touch; owned */
  CrReactions      *reactions; /* NULL until there is a method; owned */
};

/* Top-level keys of the deck that the model reads, beside `materials` and `conditions`. */
extern const CrKey CrModelKeys[];

/* Builds the model from a validated deck. Collective. */
PetscErrorCode CrModelCreate(MPI_Comm comm, const CrDeck *deck, CrModel **model);
PetscErrorCode CrModelDestroy(CrModel **model);
/* Called after the contact surfaces have been made. Removes all facets from the sets except those that contain an owned
   node, or that this rank counts in sums. */
PetscErrorCode CrModelTrimFacets(CrModel *model);
/* Creates the state at the start of a run: initial velocities, spins and deformations. Supports have their prescribed
   velocity. */
PetscErrorCode CrStateCreate(const CrModel *model, const CrDeck *deck, CrState **state);
PetscErrorCode CrStateDestroy(CrState **state);
/* CrIntegratorStep calls these functions before and after every step. Between them, laws with state use the state at
   the start of the step. If the step is accepted, the state's u must be that of the end of the step, and the laws
   update their state once. Collective. */
PetscErrorCode CrStateBeginStep(const CrModel *model, CrState *state, PetscReal h);
PetscErrorCode CrStateEndStep(const CrModel *model, CrState *state, PetscBool accepted);
/* Add to the archive the data that a checkpoint needs. */
PetscErrorCode CrPointsArchive(CrPoints *points, CrArchive *archive);
PetscErrorCode CrBulkArchive(CrBulk *bulk, CrArchive *archive);
/* Returns true if materials or bulk viscosity dissipate energy. Tables then have columns for this energy. */
PetscBool CrModelLoses(const CrModel *model);

/* Creates a zero vector of the nodal layout. */
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
/* Returns the set of all facets of a body; -1: none. */
PetscInt CrModelBoundary(const CrModel *model, PetscInt body);
/* Finds the node of `body` (of `set`, if it is not NULL) that is nearest to a point of the reference mesh. *node is
   its local number on the rank that owns it, and -1 on all other ranks. Of several nearest nodes, the one with the
   lowest natural number is used. If the node is far from the point, a warning at `where` is given (NULL: no warning).
   Collective. */
PetscErrorCode CrModelNearestNode(const CrModel *model, PetscInt body, const CrModelSet *set,
                                  const CrDeckNode *where, const PetscReal at[3], PetscInt *node);
/* Return the numbers of degrees of freedom and of elements of the whole model. */
PetscInt CrModelDofs(const CrModel *model);
/* Computes the least critical step of central differences over all elements, from element eigenvalue bounds, at the
   displacements u (local; NULL: at rest). state NULL: laws have their state at the start. Collective. */
PetscErrorCode CrModelCriticalStep(const CrModel *model, const CrState *state, const PetscReal *u,
                                   PetscReal *h);
/* Computes the greatest entry on the diagonal of an element's stiffness, at rest. Collective. */
PetscErrorCode CrModelStiffest(const CrModel *model, PetscReal *stiffness);
