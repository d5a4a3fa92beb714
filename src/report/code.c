/* Codes numbers in few bytes. Neighbouring numbers in time and space are similar, so that their differences are small.
   The high bytes of small numbers are zeros, which deflate compresses well if they are stored together. */
#include "base/grow.h"
#include "report/code.h"
#include <string.h>
#include <zlib.h>

static PetscErrorCode reserve(CrBytes *bytes, size_t more)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowBytes(bytes->size + more, &bytes->room, &bytes->data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBytesFree(CrBytes *bytes)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(bytes->data));
  bytes->size = bytes->room = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBytesDeflate(const CrBytes *bytes, CrBytes *out)
{
  uLongf packed = compressBound((uLong)bytes->size);
  int    status;

  PetscFunctionBeginUser;
  out->size = 0;
  PetscCall(reserve(out, packed));
  status = compress2(out->data, &packed, bytes->data, (uLong)bytes->size, 6);
  PetscCheck(status == Z_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "zlib: error %d", status);
  out->size = packed;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBytesWriteBase64(const CrBytes *bytes, OutputFile *file)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char              text[4096];
  size_t            n = 0;

  PetscFunctionBeginUser;
  for (size_t i = 0; i < bytes->size; i += 3) {
    size_t   left = bytes->size - i;
    uint32_t v = (uint32_t)bytes->data[i] << 16;

    if (left > 1) v |= (uint32_t)bytes->data[i + 1] << 8;
    if (left > 2) v |= bytes->data[i + 2];
    text[n++] = digits[v >> 18];
    text[n++] = digits[v >> 12 & 63];
    text[n++] = left > 1 ? digits[v >> 6 & 63] : '=';
    text[n++] = left > 2 ? digits[v & 63] : '=';
    if (n < sizeof text) continue;
    PetscCall(CrFileWrite(file, text, n));
    n = 0;
  }
  PetscCall(CrFileWrite(file, text, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCodeWords(CrBytes *bytes, PetscInt n, const uint16_t now[],
                           const uint16_t before[])
{
  unsigned char *low, *high;
  uint16_t       last = 0;

  PetscFunctionBeginUser;
  PetscCall(reserve(bytes, 2 * (size_t)n));
  low = bytes->data + bytes->size;
  high = low + n;
  for (PetscInt i = 0; i < n; i++) {
    uint16_t change = (uint16_t)(now[i] - (before ? before[i] : 0));
    uint16_t d = (uint16_t)(change - last);
    uint16_t zigzag = (uint16_t)(d << 1 ^ (d & 0x8000 ? 0xffff : 0));

    low[i] = (unsigned char)(zigzag & 255);
    high[i] = (unsigned char)(zigzag >> 8);
    last = change;
  }
  bytes->size += 2 * (size_t)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCodeIntegers(CrBytes *bytes, PetscInt n, const PetscInt values[])
{
  unsigned char *plane;
  uint32_t       last = 0;

  PetscFunctionBeginUser;
  PetscCall(reserve(bytes, 4 * (size_t)n));
  plane = bytes->data + bytes->size;
  for (PetscInt i = 0; i < n; i++) {
    uint32_t v = (uint32_t)values[i], d = v - last;
    uint32_t zigzag = d << 1 ^ (d & 0x80000000u ? 0xffffffffu : 0);

    for (int k = 0; k < 4; k++) plane[k * n + i] = (unsigned char)(zigzag >> 8 * k & 255);
    last = v;
  }
  bytes->size += 4 * (size_t)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCodeReals(CrBytes *bytes, PetscInt n, const PetscReal values[])
{
  unsigned char *plane;
  uint64_t       last = 0;

  PetscFunctionBeginUser;
  PetscCall(reserve(bytes, 8 * (size_t)n));
  plane = bytes->data + bytes->size;
  for (PetscInt i = 0; i < n; i++) {
    double   value = (double)values[i];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++) plane[k * n + i] = (unsigned char)((bits ^ last) >> 8 * k & 255);
    last = bits;
  }
  bytes->size += 8 * (size_t)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}
