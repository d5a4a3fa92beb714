/* Reads a stored Coulomb problem: finds the format of the file, and does the work that all formats share. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "base/text.h"
#include "cone/stored.h"

PetscErrorCode ConeTripletsAdd(ConeTriplets *t, PetscInt i, PetscInt j, PetscReal x)
{
  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(&t->i, t->n + 1));
  PetscCall(ConeIntsFit(&t->j, t->n + 1));
  PetscCall(ConeRealsFit(&t->x, t->n + 1));
  t->i.data[t->n] = i, t->j.data[t->n] = j, t->x.data[t->n] = x;
  t->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ConeStoredFree(ConeStored *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(s->W.i.data));
  PetscCall(PetscFree(s->W.j.data));
  PetscCall(PetscFree(s->W.x.data));
  PetscCall(PetscFree(s->H.i.data));
  PetscCall(PetscFree(s->H.j.data));
  PetscCall(PetscFree(s->H.x.data));
  PetscCall(PetscFree(s->f.data));
  PetscCall(PetscFree(s->q.data));
  PetscCall(PetscFree(s->mu.data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the file ------------------------------------------------------------------------------ */

static PetscErrorCode read_stream(const char path[], FILE *stream, size_t size, char **text)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size + 1, text));
  size = fread(*text, 1, size, stream);
  (*text)[size] = 0;
  if (ferror(stream)) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_file(const char path[], char **text, PetscBool *hdf5)
{
  static const char signature[] = "\211HDF\r\n\032\n";
  struct stat       about;
  FILE             *stream;
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  PetscCall(CrTextOpen(path, PETSC_FALSE, &stream));
  if (!stream) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  if (fstat(fileno(stream), &about)) {
    fclose(stream);
    CrMachineFail("%s: cannot be read: %s", path, strerror(errno));
  }
  code = read_stream(path, stream, (size_t)about.st_size, text);
  fclose(stream);
  *hdf5 = !code && about.st_size >= 8 && !memcmp(*text, signature, 8);
  PetscFunctionReturn(code);
}

/* ---- triplets to blocks -------------------------------------------------------------------- */

/* Triplets by block rows; entries of one block become one block each, which CrConeSetBlocks adds. Entries of
   a block mostly follow one another, so that a look at the last block of the row saves most of them. */
static PetscErrorCode set_matrix(CrCone *cone, const ConeTriplets *t)
{
  const PetscInt n = CrConeContacts(cone), d = CrConeDimension(cone);
  PetscInt      *row, *next, *col;
  PetscReal     *block;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc4(n + 1, &row, n, &next, t->n, &col, t->n * d * d, &block));
  for (PetscInt k = 0; k < t->n; k++) row[t->i.data[k] / d + 1]++;
  for (PetscInt i = 0; i < n; i++) row[i + 1] += row[i], next[i] = row[i];
  for (PetscInt k = 0; k < t->n; k++) {
    PetscInt i = t->i.data[k] / d, j = t->j.data[k] / d, at = next[i];

    if (at > row[i] && col[at - 1] == j)
      at--;
    else
      col[at] = j, next[i]++;
    block[at * d * d + t->j.data[k] % d * d + t->i.data[k] % d] += t->x.data[k];
  }
  for (PetscInt i = 0, at = 0; i < n; i++) { /* close the gaps */
    PetscInt first = row[i], m = next[i] - first;

    memmove(col + at, col + first, (size_t)m * sizeof *col);
    memmove(block + at * d * d, block + first * d * d, (size_t)(m * d * d) * sizeof *block);
    row[i] = at;
    at += m;
    if (i == n - 1) row[n] = at;
  }
  PetscCall(CrConeSetBlocks(cone, row, col, block));
  PetscCall(PetscFree4(row, next, col, block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_friction(const char path[], const ConeStored *s)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < s->contacts; i++)
    if (!(s->mu.data[i] >= 0))
      CrInputFail("%s: the friction coefficient of contact %" PetscInt_FMT
                  " is %g, but must not be negative",
                  path, i, s->mu.data[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make(const char path[], ConeStored *s, CrCone **cone)
{
  PetscFunctionBeginUser;
  PetscCall(check_friction(path, s));
  if (s->global) PetscCall(ConeCondense(path, s));
  PetscCall(CrConeCreate(s->dim, s->contacts, cone));
  PetscCall(set_matrix(*cone, &s->W));
  PetscCall(CrConeSetVectors(*cone, s->q.data, s->mu.data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConeRead(const char path[], CrCone **cone)
{
  ConeStored     s = {0};
  char          *text = NULL;
  PetscBool      hdf5;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *cone = NULL;
  code = read_file(path, &text, &hdf5);
  if (!code) code = hdf5 ? ConeReadHdf5(path, &s) : ConeReadText(path, text, &s);
  PetscCall(PetscFree(text));
  if (!code) code = make(path, &s, cone);
  PetscCall(ConeStoredFree(&s));
  if (code) PetscCall(CrConeDestroy(cone));
  PetscFunctionReturn(code);
}
