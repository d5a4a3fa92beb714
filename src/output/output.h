/* The files of a run (docs/manual.md): tables, fields, run.yaml, audit.json. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"

/* How finely steps and elements resolve the contact of a pair. NaN: there is no such number. */
typedef struct {
  const char *name;                          /* borrowed */
  PetscReal   least, median, ripple, layers; /* as below */
} CrResolvedPair;

/* How finely steps and elements resolve contact. NaN: there is no such number. */
typedef struct {
  PetscReal least, median; /* duration of contacts, in steps */
  PetscReal ripple;        /* greatest ripple of the force of a pair during one contact */
  PetscReal layers;        /* greatest penetration over the height of the layer of elements */
  PetscReal crossed; /* elements of the contact layer that a wave crosses in a step, at most */
  /* number of closed contact points at the greatest force, along the contact and, in 3D, across it */
  PetscReal along[2];
  PetscReal turn;       /* greatest angle between neighbouring facets in contact, in degrees */
  PetscReal volumetric; /* volumetric over deviatoric energy of bodies that may lock */
  PetscReal hourglass; /* greatest energy of hourglass springs over the internal energy of a body */
  PetscInt  npairs;    /* 0: there are too many pairs, so pairs are not listed one by one */
  const CrResolvedPair *pairs; /* [npairs], borrowed */
} CrResolved;

/* What audit.json says about the end of the run. */
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
/* Are rows of the tables that `output.every` thins written for this state? At the end: if they are missing. */
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
/* Opens the files of a run that is continued, after its archive has been read; it replaces CrOutputOpen. Rows
   and frames later than the checkpoint are dropped. If no step follows (goes_on is false), the rows of a
   completed run stay. Collective. */
PetscErrorCode CrOutputReopen(CrOutput *output, const char dir[], PetscBool goes_on);
PetscErrorCode CrOutputDestroy(CrOutput **output);
/* The node that a probe of the deck watches, as the table names it ("tip", "foot.12"): a local node on the rank that
   owns it, -1 on the others. A name that does not exist is a mistake of the user. Collective. */
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
/* Names and values of the numbers in audit.json, for limits under `audit:`. The name is NULL after the last.
   The value is NaN or infinite where the file says null, and NaN for unknown names. */
const char *CrAuditNameAt(PetscInt i);
/* The reason why the number is null in every run of this model; NULL if it is not. */
const char *CrAuditWhyNull(const CrModel *model, const char name[]);
PetscReal   CrAuditValue(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                         const char name[]);

/* The path of the deck of a run, DIR/run.yaml. A folder without that file is a mistake of the user. */
PetscErrorCode CrRunDeckPath(const char dir[], char path[], size_t size);
