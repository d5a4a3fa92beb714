/* Converts decks to JSON, and changes values that may change during a run. */
#include <string.h>
#include "library/internal.h"
#include "model/conditions.h"

/* ---- changes ------------------------------------------------------------------------------ */

/* The pair that the deck's entry N of `contact` made; NULL: there is none, or `key` is not contact.N.friction. */
static CrPair *find_pair(const CrRun *run, const char key[])
{
  const CrDeckNode *list = CrDeckFind(CrDeckRoot(run->deck), "contact");
  int               n = -1, end = 0;

  if (sscanf(key, "contact.%d.friction%n", &n, &end) != 1 || !end || key[end]) return NULL;
  if (!run->contact || n < 0 || n >= CrDeckCount(list) || n >= run->contact->npairs) return NULL;
  return &run->contact->pairs[n];
}

static PetscErrorCode set_friction(const CrRun *run, CrPair *pair, PetscReal value)
{
  PetscFunctionBeginUser;
  if (!(value >= 0) || PetscIsInfOrNanReal(value))
    CrInputFail("friction must be a number of at least 0, not %g", (double)value);
  if (pair->friction == 0 && value > 0)
    CrInputFail("pair \"%s\" started without friction, so its friction cannot change; give it "
                "a small coefficient in the deck",
                pair->name);
  if (run->integrator->ops->accepts & CR_RESTITUTION)
    CrInputFail("under method %s the friction coefficient cannot change during a simulation",
                run->integrator->ops->name);
  pair->friction = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The load that `key`, "conditions.NAME.factor", names by its name or its place in the deck's list; NULL: there is
   none. */
static CrCondition *find_load(const CrRun *run, const char key[])
{
  static const char head[] = "conditions.", tail[] = ".factor";
  const size_t      before = sizeof head - 1, after = sizeof tail - 1, length = strlen(key);
  char              number[32];

  if (length <= before + after || strncmp(key, head, before) || strcmp(key + length - after, tail))
    return NULL;
  for (PetscInt k = 0; k < run->model->nconditions; k++) {
    CrCondition *c = &run->model->conditions[k];
    const size_t n = length - before - after;

    snprintf(number, sizeof number, "%" PetscInt_FMT, k);
    if (strlen(c->name) == n && !strncmp(key + before, c->name, n)) return c;
    if (strlen(number) == n && !strncmp(key + before, number, n)) return c;
  }
  return NULL;
}

/* From now on the load has this factor, in place of its ramp, wave or table. */
static PetscErrorCode set_factor(CrCondition *c, PetscReal value)
{
  PetscFunctionBeginUser;
  if (PetscIsInfOrNanReal(value)) CrInputFail("the factor of a load must be a finite number");
  if (c->kind != CR_DEAD_LOAD && c->kind != CR_PRESSURE)
    CrInputFail("\"%s\" is not a force, traction or pressure; only the factor of a load can change",
                c->name);
  c->factor.kind = CR_WAVE;
  c->factor.mean = value;
  c->factor.amplitude = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_end(CrRun *run, PetscReal value)
{
  PetscFunctionBeginUser;
  if (!(value >= run->state->t) || PetscIsInfOrNanReal(value))
    CrInputFail("time.end = %g lies before the present time %g", (double)value,
                (double)run->state->t);
  PetscCall(CrScheduleSetEnd(&run->schedule, run->state->t, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode change(CrRun *run, const char key[], PetscReal value)
{
  CrPair      *pair = find_pair(run, key);
  CrCondition *load = find_load(run, key);

  PetscFunctionBeginUser;
  if (pair) PetscFunctionReturn(set_friction(run, pair, value));
  if (load) PetscFunctionReturn(set_factor(load, value));
  if (!strcmp(key, "time.end")) PetscFunctionReturn(set_end(run, value));
  if (!strncmp(key, "conditions.", 11) && strlen(key) > 7 &&
      !strcmp(key + strlen(key) - 7, ".factor"))
    CrInputFail("\"%s\": the deck has no condition of this name or number", key);
  CrInputFail("\"%s\" cannot change during a run (contact.N.friction, conditions.NAME.factor and "
              "time.end can); open another simulation with the new value",
              key);
}

int carom_set(carom_sim *sim, const char *key, double value)
{
  SimCall call;

  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  return SimLeave(sim, &call, change(sim->now.run, key ? key : "", value));
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* The deck as it is written; then the whole check, for its messages. */
static PetscErrorCode to_json(const char deck[], PetscInt nsets, const char *const sets[],
                              char **json)
{
  const PetscBool is_text = strchr(deck, '\n') ? PETSC_TRUE : PETSC_FALSE;
  CrDeck         *tree, *checked;

  PetscFunctionBeginUser;
  if (is_text)
    PetscCall(CrDeckParse("deck", deck, strlen(deck), nsets, sets, &tree));
  else
    PetscCall(CrDeckRead(PETSC_COMM_SELF, deck, nsets, sets, &tree));
  PetscCall(CrDeckToJson(tree, json));
  PetscCall(CrDeckDestroy(&tree));
  if (is_text)
    PetscCall(CrProblemParse("deck", deck, nsets, sets, &checked));
  else
    PetscCall(CrProblemRead(PETSC_COMM_SELF, deck, nsets, sets, &checked));
  PetscCall(CrDeckDestroy(&checked));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_deck(const char *deck, int nsets, const char *const *sets, char **json)
{
  PetscBool  up;
  CrLogBook *book, *before;
  int        status;

  if (!deck || !json || nsets < 0 || (nsets && !sets))
    return SimRefuse(NULL, "carom_deck needs a deck and a pointer to the text");
  *json = NULL;
  if (PetscInitialized(&up) || !up) return SimRefuse(NULL, "call carom_start first");
  book = CrLogBookCreate();
  before = CrLogBookOpen(book);
  CrErrorClear();
  status = SimReport(to_json(deck, nsets, sets, json));
  CrLogBookOpen(before);
  CrLogBookDestroy(&book);
  if (!status) return status;
  carom_free(*json);
  *json = NULL;
  return status;
}
