/* Reduces a picture to 256 colours, by median cut. The box of colours that is widest for its weight is repeatedly
   divided into two boxes of equal weight. Each box gives its mean colour. */
#include <stdlib.h>
#include "draw/internal.h"

#define BITS 6 /* of each component that tell colours apart */
#define BINS (1 << (3 * BITS))

typedef struct {
  PetscInt  count, entry; /* pixels; in the palette */
  PetscReal sum[3];
} Bin;

typedef struct {
  PetscInt  start, end; /* in the list of bins */
  PetscReal count, width;
  int       axis; /* along which it is widest */
} Box;

static PetscInt bin_of(const unsigned char *c)
{
  return (c[0] >> (8 - BITS)) << (2 * BITS) | (c[1] >> (8 - BITS)) << BITS | c[2] >> (8 - BITS);
}

static PetscReal mean(const Bin *bin, int i)
{
  return bin->sum[i] / (PetscReal)bin->count;
}

static int compare(const Bin *a, const Bin *b, int i)
{
  if (mean(a, i) != mean(b, i)) return mean(a, i) < mean(b, i) ? -1 : 1;
  return a < b ? -1 : a > b; /* the same picture gives the same file */
}

static int by_red(const void *p, const void *q)
{
  return compare(*(Bin *const *)p, *(Bin *const *)q, 0);
}

static int by_green(const void *p, const void *q)
{
  return compare(*(Bin *const *)p, *(Bin *const *)q, 1);
}

static int by_blue(const void *p, const void *q)
{
  return compare(*(Bin *const *)p, *(Bin *const *)q, 2);
}

static Box measure(Bin *const *list, PetscInt start, PetscInt end)
{
  Box box = {.start = start, .end = end};

  for (int i = 0; i < 3; i++) {
    PetscReal low = PETSC_MAX_REAL, high = -PETSC_MAX_REAL;

    for (PetscInt k = start; k < end; k++) {
      low = PetscMin(low, mean(list[k], i));
      high = PetscMax(high, mean(list[k], i));
    }
    if (high - low > box.width) {
      box.width = high - low;
      box.axis = i;
    }
  }
  for (PetscInt k = start; k < end; k++) box.count += (PetscReal)list[k]->count;
  return box;
}

/* The second half becomes *other. */
static void cut(Bin **list, Box *box, Box *other)
{
  static int (*const orders[3])(const void *, const void *) = {by_red, by_green, by_blue};
  const PetscInt start = box->start, end = box->end;
  PetscInt       middle = start;
  PetscReal      sum = 0;

  qsort(list + start, (size_t)(end - start), sizeof *list, orders[box->axis]);
  while (middle < end - 1 && sum < 0.5 * box->count) sum += (PetscReal)list[middle++]->count;
  *other = measure(list, middle, end);
  *box = measure(list, start, middle);
}

static PetscInt divide(Bin **list, PetscInt used, Box boxes[256])
{
  PetscInt n = 1;

  boxes[0] = measure(list, 0, used);
  while (n < 256) {
    PetscInt  best = -1;
    PetscReal worst = 0;

    for (PetscInt k = 0; k < n; k++) {
      PetscReal w = boxes[k].width * boxes[k].width * boxes[k].width * boxes[k].count;

      if (boxes[k].end - boxes[k].start > 1 && w > worst) {
        worst = w;
        best = k;
      }
    }
    if (best < 0) break;
    cut(list, &boxes[best], &boxes[n++]);
  }
  return n;
}

static void name_colour(Bin *const *list, const Box *box, PetscInt entry, CrColour colour)
{
  for (int i = 0; i < 3; i++) {
    PetscReal sum = 0;

    for (PetscInt k = box->start; k < box->end; k++) sum += list[k]->sum[i];
    colour[i] = (unsigned char)(sum / box->count + 0.5);
  }
  for (PetscInt k = box->start; k < box->end; k++) list[k]->entry = entry;
}

PetscErrorCode CrPaletteMake(const CrImage *image, PetscInt *n, CrColour palette[256],
                             unsigned char *index)
{
  const PetscInt npixels = image->width * image->height;
  PetscInt       used = 0;
  Bin           *bins, **list;
  Box            boxes[256];

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(BINS, &bins));
  PetscCall(PetscMalloc1(BINS, &list));
  for (PetscInt k = 0; k < npixels; k++) {
    Bin *bin = &bins[bin_of(image->pixels[k])];

    if (!bin->count++) list[used++] = bin;
    for (int i = 0; i < 3; i++) bin->sum[i] += image->pixels[k][i];
  }
  *n = divide(list, used, boxes);
  for (PetscInt k = 0; k < *n; k++) name_colour(list, &boxes[k], k, palette[k]);
  for (PetscInt k = 0; k < npixels; k++)
    index[k] = (unsigned char)bins[bin_of(image->pixels[k])].entry;
  PetscCall(PetscFree(bins));
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}
