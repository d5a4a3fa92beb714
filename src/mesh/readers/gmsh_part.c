/* Makes the part of the mesh of a rank from the parts of a Gmsh file. Cells get their numbers in the whole mesh, and
   are sent to the ranks that own these ranges of numbers. */
#include <stdint.h>
#include <stdlib.h>
#include "base/mail.h"
#include "mesh/readers/gmsh_chunks.h"

/* A cell on its way. */
enum { CELL_NUMBER, CELL_SHAPE, CELL_TAG, CELL_NODES, CELL_INTS = CELL_NODES + CR_MAX_CELL_NODES };

/* ---- copies ------------------------------------------------------------------------------------ */

static int compare_cells(const void *x, const void *y)
{
  const PetscInt *const *a = x, *const *b = y;

  for (int i = CELL_NODES; i < CELL_INTS; i++)
    if ((*a)[i] != (*b)[i]) return (*a)[i] < (*b)[i] ? -1 : 1;
  return *a < *b ? -1 : *a > *b;
}

/* copy[]: the record has the nodes of one before it. Records are in the order of the file. */
static PetscErrorCode find_copies(const CrPost *post, PetscInt *copy)
{
  const PetscInt **cells;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &cells));
  for (PetscInt k = 0; k < post->n; k++) cells[k] = post->ints + k * CELL_INTS;
  if (post->n) qsort((void *)cells, (size_t)post->n, sizeof *cells, compare_cells);
  for (PetscInt k = 0; k < post->n; k++) {
    PetscInt same = k > 0;

    for (int i = CELL_NODES; same && i < CELL_INTS; i++) same = cells[k][i] == cells[k - 1][i];
    copy[(cells[k] - post->ints) / CELL_INTS] = same;
  }
  PetscCall(PetscFree(cells));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void fill_cell(const CrGmsh *g, const CrGmshShared *s, int shape, PetscInt c,
                      PetscInt ints[CELL_INTS])
{
  const PetscInt nn = CrCells[shape].nnodes, *nodes = g->lists[shape].nodes + (size_t)c * nn;

  for (int i = 0; i < CELL_INTS; i++) ints[i] = -1;
  ints[CELL_SHAPE] = shape;
  ints[CELL_TAG] = g->lists[shape].tags[c];
  for (PetscInt a = 0; a < nn; a++) ints[CELL_NODES + a] = s->number[nodes[a]];
}

static PetscInt rank_of_nodes(const PetscInt ints[CELL_INTS], PetscMPIInt size)
{
  uint64_t h = 1469598103934665603ull;

  for (int i = CELL_NODES; i < CELL_INTS; i++) {
    h = (h ^ (uint64_t)ints[i]) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return (PetscInt)(h % (uint64_t)size);
}

/* Format 2.2 repeats a cell for each of its physical groups: later copies are dropped. copy[] of the cells of a
   shape. */
static PetscErrorCode mark_copies(const CrGmsh *g, const CrGmshShared *s, int shape, PetscInt *copy)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *found, ints[CELL_INTS];

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, CELL_INTS, 0, &mail));
  for (PetscInt c = 0; c < g->lists[shape].n; c++) {
    fill_cell(g, s, shape, c, ints);
    PetscCall(CrMailAdd(&mail, rank_of_nodes(ints, s->size), ints, NULL));
  }
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(PetscMalloc1(post.n, &found));
  PetscCall(find_copies(&post, found));
  PetscCall(CrMailAnswer(s->comm, &mail, 1, found, copy, 0, NULL, NULL));
  PetscCall(PetscFree(found));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- cells to their ranks ---------------------------------------------------------------------- */

/* Cells of one shape follow those of the shape before it, in the order of the file. kept[]: cells of the shapes on
   this rank that are no copies. first[]: numbers of the first ones on this rank. */
static PetscErrorCode number_cells(const CrGmsh *g, const CrGmshShared *s,
                                   PetscInt *const copies[CR_NSHAPES], PetscInt first[CR_NSHAPES],
                                   PetscInt *ncells)
{
  PetscInt kept[CR_NSHAPES] = {0}, all[CR_NSHAPES], before[CR_NSHAPES];

  PetscFunctionBeginUser;
  for (int shape = 0; shape < CR_NSHAPES; shape++)
    for (PetscInt c = 0; c < g->lists[shape].n; c++)
      kept[shape] += !copies[shape] || !copies[shape][c];
  PetscCallMPI(MPI_Allreduce(kept, all, CR_NSHAPES, MPIU_INT, MPI_SUM, s->comm));
  PetscCallMPI(MPI_Scan(kept, before, CR_NSHAPES, MPIU_INT, MPI_SUM, s->comm));
  *ncells = 0;
  for (int shape = 0; shape < CR_NSHAPES; shape++) {
    if (CrCells[shape].dim > g->dim && all[shape])
      CrInputFail("%s: contains 3D cells, but the deck has dimension 2", g->path);
    first[shape] = *ncells + before[shape] - kept[shape];
    if (CrCells[shape].dim == g->dim) *ncells += all[shape];
  }
  if (!*ncells) CrInputFail("%s: contains no cells of the deck's dimension", g->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode send_cells(const CrGmsh *g, const CrGmshShared *s,
                                 PetscInt *const copies[CR_NSHAPES], PetscInt *ncells, CrPost *post)
{
  CrMail         mail;
  PetscInt       first[CR_NSHAPES], ints[CELL_INTS];
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = number_cells(g, s, copies, first, ncells); /* the same on all ranks */
  if (code) PetscFunctionReturn(code);
  PetscCall(CrMailBegin(s->comm, CELL_INTS, 0, &mail));
  for (int shape = 0; shape < CR_NSHAPES; shape++)
    for (PetscInt c = 0; CrCells[shape].dim == g->dim && c < g->lists[shape].n; c++) {
      if (copies[shape] && copies[shape][c]) continue;
      fill_cell(g, s, shape, c, ints);
      ints[CELL_NUMBER] = first[shape]++;
      PetscCall(CrMailAdd(&mail, CrShareRank(*ncells, s->size, ints[CELL_NUMBER]), ints, NULL));
    }
  PetscCall(CrMailSend(s->comm, &mail, post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode migrate(const CrGmsh *g, const CrGmshShared *s, PetscInt *ncells,
                              CrPost *post)
{
  PetscInt      *copies[CR_NSHAPES] = {0}, any[CR_NSHAPES];
  PetscErrorCode code;

  PetscFunctionBeginUser;
  for (int shape = 0; shape < CR_NSHAPES; shape++)
    any[shape] = g->version == 22 && CrCells[shape].dim == g->dim && g->lists[shape].n > 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, any, CR_NSHAPES, MPIU_INT, MPI_MAX, s->comm));
  for (int shape = 0; shape < CR_NSHAPES; shape++) {
    if (!any[shape]) continue;
    PetscCall(PetscMalloc1(g->lists[shape].n + 1, &copies[shape]));
    PetscCall(mark_copies(g, s, shape, copies[shape]));
  }
  code = send_cells(g, s, copies, ncells, post);
  for (int shape = 0; shape < CR_NSHAPES; shape++) PetscCall(PetscFree(copies[shape]));
  PetscFunctionReturn(code);
}

/* ---- the part ---------------------------------------------------------------------------------- */

/* Blocks with their nodes in numbers of the whole. Cells of a shape arrive in the order of their numbers. */
static PetscErrorCode fill_blocks(const CrPost *cells, CrMeshPart *part)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(CR_NSHAPES, &part->first));
  for (int shape = 0; shape < CR_NSHAPES; shape++) {
    PetscInt n = 0, nn = CrCells[shape].nnodes, *nodes, *tags;

    for (PetscInt k = 0; k < cells->n; k++) n += cells->ints[k * CELL_INTS + CELL_SHAPE] == shape;
    if (!n) continue;
    PetscCall(CrMeshAddBlock(part->mesh, (CrCellType)shape, n, &nodes));
    tags = part->mesh->blocks[part->mesh->nblocks - 1].tags;
    for (PetscInt k = 0, c = 0; k < cells->n; k++) {
      const PetscInt *cell = cells->ints + k * CELL_INTS;

      if (cell[CELL_SHAPE] != shape) continue;
      if (c == 0) part->first[part->mesh->nblocks - 1] = cell[CELL_NUMBER];
      PetscCall(PetscArraycpy(nodes + (size_t)c * nn, cell + CELL_NODES, nn));
      tags[c++] = cell[CELL_TAG];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of the blocks, ascending; the blocks then count these. */
static PetscErrorCode number_nodes(CrMeshPart *part)
{
  CrMesh  *mesh = part->mesh;
  PetscInt all = 0, n = 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    all += mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes;
  PetscCall(PetscMalloc1(all, &part->number));
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    PetscInt count = mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes;

    PetscCall(PetscArraycpy(part->number + n, mesh->blocks[b].nodes, count));
    n += count;
  }
  PetscCall(PetscSortRemoveDupsInt(&n, part->number));
  PetscCall(PetscRealloc(sizeof *part->number * (size_t)n, &part->number));
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    for (PetscInt i = 0; i < mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes; i++)
      PetscCall(PetscFindInt(mesh->blocks[b].nodes[i], n, part->number, &mesh->blocks[b].nodes[i]));
  mesh->nnodes = n;
  PetscCall(PetscRealloc(sizeof *mesh->X * (size_t)n * (size_t)mesh->dim, &mesh->X));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill_part(CrGmsh *g, const CrGmshShared *s, const PetscInt ncells,
                                CrPost *cells, CrMeshPart *part, PetscInt **askers)
{
  PetscFunctionBeginUser;
  *part = (CrMeshPart){.nnodes = s->nnodes, .ncells = ncells};
  PetscCall(CrMeshAllocate(g->dim, 0, g->path, &part->mesh));
  PetscCall(fill_blocks(cells, part));
  PetscCall(CrPostEnd(cells));
  PetscCall(number_nodes(part));
  PetscCall(PetscMalloc1(part->mesh->nnodes, askers));
  PetscCall(CrGmshFindPoints(g, s, part->mesh->nnodes, part->number, part->mesh->X, *askers));
  for (PetscInt b = 0; g->dim == 2 && b < part->mesh->nblocks; b++)
    CrGmshTurnClockwise(part->mesh, &part->mesh->blocks[b]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshMakePart(CrGmsh *g, CrGmshShared *s, CrMeshPart *part)
{
  CrPost         cells = {0};
  CrBoundaryBook book = {0};
  PetscInt      *askers, ncells;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = migrate(g, s, &ncells, &cells);
  if (code) PetscFunctionReturn(code);
  PetscCall(fill_part(g, s, ncells, &cells, part, &askers));
  PetscCall(PetscFree(g->X)); /* both are with their cells now */
  PetscCall(PetscFree(g->tags));
  code = CrMeshFindBoundaryPart(s->comm, part, askers, &book);
  PetscCall(PetscFree(askers));
  if (!code) code = CrGmshMakePartSets(g, s, &book, part);
  PetscCall(CrBoundaryBookDestroy(&book));
  PetscFunctionReturn(code);
}

/* ---- all --------------------------------------------------------------------------------------- */

static PetscErrorCode read_part(const char path[], const CrGmshPlan *plan, CrGmsh *g,
                                CrGmshShared *s, CrMeshPart *part)
{
  PetscFunctionBeginUser;
  PetscCall(CrErrorAgree(s->comm, CrGmshReadStretches(plan, g)));
  PetscCall(CrGmshShareNodes(g, s));
  if (plan->facts.partitioned)
    CrWarn(
        "%s: the mesh is partitioned, so its physical groups are not read, and the body has only the surface `boundary`; save the mesh without partitions",
        path);
  PetscCall(CrGmshWarnOfDoubles(g, s));
  PetscCall(CrGmshMakePart(g, s, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadPart(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                              CrMeshPart *part)
{
  CrGmsh         g = {.path = path, .dim = dim, .watch = -1};
  CrGmshPlan     plan;
  CrGmshShared   shared = {.comm = comm};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *part = (CrMeshPart){0};
  PetscCallMPI(MPI_Comm_rank(comm, &shared.rank));
  PetscCallMPI(MPI_Comm_size(comm, &shared.size));
  code = CrGmshPlanCreate(comm, path, dim, most, &plan);
  if (!code) code = read_part(path, &plan, &g, &shared, part);
  PetscCall(CrGmshPlanDestroy(&plan));
  PetscCall(CrGmshSharedDestroy(&shared));
  PetscCall(CrGmshClear(&g));
  if (!code) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrMeshDestroyPart(part));
  *part = (CrMeshPart){0};
  if (code == CR_ERR_INPUT) CrErrorClear(); /* the reader of whole files says what is wrong */
  PetscFunctionReturn(code == CR_ERR_INPUT ? PETSC_SUCCESS : code);
}
