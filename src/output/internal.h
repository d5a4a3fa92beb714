/* Declarations that the source files of src/output share. Only rank 0 reads and writes files, except checkpoints and
   pieces of frames. */
#pragma once

#include "model/gather.h"
#include "output/file.h"
#include "output/output.h"
#include "output/vtu.h"

/* ---- the run's folder (folder.c) ---------------------------------------------------------- */

/* Creates the folder if it does not exist. Refuses a folder with other files, and an older run without `force`. */
PetscErrorCode CrFolderPrepare(const char dir[], PetscBool force, PetscBool *made);
/* Removes files of an older run that the new run does not replace at once. */
PetscErrorCode CrFolderClear(const char dir[]);
/* Locks the folder, so that only one run uses it. The caller closes *lock at the end of the run; -1: no lock. */
PetscErrorCode CrFolderLock(const char dir[], int *lock);
/* Opens DIR/log.txt, to which all later messages are appended. */
PetscErrorCode CrFolderOpenLog(const char dir[]);
/* Creates the folder of the frames. */
PetscErrorCode CrFolderMakeFields(const char dir[]);

/* ---- nodal fields that can be asked for (fields.c) ---------------------------------------- */

enum {
  FIELD_DISPLACEMENT,
  FIELD_VELOCITY,
  FIELD_STRESS,
  FIELD_VON_MISES,
  FIELD_CONTACT_PRESSURE,
  FIELD_CONTACT_STATUS,
  FIELD_CONTACT_FORCE,
  FIELD_PRESSURE,
  /* this field and the next three are in the order of CR_SHOWN_... (gather.h) */
  FIELD_PLASTIC_STRAIN,
  FIELD_PLASTIC_WORK,
  FIELD_VISCOUS_WORK,
  FIELD_TEMPERATURE_RISE,
  NFIELDS
};

typedef struct {
  const char *name; /* deck word and name in the files */
  PetscInt    width;
  PetscBool   from_stress, from_state;
} OutputField;

extern const OutputField CrOutputFields[NFIELDS];

/* Local arrays of the state. `stress` has the values at owned nodes; NULL: no field needs it. */
typedef struct {
  const PetscReal      *u, *v, *stress;
  const CrContactNodal *contact; /* NULL: the model has no contact */
  const PetscReal      *force;   /* contact forces */
  const PetscReal      *shown;   /* result of CrModelNodalState; NULL: no law has a state */
} OutputNodal;

#define PROBE_REALS                                                                                \
  (12 + CR_NSHOWN) /* u, v, contact force, gap, slip, pressure; state of the law */

/* Computes the value of a field at an owned node; in 2D, missing components are zero. */
void CrFieldAt(const CrModel *model, const OutputNodal *nodal, PetscInt field, PetscInt node,
               PetscReal value[6]);
/* Returns the number whose extremes are written: the value of a scalar, the length of a vector. */
PetscReal CrFieldSize(PetscInt field, const PetscReal value[6]);

/* ---- the parts of an output --------------------------------------------------------------- */

typedef struct {
  char     *name; /* owned */
  PetscReal X[3];
  PetscInt  slot; /* row in the gathered values */
} OutputProbe;

typedef struct {
  PetscInt asked; /* number of probes in the deck */
  PetscInt nmine;
  /* [nmine] probed nodes that this rank owns, in the order in which they are sent; owned */
  PetscInt  *mine;
  PetscReal *send; /* [nmine][PROBE_REALS]; owned */
  /* rank 0 */
  PetscInt     n;
  OutputProbe *rows;   /* probes in the order of the file; owned */
  PetscReal   *values; /* [n][PROBE_REALS] in the order of slots, owned */
  PetscMPIInt *counts,
      *starts; /* number of reals from each rank, and position of the first one; owned */
} OutputProbes;

/* The piece of a frame that one rank writes: its own cells, and their nodes. */
typedef struct {
  PetscInt   npoints, ncells;
  PetscInt  *node;                                     /* [npoints] local; owned, like all below */
  PetscInt  *types, *offsets, *nodes, *bodies, *parts; /* as in VtuMesh */
  PetscReal *points, *values[NFIELDS];
  PetscReal *local; /* [nlocal][6] a field with its ghosts */
  Vec        work;
} OutputPiece;

typedef struct {
  PetscInt   asked, next; /* number of frames that the deck asks for; the next one that is due */
  PetscInt   n, step;     /* number of frames written so far; step of the last one, -1 if none */
  PetscBool  is_set_up;
  double     listed; /* time at which fields.pvd was written, in seconds */
  PetscInt   capacity;
  PetscReal *times; /* [n], owned */
  /* each rank writes a piece, and rank 0 has only the surface; an integer for checkpoints */
  PetscInt     pieces;
  CrGatherPlan plan;
  OutputPiece  piece;
  /* rank 0 */
  PetscInt nmesh; /* points of the mesh or of its surface; those of rigid bodies come after them */
  PetscReal *points, *values[NFIELDS]; /* gathered, owned */
  PetscInt  *types, *offsets, *nodes,
      *bodies;      /* of the mesh or surface, and of the rigid bodies, owned */
  PetscInt  *parts; /* as in VtuMesh; owned */
  PetscInt   npoints, ncells;
  PetscReal *rigid;      /* [3 (npoints - nmesh)] points of rigid bodies in body axes, owned */
  PetscInt  *rigid_body; /* body of each such point, owned */
} OutputFrames;

enum {
  TABLE_HISTORY,
  TABLE_BODIES,
  TABLE_CONTACTS,
  TABLE_PROBES,
  TABLE_EXTREMES,
  TABLE_EVENTS,
  TABLE_REACTIONS,
  NTABLES
};

struct CrOutput {
  MPI_Comm    comm;
  PetscMPIInt rank;
  PetscInt    every, nbodies;
  PetscBool   drags; /* some material has a damping by mass: the history has its column */
  /* materials dissipate energy, so tables have columns for it (CrModelLoses) */
  PetscBool          loses;
  CrContact         *contact;   /* borrowed; NULL: the model has no contact */
  const CrReactions *reactions; /* reactions of the state that is written; borrowed */
  PetscReal          t_end;
  PetscBool          fields[NFIELDS],
      extremes[NFIELDS]; /* true: the deck asks for the field, or for its extremes */
  PetscReal *stress;     /* [nowned][6], NULL if not needed; owned */
  PetscReal *shown;      /* [CR_NSHOWN][nowned], NULL if no law has a state; owned */
  PetscReal *buffer;     /* [nowned][6], owned */
  PetscReal *ranges; /* [NFIELDS][nbodies][2] least value, and minus the greatest value; owned */

  OutputProbes probes;
  OutputFrames frames;

  PetscBool  is_open;
  int        lock; /* file that locks the folder, on rank 0; -1: none */
  char       dir[PETSC_MAX_PATH_LEN];
  OutputFile tables[NTABLES];
  PetscReal  sizes[NTABLES]; /* bytes of each table at the last checkpoint */
  /* the run has no further steps, so the rows of the last state, which follow these bytes, are kept */
  PetscBool kept;
};

/* Probes (probes.c): Create finds their nodes, Gather collects their values on rank 0. Collective. */
PetscErrorCode CrProbesCreate(const CrModel *model, const CrDeckNode *list, OutputProbes *probes);
PetscErrorCode CrProbesGather(const CrModel *model, const OutputNodal *nodal, OutputProbes *probes);
PetscErrorCode CrProbesDestroy(OutputProbes *probes);

/* Tables (tables.c), on rank 0. */
PetscErrorCode CrTablesBegin(CrOutput *output, const char dir[]);
const char    *CrTablesName(PetscInt i);
PetscErrorCode CrTablesHistory(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesBodies(CrOutput *output, const CrModel *model, const CrAudit *audit);
PetscErrorCode CrTablesContacts(CrOutput      *output,
                                const CrAudit *audit); /* writes contacts.csv and reactions.csv */
PetscErrorCode CrTablesProbes(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesEvents(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesExtremes(CrOutput *output, const CrModel *model, const CrAudit *audit);

/* Frames (frames.c). CrFramesDue returns true if a frame is due at time t, and then advances to the next frame. */
PetscBool      CrFramesDue(OutputFrames *frames, PetscReal t, PetscReal t_end);
PetscErrorCode CrFramesGather(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                              const CrState *state); /* collective */
PetscErrorCode CrFramesWrite(CrOutput *output);      /* rank 0 */
/* Writes the pieces of a frame, one by each rank (frames_pieces.c). Collective. */
PetscErrorCode CrPiecesWrite(CrOutput *output, const CrModel *model, const OutputNodal *nodal);
PetscErrorCode CrPiecesDestroy(OutputPiece *piece);
/* Lists the fields that the deck asks for, with their values, in the order of the table. Returns their number. */
PetscInt CrFramesFields(const CrOutput *output, PetscReal *const values[NFIELDS],
                        VtuField fields[NFIELDS]);
/* Functions for the surfaces of rigid bodies, which come after the mesh (frames_rigid.c), on rank 0. */
PetscErrorCode CrFramesRigidSetUp(CrOutput *output, const CrModel *model);
void           CrFramesRigidFill(CrOutput *output, const CrModel *model, const CrState *state);
PetscErrorCode CrFramesDestroy(OutputFrames *frames);

/* Write run.yaml and audit.json, on rank 0. */
PetscErrorCode CrRunYamlBegin(OutputFile *file, const char dir[], const CrDeck *deck,
                              PetscMPIInt nranks, PetscInt nnotes, const char *const notes[]);
PetscErrorCode CrAuditJsonWrite(const char dir[], const CrModel *model, const CrAudit *audit,
                                const CrEnding *ending);
