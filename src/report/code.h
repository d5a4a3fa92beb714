/* Compresses numbers for the web page. The steps are differences, byte planes (first all lowest bytes, then all next
   bytes), deflate and base64. The script web/src/decode.js decodes the numbers. */
#pragma once

#include <stdint.h>
#include "base/base.h"
#include "output/file.h"

typedef struct {
  unsigned char *data; /* [size] bytes; owned */
  size_t         size, room;
} CrBytes;

PetscErrorCode CrBytesFree(CrBytes *bytes);
/* Compresses `bytes` by deflate, with zlib's header, and stores the result in `out`. */
PetscErrorCode CrBytesDeflate(const CrBytes *bytes, CrBytes *out);
PetscErrorCode CrBytesWriteBase64(const CrBytes *bytes, OutputFile *file);

/* Appends to `bytes` the code of n 16-bit words now[]. First before[i] (NULL: 0) is subtracted from now[i]. From this
   difference, the difference of the previous entry is subtracted. Both subtractions are modulo 2^16. The results are
   zigzag-coded (small magnitudes become small numbers). All low bytes come first, then all high bytes. */
PetscErrorCode CrCodeWords(CrBytes *bytes, PetscInt n, const uint16_t now[],
                           const uint16_t before[]);
/* Appends to `bytes` the code of n integers. The code is the difference of each integer from the previous one modulo
   2^32, zigzag-coded, in four byte planes. */
PetscErrorCode CrCodeIntegers(CrBytes *bytes, PetscInt n, const PetscInt values[]);
/* Appends to `bytes` the code of n doubles, without loss. The code is the exclusive or of the bits of each double with
   those of the previous one, in eight byte planes. */
PetscErrorCode CrCodeReals(CrBytes *bytes, PetscInt n, const PetscReal values[]);
