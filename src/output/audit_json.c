/* Writes audit.json, the summary of a run for scripts. Limits in the deck use the same numbers. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "output/internal.h"

typedef enum {
  FROM_REAL,
  FROM_COUNT,
  FROM_DRIFT, /* null unless the system is free */
  FROM_LEAST, /* null if there are no cells */
  FROM_CLOCK,
  FROM_BALANCE, /* over the greatest energy */
  FROM_PATH     /* the same; null unless the analysis is quasi-static */
} Source;

static const struct {
  const char *name;
  Source      source;
  size_t      offset; /* in CrAudit */
} numbers[] = {
    {"steps", FROM_COUNT, offsetof(CrAudit, step)},
    {"iterations", FROM_COUNT, offsetof(CrAudit, total_iterations)},
    {"wall_seconds", FROM_CLOCK, 0},
    {"energy_initial", FROM_REAL, offsetof(CrAudit, energy0)},
    {"energy_final", FROM_REAL, offsetof(CrAudit, energy)},
    {"energy_max_gain", FROM_REAL, offsetof(CrAudit, energy_max_gain)},
    {"balance_max_abs", FROM_REAL, offsetof(CrAudit, balance_max)},
    {"balance_relative", FROM_BALANCE, offsetof(CrAudit, balance_max)},
    {"path_error", FROM_PATH, offsetof(CrAudit, balance_max)},
    {"defect_max_abs", FROM_REAL, offsetof(CrAudit, defect_max)},
    {"momentum_drift", FROM_DRIFT, offsetof(CrAudit, momentum_drift)},
    {"angular_drift", FROM_DRIFT, offsetof(CrAudit, angular_drift)},
    {"friction_loss", FROM_REAL, offsetof(CrAudit, friction_loss)},
    {"dropped", FROM_REAL, offsetof(CrAudit, dropped)},
    {"plastic", FROM_REAL, offsetof(CrAudit, losses[CR_LOSS_PLASTIC])},
    {"viscous", FROM_REAL, offsetof(CrAudit, losses[CR_LOSS_VISCOUS])},
    {"drag", FROM_REAL, offsetof(CrAudit, drag)},
    {"contact_work", FROM_REAL, offsetof(CrAudit, contact_work)},
    {"max_penetration", FROM_REAL, offsetof(CrAudit, deepest)},
    {"overlap_ab", FROM_REAL, offsetof(CrAudit, overlap_ab)},
    {"overlap_ba", FROM_REAL, offsetof(CrAudit, overlap_ba)},
    {"unseen", FROM_REAL, offsetof(CrAudit, unseen)},
    {"unseen_pairs", FROM_COUNT, offsetof(CrAudit, unseen_pairs)},
    {"ghost_renewals", FROM_COUNT, offsetof(CrAudit, ghost_renewals)},
    {"max_contacts", FROM_COUNT, offsetof(CrAudit, max_contacts)},
    {"rejected_steps", FROM_COUNT, offsetof(CrAudit, rejected)},
    {"searched_steps", FROM_COUNT, offsetof(CrAudit, searched)},
    {"min_det_f", FROM_LEAST, offsetof(CrAudit, min_det_f)},
};

#define NNUMBERS ((PetscInt)(sizeof numbers / sizeof *numbers))

const char *CrAuditNameAt(PetscInt i)
{
  return i >= 0 && i < NNUMBERS ? numbers[i].name : NULL;
}

static const char *why_null(const CrModel *model, Source source)
{
  if (source == FROM_DRIFT && !model->is_free)
    return "momenta are not evaluated if loads, supports or obstacles act";
  if (source == FROM_PATH && !model->quasi_static)
    return "only quasi-static runs have a path error";
  if (source == FROM_LEAST && !model->nbodies) return "there is no deformable body";
  return NULL;
}

const char *CrAuditWhyNull(const CrModel *model, const char name[])
{
  for (PetscInt i = 0; i < NNUMBERS; i++)
    if (!strcmp(numbers[i].name, name)) return why_null(model, numbers[i].source);
  return NULL;
}

/* NaN stands for null. */
static PetscReal value_at(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                          PetscInt i)
{
  const char *place = (const char *)audit + numbers[i].offset;
  PetscReal   real;
  PetscInt    whole;

  if (why_null(model, numbers[i].source)) return NAN;
  if (numbers[i].source == FROM_CLOCK) return ending->wall_seconds;
  if (numbers[i].source == FROM_COUNT) {
    memcpy(&whole, place, sizeof whole);
    return whole;
  }
  memcpy(&real, place, sizeof real);
  if (numbers[i].source == FROM_BALANCE || numbers[i].source == FROM_PATH)
    return audit->energy_scale == 0 ? 0 : real / audit->energy_scale;
  return real;
}

PetscReal CrAuditValue(const CrModel *model, const CrAudit *audit, const CrEnding *ending,
                       const char name[])
{
  for (PetscInt i = 0; i < NNUMBERS; i++)
    if (!strcmp(numbers[i].name, name)) return value_at(model, audit, ending, i);
  return NAN;
}

/* What the page says about the method: it knows no other source. */
static PetscBool add_method(cJSON *object, const CrEnding *ending)
{
  cJSON *about = cJSON_AddObjectToObject(object, "method_info");

  return about && cJSON_AddStringToObject(about, "citation", ending->citation) &&
         cJSON_AddStringToObject(about, "help", ending->help) &&
         cJSON_AddBoolToObject(about, "balances", ending->balances);
}

static PetscBool add_warnings(cJSON *object, const CrEnding *ending)
{
  cJSON *list = cJSON_AddArrayToObject(object, "warnings");

  for (const char *s = ending->warnings; list && *s;) {
    size_t n = strcspn(s, "\n");
    char  *line = strndup(s, n);

    if (!line || !cJSON_AddItemToArray(list, cJSON_CreateString(line))) list = NULL;
    free(line);
    s += n + (s[n] == '\n');
  }
  return list != NULL;
}

/* Raw numbers: cJSON's own are printed with 15 digits when the last two hardly matter. */
static PetscBool add_number(cJSON *object, const char name[], PetscReal value)
{
  char text[40];

  snprintf(text, sizeof text, "%.17g", value);
  return cJSON_AddRawToObject(object, name, isfinite(value) ? text : "null") != NULL;
}

/* As many numbers as there are directions along a contact. */
static PetscBool add_along(cJSON *object, const PetscReal along[2])
{
  cJSON    *list = cJSON_AddArrayToObject(object, "points_along");
  PetscBool good = list != NULL;

  for (int i = 0; good && i < 2; i++)
    if (isfinite(along[i])) good = cJSON_AddItemToArray(list, cJSON_CreateNumber(round(along[i])));
  return good;
}

static PetscBool add_durations(cJSON *object, PetscReal least, PetscReal median)
{
  cJSON *steps = cJSON_AddObjectToObject(object, "steps_per_contact");

  return steps && add_number(steps, "least", least) && add_number(steps, "median", median);
}

static PetscBool add_pairs(cJSON *object, const CrResolved *r)
{
  cJSON    *list = cJSON_AddArrayToObject(object, "pairs");
  PetscBool good = list != NULL;

  for (PetscInt k = 0; good && k < r->npairs; k++) {
    const CrResolvedPair *p = &r->pairs[k];
    cJSON                *pair = cJSON_CreateObject();

    good = cJSON_AddItemToArray(list, pair) && cJSON_AddStringToObject(pair, "pair", p->name) &&
           add_durations(pair, p->least, p->median) && add_number(pair, "ripple", p->ripple) &&
           add_number(pair, "penetration_layers", p->layers);
  }
  return good;
}

static PetscBool add_resolution(cJSON *object, const CrModel *model, const CrResolved *r)
{
  cJSON *resolution = cJSON_AddObjectToObject(object, "resolution");

  return resolution && add_durations(resolution, r->least, r->median) &&
         add_number(resolution, "ripple", r->ripple) &&
         add_number(resolution, "penetration_layers", r->layers) &&
         add_number(resolution, "elements_per_step", r->crossed) &&
         add_along(resolution, r->along) && add_number(resolution, "facet_turn", r->turn) &&
         add_number(resolution, "volumetric_ratio", r->volumetric) &&
         add_number(resolution, "hourglass_ratio", r->hourglass) &&
         add_number(resolution, "size", model->size) && add_pairs(resolution, r);
}

/* On one line, so that scripts which compare two files can leave out all that the clock says. */
static PetscBool add_parts(cJSON *object, const double seconds[CR_PARTS])
{
  char   text[CR_PARTS * 48] = "{";
  size_t used = 1;

  for (CrPart k = 0; k < CR_PART_PAGE; k++) /* the page comes after this file */
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\"%s\": %.6g", k ? ", " : "",
                             CrPartName(k), seconds[k]);
  snprintf(text + used, sizeof text - used, "}");
  return cJSON_AddRawToObject(object, "wall_seconds_by_part", text) != NULL;
}

static PetscBool fill(cJSON *object, const CrModel *model, const CrAudit *audit,
                      const CrEnding *ending)
{
  if (!cJSON_AddBoolToObject(object, "completed", ending->completed)) return PETSC_FALSE;
  if (ending->failure && !cJSON_AddStringToObject(object, "failure", ending->failure))
    return PETSC_FALSE;
  if (!cJSON_AddStringToObject(object, "method", ending->method)) return PETSC_FALSE;
  for (PetscInt i = 0; i < NNUMBERS; i++)
    if (!add_number(object, numbers[i].name, value_at(model, audit, ending, i))) return PETSC_FALSE;
  return add_resolution(object, model, &ending->resolved) && add_parts(object, ending->by_part) &&
         add_method(object, ending) && add_warnings(object, ending);
}

PetscErrorCode CrAuditJsonWrite(const char dir[], const CrModel *model, const CrAudit *audit,
                                const CrEnding *ending)
{
  cJSON         *object = cJSON_CreateObject();
  char          *text = NULL;
  OutputFile     file = {0};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (object && fill(object, model, audit, ending)) text = cJSON_Print(object);
  cJSON_Delete(object);
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for audit.json");
  code = CrFileBegin(&file, dir, "audit.json");
  if (!code) code = CrFilePrint(&file, "%s\n", text);
  if (!code) code = CrFileEnd(&file);
  cJSON_free(text);
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}
