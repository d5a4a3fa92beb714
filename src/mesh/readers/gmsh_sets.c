/* Makes named sets from the physical groups of a Gmsh file. Elements are sorted by group, so that every element is
   examined once for each of its groups. */
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "mesh/readers/gmsh.h"

/* A run of elements in a group. */
typedef struct {
  PetscInt          order; /* groups with names come first, then surfaces, regions, the rest */
  PetscInt          dim, tag, run;
  const CrGmshName *name; /* NULL: the number is the name */
} Member;

/* A boundary facet to be found by its corners. */
typedef struct {
  PetscInt key[4], facet;
} Corners;

typedef struct {
  const CrGmsh *g;
  CrMesh       *mesh;
  PetscInt      nmembers, room;
  Member       *members;                                   /* owned */
  Corners      *corners;                                   /* of all facets, sorted; owned */
  PetscInt     *node_stamp, *facet_stamp, *nodes, *facets; /* owned */
} Sets;

/* ---- who is in which group --------------------------------------------------------------------- */

const CrGmshName *CrGmshFindName(const CrGmsh *g, PetscInt dim, PetscInt tag)
{
  for (PetscInt i = 0; i < g->nnames; i++)
    if (g->names[i].dim == dim && g->names[i].tag == tag && g->names[i].name[0])
      return &g->names[i];
  return NULL;
}

PetscInt CrGmshGroupOrder(const CrGmsh *g, PetscInt dim, PetscInt tag)
{
  if (CrGmshFindName(g, dim, tag)) return 0;
  return dim == g->dim - 1 ? 1 : dim == g->dim ? 2 : 3;
}

static PetscErrorCode add_member(Sets *sets, PetscInt dim, PetscInt tag, PetscInt run)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(sets->nmembers + 1, &sets->room, &sets->members));
  sets->members[sets->nmembers++] = (Member){.order = CrGmshGroupOrder(sets->g, dim, tag),
                                             .dim = dim,
                                             .tag = tag,
                                             .run = run,
                                             .name = CrGmshFindName(sets->g, dim, tag)};
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrGmshEntity *CrGmshFindEntity(const CrGmsh *g, PetscInt dim, PetscInt tag)
{
  PetscInt lo = 0, hi = g->nentities;

  while (lo < hi) {
    PetscInt            mid = lo + (hi - lo) / 2;
    const CrGmshEntity *e = &g->entities[mid];

    if (e->dim < dim || (e->dim == dim && e->tag < tag))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < g->nentities && g->entities[lo].dim == dim && g->entities[lo].tag == tag
             ? &g->entities[lo]
             : NULL;
}

static int compare_members(const void *x, const void *y)
{
  const Member *a = x, *b = y;

  if (a->order != b->order) return a->order < b->order ? -1 : 1;
  if (a->dim != b->dim) return a->dim < b->dim ? -1 : 1;
  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  return (a->run > b->run) - (a->run < b->run);
}

static PetscErrorCode find_members(Sets *sets)
{
  const CrGmsh *g = sets->g;

  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < g->nruns; r++) {
    PetscInt            dim = CrGmshShapeDim(g->runs[r].shape);
    const CrGmshEntity *entity =
        g->version == 41 ? CrGmshFindEntity(g, dim, g->runs[r].label) : NULL;

    if (g->version == 22 && g->runs[r].label) PetscCall(add_member(sets, dim, g->runs[r].label, r));
    for (PetscInt i = 0; entity && i < entity->n; i++)
      PetscCall(add_member(sets, dim, g->physicals[entity->first + i], r));
  }
  if (sets->nmembers)
    qsort(sets->members, (size_t)sets->nmembers, sizeof *sets->members, compare_members);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- facets by their corners ------------------------------------------------------------------- */

static int compare_corners(const void *x, const void *y)
{
  const Corners *a = x, *b = y;

  for (int i = 0; i < 4; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  return 0;
}

static PetscErrorCode sort_facets(Sets *sets)
{
  const CrMesh *mesh = sets->mesh;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(mesh->nfacets, &sets->corners));
  for (PetscInt f = 0; f < mesh->nfacets; f++) {
    CrMeshFaceKey(mesh, mesh->facets[f].block, mesh->facets[f].cell, mesh->facets[f].face,
                  sets->corners[f].key);
    sets->corners[f].facet = f;
  }
  if (mesh->nfacets)
    qsort(sets->corners, (size_t)mesh->nfacets, sizeof *sets->corners, compare_corners);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The facet that an element covers, -1 if it is not on the boundary. */
static PetscInt find_facet(const Sets *sets, int shape, const PetscInt nodes[])
{
  Corners        wanted;
  const Corners *found;
  PetscInt       n = CrCells[shape].ncorners;

  for (PetscInt a = 0; a < n; a++) wanted.key[a] = sets->g->number[nodes[a]];
  CrMeshSortKey(n, wanted.key);
  found = sets->mesh->nfacets ? bsearch(&wanted, sets->corners, (size_t)sets->mesh->nfacets,
                                        sizeof wanted, compare_corners)
                              : NULL;
  return found ? found->facet : -1;
}

/* ---- sets -------------------------------------------------------------------------------------- */

/* Nodes and, of surfaces, facets of members `from` to `to` - 1, each once. An element inside the
   mesh makes it a set of nodes only. */
static void gather(Sets *sets, PetscInt from, PetscInt to, PetscInt *nnodes, PetscInt *nfacets)
{
  const CrGmsh *g = sets->g;
  PetscBool     surface = sets->members[from].dim == g->dim - 1;

  *nnodes = *nfacets = 0;
  for (PetscInt m = from; m < to; m++) {
    const CrGmshRun *run = &g->runs[sets->members[m].run];
    PetscInt         nn = CrGmshShapeNodes(run->shape);

    for (PetscInt e = run->first; e < run->first + run->n; e++) {
      const PetscInt *nodes = &g->lists[run->shape].nodes[(size_t)e * nn];
      PetscInt        facet = surface ? find_facet(sets, run->shape, nodes) : -1;

      for (PetscInt a = 0; a < nn; a++) {
        PetscInt A = g->number[nodes[a]];

        if (A < 0 || sets->node_stamp[A] == from) continue;
        sets->node_stamp[A] = from;
        sets->nodes[(*nnodes)++] = A;
      }
      if (facet < 0)
        surface = PETSC_FALSE;
      else if (sets->facet_stamp[facet] != from) {
        sets->facet_stamp[facet] = from;
        sets->facets[(*nfacets)++] = facet;
      }
    }
  }
  if (!surface) *nfacets = 0;
}

static PetscErrorCode add_group(Sets *sets, PetscInt from, PetscInt to)
{
  const Member *group = &sets->members[from];
  PetscInt      nnodes, nfacets;
  char          number[32];
  const char   *name = group->name ? group->name->name : number;

  PetscFunctionBeginUser;
  snprintf(number, sizeof number, "%" PetscInt_FMT, group->tag);
  gather(sets, from, to, &nnodes, &nfacets);
  if (nnodes == 0) PetscFunctionReturn(PETSC_SUCCESS); /* nothing of it belongs to a cell */
  if (CrMeshFindSet(sets->mesh, name)) {
    if (group->name)
      CrGmshFail(sets->g, group->name->where, "two physical groups are named \"%s\"", name);
    PetscFunctionReturn(
        PETSC_SUCCESS); /* numbers may repeat between dimensions: the first one counts */
  }
  PetscCall(PetscSortInt(nfacets, sets->facets));
  PetscCall(CrMeshAddSet(sets->mesh, name, nnodes, sets->nodes, nfacets, sets->facets));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_sets(Sets *sets)
{
  CrMesh *mesh = sets->mesh;

  PetscFunctionBeginUser;
  PetscCall(find_members(sets));
  PetscCall(sort_facets(sets));
  PetscCall(PetscMalloc1(mesh->nnodes, &sets->nodes));
  PetscCall(PetscMalloc1(mesh->nfacets, &sets->facets));
  PetscCall(PetscMalloc1(mesh->nnodes, &sets->node_stamp));
  PetscCall(PetscMalloc1(mesh->nfacets, &sets->facet_stamp));
  for (PetscInt A = 0; A < mesh->nnodes; A++) sets->node_stamp[A] = -1;
  for (PetscInt f = 0; f < mesh->nfacets; f++) sets->facet_stamp[f] = -1;
  for (PetscInt i = 0, j; i < sets->nmembers; i = j) {
    for (j = i + 1; j < sets->nmembers && sets->members[j].dim == sets->members[i].dim &&
                    sets->members[j].tag == sets->members[i].tag;)
      j++;
    PetscCall(add_group(sets, i, j));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGmshMakeSets(CrGmsh *g, CrMesh *mesh)
{
  Sets           sets = {.g = g, .mesh = mesh};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = make_sets(&sets);
  PetscCall(PetscFree(sets.members));
  PetscCall(PetscFree(sets.corners));
  PetscCall(PetscFree(sets.nodes));
  PetscCall(PetscFree(sets.facets));
  PetscCall(PetscFree(sets.node_stamp));
  PetscCall(PetscFree(sets.facet_stamp));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}
