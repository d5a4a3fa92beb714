/* Numbers as few bytes: differences, byte planes, deflate, base64. web/src/decode.js is the other
   direction. */
#pragma once

#include <stdint.h>
#include "base/base.h"
#include "output/file.h"

typedef struct {
  unsigned char *data; /* owned */
  size_t         size, room;
} CrBytes;

PetscErrorCode CrBytesAdd(CrBytes *bytes, const void *more, size_t n);
PetscErrorCode CrBytesFree(CrBytes *bytes);
/* out: the bytes deflated, with zlib's header. */
PetscErrorCode CrBytesDeflate(const CrBytes *bytes, CrBytes *out);
PetscErrorCode CrBytesWriteBase64(const CrBytes *bytes, OutputFile *file);

/* 16-bit words: difference to the words before (NULL: to 0), of these the difference to the
   neighbour, all modulo 2^16; zigzag; first all low bytes, then all high bytes. */
PetscErrorCode CrCodeWords(CrBytes *bytes, PetscInt n, const uint16_t now[],
                           const uint16_t before[]);
/* 32-bit integers: difference to the one before modulo 2^32, zigzag, four byte planes. */
PetscErrorCode CrCodeIntegers(CrBytes *bytes, PetscInt n, const PetscInt values[]);
/* Doubles without any loss: bits by exclusive or with the one before, eight byte planes. */
PetscErrorCode CrCodeReals(CrBytes *bytes, PetscInt n, const PetscReal values[]);
