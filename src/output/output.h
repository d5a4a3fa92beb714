/* Writes the files of a run (docs/manual.md): tables, frames with fields, run.yaml and audit.json. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"

/* Describes how finely time steps and elements resolve the contact of one pair of bodies. A member is NaN if the number
   does not exist. */
typedef struct {
  const char *name; /* borrowed */
  /* members of the same names as in CrResolved, for this pair */
  PetscReal least, median, ripple, layers;
} CrResolvedPair;

/* Describes how finely time steps and elements resolve contact in a run. A member is NaN if the number does not
   exist. */
typedef struct {
  PetscReal least, median; /* least and median duration of contacts, as a number of steps */
  /* greatest ripple (total variation divided by maximum) of the force of a pair during one contact */
  PetscReal ripple;
  /* greatest penetration, divided by the height of the element layer at the contact surface */
  PetscReal layers;
  /* greatest number of elements in the contact layer that an elastic wave crosses in one step */
  PetscReal crossed;
  /* number of closed contact points when the force is greatest: along the contact and, in 3D, across it */
  PetscReal along[2];
  PetscReal turn; /* greatest angle between neighbouring facets in contact, in degrees */
  /* volumetric strain energy divided by deviatoric strain energy, for bodies that may lock */
  PetscReal volumetric;
  /* greatest energy of the hourglass springs of a body, divided by the internal energy of the body */
  PetscReal hourglass;
  /* number of entries of `pairs`; 0: there are too many pairs to list them one by one */
  PetscInt              npairs;
  const CrResolvedPair *pairs; /* [npairs], borrowed */
} CrResolved;

/* Data about the end of the run, for audit.json. */
typedef struct {
  PetscBool   completed;
  const char *failure; /* reason why the run was not completed; NULL: it was completed */
  /* method: its name, its literature source, and one line about it */
  const char *method, *citation, *help;
  PetscBool   balances; /* true: the method claims that the energy balance is exact */
  const char *warnings; /* all warnings of the run, one per line */
  double      wall_seconds;
  /* computing time of each part of the run in seconds, including the set-up */
  double     by_part[CR_PARTS];
  CrResolved resolved;
} CrEnding;

/* The table of the deck key `output:` and of all keys below it. */
extern const CrKey CrOutputKeys[];

/* Checks the section `output:` of the deck against the model, and finds the nodes of probes. t_end is the end time of
   the run. The function writes no file. Collective. */
PetscErrorCode CrOutputCreate(const CrModel *model, CrContact *contact, const CrDeckNode *section,
                              PetscReal t_end, CrOutput **output);
/* Creates the folder `dir`, opens the files, and writes run.yaml with the lines `notes` as comments. An older run in
   the folder is an error, unless `force` is true. In this case the older run is removed after the new files could be
   opened. Collective. */
PetscErrorCode CrOutputOpen(CrOutput *output, const char dir[], PetscBool force, const CrDeck *deck,
                            PetscInt nnotes, const char *const notes[]);
/* Returns true if rows of this state are written to the tables; `output.every` leaves out the rows of some steps. At
   the end of the run (`end` is true), the function returns true if the rows of the last state are missing. */
PetscBool CrOutputHasRows(const CrOutput *output, const CrState *state, PetscBool end);
/* Writes to the tables the rows of the initial state or of an accepted step, and writes a frame if one is due.
   Collective. */
PetscErrorCode CrOutputWrite(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit);
/* Writes the rows and the frame of the last state if they are missing, and writes fields.pvd and audit.json. Finally
   closes all files. Collective. */
PetscErrorCode CrOutputClose(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit, const CrEnding *ending);
/* Flushes the files, and adds their sizes to the archive of a checkpoint. Collective. */
PetscErrorCode CrOutputArchive(CrOutput *output, CrArchive *archive);
/* Opens the files of a run that is continued, instead of CrOutputOpen, after its archive has been read. Rows and frames
   later than the checkpoint are dropped. If the run has no further steps (goes_on is false), the rows of the completed
   run are kept. Collective. */
PetscErrorCode CrOutputReopen(CrOutput *output, const char dir[], PetscBool goes_on);
PetscErrorCode CrOutputDestroy(CrOutput **output);
/* Finds the mesh node of a probe. `name` is the name in the table, such as "tip" or "foot.12". *node is the local node
   number on the rank that owns the node, and -1 on other ranks. A name that does not exist is a user error.
   Collective. */
PetscErrorCode CrOutputProbeNode(const CrOutput *output, const char name[], PetscInt *node);

/* A frame in memory: the mesh at one time, with velocities. The arrays belong to the output. Rigid bodies come after
   deformable ones. `types` are VTK cell types. The points of cell c are nodes[offsets[c]] to nodes[offsets[c+1] -
   1]. */
typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points, *velocity; /* [npoints][3] positions and velocities of the points */
  /* VTK type, first index in `nodes` [ncells+1], points, and body of each cell */
  const PetscInt *types, *offsets, *nodes, *bodies;
  /* [ncells] part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
  const PetscInt *parts;
} CrFrame;

/* Makes a frame of the present state in memory, on rank 0, without writing a file. Collective. */
PetscErrorCode CrOutputFrame(CrOutput *output, const CrModel *model, const CrState *state,
                             CrFrame *frame);
/* CrAuditNameAt returns the name of the i-th number in audit.json, or NULL after the last one. Limits under `audit:`
   use these names. CrAuditValue returns the value of a number by its name, and NaN for unknown names. The value is NaN
   or infinite if audit.json has null. */
const char *CrAuditNameAt(PetscInt i);
/* Returns the reason why this number of audit.json is null in every run of this model, or NULL if it can have a
   value. */
const char *CrAuditWhyNull(const CrModel *model, const char name[]);
PetscReal   CrAuditValue(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                         const char name[]);

/* Stores in `path` the path of the deck of a run, DIR/run.yaml. A folder without this file is a user error. */
PetscErrorCode CrRunDeckPath(const char dir[], char path[], size_t size);
