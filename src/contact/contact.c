/* Creates, destroys and archives the contact of a model, with its history and its work space. */
#include "base/lazy.h"
#include "contact/division.h"
#include "contact/lift.h"
#include "contact/pairs/pairs.h"
#include "contact/stage.h"

/* ---- life ----------------------------------------------------------------------------------- */

static PetscErrorCode create_scratch(CrContact *c)
{
  PetscInt          n = c->npoints, m = c->model->nlocal, ndofs = m * c->model->dim, facets = 0;
  CrContactWork    *w;
  CrContactPicture *p;

  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < c->model->nsets; s++)
    if (c->surfaces[s]) facets = PetscMax(facets, c->surfaces[s]->nfacets);
  for (PetscInt k = 0; k < c->nridges; k++) facets = PetscMax(facets, c->ridges[k]->n);
  PetscCall(PetscNew(&w));
  PetscCall(PetscNew(&p));
  c->work = w;
  c->picture = p;
  PetscCall(PetscCalloc2(c->npasses + 1, &w->first, c->npairs, &w->notes));
  PetscCall(CrLazyCreate(2 * ndofs, &w->path));
  PetscCall(CrLazyCreate(ndofs, &w->predicted));
  PetscCall(CrLazyCreate(2 * c->model->dim * facets, &w->boxes));
  PetscCall(CrLazyCreate(facets, &w->names));
  PetscCall(CrLazyCreate(m, &w->at_node));
  PetscCall(CrLazyCreate(m, &w->held_at));
  PetscCall(CrTallyCreate(c->npairs, 0, NULL, &p->tally));
  PetscCall(CrLazyCreate(n, &p->pressure));
  PetscCall(CrLazyCreate(n, &p->status));
  PetscCall(CrLazyCreate(ndofs, &p->force));
  PetscCall(CrLazyCreate(m, &p->nodal));
  PetscCall(PetscMalloc1(n, &p->gap));
  PetscCall(
      PetscCalloc3(3 * c->npairs, &p->overlap, 3 * c->npairs, &p->slip, c->npairs, &p->touched));
  for (PetscInt k = 0; k < n; k++) p->gap[k] = PETSC_MAX_REAL;
  PetscCall(CrStageCreate(c, &c->stage));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy_scratch(CrContact *c)
{
  CrContactWork    *w = c->work;
  CrContactPicture *p = c->picture;

  PetscFunctionBeginUser;
  if (!w) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2(w->first, w->notes));
  PetscCall(CrLazyDestroy(&w->path));
  PetscCall(CrLazyDestroy(&w->predicted));
  PetscCall(CrLazyDestroy(&w->boxes));
  PetscCall(CrLazyDestroy(&w->names));
  PetscCall(CrLazyDestroy(&w->at_node));
  PetscCall(CrLazyDestroy(&w->held_at));
  PetscCall(PetscFree(w->calls));
  PetscCall(PetscFree(w->query));
  PetscCall(PetscFree3(w->partners, w->loads, w->shared));
  PetscCall(PetscFree(w->schur));
  PetscCall(PetscFree(w->near));
  PetscCall(PetscFree(w->touches));
  PetscCall(PetscFree(w->found));
  PetscCall(PetscFree(w->dropped));
  PetscCall(PetscFree(w->couples));
  PetscCall(PetscFree(w->pattern));
  PetscCall(CrTallyDestroy(&p->tally));
  PetscCall(PetscFree3(p->overlap, p->slip, p->touched));
  PetscCall(CrLazyDestroy(&p->pressure));
  PetscCall(CrLazyDestroy(&p->status));
  PetscCall(CrLazyDestroy(&p->force));
  PetscCall(CrLazyDestroy(&p->nodal));
  PetscCall(PetscFree(p->gap));
  PetscCall(PetscFree(c->work));
  PetscCall(PetscFree(c->picture));
  PetscCall(CrStageDestroy(&c->stage));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactRemember(CrContact *c, CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(destroy_scratch(c));
  PetscCall(CrHistoryDestroy(&state->contact));
  PetscCall(create_scratch(c));
  PetscCall(CrHistoryCreate(c->npoints, c->npairs, c->nslides, &state->contact));
  c->past = CrHistoryLook(state->contact);
  CrPairsFindObstacles(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactWiden(CrContact *c, CrContactHistory *history, PetscInt width)
{
  PetscFunctionBeginUser;
  PetscCall(CrHistoryWiden(history, width));
  c->past = CrHistoryLook(history);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactAddPoints(CrContact *c, CrPassKind kind, CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(kind == CR_POINT_ON_WALL ? CrRigidPassesAdd(c) : CrBodyPassesAdd(c));
  PetscCall(CrContactRemember(c, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactCreate(const CrModel *model, const CrDeck *deck, CrContact **out)
{
  const CrDeckNode *root = CrDeckRoot(deck);
  CrContact        *c;
  PetscErrorCode    code;

  PetscFunctionBeginUser;
  *out = NULL;
  PetscCall(PetscNew(&c));
  c->model = model;
  PetscCall(PetscCalloc2(model->nsets, &c->surfaces, model->nsets, &c->trees));
  code = CrObstaclesRead(root, model->dim, &c->nobstacles, &c->obstacles);
  if (!code) code = CrPairsRead(c, deck);
  if (!code && (c->npairs || model->rigid->n)) code = CrSlidesCreate(c);
  if (!code) code = CrLiftCreate(c);
  if (code || !(c->npairs || model->rigid->n)) PetscCall(CrContactDestroy(&c));
  *out = c;
  PetscFunctionReturn(code);
}

PetscErrorCode CrContactDestroy(CrContact **out)
{
  CrContact *c = *out;

  PetscFunctionBeginUser;
  if (!c) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < c->model->nsets; s++) {
    PetscCall(CrSurfaceDestroy(&c->surfaces[s]));
    PetscCall(CrTreeDestroy(&c->trees[s]));
  }
  for (PetscInt k = 0; k < c->npairs; k++) PetscCall(PetscFree(c->pairs[k].ramp.table));
  for (PetscInt k = 0; k < c->nridges; k++) PetscCall(CrRidgesDestroy(&c->ridges[k]));
  PetscCall(PetscFree(c->ridges));
  for (PetscInt k = 0; k < c->nshells; k++) PetscCall(CrShellDestroy(&c->shells[k]));
  PetscCall(PetscFree(c->shells));
  for (PetscInt k = 0; k < c->nsamples; k++) PetscCall(CrSamplesDestroy(&c->samples[k]));
  PetscCall(PetscFree(c->samples));
  PetscCall(CrLazyDestroy(&c->ends));
  PetscCall(PetscFree2(c->surfaces, c->trees));
  PetscCall(PetscFree(c->obstacles));
  PetscCall(PetscFree(c->pairs));
  PetscCall(PetscFree(c->passes));
  PetscCall(destroy_scratch(c));
  PetscCall(CrDivisionDestroy(&c->division));
  PetscCall(PetscFree(c->slide_of));
  PetscCall(PetscFree(c->rigid));
  PetscCall(CrIndexDestroy(&c->rigid_index));
  PetscCall(CrIndexDestroy(&c->pair_index));
  PetscCall(CrIndexDestroy(&c->pass_index));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactArchive(CrContact *c, CrArchive *archive)
{
  return CrArchiveAddList(archive, "contact.pattern", &c->work->npattern, &c->work->pattern);
}

/* The archive has the couplings of the matrix, because rounding depends on them. */
void CrContactResume(CrContact *c)
{
  c->work->resumed = c->work->npattern > 0;
}
