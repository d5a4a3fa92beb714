/* Which rank computes which cell: PTScotch on the graph of cells that share a face. Every rank has the rows of the
   cells it holds. Faces are matched on the rank first; those left over meet on the rank that keeps their lowest
   node. */
#include <petscmat.h>
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "model/share.h"

/* A face: its corners, ascending, and the row of its cell. */
typedef struct {
  PetscInt key[4], row;
} Face;

typedef struct {
  PetscInt row, other;
} Link;

typedef CR_LIST(Link) Links;
typedef CR_LIST(Face) Faces;

static int compare_faces(const void *x, const void *y)
{
  const Face *a = x, *b = y;

  for (int i = 0; i < 4; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

static PetscBool same_face(const Face *a, const Face *b)
{
  for (int i = 0; i < 4; i++)
    if (a->key[i] != b->key[i]) return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode add_link(Links *links, PetscInt row, PetscInt other)
{
  PetscFunctionBeginUser;
  PetscCall(CrListGrow(links, 1));
  links->at[links->n++] = (Link){row, other};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- faces of this rank ------------------------------------------------------------------- */

static Face face_of(const CrShare *w, PetscInt e, PetscInt f, PetscInt row)
{
  const CrCell *cell = &CrCells[w->cell_type[e]];
  PetscInt      n = CrCells[cell->face_type].ncorners;
  Face          face = {{-1, -1, -1, -1}, row};

  for (PetscInt i = 0; i < n; i++) {
    PetscInt A = w->cell_nodes[w->cell_offset[e] + cell->faces[f][i]], j = i;

    for (; j > 0 && face.key[j - 1] > A; j--) face.key[j] = face.key[j - 1];
    face.key[j] = A;
  }
  return face;
}

/* Faces in buckets by their lowest node: those of node A are faces[start[A]] to faces[start[A + 1] - 1]. */
static void deal_faces(const CrShare *w, PetscInt first, PetscInt *start, Face *faces)
{
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt e = 0; e < w->ncells; e++)
      for (PetscInt f = 0; f < CrCells[w->cell_type[e]].nfaces; f++) {
        Face face = face_of(w, e, f, first + e);

        if (pass == 0)
          start[face.key[0] + 1]++;
        else
          faces[start[face.key[0]]++] = face;
      }
    for (PetscInt A = 0; pass == 0 && A < w->nnodes; A++) start[A + 1] += start[A];
  }
  for (PetscInt A = w->nnodes; A > 0; A--) start[A] = start[A - 1]; /* filling has moved them */
  start[0] = 0;
}

/* Links two equal faces that stand side by side; the others are left over. */
static PetscErrorCode match(PetscInt n, Face *faces, Links *links, Faces *left)
{
  PetscFunctionBeginUser;
  if (n > 1) qsort(faces, (size_t)n, sizeof *faces, compare_faces);
  for (PetscInt i = 0; i < n; i++) {
    if (i + 1 < n && same_face(&faces[i], &faces[i + 1])) {
      PetscCall(add_link(links, faces[i].row, faces[i + 1].row));
      PetscCall(add_link(links, faces[i + 1].row, faces[i].row));
      i++;
    } else {
      PetscCall(CrListGrow(left, 1));
      left->at[left->n++] = faces[i];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode match_here(const CrShare *w, PetscInt first, Links *links, Faces *left)
{
  PetscInt nfaces = 0, *start;
  Face    *faces;

  PetscFunctionBeginUser;
  for (PetscInt e = 0; e < w->ncells; e++) nfaces += CrCells[w->cell_type[e]].nfaces;
  PetscCall(PetscCalloc1(w->nnodes + 1, &start));
  PetscCall(PetscMalloc1(nfaces, &faces));
  deal_faces(w, first, start, faces);
  for (PetscInt A = 0; A < w->nnodes; A++)
    PetscCall(match(start[A + 1] - start[A], faces + start[A], links, left));
  PetscCall(PetscFree(faces));
  PetscCall(PetscFree(start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- faces between ranks ------------------------------------------------------------------ */

/* Of each face that has come, the row on its other side; -1: none. */
static PetscErrorCode find_others(const CrPost *post, PetscInt *other)
{
  Face *faces;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &faces));
  for (PetscInt k = 0; k < post->n; k++) {
    for (int i = 0; i < 4; i++) faces[k].key[i] = post->ints[5 * k + i];
    faces[k].row = k;
    other[k] = -1;
  }
  qsort(faces, (size_t)post->n, sizeof *faces, compare_faces);
  for (PetscInt k = 0; k + 1 < post->n; k++) {
    PetscInt a = faces[k].row, b = faces[k + 1].row;

    if (!same_face(&faces[k], &faces[k + 1])) continue;
    other[a] = post->ints[5 * b + 4];
    other[b] = post->ints[5 * a + 4];
    k++;
  }
  PetscCall(PetscFree(faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode match_between(MPI_Comm comm, const CrShare *w, const Faces *left,
                                    Links *links)
{
  CrMail    mail;
  CrPost    post;
  PetscInt *other, *answers;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, 5, 0, &mail));
  for (PetscInt k = 0; k < left->n; k++) {
    const Face *face = &left->at[k];
    PetscInt    ints[5];

    for (int i = 0; i < 4; i++) ints[i] = face->key[i] < 0 ? -1 : w->number[face->key[i]];
    ints[4] = face->row;
    PetscCall(CrMailAdd(&mail, CrShareRank(w->all_nodes, mail.size, ints[0]), ints, NULL));
  }
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &other, mail.n, &answers));
  PetscCall(find_others(&post, other));
  PetscCall(CrMailAnswer(comm, &mail, 1, other, answers, 0, NULL, NULL));
  for (PetscInt k = 0; k < left->n; k++)
    if (answers[k] >= 0) PetscCall(add_link(links, left->at[k].row, answers[k]));
  PetscCall(PetscFree2(other, answers));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the graph, and its parts ------------------------------------------------------------- */

/* The rows of this rank; PETSc frees the arrays. */
static PetscErrorCode create_graph(MPI_Comm comm, const CrShare *w, PetscInt first,
                                   const Links *links, Mat *graph)
{
  PetscInt *ia, *ja, *next;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(w->ncells + 1, &ia));
  PetscCall(PetscMalloc1(links->n + 1, &ja));
  for (PetscInt k = 0; k < links->n; k++) ia[links->at[k].row - first + 1]++;
  for (PetscInt e = 0; e < w->ncells; e++) ia[e + 1] += ia[e];
  PetscCall(PetscMalloc1(w->ncells, &next));
  PetscCall(PetscArraycpy(next, ia, w->ncells));
  for (PetscInt k = 0; k < links->n; k++) ja[next[links->at[k].row - first]++] = links->at[k].other;
  for (PetscInt e = 0; e < w->ncells; e++) PetscCall(PetscSortInt(ia[e + 1] - ia[e], ja + ia[e]));
  PetscCall(PetscFree(next));
  PetscCall(MatCreateMPIAdj(comm, w->ncells, w->all_cells, ia, ja, NULL, graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode apply(MPI_Comm comm, Mat graph, PetscInt n, PetscInt *part)
{
  MatPartitioning partitioning;
  IS              is;
  const PetscInt *mine;

  PetscFunctionBeginUser;
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, graph));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &is));
  PetscCall(ISGetIndices(is, &mine));
  PetscCall(PetscArraycpy(part, mine, n));
  PetscCall(ISRestoreIndices(is, &mine));
  PetscCall(ISDestroy(&is));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharePartition(MPI_Comm comm, const CrShare *w, PetscInt *part)
{
  PetscMPIInt size;
  PetscInt    first;
  Links       links = {0};
  Faces       left = {0};
  Mat         graph;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (size == 1 || w->all_cells < 8 * size) { /* nothing worth partitioning: slices in order */
    for (PetscInt e = 0; e < w->ncells; e++)
      part[e] = (PetscInt)((PetscInt64)w->cell_number[e] * size / w->all_cells);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCallMPI(MPI_Scan(&w->ncells, &first, 1, MPIU_INT, MPI_SUM, comm));
  first -= w->ncells;
  PetscCall(match_here(w, first, &links, &left));
  PetscCall(match_between(comm, w, &left, &links));
  PetscCall(PetscFree(left.at));
  PetscCall(create_graph(comm, w, first, &links, &graph));
  PetscCall(PetscFree(links.at));
  PetscCall(apply(comm, graph, w->ncells, part));
  PetscCall(MatDestroy(&graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}
