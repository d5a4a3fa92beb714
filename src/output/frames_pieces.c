/* Frames in pieces: every rank writes the cells that it counts. Rank 0 also writes the rigid bodies. */
#include "mesh/mesh.h"
#include "output/internal.h"

/* ---- what does not change ----------------------------------------------------------------- */

static PetscErrorCode count_cells(const CrModel *model, OutputPiece *piece)
{
  PetscInt length = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    piece->ncells += model->blocks[k].nowned;
    length += model->blocks[k].nowned * model->blocks[k].element->nnodes;
  }
  PetscCall(PetscMalloc1(piece->ncells, &piece->types));
  PetscCall(PetscMalloc1(piece->ncells, &piece->bodies));
  PetscCall(PetscCalloc1(piece->ncells + 1, &piece->offsets));
  PetscCall(PetscMalloc1(length, &piece->nodes));
  if (model->rigid->n) PetscCall(PetscCalloc1(piece->ncells + 1, &piece->parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cells with their local nodes. */
static void fill_cells(const CrModel *model, OutputPiece *piece)
{
  PetscInt c = 0;

  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscInt              nn = b->element->nnodes;

    for (PetscInt e = 0; e < b->nowned; e++, c++) {
      piece->types[c] = CrCells[b->element->type].vtk;
      piece->bodies[c] = b->body;
      piece->offsets[c + 1] = piece->offsets[c] + nn;
      for (PetscInt a = 0; a < nn; a++)
        piece->nodes[piece->offsets[c] + a] =
            b->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH];
    }
  }
}

static PetscErrorCode set_up(const CrOutput *output, const CrModel *model, OutputPiece *piece)
{
  PetscInt *point; /* of each local node; -1: in no cell of the piece */

  PetscFunctionBeginUser;
  if (piece->work) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelCreateVec(model, &piece->work));
  PetscCall(PetscMalloc1(6 * model->nlocal, &piece->local));
  PetscCall(count_cells(model, piece));
  fill_cells(model, piece);
  PetscCall(PetscMalloc1(model->nlocal, &point));
  PetscCall(PetscMalloc1(model->nlocal, &piece->node));
  for (PetscInt A = 0; A < model->nlocal; A++) point[A] = -1;
  for (PetscInt i = 0; i < piece->offsets[piece->ncells]; i++) point[piece->nodes[i]] = 0;
  for (PetscInt A = 0; A < model->nlocal; A++)
    if (point[A] == 0) {
      piece->node[piece->npoints] = A;
      point[A] = piece->npoints++;
    }
  for (PetscInt i = 0; i < piece->offsets[piece->ncells]; i++)
    piece->nodes[i] = point[piece->nodes[i]];
  PetscCall(PetscFree(point));
  PetscCall(PetscMalloc1(3 * piece->npoints, &piece->points));
  for (PetscInt f = 0; f < NFIELDS; f++)
    if (output->fields[f])
      PetscCall(PetscMalloc1(CrOutputFields[f].width * piece->npoints, &piece->values[f]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPiecesDestroy(OutputPiece *piece)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(piece->node));
  PetscCall(PetscFree(piece->types));
  PetscCall(PetscFree(piece->offsets));
  PetscCall(PetscFree(piece->nodes));
  PetscCall(PetscFree(piece->bodies));
  PetscCall(PetscFree(piece->parts));
  PetscCall(PetscFree(piece->points));
  for (PetscInt f = 0; f < NFIELDS; f++) PetscCall(PetscFree(piece->values[f]));
  PetscCall(PetscFree(piece->local));
  PetscCall(VecDestroy(&piece->work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a frame ------------------------------------------------------------------------------ */

/* A field of owned nodes, width numbers each, with its ghosts into piece->local: `dim` numbers at a time, as many as
   the vector has. */
static PetscErrorCode spread(const CrModel *model, PetscInt width, const PetscReal *owned,
                             OutputPiece *piece)
{
  const PetscInt dim = model->dim;
  PetscReal     *a;

  PetscFunctionBeginUser;
  for (PetscInt c = 0; c < width; c += dim) {
    PetscInt n = PetscMin(dim, width - c);

    PetscCall(VecGetArray(piece->work, &a));
    for (PetscInt A = 0; A < model->nowned; A++)
      for (PetscInt i = 0; i < n; i++) a[dim * A + i] = owned[width * A + c + i];
    PetscCall(VecRestoreArray(piece->work, &a));
    PetscCall(CrModelUpdateGhosts(model, piece->work));
    PetscCall(VecGetArray(piece->work, &a));
    for (PetscInt A = 0; A < model->nlocal; A++)
      for (PetscInt i = 0; i < n; i++) piece->local[width * A + c + i] = a[dim * A + i];
    PetscCall(VecRestoreArray(piece->work, &a));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(CrOutput *output, const CrModel *model, const OutputNodal *nodal,
                           OutputPiece *piece)
{
  const PetscInt dim = model->dim;
  PetscReal      value[6];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < piece->npoints; k++)
    for (PetscInt i = 0, A = piece->node[k]; i < 3; i++)
      piece->points[3 * k + i] = i < dim ? model->X[dim * A + i] + nodal->u[dim * A + i] : 0;
  for (PetscInt f = 0; f < NFIELDS; f++) {
    const PetscInt width = CrOutputFields[f].width;

    if (!output->fields[f]) continue;
    for (PetscInt A = 0; A < model->nowned; A++) {
      CrFieldAt(model, nodal, f, A, value);
      for (PetscInt i = 0; i < width; i++) output->buffer[width * A + i] = value[i];
    }
    PetscCall(spread(model, width, output->buffer, piece));
    for (PetscInt k = 0; k < piece->npoints; k++)
      for (PetscInt i = 0; i < width; i++)
        piece->values[f][width * k + i] = piece->local[width * piece->node[k] + i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rigid bodies, which stand behind the surface on rank 0, as a mesh of their own. */
static PetscErrorCode write_rigid(const CrOutput *output, PetscInt first_cell)
{
  const OutputFrames *f = &output->frames;
  const PetscInt      ncells = f->ncells - first_cell, start = f->offsets[first_cell];
  const PetscInt      length = f->offsets[f->ncells] - start;
  PetscInt           *offsets, *nodes, nfields;
  PetscReal          *values[NFIELDS];
  VtuField            fields[NFIELDS];
  VtuMesh             mesh = {.npoints = f->npoints - f->nmesh, .ncells = ncells};
  char                name[32];
  PetscErrorCode      code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(ncells + 1, &offsets, length, &nodes));
  for (PetscInt c = 0; c <= ncells; c++) offsets[c] = f->offsets[first_cell + c] - start;
  for (PetscInt i = 0; i < length; i++) nodes[i] = f->nodes[start + i] - f->nmesh;
  for (PetscInt k = 0; k < NFIELDS; k++)
    values[k] = f->values[k] ? f->values[k] + CrOutputFields[k].width * f->nmesh : NULL;
  mesh.points = f->points + 3 * f->nmesh;
  mesh.types = f->types + first_cell;
  mesh.offsets = offsets;
  mesh.nodes = nodes;
  mesh.bodies = f->bodies + first_cell;
  mesh.parts = f->parts + first_cell;
  nfields = CrFramesFields(output, values, fields);
  CrPieceRigidName(f->n - 1, name);
  code = CrVtuWrite(output->dir, name, f->times[f->n - 1], &mesh, nfields, fields);
  PetscCall(PetscFree2(offsets, nodes));
  PetscFunctionReturn(code);
}

static PetscErrorCode write_piece(const CrOutput *output, const CrModel *model)
{
  const OutputFrames *f = &output->frames;
  const OutputPiece  *p = &f->piece;
  const VtuMesh       mesh = {p->npoints, p->ncells, p->points, p->types,
                              p->offsets, p->nodes,  p->bodies, p->parts};
  VtuField            fields[NFIELDS];
  PetscInt            first_cell = 0, nfields = CrFramesFields(output, p->values, fields);
  char                name[32];

  PetscFunctionBeginUser;
  CrPieceName(f->n - 1, output->rank, name);
  PetscCall(CrVtuWrite(output->dir, name, f->times[f->n - 1], &mesh, nfields, fields));
  if (output->rank || !model->rigid->n) PetscFunctionReturn(PETSC_SUCCESS);
  while (first_cell < f->ncells && f->bodies[first_cell] < model->nbodies) first_cell++;
  PetscCall(write_rigid(output, first_cell));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPiecesWrite(CrOutput *output, const CrModel *model, const OutputNodal *nodal)
{
  OutputPiece *piece = &output->frames.piece;

  PetscFunctionBeginUser;
  PetscCall(set_up(output, model, piece));
  PetscCall(fill(output, model, nodal, piece));
  PetscCall(CrErrorAgree(output->comm, write_piece(output, model)));
  PetscFunctionReturn(PETSC_SUCCESS);
}
