/* What the files of this folder share. Everything that touches the disk runs on rank 0 alone. */
#pragma once

#include "output/file.h"
#include "output/output.h"

/* ---- the run's folder (folder.c) ---------------------------------------------------------- */

/* Refuses foreign folders, and older runs without `force`; makes the folder where there is none. */
PetscErrorCode CrFolderPrepare(const char dir[], PetscBool force, PetscBool *made);
/* Removes what an older run left and the new one does not replace at once. */
PetscErrorCode CrFolderClear(const char dir[]);
/* One run at a time: *lock is closed when it is over; -1: none. */
PetscErrorCode CrFolderLock(const char dir[], int *lock);
/* Everything said goes into DIR/log.txt too, behind what is there. */
PetscErrorCode CrFolderOpenLog(const char dir[]);
/* The folder of the frames. */
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
  NFIELDS
};

typedef struct {
  const char *name; /* deck word and name in the files */
  PetscInt    width;
  PetscBool   from_stress;
} OutputField;

extern const OutputField CrOutputFields[NFIELDS];

/* Local arrays of the state; stress of owned nodes, NULL unless a field needs it. */
typedef struct {
  const PetscReal      *u, *v, *stress;
  const CrContactNodal *contact; /* NULL: nothing touches */
  const PetscReal      *force;   /* of contact */
} OutputNodal;

#define PROBE_REALS 12 /* u, v, contact force, gap, slip, pressure */

/* One field at one owned node, padded to three dimensions. */
void CrFieldAt(const CrModel *model, const OutputNodal *nodal, PetscInt field, PetscInt node,
               PetscReal value[6]);
/* What extremes are taken of: the value of a scalar, the length of a vector. */
PetscReal CrFieldSize(PetscInt field, const PetscReal value[6]);

/* ---- field files (vtu.c, pvd.c) ----------------------------------------------------------- */

typedef struct {
  PetscInt         npoints, ncells;
  const PetscReal *points;                           /* npoints x 3 */
  const PetscInt  *types, *offsets, *nodes, *bodies; /* types: VTK's; offsets[ncells+1] */
  const PetscInt  *parts; /* of the surface of a rigid body, 0: an element; NULL: no rigid bodies */
} VtuMesh;

typedef struct {
  const char      *name;
  PetscInt         width;
  const PetscReal *values; /* npoints x width */
} VtuField;

PetscErrorCode CrVtuWrite(const char dir[], const char name[], PetscReal time, const VtuMesh *mesh,
                          PetscInt nfields, const VtuField fields[]);
/* Name of the k-th frame, within the folder. */
void           CrFrameName(PetscInt k, char name[32]);
PetscErrorCode CrPvdWrite(const char dir[], PetscInt n, const PetscReal times[]);

/* ---- the parts of an output --------------------------------------------------------------- */

typedef struct {
  char     *name; /* owned */
  PetscReal X[3];
  PetscInt  slot; /* in the gathered values */
} OutputProbe;

typedef struct {
  PetscInt   asked; /* entries of the deck */
  PetscInt   nmine;
  PetscInt  *mine; /* owned local nodes that are probed, in the order they are sent; owned */
  PetscReal *send; /* [nmine][PROBE_REALS], owned */
  /* rank 0 */
  PetscInt     n;
  OutputProbe *rows;            /* in the order of the file, owned */
  PetscReal   *values;          /* [n][PROBE_REALS] by slot, owned */
  PetscMPIInt *counts, *starts; /* reals from each rank, owned */
} OutputProbes;

typedef struct {
  PetscInt   asked, next; /* how many; the next that is due */
  PetscInt   n, step;     /* written so far; step of the last, -1 if none */
  PetscBool  is_set_up;
  double     listed; /* when fields.pvd was written, in seconds */
  PetscInt   capacity;
  PetscReal *times; /* [n], owned */
  /* rank 0 */
  PetscReal *points, *values[NFIELDS];        /* gathered, owned */
  PetscInt *types, *offsets, *nodes, *bodies; /* of the whole mesh and of the rigid bodies, owned */
  PetscInt *parts;                            /* as in VtuMesh; owned */
  PetscInt  npoints, ncells;
  PetscReal *rigid;      /* [3 (npoints - nglobal)] of the rigid bodies in their own axes, owned */
  PetscInt  *rigid_body; /* of each such point, owned */
} OutputFrames;

enum {
  TABLE_HISTORY,
  TABLE_BODIES,
  TABLE_CONTACTS,
  TABLE_PROBES,
  TABLE_EXTREMES,
  TABLE_EVENTS,
  NTABLES
};

struct CrOutput {
  MPI_Comm    comm;
  PetscMPIInt rank;
  PetscInt    every, nbodies;
  CrContact  *contact; /* borrowed; NULL: nothing touches */
  PetscReal   t_end;
  PetscBool   fields[NFIELDS], extremes[NFIELDS]; /* asked for */
  PetscReal  *stress;                             /* [nowned][6], NULL if not needed; owned */
  PetscReal  *buffer;                             /* [nowned][6], owned */
  PetscReal  *ranges; /* [NFIELDS][nbodies][2] least, minus greatest; owned */

  OutputProbes probes;
  OutputFrames frames;

  PetscBool  is_open;
  int        lock; /* of the folder, on rank 0; -1: none */
  char       dir[PETSC_MAX_PATH_LEN];
  OutputFile tables[NTABLES];
  PetscReal  sizes[NTABLES]; /* bytes of each at the last checkpoint */
  PetscBool kept; /* nothing was left to do: the rows of the last state, behind those bytes, stay */
};

/* Probes (probes.c): from the deck to nodes; their values on rank 0. Collective. */
PetscErrorCode CrProbesCreate(const CrModel *model, const CrDeckNode *list, OutputProbes *probes);
PetscErrorCode CrProbesGather(const CrModel *model, const OutputNodal *nodal, OutputProbes *probes);
PetscErrorCode CrProbesDestroy(OutputProbes *probes);

/* Tables (tables.c): rank 0. */
PetscErrorCode CrTablesBegin(CrOutput *output, const char dir[]);
const char    *CrTablesName(PetscInt i);
PetscErrorCode CrTablesHistory(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesBodies(CrOutput *output, const CrModel *model, const CrAudit *audit);
PetscErrorCode CrTablesContacts(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesProbes(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesEvents(CrOutput *output, const CrAudit *audit);
PetscErrorCode CrTablesExtremes(CrOutput *output, const CrModel *model, const CrAudit *audit);

/* Frames (frames.c). Due: is there one at this time; the schedule moves past it. */
PetscBool      CrFramesDue(OutputFrames *frames, PetscReal t, PetscReal t_end);
PetscErrorCode CrFramesGather(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                              const CrState *state); /* collective */
PetscErrorCode CrFramesWrite(CrOutput *output);      /* rank 0 */
/* Pictures of the rigid bodies behind the mesh (frames_rigid.c), rank 0. */
PetscErrorCode CrFramesRigidSetUp(CrOutput *output, const CrModel *model);
void           CrFramesRigidFill(CrOutput *output, const CrModel *model, const CrState *state);
PetscErrorCode CrFramesDestroy(OutputFrames *frames);

/* run.yaml and audit.json: rank 0. */
PetscErrorCode CrRunYamlBegin(OutputFile *file, const char dir[], const CrDeck *deck,
                              PetscMPIInt nranks, PetscInt nnotes, const char *const notes[]);
PetscErrorCode CrAuditJsonWrite(const char dir[], const CrModel *model, const CrAudit *audit,
                                const CrEnding *ending);
