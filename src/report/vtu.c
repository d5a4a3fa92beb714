/* Reads the field files that output/vtu.c writes: an XML part with the offsets of the arrays, then the arrays,
   compressed in blocks. */
#include "report/vtu.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/text.h"

static PetscErrorCode is_broken(const CrVtu *vtu, const char what[])
{
  return CrInputError("%s: this field file cannot be read: %s", vtu->path, what);
}

#define BrokenFail(vtu, what) PetscFunctionReturn(is_broken(vtu, what))

/* The value of an attribute of the tag that begins at s; NULL if it has none. */
static const char *attribute(const char *s, const char name[])
{
  const char *end = strchr(s, '>'), *at = s;
  size_t      n = strlen(name);

  while (end && (at = strstr(at, name)) && at < end) {
    if (at[-1] == ' ' && at[n] == '=' && at[n + 1] == '"') return at + n + 2;
    at += n;
  }
  return NULL;
}

static PetscInt number(const char *text)
{
  return text ? atoi(text) : 0;
}

PetscErrorCode CrVtuOpen(const char path[], CrVtu *vtu)
{
  char *mark, *piece;

  PetscFunctionBeginUser;
  *vtu = (CrVtu){0};
  PetscCall(PetscStrncpy(vtu->path, path, sizeof vtu->path));
  PetscCall(CrTextRead(path, &vtu->bytes, &vtu->size));
  if (!vtu->bytes) CrInputFail("%s: cannot be read", path);
  mark = strstr(vtu->bytes, "<AppendedData");
  piece = strstr(vtu->bytes, "<Piece");
  if (mark) mark = strchr(mark, '_');
  if (!mark || !piece || !strstr(vtu->bytes, "vtkZLibDataCompressor")) {
    PetscCall(CrVtuClose(vtu));
    CrInputFail("%s: this file is not a field file of carom", path);
  }
  *mark = 0; /* searches end here */
  vtu->start = (size_t)(mark - vtu->bytes) + 1;
  vtu->npoints = number(attribute(piece, "NumberOfPoints"));
  vtu->ncells = number(attribute(piece, "NumberOfCells"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVtuClose(CrVtu *vtu)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(vtu->bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *find(const CrVtu *vtu, const char name[])
{
  size_t n = strlen(name);

  for (const char *s = vtu->bytes; (s = strstr(s, "<DataArray")); s++) {
    const char *is = attribute(s, "Name");

    if (is && !strncmp(is, name, n) && is[n] == '"' && attribute(s, "offset")) return s;
  }
  return NULL;
}

PetscInt CrVtuWidth(const CrVtu *vtu, const char name[])
{
  const char *s = find(vtu, name), *width = s ? attribute(s, "NumberOfComponents") : NULL;

  return !s ? 0 : width ? atoi(width) : 1;
}

/* ---- arrays ------------------------------------------------------------------------------- */

typedef struct {
  size_t      nblocks, block, last; /* bytes of a block, of the last */
  const char *sizes, *data;         /* compressed sizes of the blocks, the blocks */
  size_t      room;                 /* bytes from `data` to the end of the file */
  char        type;                 /* of "Float64", "Int64", "UInt8": F, I, U */
} Packed;

static uint64_t word(const char *at)
{
  uint64_t value;

  memcpy(&value, at, sizeof value);
  return value;
}

static PetscErrorCode locate(const CrVtu *vtu, const char name[], Packed *p)
{
  const char *tag = find(vtu, name), *type;
  size_t      at;

  PetscFunctionBeginUser;
  if (!tag) BrokenFail(vtu, name);
  type = attribute(tag, "type");
  at = vtu->start + (size_t)strtoull(attribute(tag, "offset"), NULL, 10);
  if (!type || at + 24 > vtu->size || at < vtu->start) BrokenFail(vtu, name);
  p->type = *type;
  p->nblocks = word(vtu->bytes + at);
  p->block = word(vtu->bytes + at + 8);
  p->last = word(vtu->bytes + at + 16);
  if (!p->last) p->last = p->block;
  if (p->nblocks > (vtu->size - at - 24) / 8 || p->block > 1 << 30 || p->last > p->block)
    BrokenFail(vtu, name);
  p->sizes = vtu->bytes + at + 24;
  p->data = p->sizes + 8 * p->nblocks;
  p->room = vtu->size - (size_t)(p->data - vtu->bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static size_t unpacked_size(const Packed *p)
{
  return p->nblocks ? (p->nblocks - 1) * p->block + p->last : 0;
}

/* bytes[] has room for all. */
static PetscErrorCode unpack(const CrVtu *vtu, const Packed *p, unsigned char *bytes)
{
  const char *from = p->data;
  size_t      room = p->room;

  PetscFunctionBeginUser;
  for (size_t b = 0; b < p->nblocks; b++) {
    size_t packed = word(p->sizes + 8 * b);
    uLongf length = b + 1 < p->nblocks ? p->block : p->last;
    uLongf got = length;

    if (packed > room ||
        uncompress(bytes + b * p->block, &got, (const Bytef *)from, (uLong)packed) != Z_OK ||
        got != length)
      BrokenFail(vtu, "the compressed data are damaged");
    from += packed;
    room -= packed;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static size_t bytes_of(char type)
{
  return type == 'U' ? 1 : 8;
}

PetscErrorCode CrVtuLength(const CrVtu *vtu, const char name[], PetscInt *n)
{
  Packed p;

  PetscFunctionBeginUser;
  PetscCall(locate(vtu, name, &p));
  *n = (PetscInt)(unpacked_size(&p) / bytes_of(p.type));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The array as it is in the file; the caller frees. */
static PetscErrorCode read_array(const CrVtu *vtu, const char name[], PetscInt n, char *type,
                                 unsigned char **bytes)
{
  Packed         p;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(locate(vtu, name, &p));
  if (unpacked_size(&p) != (size_t)n * bytes_of(p.type)) BrokenFail(vtu, name);
  PetscCall(PetscMalloc1(unpacked_size(&p) + 1, bytes));
  code = unpack(vtu, &p, *bytes);
  *type = p.type;
  if (code) PetscCall(PetscFree(*bytes));
  PetscFunctionReturn(code);
}

PetscErrorCode CrVtuReals(const CrVtu *vtu, const char name[], PetscInt n, PetscReal values[])
{
  unsigned char *bytes;
  char           type;

  PetscFunctionBeginUser;
  PetscCall(read_array(vtu, name, n, &type, &bytes));
  if (type == 'F') memcpy(values, bytes, sizeof(double) * (size_t)n);
  PetscCall(PetscFree(bytes));
  if (type != 'F') BrokenFail(vtu, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVtuIntegers(const CrVtu *vtu, const char name[], PetscInt n, PetscInt values[])
{
  unsigned char *bytes;
  char           type;

  PetscFunctionBeginUser;
  PetscCall(read_array(vtu, name, n, &type, &bytes));
  for (PetscInt i = 0; type != 'F' && i < n; i++) {
    int64_t wide = bytes[type == 'I' ? 0 : i];

    if (type == 'I') memcpy(&wide, bytes + 8 * i, sizeof wide);
    values[i] = (PetscInt)wide;
  }
  PetscCall(PetscFree(bytes));
  if (type == 'F') BrokenFail(vtu, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}
