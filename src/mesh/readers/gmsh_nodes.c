/* Nodes of a Gmsh file that several ranks have read in parts. A rank stores the nodes that it has read. Tags are looked
   up at the rank that stores their range of tags, and node numbers at the rank that stores the node. */
#include <stdlib.h>
#include "base/mail.h"
#include "mesh/readers/gmsh_chunks.h"

/* ---- tags -------------------------------------------------------------------------------------- */

/* The tags of this rank: pairs of tag and node of the file, sorted by tag. */
typedef struct {
  PetscInt  low; /* the least tag of all ranks */
  int64_t   span;
  PetscInt  n;
  PetscInt *tags, *nodes; /* owned */
} Directory;

static PetscInt rank_of_tag(const Directory *d, PetscMPIInt size, PetscInt tag)
{
  return (PetscInt)(((int64_t)tag - d->low) * size / d->span);
}

static PetscErrorCode find_range(const CrGmsh *g, const CrGmshShared *s, Directory *d)
{
  int64_t range[2] = {INT64_MIN, INT64_MIN}; /* least, with a minus; greatest */

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < g->nnodes; i++) {
    const int64_t far = (int64_t)1 << 62, tag = PetscClipInterval(g->tags[i].tag, -far, far);

    range[0] = PetscMax(range[0], -tag);
    range[1] = PetscMax(range[1], tag);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT64_T, MPI_MAX, s->comm));
  if (-range[0] <= PETSC_MIN_INT || range[1] >= PETSC_MAX_INT)
    CrInputFail("%s: the numbers of nodes are too large to read the file in parts", g->path);
  d->low = (PetscInt)-range[0];
  d->span = range[1] - d->low + 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Refuses tags that occur twice. */
static PetscErrorCode create_directory(const CrGmsh *g, const CrGmshShared *s, Directory *d)
{
  CrMail         mail;
  CrPost         post;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, 2, 0, &mail));
  for (PetscInt i = 0; i < g->nnodes; i++) {
    const PetscInt ints[] = {(PetscInt)g->tags[i].tag, s->begin + i};

    PetscCall(CrMailAdd(&mail, rank_of_tag(d, s->size, ints[0]), ints, NULL));
  }
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(CrMailEnd(&mail));
  d->n = post.n;
  PetscCall(PetscMalloc2(post.n, &d->tags, post.n, &d->nodes));
  for (PetscInt k = 0; k < post.n; k++) {
    d->tags[k] = post.ints[2 * k];
    d->nodes[k] = post.ints[2 * k + 1];
  }
  PetscCall(CrPostEnd(&post));
  PetscCall(PetscSortIntWithArray(d->n, d->tags, d->nodes));
  for (PetscInt k = 1; k < d->n && !code; k++)
    if (d->tags[k] == d->tags[k - 1]) code = CrInputError("%s: a node is given twice", g->path);
  PetscFunctionReturn(CrErrorAgree(s->comm, code));
}

/* Tags that elements name, each once, ascending. */
static PetscErrorCode collect_tags(const CrGmsh *g, PetscInt *n, PetscInt **tags)
{
  PetscInt all = 0;

  PetscFunctionBeginUser;
  for (int s = 0; s < CR_GMSH_NSHAPES; s++) all += g->lists[s].n * CrGmshShapeNodes(s);
  PetscCall(PetscMalloc1(all, tags));
  *n = 0;
  for (int s = 0; s < CR_GMSH_NSHAPES; s++) {
    PetscInt count = g->lists[s].n * CrGmshShapeNodes(s);

    PetscCall(PetscArraycpy(*tags + *n, g->lists[s].nodes, count));
    *n += count;
  }
  PetscCall(PetscSortRemoveDupsInt(n, *tags));
  PetscCall(PetscRealloc(sizeof **tags * (size_t)*n, tags));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements name known nodes in place of tags. */
static PetscErrorCode replace_tags(CrGmsh *g, PetscInt n, const PetscInt *tags)
{
  PetscFunctionBeginUser;
  for (int s = 0; s < CR_GMSH_NSHAPES; s++)
    for (PetscInt i = 0; i < g->lists[s].n * CrGmshShapeNodes(s); i++)
      PetscCall(PetscFindInt(g->lists[s].nodes[i], n, tags, &g->lists[s].nodes[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* index[] of the known nodes. Refuses tags that nobody has. */
static PetscErrorCode look_up(const CrGmsh *g, CrGmshShared *s, const Directory *d,
                              const PetscInt *tags)
{
  CrMail         mail;
  CrPost         post;
  PetscInt      *found;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->nknown; k++)
    if (tags[k] < d->low || tags[k] >= d->low + d->span)
      code = CrInputError("%s: a node is missing", g->path);
  PetscCall(CrErrorAgree(s->comm, code));
  PetscCall(CrMailBegin(s->comm, 1, 0, &mail));
  for (PetscInt k = 0; k < s->nknown; k++)
    PetscCall(CrMailAdd(&mail, rank_of_tag(d, s->size, tags[k]), &tags[k], NULL));
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(PetscMalloc1(post.n, &found));
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt at = -1;

    if (d->n) PetscCall(PetscFindInt(post.ints[k], d->n, d->tags, &at));
    found[k] = at < 0 ? -1 : d->nodes[at];
    if (at < 0) code = CrInputError("%s: a node is missing", g->path);
  }
  PetscCall(CrMailAnswer(s->comm, &mail, 1, found, s->index, 0, NULL, NULL));
  PetscCall(PetscFree(found));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(CrErrorAgree(s->comm, code));
}

static PetscErrorCode know_nodes(CrGmsh *g, CrGmshShared *s)
{
  Directory      d = {0};
  PetscInt      *tags;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(find_range(g, s, &d)); /* the same on all ranks */
  PetscCall(collect_tags(g, &s->nknown, &tags));
  PetscCall(replace_tags(g, s->nknown, tags));
  PetscCall(PetscMalloc2(s->nknown, &s->index, s->nknown, &s->number));
  code = create_directory(g, s, &d);
  if (!code) code = look_up(g, s, &d, tags);
  PetscCall(PetscFree(tags));
  PetscCall(PetscFree2(d.tags, d.nodes));
  PetscFunctionReturn(code);
}

/* ---- numbers ----------------------------------------------------------------------------------- */

/* The rank that keeps a node of the file keeps it until the mesh is made. */
static PetscInt keeper_of(const CrGmshShared *s, PetscInt index)
{
  return CrShareRank(s->all, s->size, index);
}

/* used[] of the known nodes: a cell has them. */
static PetscErrorCode mark_used(const CrGmsh *g, const CrGmshShared *s, PetscInt *used)
{
  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(used, s->nknown));
  for (int shape = 0; shape < CR_NSHAPES; shape++)
    for (PetscInt i = 0; i < g->lists[shape].n * CrCells[shape].nnodes; i++)
      if (CrCells[shape].dim == g->dim) used[g->lists[shape].nodes[i]] = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of the nodes that this rank keeps, in the order of the file. */
static PetscErrorCode number_kept(CrGmshShared *s, const CrPost *post)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < s->n; i++) s->kept_number[i] = -1;
  for (PetscInt k = 0; k < post->n; k++)
    if (post->ints[2 * k + 1]) s->kept_number[post->ints[2 * k] - s->begin] = 0;
  for (PetscInt i = 0; i < s->n; i++) n += s->kept_number[i] == 0;
  PetscCallMPI(MPI_Allgather(&n, 1, MPIU_INT, s->starts + 1, 1, MPIU_INT, s->comm));
  s->starts[0] = 0;
  for (PetscMPIInt p = 0; p < s->size; p++) s->starts[p + 1] += s->starts[p];
  s->nnodes = s->starts[s->size];
  n = s->starts[s->rank];
  for (PetscInt i = 0; i < s->n; i++)
    if (s->kept_number[i] == 0) s->kept_number[i] = n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode number_nodes(const CrGmsh *g, CrGmshShared *s)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *used, *found;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(s->nknown, &used));
  PetscCall(mark_used(g, s, used));
  PetscCall(CrMailBegin(s->comm, 2, 0, &mail));
  for (PetscInt k = 0; k < s->nknown; k++) {
    const PetscInt ints[] = {s->index[k], used[k]};

    PetscCall(CrMailAdd(&mail, keeper_of(s, s->index[k]), ints, NULL));
  }
  PetscCall(PetscFree(used));
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(number_kept(s, &post));
  PetscCall(PetscMalloc1(post.n, &found));
  for (PetscInt k = 0; k < post.n; k++) found[k] = s->kept_number[post.ints[2 * k] - s->begin];
  PetscCall(CrMailAnswer(s->comm, &mail, 1, found, s->number, 0, NULL, NULL));
  PetscCall(PetscFree(found));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 2D decks want all nodes in a plane z = const, but for rounding. */
static PetscErrorCode check_plane(const CrGmsh *g, const CrGmshShared *s)
{
  PetscReal box[6]; /* greatest coordinates; least ones, with a minus */

  PetscFunctionBeginUser;
  for (int i = 0; i < 6; i++) box[i] = PETSC_MIN_REAL;
  for (PetscInt A = 0; A < s->n; A++)
    for (int i = 0; i < 3 && s->kept_number[A] >= 0; i++) {
      box[i] = PetscMax(box[i], g->X[3 * A + i]);
      box[3 + i] = PetscMax(box[3 + i], -g->X[3 * A + i]);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, box, 6, MPIU_REAL, MPI_MAX, s->comm));
  if (box[2] + box[5] > 1e-9 * PetscMax(box[0] + box[3], box[1] + box[4]))
    CrInputFail("%s: the 2D mesh does not lie in a plane z = const", g->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all --------------------------------------------------------------------------------------- */

PetscErrorCode CrGmshShareNodes(CrGmsh *g, CrGmshShared *s)
{
  PetscFunctionBeginUser;
  s->n = g->nnodes;
  PetscCallMPI(MPI_Allreduce(&s->n, &s->all, 1, MPIU_INT, MPI_SUM, s->comm));
  s->begin = CrShareBegin(s->all, s->size, s->rank);
  PetscCall(PetscMalloc2(s->n, &s->kept_number, s->size + 1, &s->starts));
  PetscCall(know_nodes(g, s));
  PetscCall(number_nodes(g, s));
  if (g->dim == 2) PetscCall(check_plane(g, s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshSharedDestroy(CrGmshShared *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(s->kept_number, s->starts));
  PetscCall(PetscFree2(s->index, s->number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rank that keeps a node of the mesh. */
static PetscInt rank_of_number(const CrGmshShared *s, PetscInt number)
{
  PetscInt lo = 0, hi = s->size - 1;

  while (lo < hi) {
    PetscInt mid = (lo + hi) / 2;

    if (s->starts[mid + 1] > number)
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo;
}

/* kept[k]: the node of this rank that has number starts[rank] + k. */
static PetscErrorCode list_kept(const CrGmshShared *s, PetscInt **kept)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(s->starts[s->rank + 1] - s->starts[s->rank], kept));
  for (PetscInt i = 0; i < s->n; i++)
    if (s->kept_number[i] >= 0) (*kept)[s->kept_number[i] - s->starts[s->rank]] = i;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshFindPoints(const CrGmsh *g, const CrGmshShared *s, PetscInt n,
                                const PetscInt *numbers, PetscReal *X, PetscInt *askers)
{
  CrMail     mail;
  CrPost     post;
  PetscInt  *kept, *count, *counts;
  PetscReal *points;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, 1, 0, &mail));
  for (PetscInt k = 0; k < n; k++)
    PetscCall(CrMailAdd(&mail, rank_of_number(s, numbers[k]), &numbers[k], NULL));
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(list_kept(s, &kept));
  PetscCall(PetscCalloc1(s->starts[s->rank + 1] - s->starts[s->rank], &count));
  PetscCall(PetscMalloc2(post.n, &counts, post.n * g->dim, &points));
  for (PetscInt k = 0; k < post.n; k++) count[post.ints[k] - s->starts[s->rank]]++;
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt at = post.ints[k] - s->starts[s->rank];

    counts[k] = count[at];
    PetscCall(PetscArraycpy(points + k * g->dim, g->X + 3 * (size_t)kept[at], g->dim));
  }
  PetscCall(CrMailAnswer(s->comm, &mail, 1, counts, askers, g->dim, points, X));
  PetscCall(PetscFree2(counts, points));
  PetscCall(PetscFree(kept));
  PetscCall(PetscFree(count));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}
