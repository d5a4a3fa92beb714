/* Frames: when one is due, its nodal data on rank 0, its files. */
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
  PetscInt      n;

  PetscFunctionBeginUser;
  if (frames->is_set_up) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
      CrModelGatherCells(model, &frames->types, &frames->offsets, &frames->nodes, &frames->bodies));
  for (PetscInt c = 0; output->rank == 0 && c < model->ncells; c++)
    frames->types[c] = CrCells[frames->types[c]].vtk;
  if (output->rank == 0) PetscCall(CrFramesRigidSetUp(output, model));
  n = output->rank ? 0 : frames->npoints;
  PetscCall(PetscMalloc1(3 * n, &frames->points));
  for (PetscInt f = 0; f < NFIELDS; f++)
    if (output->fields[f]) PetscCall(PetscCalloc1(CrOutputFields[f].width * n, &frames->values[f]));
  frames->is_set_up = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFramesGather(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                              const CrState *state)
{
  OutputFrames  *frames = &output->frames;
  const PetscInt dim = model->dim;

  PetscFunctionBeginUser;
  PetscCall(set_up(output, model));
  /* deformed positions */
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < 3; i++)
      output->buffer[3 * A + i] = i < dim ? model->X[dim * A + i] + nodal->u[dim * A + i] : 0;
  PetscCall(CrModelGather(model, 3, output->buffer, frames->points));
  for (PetscInt f = 0; f < NFIELDS; f++) {
    const PetscInt width = CrOutputFields[f].width;
    PetscReal      value[6];

    if (!output->fields[f]) continue;
    for (PetscInt A = 0; A < model->nowned; A++) {
      CrFieldAt(model, nodal, f, A, value);
      for (PetscInt i = 0; i < width; i++) output->buffer[width * A + i] = value[i];
    }
    PetscCall(CrModelGather(model, width, output->buffer, frames->values[f]));
  }
  if (output->rank == 0) CrFramesRigidFill(output, model, state);
  frames->step = state->n;
  PetscCall(CrGrow(frames->n + 1, &frames->capacity, &frames->times));
  frames->times[frames->n++] = state->t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFramesWrite(CrOutput *output)
{
  OutputFrames *frames = &output->frames;
  VtuField      fields[NFIELDS];
  PetscInt      nfields = 0;
  char          name[32];
  const VtuMesh mesh = {frames->npoints, frames->ncells, frames->points, frames->types,
                        frames->offsets, frames->nodes,  frames->bodies, frames->parts};

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < NFIELDS; f++)
    if (output->fields[f])
      fields[nfields++] =
          (VtuField){CrOutputFields[f].name, CrOutputFields[f].width, frames->values[f]};
  CrFrameName(frames->n - 1, name);
  PetscCall(CrVtuWrite(output->dir, name, frames->times[frames->n - 1], &mesh, nfields, fields));
  if (frames->n > LIST_ALWAYS && MPI_Wtime() - frames->listed < LIST_AFTER)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPvdWrite(output->dir, frames->n, frames->times));
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
  PetscFunctionReturn(PETSC_SUCCESS);
}
