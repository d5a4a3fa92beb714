/* The constant model and the mutable state. Nodes have three numbers:
     natural  0..nglobal-1, bodies in deck order; the same on any number of ranks; files use it
     global   PETSc's: owned nodes of rank 0, of rank 1, ...
     local    owned nodes 0..nowned-1, then ghosts nowned..nlocal-1 in order of their global numbers
   The degree of freedom is dim*node + i in every numbering. Nodal arrays have nlocal*dim reals. Vectors
   are PETSc ghost vectors: their array holds the owned part and, right behind it, the ghosts. */
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

/* `volume` of a body: as its elements and law need it, the mean of the element, the points of the element. */
typedef enum { CR_AUTO, CR_MEAN, CR_POINT } CrVolumeWord;

typedef struct {
  char              name[64];
  const CrDeckNode *deck;               /* the entry of the body in the deck; borrowed */
  const CrMaterial *material;           /* borrowed from the model */
  PetscInt          first_node, nnodes; /* natural */
  /* number of its first cell in the whole mesh, and number of its cells */
  PetscInt  first_cell, ncells;
  PetscBool consistent; /* mass */
  PetscBool one_point;  /* integration */
  /* where the law evaluates the volume ratio: at points, or as the mean of an element */
  CrVolumeWord volume;
  /* with a mean: share of the volumetric energy that is computed at points */
  PetscReal volume_part;
  PetscBool touches; /* named under `contact:` */
  PetscReal mass;
  PetscReal centroid[3]; /* mass centre of the reference shape */
  PetscReal size;        /* diagonal of its bounding box */
} CrBody;

/* A boundary facet in local nodes, outward. */
typedef struct {
  CrCellType type;
  PetscInt   nodes[CR_MAX_FACE_NODES];
  PetscBool  owned; /* counted by this rank in sums */
  /* height of the layer of nodes behind the facet: of the cell, or of half the cell if it is of second order */
  PetscReal height;
} CrLocalFacet;

/* A named set of a body ("boundary", "left", a physical group): what of it this rank sees. Facets
   are those that touch an owned node; of a surface that `contact:` names, all, in the same order on
   every rank; of the boundary of its body, also all that share a node with such a surface. */
typedef struct {
  char          name[64];
  PetscInt      body;
  PetscBool     is_surface; /* it has facets on some rank */
  PetscInt      nnodes, nfacets;
  PetscInt     *nodes;  /* local values, with ghosts; owned */
  CrLocalFacet *facets; /* owned */
} CrModelSet;

#define CR_SET_WORDS 128 /* room for "body.set" */

typedef struct CrCondition CrCondition; /* loads and supports: conditions.h */
typedef struct CrGraph     CrGraph;     /* which nodes couple: graph.h */
typedef struct CrReactions CrReactions; /* of supports and obstacles: reactions.h */
typedef struct CrVicinity  CrVicinity;  /* ghosts that are needed for now: vicinity.h */

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

  CrGraph    *graph; /* built when a matrix is first asked for, or consistent mass; owned */
  PetscBool   all_lumped;
  PetscReal  *mass; /* entries of the mass matrix, one per node pair of the graph; NULL if all is
                          lumped, then row_mass says it; owned */
  PetscReal  *row_mass;   /* [nowned] row sums: what gravity pulls at, owned */
  PetscReal   gravity[3]; /* constant gravity; it has a potential. Varying gravity is a load */
  PetscReal   total_mass, size; /* size: diagonal of the bounding box */
  PetscBool   is_free;          /* nothing acts from outside: momenta must not drift */
  PetscBool   drags;            /* the material of some body has a damping by mass */
  PetscBool   remembers;        /* the law of some body has a state at its points */
  PetscReal   bulk[2];          /* linear and quadratic bulk viscosity of `explicit`; 0: none */
  PetscBool   thickens;         /* one of the two bulk viscosities is not 0 */
  Vec         prototype;        /* ghost vector of the nodal layout, owned */
  CrWatch    *watch;            /* measures the time of each part of the run; owned */
  CrVicinity *live; /* ghosts that CrModelUpdateGhosts brings; it changes in a run; owned */
};

/* State at the quadrature points of laws that have one. The array of a block has
   [nbatches][points][components][CR_BATCH] numbers, ghost cells and the lanes left over included; NULL
   where the law has no state. Everything is empty if no law has any. */
typedef struct {
  PetscInt    nblocks;
  PetscInt   *width; /* [nblocks] numbers of a cell, points x components; owned, as all below */
  PetscReal **now;   /* [nblocks] of the last accepted step; constant while a step is under way */
  PetscReal **next;  /* [nblocks] filled when a step is accepted; then they change places */
  PetscReal  *u0; /* [nlocal*dim] displacements that `now` belongs to, while a step is under way */
  PetscReal   h;  /* size of the step under way; 0 between steps */
  PetscBool   lags; /* the method is one of central differences (CrPast) */
  /* energy that the material laws have dissipated since the start, on all ranks */
  PetscReal loss;
  /* [nbodies] this energy for each body; energy that the last step dissipated */
  PetscReal *losses, *taken;
  PetscInt   nmarks, marks_per_body;
  PetscInt  *marks; /* elements, rules and laws that the numbers belong to, body by body */
} CrPoints;

/* Bulk viscosity of `explicit`: CR_BULK numbers of every cell, [nbatches][CR_BULK][CR_BATCH] in each block. Empty if
   the deck asks for none. */
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

/* Builds everything from a validated deck. Collective. */
PetscErrorCode CrModelCreate(MPI_Comm comm, const CrDeck *deck, CrModel **model);
PetscErrorCode CrModelDestroy(CrModel **model);
/* After the contact surfaces have been made: sets keep only facets that touch an owned node, or that this rank counts.
   */
PetscErrorCode CrModelTrimFacets(CrModel *model);
/* The start of a run: initial velocities, spins, stretches; supports at their prescribed velocity. */
PetscErrorCode CrStateCreate(const CrModel *model, const CrDeck *deck, CrState **state);
PetscErrorCode CrStateDestroy(CrState **state);
/* Around every step of any method (CrIntegratorStep): laws with state look back to the state of now
   until the step ends. An accepted one leaves the state's u at its end; then the laws commit, once.
   Collective. */
PetscErrorCode CrStateBeginStep(const CrModel *model, CrState *state, PetscReal h);
PetscErrorCode CrStateEndStep(const CrModel *model, CrState *state, PetscBool accepted);
/* For checkpoints. */
PetscErrorCode CrPointsArchive(CrPoints *points, CrArchive *archive);
PetscErrorCode CrBulkArchive(CrBulk *bulk, CrArchive *archive);
/* Do materials or bulk viscosity dissipate energy? If so, tables have columns for this energy. */
PetscBool CrModelLoses(const CrModel *model);

/* Creates a zero vector of the nodal layout. */
PetscErrorCode CrModelCreateVec(const CrModel *model, Vec *v);
/* Ghosts get the values of their owners: those of elements, and those near what may touch (vicinity.h); or all of them,
   as vectors need it that live longer than a step. */
PetscErrorCode CrModelUpdateGhosts(const CrModel *model, Vec v);
PetscErrorCode CrModelUpdateAllGhosts(const CrModel *model, Vec v);
/* A set by the deck's words: "body" (its boundary nodes' body as a whole: set NULL),
   "body.surface". The error message lists the names that exist. */
PetscErrorCode CrModelFindSet(const CrModel *model, const CrDeckNode *words, PetscInt *body,
                              const CrModelSet **set);
/* The set of all facets of a body; -1: none. */
PetscInt CrModelBoundary(const CrModel *model, PetscInt body);
/* Owned local node of `body` (of `set`, if not NULL) nearest to a point of the reference mesh; -1
   on all ranks but the one that owns it. Ties go to the lower natural number. Warns at
   `where` (NULL: never) if that is far. Collective. */
PetscErrorCode CrModelNearestNode(const CrModel *model, PetscInt body, const CrModelSet *set,
                                  const CrDeckNode *where, const PetscReal at[3], PetscInt *node);
/* Degrees of freedom and elements of the whole model. */
PetscInt CrModelDofs(const CrModel *model);
/* Least critical step of central differences over all elements, from element eigenvalue bounds, at
   the displacements u (local; NULL: at rest). state: NULL, as at the start. Collective. */
PetscErrorCode CrModelCriticalStep(const CrModel *model, const CrState *state, const PetscReal *u,
                                   PetscReal *h);
/* Greatest entry on the diagonal of an element's stiffness, at rest. Collective. */
PetscErrorCode CrModelStiffest(const CrModel *model, PetscReal *stiffness);
