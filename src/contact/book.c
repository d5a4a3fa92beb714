/* Adds impulses of pairs and reactions of obstacles to the history when a step is accepted, and computes filtered
   forces. */
#include "base/vector.h"
#include "contact/pairs/pairs.h"
#include "contact/rigid_pairs.h"
#include "model/reactions.h"

#define TRANSITS 4 /* the window: how often a wave crosses the layer of elements at the contact */

/* ---- the window --------------------------------------------------------------------------- */

/* The body with the smaller bounding box decides, by the layer of elements at its surface. */
static void choose_window(const CrContact *c, CrPair *pair, const CrSurface *surface,
                          PetscReal *smallest)
{
  const CrBody *body = surface ? &c->model->bodies[surface->body] : NULL;

  if (!body || !(body->size < *smallest)) return;
  *smallest = body->size;
  pair->filter = TRANSITS * surface->layer / CrMaterialWaveSpeed(body->material);
}

void CrContactSetFilter(CrContact *c, PetscReal seconds)
{
  PetscReal least = PETSC_MAX_REAL, most = 0;

  for (PetscInt k = 0; k < c->npairs; k++) {
    PetscReal smallest = PETSC_MAX_REAL;

    c->pairs[k].filter = PetscMax(seconds, 0);
    for (PetscInt p = 0; p < c->npasses; p++) {
      if (seconds >= 0 || c->model->quasi_static || c->passes[p].pair != k) continue;
      choose_window(c, &c->pairs[k], c->passes[p].slave, &smallest);
      choose_window(c, &c->pairs[k], c->passes[p].master, &smallest);
    }
    least = PetscMin(least, c->pairs[k].filter);
    most = PetscMax(most, c->pairs[k].filter);
  }
  if (!(most > 0)) return;
  CrLog("filtered contact forces are averages over the time %.4g%s", (double)least,
        least < most ? "" : "\n");
  if (least < most) CrLog(" to %.4g\n", (double)most);
}

/* ---- a step ------------------------------------------------------------------------------- */

/* Adds force, moment, impulse and work of a pair to the reaction of its obstacle. The force is the impulse divided by
   its time span, a mean over the step. */
static void book_obstacle(const CrContact *c, PetscInt row, const CrTallySums *sums,
                          const PetscReal impulse[CR_LAST_REALS], PetscReal span,
                          CrReactions *reactions)
{
  CrReaction *r = &reactions->now[row];

  v_add(r->impulse, 1, impulse);
  r->work += sums->drive;
  if (c->model->quasi_static) { /* equilibrium holds at the end of the step */
    v_add(r->force, 1, sums->force);
    v_add(r->moment, 1, sums->moment);
  } else {
    v_add(r->force, 1 / span, impulse);
    v_add(r->moment, 1 / span, impulse + 6);
  }
}

void CrContactBook(CrContact *c, const CrStepSpan *step, CrContactHistory *h,
                   CrReactions *reactions)
{
  for (PetscInt k = 0; k < c->npairs; k++) {
    const CrTallySums *sums = &c->picture->tally.pairs[k];
    PetscReal         *last = h->impulses.last + CR_LAST_REALS * k, now[CR_LAST_REALS];
    PetscReal          impulse[CR_LAST_REALS];

    v_copy(sums->force, now);
    v_copy(sums->normal, now + 3);
    v_copy(sums->moment, now + 6);
    for (int i = 0; i < CR_LAST_REALS; i++) {
      impulse[i] = step->now * now[i] + step->before * last[i];
      last[i] = now[i];
    }
    CrImpulsesAdd(&h->impulses, k, c->pairs[k].filter, step->t, step->h, impulse);
    if (c->pairs[k].obstacle >= 0)
      book_obstacle(c, reactions->nsupports + c->pairs[k].obstacle, sums, impulse,
                    step->now + step->before, reactions);
  }
}

/* ---- obstacles ---------------------------------------------------------------------------- */

void CrPairsFindObstacles(CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++) c->pairs[k].obstacle = -1;
  for (PetscInt k = 0; k < c->npasses; k++)
    if (c->passes[k].obstacle)
      c->pairs[c->passes[k].pair].obstacle = (PetscInt)(c->passes[k].obstacle - c->obstacles);
  for (PetscInt k = 0; k < c->nrigid; k++)
    if (c->rigid[k].obstacle >= 0) c->pairs[c->rigid[k].pair].obstacle = c->rigid[k].obstacle;
}

const char *CrObstacleNameAt(const void *contact, PetscInt k)
{
  return ((const CrContact *)contact)->obstacles[k].name;
}
