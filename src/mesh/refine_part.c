/* Uniform refinement of a distributed mesh. Nodes get their numbers in the whole mesh. New nodes are numbered in the
   order of the cells that use them first, and each rank has a range of the cells. */
#include <stdlib.h>
#include <string.h>
#include "base/mail.h"
#include "mesh/refine.h"

enum { KEY_INTS = 2 * CR_MOST_CHILDREN };

/* New nodes that have come to a rank, by their keys. */
typedef struct {
  const PetscInt *key;
  PetscInt        k; /* number of the record: records come ordered by rank */
} Arrival;

static int compare_keys(const PetscInt *a, const PetscInt *b)
{
  for (int i = 0; i < KEY_INTS; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int compare_arrivals(const void *x, const void *y)
{
  const Arrival *a = x, *b = y;
  int            c = compare_keys(a->key, b->key);

  return c ? c : (a->k > b->k) - (a->k < b->k);
}

/* first[k]: the record, of those with the same key as k, that came from the lowest rank. */
static PetscErrorCode find_first(const CrPost *post, PetscInt *first)
{
  Arrival *arrivals;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &arrivals));
  for (PetscInt k = 0; k < post->n; k++) arrivals[k] = (Arrival){post->ints + k * KEY_INTS, k};
  if (post->n) qsort(arrivals, (size_t)post->n, sizeof *arrivals, compare_arrivals);
  for (PetscInt k = 0; k < post->n; k++)
    first[arrivals[k].k] = k && !compare_keys(arrivals[k].key, arrivals[k - 1].key)
                               ? first[arrivals[k - 1].k]
                               : arrivals[k].k;
  PetscCall(PetscFree(arrivals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The key of a node in numbers of the whole; they are ascending as those of the part are. */
static void whole_key(const CrMeshPart *part, const CrWeightKey *key, PetscInt ints[KEY_INTS])
{
  for (int i = 0; i < KEY_INTS; i++)
    ints[i] = i % 2 || key->at[i] < 0 || !part->number ? key->at[i] : part->number[key->at[i]];
}

/* Every new node goes to the rank that keeps the first of its corners. */
static PetscErrorCode post_keys(MPI_Comm comm, const CrMeshPart *part, const CrRefineWork *work,
                                CrMail *mail, CrPost *post)
{
  PetscInt ints[KEY_INTS];

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, KEY_INTS, 0, mail));
  for (PetscInt A = work->old->nnodes; A < work->n; A++) {
    whole_key(part, &work->keys[A], ints);
    PetscCall(CrMailAdd(mail, CrShareRank(part->nnodes, mail->size, ints[0]), ints, NULL));
  }
  PetscCall(CrMailSend(comm, mail, post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lowest rank that has a new node numbers it; number[] of the others comes later. *all becomes the number of
   nodes of the whole. */
static PetscErrorCode number_own(MPI_Comm comm, const CrRefineWork *work, const PetscInt *lowest,
                                 PetscInt *all, PetscInt *number)
{
  const PetscInt n = work->n - work->old->nnodes;
  PetscMPIInt    rank;
  PetscInt       mine = 0, begin, total;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  for (PetscInt k = 0; k < n; k++) mine += lowest[k] == rank;
  PetscCallMPI(MPI_Scan(&mine, &begin, 1, MPIU_INT, MPI_SUM, comm));
  PetscCallMPI(MPI_Allreduce(&mine, &total, 1, MPIU_INT, MPI_SUM, comm));
  begin += *all - mine;
  for (PetscInt k = 0; k < n; k++) number[k] = lowest[k] == rank ? begin++ : -1;
  *all += total;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers and coordinates of new nodes go through the same ranks again: the first one that has a node says them. */
static PetscErrorCode share_numbers(MPI_Comm comm, const CrMail *asked, const PetscInt *first,
                                    PetscInt dim, PetscInt *number, PetscReal *X)
{
  CrMail     mail;
  CrPost     post;
  PetscInt  *ints;
  PetscReal *reals;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 1, dim, &mail));
  for (PetscInt k = 0; k < asked->n; k++)
    PetscCall(CrMailAdd(&mail, asked->to[k], &number[k], X + dim * k));
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &ints, post.n * dim, &reals));
  for (PetscInt k = 0; k < post.n; k++) {
    ints[k] = post.ints[first[k]];
    PetscCall(PetscArraycpy(reals + dim * k, post.reals + dim * first[k], dim));
  }
  PetscCall(CrMailAnswer(comm, &mail, 1, ints, number, dim, reals, X));
  PetscCall(PetscFree2(ints, reals));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* number[] of all nodes of the new part. */
static PetscErrorCode number_nodes(MPI_Comm comm, CrMeshPart *part, CrRefineWork *work,
                                   PetscInt *number)
{
  const PetscInt nold = work->old->nnodes, dim = work->old->dim;
  CrMail         mail;
  CrPost         post;
  PetscInt      *first, *told, *lowest;

  PetscFunctionBeginUser;
  PetscCall(post_keys(comm, part, work, &mail, &post));
  PetscCall(PetscMalloc3(post.n, &first, post.n, &told, mail.n, &lowest));
  PetscCall(find_first(&post, first));
  for (PetscInt k = 0; k < post.n; k++) told[k] = post.from[first[k]];
  PetscCall(CrMailAnswer(comm, &mail, 1, told, lowest, 0, NULL, NULL));
  for (PetscInt A = 0; A < nold; A++) number[A] = part->number ? part->number[A] : A;
  PetscCall(number_own(comm, work, lowest, &part->nnodes, number + nold));
  PetscCall(share_numbers(comm, &mail, first, dim, number + nold, work->X + dim * nold));
  PetscCall(PetscFree3(first, told, lowest));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes of a part are ascending in the whole. */
static PetscErrorCode sort_nodes(CrRefineWork *work, CrMesh *mesh, PetscInt *number)
{
  const PetscInt dim = mesh->dim, n = mesh->nnodes;
  PetscInt      *order, *place;
  PetscReal     *X;
  CrWeightKey   *keys;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &order, n, &place));
  PetscCall(PetscMalloc1(n * dim, &X));
  PetscCall(PetscMalloc1(n, &keys));
  for (PetscInt A = 0; A < n; A++) order[A] = A;
  PetscCall(PetscSortIntWithArray(n, number, order));
  for (PetscInt k = 0; k < n; k++) {
    place[order[k]] = k;
    keys[k] = work->keys[order[k]];
    PetscCall(PetscArraycpy(X + dim * k, mesh->X + dim * order[k], dim));
  }
  for (PetscInt b = 0; b < mesh->nblocks; b++)
    for (PetscInt i = 0; i < mesh->blocks[b].n * CrCells[mesh->blocks[b].type].nnodes; i++)
      mesh->blocks[b].nodes[i] = place[mesh->blocks[b].nodes[i]];
  PetscCall(PetscFree(mesh->X));
  PetscCall(PetscFree(work->keys));
  mesh->X = work->X = X;
  work->keys = keys;
  PetscCall(PetscFree2(order, place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Facets of the children of cells that have facets: inner faces between parts are not among them. Facets of a part are
   in the order of cells. */
static PetscErrorCode find_facets(const CrMesh *old, CrMesh *mesh)
{
  PetscInt *all, room = 0;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < old->nfacets; f++)
    room += CR_MOST_CHILDREN * CrCells[old->blocks[old->facets[f].block].type].nfaces;
  PetscCall(PetscMalloc1(room, &mesh->facets));
  for (PetscInt f = 0, end; f < old->nfacets; f = end) {
    const CrFacet *facet = &old->facets[f];
    CrCellType     type = old->blocks[facet->block].type;
    unsigned       faces = 0;

    for (end = f; end < old->nfacets && old->facets[end].block == facet->block &&
                  old->facets[end].cell == facet->cell;
         end++)
      faces |= 1u << old->facets[end].face;
    for (PetscInt k = 0; k < CrRefineChildren(type); k++)
      for (PetscInt i = 0; i < CrCells[type].nfaces; i++) {
        PetscInt parent = CrRefineParentFace(type, k, i);

        if (parent >= 0 && faces & 1u << parent)
          mesh->facets[mesh->nfacets++] =
              (CrFacet){facet->block, facet->cell * CrRefineChildren(type) + k, i};
      }
  }
  PetscCall(PetscMalloc1(mesh->nfacets, &all));
  for (PetscInt f = 0; f < mesh->nfacets; f++) all[f] = f;
  PetscCall(CrMeshAddSurface(mesh, "boundary", mesh->nfacets, all));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshRefinePart(MPI_Comm comm, CrMeshPart *part)
{
  const CrMesh *old = part->mesh;
  CrRefineWork  work = {.old = old};
  CrMesh       *finer = NULL;
  PetscInt     *number, most = 1;

  PetscFunctionBeginUser;
  PetscCall(CrRefineSplit(&work, &finer));
  PetscCall(PetscMalloc1(finer->nnodes, &number));
  PetscCall(number_nodes(comm, part, &work, number));
  PetscCall(sort_nodes(&work, finer, number));
  PetscCall(find_facets(old, finer));
  for (PetscInt s = 1; s < old->nsets; s++)
    PetscCall(part->is_surface[s] ? CrRefineSurface(old, &old->sets[s], finer)
                                  : CrRefineNodes(&work, &old->sets[s], finer));
  /* all cells of one dimension have equally many children */
  for (PetscInt b = 0; b < old->nblocks; b++) {
    most = CrRefineChildren(old->blocks[b].type);
    part->first[b] *= most;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPIU_INT, MPI_MAX, comm));
  part->ncells *= most;
  PetscCall(CrRefineWorkDestroy(&work));
  PetscCall(CrMeshDestroy(&part->mesh));
  PetscCall(PetscFree(part->number));
  part->mesh = finer;
  part->number = number;
  PetscFunctionReturn(PETSC_SUCCESS);
}
