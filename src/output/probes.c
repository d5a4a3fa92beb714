/* Probes: nodes that the deck selects for output. The probes of all ranks are written in the order of the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/grow.h"
#include "output/internal.h"

/* Nodes of this rank, as they are found. */
typedef struct {
  PetscInt  n, capacity;
  PetscInt *entry, *node; /* entry of the deck's list, local node; owned */
} Found;

/* A probed node as rank 0 sorts it. */
typedef struct {
  PetscInt  entry, natural, slot;
  PetscReal X[3];
  PetscInt  key[3]; /* order along each axis; equal within rounding */
} Record;

#define RECORD_REALS 5 /* entry, natural, X: what is sent of a record */

/* ---- names -------------------------------------------------------------------------------- */

/* Names of the probes that were read. */
typedef struct {
  CrIndex *names; /* 1: of a surface; 0: of one node */
  CrIndex *stems; /* "foot" of one node that is called "foot.12", as those of a surface would be */
} Names;

/* How long the stem of a name is that looks like one of a surface probe's nodes: "foot.12"; 0: it does not. */
static size_t stem_of(const char name[])
{
  const char *dot = strrchr(name, '.');

  return dot && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")] ? (size_t)(dot - name) : 0;
}

/* Enters a name; *clash: another probe has it, or has a node that is called so. */
static PetscErrorCode enter(Names *all, const char name[], PetscBool surface, PetscBool *clash)
{
  size_t   stem = surface ? 0 : stem_of(name);
  PetscInt old;

  PetscFunctionBeginUser;
  PetscCall(CrIndexAddName(all->names, name, surface ? 1 : 0, &old));
  *clash = old >= 0;
  if (surface && CrIndexFindName(all->stems, name) >= 0) *clash = PETSC_TRUE;
  if (!stem) PetscFunctionReturn(PETSC_SUCCESS);
  if (CrIndexFind(all->names, name, stem) == 1) *clash = PETSC_TRUE;
  PetscCall(CrIndexAdd(all->stems, name, stem, 0, &old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_entry(const CrDeckNode *entry, Names *names)
{
  const CrDeckNode *name = CrDeckFind(entry, "name");
  PetscBool         has_at = CrDeckFind(entry, "at") != NULL;
  PetscBool         has_surface = CrDeckFind(entry, "surface") != NULL, clash;

  PetscFunctionBeginUser;
  if (!CrDeckText(name)[0]) CrDeckFail(name, "a probe needs a name");
  if (has_at == has_surface)
    CrDeckFail(
        entry,
        "a probe needs %s `at` (the node nearest to a point) or `surface` (all nodes of a surface)",
        has_at ? "only one of" : "either");
  if (has_surface && CrDeckFind(entry, "body"))
    CrDeckFail(
        CrDeckFind(entry, "body"),
        "this key is not allowed with `surface`, because \"body.surface\" contains the name of the body");
  PetscCall(enter(names, CrDeckText(name), has_surface, &clash));
  if (clash) CrDeckFail(name, "another probe has the name \"%s\"", CrDeckText(name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- from the deck to nodes --------------------------------------------------------------- */

static PetscErrorCode add_node(Found *found, PetscInt entry, PetscInt node)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(found->n + 1, &found->capacity, &found->entry, &found->node));
  found->entry[found->n] = entry;
  found->node[found->n++] = node;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_point(const CrModel *model, const CrDeckNode *entry, PetscInt *node)
{
  const CrDeckNode *words = CrDeckFind(entry, "body");
  const CrModelSet *set = NULL;
  PetscInt          body = 0;
  PetscReal         at[3] = {0};

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(entry, "at", model->dim, 0, at, NULL));
  if (words)
    PetscCall(CrModelFindSet(model, words, &body, &set));
  else if (model->nbodies != 1)
    CrDeckFail(
        entry,
        "`body` is missing; the deck has several bodies, so `at` needs the body that contains the node");
  PetscCall(CrModelNearestNode(model, body, set, CrDeckFind(entry, "at"), at, node));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_surface(const CrModel *model, const CrDeckNode *entry,
                                   const CrModelSet **set)
{
  const CrDeckNode *words = CrDeckFind(entry, "surface");
  PetscInt          body;

  PetscFunctionBeginUser;
  PetscCall(CrModelFindSet(model, words, &body, set));
  if (!*set)
    CrDeckFail(words,
               "expected body.surface, found the body \"%s\"; its whole surface is %s.boundary",
               CrDeckText(words), CrDeckText(words));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_nodes(const CrModel *model, const CrDeckNode *list, PetscInt i,
                                 Names *names, Found *found)
{
  const CrDeckNode *entry = CrDeckItem(list, i);
  const CrModelSet *set;
  PetscInt          node;

  PetscFunctionBeginUser;
  PetscCall(check_entry(entry, names));
  if (CrDeckFind(entry, "at")) {
    PetscCall(find_point(model, entry, &node));
    if (node >= 0) PetscCall(add_node(found, i, node));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(find_surface(model, entry, &set));
  for (PetscInt k = 0; k < set->nnodes; k++)
    if (set->nodes[k] < model->nowned) PetscCall(add_node(found, i, set->nodes[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- order -------------------------------------------------------------------------------- */

/* Coordinates that differ by rounding only are the same, so that rows of a grid stay rows. Places
   in the sorted list are compared instead of the numbers themselves: an order needs to be
   transitive. */
static PetscErrorCode set_keys(PetscInt n, Record *records, PetscInt axis, PetscReal tolerance)
{
  PetscReal *x;
  PetscInt  *order, key = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &x, n, &order));
  for (PetscInt i = 0; i < n; i++) {
    x[i] = records[i].X[axis];
    order[i] = i;
  }
  PetscCall(PetscSortRealWithArrayInt(n, x, order));
  for (PetscInt i = 0; i < n; i++) {
    if (i && x[i] - x[i - 1] > tolerance) key++;
    records[order[i]].key[axis] = key;
  }
  PetscCall(PetscFree2(x, order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare(const void *a, const void *b)
{
  const Record  *p = a, *q = b;
  const PetscInt left[] = {p->entry, p->key[0], p->key[1], p->key[2], p->natural};
  const PetscInt right[] = {q->entry, q->key[0], q->key[1], q->key[2], q->natural};

  for (int i = 0; i < 5; i++)
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  return 0;
}

static PetscErrorCode make_rows(const CrDeckNode *list, PetscInt n, const Record *records,
                                OutputProbe *rows)
{
  PetscInt number = 0;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < n; i++) {
    const CrDeckNode *entry = CrDeckItem(list, records[i].entry);
    const char       *name = CrDeckText(CrDeckFind(entry, "name"));
    size_t            length = strlen(name) + 24;

    number = i && records[i].entry == records[i - 1].entry ? number + 1 : 0;
    PetscCall(PetscMalloc1(length, &rows[i].name));
    if (CrDeckFind(entry, "surface"))
      snprintf(rows[i].name, length, "%s.%" PetscInt_FMT, name, number);
    else
      snprintf(rows[i].name, length, "%s", name);
    for (PetscInt d = 0; d < 3; d++) rows[i].X[d] = records[i].X[d];
    rows[i].slot = records[i].slot;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rank 0: sorts what came in and names it. */
static PetscErrorCode arrange(const CrModel *model, const CrDeckNode *list, const PetscReal *sent,
                              OutputProbes *probes)
{
  const PetscInt n = probes->n;
  Record        *records;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(n, &records));
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal *s = sent + RECORD_REALS * i;

    records[i] = (Record){(PetscInt)s[0], (PetscInt)s[1], i, {s[2], s[3], s[4]}, {0}};
  }
  for (PetscInt axis = 0; axis < 3; axis++)
    PetscCall(set_keys(n, records, axis, 1e-9 * model->size));
  if (n) qsort(records, (size_t)n, sizeof *records, compare);
  PetscCall(PetscCalloc1(n, &probes->rows));
  PetscCall(make_rows(list, n, records, probes->rows));
  PetscCall(PetscFree(records));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- between ranks ------------------------------------------------------------------------ */

/* How many reals each rank sends, `width` for each node. */
static PetscErrorCode count(MPI_Comm comm, PetscInt width, OutputProbes *probes)
{
  PetscMPIInt mine = (PetscMPIInt)(width * probes->nmine), rank, size, total = 0;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank == 0 && !probes->counts)
    PetscCall(PetscCalloc2(size, &probes->counts, size, &probes->starts));
  PetscCallMPI(MPI_Gather(&mine, 1, MPI_INT, probes->counts, 1, MPI_INT, 0, comm));
  if (rank) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscMPIInt r = 0; r < size; r++) {
    probes->starts[r] = total;
    total += probes->counts[r];
  }
  probes->n = total / width;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather_records(const CrModel *model, const Found *found, OutputProbes *probes,
                                     PetscReal **all)
{
  PetscReal *mine;

  PetscFunctionBeginUser;
  PetscCall(count(model->comm, RECORD_REALS, probes));
  PetscCall(PetscCalloc1(RECORD_REALS * found->n, &mine));
  PetscCall(PetscMalloc1(RECORD_REALS * probes->n, all));
  for (PetscInt i = 0; i < found->n; i++) {
    PetscReal *s = mine + RECORD_REALS * i;

    s[0] = found->entry[i];
    s[1] = model->natural[found->node[i]];
    for (PetscInt d = 0; d < model->dim; d++) s[2 + d] = model->X[model->dim * found->node[i] + d];
  }
  PetscCallMPI(MPI_Gatherv(mine, (PetscMPIInt)(RECORD_REALS * found->n), MPIU_REAL, *all,
                           probes->counts, probes->starts, MPIU_REAL, 0, model->comm));
  PetscCall(PetscFree(mine));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode settle(const CrModel *model, const CrDeckNode *list, const Found *found,
                             OutputProbes *probes)
{
  PetscReal  *records;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  probes->nmine = found->n;
  PetscCall(gather_records(model, found, probes, &records));
  PetscCall(
      CrErrorAgree(model->comm, rank ? PETSC_SUCCESS : arrange(model, list, records, probes)));
  PetscCall(PetscFree(records));
  PetscCall(count(model->comm, PROBE_REALS, probes));
  PetscCall(PetscMalloc1(PROBE_REALS * probes->nmine, &probes->send));
  PetscCall(PetscMalloc1(PROBE_REALS * probes->n, &probes->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrProbesCreate(const CrModel *model, const CrDeckNode *list, OutputProbes *probes)
{
  Found          found = {0};
  Names          names;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  probes->asked = CrDeckCount(list);
  PetscCall(CrIndexCreate(&names.names));
  PetscCall(CrIndexCreate(&names.stems));
  for (PetscInt i = 0; i < probes->asked && !code; i++)
    code = find_nodes(model, list, i, &names, &found);
  PetscCall(CrIndexDestroy(&names.names));
  PetscCall(CrIndexDestroy(&names.stems));
  probes->mine = found.node;
  if (!code) code = settle(model, list, &found, probes);
  PetscCall(PetscFree(found.entry));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Force, gap, slip and pressure at an owned node; a far gap is infinite. */
static void contact_at(const CrModel *model, const OutputNodal *nodal, PetscInt node,
                       PetscReal values[6])
{
  for (PetscInt i = 0; i < 6; i++) values[i] = 0;
  if (!nodal->contact) return;
  for (PetscInt i = 0; i < model->dim; i++) values[i] = nodal->force[model->dim * node + i];
  values[3] = nodal->contact[node].gap < PETSC_MAX_REAL ? nodal->contact[node].gap : INFINITY;
  values[4] = nodal->contact[node].slip;
  values[5] = nodal->contact[node].pressure;
}

PetscErrorCode CrProbesGather(const CrModel *model, const OutputNodal *nodal, OutputProbes *probes)
{
  PetscFunctionBeginUser;
  if (!probes->asked) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < probes->nmine; i++) {
    PetscReal *s = probes->send + PROBE_REALS * i;

    CrFieldAt(model, nodal, FIELD_DISPLACEMENT, probes->mine[i], s);
    CrFieldAt(model, nodal, FIELD_VELOCITY, probes->mine[i], s + 3);
    contact_at(model, nodal, probes->mine[i], s + 6);
    for (PetscInt k = 0; k < CR_NSHOWN; k++)
      CrFieldAt(model, nodal, FIELD_PLASTIC_STRAIN + k, probes->mine[i], s + 12 + k);
  }
  PetscCallMPI(MPI_Gatherv(probes->send, (PetscMPIInt)(PROBE_REALS * probes->nmine), MPIU_REAL,
                           probes->values, probes->counts, probes->starts, MPIU_REAL, 0,
                           model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrProbesDestroy(OutputProbes *probes)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; probes->rows && i < probes->n; i++)
    PetscCall(PetscFree(probes->rows[i].name));
  PetscCall(PetscFree(probes->rows));
  PetscCall(PetscFree(probes->mine));
  PetscCall(PetscFree(probes->send));
  PetscCall(PetscFree(probes->values));
  PetscCall(PetscFree2(probes->counts, probes->starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOutputProbeNode(const CrOutput *output, const char name[], PetscInt *node)
{
  const OutputProbes *probes = &output->probes;
  PetscInt            slot = -1, first = 0;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; probes->rows && i < probes->n; i++)
    if (!strcmp(probes->rows[i].name, name)) slot = probes->rows[i].slot;
  PetscCallMPI(MPI_Bcast(&slot, 1, MPIU_INT, 0, output->comm));
  if (slot < 0) CrInputFail("the list output.probes has no probe \"%s\"", name);
  PetscCallMPI(MPI_Scan(&probes->nmine, &first, 1, MPIU_INT, MPI_SUM, output->comm));
  first -= probes->nmine; /* slots go rank by rank */
  *node = slot >= first && slot < first + probes->nmine ? probes->mine[slot - first] : -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}
