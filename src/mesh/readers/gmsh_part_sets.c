/* Makes sets of the distributed mesh from the physical groups of a Gmsh file. All ranks have the same list of groups.
   The rank that stores a node also stores the groups of the node, as it does for facets (CrBoundaryBook). */
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "mesh/readers/gmsh_chunks.h"

typedef struct {
  PetscInt order, dim, tag;
} Group;

/* A node or facet, and its group. */
typedef struct {
  PetscInt group, item;
} Member;

typedef CR_LIST(Member) Members;

typedef struct {
  CrGmsh             *g;
  const CrGmshShared *s;
  CrMeshPart         *part;
  PetscInt            n;
  Group              *groups; /* [n] the first is the boundary; owned, like all below */
  PetscInt           *broken; /* [n] an element of the group is no facet */
  PetscInt           *count;  /* [n] nodes, on all ranks; then facets */
  Members nodes, facets;      /* of this rank's part; numbers of the whole mesh, and of facets */
} Sets;

/* ---- the list of groups ------------------------------------------------------------------------ */

static int compare_groups(const void *x, const void *y)
{
  const Group *a = x, *b = y;

  if (a->order != b->order) return a->order < b->order ? -1 : 1;
  if (a->dim != b->dim) return a->dim < b->dim ? -1 : 1;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static void sort_groups(PetscInt *n, Group *groups)
{
  PetscInt kept = 0;

  if (*n) qsort(groups, (size_t)*n, sizeof *groups, compare_groups);
  for (PetscInt i = 0; i < *n; i++)
    if (!kept || compare_groups(&groups[kept - 1], &groups[i])) groups[kept++] = groups[i];
  *n = kept;
}

/* The physical groups of a run: n of them. */
static PetscInt tags_of(const CrGmsh *g, const CrGmshRun *run, const PetscInt **tags)
{
  const CrGmshEntity *entity;

  *tags = &run->label;
  if (g->version == 22) return run->label ? 1 : 0;
  entity = CrGmshFindEntity(g, CrGmshShapeDim(run->shape), run->label);
  if (entity) *tags = g->physicals + entity->first;
  return entity ? entity->n : 0;
}

static PetscErrorCode list_groups(const CrGmsh *g, PetscInt *n, Group **groups)
{
  PetscInt room = 0;

  PetscFunctionBeginUser;
  *n = 0;
  *groups = NULL;
  for (PetscInt r = 0; r < g->nruns; r++) {
    const PetscInt dim = CrGmshShapeDim(g->runs[r].shape), *tags,
                   count = tags_of(g, &g->runs[r], &tags);

    for (PetscInt i = 0; i < count; i++) {
      PetscCall(CrGrow(*n + 1, &room, groups));
      (*groups)[(*n)++] = (Group){CrGmshGroupOrder(g, dim, tags[i]), dim, tags[i]};
    }
    if (*n > 1000) sort_groups(n, *groups); /* runs may be many, groups are few */
  }
  sort_groups(n, *groups);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Groups of all ranks, behind the boundary. */
static PetscErrorCode agree_on_groups(Sets *sets)
{
  Group       *mine;
  PetscInt     n;
  PetscMPIInt  count, *counts, *places, all = 0;
  MPI_Datatype type;

  PetscFunctionBeginUser;
  PetscCall(list_groups(sets->g, &n, &mine));
  PetscCall(PetscMPIIntCast(n, &count));
  PetscCall(PetscMalloc2(sets->s->size, &counts, sets->s->size, &places));
  PetscCallMPI(MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, sets->s->comm));
  for (PetscMPIInt p = 0; p < sets->s->size; all += counts[p++]) places[p] = all;
  PetscCall(PetscMalloc1(all + 1, &sets->groups));
  PetscCallMPI(MPI_Type_contiguous((int)sizeof *mine, MPI_BYTE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  PetscCallMPI(
      MPI_Allgatherv(mine, count, type, sets->groups + 1, counts, places, type, sets->s->comm));
  PetscCallMPI(MPI_Type_free(&type));
  sets->groups[0] = (Group){.order = -1};
  sets->n = all + 1;
  sort_groups(&sets->n, sets->groups);
  PetscCall(PetscCalloc2(sets->n, &sets->broken, 2 * sets->n, &sets->count));
  PetscCall(PetscFree2(counts, places));
  PetscCall(PetscFree(mine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt find_group(const Sets *sets, PetscInt dim, PetscInt tag)
{
  Group        wanted = {CrGmshGroupOrder(sets->g, dim, tag), dim, tag};
  const Group *found =
      bsearch(&wanted, sets->groups, (size_t)sets->n, sizeof wanted, compare_groups);

  return (PetscInt)(found - sets->groups);
}

/* ---- members ----------------------------------------------------------------------------------- */

static int compare_members(const void *x, const void *y)
{
  const Member *a = x, *b = y;

  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

static void sort_members(Members *list)
{
  PetscInt kept = 0;

  if (list->n) qsort(list->at, (size_t)list->n, sizeof *list->at, compare_members);
  for (PetscInt i = 0; i < list->n; i++)
    if (!kept || compare_members(&list->at[kept - 1], &list->at[i])) list->at[kept++] = list->at[i];
  list->n = kept;
}

static PetscErrorCode add_member(Members *list, PetscInt group, PetscInt item)
{
  PetscFunctionBeginUser;
  PetscCall(CrListGrow(list, 1));
  list->at[list->n++] = (Member){group, item};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sends all members to the ranks that keep their nodes; what comes back from `post` replaces them, each once. */
static PetscErrorCode send_members(const Sets *sets, Members *list)
{
  CrMail mail;
  CrPost post;

  PetscFunctionBeginUser;
  sort_members(list);
  PetscCall(CrMailBegin(sets->s->comm, 2, 0, &mail));
  for (PetscInt k = 0; k < list->n; k++)
    PetscCall(CrMailAdd(&mail, CrShareRank(sets->part->nnodes, mail.size, list->at[k].item),
                        &list->at[k].group, NULL));
  PetscCall(CrMailSend(sets->s->comm, &mail, &post));
  PetscCall(CrMailEnd(&mail));
  list->n = 0;
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(add_member(list, post.ints[2 * k], post.ints[2 * k + 1]));
  PetscCall(CrPostEnd(&post));
  sort_members(list);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of elements in groups, and those of the boundary. */
static PetscErrorCode list_nodes(Sets *sets, Members *list)
{
  const CrGmsh *g = sets->g;
  const CrMesh *mesh = sets->part->mesh;
  PetscInt      nodes[CR_MAX_FACE_NODES];

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    PetscInt n = CrMeshFacetNodes(mesh, &mesh->facets[f], nodes);

    for (PetscInt a = 0; a < n; a++) PetscCall(add_member(list, 0, sets->part->number[nodes[a]]));
  }
  for (PetscInt r = 0; r < g->nruns; r++) {
    const CrGmshRun *run = &g->runs[r];
    const PetscInt  *tags, n = tags_of(g, run, &tags), nn = CrGmshShapeNodes(run->shape);

    for (PetscInt i = 0; i < n; i++) {
      PetscInt group = find_group(sets, CrGmshShapeDim(run->shape), tags[i]);

      for (PetscInt k = run->first * nn; k < (run->first + run->n) * nn; k++) {
        PetscInt number = sets->s->number[g->lists[run->shape].nodes[k]];

        if (number >= 0) PetscCall(add_member(list, group, number));
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_items(const void *x, const void *y)
{
  const Member *a = x, *b = y;

  if (a->item != b->item) return a->item < b->item ? -1 : 1;
  return (a->group > b->group) - (a->group < b->group);
}

/* The groups of the nodes of the parts: every rank asks for its nodes, and gets as many members as they have. */
static PetscErrorCode fetch_members(Sets *sets, const Members *kept)
{
  CrMail  asking, mail;
  CrPost  post;
  Member *begin = kept->at, *end = kept->at + kept->n;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(sets->s->comm, 1, 0, &asking));
  for (PetscInt A = 0; A < sets->part->mesh->nnodes; A++)
    PetscCall(CrMailAdd(&asking,
                        CrShareRank(sets->part->nnodes, asking.size, sets->part->number[A]),
                        &sets->part->number[A], NULL));
  PetscCall(CrMailSend(sets->s->comm, &asking, &post));
  PetscCall(CrMailEnd(&asking));
  PetscCall(CrMailBegin(sets->s->comm, 2, 0, &mail));
  for (PetscInt k = 0; k < post.n; k++) {
    if (k == 0 || post.from[k] != post.from[k - 1]) begin = kept->at; /* nodes ascend */
    while (begin < end && begin->item < post.ints[k]) begin++;
    for (Member *m = begin; m < end && m->item == post.ints[k]; m++)
      PetscCall(CrMailAdd(&mail, post.from[k], &m->group, NULL));
  }
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailSend(sets->s->comm, &mail, &post));
  PetscCall(CrMailEnd(&mail));
  for (PetscInt k = 0; k < post.n; k++)
    PetscCall(add_member(&sets->nodes, post.ints[2 * k], post.ints[2 * k + 1]));
  PetscCall(CrPostEnd(&post));
  sort_members(&sets->nodes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode share_nodes(Sets *sets)
{
  Members list = {0};

  PetscFunctionBeginUser;
  PetscCall(list_nodes(sets, &list));
  PetscCall(send_members(sets, &list));
  for (PetscInt k = 0; k < list.n; k++) sets->count[list.at[k].group]++;
  if (list.n) qsort(list.at, (size_t)list.n, sizeof *list.at, compare_items);
  PetscCall(fetch_members(sets, &list));
  PetscCall(PetscFree(list.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- surfaces ---------------------------------------------------------------------------------- */

/* An element on its way to the rank that keeps its facet: corners, ascending; its group. */
static PetscErrorCode send_elements(Sets *sets, const CrGmshRun *run, PetscInt group, CrMail *mail)
{
  const PetscInt nn = CrGmshShapeNodes(run->shape), n = CrCells[run->shape].ncorners;

  PetscFunctionBeginUser;
  for (PetscInt e = run->first; e < run->first + run->n; e++) {
    const PetscInt *nodes = &sets->g->lists[run->shape].nodes[(size_t)e * nn];
    PetscInt        ints[5] = {0, 0, 0, 0, group};

    for (PetscInt a = 0; a < n; a++) ints[a] = sets->s->number[nodes[a]];
    CrMeshSortKey(n, ints);
    if (ints[0] < 0)
      sets->broken[group] = 1; /* a corner that no cell has */
    else
      PetscCall(CrMailAdd(mail, CrShareRank(sets->part->nnodes, mail->size, ints[0]), ints, NULL));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ranks that keep facets tell those that have them. */
static PetscErrorCode send_facets(Sets *sets, const CrBoundaryBook *book, const CrPost *elements,
                                  CrPost *post)
{
  CrMail mail;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(sets->s->comm, 2, 0, &mail));
  for (PetscInt k = 0; k < elements->n; k++) {
    const PetscInt       *element = elements->ints + 5 * k;
    const CrBoundaryFace *face = CrBoundaryBookFind(book, element);

    if (face) {
      const PetscInt ints[] = {element[4], face->face};

      PetscCall(CrMailAdd(&mail, face->rank, ints, NULL));
    } else
      sets->broken[element[4]] = 1;
  }
  PetscCall(CrMailSend(sets->s->comm, &mail, post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of faces become those of facets; both ascend together. */
static PetscErrorCode take_facets(Sets *sets, const CrPost *post)
{
  const CrMesh *mesh = sets->part->mesh;
  PetscInt     *faces, before = 0, block = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(mesh->nfacets, &faces));
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    const CrFacet *facet = &mesh->facets[f];

    for (; block < facet->block; block++)
      before += mesh->blocks[block].n * CrCells[mesh->blocks[block].type].nfaces;
    faces[f] = before + facet->cell * CrCells[mesh->blocks[block].type].nfaces + facet->face;
    PetscCall(add_member(&sets->facets, 0, f));
  }
  for (PetscInt k = 0; k < post->n; k++) {
    PetscInt f;

    PetscCall(PetscFindInt(post->ints[2 * k + 1], mesh->nfacets, faces, &f));
    PetscCall(add_member(&sets->facets, post->ints[2 * k], f));
  }
  PetscCall(PetscFree(faces));
  sort_members(&sets->facets);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode share_facets(Sets *sets, const CrBoundaryBook *book)
{
  const CrGmsh *g = sets->g;
  CrMail        mail;
  CrPost        elements, facets;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(sets->s->comm, 5, 0, &mail));
  for (PetscInt r = 0; r < g->nruns; r++) {
    const PetscInt *tags, n = tags_of(g, &g->runs[r], &tags);

    if (CrGmshShapeDim(g->runs[r].shape) != g->dim - 1) continue;
    for (PetscInt i = 0; i < n; i++)
      PetscCall(send_elements(sets, &g->runs[r], find_group(sets, g->dim - 1, tags[i]), &mail));
  }
  PetscCall(CrMailSend(sets->s->comm, &mail, &elements));
  PetscCall(CrMailEnd(&mail));
  PetscCall(send_facets(sets, book, &elements, &facets));
  PetscCall(CrPostEnd(&elements));
  PetscCall(take_facets(sets, &facets));
  PetscCall(CrPostEnd(&facets));
  for (PetscInt k = 0; k < sets->facets.n; k++) sets->count[sets->n + sets->facets.at[k].group]++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- sets -------------------------------------------------------------------------------------- */

/* Items of a group in a sorted list: *n of them, from *at on. */
static void find_members(const Members *list, PetscInt group, PetscInt *at, PetscInt *n)
{
  while (*at < list->n && list->at[*at].group < group) (*at)++;
  for (*n = 0; *at + *n < list->n && list->at[*at + *n].group == group;) (*n)++;
}

static PetscErrorCode add_set(Sets *sets, PetscInt group, const char name[], PetscInt node0,
                              PetscInt nnodes, PetscInt facet0, PetscInt nfacets)
{
  CrMeshPart *part = sets->part;
  PetscInt   *nodes, *facets;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(nnodes, &nodes, nfacets, &facets));
  for (PetscInt i = 0; i < nnodes; i++)
    PetscCall(
        PetscFindInt(sets->nodes.at[node0 + i].item, part->mesh->nnodes, part->number, &nodes[i]));
  for (PetscInt i = 0; i < nfacets; i++) facets[i] = sets->facets.at[facet0 + i].item;
  part->is_surface[part->mesh->nsets] = !sets->broken[group] && sets->count[sets->n + group] > 0;
  PetscCall(CrMeshAddSet(part->mesh, name, nnodes, nodes, nfacets, facets));
  PetscCall(PetscFree2(nodes, facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Groups become sets in their order, unless no cell has a node of them. Of two numbers the first one counts. */
static PetscErrorCode add_sets(Sets *sets)
{
  PetscInt node = 0, facet = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(sets->n, &sets->part->is_surface));
  for (PetscInt i = 0; i < sets->n; i++) {
    const Group      *group = &sets->groups[i];
    const CrGmshName *named = i ? CrGmshFindName(sets->g, group->dim, group->tag) : NULL;
    PetscInt          nnodes, nfacets;
    char              number[32];
    const char       *name = i == 0 ? "boundary" : named ? named->name : number;

    snprintf(number, sizeof number, "%" PetscInt_FMT, group->tag);
    find_members(&sets->nodes, i, &node, &nnodes);
    find_members(&sets->facets, i, &facet, &nfacets);
    if (i && !sets->count[i]) continue;
    if (CrMeshFindSet(sets->part->mesh, name)) {
      if (named) CrInputFail("two physical groups have the same name");
      continue;
    }
    PetscCall(add_set(sets, i, name, node, nnodes, facet, sets->broken[i] ? 0 : nfacets));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshMakePartSets(CrGmsh *g, const CrGmshShared *s, const CrBoundaryBook *book,
                                  CrMeshPart *part)
{
  Sets           sets = {.g = g, .s = s, .part = part};
  PetscMPIInt    n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(agree_on_groups(&sets));
  PetscCall(PetscMPIIntCast(sets.n, &n));
  PetscCall(share_nodes(&sets));
  PetscCall(share_facets(&sets, book));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sets.broken, n, MPIU_INT, MPI_MAX, s->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sets.count, 2 * n, MPIU_INT, MPI_SUM, s->comm));
  code = add_sets(&sets); /* the same on all ranks */
  PetscCall(PetscFree(sets.groups));
  PetscCall(PetscFree2(sets.broken, sets.count));
  PetscCall(PetscFree(sets.nodes.at));
  PetscCall(PetscFree(sets.facets.at));
  PetscFunctionReturn(code);
}
