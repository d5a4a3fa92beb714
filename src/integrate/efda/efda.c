/* EFDA, energy consistent impact and friction of rigid bodies [BPA], in the form of theory 18.

   Coulomb's law and complementarity are written in the velocity of the middle of a step,
   v_m = (v_n + v_{n+1})/2: then energy is lost by slip alone, whatever the positions do. Impacts are
   resolved in time: flight or guided motion up to the instant, the impact, and on; so that free impacts do
   not depend on the step at all. `variant: penalty` is the source's own way: one step through the impact,
   positions by a spring and a dashpot.

   | paper | here |
   | F_N, F_T | p = h F/2, half the impulse |
   | psi2 | shift/(h p), displacement along the normal |
   | Omega, S | omega, s |

   What differs from the printed text (factor 1/2 of its Eq. 8, lever arms that keep angular momentum, the
   impulse of the contact instead of the body's change of momentum) is in theory 18.8. */
#include <string.h>
#include "integrate/efda/efda.h"

#define DISPARATE 100 /* ratio of masses from which contacts are solved together, not one by one */

/* ---- options ------------------------------------------------------------------------------------------- */

static const CrKey options[] = {
    {"variant", CR_WORD, "instant", "instant|penalty",
     .help = "impacts at their instant, or a spring and dashpot in one step"},
    {"settling", CR_TRUTH, "true",
     .help = "small residues of velocity in contacts that hold are taken out"},
    {"splitting", CR_TRUTH, "true", .help = "steps are split at impacts of guided bodies"},
    {"impacts", CR_WORD, "simultaneous", "simultaneous|sequential",
     .help = "touching bodies that are struck: all at once, or one contact after the other"},
    {"tangential_restitution", CR_REAL, "1", .range = "[0,1]",
     .help = "what of the slip of an impact within the cone is turned back"},
    {"omega", CR_REAL, "2", .range = "(0,inf)", .help = "penalty: h sqrt(K w), stiffness"},
    {"s", CR_REAL, "1", .range = "[0,inf)", .help = "penalty: psi1 + psi2, damping"},
    {"engine", CR_WORD, "auto", "auto|few|many",
     .help = "many: impacts over the step, for piles; auto: from 51 bodies on, "
             "or 11 with corners"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Efda             *e = it->data;
  const CrDeckNode *engine = CrDeckFind(time, "engine");

  PetscFunctionBeginUser;
  e->penalty = CrDeckIsWord(CrDeckFind(time, "variant"), "penalty");
  e->settling = CrDeckTruth(CrDeckFind(time, "settling"));
  e->splitting = CrDeckTruth(CrDeckFind(time, "splitting"));
  e->sequential = CrDeckIsWord(CrDeckFind(time, "impacts"), "sequential");
  e->tangential = CrDeckReal(CrDeckFind(time, "tangential_restitution"));
  e->omega = CrDeckReal(CrDeckFind(time, "omega"));
  e->s = CrDeckReal(CrDeckFind(time, "s"));
  e->engine_node = engine;
  e->engine = CrDeckIsWord(engine, "few") ? 1 : CrDeckIsWord(engine, "many") ? 2 : 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- life ------------------------------------------------------------------------------------------------ */

/* So much that Gauss-Seidel will not do. */
static PetscBool masses_differ(const CrRigid *r)
{
  PetscReal least = PETSC_MAX_REAL, most = 0;

  for (PetscInt b = 0; b < r->n; b++) {
    least = PetscMin(least, r->mass[b]);
    most = PetscMax(most, r->mass[b]);
  }
  return most > DISPARATE * least;
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Efda    *e = it->data;
  PetscInt n = model->rigid->n, o = it->contact ? it->contact->nobstacles : 0;

  PetscFunctionBeginUser;
  (void)state;
  e->model = model;
  e->rigid = model->rigid;
  e->contact = it->contact;
  PetscCall(CrRigidStateCreate(n, &e->now));
  PetscCall(CrRigidStateCreate(n, &e->trial));
  PetscCall(CrRigidStateCreate(n, &e->base));
  PetscCall(CrTallyCreate(it->contact ? it->contact->npairs : 0, &e->part.tally));
  PetscCall(CrTallyCreate(it->contact ? it->contact->npairs : 0, &e->total.tally));
  PetscCall(PetscCalloc7(n, &e->bodies, n, &e->poses, 3 * n, &e->load, n, &e->roots, o, &e->balls,
                         6 * n, &e->dx, 3 * n, &e->last));
  for (PetscInt k = 0; k < o; k++) {
    PetscReal r = it->contact->obstacles[k].radius;

    e->balls[k] = (CrShape){.kind = CR_SHAPE_BALL, .dim = model->dim, .radius = r, .reach = r};
    for (PetscInt i = 0; i < model->dim; i++) e->balls[k].axes[i] = r;
  }
  e->size = PETSC_MAX_REAL;
  for (PetscInt b = 0; b < n; b++) {
    PetscReal reach = e->rigid->shapes[e->rigid->shape[b]].reach;

    if (reach > 0) e->size = PetscMin(e->size, reach);
  }
  if (e->size == PETSC_MAX_REAL) e->size = PetscMax(model->size, 1e-300); /* points only */
  if (it->contact) {
    PetscInt slides = it->contact->nslides;

    PetscCall(PetscCalloc3(4 * slides, &e->slide, 3 * slides, &e->undo, slides, &e->undo_slid));
  }
  if (masses_differ(e->rigid)) PetscCall(EfdaTogetherCreate(e));
  PetscCall(EfdaManySetUp(e));
  if (e->engine == 2 && !e->pile) PetscCall(EfdaHeapSetUp(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  PetscCall(EfdaManyDestroy(e));
  PetscCall(EfdaHeapDestroy(e));
  PetscCall(EfdaTogetherDestroy(e));
  PetscCall(CrRigidStateDestroy(&e->now));
  PetscCall(CrRigidStateDestroy(&e->trial));
  PetscCall(CrRigidStateDestroy(&e->base));
  PetscCall(CrTallyDestroy(&e->part.tally));
  PetscCall(CrTallyDestroy(&e->total.tally));
  PetscCall(PetscFree7(e->bodies, e->poses, e->load, e->roots, e->balls, e->dx, e->last));
  PetscCall(PetscFree(e->candidates));
  PetscCall(PetscFree(e->contacts));
  PetscCall(PetscFree(e->kept));
  PetscCall(PetscFree(e->previous));
  PetscCall(PetscFree(e->events));
  PetscCall(PetscFree(e->packed));
  PetscCall(PetscFree3(e->slide, e->undo, e->undo_slid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

#define KEPT_INTS  4
#define KEPT_REALS 8
#define PACKED     (KEPT_INTS + 2 * KEPT_REALS)

/* A list of integers is what an archive takes of unknown length: two for each real, bit by bit. */
static void pack_real(PetscReal x, PetscInt *two)
{
  int32_t words[2];

  memcpy(words, &x, sizeof words);
  two[0] = words[0], two[1] = words[1];
}

static PetscReal unpack_real(const PetscInt *two)
{
  int32_t   words[2] = {(int32_t)two[0], (int32_t)two[1]};
  PetscReal x;

  memcpy(&x, words, sizeof words);
  return x;
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *a)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  if (e->pile) {
    PetscCall(CrPileArchive(e->pile, a));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  e->npacked = PACKED * e->nprevious;
  PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)PetscMax(1, e->npacked), &e->packed));
  for (PetscInt k = 0; k < e->nprevious; k++) {
    const EfdaKept *kept = &e->previous[k];
    PetscInt       *to = e->packed + PACKED * k;

    to[0] = kept->body, to[1] = kept->other, to[2] = kept->wall, to[3] = kept->key;
    for (int i = 0; i < 4; i++) pack_real(kept->force[i], to + KEPT_INTS + 2 * i);
    pack_real(kept->spring, to + KEPT_INTS + 8);
    for (int i = 0; i < 3; i++) pack_real(kept->arm[i], to + KEPT_INTS + 10 + 2 * i);
  }
  PetscCall(CrArchiveAddList(a, "efda.contacts", &e->npacked, &e->packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  (void)model;
  (void)state;
  if (e->pile) {
    PetscCall(CrPileResume(e->pile));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  EfdaHeapForget(e);
  e->nprevious = e->npacked / PACKED;
  if (e->nprevious > e->previous_room) {
    e->previous_room = e->nprevious;
    PetscCall(PetscRealloc(sizeof(EfdaKept) * (size_t)e->previous_room, &e->previous));
  }
  for (PetscInt k = 0; k < e->nprevious; k++) {
    const PetscInt *from = e->packed + PACKED * k;
    EfdaKept       *kept = &e->previous[k];

    kept->body = from[0], kept->other = from[1], kept->wall = from[2], kept->key = from[3];
    for (int i = 0; i < 4; i++) kept->force[i] = unpack_real(from + KEPT_INTS + 2 * i);
    kept->spring = unpack_real(from + KEPT_INTS + 8);
    for (int i = 0; i < 3; i++) kept->arm[i] = unpack_real(from + KEPT_INTS + 10 + 2 * i);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step: scales ------------------------------------------------------------------------------------ */

/* What small means in this step. */
void EfdaSetScales(Efda *e, PetscReal h)
{
  const CrRigid *r = e->rigid;

  e->a = e->speed = e->length = 0;
  for (PetscInt b = 0; b < r->n; b++) {
    PetscReal spin[3], reach = r->shapes[r->shape[b]].reach;

    CrRigidSpin(r, e->now, b, spin);
    e->a = PetscMax(e->a, v_length(e->load + 3 * b));
    e->speed = PetscMax(e->speed, v_length(e->now->v + 3 * b) + reach * v_length(spin));
    e->length = PetscMax(e->length, v_length(e->now->x + 3 * b) + reach);
  }
  for (PetscInt o = 0; e->contact && o < e->contact->nobstacles; o++) {
    PetscReal v[3];

    EfdaWallVelocity(e, &(EfdaCandidate){.other = -1, .obstacle = o}, e->t, h, v);
    e->speed = PetscMax(e->speed, v_length(v));
  }
  e->speed += h * e->a;
  e->h = h;
  e->close = PetscMax(1e-3 * h * h * e->a, 1e-12 * e->length);
  e->rest = 2 * h * e->a;
}

/* ---- the step: penalty -------------------------------------------------------------------------------------- */

/* Whoever overlaps, now or at the end of free motion, takes part in the whole step. */
static PetscErrorCode step_penalty(Efda *e, PetscReal h, PetscBool *good)
{
  PetscInt k = -1;

  PetscFunctionBeginUser;
  PetscCall(EfdaCollect(e, h));
  e->striking = PETSC_FALSE;
  for (PetscInt c = 0; c < e->ncontacts; c++) {
    e->contacts[c].held = e->contacts[c].closed;
    e->contacts[c].strikes = PETSC_FALSE;
  }
  for (PetscInt more = 0; more <= e->ncontacts; more++) {
    for (PetscInt c = 0; c < e->ncontacts; c++)
      if (e->contacts[c].held && e->contacts[c].rate0 < -PetscMax(e->rest, 1e-12 * e->speed))
        e->contacts[c].strikes = e->striking = PETSC_TRUE;
    PetscCall(EfdaGuide(e, h, good));
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
    k = EfdaFindCrossing(e, h, 0);
    if (k < 0) break;
    e->contacts[k].held = PETSC_TRUE;
  }
  PetscCall(EfdaAccept(e, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ------------------------------------------------------------------------------------------------- */

/* A step that fails after some of its parts were accepted has done nothing. */
static void remember(Efda *e, PetscBool back)
{
  CrContact *c = e->contact;

  if (!c) return;
  for (PetscInt k = 0; k < 3 * c->nslides; k++) {
    if (back)
      c->slides[k] = e->undo[k];
    else
      e->undo[k] = c->slides[k];
  }
  for (PetscInt k = 0; k < c->nslides; k++) {
    if (back)
      c->slid[k] = e->undo_slid[k];
    else
      e->undo_slid[k] = c->slid[k];
  }
}

/* By the engine that resolves impacts, or by that for many bodies of any shape. */
static PetscErrorCode step_bodies(Efda *e, CrState *state, PetscReal h, PetscBool *good)
{
  PetscFunctionBeginUser;
  remember(e, PETSC_FALSE);
  PetscCall(CrRigidStateCopy(state->rigid, e->now));
  EfdaSetScales(e, h);
  if (!e->heap) PetscCall(EfdaFindCandidates(e, h));
  if (e->heap)
    PetscCall(EfdaHeapStep(e, h, good));
  else if (e->penalty)
    PetscCall(step_penalty(e, h, good));
  else
    PetscCall(EfdaStepInstant(e, h, good));
  if (!*good) {
    remember(e, PETSC_TRUE);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrRigidStateCopy(e->now, state->rigid));
  if (e->heap)
    EfdaHeapEnterGaps(e);
  else
    EfdaEnterGaps(e, e->now, state->t + h);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Efda     *e = it->data;
  PetscBool good = PETSC_TRUE;

  PetscFunctionBeginUser;
  e->nevents = e->passes = 0;
  EfdaWorkBegin(&e->total);
  e->t = state->t;
  CrRigidAccelerationsOver(model, state->t + h / 2, h, e->load);
  if (e->pile)
    PetscCall(EfdaManyStep(e, state, h));
  else
    PetscCall(step_bodies(e, state, h, &good));
  if (!good) {
    report->reason = CR_FAIL_METHOD;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  state->n++;
  state->t += h;
  report->iterations = e->passes;
  report->contact_work = e->total.contact_work;
  report->external_work = e->total.external_work;
  report->nevents = e->nevents;
  report->events = e->events;
  CrTallyReport(&e->total.tally, report);
  if (!e->contact) PetscFunctionReturn(PETSC_SUCCESS);
  CrTallyBegin(&e->contact->tally);
  CrTallyAdd(&e->contact->tally, &e->total.tally);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies as they stand, at rest for the search. */
static PetscErrorCode deepest(CrIntegrator *it, const CrModel *model, const CrState *state,
                              PetscReal *depth)
{
  Efda *e = it->data;

  PetscFunctionBeginUser;
  (void)model;
  e->t = state->t;
  if (e->pile) {
    PetscCall(EfdaManyDeepest(e, state, depth));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrRigidStateCopy(state->rigid, e->now));
  EfdaSetScales(e, 0);
  EfdaWorkBegin(&e->total);
  if (e->heap) {
    PetscCall(EfdaHeapLook(e));
    EfdaHeapEnterGaps(e);
  } else {
    PetscCall(EfdaFindCandidates(e, 0));
    EfdaEnterGaps(e, e->now, e->t);
  }
  *depth = e->total.tally.total.max_penetration;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_efda = {
    .name = "efda",
    .citation = "Bravo and Perez-Aparicio [BPA]",
    .help = "rigid bodies: impact, slip, stick and rolling with exact energy",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_RIGID | CR_CONTACT | CR_RESTITUTION,
    .data_size = sizeof(Efda),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .deepest = deepest,
    .archive = archive,
    .resume = resume,
    .destroy = destroy,
};
