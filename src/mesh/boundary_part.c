/* Finds the boundary of a distributed mesh. Each rank first matches the faces of its own cells. Faces without a match
   are sent to the rank that stores their lowest node. Matched faces whose corners are all on other ranks are sent there
   too, because a third cell may have the same face. */
#include <stdlib.h>
#include "base/mail.h"
#include "mesh/boundary.h"

/* A face on its way: corners in outward order, its type, its number; PAIR: two cells of the rank share it. */
enum { FACE_CORNERS, FACE_TYPE = 4, FACE_NUMBER, FACE_INTS, PAIR = -1 };

/* A face that has come. */
typedef struct {
  PetscInt key[4], record;
} Arrival;

static int compare_keys(const PetscInt a[4], const PetscInt b[4])
{
  for (int i = 0; i < 4; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int compare_arrivals(const void *x, const void *y)
{
  const Arrival *a = x, *b = y;
  int            c = compare_keys(a->key, b->key);

  return c ? c : (a->record > b->record) - (a->record < b->record);
}

/* ---- faces on their way ------------------------------------------------------------------------ */

static PetscErrorCode add_face(const CrMeshPart *part, PetscInt id, PetscBool inside,
                               const PetscInt *askers, CrMail *mail)
{
  CrFacet        facet = CrMeshFacetOf(part->mesh, id);
  const PetscInt type = CrCells[part->mesh->blocks[facet.block].type].face_type;
  PetscInt       nodes[CR_MAX_FACE_NODES], ints[FACE_INTS] = {-1, -1, -1, -1, type, id};
  PetscInt       lowest = PETSC_MAX_INT;
  PetscBool      elsewhere = PETSC_TRUE;

  PetscFunctionBeginUser;
  CrMeshFacetNodes(part->mesh, &facet, nodes);
  for (PetscInt i = 0; i < CrCells[type].ncorners; i++) {
    ints[i] = part->number[nodes[i]];
    lowest = PetscMin(lowest, ints[i]);
    elsewhere = elsewhere && askers[nodes[i]] > 1;
  }
  if (inside) ints[FACE_NUMBER] = PAIR;
  if (!inside || elsewhere)
    PetscCall(CrMailAdd(mail, CrShareRank(part->nnodes, mail->size, lowest), ints, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces with the same corners: one is boundary, two are inside, more are a mistake. */
static PetscErrorCode judge(const CrPost *post, PetscInt n, const Arrival *group)
{
  const PetscInt *a = post->ints + group[0].record * FACE_INTS, *b;

  PetscFunctionBeginUser;
  if (n == 1 || (n == 2 && a[FACE_NUMBER] == PAIR &&
                 post->ints[group[1].record * FACE_INTS + FACE_NUMBER] == PAIR &&
                 post->from[group[0].record] == post->from[group[1].record]))
    PetscFunctionReturn(PETSC_SUCCESS);
  b = post->ints + group[1].record * FACE_INTS;
  if (n > 2 || a[FACE_NUMBER] == PAIR || b[FACE_NUMBER] == PAIR)
    CrInputFail("more than two cells share one face");
  if (a[FACE_TYPE] != b[FACE_TYPE] || !CrMeshAreOpposite(CrCells[a[FACE_TYPE]].ncorners, a, b))
    CrInputFail("two cells do not fit at their common face");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode sort_arrivals(const CrPost *post, Arrival **arrivals)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, arrivals));
  for (PetscInt k = 0; k < post->n; k++) {
    const PetscInt *face = post->ints + k * FACE_INTS;

    for (int i = 0; i < 4; i++) (*arrivals)[k].key[i] = face[i];
    CrMeshSortKey(CrCells[face[FACE_TYPE]].ncorners, (*arrivals)[k].key);
    (*arrivals)[k].record = k;
  }
  if (post->n) qsort(*arrivals, (size_t)post->n, sizeof **arrivals, compare_arrivals);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Fills the book with single faces, and says of every record whether it is inside. */
static PetscErrorCode match(const CrPost *post, PetscInt *inside, CrBoundaryBook *book)
{
  Arrival       *arrivals;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(sort_arrivals(post, &arrivals));
  PetscCall(PetscMalloc1(post->n, &book->faces));
  for (PetscInt i = 0, j; i < post->n && !code; i = j) {
    const PetscInt *face = post->ints + arrivals[i].record * FACE_INTS;

    for (j = i + 1; j < post->n && !compare_keys(arrivals[i].key, arrivals[j].key);) j++;
    code = judge(post, j - i, &arrivals[i]);
    for (PetscInt k = i; k < j; k++) inside[arrivals[k].record] = j - i > 1;
    if (j - i > 1 || face[FACE_NUMBER] == PAIR) continue;
    book->faces[book->n] =
        (CrBoundaryFace){.rank = post->from[arrivals[i].record], .face = face[FACE_NUMBER]};
    PetscCall(PetscArraycpy(book->faces[book->n++].key, arrivals[i].key, 4));
  }
  PetscCall(PetscFree(arrivals));
  if (!code) PetscCall(PetscRealloc(sizeof *book->faces * (size_t)book->n, &book->faces));
  PetscFunctionReturn(code);
}

/* ---- all --------------------------------------------------------------------------------------- */

static PetscErrorCode match_between(MPI_Comm comm, const CrMeshPart *part, const PetscInt *askers,
                                    PetscInt nfaces, char *inside, CrBoundaryBook *book)
{
  CrMail         mail;
  CrPost         post;
  PetscInt      *found, *answers, k = 0, *sent;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(comm, FACE_INTS, 0, &mail));
  for (PetscInt id = 0; id < nfaces; id++)
    PetscCall(add_face(part, id, inside[id] ? PETSC_TRUE : PETSC_FALSE, askers, &mail));
  PetscCall(PetscMalloc1(mail.n, &sent));
  for (PetscInt i = 0; i < mail.n; i++) sent[i] = mail.ints[i * FACE_INTS + FACE_NUMBER];
  PetscCall(CrMailSend(comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &found, mail.n, &answers));
  code = CrErrorAgree(comm, match(&post, found, book));
  PetscCall(CrPostEnd(&post));
  if (!code) PetscCall(CrMailAnswer(comm, &mail, 1, found, answers, 0, NULL, NULL));
  for (; !code && k < mail.n; k++)
    if (sent[k] != PAIR && answers[k]) inside[sent[k]] = 1;
  PetscCall(PetscFree2(found, answers));
  PetscCall(PetscFree(sent));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(code);
}

PetscErrorCode CrMeshFindBoundaryPart(MPI_Comm comm, CrMeshPart *part, const PetscInt *askers,
                                      CrBoundaryBook *book)
{
  PetscInt       nfaces;
  char          *inside;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *book = (CrBoundaryBook){0};
  code = CrErrorAgree(comm, CrMeshMatchFaces(part->mesh, &nfaces, &inside));
  if (!code) code = match_between(comm, part, askers, nfaces, inside, book);
  if (!code) PetscCall(CrMeshCollectFacets(part->mesh, nfaces, inside));
  PetscCall(PetscFree(inside));
  PetscFunctionReturn(code);
}

PetscErrorCode CrBoundaryBookDestroy(CrBoundaryBook *book)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(book->faces));
  *book = (CrBoundaryBook){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_with_book(const void *key, const void *face)
{
  return compare_keys(key, ((const CrBoundaryFace *)face)->key);
}

const CrBoundaryFace *CrBoundaryBookFind(const CrBoundaryBook *book, const PetscInt key[4])
{
  return book->n
             ? bsearch(key, book->faces, (size_t)book->n, sizeof *book->faces, compare_with_book)
             : NULL;
}
