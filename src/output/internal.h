/* Declares the types and functions that the source files of src/output share. Only rank 0 reads and writes files,
   except checkpoints and pieces of frames: every rank writes its own part of these. */
#pragma once

#include "model/gather.h"
#include "output/file.h"
#include "output/output.h"
#include "output/vtu.h"

/* ---- the run's folder (folder.c) ---------------------------------------------------------- */

/* Creates the folder `dir` of the results if it does not exist; *made is then true. Refuses a folder that contains
   other files. Also refuses a folder with results of an older run, unless `force` is true. */
PetscErrorCode CrFolderPrepare(const char dir[], PetscBool force, PetscBool *made);
/* Removes from the folder those files of an older run that the new run does not replace at once. */
PetscErrorCode CrFolderClear(const char dir[]);
/* Locks the folder, so that only one run uses it, and sets *lock to a file descriptor. The caller closes *lock at the
   end of the run; -1: no lock. */
PetscErrorCode CrFolderLock(const char dir[], int *lock);
/* Opens DIR/log.txt, to which all later messages are appended. */
PetscErrorCode CrFolderOpenLog(const char dir[]);
/* Creates the subfolder for the field files (frames). */
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
  /* this field and the next three have the order of CR_SHOWN_... (gather.h) */
  FIELD_PLASTIC_STRAIN,
  FIELD_PLASTIC_WORK,
  FIELD_VISCOUS_WORK,
  FIELD_TEMPERATURE_RISE,
  NFIELDS
};

typedef struct {
  const char *name; /* name of the field in the deck and in the files */
  PetscInt    width;
  PetscBool   from_stress, from_state;
} OutputField;

extern const OutputField CrOutputFields[NFIELDS];

/* Arrays of the state from which fields are computed. All arrays have the values of this rank's nodes. `stress` has
   only the values at owned nodes; NULL: no field needs it. */
typedef struct {
  const PetscReal      *u, *v, *stress;
  const CrContactNodal *contact; /* NULL: the model has no contact */
  const PetscReal      *force;   /* contact forces at nodes */
  const PetscReal      *shown; /* result of CrModelNodalState; NULL: no material law has a state */
  /* numbers per probe: u, v, contact force, gap, slip, pressure, state of the material law */
} OutputNodal;

#define PROBE_REALS (12 + CR_NSHOWN)

/* Computes the value of a field at a node that this rank owns. In 2D, missing components are zero. */
void CrFieldAt(const CrModel *model, const OutputNodal *nodal, PetscInt field, PetscInt node,
               PetscReal value[6]);
/* Returns the scalar whose extremes are written to tables: the value of a scalar field, or the length of a vector. */
PetscReal CrFieldSize(PetscInt field, const PetscReal value[6]);

/* ---- the parts of an output --------------------------------------------------------------- */

typedef struct {
  char     *name; /* owned */
  PetscReal X[3];
  PetscInt  slot; /* row of this probe in OutputProbes.values */
} OutputProbe;

typedef struct {
  PetscInt asked; /* number of probes that the deck asks for */
  PetscInt nmine;
  /* [nmine] nodes with probes that this rank owns, in the order in which their values are sent; owned */
  PetscInt  *mine;
  PetscReal *send; /* [nmine][PROBE_REALS] values that this rank sends to rank 0; owned */
  /* the members below are used only on rank 0 */
  PetscInt     n;
  OutputProbe *rows;   /* [n] probes in the order of the rows of probes.csv; owned */
  PetscReal   *values; /* [n][PROBE_REALS] gathered values, indexed by OutputProbe.slot; owned */
  /* [ranks] number of reals that each rank sends, and index of the first one in `values`; owned */
  PetscMPIInt *counts, *starts;
} OutputProbes;

/* The piece of a frame that one rank writes: the cells (elements) that it owns, and the nodes of these cells. */
typedef struct {
  PetscInt   npoints, ncells;
  PetscInt  *node; /* [npoints] local number of each node; owned, like all members below */
  PetscInt  *types, *offsets, *nodes, *bodies, *parts; /* cells, as in VtuMesh */
  PetscReal *points, *values[NFIELDS];
  PetscReal *local; /* [nlocal][6] values of a field at local nodes, including ghosts */
  Vec        work;
} OutputPiece;

typedef struct {
  /* number of frames that the deck asks for; index of the next frame that is due */
  PetscInt asked, next;
  /* number of frames written so far; step of the last frame, -1 if there is none */
  PetscInt   n, step;
  PetscBool  is_set_up;
  double     listed; /* wall-clock time at which fields.pvd was last written, in seconds */
  PetscInt   capacity;
  PetscReal *times; /* [n] simulated times of the frames; owned */
  /* 1: each rank writes a piece of every frame, and rank 0 gathers only the surface; it is an integer so that
     checkpoints can store it */
  PetscInt     pieces;
  CrGatherPlan plan;
  OutputPiece  piece;
  /* the members below are used only on rank 0 */
  /* number of points of the mesh or of its surface; the points of rigid bodies come after these points */
  PetscInt   nmesh;
  PetscReal *points, *values[NFIELDS]; /* values gathered on rank 0; owned */
  /* cells of the mesh or of its surface, and of the rigid bodies, as in VtuMesh; owned */
  PetscInt  *types, *offsets, *nodes, *bodies;
  PetscInt  *parts; /* as in VtuMesh; owned */
  PetscInt   npoints, ncells;
  PetscReal *rigid; /* [3 (npoints - nmesh)] points on rigid bodies, in axes of the body; owned */
  PetscInt  *rigid_body; /* [npoints - nmesh] rigid body of each of these points; owned */
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
  /* true: some material has mass-proportional damping, so history.csv has a column for its loss */
  PetscBool drags;
  /* true: some material dissipates energy, so tables have columns for it (CrModelLoses) */
  PetscBool          loses;
  CrContact         *contact;   /* borrowed; NULL: the model has no contact */
  const CrReactions *reactions; /* reaction forces of the state that is being written; borrowed */
  PetscReal          t_end;
  /* true: the deck asks for the field in frames, or for its extremes */
  PetscBool  fields[NFIELDS], extremes[NFIELDS];
  PetscReal *stress; /* [nowned][6] stresses at owned nodes; NULL: not needed; owned */
  /* [CR_NSHOWN][nowned] states of material laws; NULL: no law has a state; owned */
  PetscReal *shown;
  PetscReal *buffer; /* [nowned][6] work array; owned */
  /* [NFIELDS][nbodies][2] least value of each field in each body, and minus its greatest value; owned */
  PetscReal *ranges;

  OutputProbes probes;
  OutputFrames frames;

  PetscBool  is_open;
  int        lock; /* descriptor of the file that locks the folder, on rank 0; -1: none */
  char       dir[PETSC_MAX_PATH_LEN];
  OutputFile tables[NTABLES];
  PetscReal  sizes[NTABLES]; /* number of bytes of each table at the last checkpoint */
  /* true: the run has no further steps; the rows of the last state, which follow these bytes in the file, are kept */
  PetscBool kept;
};

/* CrProbesCreate finds the nodes of all probes. CrProbesGather collects their values on rank 0. Both functions are in
   probes.c. Collective. */
PetscErrorCode CrProbesCreate(const CrModel *model, const CrDeckNode *list, OutputProbes *probes);
PetscErrorCode CrProbesGather(const CrModel *model, const OutputNodal *nodal, OutputProbes *probes);
PetscErrorCode CrProbesDestroy(OutputProbes *probes);

/* Write the tables of a run, on rank 0 (tables.c). CrTablesBegin opens the files; the other functions write the rows of
   one state. */
PetscErrorCode CrTablesBegin(CrOutput *output, const char dir[]);
const char    *CrTablesName(PetscInt i);
PetscErrorCode CrTablesHistory(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesBodies(CrOutput *output, const CrModel *model, const CrAudit *audit);
PetscErrorCode CrTablesContacts(CrOutput      *output,
                                const CrAudit *audit); /* writes contacts.csv and reactions.csv */
PetscErrorCode CrTablesProbes(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesEvents(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesExtremes(CrOutput *output, const CrModel *model, const CrAudit *audit);

/* CrFramesDue returns true if a frame is due at the simulated time t, and then advances to the next frame.
   CrFramesGather collects the values of a frame on rank 0, and CrFramesWrite writes the frame. All three are in
   frames.c. */
PetscBool      CrFramesDue(OutputFrames *frames, PetscReal t, PetscReal t_end);
PetscErrorCode CrFramesGather(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                              const CrState *state); /* collective */
PetscErrorCode CrFramesWrite(CrOutput *output);      /* rank 0 */
/* Writes a frame in pieces: each rank writes one piece (frames_pieces.c). Collective. */
PetscErrorCode CrPiecesWrite(CrOutput *output, const CrModel *model, const OutputNodal *nodal);
PetscErrorCode CrPiecesDestroy(OutputPiece *piece);
/* Lists in `fields` the fields that the deck asks for, with their values, in the order of CrOutputFields. Returns the
   number of fields. */
PetscInt CrFramesFields(const CrOutput *output, PetscReal *const values[NFIELDS],
                        VtuField fields[NFIELDS]);
/* Add the surfaces of rigid bodies to a frame, after the mesh, on rank 0 (frames_rigid.c). */
PetscErrorCode CrFramesRigidSetUp(CrOutput *output, const CrModel *model);
void           CrFramesRigidFill(CrOutput *output, const CrModel *model, const CrState *state);
PetscErrorCode CrFramesDestroy(OutputFrames *frames);

/* Write run.yaml and audit.json, on rank 0. */
PetscErrorCode CrRunYamlBegin(OutputFile *file, const char dir[], const CrDeck *deck,
                              PetscMPIInt nranks, PetscInt nnotes, const char *const notes[]);
PetscErrorCode CrAuditJsonWrite(const char dir[], const CrModel *model, const CrAudit *audit,
                                const CrEnding *ending);
