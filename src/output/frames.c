/* Frames of the output: decides when a frame is due, gathers its nodal data on rank 0, and writes its files. */
#include "base/grow.h"
#include "mesh/mesh.h"
#include "output/internal.h"
#include "model/gather.h"

/* With very many frames the list is not written anew after each. */
#define LIST_ALWAYS 1000
#define LIST_AFTER  1.0 /* seconds */

PetscBool CrFramesDue(OutputFrames *frames, PetscReal t, PetscReal t_end)
{
  const PetscReal asked = (PetscReal)frames->asked, share = t_end > 0 ? t / t_end + 1e-9 : 1;

  /* a run that goes on beyond the end of its deck has more than asked for, equally far apart */
  if (!frames->asked || (PetscReal)frames->next > share * asked) return PETSC_FALSE;
  /* a long step may pass several times, and gives one frame */
  frames->next = PetscMax(frames->next, (PetscInt)PetscMin(share * asked, 1e9)) + 1;
  return PETSC_TRUE;
}

/* What does not change, and room for the rest; with the first frame, because who only checks a deck
   needs none of it. */
static PetscErrorCode set_up(CrOutput *output, const CrModel *model)
{
  OutputFrames *frames = &output->frames;
  CrGatherCells cells = {0};
  PetscInt      n;

  PetscFunctionBeginUser;
  if (frames->is_set_up) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(frames->pieces ? CrGatherPlanSurface(model, &frames->plan, &cells)
                           : CrGatherPlanAll(model, &frames->plan, &cells));
  frames->types = cells.types;
  frames->offsets = cells.offsets;
  frames->nodes = cells.nodes;
  frames->bodies = cells.bodies;
  frames->ncells = cells.n;
  frames->nmesh = frames->npoints = frames->plan.all;
  for (PetscInt c = 0; output->rank == 0 && c < frames->ncells; c++)
    frames->types[c] = CrCells[frames->types[c]].vtk;
  if (output->rank == 0) PetscCall(CrFramesRigidSetUp(output, model));
  n = output->rank ? 0 : frames->npoints;
  PetscCall(PetscMalloc1(3 * n, &frames->points));
  for (PetscInt f = 0; f < NFIELDS; f++)
    if (output->fields[f]) PetscCall(PetscCalloc1(CrOutputFields[f].width * n, &frames->values[f]));
  frames->is_set_up = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather_fields(CrOutput *output, const CrModel *model,
                                    const OutputNodal *nodal)
{
  OutputFrames       *frames = &output->frames;
  const CrGatherPlan *plan = &frames->plan;
  const PetscInt      dim = model->dim;

  PetscFunctionBeginUser;
  /* deformed positions */
  for (PetscInt k = 0; k < plan->n; k++)
    for (PetscInt i = 0, A = plan->mine[k]; i < 3; i++)
      output->buffer[3 * k + i] = i < dim ? model->X[dim * A + i] + nodal->u[dim * A + i] : 0;
  PetscCall(CrGatherRows(model, plan, 3, output->buffer, frames->points));
  for (PetscInt f = 0; f < NFIELDS; f++) {
    const PetscInt width = CrOutputFields[f].width;
    PetscReal      value[6];

    if (!output->fields[f]) continue;
    for (PetscInt k = 0; k < plan->n; k++) {
      CrFieldAt(model, nodal, f, plan->mine[k], value);
      for (PetscInt i = 0; i < width; i++) output->buffer[width * k + i] = value[i];
    }
    PetscCall(CrGatherRows(model, plan, width, output->buffer, frames->values[f]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFramesGather(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                              const CrState *state)
{
  OutputFrames *frames = &output->frames;

  PetscFunctionBeginUser;
  PetscCall(set_up(output, model));
  PetscCall(gather_fields(output, model, nodal));
  if (output->rank == 0) CrFramesRigidFill(output, model, state);
  frames->step = state->n;
  PetscCall(CrGrow(frames->n + 1, &frames->capacity, &frames->times));
  frames->times[frames->n++] = state->t;
  if (frames->pieces) PetscCall(CrPiecesWrite(output, model, nodal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrFramesFields(const CrOutput *output, PetscReal *const values[NFIELDS],
                        VtuField fields[NFIELDS])
{
  PetscInt n = 0;

  for (PetscInt f = 0; f < NFIELDS; f++)
    if (output->fields[f])
      fields[n++] = (VtuField){CrOutputFields[f].name, CrOutputFields[f].width, values[f]};
  return n;
}

PetscErrorCode CrFramesWrite(CrOutput *output)
{
  OutputFrames  *frames = &output->frames;
  const PetscInt k = frames->n - 1;
  VtuField       fields[NFIELDS];
  PetscInt       nfields = CrFramesFields(output, frames->values, fields);
  PetscMPIInt    nranks;
  char           name[32];
  const VtuMesh  mesh = {frames->npoints, frames->ncells, frames->points, frames->types,
                         frames->offsets, frames->nodes,  frames->bodies, frames->parts};

  PetscFunctionBeginUser;
  if (frames->pieces)
    CrSurfaceName(k, name);
  else
    CrFrameName(k, PETSC_FALSE, name);
  PetscCall(CrVtuWrite(output->dir, name, frames->times[k], &mesh, nfields, fields));
  PetscCallMPI(MPI_Comm_size(output->comm, &nranks));
  if (frames->pieces)
    PetscCall(CrPvtuWrite(output->dir, k, nranks, frames->parts != NULL, nfields, fields));
  if (frames->n > LIST_ALWAYS && MPI_Wtime() - frames->listed < LIST_AFTER)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPvdWrite(output->dir, frames->n, frames->times, (PetscBool)frames->pieces));
  frames->listed = MPI_Wtime();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFramesDestroy(OutputFrames *frames)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(frames->times));
  PetscCall(PetscFree(frames->points));
  for (PetscInt f = 0; f < NFIELDS; f++) PetscCall(PetscFree(frames->values[f]));
  PetscCall(PetscFree(frames->types));
  PetscCall(PetscFree(frames->offsets));
  PetscCall(PetscFree(frames->nodes));
  PetscCall(PetscFree(frames->bodies));
  PetscCall(PetscFree(frames->parts));
  PetscCall(PetscFree(frames->rigid));
  PetscCall(PetscFree(frames->rigid_body));
  PetscCall(CrGatherPlanDestroy(&frames->plan));
  PetscCall(CrPiecesDestroy(&frames->piece));
  PetscFunctionReturn(PETSC_SUCCESS);
}
