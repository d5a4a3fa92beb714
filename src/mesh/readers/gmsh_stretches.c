/* A rank reads its parts of a Gmsh file: nodes first, then elements. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "mesh/readers/gmsh_chunks.h"

/* ---- bytes of the file ------------------------------------------------------------------------- */

static PetscErrorCode read_bytes(CrGmsh *g, int file, int64_t begin, int64_t end)
{
  PetscFunctionBeginUser;
  for (int64_t at = begin; at < end;) {
    ssize_t got = pread(file, g->text + (at - begin), (size_t)(end - at), (off_t)at);

    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) CrMachineFail("%s: cannot be read", g->path);
    at += got;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshLoad(CrGmsh *g, int64_t begin, int64_t end)
{
  int            file;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if ((size_t)(end - begin) > g->size || !g->text) {
    PetscCall(PetscFree(g->text));
    g->size = (size_t)(end - begin);
    PetscCall(PetscMalloc1(g->size + 1, &g->text));
  }
  file = open(g->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) CrInputFail("%s: cannot be opened", g->path);
  code = read_bytes(g, file, begin, end);
  close(file);
  PetscCall(code);
  g->at = g->text;
  g->end = g->text + (end - begin);
  g->text[end - begin] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nothing may be left of a stretch. */
static PetscErrorCode check_empty(CrGmsh *g)
{
  PetscFunctionBeginUser;
  if (g->at != g->end) CrGmshFail(g, g->at, "expected the end of the stretch");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes and elements ------------------------------------------------------------------------ */

static PetscErrorCode read_nodes(CrGmsh *g, const CrGmshStretch *s, PetscInt begin)
{
  PetscFunctionBeginUser;
  PetscCall(CrGmshLoad(g, s->begin, s->end));
  for (PetscInt i = 0; i < s->block.n; i++) {
    PetscCall(g->version == 41 ? CrGmshNodeTag41(g, begin + i) : CrGmshNode22(g, begin + i));
    PetscCall(CrGmshCheckLine(g));
  }
  PetscCall(check_empty(g));
  if (g->version == 22) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGmshLoad(g, s->points_begin, s->points_end));
  for (PetscInt i = 0; i < s->block.n; i++) {
    PetscCall(CrGmshNodePoint41(g, &s->block, begin + i));
    PetscCall(CrGmshCheckLine(g));
  }
  PetscFunctionReturn(check_empty(g));
}

static PetscErrorCode read_elements(CrGmsh *g, const CrGmshStretch *s)
{
  PetscFunctionBeginUser;
  PetscCall(CrGmshLoad(g, s->begin, s->end));
  if (g->version == 41 || g->binary)
    PetscCall(CrGmshReserve(g, s->block.shape, (PetscInt)s->block.n));
  for (PetscInt i = 0; i < s->block.n; i++) {
    PetscCall(g->version == 41 ? CrGmshElement41(g, &s->block)
              : g->binary      ? CrGmshElement22(g, &s->block)
                               : CrGmshElementLine22(g));
    PetscCall(CrGmshCheckLine(g));
  }
  PetscFunctionReturn(check_empty(g));
}

/* Names and entities are few; every rank reads all of them. */
static PetscErrorCode read_groups(const CrGmshFacts *facts, CrGmsh *g)
{
  PetscFunctionBeginUser;
  if (facts->sections[CR_GMSH_NAMES].end) {
    PetscCall(
        CrGmshLoad(g, facts->sections[CR_GMSH_NAMES].begin, facts->sections[CR_GMSH_NAMES].end));
    PetscCall(CrGmshReadNames(g));
    for (PetscInt i = 0; i < g->nnames; i++) g->names[i].where = NULL; /* the text goes */
  }
  if (facts->sections[CR_GMSH_ENTITIES].end && g->version == 41) {
    PetscCall(CrGmshLoad(g, facts->sections[CR_GMSH_ENTITIES].begin,
                         facts->sections[CR_GMSH_ENTITIES].end));
    PetscCall(CrGmshReadEntities41(g));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshReadStretches(const CrGmshPlan *plan, CrGmsh *g)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  g->version = (int)plan->facts.version;
  g->binary = plan->facts.binary;
  g->swap = plan->facts.swap;
  g->chunk = PETSC_TRUE;
  PetscCall(read_groups(&plan->facts, g));
  for (PetscInt i = 0; i < plan->nnodes; i++) n += (PetscInt)plan->nodes[i].block.n;
  PetscCall(CrGmshAllocateNodes(g, n));
  for (PetscInt i = 0; i < plan->nnodes; i++)
    PetscCall(read_nodes(g, &plan->nodes[i], plan->nodes[i].first - plan->nodes[0].first));
  for (PetscInt i = 0; i < plan->nelements; i++) PetscCall(read_elements(g, &plan->elements[i]));
  PetscCall(PetscFree(g->text));
  PetscFunctionReturn(PETSC_SUCCESS);
}
