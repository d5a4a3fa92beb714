/* Distributes a mesh that rank 0 has created: every rank gets a range of its cells. */
#include <string.h>
#include "base/grow.h"
#include "base/mail.h"
#include "mesh/internal.h"

PetscErrorCode CrMeshWholePart(CrMesh **whole, CrMeshPart *part)
{
  CrMesh *mesh = *whole;

  PetscFunctionBeginUser;
  *part = (CrMeshPart){.mesh = mesh, .nnodes = mesh->nnodes};
  *whole = NULL;
  PetscCall(PetscMalloc1(mesh->nblocks, &part->first));
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    part->first[b] = part->ncells;
    part->ncells += mesh->blocks[b].n;
  }
  PetscCall(PetscMalloc1(mesh->nsets, &part->is_surface));
  for (PetscInt s = 0; s < mesh->nsets; s++) part->is_surface[s] = mesh->sets[s].nfacets > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rank 0: a range of the cells ---------------------------------------------------------- */

typedef struct {
  const CrMesh *whole;
  PetscInt      begin, end; /* cells */
  PetscInt     *local;      /* [whole->nnodes] number in the part, -1: not in it */
  PetscInt     *shift;      /* [nblocks] cells of a block before those of the part */
  PetscInt     *block;      /* [nblocks] number of the block in the part, -1: not in it */
} Range;

/* Blocks with their nodes in numbers of the whole; marks the nodes. */
static PetscErrorCode take_cells(Range *r, CrMeshPart *part)
{
  const CrMesh *whole = r->whole;
  PetscInt      before = 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < whole->nblocks; b++) {
    const CrCellBlock *from = &whole->blocks[b];
    PetscInt           nn = CrCells[from->type].nnodes, *nodes;
    PetscInt           c0 = PetscMax(0, r->begin - before), c1 = PetscMin(from->n, r->end - before);

    r->shift[b] = c0;
    r->block[b] = -1;
    part->first[part->mesh->nblocks] = before + c0;
    before += from->n;
    if (c0 >= c1) continue;
    r->block[b] = part->mesh->nblocks;
    PetscCall(CrMeshAddBlock(part->mesh, from->type, c1 - c0, &nodes));
    PetscCall(PetscArraycpy(part->mesh->blocks[r->block[b]].tags, from->tags + c0, c1 - c0));
    PetscCall(PetscArraycpy(nodes, from->nodes + (size_t)c0 * nn, (size_t)(c1 - c0) * nn));
    for (PetscInt i = 0; i < (c1 - c0) * nn; i++) r->local[nodes[i]] = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_nodes(Range *r, CrMeshPart *part)
{
  const CrMesh *whole = r->whole;
  CrMesh       *mesh = part->mesh;
  PetscInt      dim = whole->dim;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < whole->nnodes; A++)
    if (r->local[A] == 0) r->local[A] = mesh->nnodes++;
  PetscCall(PetscMalloc1(mesh->nnodes, &part->number));
  PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)mesh->nnodes * (size_t)dim, &mesh->X));
  for (PetscInt A = 0; A < whole->nnodes; A++) {
    if (r->local[A] < 0) continue;
    part->number[r->local[A]] = A;
    PetscCall(PetscArraycpy(mesh->X + (size_t)r->local[A] * dim, whole->X + (size_t)A * dim, dim));
  }
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    for (PetscInt i = 0; i < mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes; i++)
      mesh->blocks[b].nodes[i] = r->local[mesh->blocks[b].nodes[i]];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool in_range(const Range *r, const CrMeshPart *part, const CrFacet *f)
{
  PetscInt b = r->block[f->block];

  return b >= 0 && f->cell >= r->shift[f->block] &&
         f->cell < r->shift[f->block] + part->mesh->blocks[b].n;
}

/* Facets of the cells, and sets of them and of nodes. */
static PetscErrorCode take_sets(Range *r, CrMeshPart *part)
{
  const CrMesh *whole = r->whole;
  CrMesh       *mesh = part->mesh;
  PetscInt     *facet, *nodes, *facets; /* facet: number in the part, -1: not in it */

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(whole->nfacets, &facet, whole->nnodes, &nodes, whole->nfacets, &facets));
  PetscCall(PetscMalloc1(whole->nfacets, &mesh->facets));
  PetscCall(PetscMalloc1(whole->nsets, &part->is_surface));
  for (PetscInt f = 0; f < whole->nfacets; f++) {
    const CrFacet *from = &whole->facets[f];

    facet[f] = in_range(r, part, from) ? mesh->nfacets : -1;
    if (facet[f] >= 0)
      mesh->facets[mesh->nfacets++] =
          (CrFacet){r->block[from->block], from->cell - r->shift[from->block], from->face};
  }
  for (PetscInt s = 0; s < whole->nsets; s++) {
    const CrSet *set = &whole->sets[s];
    PetscInt     nnodes = 0, nfacets = 0;

    for (PetscInt i = 0; i < set->nnodes; i++)
      if (r->local[set->nodes[i]] >= 0) nodes[nnodes++] = r->local[set->nodes[i]];
    for (PetscInt i = 0; i < set->nfacets; i++)
      if (facet[set->facets[i]] >= 0) facets[nfacets++] = facet[set->facets[i]];
    PetscCall(CrMeshAddSet(mesh, set->name, nnodes, nodes, nfacets, facets));
    part->is_surface[s] = set->nfacets > 0;
  }
  PetscCall(PetscFree3(facet, nodes, facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode cut_out(const CrMesh *whole, PetscInt ncells, PetscMPIInt rank,
                              PetscMPIInt size, CrMeshPart *part)
{
  Range r = {.whole = whole};

  PetscFunctionBeginUser;
  *part = (CrMeshPart){.nnodes = whole->nnodes, .ncells = ncells};
  r.begin = CrShareBegin(ncells, size, rank);
  r.end = CrShareBegin(ncells, size, rank + 1);
  PetscCall(
      PetscMalloc3(whole->nnodes, &r.local, whole->nblocks, &r.shift, whole->nblocks, &r.block));
  for (PetscInt A = 0; A < whole->nnodes; A++) r.local[A] = -1;
  PetscCall(PetscMalloc1(whole->nblocks + 1, &part->first));
  PetscCall(CrMeshAllocate(whole->dim, 0, whole->source, &part->mesh));
  PetscCall(take_cells(&r, part));
  PetscCall(take_nodes(&r, part));
  PetscCall(take_sets(&r, part));
  PetscCall(PetscFree3(r.local, r.shift, r.block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- messages ------------------------------------------------------------------------------ */

typedef CR_LIST(PetscInt) Numbers;

static PetscErrorCode put(Numbers *m, PetscInt n, const PetscInt values[])
{
  PetscFunctionBeginUser;
  PetscCall(CrListGrow(m, n + 1));
  m->at[m->n++] = n;
  PetscCall(PetscArraycpy(m->at + m->n, values, n));
  m->n += n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next array of a message: its length, and where it begins. */
static PetscInt get(const PetscInt **cursor, const PetscInt **values)
{
  PetscInt n = *(*cursor)++;

  *values = *cursor;
  *cursor += n;
  return n;
}

static PetscErrorCode put_text(Numbers *m, const char text[])
{
  PetscInt letters[PETSC_MAX_PATH_LEN], n = 0;

  PetscFunctionBeginUser;
  for (; text[n] && n < PETSC_MAX_PATH_LEN - 1; n++) letters[n] = text[n];
  PetscCall(put(m, n, letters));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void get_text(const PetscInt **cursor, char text[PETSC_MAX_PATH_LEN])
{
  const PetscInt *letters;
  PetscInt        n = get(cursor, &letters);

  for (PetscInt i = 0; i < n; i++) text[i] = (char)letters[i];
  text[n] = 0;
}

static PetscErrorCode pack(const CrMeshPart *part, Numbers *m)
{
  const CrMesh  *mesh = part->mesh;
  const PetscInt head[] = {mesh->dim, mesh->nblocks, mesh->nsets, part->nnodes, part->ncells};

  PetscFunctionBeginUser;
  PetscCall(put(m, 5, head));
  PetscCall(put_text(m, mesh->source));
  PetscCall(put(m, mesh->nnodes, part->number));
  for (PetscInt b = 0; b < mesh->nblocks; b++) {
    const CrCellBlock *block = &mesh->blocks[b];
    const PetscInt     about[] = {block->type, part->first[b]};

    PetscCall(put(m, 2, about));
    PetscCall(put(m, block->n, block->tags));
    PetscCall(put(m, block->n * CrCells[block->type].nnodes, block->nodes));
  }
  PetscCall(put(m, 3 * mesh->nfacets, (const PetscInt *)mesh->facets));
  for (PetscInt s = 0; s < mesh->nsets; s++) {
    const PetscInt surface = part->is_surface[s];

    PetscCall(put_text(m, mesh->sets[s].name));
    PetscCall(put(m, 1, &surface));
    PetscCall(put(m, mesh->sets[s].nnodes, mesh->sets[s].nodes));
    PetscCall(put(m, mesh->sets[s].nfacets, mesh->sets[s].facets));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack_blocks(const PetscInt **cursor, PetscInt nblocks, CrMeshPart *part)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(nblocks + 1, &part->first));
  for (PetscInt b = 0; b < nblocks; b++) {
    const PetscInt *about, *tags, *from;
    PetscInt        n, length, *nodes;

    get(cursor, &about);
    n = get(cursor, &tags);
    length = get(cursor, &from);
    part->first[b] = about[1];
    PetscCall(CrMeshAddBlock(part->mesh, (CrCellType)about[0], n, &nodes));
    PetscCall(PetscArraycpy(part->mesh->blocks[b].tags, tags, n));
    PetscCall(PetscArraycpy(nodes, from, length));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack_sets(const PetscInt **cursor, PetscInt nsets, CrMeshPart *part)
{
  const PetscInt *facets, *surface, *nodes;
  PetscInt        n, nnodes;
  char            name[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  n = get(cursor, &facets);
  part->mesh->nfacets = n / 3;
  PetscCall(PetscMalloc1(n / 3, &part->mesh->facets));
  PetscCall(PetscArraycpy((PetscInt *)part->mesh->facets, facets, n));
  PetscCall(PetscMalloc1(nsets, &part->is_surface));
  for (PetscInt s = 0; s < nsets; s++) {
    get_text(cursor, name);
    get(cursor, &surface);
    part->is_surface[s] = (PetscBool)surface[0];
    nnodes = get(cursor, &nodes);
    n = get(cursor, &facets);
    PetscCall(CrMeshAddSet(part->mesh, name, nnodes, nodes, n, facets));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode unpack(const PetscInt *data, CrMeshPart *part)
{
  const PetscInt *cursor = data, *head, *number;
  PetscInt        n;
  char            source[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  get(&cursor, &head);
  get_text(&cursor, source);
  n = get(&cursor, &number);
  *part = (CrMeshPart){.nnodes = head[3], .ncells = head[4]};
  PetscCall(CrMeshAllocate(head[0], n, source, &part->mesh));
  PetscCall(PetscMalloc1(n, &part->number));
  PetscCall(PetscArraycpy(part->number, number, n));
  PetscCall(unpack_blocks(&cursor, head[1], part));
  PetscCall(unpack_sets(&cursor, head[2], part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the exchange -------------------------------------------------------------------------- */

enum { TAG_SIZES = 20, TAG_NUMBERS, TAG_PLACES };

static PetscErrorCode send_part(MPI_Comm comm, PetscMPIInt to, const CrMeshPart *part)
{
  Numbers     m = {0};
  PetscMPIInt sizes[2];

  PetscFunctionBeginUser;
  PetscCall(pack(part, &m));
  PetscCall(PetscMPIIntCast(m.n, &sizes[0]));
  PetscCall(PetscMPIIntCast(part->mesh->nnodes * part->mesh->dim, &sizes[1]));
  PetscCallMPI(MPI_Send(sizes, 2, MPI_INT, to, TAG_SIZES, comm));
  PetscCallMPI(MPI_Send(m.at, sizes[0], MPIU_INT, to, TAG_NUMBERS, comm));
  PetscCallMPI(MPI_Send(part->mesh->X, sizes[1], MPIU_REAL, to, TAG_PLACES, comm));
  PetscCall(PetscFree(m.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode receive_part(MPI_Comm comm, CrMeshPart *part)
{
  PetscMPIInt sizes[2];
  PetscInt   *data;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Recv(sizes, 2, MPI_INT, 0, TAG_SIZES, comm, MPI_STATUS_IGNORE));
  PetscCall(PetscMalloc1(sizes[0], &data));
  PetscCallMPI(MPI_Recv(data, sizes[0], MPIU_INT, 0, TAG_NUMBERS, comm, MPI_STATUS_IGNORE));
  PetscCall(unpack(data, part));
  PetscCall(PetscFree(data));
  PetscCallMPI(
      MPI_Recv(part->mesh->X, sizes[1], MPIU_REAL, 0, TAG_PLACES, comm, MPI_STATUS_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshDeal(MPI_Comm comm, CrMesh **whole, CrMeshPart *part)
{
  PetscMPIInt rank, size;
  PetscInt    ncells = 0;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) PetscFunctionReturn(CrMeshWholePart(whole, part));
  if (rank) PetscFunctionReturn(receive_part(comm, part));
  for (PetscInt b = 0; b < (*whole)->nblocks; b++) ncells += (*whole)->blocks[b].n;
  for (PetscMPIInt p = size; p-- > 0;) {
    PetscCall(cut_out(*whole, ncells, p, size, part));
    if (p == 0) break;
    PetscCall(send_part(comm, p, part));
    PetscCall(CrMeshDestroyPart(part));
  }
  PetscCall(CrMeshDestroy(whole));
  PetscFunctionReturn(PETSC_SUCCESS);
}
