/* The fields of a web page. Only some fields are coded. The page computes lengths of vectors, the von Mises stress and
   the principal stresses from components, and displacements from positions. */
#include "report/shown.h"
#include <math.h>

#define SAMPLE 100000 /* values that stand for all */
#define FAR    8      /* times the typical size: values beyond are not told apart */

const CrShown CrShownTable[CR_SHOWN_FIELDS] = {
    {"displacement", CR_SHOWN_FIELD, CR_FILM_DISPLACEMENT},
    {"displacement-x", CR_SHOWN_MOVED, 0},
    {"displacement-y", CR_SHOWN_MOVED, 1},
    {"displacement-z", CR_SHOWN_MOVED, 2},
    {"velocity", CR_SHOWN_FIELD, CR_FILM_VELOCITY},
    {"velocity-x", CR_SHOWN_PART, CR_PART_VX},
    {"velocity-y", CR_SHOWN_PART, CR_PART_VY},
    {"velocity-z", CR_SHOWN_PART, CR_PART_VZ},
    {"von-mises", CR_SHOWN_FIELD, CR_FILM_VON_MISES},
    {"principal-1", CR_SHOWN_PRINCIPAL, 0},
    {"principal-2", CR_SHOWN_PRINCIPAL, 1},
    {"principal-3", CR_SHOWN_PRINCIPAL, 2},
    {"stress-xx", CR_SHOWN_PART, CR_PART_XX},
    {"stress-yy", CR_SHOWN_PART, CR_PART_YY},
    {"stress-zz", CR_SHOWN_PART, CR_PART_ZZ},
    {"stress-xy", CR_SHOWN_PART, CR_PART_XY},
    {"stress-yz", CR_SHOWN_PART, CR_PART_YZ},
    {"stress-xz", CR_SHOWN_PART, CR_PART_XZ},
    {"contact-pressure", CR_SHOWN_FIELD, CR_FILM_PRESSURE},
    {"contact-status", CR_SHOWN_FIELD, CR_FILM_STATUS},
    {"plastic_strain", CR_SHOWN_FIELD, CR_FILM_PLASTIC_STRAIN},
    {"plastic_work", CR_SHOWN_FIELD, CR_FILM_PLASTIC_WORK},
    {"viscous_work", CR_SHOWN_FIELD, CR_FILM_VISCOUS_WORK},
    {"temperature_rise", CR_SHOWN_FIELD, CR_FILM_TEMPERATURE_RISE},
};

static PetscBool has_stress(const CrFilm *film)
{
  for (PetscInt part = CR_PART_XX; part < CR_FILM_PARTS; part++)
    if (film->part[part]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrShownIs(const CrFilm *film, const CrShown *shown, PetscBool parts)
{
  switch (shown->kind) {
  case CR_SHOWN_FIELD: return film->field[shown->index] ? PETSC_TRUE : PETSC_FALSE;
  case CR_SHOWN_MOVED:
    return film->field[CR_FILM_DISPLACEMENT] && film->origin && shown->index < film->dim;
  case CR_SHOWN_PART: return parts && film->part[shown->index];
  default: return parts && has_stress(film);
  }
}

PetscBool CrShownIsCoded(const CrFilm *film, const CrShown *shown, PetscBool parts)
{
  if (!CrShownIs(film, shown, parts)) return PETSC_FALSE;
  if (shown->kind != CR_SHOWN_FIELD) return shown->kind == CR_SHOWN_PART;
  if (shown->index == CR_FILM_DISPLACEMENT) return !film->origin;
  if (shown->index == CR_FILM_VELOCITY) return !(parts && film->part[CR_PART_VX]);
  if (shown->index == CR_FILM_VON_MISES) return !(parts && has_stress(film));
  return PETSC_TRUE;
}

/* By the angle of the deviator (Smith 1961): no iteration, and equal values make no trouble. */
void CrPrincipal(const PetscReal s[6], PetscReal values[3])
{
  const PetscReal mean = (s[0] + s[1] + s[2]) / 3, a = s[0] - mean, b = s[1] - mean,
                  c = s[2] - mean, d = s[3], e = s[4], f = s[5];
  const PetscReal size = sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
  const PetscReal det = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
  const PetscReal cube = 2 * size * size * size;
  const PetscReal third = cube > 0 ? acos(PetscMax(-1, PetscMin(1, det / cube))) / 3 : 0;

  for (int i = 0; i < 3; i++)
    values[i] = mean + 2 * size * cos(third + (i == 0 ? 0 : i == 1 ? 4 : 2) * PETSC_PI / 3);
}

static void principal_at(const CrFilm *film, PetscInt at, PetscReal values[3])
{
  PetscReal s[6];

  for (int i = 0; i < 6; i++)
    s[i] = film->part[CR_PART_XX + i] ? (PetscReal)film->part[CR_PART_XX + i][at] : 0;
  CrPrincipal(s, values);
}

PetscReal CrShownValue(const CrFilm *film, const CrShown *shown, PetscInt f, PetscInt k)
{
  const PetscInt at = f * film->nnodes + k, b = film->node_body[k], i = shown->index;
  PetscReal      values[3];

  switch (shown->kind) {
  case CR_SHOWN_FIELD: return (PetscReal)film->field[i][at];
  case CR_SHOWN_PART: return (PetscReal)film->part[i][at];
  case CR_SHOWN_MOVED:
    return film->centre[3 * (f * film->nbodies + b) + i] + (PetscReal)film->offset[3 * at + i] -
           film->origin[3 * k + i];
  default: principal_at(film, at, values); return values[i];
  }
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* The size that 99 of 100 values stay below of those that are not the least; from a sample. */
static PetscErrorCode find_typical(const CrFilm *film, const CrShown *shown, CrShownRange *range)
{
  const PetscInt n = film->nframes * film->nnodes, every = n / SAMPLE + 1;
  PetscReal     *sample;
  PetscInt       m = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n / every + 1, &sample));
  for (PetscInt k = 0; k < n; k += every) {
    PetscReal v = CrShownValue(film, shown, k / film->nnodes, k % film->nnodes);

    if (!isfinite(v)) continue;
    if (range->least < 0) v = fabs(v);
    if (v > PetscMax(0, range->least)) sample[m++] = v;
  }
  PetscCall(PetscSortReal(m, sample));
  range->typical = m ? sample[(PetscInt)(0.99 * (m - 1))] : range->least;
  PetscCall(PetscFree(sample));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void find_ends(const CrFilm *film, const CrShown *shown, CrShownRange *range)
{
  range->least = PETSC_MAX_REAL;
  range->greatest = -PETSC_MAX_REAL;
  for (PetscInt f = 0; f < film->nframes; f++)
    for (PetscInt k = 0; k < film->nnodes; k++) {
      PetscReal v = CrShownValue(film, shown, f, k);

      if (!isfinite(v)) continue;
      range->least = PetscMin(range->least, v);
      range->greatest = PetscMax(range->greatest, v);
    }
  if (range->least > range->greatest) range->least = range->greatest = 0;
}

/* A few values far above all others (an element about to turn inside out) shall not take all levels
   for themselves. */
static void find_coded(CrShownRange *range)
{
  const PetscReal low = range->least, high = range->greatest;
  const PetscReal from = low > 0 && low < 0.2 * high ? 0 : low; /* lengths begin at nothing */

  range->coded[0] = low < 0 ? PetscMax(low, -FAR * range->typical) : from;
  range->coded[1] = low < 0 ? PetscMin(high, FAR * range->typical)
                            : PetscMin(high, from + FAR * (range->typical - low));
}

PetscErrorCode CrShownRanges(const CrFilm *film, CrShownRange ranges[CR_SHOWN_FIELDS])
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < CR_SHOWN_FIELDS; k++) {
    ranges[k] = (CrShownRange){0};
    if (!CrShownIs(film, &CrShownTable[k], PETSC_TRUE)) continue;
    find_ends(film, &CrShownTable[k], &ranges[k]);
    PetscCall(find_typical(film, &CrShownTable[k], &ranges[k]));
    find_coded(&ranges[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
