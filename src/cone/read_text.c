/* Reads stored Coulomb problems from text files. The file has a cursor that knows its line, and matrices have one of
   four formats. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cone/stored.h"

typedef struct {
  const char *path, *text, *at, *end;
} Cursor;

/* ---- words --------------------------------------------------------------------------------- */

static void skip_blanks(Cursor *c)
{
  while (isspace((unsigned char)*c->at)) c->at++;
}

/* Place and contents of the word at the cursor: "file:3:7: expected ..., found ...". */
static PetscErrorCode complain(Cursor *c, const char expected[])
{
  PetscInt    line = 1, column = 1;
  int         length, shown;
  const char *stop;
  char        word[41];

  skip_blanks(c);
  for (const char *k = c->text; k < c->at; k++) {
    column = *k == '\n' ? 1 : column + 1;
    line += *k == '\n';
  }
  length = (int)strcspn(c->at, " \t\r\n\v\f");
  stop = length > 40 ? "..." : "";
  shown = PetscMin(length, 40);
  for (int k = 0; k < shown; k++)
    word[k] = (char)(isprint((unsigned char)c->at[k]) ? c->at[k] : '?');
  word[shown] = 0;
  if (!*c->at)
    return CrInputError("%s:%" PetscInt_FMT ":%" PetscInt_FMT ": the file ends where %s should be",
                        c->path, line, column, expected);
  return CrInputError("%s:%" PetscInt_FMT ":%" PetscInt_FMT ": expected %s, found \"%s%s\"",
                      c->path, line, column, expected, word, stop);
}

/* Does a word end here? "12.5" is no integer, "1e5x" no number. */
static PetscBool ends_word(const char *at)
{
  return !*at || isspace((unsigned char)*at);
}

static PetscErrorCode take_integer(Cursor *c, PetscInt low, PetscInt high, const char what[],
                                   PetscInt *value)
{
  char *rest;
  long  number;

  skip_blanks(c);
  errno = 0;
  number = strtol(c->at, &rest, 10);
  if (rest == c->at || !ends_word(rest) || errno || number < low || number > high)
    return complain(c, what);
  *value = (PetscInt)number;
  c->at = rest;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_real(Cursor *c, const char what[], PetscReal *value)
{
  char *rest;

  skip_blanks(c);
  *value = strtod(c->at, &rest);
  if (rest == c->at || !ends_word(rest) || !isfinite(*value)) return complain(c, what);
  c->at = rest;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_literal(Cursor *c, const char word[])
{
  char   what[32];
  size_t length = strlen(word);

  skip_blanks(c);
  snprintf(what, sizeof what, "\"%s\"", word);
  if (strncmp(c->at, word, length) || !ends_word(c->at + length)) return complain(c, what);
  c->at += length;
  return PETSC_SUCCESS;
}

static PetscErrorCode take_reals(Cursor *c, PetscInt n, const char what[], ConeReals *values)
{
  PetscFunctionBeginUser;
  PetscCall(ConeRealsFit(values, n));
  for (PetscInt k = 0; k < n; k++) PetscCall(take_real(c, what, &values->data[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A count of things that each take at least two characters: more than fit into the rest is a mistake, and
   is found before memory is asked for. */
static PetscErrorCode take_count(Cursor *c, const char what[], PetscInt *n)
{
  return take_integer(c, 0, (PetscInt)PetscMin((c->end - c->at) / 2 + 1, PETSC_MAX_INT), what, n);
}

/* ---- matrices ------------------------------------------------------------------------------ */

static PetscErrorCode take_dense(Cursor *c, ConeTriplets *t)
{
  PetscInt  rows, cols;
  PetscReal x;

  PetscFunctionBeginUser;
  PetscCall(take_integer(c, t->rows, t->rows, "the number of rows again", &rows));
  PetscCall(take_integer(c, t->cols, t->cols, "the number of columns again", &cols));
  for (PetscInt j = 0; j < cols; j++)
    for (PetscInt i = 0; i < rows; i++) {
      PetscCall(take_real(c, "an entry of a dense matrix", &x));
      if (x != 0) PetscCall(ConeTripletsAdd(t, i, j, x));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cumulative sizes of block rows or columns: ascending, the last is the matrix' own. */
static PetscErrorCode take_sizes(Cursor *c, PetscInt n, PetscInt total, ConeInts *sizes)
{
  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(sizes, n + 1));
  sizes->data[0] = 0;
  for (PetscInt k = 1; k <= n; k++)
    PetscCall(take_integer(c, k == n ? total : sizes->data[k - 1], total,
                           "an ascending size of block rows or columns", &sizes->data[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  PetscInt blocks, rows, cols, n1, n2;
  ConeInts row_size, col_size, first, col;
} BlockHeader;

static PetscErrorCode take_block_indices(Cursor *c, BlockHeader *h)
{
  PetscFunctionBeginUser;
  PetscCall(take_integer(c, 1, h->rows + 1, "the length of index1 (block rows + 1)", &h->n1));
  PetscCall(
      take_integer(c, h->blocks, h->blocks, "the length of index2 (the number of blocks)", &h->n2));
  PetscCall(ConeIntsFit(&h->first, h->rows + 2));
  PetscCall(ConeIntsFit(&h->col, h->n2));
  for (PetscInt k = 0; k < h->n1; k++)
    PetscCall(take_integer(c, k ? h->first.data[k - 1] : 0, h->blocks,
                           "an ascending offset of a block row", &h->first.data[k]));
  for (PetscInt k = h->n1; k <= h->rows; k++)
    h->first.data[k] = h->blocks; /* rows left out: empty */
  for (PetscInt k = 0; k < h->n2; k++)
    PetscCall(take_integer(c, 0, h->cols - 1, "a block column", &h->col.data[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_one_block(Cursor *c, const BlockHeader *h, PetscInt row, PetscInt number,
                                     ConeTriplets *t)
{
  const PetscInt *rs = h->row_size.data + row, *cs = h->col_size.data + h->col.data[number];
  PetscInt        read;
  PetscReal       x;

  PetscFunctionBeginUser;
  PetscCall(take_integer(c, number, number, "the number of the next block", &read));
  for (PetscInt j = cs[0]; j < cs[1]; j++)
    for (PetscInt i = rs[0]; i < rs[1]; i++) {
      PetscCall(take_real(c, "an entry of a block", &x));
      if (x != 0) PetscCall(ConeTripletsAdd(t, i, j, x));
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_all_blocks(Cursor *c, BlockHeader *h, ConeTriplets *t)
{
  PetscFunctionBeginUser;
  PetscCall(take_count(c, "the number of blocks", &h->blocks));
  PetscCall(take_count(c, "the number of block rows", &h->rows));
  PetscCall(take_count(c, "the number of block columns", &h->cols));
  PetscCall(take_sizes(c, h->rows, t->rows, &h->row_size));
  PetscCall(take_sizes(c, h->cols, t->cols, &h->col_size));
  PetscCall(take_block_indices(c, h));
  for (PetscInt row = 0; row < h->rows; row++)
    for (PetscInt k = h->first.data[row]; k < h->first.data[row + 1]; k++)
      PetscCall(take_one_block(c, h, row, k, t));
  if (h->first.data[h->rows] != h->blocks) PetscCall(complain(c, "blocks that index1 leaves out"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_blocks(Cursor *c, ConeTriplets *t)
{
  BlockHeader    h = {0};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = take_all_blocks(c, &h, t);
  PetscCall(PetscFree(h.row_size.data));
  PetscCall(PetscFree(h.col_size.data));
  PetscCall(PetscFree(h.first.data));
  PetscCall(PetscFree(h.col.data));
  PetscFunctionReturn(code);
}

static void skip_line(Cursor *c)
{
  while (*c->at && *c->at != '\n') c->at++;
  if (*c->at) c->at++;
}

/* `i j : value` */
static PetscErrorCode take_triplets(Cursor *c, PetscInt n, ConeTriplets *t)
{
  PetscInt  i, j;
  PetscReal x;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(take_integer(c, 0, t->rows - 1, "the row of an entry", &i));
    PetscCall(take_integer(c, 0, t->cols - 1, "the column of an entry", &j));
    PetscCall(take_literal(c, ":"));
    PetscCall(take_real(c, "the value of an entry", &x));
    PetscCall(ConeTripletsAdd(t, i, j, x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `col j : locations a to b`, then b - a + 1 lines `i : value` */
static PetscErrorCode take_column(Cursor *c, PetscInt j, PetscInt n, PetscInt *at, ConeTriplets *t)
{
  PetscInt  read, last, i;
  PetscReal x;

  PetscFunctionBeginUser;
  PetscCall(take_literal(c, "col"));
  PetscCall(take_integer(c, j, j, "the number of the next column", &read));
  PetscCall(take_literal(c, ":"));
  PetscCall(take_literal(c, "locations"));
  PetscCall(take_integer(c, *at, *at, "where the last column ended", &read));
  PetscCall(take_literal(c, "to"));
  PetscCall(take_integer(c, *at - 1, n - 1, "where the column ends", &last));
  for (; *at <= last; ++*at) {
    PetscCall(take_integer(c, 0, t->rows - 1, "the row of an entry", &i));
    PetscCall(take_literal(c, ":"));
    PetscCall(take_real(c, "the value of an entry", &x));
    PetscCall(ConeTripletsAdd(t, i, j, x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An origin, a banner, a line with "nnz: N", the entries. */
static PetscErrorCode take_sparse(Cursor *c, ConeTriplets *t)
{
  PetscInt    origin, n, at = 0;
  PetscBool   triplets;
  const char *nnz, *newline;

  PetscFunctionBeginUser;
  PetscCall(
      take_integer(c, 1, 2, "the origin of a sparse matrix (1 triplets, 2 columns)", &origin));
  skip_line(c);
  skip_line(c);
  triplets = !strncmp(c->at, "triplet", 7);
  nnz = strstr(c->at, "nnz:");
  newline = strchr(c->at, '\n');
  if (!nnz || (newline && nnz > newline))
    PetscCall(complain(c, "a line with \"nnz: \" and a number"));
  c->at = nnz + 4;
  skip_blanks(c);
  n = (PetscInt)PetscMax(0, PetscMin(strtol(c->at, NULL, 10), PETSC_MAX_INT));
  if (!isdigit((unsigned char)*c->at) || n > c->end - c->at)
    PetscCall(complain(c, "the number of entries that follow"));
  skip_line(c);
  if (triplets) PetscFunctionReturn(take_triplets(c, n, t));
  for (PetscInt j = 0; j < t->cols; j++) PetscCall(take_column(c, j, n, &at, t));
  if (at != n) PetscCall(complain(c, "more entries of a sparse matrix"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_matrix(Cursor *c, ConeTriplets *t)
{
  PetscInt storage;

  PetscFunctionBeginUser;
  PetscCall(take_integer(c, 0, 2, "a storage of a matrix (0 dense, 1 blocks, 2 sparse)", &storage));
  PetscCall(take_count(c, "the number of rows of a matrix", &t->rows));
  PetscCall(take_count(c, "the number of columns of a matrix", &t->cols));
  if (storage == 0)
    PetscCall(take_dense(c, t));
  else if (storage == 1)
    PetscCall(take_blocks(c, t));
  else
    PetscCall(take_sparse(c, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- problems ------------------------------------------------------------------------------ */

/* Does a second matrix follow? A local problem whose q begins like one is told by what is left. */
static PetscBool is_global(const Cursor *c, const ConeStored *s)
{
  Cursor   look = *c;
  PetscInt words[3], left = 0;
  char    *rest;

  if (s->W.rows != s->dim * s->contacts) return PETSC_TRUE;
  for (PetscInt k = 0; k < 3; k++) {
    words[k] = (PetscInt)strtol(look.at, &rest, 10);
    if (rest == look.at || !ends_word(rest)) return PETSC_FALSE;
    look.at = rest;
  }
  if (words[0] < 0 || words[0] > 2 || words[1] != s->W.rows || words[2] != s->dim * s->contacts)
    return PETSC_FALSE;
  for (look = *c; skip_blanks(&look), *look.at; left++) look.at += strcspn(look.at, " \t\r\n\v\f");
  return left > s->contacts * (s->dim + 1) + 1;
}

static PetscErrorCode check_sizes(const char path[], const ConeStored *s)
{
  const PetscInt n = s->global ? s->W.rows : s->dim * s->contacts;

  PetscFunctionBeginUser;
  if (s->W.rows != n || s->W.cols != n)
    CrInputFail("%s: the matrix is %" PetscInt_FMT " by %" PetscInt_FMT ", expected %" PetscInt_FMT
                " by %" PetscInt_FMT,
                path, s->W.rows, s->W.cols, n, n);
  if (s->global && (s->H.rows != n || s->H.cols != s->dim * s->contacts))
    CrInputFail("%s: H is %" PetscInt_FMT " by %" PetscInt_FMT ", expected %" PetscInt_FMT
                " by %" PetscInt_FMT,
                path, s->H.rows, s->H.cols, n, s->dim * s->contacts);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One word may follow the problem. */
static PetscErrorCode take_end(Cursor *c)
{
  skip_blanks(c);
  if (!*c->at) return PETSC_SUCCESS;
  c->at += strcspn(c->at, " \t\r\n\v\f");
  skip_blanks(c);
  return *c->at ? complain(c, "the end of the file") : PETSC_SUCCESS;
}

PetscErrorCode ConeReadText(const char path[], const char text[], ConeStored *s)
{
  Cursor c = {path, text, text, text + strlen(text)};

  PetscFunctionBeginUser;
  PetscCall(take_integer(&c, 2, 3, "a dimension, 2 or 3", &s->dim));
  PetscCall(take_count(&c, "the number of contacts", &s->contacts));
  PetscCall(take_matrix(&c, &s->W));
  s->global = is_global(&c, s);
  if (s->global && s->W.rows == s->W.cols) PetscCall(take_matrix(&c, &s->H));
  PetscCall(check_sizes(path, s));
  if (s->global) PetscCall(take_reals(&c, s->W.rows, "a number of f", &s->f));
  PetscCall(take_reals(&c, s->dim * s->contacts, "a number of q", &s->q));
  PetscCall(take_reals(&c, s->contacts, "a coefficient of friction", &s->mu));
  PetscCall(take_end(&c));
  PetscFunctionReturn(PETSC_SUCCESS);
}
