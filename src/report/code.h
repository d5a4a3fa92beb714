/* Compresses numbers for the web page, by differences, byte planes, deflate and base64. The script web/src/decode.js
   decodes them. */
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
/* Codes 32-bit integers: the difference of each integer from the previous one modulo 2^32, in zigzag code and four byte
   planes. */
PetscErrorCode CrCodeIntegers(CrBytes *bytes, PetscInt n, const PetscInt values[]);
/* Codes doubles without loss: the exclusive or of each double with the bits of the previous one, in eight byte
   planes. */
PetscErrorCode CrCodeReals(CrBytes *bytes, PetscInt n, const PetscReal values[]);
