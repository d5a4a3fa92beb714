/* Rank 0 scans a Gmsh file, one window of bytes at a time. It finds sections, headers of blocks, and the place where
   the share of each rank begins. In text files it counts lines, and in binary files it computes the place. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/grow.h"
#include "base/mail.h"
#include "mesh/readers/gmsh_chunks.h"

enum { WINDOW = 1 << 20, HEAD = 1024 }; /* bytes; no head of a section or block is longer */

typedef CR_LIST(CrGmshStretch) Stretches;

typedef struct {
  CrGmsh     *g;
  int         file;
  PetscMPIInt ranks;
  PetscInt    most;       /* of a stretch */
  int64_t     size;       /* of the file */
  char       *window;     /* owned, with a zero behind it */
  int64_t     begin, end; /* of the window in the file */
  CrGmshFacts facts;
  Stretches   nodes, elements;
} Look;

/* ---- the window -------------------------------------------------------------------------------- */

/* Moves the window so that it holds `want` bytes from `at` on, or as many as the file has. */
static PetscErrorCode show(Look *k, int64_t at, int64_t want)
{
  PetscFunctionBeginUser;
  want = PetscMin(want, k->size - at);
  if (at >= k->begin && at + want <= k->end) PetscFunctionReturn(PETSC_SUCCESS);
  k->begin = k->end = at;
  while (k->end - at < WINDOW && k->end < k->size) {
    ssize_t got =
        pread(k->file, k->window + (k->end - at), (size_t)(WINDOW - (k->end - at)), (off_t)k->end);

    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) CrMachineFail("%s: cannot be read", k->g->path);
    k->end += got;
  }
  k->window[k->end - at] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *shown(const Look *k, int64_t at)
{
  return k->window + (at - k->begin);
}

/* Puts the cursor of the scanner there, in a section that ends at `end`. */
static PetscErrorCode put_cursor(Look *k, int64_t at, int64_t end)
{
  CrGmsh *g = k->g;

  PetscFunctionBeginUser;
  PetscCall(show(k, at, HEAD));
  g->text = k->window;
  g->at = shown(k, at);
  g->end = g->at + (PetscMin(end, k->end) - at);
  g->beyond = end - at - (g->end - g->at);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the cursor is in the file, behind the line of a head. */
static PetscErrorCode after_head(Look *k, int64_t *at)
{
  PetscFunctionBeginUser;
  PetscCall(CrGmshCheckLine(k->g));
  *at = k->begin + (k->g->at - k->window);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Moves behind n lines of a section. */
static PetscErrorCode skip_lines(Look *k, PetscInt n, int64_t end, int64_t *at)
{
  PetscFunctionBeginUser;
  while (n > 0) {
    const char *p, *stop, *newline;

    if (*at >= end)
      CrInputFail("%s: the file ends too early, because lines are missing", k->g->path);
    PetscCall(show(k, *at, 1));
    p = shown(k, *at);
    stop = p + (PetscMin(end, k->end) - *at);
    for (; n > 0 && (newline = memchr(p, '\n', (size_t)(stop - p))); n--) p = newline + 1;
    *at = n > 0 ? PetscMin(end, k->end) : k->begin + (p - k->window);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sections ---------------------------------------------------------------------------------- */

/* The "$EndName" that closes a section; -1: there is none. The same rule as that of the reader of whole files. */
static PetscErrorCode find_end(Look *k, int64_t from, const char name[], int64_t *found)
{
  char    mark[80];
  int64_t n = snprintf(mark, sizeof mark, "$End%s", name);

  PetscFunctionBeginUser;
  for (*found = -1; from + n <= k->size;) {
    const char *p;
    int64_t     at;

    PetscCall(show(k, from, n + 1));
    p = memmem(shown(k, from), (size_t)(k->end - from), mark, (size_t)n);
    if (!p) {
      if (k->end == k->size) break;
      from = k->end - n + 1;
      continue;
    }
    at = k->begin + (p - k->window);
    PetscCall(show(k, at, n + 1));
    *found = at;
    if (at + n == k->size || (unsigned char)shown(k, at)[n] <= ' ') break;
    *found = -1;
    from = at + n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode note_section(Look *k, const char name[], int64_t begin, int64_t close)
{
  static const char *const names[CR_GMSH_NSECTIONS] = {"MeshFormat", "PhysicalNames", "Entities",
                                                       "Nodes", "Elements"};

  PetscFunctionBeginUser;
  for (int s = 0; s < CR_GMSH_NSECTIONS; s++) {
    if (strcmp(name, names[s])) continue;
    if (k->facts.sections[s].end)
      CrInputFail("%s: the file contains the same section twice", k->g->path);
    PetscCall(skip_lines(k, 1, close, &begin));
    k->facts.sections[s].begin = begin;
    k->facts.sections[s].end = close;
  }
  if (!strcmp(name, "PartitionedEntities")) k->facts.partitioned = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_sections(Look *k)
{
  char name[64];

  PetscFunctionBeginUser;
  for (int64_t at = 0, close;;) {
    const char *p;
    size_t      n = 0;

    for (; at < k->size; at++) {
      PetscCall(show(k, at, 1));
      if (!strchr(" \t\n\v\f\r", *shown(k, at)) || !*shown(k, at)) break;
    }
    if (at == k->size) break;
    PetscCall(show(k, at, HEAD));
    p = shown(k, at);
    if (*p != '$') CrInputFail("%s: expected the start of a section", k->g->path);
    for (p++; n < sizeof name - 1 && (unsigned char)p[n] > ' '; n++) name[n] = p[n];
    name[n] = 0;
    if (!n || (unsigned char)p[n] > ' ')
      CrInputFail("%s: the name of a section is missing or too long", k->g->path);
    PetscCall(find_end(k, at + 1 + (int64_t)n, name, &close));
    if (close < 0) CrInputFail("%s: a section of the file has no end", k->g->path);
    PetscCall(note_section(k, name, at + 1 + (int64_t)n, close));
    at = close + 4 + (int64_t)n;
  }
  for (int s = 0; s < CR_GMSH_NSECTIONS; s++)
    if (!k->facts.sections[s].end && s != CR_GMSH_NAMES && s != CR_GMSH_ENTITIES)
      CrInputFail("%s: a section of the file is missing", k->g->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_format(Look *k)
{
  const int64_t begin = k->facts.sections[CR_GMSH_FORMAT].begin,
                end = k->facts.sections[CR_GMSH_FORMAT].end;

  PetscFunctionBeginUser;
  PetscCall(put_cursor(k, begin, end));
  PetscCall(CrGmshReadFormat(k->g));
  k->facts.version = k->g->version;
  k->facts.binary = k->g->binary;
  k->facts.swap = k->g->swap;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- stretches --------------------------------------------------------------------------------- */

/* How many of `left` from `first` on belong to one stretch, of n for all ranks. */
static PetscInt length_of(const Look *k, PetscInt n, PetscInt first, PetscInt left)
{
  PetscInt end = CrShareBegin(n, k->ranks, CrShareRank(n, k->ranks, first) + 1);

  return PetscMin(PetscMin(left, k->most), end - first);
}

/* Cuts a block, which begins at `*at`, into stretches. `bytes`: of one in a binary file. */
static PetscErrorCode cut(Look *k, Stretches *list, PetscInt all, PetscInt first,
                          const CrGmshBlock *block, int64_t bytes, int64_t end, int64_t *at)
{
  PetscInt left = (PetscInt)block->n, n;

  PetscFunctionBeginUser;
  for (; left > 0; left -= n, first += n) {
    CrGmshStretch *s;

    n = length_of(k, all, first, left);
    PetscCall(CrListGrow(list, 1));
    s = &list->at[list->n++];
    *s = (CrGmshStretch){.first = first, .block = *block, .begin = *at};
    s->block.n = n;
    if (k->g->binary)
      *at += n * bytes;
    else
      PetscCall(skip_lines(k, n, end, at));
    if (*at > end)
      CrInputFail("%s: a section has fewer entries than its header declares", k->g->path);
    s->end = *at;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coordinates of 4.1 follow the numbers of all nodes of a block, whose stretches begin with `from`. */
static PetscErrorCode cut_points(Look *k, PetscInt from, int64_t end, int64_t *at)
{
  PetscFunctionBeginUser;
  for (PetscInt i = from; i < k->nodes.n; i++) {
    CrGmshStretch *s = &k->nodes.at[i];

    s->points_begin = *at;
    if (k->g->binary)
      *at += s->block.n * 8 * (3 + s->block.parameters);
    else
      PetscCall(skip_lines(k, (PetscInt)s->block.n, end, at));
    if (*at > end)
      CrInputFail("%s: a section has fewer entries than its header declares", k->g->path);
    s->points_end = *at;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only white space is left of a section. */
static PetscErrorCode check_end(Look *k, int64_t at, int64_t end)
{
  PetscFunctionBeginUser;
  while (at < end) {
    PetscCall(put_cursor(k, at, end));
    PetscCall(CrGmshCheckEnd(k->g, ""));
    at = k->begin + (k->g->end - k->window);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode cut_22(Look *k, CrGmshSection section, Stretches *list, PetscInt *all)
{
  const int64_t end = k->facts.sections[section].end;
  CrGmshBlock   block = {0};
  int64_t       at, n;

  PetscFunctionBeginUser;
  PetscCall(put_cursor(k, k->facts.sections[section].begin, end));
  PetscCall(CrGmshHead22(k->g, section, &n));
  PetscCall(after_head(k, &at));
  *all = (PetscInt)n;
  if (section == CR_GMSH_NODES || !k->g->binary) {
    block.n = n;
    PetscCall(cut(k, list, *all, 0, &block, 28, end, &at));
  } else
    for (int64_t done = 0; done < n; done += block.n) {
      PetscCall(put_cursor(k, at, end));
      PetscCall(CrGmshElementBlock22(k->g, n - done, &block));
      if (block.ntags < 0) CrInputFail("%s: an element has a negative count of tags", k->g->path);
      PetscCall(after_head(k, &at));
      PetscCall(cut(k, list, *all, (PetscInt)done, &block,
                    4 * (1 + block.ntags + CrGmshShapeNodes(block.shape)), end, &at));
    }
  PetscFunctionReturn(check_end(k, at, end));
}

static PetscErrorCode cut_41(Look *k, CrGmshSection section, Stretches *list, PetscInt *all)
{
  const PetscBool nodes = section == CR_GMSH_NODES;
  const int64_t   end = k->facts.sections[section].end;
  CrGmshBlock     block;
  int64_t         at, n, nblocks, done = 0;

  PetscFunctionBeginUser;
  PetscCall(put_cursor(k, k->facts.sections[section].begin, end));
  PetscCall(CrGmshHead41(k->g, section, &nblocks, &n));
  PetscCall(after_head(k, &at));
  *all = (PetscInt)n;
  for (int64_t b = 0; b < nblocks; b++, done += block.n) {
    PetscInt from = list->n;

    PetscCall(put_cursor(k, at, end));
    PetscCall(nodes ? CrGmshNodeBlock41(k->g, n - done, &block)
                    : CrGmshElementBlock41(k->g, n - done, &block));
    PetscCall(after_head(k, &at));
    PetscCall(cut(k, list, *all, (PetscInt)done, &block,
                  nodes ? 8 : 8 * (1 + CrGmshShapeNodes(block.shape)), end, &at));
    if (nodes) PetscCall(cut_points(k, from, end, &at));
  }
  if (done != n)
    CrInputFail(
        "%s: the number of entries in a section differs from the number in the header of the section",
        k->g->path);
  PetscFunctionReturn(check_end(k, at, end));
}

/* ---- all --------------------------------------------------------------------------------------- */

static PetscErrorCode look_over(Look *k)
{
  struct stat status;
  PetscErrorCode (*cut_section)(Look *, CrGmshSection, Stretches *, PetscInt *);

  PetscFunctionBeginUser;
  k->file = open(k->g->path, O_RDONLY | O_CLOEXEC);
  if (k->file < 0 || fstat(k->file, &status) || !S_ISREG(status.st_mode))
    CrInputFail("%s: cannot be opened", k->g->path);
  k->size = (int64_t)status.st_size;
  PetscCall(PetscMalloc1(WINDOW + 1, &k->window));
  PetscCall(find_sections(k));
  PetscCall(read_format(k));
  cut_section = k->g->version == 41 ? cut_41 : cut_22;
  PetscCall(cut_section(k, CR_GMSH_NODES, &k->nodes, &k->facts.nnodes));
  PetscCall(cut_section(k, CR_GMSH_ELEMENTS, &k->elements, &k->facts.nelements));
  if (!k->facts.nnodes || !k->facts.nelements)
    CrInputFail("%s: the file contains no mesh", k->g->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank gets the stretches of its share; they are in order. */
static PetscErrorCode deal(MPI_Comm comm, const Stretches *list, PetscInt all, PetscInt *n,
                           CrGmshStretch **mine)
{
  PetscMPIInt  rank, size, count, *counts, *places;
  MPI_Datatype type;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscCalloc2(size, &counts, size, &places));
  for (PetscInt i = 0; rank == 0 && i < list->n; i++)
    counts[CrShareRank(all, size, list->at[i].first)]++;
  for (PetscMPIInt p = 1; p < size; p++) places[p] = places[p - 1] + counts[p - 1];
  PetscCallMPI(MPI_Scatter(counts, 1, MPI_INT, &count, 1, MPI_INT, 0, comm));
  *n = count;
  PetscCall(PetscMalloc1(*n, mine));
  PetscCallMPI(MPI_Type_contiguous((int)sizeof **mine, MPI_BYTE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  PetscCallMPI(MPI_Scatterv(list->at, counts, places, type, *mine, count, type, 0, comm));
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree2(counts, places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshPlanCreate(MPI_Comm comm, const char path[], PetscInt dim, PetscInt most,
                                CrGmshPlan *plan)
{
  CrGmsh         g = {.path = path, .dim = dim, .watch = -1};
  Look           k = {.g = &g, .file = -1, .most = most};
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  *plan = (CrGmshPlan){0};
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &k.ranks));
  if (rank == 0) code = look_over(&k);
  if (k.file >= 0) close(k.file);
  code = CrErrorAgree(comm, code);
  if (!code) {
    PetscCallMPI(MPI_Bcast(&k.facts, (int)sizeof k.facts, MPI_BYTE, 0, comm));
    plan->facts = k.facts;
    PetscCall(deal(comm, &k.nodes, k.facts.nnodes, &plan->nnodes, &plan->nodes));
    PetscCall(deal(comm, &k.elements, k.facts.nelements, &plan->nelements, &plan->elements));
  }
  PetscCall(PetscFree(k.window));
  PetscCall(PetscFree(k.nodes.at));
  PetscCall(PetscFree(k.elements.at));
  PetscFunctionReturn(code);
}

PetscErrorCode CrGmshPlanDestroy(CrGmshPlan *plan)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(plan->nodes));
  PetscCall(PetscFree(plan->elements));
  PetscFunctionReturn(PETSC_SUCCESS);
}
