/* Files of a run (docs/manual.md): history, bodies, probes, extremes, fields, run.yaml, audit. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"

/* What the audit file says about the end. */
typedef struct {
  PetscBool   completed;
  const char *failure;                  /* why not; NULL */
  const char *method, *citation, *help; /* its name, where it stands, what it is */
  PetscBool   balances;                 /* the method claims that its energies add up */
  const char *warnings;                 /* one a line */
  double      wall_seconds;
} CrEnding;

/* The key `output:` with all its keys: a table of one row. */
extern const CrKey CrOutputKeys[];

/* Checks the `output:` section against the model (probes exist), resolves the probes. Writes
   nothing. Collective. */
PetscErrorCode CrOutputCreate(const CrModel *model, CrContact *contact, const CrDeckNode *section,
                              PetscReal t_end, CrOutput **output);
/* Makes the directory and opens the files. An older run there is an error without `force`, and is
   only removed once the new files can be opened. run.yaml is written from the deck. Collective. */
PetscErrorCode CrOutputOpen(CrOutput *output, const char dir[], PetscBool force, const CrDeck *deck,
                            PetscInt nnotes, const char *const notes[]);
/* The rows of one accepted step (or of the start), and a frame when one is due. Collective. */
PetscErrorCode CrOutputWrite(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit);
/* Rows and frame of the last state if they are not there yet, fields.pvd, audit.json; flushes and closes. Collective. */
PetscErrorCode CrOutputClose(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit, const CrEnding *ending);
/* For checkpoints: brings the files up to date and adds how far they are. Collective. */
PetscErrorCode CrOutputArchive(CrOutput *output, CrArchive *archive);
/* Instead of CrOutputOpen, once the archive has been read back: rows and frames later than the
   checkpoint are dropped, the rest goes on. Without steps to come (goes_on) the rows of a run that was closed stay.
   Collective. */
PetscErrorCode CrOutputReopen(CrOutput *output, const char dir[], PetscBool goes_on);
PetscErrorCode CrOutputDestroy(CrOutput **output);

/* A frame in memory; the arrays are the output's. Rigid bodies stand behind the others. */
typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points, *velocity;                /* npoints x 3 */
  const PetscInt  *types, *offsets, *nodes, *bodies; /* types: VTK's; offsets[ncells+1] */
  const PetscInt  *parts; /* of the surface of a rigid body, 0: an element; NULL: no rigid bodies */
} CrFrame;

/* The state as a frame of a run that is not written, on rank 0. Collective. */
PetscErrorCode CrOutputFrame(CrOutput *output, const CrModel *model, const CrState *state,
                             CrFrame *frame);
/* Names and values of audit.json's numbers, for limits under `audit:`; NULL after the last. The
   value is NaN or infinite where the file says null, and NaN for unknown names. */
const char *CrAuditNameAt(PetscInt i);
/* Why the number is null in every run of this model, in words; NULL: it is not. */
const char *CrAuditWhyNull(const CrModel *model, const char name[]);
PetscReal   CrAuditValue(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                         const char name[]);

/* The deck of a run, DIR/run.yaml; a folder without one is a mistake of the user's. */
PetscErrorCode CrRunDeckPath(const char dir[], char path[], size_t size);
