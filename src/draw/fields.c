/* The field that a picture shows: its name, its unit, and the range of its colours. */
#include <math.h>
#include <string.h>
#include "draw/picture.h"

typedef struct {
  const char *word, *label;
  CrUnit      unit;
} FieldName;

static const FieldName names[CR_FILM_FIELDS] = {
    [CR_FILM_DISPLACEMENT] = {"displacement", "displacement", CR_UNIT_LENGTH},
    [CR_FILM_VELOCITY] = {"velocity", "velocity", CR_UNIT_VELOCITY},
    [CR_FILM_VON_MISES] = {"von-mises", "von Mises stress", CR_UNIT_STRESS},
    [CR_FILM_PRESSURE] = {"pressure", "contact pressure", CR_UNIT_STRESS},
    [CR_FILM_STATUS] = {"status", "contact", CR_UNIT_NONE},
    [CR_FILM_PLASTIC_STRAIN] = {"plastic_strain", "plastic strain", CR_UNIT_NONE},
    [CR_FILM_PLASTIC_WORK] = {"plastic_work", "plastic work per volume", CR_UNIT_STRESS},
    [CR_FILM_VISCOUS_WORK] = {"viscous_work", "viscous work per volume", CR_UNIT_STRESS},
    [CR_FILM_TEMPERATURE_RISE] = {"temperature_rise", "rise of temperature", CR_UNIT_NONE},
};

const char *CrFieldLabel(PetscInt field)
{
  return names[field].label;
}

const char *CrFieldUnit(const CrUnits *units, PetscInt field)
{
  return units->label[names[field].unit];
}

PetscErrorCode CrFieldChoose(const CrFilm *film, const char word[], PetscInt *field)
{
  static const PetscInt order[] = {CR_FILM_VON_MISES, CR_FILM_VELOCITY, CR_FILM_DISPLACEMENT};
  const char           *words[CR_FILM_FIELDS + 1] = {[CR_FILM_FIELDS] = "none"};
  char                  hint[CR_HINT];

  PetscFunctionBeginUser;
  *field = -1;
  if (!word) {
    /* rigid bodies alone have no stress and at rest no velocity: each gets a colour */
    for (int k = 2; k >= 0 && film->first_rigid_node > 0; k--)
      if (film->field[order[k]]) *field = order[k];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!strcmp(word, "none")) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < CR_FILM_FIELDS; k++) {
    words[k] = names[k].word;
    if (!strcmp(word, words[k]) || !strcmp(word, CrFilmFieldTable[k].name)) *field = k;
  }
  if (*field < 0)
    CrInputFail(
        "--field %s: expected displacement, velocity, von-mises, pressure, status, plastic_strain, "
        "plastic_work, viscous_work, temperature_rise or none%s",
        word, CrNameHint(word, CR_FILM_FIELDS + 1, words, "", hint));
  if (!film->field[*field])
    CrInputFail("--field %s: the frames of this run do not contain this field (output.fields)",
                word);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Widens the range by the values of frames first..last-1 of a film. */
static void widen(Drawing *d, const CrFilm *film, PetscInt first, PetscInt last)
{
  for (PetscInt k = first * film->nnodes; k < last * film->nnodes; k++) {
    const PetscReal v = film->field[d->field][k];

    if (!isfinite(v)) continue;
    d->least = PetscMin(d->least, v);
    d->greatest = PetscMax(d->greatest, v);
  }
}

void CrFieldRange(Drawing *d)
{
  CrTicks ticks;

  if (d->field == CR_FILM_STATUS || d->asked->range == CR_RANGE_GIVEN) {
    d->least = d->field == CR_FILM_STATUS ? 0 : d->asked->least;
    d->greatest = d->field == CR_FILM_STATUS ? 3 : d->asked->greatest;
    return;
  }
  d->least = PETSC_MAX_REAL;
  d->greatest = -PETSC_MAX_REAL;
  if (d->asked->range == CR_RANGE_RUN) widen(d, d->run.film, 0, d->run.film->nframes);
  for (PetscInt k = 0; d->asked->range == CR_RANGE_FRAME && k < d->npanels; k++)
    widen(d, d->panels[k]->film, d->panels[k]->frame, d->panels[k]->frame + 1);
  if (d->least > d->greatest) d->least = d->greatest = 0;
  /* sizes begin at zero unless they hardly vary */
  if (d->least > 0 && d->least < 0.5 * d->greatest) d->least = 0;
  if (d->least == 0 && d->greatest == 0) d->greatest = 1;
  ticks = CrTicksMake(d->least, d->greatest, 10, PETSC_TRUE);
  d->least = ticks.least;
  d->greatest = ticks.greatest;
}

void CrFieldMap(Drawing *d)
{
  CrMapFill(d->map);
  if (d->field != CR_FILM_STATUS) return;
  for (PetscInt k = 0; k < CR_MAP_SIZE; k++)
    memcpy(d->map[k], CrStatusColours[(k * 3 + CR_MAP_SIZE / 2) / CR_MAP_SIZE], sizeof(CrColour));
}
