/* Creates meshes from the deck, places them, and destroys them. */
#include "mesh/internal.h"

/* ---- memory ------------------------------------------------------------------------------------ */

PetscErrorCode CrMeshAllocate(PetscInt dim, PetscInt nnodes, const char source[], CrMesh **mesh)
{
  CrMesh *m;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&m));
  *mesh = m;
  m->dim = dim;
  m->nnodes = nnodes;
  PetscCall(PetscMalloc1((size_t)nnodes * dim, &m->X));
  PetscCall(PetscStrallocpy(source, &m->source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshAddBlock(CrMesh *mesh, CrCellType type, PetscInt n, PetscInt **nodes)
{
  CrCellBlock *block;
  PetscInt     first = 1;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < mesh->nblocks; b++) first += mesh->blocks[b].n;
  PetscCall(PetscRealloc(sizeof *mesh->blocks * (mesh->nblocks + 1), &mesh->blocks));
  block = &mesh->blocks[mesh->nblocks++];
  *block = (CrCellBlock){.type = type, .n = n};
  PetscCall(PetscMalloc1((size_t)n * CrCells[type].nnodes, &block->nodes));
  PetscCall(PetscMalloc1(n, &block->tags));
  for (PetscInt i = 0; i < n; i++) block->tags[i] = first + i;
  *nodes = block->nodes;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshDestroy(CrMesh **mesh)
{
  CrMesh *m = *mesh;

  PetscFunctionBeginUser;
  if (!m) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < m->nblocks; b++) {
    PetscCall(PetscFree(m->blocks[b].nodes));
    PetscCall(PetscFree(m->blocks[b].tags));
  }
  PetscCall(CrMeshKeepSets(m, 0));
  PetscCall(PetscFree(m->blocks));
  PetscCall(PetscFree(m->sets));
  PetscCall(PetscFree(m->facets));
  PetscCall(PetscFree(m->X));
  PetscCall(PetscFree(m->source));
  PetscCall(PetscFree(*mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- placement --------------------------------------------------------------------------------- */

/* Right angles turn exactly, so that faces along the axes stay along the axes. */
static void cos_sin_degrees(PetscReal angle, PetscReal *c, PetscReal *s)
{
  PetscReal turns = PetscFloorReal(angle / 90 + 0.5),
            rest = (angle - 90 * turns) * (PETSC_PI / 180);
  PetscReal cr = PetscCosReal(rest), sr = PetscSinReal(rest);
  PetscInt  quarter = (PetscInt)(turns - 4 * PetscFloorReal(turns / 4));

  *c = quarter == 0 ? cr : quarter == 1 ? -sr : quarter == 2 ? -cr : sr;
  *s = quarter == 0 ? sr : quarter == 1 ? cr : quarter == 2 ? -sr : -cr;
}

/* Rodrigues: R = c 1 + s [k]x + (1 - c) k k^T. */
static void rotation(const PetscReal k[3], PetscReal angle, PetscReal R[3][3])
{
  PetscReal c, s;

  cos_sin_degrees(angle, &c, &s);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) R[i][j] = (1 - c) * k[i] * k[j] + (i == j ? c : 0);
  for (int i = 0; i < 3; i++) {
    R[i][(i + 1) % 3] -= s * k[(i + 2) % 3];
    R[(i + 1) % 3][i] += s * k[(i + 2) % 3];
  }
}

static PetscErrorCode unit_axis(const CrDeckNode *body, PetscReal k[3])
{
  PetscReal largest, length;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(body, "axis", 3, 0, k, NULL));
  /* scaled first, so that no square over- or underflows */
  largest = PetscMax(PetscAbsReal(k[0]), PetscMax(PetscAbsReal(k[1]), PetscAbsReal(k[2])));
  if (largest == 0) CrDeckFail(CrDeckFind(body, "axis"), "the axis of rotation has no length");
  for (int i = 0; i < 3; i++) k[i] /= largest;
  length = PetscSqrtReal(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
  for (int i = 0; i < 3; i++) k[i] /= length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Scaled, then turned about the origin, then moved. */
static PetscErrorCode place(CrMesh *mesh, const CrDeckNode *body)
{
  const CrDeckNode *factor = CrDeckFind(body, "scale"), *turn = CrDeckFind(body, "angle");
  PetscReal         scale = factor ? CrDeckReal(factor) : 1, angle = turn ? CrDeckReal(turn) : 0;
  PetscReal         shift[3] = {0}, k[3] = {0, 0, 1}, R[3][3];
  PetscInt          dim = mesh->dim;

  PetscFunctionBeginUser;
  if (!(scale > 0)) CrDeckFail(factor, "the scale must be above 0, got %g", (double)scale);
  PetscCall(CrDeckVector(body, "position", dim, 0, shift, NULL));
  if (dim == 2 && CrDeckFind(body, "axis"))
    CrDeckFail(CrDeckFind(body, "axis"), "this key is for dimension 3 only");
  if (dim == 3) PetscCall(unit_axis(body, k));
  rotation(k, angle, R);
  for (PetscInt A = 0; A < mesh->nnodes; A++) {
    PetscReal *X = &mesh->X[A * dim], old[3] = {0};

    for (PetscInt i = 0; i < dim; i++) old[i] = scale * X[i];
    for (PetscInt i = 0; i < dim; i++) {
      X[i] = shift[i];
      if (angle == 0)
        X[i] += old[i];
      else
        for (PetscInt j = 0; j < dim; j++) X[i] += R[i][j] * old[j];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- creation ---------------------------------------------------------------------------------- */

/* Grids are described first, and may be made in parts. Files may be read in parts; they are refined afterwards. */
static const struct {
  const char *name;
  PetscErrorCode (*create)(const CrDeckNode *, PetscInt dim, PetscInt fine, const char[],
                           CrMesh **);
  PetscErrorCode (*read_grid)(const CrDeckNode *, PetscInt dim, PetscInt fine, CrGrid *);
  PetscErrorCode (*read_part)(MPI_Comm, const CrDeckNode *, PetscInt dim, const char[],
                              CrMeshPart *);
} kinds[] = {
    {"block", NULL, CrGridReadBlock, NULL},
    {"quad", NULL, CrGridReadQuad, NULL},
    {"hex", NULL, CrGridReadHex, NULL},
    {"disc", CrMeshCreateDisc, NULL, NULL},
    {"ring", CrMeshCreateRing, NULL, NULL},
    {"ball", CrMeshCreateBall, NULL, NULL},
    {"file", CrMeshCreateFile, NULL, CrMeshReadFilePart},
};

static PetscErrorCode choose(const CrDeckNode *body, PetscInt *kind, PetscInt *fine)
{
  const CrDeckNode *map = CrDeckFind(body, "mesh"),
                   *refine = map ? CrDeckFind(map, "refine") : NULL;
  PetscInt nkind = sizeof kinds / sizeof *kinds, chosen = -1;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < nkind; k++) {
    const CrDeckNode *node = CrDeckFind(map, kinds[k].name);

    if (!node) continue;
    if (chosen >= 0)
      CrDeckFail(node, "a body has one mesh, but both `%s` and `%s` are given", kinds[chosen].name,
                 kinds[k].name);
    chosen = k;
  }
  if (chosen < 0)
    CrDeckFail(map ? map : body,
               "no mesh is given; expected one of block, quad, hex, disc, ring, ball, file");
  *kind = chosen;
  *fine = refine ? 1 << CrDeckInteger(refine) : 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mesh of a kind, before it is refined and placed. */
static PetscErrorCode create_kind(const CrDeckNode *body, PetscInt dim, PetscInt kind,
                                  PetscInt fine, const char base[], CrMesh **mesh)
{
  const CrDeckNode *node = CrDeckFind(CrDeckFind(body, "mesh"), kinds[kind].name);
  CrGrid            grid;

  PetscFunctionBeginUser;
  if (kinds[kind].read_grid) {
    PetscCall(kinds[kind].read_grid(node, dim, fine, &grid));
    PetscCall(CrGridCreate(&grid, mesh));
  } else
    PetscCall(kinds[kind].create(node, dim, fine, base, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(const CrDeckNode *body, PetscInt dim, const char base[], CrMesh **mesh)
{
  PetscInt kind, fine;

  PetscFunctionBeginUser;
  PetscCall(choose(body, &kind, &fine));
  PetscCall(create_kind(body, dim, kind, fine, base, mesh));
  for (; kinds[kind].read_part && fine > 1; fine /= 2) PetscCall(CrMeshRefine(mesh));
  PetscCall(place(*mesh, body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshCreate(const CrDeckNode *body, PetscInt dim, const char base[], CrMesh **mesh)
{
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *mesh = NULL;
  code = create(body, dim, base, mesh);
  if (code) PetscCall(CrMeshDestroy(mesh)); /* nothing half-made is handed out */
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- in parts ---------------------------------------------------------------------------------- */

static PetscErrorCode create_grid_part(const CrDeckNode *body, PetscInt dim, PetscInt kind,
                                       PetscInt fine, PetscMPIInt rank, PetscMPIInt size,
                                       CrMeshPart *part)
{
  CrGrid grid;

  PetscFunctionBeginUser;
  PetscCall(kinds[kind].read_grid(CrDeckFind(CrDeckFind(body, "mesh"), kinds[kind].name), dim, fine,
                                  &grid));
  PetscCall(CrGridCreatePart(&grid, rank, size, part));
  PetscCall(place(part->mesh, body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rank 0 makes the mesh and deals it out. */
static PetscErrorCode create_dealt_part(MPI_Comm comm, const CrDeckNode *body, PetscInt dim,
                                        PetscInt kind, PetscInt fine, const char base[],
                                        CrMeshPart *part)
{
  CrMesh        *whole = NULL;
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) code = create_kind(body, dim, kind, fine, base, &whole);
  if (code) PetscCall(CrMeshDestroy(&whole)); /* may be half-made */
  code = CrErrorAgree(comm, code);
  if (code) PetscFunctionReturn(code);
  PetscFunctionReturn(CrMeshDeal(comm, &whole, part));
}

/* Files are read in chunks, unless there is something unusual in them. All ranks refine their parts. */
static PetscErrorCode create_other_part(MPI_Comm comm, const CrDeckNode *body, PetscInt dim,
                                        PetscInt kind, PetscInt fine, const char base[],
                                        CrMeshPart *part)
{
  const CrDeckNode *node = CrDeckFind(CrDeckFind(body, "mesh"), kinds[kind].name);

  PetscFunctionBeginUser;
  if (kinds[kind].read_part) PetscCall(kinds[kind].read_part(comm, node, dim, base, part));
  if (!part->mesh) PetscCall(create_dealt_part(comm, body, dim, kind, fine, base, part));
  for (; kinds[kind].read_part && fine > 1; fine /= 2) PetscCall(CrMeshRefinePart(comm, part));
  PetscFunctionReturn(place(part->mesh, body));
}

PetscErrorCode CrMeshCreatePart(MPI_Comm comm, const CrDeckNode *body, PetscInt dim,
                                const char base[], CrMeshPart *part)
{
  PetscMPIInt    rank, size;
  PetscInt       kind, fine;
  CrMesh        *whole = NULL;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *part = (CrMeshPart){0};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1) {
    PetscCall(CrMeshCreate(body, dim, base, &whole));
    PetscFunctionReturn(CrMeshWholePart(&whole, part));
  }
  PetscCall(choose(body, &kind, &fine));
  code = kinds[kind].read_grid ? create_grid_part(body, dim, kind, fine, rank, size, part)
                               : create_other_part(comm, body, dim, kind, fine, base, part);
  if (code) PetscCall(CrMeshDestroyPart(part));
  PetscFunctionReturn(code);
}

PetscErrorCode CrMeshDestroyPart(CrMeshPart *part)
{
  PetscFunctionBeginUser;
  PetscCall(CrMeshDestroy(&part->mesh));
  PetscCall(PetscFree(part->number));
  PetscCall(PetscFree(part->first));
  PetscCall(PetscFree(part->is_surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}
