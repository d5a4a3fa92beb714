/* Finds cells of different bodies that face each other at the start. Space is divided into bins, which are distributed
   over the ranks. The program searches the bin of a facet for the closest facet of another body. For bodies without a
   result, the search is repeated with bins of twice the size. */
#include <stdlib.h>
#include "base/grow.h"
#include "base/mail.h"
#include "model/facing.h"

#define LEVELS    4    /* sizes of bins: 16 facets away */
#define MANY_BINS 1000 /* a facet in more bins than these waits for larger ones */
#define MANY_BODIES                                                                                \
  50 /* with more bodies, facets are not compared with the boxes of other bodies */

typedef struct {
  PetscInt  cell, body;
  PetscReal low[3], high[3];
} Facet;

typedef CR_LIST(Facet) Facets;

typedef struct {
  MPI_Comm   comm;
  PetscInt   dim, nbodies;
  PetscReal  size;  /* of a bin */
  PetscReal *least; /* [nbodies] distance to the nearest other body, where one was found; owned */
  PetscBool *asks;  /* [nbodies] has found nothing so far; owned */
  /* [6 nbodies] box around the facets of each body: three greatest coordinates, and three greatest negative ones;
     owned */
  PetscReal *boxes;
} Search;

/* The nearest facet: its body, and its distance. body -1: none. */
typedef struct {
  PetscInt  *body;
  PetscReal *distance;
} Answers;

/* Records of the mail. */
enum { ASKS, BODY, BIN, NINTS = BIN + 3, NREALS = 6 };

static void find_bin(const Search *s, const PetscReal x[3], PetscInt bin[3])
{
  /* a third: surfaces on round coordinates should not lie between bins */
  for (int i = 0; i < 3; i++)
    bin[i] = i < s->dim ? (PetscInt)PetscFloorReal(x[i] / s->size + 1.0 / 3) : 0;
}

static void find_centre(const Facet *f, PetscReal x[3])
{
  for (int i = 0; i < 3; i++) x[i] = 0.5 * (f->low[i] + f->high[i]);
}

/* ---- facets that may touch ---------------------------------------------------------------- */

static Facet facet_of(const CrShare *w, PetscInt f)
{
  const PetscInt e = w->facet_cell[f], *nodes = w->cell_nodes + w->cell_offset[e];
  const CrCell  *cell = &CrCells[w->cell_type[e]];
  Facet          facet = {.cell = e, .body = w->cell_body[e]};

  for (PetscInt a = 0; a < CrCells[cell->face_type].ncorners; a++) {
    const PetscReal *X = w->X + w->dim * nodes[cell->faces[w->facet_face[f]][a]];

    for (PetscInt i = 0; i < w->dim; i++) {
      facet.low[i] = a ? PetscMin(facet.low[i], X[i]) : X[i];
      facet.high[i] = a ? PetscMax(facet.high[i], X[i]) : X[i];
    }
  }
  return facet;
}

/* Every facet once, whatever the number of its sets. */
static PetscErrorCode list_facets(const CrShare *w, Facets *facets)
{
  char *seen;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(w->nfacets, &seen));
  for (PetscInt s = 0; s < w->nsets; s++)
    for (PetscInt i = 0; (w->sets[s].touches || w->sets[s].beside) && i < w->sets[s].nfacets; i++) {
      PetscInt f = w->sets[s].facets[i];

      if (seen[f]) continue;
      seen[f] = 1;
      PetscCall(CrListGrow(facets, 1));
      facets->at[facets->n++] = facet_of(w, f);
    }
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal extent(const Facet *f)
{
  PetscReal most = 0;

  for (int i = 0; i < 3; i++) most = PetscMax(most, f->high[i] - f->low[i]);
  return most;
}

/* Bins begin with the mean facet of the body that has the smallest ones. Bodies without facets do not ask. *bodies:
   those that do. */
static PetscErrorCode begin(const Facets *facets, Search *s, PetscInt *bodies)
{
  PetscReal *sums;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(2 * s->nbodies, &sums));
  for (PetscInt k = 0; k < facets->n; k++) {
    sums[2 * facets->at[k].body] += 1;
    sums[2 * facets->at[k].body + 1] += extent(&facets->at[k]);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, (PetscMPIInt)(2 * s->nbodies), MPIU_REAL, MPIU_SUM,
                             s->comm));
  *bodies = 0;
  s->size = PETSC_MAX_REAL;
  for (PetscInt b = 0; b < s->nbodies; b++) {
    s->asks[b] = sums[2 * b] > 0;
    if (!s->asks[b]) continue;
    s->size = PetscMin(s->size, sums[2 * b + 1] / sums[2 * b]);
    ++*bodies;
  }
  PetscCall(PetscFree(sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the boxes around the facets of all bodies. */
static PetscErrorCode find_boxes(const Facets *facets, Search *s)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < 6 * s->nbodies; i++) s->boxes[i] = -PETSC_MAX_REAL;
  for (PetscInt k = 0; k < facets->n; k++)
    for (int i = 0; i < 3; i++) {
      const Facet *f = &facets->at[k];
      PetscReal   *box = s->boxes + 6 * f->body;

      box[i] = PetscMax(box[i], f->high[i]);
      box[3 + i] = PetscMax(box[3 + i], -f->low[i]);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, s->boxes, (PetscMPIInt)(6 * s->nbodies), MPIU_REAL,
                             MPIU_MAX, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is a facet farther than a bin from all other bodies? It then finds no facet, and no facet finds it. */
static PetscBool is_far(const Search *s, const Facet *f)
{
  if (s->nbodies > MANY_BODIES) return PETSC_FALSE;
  for (PetscInt b = 0; b < s->nbodies; b++) {
    const PetscReal *box = s->boxes + 6 * b;
    PetscBool        near = b != f->body;

    for (int i = 0; near && i < 3; i++)
      near = f->low[i] - box[i] <= s->size && -f->high[i] - box[3 + i] <= s->size;
    if (near) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static PetscBool asks(const Search *s, const Facet *f)
{
  return s->asks[f->body] && !is_far(s, f);
}

/* ---- one level ---------------------------------------------------------------------------- */

static PetscInt keeper(const PetscInt bin[3], PetscMPIInt size)
{
  uint64_t h = 0;

  for (int i = 0; i < 3; i++) h = (h ^ (uint64_t)bin[i]) * UINT64_C(0x9E3779B97F4A7C15);
  return (PetscInt)((h >> 32) % (uint64_t)size);
}

/* A facet can be found in all bins that it comes near to. */
static PetscErrorCode post_target(const Search *s, const Facet *f, CrMail *mail)
{
  PetscInt  from[3], to[3], bin[3], bins = 1;
  PetscReal x[3], y[3], box[NREALS];

  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) {
    box[i] = f->low[i], box[3 + i] = f->high[i];
    x[i] = f->low[i] - 0.5 * s->size;
    y[i] = f->high[i] + 0.5 * s->size;
  }
  if (extent(f) > MANY_BINS * s->size) PetscFunctionReturn(PETSC_SUCCESS); /* no overflow */
  find_bin(s, x, from);
  find_bin(s, y, to);
  for (int i = 0; i < 3; i++) bins *= to[i] - from[i] + 1;
  if (bins > MANY_BINS) PetscFunctionReturn(PETSC_SUCCESS);
  for (bin[0] = from[0]; bin[0] <= to[0]; bin[0]++)
    for (bin[1] = from[1]; bin[1] <= to[1]; bin[1]++)
      for (bin[2] = from[2]; bin[2] <= to[2]; bin[2]++) {
        const PetscInt ints[NINTS] = {0, f->body, bin[0], bin[1], bin[2]};

        PetscCall(CrMailAdd(mail, keeper(bin, mail->size), ints, box));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode post_question(const Search *s, const Facet *f, CrMail *mail)
{
  PetscInt  bin[3];
  PetscReal x[NREALS] = {0};

  PetscFunctionBeginUser;
  find_centre(f, x);
  find_bin(s, x, bin);
  {
    const PetscInt ints[NINTS] = {1, f->body, bin[0], bin[1], bin[2]};

    PetscCall(CrMailAdd(mail, keeper(bin, mail->size), ints, x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A record of the post, and its number. */
typedef struct {
  const PetscInt *ints;
  PetscInt        k;
} Record;

/* By bins; facets that can be found first. */
static int compare_records(const void *x, const void *y)
{
  static const int order[] = {BIN, BIN + 1, BIN + 2, ASKS};
  const Record    *a = x, *b = y;

  for (int i = 0; i < 4; i++)
    if (a->ints[order[i]] != b->ints[order[i]])
      return a->ints[order[i]] < b->ints[order[i]] ? -1 : 1;
  return (a->k > b->k) - (a->k < b->k);
}

static PetscBool same_bin(const Record *a, const Record *b)
{
  return a->ints[BIN] == b->ints[BIN] && a->ints[BIN + 1] == b->ints[BIN + 1] &&
         a->ints[BIN + 2] == b->ints[BIN + 2];
}

static PetscReal distance(const PetscReal x[3], const PetscReal box[NREALS])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++) {
    PetscReal d = PetscMax(PetscMax(box[i] - x[i], x[i] - box[3 + i]), 0);

    sum += d * d;
  }
  return PetscSqrtReal(sum);
}

/* The nearest of n facets of other bodies; the first of several. */
static void answer(const CrPost *post, PetscInt n, const Record *targets, const Record *question,
                   Answers *out)
{
  const PetscInt k = question->k;

  for (PetscInt i = 0; i < n; i++) {
    PetscReal d;

    if (targets[i].ints[BODY] == question->ints[BODY]) continue;
    d = distance(post->reals + NREALS * k, post->reals + NREALS * targets[i].k);
    if (d >= out->distance[k]) continue;
    out->distance[k] = d;
    out->body[k] = targets[i].ints[BODY];
  }
}

static PetscErrorCode answer_all(const Search *s, const CrPost *post, Answers *out)
{
  Record *records;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(post->n, &records));
  for (PetscInt k = 0; k < post->n; k++) {
    records[k] = (Record){post->ints + NINTS * k, k};
    out->body[k] = -1;
    out->distance[k] = s->size;
  }
  qsort(records, (size_t)post->n, sizeof *records, compare_records);
  for (PetscInt k = 0, targets, end; k < post->n; k = end) {
    for (end = k; end < post->n && same_bin(&records[end], &records[k]);) end++;
    for (targets = 0; k + targets < end && !records[k + targets].ints[ASKS];) targets++;
    for (PetscInt i = k + targets; i < end; i++)
      answer(post, targets, records + k, &records[i], out);
  }
  PetscCall(PetscFree(records));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Answers of the facets that ask, in their order; the first of the mail are the questions. */
static PetscErrorCode ask(const Search *s, const Facets *facets, Answers *answers)
{
  CrMail  mail;
  CrPost  post;
  Answers out;

  PetscFunctionBeginUser;
  PetscCall(CrMailBegin(s->comm, NINTS, NREALS, &mail));
  for (PetscInt k = 0; k < facets->n; k++)
    if (asks(s, &facets->at[k])) PetscCall(post_question(s, &facets->at[k], &mail));
  for (PetscInt k = 0; k < facets->n; k++)
    if (!is_far(s, &facets->at[k])) PetscCall(post_target(s, &facets->at[k], &mail));
  PetscCall(CrMailSend(s->comm, &mail, &post));
  PetscCall(PetscMalloc2(post.n, &out.body, post.n, &out.distance));
  PetscCall(PetscMalloc2(mail.n, &answers->body, mail.n, &answers->distance));
  PetscCall(answer_all(s, &post, &out));
  PetscCall(
      CrMailAnswer(s->comm, &mail, 1, out.body, answers->body, 1, out.distance, answers->distance));
  PetscCall(PetscFree2(out.body, out.distance));
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all levels --------------------------------------------------------------------------- */

/* How near every body is to another one, as far as this level has found. */
static PetscErrorCode find_least(Search *s, const Facets *facets, const Answers *answers)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < facets->n; k++) {
    const PetscInt b = facets->at[k].body;

    if (!asks(s, &facets->at[k])) continue;
    if (answers->body[n] >= 0) s->least[b] = PetscMin(s->least[b], answers->distance[n]);
    n++;
  }
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, s->least, (PetscMPIInt)s->nbodies, MPIU_REAL, MPIU_MIN, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sides of a body are farther away than its front. */
static void mark(const Search *s, const Facets *facets, const Answers *answers, PetscReal facet,
                 PetscInt *near)
{
  PetscInt n = 0;

  for (PetscInt k = 0; k < facets->n; k++) {
    const Facet *f = &facets->at[k];

    if (!asks(s, f)) continue;
    if (answers->body[n] >= 0 && answers->distance[n] <= s->least[f->body] + facet)
      near[2 * f->cell + (answers->body[n] > f->body)]++;
    n++;
  }
}

static PetscErrorCode search(Search *s, const Facets *facets, PetscInt *near)
{
  PetscInt  left;
  PetscReal facet;
  Answers   answers;

  PetscFunctionBeginUser;
  PetscCall(begin(facets, s, &left));
  if (left < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(find_boxes(facets, s));
  facet = s->size;
  for (PetscInt level = 0; left && level < LEVELS; level++) {
    s->size *= 2;
    PetscCall(ask(s, facets, &answers));
    PetscCall(find_least(s, facets, &answers));
    mark(s, facets, &answers, facet, near);
    PetscCall(PetscFree2(answers.body, answers.distance));
    left = 0;
    for (PetscInt b = 0; b < s->nbodies; b++) {
      if (s->least[b] < PETSC_MAX_REAL) s->asks[b] = PETSC_FALSE;
      left += s->asks[b];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShareFacing(MPI_Comm comm, const CrShare *w, PetscInt *near)
{
  Search s = {.comm = comm, .dim = w->dim};
  Facets facets = {0};

  PetscFunctionBeginUser;
  for (PetscInt e = 0; e < w->ncells; e++) s.nbodies = PetscMax(s.nbodies, w->cell_body[e] + 1);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &s.nbodies, 1, MPIU_INT, MPI_MAX, comm));
  PetscCall(PetscMalloc3(s.nbodies, &s.asks, s.nbodies, &s.least, 6 * s.nbodies, &s.boxes));
  for (PetscInt b = 0; b < s.nbodies; b++) s.least[b] = PETSC_MAX_REAL;
  PetscCall(list_facets(w, &facets));
  PetscCall(search(&s, &facets, near));
  PetscCall(PetscFree(facets.at));
  PetscCall(PetscFree3(s.asks, s.least, s.boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}
