/* Compression of numbers: differences, byte planes, deflate, base64. web/src/decode.js decodes them. */
#pragma once

#include <stdint.h>
#include "base/base.h"
#include "output/file.h"

typedef struct {
  unsigned char *data; /* owned */
  size_t         size, room;
} CrBytes;

PetscErrorCode CrBytesFree(CrBytes *bytes);
/* Compresses the bytes by deflate, with zlib's header, into `out`. */
PetscErrorCode CrBytesDeflate(const CrBytes *bytes, CrBytes *out);
PetscErrorCode CrBytesWriteBase64(const CrBytes *bytes, OutputFile *file);

/* Codes 16-bit words. The code is the difference from the words `before` (NULL: 0), and then the difference between
   neighbours, both modulo 2^16. The results are zigzag-coded; all low bytes come first, then all high bytes. */
PetscErrorCode CrCodeWords(CrBytes *bytes, PetscInt n, const uint16_t now[],
                           const uint16_t before[]);
/* Codes 32-bit integers: difference from the integer before modulo 2^32, zigzag, four byte planes. */
PetscErrorCode CrCodeIntegers(CrBytes *bytes, PetscInt n, const PetscInt values[]);
/* Codes doubles without loss: exclusive or with the bits of the double before, eight byte planes. */
PetscErrorCode CrCodeReals(CrBytes *bytes, PetscInt n, const PetscReal values[]);
