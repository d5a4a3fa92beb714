/* Opens, writes and closes the files of a run that the deck asks for. All ranks gather data, rank 0 writes, and all
   ranks get the same error code. */
#include <string.h>
#include <unistd.h>
#include "output/internal.h"
#include "model/gather.h"

/* ---- the deck ----------------------------------------------------------------------------- */

/* One row, one line. */
/* clang-format off */
#define FIELDS                                                                                     \
  "displacement|velocity|stress|von-mises|pressure|contact-pressure|contact-status|contact-force|" \
  "plastic_strain|plastic_work|viscous_work|temperature_rise"

static const CrKey probe_keys[] = {
    {"name", CR_TEXT | CR_MUST, .help = "name of the probe in probes.csv"},
    {"at", CR_REALS, .help = "point; the mesh node nearest to this point is recorded"},
    {"body", CR_TEXT, .help = "body of the node that `at` selects; needed if there are several bodies"},
    {"surface", CR_TEXT, .help = "body.surface: every node of this surface becomes a probe, with names name.0, name.1, ..."},
    {0},
};

static const CrKey section_keys[] = {
    {"frames", CR_INTEGER, "100", .range = "[0,1000000]",
     .help = "number of field files (frames) that are written; 0: none"},
    {"fields", CR_WORDS, "[displacement, velocity, stress, von-mises]", .words = FIELDS,
     .help = "fields that each frame contains"},
    {"pieces", CR_WORD | CR_INTEGER, "auto", "auto|each", "[1,1]",
     .help = "number of files per frame; each: one per process; auto: one, but one per process above 10^6 cells"},
    {"probes", CR_LIST, "[]", .keys = probe_keys, .help = "nodes whose motion is recorded"},
    {"extremes", CR_WORDS, "[von-mises]",
     .words = "displacement|velocity|von-mises|pressure|contact-pressure|plastic_strain|"
              "temperature_rise",
     .help = "fields whose least and greatest nodal values are written for each body; for vectors, their lengths"},
    {"every", CR_INTEGER, "1", .range = "[1,inf)",
     .help =
         "number of steps between rows of bodies.csv, contacts.csv, probes.csv and extremes.csv; the last step is always written"},
    {"filter", CR_REAL | CR_WORD, "auto", .words = "auto", .range = "[0,inf)",
     .help = "time over which contact forces are averaged; auto: four times the time in which a wave crosses the elements at the contact surface"},
    {"report", CR_TRUTH, "true", .help = "whether the run writes report.html at its end"},
    {"checkpoint", CR_REAL, "60", .range = "(0,inf)", .help = "seconds between checkpoints"},
    {"checkpoint_steps", CR_INTEGER, .range = "[1,inf)",
     .help = "steps between checkpoints, instead of seconds"},
    {0},
};

const CrKey CrOutputKeys[] = {
    {"output", CR_MAP, "{}", .keys = section_keys, .help = "files that the run writes, and their contents"},
    {0},
};
/* clang-format on */

static void mark_fields(const CrDeckNode *list, PetscBool asked[NFIELDS])
{
  for (PetscInt i = 0; i < CrDeckCount(list); i++)
    for (PetscInt f = 0; f < NFIELDS; f++)
      if (CrDeckIsWord(CrDeckItem(list, i), CrOutputFields[f].name)) asked[f] = PETSC_TRUE;
}

#define MANY_CELLS 1000000 /* more are not gathered on one rank */

static PetscBool in_pieces(const CrDeckNode *section, const CrModel *model)
{
  const CrDeckNode *pieces = CrDeckFind(section, "pieces");
  PetscMPIInt       size;

  MPI_Comm_size(model->comm, &size);
  if (CrDeckIsWord(pieces, "each")) return PETSC_TRUE;
  return CrDeckIsWord(pieces, "auto") && size > 1 && model->ncells > MANY_CELLS;
}

static PetscBool wants_stress(const PetscBool asked[NFIELDS])
{
  for (PetscInt f = 0; f < NFIELDS; f++)
    if (asked[f] && CrOutputFields[f].from_stress) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Pictures of laws with state show it without being asked. */
static void mark_state(const CrModel *model, PetscBool asked[NFIELDS])
{
  if (model->thickens) asked[FIELD_VISCOUS_WORK] = PETSC_TRUE;
  for (PetscInt b = 0; b < model->nbodies; b++) {
    const CrMaterial *m = model->bodies[b].material;
    PetscBool         plastic = m->ops->loss == CR_LOSS_PLASTIC;

    if (!m->ops->state_place) continue;
    if (plastic) asked[FIELD_PLASTIC_STRAIN] = PETSC_TRUE;
    asked[plastic ? FIELD_PLASTIC_WORK : FIELD_VISCOUS_WORK] = PETSC_TRUE;
    if (m->heating > 0) asked[FIELD_TEMPERATURE_RISE] = PETSC_TRUE;
  }
}

PetscErrorCode CrOutputCreate(const CrModel *model, CrContact *contact, const CrDeckNode *section,
                              PetscReal t_end, CrOutput **output)
{
  CrOutput      *out;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(1, &out));
  out->lock = -1;
  out->comm = model->comm;
  out->contact = contact;
  out->t_end = t_end;
  out->nbodies = model->nbodies;
  out->loses = CrModelLoses(model);
  out->drags = model->drags;
  PetscCallMPI(MPI_Comm_rank(out->comm, &out->rank));
  out->every = CrDeckInteger(CrDeckFind(section, "every"));
  out->frames.asked = CrDeckInteger(CrDeckFind(section, "frames"));
  out->frames.step = -1;
  out->frames.pieces = in_pieces(section, model);
  mark_fields(CrDeckFind(section, "fields"), out->fields);
  mark_fields(CrDeckFind(section, "extremes"), out->extremes);
  mark_state(model, out->fields);
  for (PetscInt f = FIELD_CONTACT_PRESSURE; contact && f <= FIELD_CONTACT_FORCE; f++)
    out->fields[f] = PETSC_TRUE;
  code = CrProbesCreate(model, CrDeckFind(section, "probes"), &out->probes);
  if (code) PetscCall(CrOutputDestroy(&out));
  PetscCall(code);

  if ((out->frames.asked && wants_stress(out->fields)) || wants_stress(out->extremes))
    PetscCall(PetscMalloc1(6 * model->nowned, &out->stress));
  if (out->loses) PetscCall(PetscMalloc1(CR_NSHOWN * model->nowned, &out->shown));
  PetscCall(PetscMalloc1(6 * model->nowned, &out->buffer));
  PetscCall(PetscMalloc1(2 * NFIELDS * model->nbodies, &out->ranges));
  *output = out;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- opening ------------------------------------------------------------------------------ */

/* Everything new stands under temporary names before anything old goes. */
static PetscErrorCode open_files(CrOutput *output, OutputFile *run_yaml)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < NTABLES; i++) PetscCall(CrFileFlush(&output->tables[i]));
  PetscCall(CrFileFlush(run_yaml));
  PetscCall(CrFolderClear(output->dir));
  if (output->frames.asked) PetscCall(CrFolderMakeFields(output->dir));
  for (PetscInt i = 0; i < NTABLES; i++) PetscCall(CrFileShow(&output->tables[i]));
  PetscCall(CrFileEnd(run_yaml));
  PetscCall(CrFolderOpenLog(output->dir));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A folder that was made for a run which cannot begin. */
static void remove_folder(const CrOutput *output)
{
  char fields[sizeof output->dir + sizeof "/fields"];

  for (PetscInt i = 0; i < NTABLES; i++)
    if (output->tables[i].path[0]) unlink(output->tables[i].path);
  snprintf(fields, sizeof fields, "%s/fields", output->dir);
  rmdir(fields);
  rmdir(output->dir);
}

static PetscErrorCode open_folder(CrOutput *output, PetscBool force, const CrDeck *deck,
                                  PetscInt nnotes, const char *const notes[])
{
  OutputFile     run_yaml = {0};
  PetscBool      made = PETSC_FALSE;
  PetscMPIInt    nranks;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(output->comm, &nranks));
  PetscCall(CrFolderPrepare(output->dir, force, &made));
  PetscCall(CrFolderLock(output->dir, &output->lock));
  code = CrRunYamlBegin(&run_yaml, output->dir, deck, nranks, nnotes, notes);
  if (!code) code = CrTablesBegin(output, output->dir);
  if (!code) code = open_files(output, &run_yaml);
  if (code) {
    CrFileDrop(&run_yaml);
    for (PetscInt i = 0; i < NTABLES; i++) CrFileDrop(&output->tables[i]);
    if (made) remove_folder(output);
  }
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOutputOpen(CrOutput *output, const char dir[], PetscBool force, const CrDeck *deck,
                            PetscInt nnotes, const char *const notes[])
{
  size_t         length = strlen(dir);
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (!length) CrInputFail("the name of the folder for the results is empty");
  if (length + 32 > sizeof output->dir) CrInputFail("%s: the path is too long", dir);
  strcpy(output->dir, dir);
  while (length > 1 && output->dir[length - 1] == '/') output->dir[--length] = 0;
  if (output->rank == 0) code = open_folder(output, force, deck, nnotes, notes);
  PetscCall(CrErrorAgree(output->comm, code));
  output->is_open = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Least and greatest over the nodes of each body, on rank 0. */
static PetscErrorCode find_extremes(CrOutput *output, const CrModel *model,
                                    const OutputNodal *nodal)
{
  const PetscInt n = 2 * NFIELDS * model->nbodies;
  PetscReal      value[6];
  PetscBool      any = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < NFIELDS; f++) any = any || output->extremes[f];
  if (!any) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < n; i++) output->ranges[i] = PETSC_MAX_REAL;
  for (PetscInt f = 0; f < NFIELDS; f++) {
    if (!output->extremes[f]) continue;
    for (PetscInt A = 0; A < model->nowned; A++) {
      PetscReal *range = output->ranges + 2 * (f * model->nbodies + model->node_body[A]), size;

      CrFieldAt(model, nodal, f, A, value);
      size = CrFieldSize(f, value);
      range[0] = PetscMin(range[0], size);
      range[1] = PetscMin(range[1], -size);
    }
  }
  PetscCallMPI(MPI_Reduce(output->rank ? output->ranges : MPI_IN_PLACE, output->ranges,
                          (PetscMPIInt)n, MPIU_REAL, MPI_MIN, 0, output->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What rank 0 needs of the others. */
static PetscErrorCode gather(CrOutput *output, const CrModel *model, const CrState *state,
                             PetscBool rows, PetscBool frame)
{
  OutputNodal nodal = {0};

  PetscFunctionBeginUser;
  output->reactions = state->reactions;
  PetscCall(VecGetArrayRead(state->u, &nodal.u));
  PetscCall(VecGetArrayRead(state->v, &nodal.v));
  if ((rows && wants_stress(output->extremes)) || (frame && wants_stress(output->fields))) {
    PetscCall(CrModelNodalStress(model, state, nodal.u, output->stress));
    nodal.stress = output->stress;
  }
  if (output->loses) {
    PetscCall(CrModelNodalState(model, state, output->shown));
    nodal.shown = output->shown;
  }
  if (output->contact) {
    PetscCall(CrContactGatherNodes(output->contact));
    nodal.contact = output->contact->picture->nodal;
    nodal.force = output->contact->picture->force;
  }
  if (rows) PetscCall(CrProbesGather(model, &nodal, &output->probes));
  if (rows) PetscCall(find_extremes(output, model, &nodal));
  if (frame) PetscCall(CrFramesGather(output, model, &nodal, state));
  PetscCall(VecRestoreArrayRead(state->v, &nodal.v));
  PetscCall(VecRestoreArrayRead(state->u, &nodal.u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOutputFrame(CrOutput *output, const CrModel *model, const CrState *state,
                             CrFrame *frame)
{
  OutputFrames *f = &output->frames;

  PetscFunctionBeginUser;
  f->pieces = PETSC_FALSE; /* nothing is written */
  for (PetscInt k = 0; k < NFIELDS; k++) output->fields[k] = k == FIELD_VELOCITY;
  PetscCall(gather(output, model, state, PETSC_FALSE, PETSC_TRUE));
  *frame =
      (CrFrame){f->npoints, f->ncells, f->points, f->values[FIELD_VELOCITY], f->types, f->offsets,
                f->nodes,   f->bodies, f->parts};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What `every` thins, and the frame. */
static PetscErrorCode write_state(CrOutput *output, const CrModel *model, const CrAudit *audit,
                                  PetscBool rows, PetscBool frame)
{
  PetscFunctionBeginUser;
  if (rows) {
    PetscCall(CrTablesBodies(output, model, audit));
    PetscCall(CrTablesContacts(output, audit));
    PetscCall(CrTablesProbes(output, audit));
    PetscCall(CrTablesExtremes(output, model, audit));
  }
  if (frame) PetscCall(CrFramesWrite(output));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_rows(CrOutput *output, const CrModel *model, const CrAudit *audit,
                                 PetscBool rows, PetscBool frame)
{
  PetscFunctionBeginUser;
  PetscCall(CrTablesHistory(output, audit));
  PetscCall(CrTablesEvents(output, audit));
  PetscCall(write_state(output, model, audit, rows, frame));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrOutputHasRows(const CrOutput *output, const CrState *state, PetscBool end)
{
  PetscBool regular = state->n % output->every == 0;

  return end ? !regular && !output->kept : regular;
}

PetscErrorCode CrOutputWrite(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit)
{
  PetscBool      rows = CrOutputHasRows(output, state, PETSC_FALSE);
  PetscBool      frame = CrFramesDue(&output->frames, state->t, output->t_end);
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCheck(output->is_open, output->comm, PETSC_ERR_ORDER, "CrOutputOpen comes first");
  if (rows || frame) PetscCall(gather(output, model, state, rows, frame));
  if (output->rank == 0) code = write_rows(output, model, audit, rows, frame);
  PetscCall(CrErrorAgree(output->comm, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- closing ------------------------------------------------------------------------------ */

/* audit.json comes last: where it is, everything is. */
static PetscErrorCode close_files(CrOutput *output, const CrModel *model, const CrAudit *audit,
                                  const CrEnding *ending, PetscBool rows, PetscBool frame)
{
  OutputFrames *frames = &output->frames;

  PetscFunctionBeginUser;
  PetscCall(write_state(output, model, audit, rows, frame));
  if (frames->asked)
    PetscCall(CrPvdWrite(output->dir, frames->n, frames->times, (PetscBool)frames->pieces));
  for (PetscInt i = 0; i < NTABLES; i++) PetscCall(CrFileEnd(&output->tables[i]));
  PetscCall(CrAuditJsonWrite(output->dir, model, audit, ending));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOutputClose(CrOutput *output, const CrModel *model, const CrState *state,
                             const CrAudit *audit, const CrEnding *ending)
{
  PetscBool      rows = CrOutputHasRows(output, state, PETSC_TRUE);
  PetscBool      frame = output->frames.asked && output->frames.step != state->n;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCheck(output->is_open, output->comm, PETSC_ERR_ORDER, "CrOutputOpen comes first");
  if (rows || frame) PetscCall(gather(output, model, state, rows, frame));
  if (output->rank == 0) code = close_files(output, model, audit, ending, rows, frame);
  PetscCall(CrErrorAgree(output->comm, code));
  output->is_open = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOutputDestroy(CrOutput **output)
{
  CrOutput *out = *output;

  PetscFunctionBeginUser;
  if (!out) PetscFunctionReturn(PETSC_SUCCESS);
  /* after an error the files may still be open: what was written stays */
  for (PetscInt i = 0; i < NTABLES; i++) (void)CrFileEnd(&out->tables[i]);
  PetscCall(CrProbesDestroy(&out->probes));
  PetscCall(CrFramesDestroy(&out->frames));
  PetscCall(PetscFree(out->stress));
  PetscCall(PetscFree(out->shown));
  PetscCall(PetscFree(out->buffer));
  PetscCall(PetscFree(out->ranges));
  if (out->lock >= 0) close(out->lock);
  PetscCall(PetscFree(*output));
  PetscFunctionReturn(PETSC_SUCCESS);
}
