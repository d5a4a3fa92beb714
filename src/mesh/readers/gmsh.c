/* Reader of Gmsh files, formats 2.2 and 4.1, text or binary of either byte order. The file is read
   at once; its sections are found first, so their order does not matter. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "mesh/readers/gmsh_chunks.h"

static const char *const section_names[CR_GMSH_NSECTIONS] = {
    "MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements",
};

/* ---- file and sections ------------------------------------------------------------------------- */

static PetscErrorCode load(CrGmsh *g)
{
  struct stat status;
  FILE       *file;
  size_t      got;

  PetscFunctionBeginUser;
  PetscCall(CrTextOpen(g->path, PETSC_FALSE, &file));
  if (!file) CrInputFail("%s: cannot be opened: %s", g->path, strerror(errno));
  if (fstat(fileno(file), &status)) {
    fclose(file);
    CrMachineFail("%s: cannot be read: %s", g->path, strerror(errno));
  }
  g->size = (size_t)status.st_size;
  PetscCall(PetscMalloc1(g->size + 1, &g->text));
  got = fread(g->text, 1, g->size, file);
  fclose(file);
  if (got < g->size) CrMachineFail("%s: cannot be read", g->path);
  g->text[g->size] = 0;
  g->end = g->text + g->size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The "$EndName" that closes a section, NULL if there is none. */
static const char *find_end(const char *from, const char *eof, const char name[])
{
  char   mark[80];
  size_t n = (size_t)snprintf(mark, sizeof mark, "$End%s", name);

  for (;;) {
    const char *p = memmem(from, (size_t)(eof - from), mark, n);

    if (!p || p + n == eof || (unsigned char)p[n] <= ' ') return p;
    from = p + n;
  }
}

/* Takes the section at p, leaves p behind it. Unknown ones are passed over. */
static PetscErrorCode take_section(CrGmsh *g, const char **p)
{
  const char *eof = g->text + g->size, *head = *p, *q = head + 1, *close;
  char        name[64];
  size_t      n;

  PetscFunctionBeginUser;
  while (q < eof && (unsigned char)*q > ' ') q++;
  n = (size_t)(q - head - 1);
  if (n == 0 || n >= sizeof name) CrGmshFail(g, head, "expected the name of a section after $");
  memcpy(name, head + 1, n);
  name[n] = 0;
  close = find_end(q, eof, name);
  if (!close) CrGmshFail(g, head, "section $%s has no $End%s; is the file cut short?", name, name);
  for (int s = 0; s < CR_GMSH_NSECTIONS; s++) {
    if (strcmp(name, section_names[s])) continue;
    if (g->sections[s].begin) CrGmshFail(g, head, "section $%s is given twice", name);
    /* binary data begin right after the line; a carriage return belongs to it */
    while (q < close && *q != '\n') q++;
    g->sections[s].begin = q < close ? q + 1 : close;
    g->sections[s].end = close;
  }
  /* elements of a partitioned 4.1 file belong to entities that are described only there */
  if (!strcmp(name, "PartitionedEntities"))
    CrWarn(
        "%s: the mesh is partitioned, so its physical groups are not read, and the body has only the surface `boundary`; save the mesh without partitions",
        g->path);
  *p = close + strlen("$End") + n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_sections(CrGmsh *g)
{
  const char *p = g->text, *eof = g->text + g->size;

  PetscFunctionBeginUser;
  for (;; g->at = p) {
    char excerpt[32];

    while (p < eof && (*p == ' ' || (*p >= '\t' && *p <= '\r'))) p++;
    if (p == eof) break;
    if (!strncmp(p, "$NOD", 4))
      CrGmshFail(g, p, "Gmsh format 1.0 is not supported; expected 2.2 or 4.1");
    if (*p != '$' && p == g->text)
      CrGmshFail(g, p, "not a Gmsh file: it does not begin with $MeshFormat");
    CrGmshExcerpt(p, eof, excerpt);
    if (*p != '$') CrGmshFail(g, p, "expected a section such as $Nodes, found \"%s\"", excerpt);
    PetscCall(take_section(g, &p));
  }
  if (!g->sections[CR_GMSH_FORMAT].begin)
    CrGmshFail(g, g->text, "not a Gmsh file: there is no $MeshFormat");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool enter(CrGmsh *g, CrGmshSection section)
{
  g->at = g->sections[section].begin;
  g->end = g->sections[section].end;
  return g->at != NULL;
}

/* ---- $MeshFormat, $PhysicalNames --------------------------------------------------------------- */

/* Binary files hold the integer 1, by which the byte order is seen. */
static PetscErrorCode read_byte_order(CrGmsh *g)
{
  const unsigned char *one;
  uint32_t             native = 1;
  unsigned char        swapped[4];

  PetscFunctionBeginUser;
  CrGmshEndLine(g);
  one = (const unsigned char *)g->at;
  g->binary = PETSC_TRUE;
  if (g->end - g->at < 4)
    CrGmshFail(g, g->at, "the integer 1 that shows the byte order is missing");
  for (int i = 0; i < 4; i++) swapped[i] = ((unsigned char *)&native)[3 - i];
  g->swap = !memcmp(one, swapped, 4);
  if (!g->swap && memcmp(one, &native, 4))
    CrGmshFail(g, g->at, "expected the integer 1, which shows the byte order");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadFormat(CrGmsh *g)
{
  const char *where;
  PetscReal   version;
  int64_t     kind, bytes;

  PetscFunctionBeginUser;
  where = CrGmshPlace(g);
  PetscCall(CrGmshTextReal(g, "a version", &version));
  PetscCall(CrGmshTextInteger(g, "0 (text) or 1 (binary)", &kind));
  PetscCall(CrGmshTextInteger(g, "the size of a real", &bytes));
  g->version = PetscAbsReal(version - 2.2) < 1e-9   ? 22
               : PetscAbsReal(version - 4.1) < 1e-9 ? 41
                                                    : 0;
  if (!g->version)
    CrGmshFail(g, where,
               "Gmsh format %g is not supported; expected 2.2 or 4.1 (gmsh -format msh41)",
               (double)version);
  if (kind != 0 && kind != 1)
    CrGmshFail(g, where, "expected 0 (text) or 1 (binary) after the version, found %lld",
               (long long)kind);
  if (bytes != 8)
    CrGmshFail(g, where, "expected a data size of 8 bytes, found %lld", (long long)bytes);
  if (kind) PetscCall(read_byte_order(g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define LONGEST_NAME 63 /* that the model keeps; longer names could be cut to the same words */

/* The name stands between the first quote of the line and the last; without quotes it is the rest
   of the line. */
static PetscErrorCode read_name(CrGmsh *g, CrGmshName *name)
{
  const char *first, *last;
  int64_t     dim, tag;

  PetscFunctionBeginUser;
  name->where = g->at;
  PetscCall(CrGmshTextInteger(g, "a dimension", &dim));
  PetscCall(CrGmshTextInteger(g, "a number", &tag));
  first = g->at;
  CrGmshEndLine(g);
  for (last = g->at; last > first && (unsigned char)last[-1] <= ' ';) last--;
  while (first < last && (unsigned char)*first <= ' ') first++;
  if (first < last && *first == '"') {
    if (last - first < 2 || last[-1] != '"') CrGmshFail(g, first, "the quote is not closed");
    first++;
    last--;
  }
  if (last - first > LONGEST_NAME)
    CrGmshFail(g, first, "the name of a physical group may have at most %d characters",
               LONGEST_NAME);
  name->dim = (PetscInt)dim;
  name->tag = (PetscInt)tag;
  PetscCall(PetscMalloc1((size_t)(last - first) + 1, &name->name));
  memcpy(name->name, first, (size_t)(last - first));
  name->name[last - first] = 0;
  if (!strcmp(name->name, "boundary"))
    CrGmshFail(g, first,
               "a physical group cannot be named \"boundary\": every mesh has its whole boundary "
               "under that name");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadNames(CrGmsh *g)
{
  const char *where;
  int64_t     n;

  PetscFunctionBeginUser;
  where = CrGmshPlace(g);
  PetscCall(CrGmshTextInteger(g, "a count", &n));
  PetscCall(CrGmshCheckCount(g, where, n, 4, 4, "names"));
  PetscCall(PetscCalloc1(n, &g->names));
  for (int64_t i = 0; i < n; i++) {
    while (g->at < g->end && (unsigned char)*g->at <= ' ') g->at++;
    PetscCall(read_name(g, &g->names[g->nnames++]));
  }
  PetscCall(CrGmshCheckEnd(g, "PhysicalNames"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static PetscErrorCode read_all(CrGmsh *g)
{
  PetscErrorCode (*nodes)(CrGmsh *);

  PetscFunctionBeginUser;
  PetscCall(load(g));
  PetscCall(find_sections(g));
  enter(g, CR_GMSH_FORMAT);
  PetscCall(CrGmshReadFormat(g));
  if (enter(g, CR_GMSH_NAMES)) PetscCall(CrGmshReadNames(g));
  if (g->version == 41 && enter(g, CR_GMSH_ENTITIES)) PetscCall(CrGmshReadEntities41(g));
  nodes = g->version == 41 ? CrGmshReadNodes41 : CrGmshReadNodes22;
  if (!enter(g, CR_GMSH_NODES)) CrGmshFail(g, g->text + g->size, "section $Nodes is missing");
  PetscCall(nodes(g));
  PetscCall(CrGmshSortTags(g, nodes));
  if (!enter(g, CR_GMSH_ELEMENTS)) CrGmshFail(g, g->text + g->size, "section $Elements is missing");
  PetscCall(g->version == 41 ? CrGmshReadElements41(g) : CrGmshReadElements22(g));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshClear(CrGmsh *g)
{
  PetscFunctionBeginUser;
  for (int s = 0; s < CR_GMSH_NSHAPES; s++) {
    PetscCall(PetscFree(g->lists[s].tags));
    PetscCall(PetscFree(g->lists[s].nodes));
  }
  for (PetscInt i = 0; i < g->nnames; i++) PetscCall(PetscFree(g->names[i].name));
  PetscCall(PetscFree(g->names));
  PetscCall(PetscFree(g->entities));
  PetscCall(PetscFree(g->physicals));
  PetscCall(PetscFree(g->runs));
  PetscCall(PetscFree(g->X));
  PetscCall(PetscFree(g->tags));
  PetscCall(PetscFree(g->number));
  PetscCall(PetscFree(g->text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshRead(const char path[], PetscInt dim, CrMesh **mesh)
{
  CrGmsh         g = {.path = path, .dim = dim, .watch = -1};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *mesh = NULL;
  code = read_all(&g);
  if (!code) code = CrGmshMakeMesh(&g, mesh);
  PetscCall(CrGmshClear(&g));
  if (code) PetscCall(CrMeshDestroy(mesh));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The file is looked for beside the deck. */
static PetscErrorCode find_path(const CrDeckNode *node, const char base[],
                                char path[PETSC_MAX_PATH_LEN])
{
  const char *file = CrDeckText(node), *slash = base ? strrchr(base, '/') : NULL;
  int         folder = slash && file[0] != '/' ? (int)(slash - base) + 1 : 0;
  struct stat status;

  PetscFunctionBeginUser;
  if (!file[0]) CrDeckFail(node, "expected the name of a Gmsh file");
  if (snprintf(path, PETSC_MAX_PATH_LEN, "%.*s%s", folder, base ? base : "", file) >=
      PETSC_MAX_PATH_LEN)
    CrDeckFail(node, "the path is too long");
  if (access(path, R_OK) || stat(path, &status))
    CrDeckFail(node, "cannot open \"%s\": %s; paths are relative to the folder of the deck", path,
               strerror(errno));
  if (!S_ISREG(status.st_mode)) CrDeckFail(node, "\"%s\" is not a file", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshCreateFile(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  (void)fine;
  PetscCall(find_path(node, base, path));
  PetscCall(CrGmshRead(path, dim, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshReadFilePart(MPI_Comm comm, const CrDeckNode *node, PetscInt dim,
                                  const char base[], CrMeshPart *part)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  PetscCall(CrErrorAgree(comm, find_path(node, base, path)));
  PetscCall(CrGmshReadPart(comm, path, dim, 1 << 16, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}
