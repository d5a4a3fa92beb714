/* Sends the facets and nodes of named sets to the ranks that need them. */
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "model/share.h"

/* Facets: set, cell, face, type, owner of the cell's first node, nodes in natural numbers; the height. */
enum {
  FACET_SET,
  FACET_CELL,
  FACET_FACE,
  FACET_TYPE,
  FACET_COUNTED,
  FACET_NODES,
  FACET_INTS = FACET_NODES + CR_MAX_FACE_NODES
};

void CrAddRank(PetscInt rank, PetscInt *n, PetscInt ranks[])
{
  PetscInt i = 0;

  while (i < *n && ranks[i] != rank) i++;
  if (i == *n) ranks[(*n)++] = rank;
}

/* Facets for all ranks: each is stored once. */
typedef struct {
  PetscInt   n, int_room, real_room;
  PetscInt  *ints;  /* [n][FACET_INTS]; owned, like the next */
  PetscReal *reals; /* [n] */
} Common;

static PetscErrorCode add_common(const PetscInt *ints, PetscReal height, Common *common)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow((common->n + 1) * FACET_INTS, &common->int_room, &common->ints));
  PetscCall(CrGrow(common->n + 1, &common->real_room, &common->reals));
  PetscCall(PetscArraycpy(common->ints + common->n * FACET_INTS, ints, FACET_INTS));
  common->reals[common->n++] = height;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Appends the common facets of all ranks to the post. The list is freed. */
static PetscErrorCode share_common(MPI_Comm comm, Common *common, CrPost *post)
{
  PetscMPIInt  size, *counts, *starts, n = (PetscMPIInt)common->n, all = 0;
  MPI_Datatype record;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  PetscCallMPI(MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, comm));
  for (PetscMPIInt p = 0; p < size; p++) {
    starts[p] = all;
    all += counts[p];
  }
  PetscCall(PetscRealloc(sizeof *post->from * (size_t)(post->n + all), &post->from));
  PetscCall(PetscRealloc(sizeof *post->ints * (size_t)(post->n + all) * FACET_INTS, &post->ints));
  PetscCall(PetscRealloc(sizeof *post->reals * (size_t)(post->n + all), &post->reals));
  for (PetscMPIInt p = 0; p < size; p++)
    for (PetscMPIInt k = 0; k < counts[p]; k++) post->from[post->n + starts[p] + k] = p;
  PetscCallMPI(MPI_Type_contiguous(FACET_INTS, MPIU_INT, &record));
  PetscCallMPI(MPI_Type_commit(&record));
  PetscCallMPI(MPI_Allgatherv(common->ints, n, record, post->ints + post->n * FACET_INTS, counts,
                              starts, record, comm));
  PetscCallMPI(MPI_Type_free(&record));
  PetscCallMPI(MPI_Allgatherv(common->reals, n, MPIU_REAL, post->reals + post->n, counts, starts,
                              MPIU_REAL, comm));
  post->n += all;
  PetscCall(PetscFree2(counts, starts));
  PetscCall(PetscFree(common->ints));
  PetscCall(PetscFree(common->reals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A facet goes to the owners of its nodes and to the rank that counts its cell; one that may touch, or that lies beside
   one that may, to all. */
static PetscErrorCode send_facet(const CrShare *w, const PetscInt *owner, const PetscInt *touching,
                                 PetscInt s, PetscInt f, CrMail *mail, Common *common)
{
  PetscInt        e = w->facet_cell[f], n = 0, ranks[CR_MAX_FACE_NODES + 1];
  const CrCell   *cell = &CrCells[w->cell_type[e]];
  const PetscInt *nodes = w->cell_nodes + w->cell_offset[e];
  PetscInt        ints[FACET_INTS] = {0};
  PetscReal       height = CrShareHeight(w, f);
  PetscBool       all = w->sets[s].touches;

  PetscFunctionBeginUser;
  ints[FACET_SET] = s;
  ints[FACET_CELL] = w->cell_number[e];
  ints[FACET_FACE] = w->facet_face[f];
  ints[FACET_TYPE] = cell->face_type;
  ints[FACET_COUNTED] = owner[nodes[0]];
  CrAddRank(owner[nodes[0]], &n, ranks);
  for (PetscInt a = 0; a < CrCells[cell->face_type].nnodes; a++) {
    PetscInt A = nodes[cell->faces[w->facet_face[f]][a]];

    ints[FACET_NODES + a] = w->number[A];
    CrAddRank(owner[A], &n, ranks);
    all = all || (w->sets[s].beside && touching[A]);
  }
  if (all && mail->size > 1)
    PetscCall(add_common(ints, height, common));
  else
    for (PetscInt i = 0; i < n; i++) PetscCall(CrMailAdd(mail, ranks[i], ints, &height));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFacetsSend(MPI_Comm comm, const CrShare *w, const CrRegister *reg,
                            const PetscInt *owner, CrPost *post)
{
  CrMail    mail;
  PetscInt *touching;
  Common    common = {0};

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(w->nnodes, &touching));
  PetscCall(CrRegisterTouching(comm, reg, w, touching));
  PetscCall(CrMailBegin(comm, FACET_INTS, 1, &mail));
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; i < w->sets[s].nfacets; i++)
      PetscCall(send_facet(w, owner, touching, s, w->sets[s].facets[i], &mail, &common));
  PetscCall(PetscFree(touching));
  PetscCall(CrMailSend(comm, &mail, post));
  PetscCall(CrMailEnd(&mail));
  if (mail.size > 1) PetscCall(share_common(comm, &common, post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrFacetsNodes(const CrPost *facets, PetscInt k, const PetscInt **nodes)
{
  const PetscInt *f = facets->ints + k * FACET_INTS;

  *nodes = f + FACET_NODES;
  return CrCells[f[FACET_TYPE]].nnodes;
}

/* ---- sets of the model -------------------------------------------------------------------- */

PetscErrorCode CrSetsCreate(CrModel *model, const CrShare *w)
{
  PetscFunctionBeginUser;
  model->nsets = w->nsets;
  PetscCall(PetscCalloc1(w->nsets, &model->sets));
  for (PetscInt s = 0; s < w->nsets; s++) {
    PetscCall(PetscStrncpy(model->sets[s].name, w->sets[s].name, sizeof model->sets[s].name));
    model->sets[s].body = w->sets[s].body;
    model->sets[s].is_surface = w->sets[s].is_surface;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A record, and its number. */
typedef struct {
  const PetscInt *ints;
  PetscInt        k;
} Record;

static int compare_facets(const void *x, const void *y)
{
  const Record *a = x, *b = y;

  for (int i = FACET_SET; i <= FACET_FACE; i++)
    if (a->ints[i] != b->ints[i]) return a->ints[i] < b->ints[i] ? -1 : 1;
  return 0;
}

/* In the order of cells and their faces, the same on every rank. */
PetscErrorCode CrFacetsFill(CrModel *model, const CrNodeMap *map, const CrPost *facets)
{
  Record     *records;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(PetscMalloc1(facets->n, &records));
  for (PetscInt k = 0; k < facets->n; k++) {
    records[k] = (Record){facets->ints + k * FACET_INTS, k};
    model->sets[records[k].ints[FACET_SET]].nfacets++;
  }
  if (facets->n) qsort(records, (size_t)facets->n, sizeof *records, compare_facets);
  for (PetscInt s = 0; s < model->nsets; s++)
    PetscCall(PetscCalloc1(model->sets[s].nfacets, &model->sets[s].facets));
  for (PetscInt k = 0, f = 0, s = 0; k < facets->n; k++, f++) {
    const PetscInt *ints = records[k].ints;
    CrLocalFacet   *facet;

    if (ints[FACET_SET] != s) f = 0;
    s = ints[FACET_SET];
    facet = &model->sets[s].facets[f];
    facet->type = (CrCellType)ints[FACET_TYPE];
    facet->owned = ints[FACET_COUNTED] == rank;
    facet->height = facets->reals[records[k].k];
    for (PetscInt a = 0; a < CrCells[facet->type].nnodes; a++)
      facet->nodes[a] = CrNodeMapFind(map, ints[FACET_NODES + a]);
  }
  PetscCall(PetscFree(records));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelTrimFacets(CrModel *model)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < model->nsets; s++) {
    CrModelSet *set = &model->sets[s];
    PetscInt    n = 0;

    for (PetscInt f = 0; f < set->nfacets; f++) {
      PetscBool keep = set->facets[f].owned;

      for (PetscInt a = 0; a < CrCells[set->facets[f].type].nnodes && !keep; a++)
        keep = set->facets[f].nodes[a] < model->nowned ? PETSC_TRUE : PETSC_FALSE;
      if (keep) set->facets[n++] = set->facets[f];
    }
    if (n == set->nfacets) continue;
    set->nfacets = n;
    PetscCall(PetscRealloc(sizeof *set->facets * (size_t)n, &set->facets));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_members(const void *x, const void *y)
{
  const PetscInt *a = x, *b = y; /* node, set */

  if (a[1] != b[1]) return a[1] < b[1] ? -1 : 1;
  return (a[0] > b[0]) - (a[0] < b[0]);
}

/* In the order of natural numbers. */
PetscErrorCode CrMembersFill(CrModel *model, const CrNodeMap *map, PetscInt n, PetscInt *members)
{
  PetscFunctionBeginUser;
  if (n) qsort(members, (size_t)n, 2 * sizeof *members, compare_members);
  for (PetscInt k = 0; k < n; k++) model->sets[members[2 * k + 1]].nnodes++;
  for (PetscInt s = 0, k = 0; s < model->nsets; s++) {
    PetscCall(PetscMalloc1(model->sets[s].nnodes, &model->sets[s].nodes));
    for (PetscInt i = 0; i < model->sets[s].nnodes; i++, k++)
      model->sets[s].nodes[i] = CrNodeMapFind(map, members[2 * k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
