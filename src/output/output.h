/* The files of a run (docs/manual.md): tables, fields, run.yaml, audit.json. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"

/* Measures how finely time steps and elements resolve the contact of one pair. NaN: the number does not exist. */
typedef struct {
  const char *name;                          /* borrowed */
  PetscReal   least, median, ripple, layers; /* as in CrResolved */
} CrResolvedPair;

/* Measures how finely time steps and elements resolve contact in a run. NaN: the number does not exist. */
typedef struct {
  PetscReal least, median; /* least and median duration of contacts, in steps */
  PetscReal ripple;        /* greatest ripple of the force of a pair during one contact */
  /* greatest penetration, divided by the height of the layer of elements */
  PetscReal layers;
  /* greatest number of elements of the contact layer that a wave crosses in a step */
  PetscReal crossed;
  /* number of closed contact points at the greatest force, along the contact and, in 3D, across it */
  PetscReal along[2];
  PetscReal turn; /* greatest angle between neighbouring facets in contact, in degrees */
  /* volumetric energy divided by deviatoric energy, for bodies that may lock */
  PetscReal volumetric;
  /* greatest energy of hourglass springs, divided by the internal energy of the body */
  PetscReal hourglass;
  PetscInt  npairs;            /* 0: there are too many pairs, so pairs are not listed one by one */
  const CrResolvedPair *pairs; /* [npairs], borrowed */
} CrResolved;

/* Data for audit.json about the end of the run. */
typedef struct {
  PetscBool   completed;
  const char *failure;                  /* why the run was not completed; NULL if it was */
  const char *method, *citation, *help; /* name of the method, its source, one line about it */
  PetscBool   balances;                 /* the method claims to balance energy */
  const char *warnings;                 /* one per line */
  double      wall_seconds;
  double      by_part[CR_PARTS]; /* seconds of this process, set-up included */
  CrResolved  resolved;
} CrEnding;

/* The table of the key `output:` and all keys below it. */
extern const CrKey CrOutputKeys[];

/* Checks the section `output:` against the model, and finds the nodes of probes. The function writes no file.
   Collective. */
PetscErrorCode CrOutputCreate(const CrModel *model, CrContact *contact, const CrDeckNode *section,
                              PetscReal t_end, CrOutput **output);
/* Creates the folder, opens the files, and writes run.yaml. An older run in the folder is an error without
   `force`. With `force` it is removed, after the new files could be opened. Collective. */
PetscErrorCode CrOutputOpen(CrOutput *output, const char dir[], PetscBool force, const CrDeck *deck,
                            PetscInt nnotes, const char *const notes[]);
/* Returns true if this state gets rows in the tables, of which `output.every` leaves out some states. At the end of the
   run (`end`), it returns true if the rows of the last state are missing. */
PetscBool CrOutputHasRows(const CrOutput *output, const CrState *state, PetscBool end);
/* Writes the rows of the start or of an accepted step, and a frame if one is due. Collective. */
PetscErrorCode CrOutputWrite(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit);
/* Writes rows and frame of the last state if they are missing, fields.pvd and audit.json. Closes all files.
   Collective. */
PetscErrorCode CrOutputClose(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit, const CrEnding *ending);
/* For checkpoints: flushes the files, and adds their sizes to the archive. Collective. */
PetscErrorCode CrOutputArchive(CrOutput *output, CrArchive *archive);
/* Opens the files of a run that is continued, after its archive has been read; it replaces CrOutputOpen. Rows and
   frames later than the checkpoint are dropped. If no step follows (goes_on is false), the rows of a completed run are
   kept. Collective. */
PetscErrorCode CrOutputReopen(CrOutput *output, const char dir[], PetscBool goes_on);
PetscErrorCode CrOutputDestroy(CrOutput **output);
/* Finds the node of a probe, by the name that the table shows ("tip", "foot.12"). *node is a local node on the rank
   that owns it, and -1 on other ranks. A name that does not exist is a user error. Collective. */
PetscErrorCode CrOutputProbeNode(const CrOutput *output, const char name[], PetscInt *node);

/* A frame in memory. The arrays belong to the output. Rigid bodies come after deformable ones. */
typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points, *velocity;                /* npoints x 3 */
  const PetscInt  *types, *offsets, *nodes, *bodies; /* types are VTK's; offsets[ncells+1] */
  const PetscInt
      *parts; /* part of a rigid body's surface, 0 for an element; NULL: no rigid bodies */
} CrFrame;

/* Makes a frame of the state in memory, on rank 0, without a file. Collective. */
PetscErrorCode CrOutputFrame(CrOutput *output, const CrModel *model, const CrState *state,
                             CrFrame *frame);
/* For limits under `audit:`, CrAuditNameAt returns the name of the i-th number in audit.json, or NULL after the last
   one. CrAuditValue returns the value of a number, and NaN for unknown names. The value is NaN or infinite if
   audit.json has null. */
const char *CrAuditNameAt(PetscInt i);
/* Returns the reason why the number is null in every run of this model, or NULL if it can have a value. */
const char *CrAuditWhyNull(const CrModel *model, const char name[]);
PetscReal   CrAuditValue(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                         const char name[]);

/* Makes the path of the deck of a run, DIR/run.yaml. A folder without this file is a user error. */
PetscErrorCode CrRunDeckPath(const char dir[], char path[], size_t size);
