/* Decides about warnings of penetration, and whether a run must end because of it. */
#include <stdio.h>
#include "contact/overlap/internal.h"

/* Limits of unseen penetration, as parts of the smaller facet. A warning appears if it exceeds OFTEN in ROWS rows of
   the table, or ONCE in one row. */
#define OFTEN 0.05
#define ONCE  0.2
#define ROWS  3
#define DEEP                                                                                       \
  0.499 /* part of the smaller facet: contact of a free point begins only at lesser depths */
/* Penetration of a pressed point without a warning, as a part of a layer of elements: with a penalty of the deck, and
   with the automatic penalty. Under the automatic penalty, nodes that arrive at a quarter of the speed of sound briefly
   penetrate that deeply. No other penalty would be better. */
#define SOFT      0.05
#define SOFT_AUTO 0.1

/* ---- words ------------------------------------------------------------------------------------ */

#define WORDS 160

/* The name of a side of a look: a body, or an obstacle. */
static void name_side(const CrOverlaps *o, const CrLook *look, PetscInt shell, char name[WORDS])
{
  const CrModel *model = o->contact->model;

  if (shell >= 0)
    snprintf(name, WORDS, "%s", model->bodies[o->shells[shell]->surface->body].name);
  else if (look->obstacle)
    snprintf(name, WORDS, "%s", look->obstacle->name);
  else
    CrRigidName(model->rigid, look->body, name);
}

/* Describes a penetration in words: which side penetrates which, how deeply, where and when. */
static void describe(const CrOverlaps *o, const CrInside *in, PetscReal t, char text[3 * WORDS])
{
  const CrModel *model = o->contact->model;
  char           who[WORDS], whom[WORDS], node[64] = "a point", place[80];

  name_side(o, in->look, in->look->from, who);
  name_side(o, in->look, in->look->into, whom);
  if (in->node >= 0)
    snprintf(node, sizeof node, "%s %" PetscInt_FMT,
             in->look->kind == CR_EDGES_IN_SHELL || in->look->kind == CR_EDGES_IN_BODY
                 ? "an edge at node"
                 : "node",
             model->natural[o->shells[in->look->from]->surface->nodes[in->node]]);
  if (model->dim == 2)
    snprintf(place, sizeof place, "(%.4g, %.4g)", (double)in->place[0], (double)in->place[1]);
  else
    snprintf(place, sizeof place, "(%.4g, %.4g, %.4g)", (double)in->place[0], (double)in->place[1],
             (double)in->place[2]);
  snprintf(text, 3 * WORDS, "%s of %s lies %.3g (%.3g %% of a facet) inside %s at %s, t = %g", node,
           who, (double)in->beyond, (double)(100 * in->beyond / in->size), whom, place, (double)t);
}

/* ---- verdicts --------------------------------------------------------------------------------- */

/* Bodies that overlap at the start are usually a mistake of the deck, because no force pushes them out. Walls hold nodes
   at any depth. Facets and rigid bodies hold only nodes near their surface. */
static void warn_of_start(const CrOverlaps *o, PetscInt k, const CrInside *first, PetscReal t)
{
  const PetscBool deep = first->beyond > DEEP * first->size && !first->look->obstacle;
  char            text[3 * WORDS];

  describe(o, first, t, text);
  if (deep)
    CrWarn(
        "pair \"%s\" starts with an overlap of %g, deeper than half a facet. Contact begins "
        "only at points that are less deep, so the bodies may sink deeper: %s; move the bodies apart",
        o->contact->pairs[k].name, (double)first->beyond, text);
  else
    CrWarn("pair \"%s\" starts with an overlap of %g, which stays and exerts no force "
           "(`overlap: keep`): %s; move the bodies apart, or set `overlap: resolve`",
           o->contact->pairs[k].name, (double)first->beyond, text);
  o->contact->work->notes[k].told = PETSC_TRUE;
}

/* The first row. If contact may not begin, the next row decides, because the first step shows which points are held. */
static void judge_start(CrOverlaps *o, PetscInt k, PetscReal t)
{
  CrPairOverlap  *pair = &o->pairs[k];
  const CrInside *first = &pair->first;

  if (!(first->beyond > OFTEN * first->size)) return;
  if (first->beyond > DEEP * first->size && !first->look->obstacle && !o->allowed) {
    pair->buried = *first;
    pair->since = t;
    o->contact->work->notes[k].told = PETSC_TRUE; /* or refused, at the next row */
  } else if (!o->contact->pairs[k].resolve)
    warn_of_start(o, k, first, t);
}

/* Does contact hold a point of the pair? It does if it knows the overlap of the point, or sees it. */
static PetscErrorCode is_anything_held(const CrOverlaps *o, PetscInt pair, PetscBool *held)
{
  const CrContact *c = o->contact;

  PetscFunctionBeginUser;
  *held = PETSC_FALSE;
  for (PetscInt k = o->pass_start[pair]; k < o->pass_start[pair + 1]; k++) {
    const CrPass *p = &c->passes[o->passes[k]];

    for (PetscInt i = p->first; i < p->first + p->n; i++)
      if (c->past.overlap[i] < 0 || CrPointIsSeen(o, i)) *held = PETSC_TRUE;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, held, 1, MPIU_BOOL, MPI_LOR, c->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The row after the first one. Refuses bodies that start so deep in each other that contact does not begin at any
   point: they would pass through each other without a force. */
static PetscErrorCode judge_buried(CrOverlaps *o, PetscInt k)
{
  CrPairOverlap *pair = &o->pairs[k];
  const CrInside in = pair->buried;
  PetscBool      held;
  char           text[3 * WORDS];

  PetscFunctionBeginUser;
  if (!(in.beyond > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  pair->buried.beyond = 0;
  PetscCall(is_anything_held(o, k, &held));
  if (held) {
    if (!o->contact->pairs[k].resolve) warn_of_start(o, k, &in, pair->since);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  describe(o, &in, pair->since, text);
  CrDeckFail(
      o->contact->pairs[k].entry,
      "pair \"%s\" starts with an overlap of %g. It is deeper than half a facet, so contact "
      "does not begin, and no force would hold the bodies: %s. Move the bodies apart, or set "
      "a limit `audit: {max_penetration: ...}` to allow this depth.%s",
      o->contact->pairs[k].name, (double)in.beyond, text,
      o->contact->pairs[k].resolve
          ? " `overlap: resolve` removes only overlaps of less than half a facet."
          : "");
}

static void warn_of_unseen(CrOverlaps *o, PetscInt k, PetscReal t)
{
  const CrInside *worst = &o->pairs[k].worst;
  PetscInt       *counts = o->counts + CR_COUNTS * k;
  char            text[3 * WORDS];

  if (counts[CR_COUNT_UNSEEN] || !(worst->beyond > OFTEN * worst->size)) return;
  counts[CR_COUNT_ROWS]++;
  if (counts[CR_COUNT_ROWS] < ROWS && !(worst->beyond > ONCE * worst->size)) return;
  counts[CR_COUNT_UNSEEN] = 1;
  describe(o, worst, t, text);
  CrWarn("pair \"%s\": %s, and no contact force acts there%s", o->contact->pairs[k].name, text,
         o->contact->sweeps && !o->contact->closes
             ? "; between deformable bodies `closing: yes` may hold it"
             : "");
}

/* Under `explicit` a pressed node keeps the depth at which its contact began, unless gaps are closed. */
static void warn_of_kept(CrOverlaps *o, PetscInt k, PetscReal t)
{
  const CrInside *pressed = &o->pairs[k].pressed;
  char            text[3 * WORDS];

  if (!o->contact->sweeps || o->contact->closes || o->counts[CR_COUNTS * k + CR_COUNT_SOFT]) return;
  if (!(pressed->beyond > OFTEN * pressed->size)) return;
  o->counts[CR_COUNTS * k + CR_COUNT_SOFT] = 1;
  describe(o, pressed, t, text);
  CrWarn("pair \"%s\": %s; contact keeps this depth; between deformable bodies `closing: yes` "
         "removes such penetrations",
         o->contact->pairs[k].name, text);
}

/* The penalty at which the same pressure penetrates by SOFT of a layer. It is not less than the automatic penalty. */
static PetscReal stiff_enough(const CrPair *pair, PetscReal depth)
{
  return PetscMax(pair->kn_auto, pair->kn_set * depth / (SOFT * pair->layer));
}

static void warn_of_soft(CrOverlaps *o, PetscInt k, PetscReal t)
{
  const CrPair   *pair = &o->contact->pairs[k];
  const CrInside *pressed = &o->pairs[k].pressed;
  const PetscReal limit = pair->kn_set == pair->kn_auto ? SOFT_AUTO : SOFT;
  char            text[3 * WORDS];

  if (!o->springs || o->counts[CR_COUNTS * k + CR_COUNT_SOFT]) return;
  if (!(pair->layer > 0 && pressed->beyond > limit * pair->layer)) return;
  o->counts[CR_COUNTS * k + CR_COUNT_SOFT] = 1;
  describe(o, pressed, t, text);
  CrWarn(
      "pair \"%s\": %s; this depth is %.3g %% of the height of the elements there, because normal_penalty %.3g is too soft; set normal_penalty to about %.2g",
      pair->name, text, (double)(100 * pressed->beyond / pair->layer), (double)pair->kn_set,
      (double)stiff_enough(pair, pressed->beyond));
}

static void fail_if_through(CrOverlaps *o, PetscInt k, PetscReal t)
{
  const CrInside *in = &o->pairs[k].through;
  char            text[3 * WORDS];

  if (o->allowed || o->failure[0] || !(in->beyond > 0)) return;
  describe(o, in, t, text);
  if (!(in->beyond > in->half))
    snprintf(
        o->failure, sizeof o->failure,
        "pair \"%s\": %s, near the middle of the body there, whose half thickness is %.3g: one "
        "part passes through another; to allow this depth, set a limit `audit: "
        "{max_penetration: ...}`",
        o->contact->pairs[k].name, text, (double)in->half);
  else
    snprintf(
        o->failure, sizeof o->failure,
        "pair \"%s\": %s, more than %.3g, half of the thinner body there; to allow this depth, set a limit `audit: {max_penetration: ...}`",
        o->contact->pairs[k].name, text, (double)in->half);
  CrWarn("%s", o->failure);
}

PetscErrorCode CrOverlapsJudge(CrOverlaps *o, PetscReal t)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    PetscCall(judge_buried(o, k));
    judge_start(o, k, t);
    warn_of_unseen(o, k, t);
    warn_of_soft(o, k, t);
    warn_of_kept(o, k, t);
    fail_if_through(o, k, t);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *CrOverlapsFailure(const CrOverlaps *o)
{
  return o->failure[0] ? o->failure : NULL;
}

/* ---- the audit -------------------------------------------------------------------------------- */

CrOverlapSums CrOverlapsGreatest(const CrOverlaps *o)
{
  CrOverlapSums sums = {0};

  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    const PetscBool swapped = o->contact->pairs[k].swapped;

    sums.ab = PetscMax(sums.ab, o->greatest[3 * k + swapped]);
    sums.ba = PetscMax(sums.ba, o->greatest[3 * k + !swapped]);
    sums.unseen = PetscMax(sums.unseen, o->greatest[3 * k + 2]);
    sums.warned += o->counts[CR_COUNTS * k + CR_COUNT_UNSEEN];
  }
  return sums;
}

/* The pair with the greatest overlap, then the greatest unseen overlap of all pairs. */
void CrOverlapsDescribe(const CrOverlaps *o, char text[], size_t size)
{
  PetscReal deepest = -1;
  PetscInt  pair = -1;
  int       n = 0, ways = 0;

  for (PetscInt k = 0; k < o->nlooks; k++) {
    const PetscReal *g = o->greatest + 3 * o->looks[k].pair;

    if (!(PetscMax(g[0], g[1]) > deepest)) continue;
    deepest = PetscMax(g[0], g[1]);
    pair = o->looks[k].pair;
  }
  text[0] = 0;
  for (PetscInt k = 0; k < o->nlooks; k++) {
    const CrLook *look = &o->looks[k];
    char          who[WORDS], whom[WORDS];

    if (look->pair != pair || ways & (1 << look->way)) continue;
    ways |= 1 << look->way;
    name_side(o, look, look->from, who);
    name_side(o, look, look->into, whom);
    n += snprintf(text + n, size - (size_t)n, "%.3e %s in %s, ",
                  (double)o->greatest[3 * pair + look->way], who, whom);
    if (n >= (int)size) return;
  }
  if (pair >= 0)
    snprintf(text + n, size - (size_t)n, "unseen %.3g", (double)CrOverlapsGreatest(o).unseen);
}
