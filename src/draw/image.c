/* Images, and PNG files of them. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "draw/internal.h"
#include "output/file.h"

PetscErrorCode CrImageCreate(PetscInt width, PetscInt height, const CrColour paper, CrImage *image)
{
  PetscFunctionBeginUser;
  image->width = width;
  image->height = height;
  PetscCall(PetscMalloc1((size_t)width * (size_t)height, &image->pixels));
  for (PetscInt k = 0; k < width * height; k++) memcpy(image->pixels[k], paper, sizeof(CrColour));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImageDestroy(CrImage *image)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(image->pixels));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- PNG: chunks of length, name, bytes, check sum ------------------------------------------ */

static void put32(unsigned char to[4], uLong value)
{
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static PetscErrorCode write_chunk(OutputFile *file, const char name[], const unsigned char *bytes,
                                  size_t n)
{
  unsigned char word[4];
  uLong         sum = crc32(crc32(0, NULL, 0), (const Bytef *)name, 4);

  PetscFunctionBeginUser;
  if (n) sum = crc32(sum, bytes, (uInt)n);
  put32(word, (uLong)n);
  PetscCall(CrFileWrite(file, word, 4));
  PetscCall(CrFileWrite(file, name, 4));
  if (n) PetscCall(CrFileWrite(file, bytes, n));
  put32(word, sum);
  PetscCall(CrFileWrite(file, word, 4));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define UP 2 /* the filter that expects the number above */

/* What a number is expected to be from those to the left, above, and above to the left (the filters
   of PNG). */
static int guess(PetscInt filter, int left, int above, int corner)
{
  int p = left + above - corner, pl = abs(p - left), pa = abs(p - above), pc = abs(p - corner);

  switch (filter) {
  case 1: return left;
  case UP: return above;
  case 3: return (left + above) / 2;
  case 4: return pl <= pa && pl <= pc ? left : pa <= pc ? above : corner;
  default: return 0;
  }
}

static PetscInt filtered(PetscInt filter, PetscInt n, const unsigned char *row,
                         const unsigned char *above, unsigned char *to)
{
  PetscInt sum = 0;

  to[0] = (unsigned char)filter;
  for (PetscInt i = 0; i < n; i++) {
    to[1 + i] = (unsigned char)(row[i] - guess(filter, i < 3 ? 0 : row[i - 3], above ? above[i] : 0,
                                               i < 3 || !above ? 0 : above[i - 3]));
    sum += abs((signed char)to[1 + i]);
  }
  return sum;
}

/* The filter that leaves the smallest numbers: flat areas and gentle changes shrink to a fraction. */
static void filter_row(PetscInt n, const unsigned char *row, const unsigned char *above,
                       unsigned char *to)
{
  PetscInt best = 0, least = PETSC_MAX_INT;

  for (PetscInt f = 0; f < 5; f++) {
    PetscInt sum = filtered(f, n, row, above, to);

    if (sum < least) {
      least = sum;
      best = f;
    }
  }
  filtered(best, n, row, above, to);
}

static PetscErrorCode write_packed(OutputFile *file, const unsigned char *plain, size_t n,
                                   PetscBool brief)
{
  unsigned char *packed;
  uLongf         size = compressBound((uLong)n);
  int            status;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size, &packed));
  status = compress2(packed, &size, plain, (uLong)n, brief ? Z_BEST_SPEED : Z_BEST_COMPRESSION);
  PetscCheck(status == Z_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "zlib: error %d", status);
  code = write_chunk(file, "IDAT", packed, size);
  PetscCall(PetscFree(packed));
  PetscFunctionReturn(code);
}

static PetscErrorCode write_pixels(OutputFile *file, const CrImage *image, PetscBool brief)
{
  const size_t   row = 3 * (size_t)image->width, n = (row + 1) * (size_t)image->height;
  unsigned char *plain;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &plain));
  for (PetscInt y = 0; y < image->height; y++) {
    const unsigned char *now = image->pixels[0] + row * (size_t)y;

    if (brief)
      filtered(UP, (PetscInt)row, now, y ? now - row : NULL, plain + (row + 1) * (size_t)y);
    else
      filter_row((PetscInt)row, now, y ? now - row : NULL, plain + (row + 1) * (size_t)y);
  }
  code = write_packed(file, plain, n, brief);
  PetscCall(PetscFree(plain));
  PetscFunctionReturn(code);
}

/* Numbers of colours are not smooth: no filter. */
static PetscErrorCode write_indexed(OutputFile *file, const CrImage *image)
{
  const size_t   row = (size_t)image->width, height = (size_t)image->height;
  unsigned char *plain, *index;
  CrColour       palette[256];
  PetscInt       n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2((row + 1) * height, &plain, row * height, &index));
  PetscCall(CrPaletteMake(image, &n, palette, index));
  for (size_t y = 0; y < height; y++) {
    plain[(row + 1) * y] = 0;
    memcpy(plain + (row + 1) * y + 1, index + row * y, row);
  }
  code = write_chunk(file, "PLTE", palette[0], 3 * (size_t)n);
  if (!code) code = write_packed(file, plain, (row + 1) * height, PETSC_FALSE);
  PetscCall(PetscFree2(plain, index));
  PetscFunctionReturn(code);
}

const char *CrPathSplit(const char path[], char dir[PETSC_MAX_PATH_LEN])
{
  const char *slash = strrchr(path, '/');

  if (!slash)
    snprintf(dir, PETSC_MAX_PATH_LEN, ".");
  else
    snprintf(dir, PETSC_MAX_PATH_LEN, "%.*s", (int)PetscMax(1, slash - path), path);
  return slash ? slash + 1 : path;
}

static PetscErrorCode write_all(OutputFile *file, const CrImage *image, PetscBool small,
                                PetscBool brief)
{
  static const unsigned char mark[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  unsigned char head[13] = {[8] = 8, [9] = small ? 3 : 2}; /* bits; indexed, or true colours */

  PetscFunctionBeginUser;
  put32(head, (uLong)image->width);
  put32(head + 4, (uLong)image->height);
  PetscCall(CrFileWrite(file, mark, sizeof mark));
  PetscCall(write_chunk(file, "IHDR", head, sizeof head));
  if (small)
    PetscCall(write_indexed(file, image));
  else
    PetscCall(write_pixels(file, image, brief));
  PetscCall(write_chunk(file, "IEND", NULL, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImageWritePng(const CrImage *image, PetscBool small, PetscBool brief,
                               const char path[])
{
  char        dir[PETSC_MAX_PATH_LEN];
  const char *name = CrPathSplit(path, dir);
  OutputFile  file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, name));
  PetscCall(write_all(&file, image, small, brief));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
