/* Chooses the part of the contact surfaces that a rank uses (stage.h). */
#include "contact/stage.h"
#include "contact/division.h"
#include "contact/place.h"

#define MARGIN 8.0 /* times the reach of a pass, which is half a facet */

/* ---- life ------------------------------------------------------------------------------------- */

static PetscErrorCode list_own(const CrContact *c, CrStage *s)
{
  const PetscInt nsets = c->model->nsets;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < nsets; k++)
    for (PetscInt i = 0; c->surfaces[k] && i < c->surfaces[k]->nnodes; i++)
      s->nown += c->surfaces[k]->nodes[i] < c->model->nowned;
  PetscCall(
      PetscMalloc3(nsets + 1, &s->own_start, s->nown, &s->own, s->nown * c->model->dim, &s->base));
  s->nown = 0;
  for (PetscInt k = 0; k < nsets; k++) {
    s->own_start[k] = s->nown;
    for (PetscInt i = 0; c->surfaces[k] && i < c->surfaces[k]->nnodes; i++)
      if (c->surfaces[k]->nodes[i] < c->model->nowned) s->own[s->nown++] = c->surfaces[k]->nodes[i];
  }
  s->own_start[nsets] = s->nown;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Marks [nsets] of facets, and [nlocal] of nodes. */
typedef struct {
  char **facets, *nodes;
} Marks;

static PetscErrorCode allocate(const CrContact *c, Marks *marks)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(c->model->nsets, &marks->facets, c->model->nlocal, &marks->nodes));
  for (PetscInt k = 0; k < c->model->nsets; k++)
    if (c->surfaces[k]) PetscCall(PetscCalloc1(c->surfaces[k]->nfacets, &marks->facets[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Puts on stage what is marked. The marks are freed. */
static PetscErrorCode fill(const CrContact *c, CrStage *s, Marks *marks)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(s->nodes));
  s->nnodes = 0;
  for (PetscInt A = 0; A < c->model->nlocal; A++) s->nnodes += marks->nodes[A];
  PetscCall(PetscMalloc1(s->nnodes, &s->nodes));
  s->nnodes = 0;
  for (PetscInt A = 0; A < c->model->nlocal; A++)
    if (marks->nodes[A]) s->nodes[s->nnodes++] = A;
  for (PetscInt k = 0; k < c->model->nsets; k++) {
    PetscInt n = 0;

    if (!c->surfaces[k]) continue;
    for (PetscInt f = 0; f < c->surfaces[k]->nfacets; f++) n += marks->facets[k][f];
    PetscCall(PetscFree(s->facets[k]));
    PetscCall(PetscMalloc1(n, &s->facets[k]));
    s->nfacets[k] = 0;
    for (PetscInt f = 0; f < c->surfaces[k]->nfacets; f++)
      if (marks->facets[k][f]) s->facets[k][s->nfacets[k]++] = f;
    PetscCall(PetscFree(marks->facets[k]));
  }
  PetscCall(PetscFree2(marks->facets, marks->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void mark_surface(const CrSurface *s, char *facets, char *nodes)
{
  for (PetscInt f = 0; f < s->nfacets; f++) facets[f] = 1;
  for (PetscInt i = 0; i < s->nnodes; i++) nodes[s->nodes[i]] = 1;
}

PetscErrorCode CrStageCreate(const CrContact *c, CrStage **out)
{
  CrStage *s;
  Marks    marks;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  *out = s;
  s->whole = PETSC_TRUE;
  PetscCall(PetscCalloc4(c->model->nsets, &s->nfacets, c->model->nsets, &s->facets, c->model->nsets,
                         &s->way, c->npasses, &s->margin));
  PetscCall(list_own(c, s));
  PetscCall(allocate(c, &marks));
  for (PetscInt k = 0; k < c->model->nsets; k++)
    if (c->surfaces[k]) mark_surface(c->surfaces[k], marks.facets[k], marks.nodes);
  PetscCall(fill(c, s, &marks));
  PetscCall(CrVicinityCreate(c->model, &s->near));
  PetscCall(CrScoutsOfPasses(c, &s->scouts));
  s->nsets = c->model->nsets;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStageDestroy(CrStage **out)
{
  CrStage *s = *out;

  PetscFunctionBeginUser;
  if (!s) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < s->nsets; k++) PetscCall(PetscFree(s->facets[k]));
  PetscCall(PetscFree(s->nodes));
  PetscCall(PetscFree4(s->nfacets, s->facets, s->way, s->margin));
  PetscCall(PetscFree3(s->own_start, s->own, s->base));
  PetscCall(CrVicinityDestroy(&s->near));
  PetscCall(CrScoutsDestroy(&s->scouts));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what a rank needs ------------------------------------------------------------------------ */

static PetscInt set_of(const CrContact *c, const CrSurface *s)
{
  PetscInt k = 0;

  while (c->surfaces[k] != s) k++;
  return k;
}

/* The box around the slaves of this rank. Samples depend on nodes of other ranks too, which are marked. */
static void box_of_slaves(const CrContact *c, const CrPass *p, const PetscReal *u, char *nodes,
                          PetscReal box[6])
{
  CrScoutEmpty(box);
  for (PetscInt i = 0; i < p->n; i++) {
    const CrSample *sample = CrPassHasSamples(p) ? &p->samples->list[i] : NULL;
    const PetscInt *of = sample ? sample->nodes : &p->slave->nodes[i], n = sample ? sample->n : 1;

    if (!CrPointIsMine(c, p, i)) continue;
    for (PetscInt a = 0; a < n; a++) {
      PetscReal x[3];

      CrGatherPlain(c, of[a], u, x);
      CrScoutInclude(c->model->dim, x, box);
      nodes[of[a]] = 1;
    }
  }
}

/* An edge at the rim of its surface has a facet beyond it, on which its normals depend. */
static void mark_ridge(const CrRidges *r, PetscInt i, char *nodes)
{
  const CrRidge *ridge = &r->surface->features->ridges[r->number[i]];

  for (int k = 0; k < 2; k++) {
    const PetscInt *corners, n = CrSkinNodes(r->surface, ridge->facets[k], &corners);

    nodes[ridge->nodes[k]] = 1;
    for (PetscInt a = 0; a < n; a++) nodes[corners[a]] = 1;
  }
}

/* Points that every rank computes, edges, and points of rigid bodies need their surfaces as a whole. */
static void mark_whole(const CrContact *c, const CrPass *p, Marks *marks)
{
  if (p->slave) mark_surface(p->slave, marks->facets[set_of(c, p->slave)], marks->nodes);
  if (p->master) mark_surface(p->master, marks->facets[set_of(c, p->master)], marks->nodes);
  for (int e = 0; CrPassHasEdges(p) && e < 2; e++)
    for (PetscInt i = 0; !p->ridges[e]->shape && i < p->ridges[e]->n; i++)
      mark_ridge(p->ridges[e], i, marks->nodes);
}

/* Marks what a pass needs whatever its facets are, and asks for these. */
static void ask(const CrContact *c, PetscInt k, const PetscReal *u, Marks *marks)
{
  const CrPass *p = &c->passes[k];
  CrScout      *near = &c->stage->scouts->list[k];

  near->asks = PETSC_FALSE;
  if (!CrPassIsDivided(c, p) || !(p->ops->slave->is_node || CrPassHasSamples(p))) {
    mark_whole(c, p, marks);
    return;
  }
  box_of_slaves(c, p, u, marks->nodes, near->box);
  CrScoutWiden(2 * p->reach + c->stage->margin[k], near->box);
  near->asks = p->master ? PETSC_TRUE : PETSC_FALSE;
}

static void mark_found(const CrContact *c, PetscInt k, Marks *marks)
{
  const CrScout *near = &c->stage->scouts->list[k];

  for (PetscInt j = 0; near->asks && j < near->n; j++)
    marks->facets[set_of(c, c->passes[k].master)][near->items[j]] = 1;
}

/* Normals and valleys at a facet depend on the facets around its corners. */
static PetscErrorCode mark_around(const CrContact *c, Marks *marks)
{
  PetscInt *index;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(c->model->nlocal, &index));
  for (PetscInt k = 0; k < c->model->nsets; k++) {
    const CrSurface *s = c->surfaces[k];

    if (!s) continue;
    for (PetscInt i = 0; i < s->nnodes; i++) index[s->nodes[i]] = i;
    for (PetscInt f = 0; f < s->nfacets; f++)
      for (PetscInt a = 0; marks->facets[k][f] && a < s->ncorners[f]; a++) {
        PetscInt i = index[s->corners[4 * f + a]];

        for (PetscInt j = s->around_start[i]; j < s->around_start[i + 1]; j++)
          for (PetscInt b = 0; b < s->ncorners[s->around[j]]; b++)
            marks->nodes[s->corners[4 * s->around[j] + b]] = 1;
      }
  }
  PetscCall(PetscFree(index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lifted vertices move with the ends of their edges. */
static void mark_ends(const CrContact *c, char *nodes)
{
  for (PetscInt A = 0; c->ends && A < c->model->nlocal; A++)
    for (int k = 0; k < 2; k++)
      if (nodes[A] && CrIsLifted(c, A)) nodes[c->ends[2 * A + k] - 1] = 1;
}

/* ---- renewal ------------------------------------------------------------------------------------ */

/* The greatest distance of the nodes of each surface from `base`, on their way, over all ranks. */
static PetscErrorCode find_ways(const CrContact *c, const PetscReal *u0, const PetscReal *v0,
                                const PetscReal *guess)
{
  CrStage       *s = c->stage;
  const PetscInt dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->model->nsets; k++) {
    s->way[k] = 0;
    for (PetscInt j = s->own_start[k]; j < s->own_start[k + 1]; j++) {
      PetscReal now = 0, next = 0, other = 0;

      for (PetscInt i = 0; i < dim; i++) {
        PetscInt  r = dim * s->own[j] + i;
        PetscReal d = u0[r] - s->base[dim * j + i];

        now += PetscSqr(d);
        next += PetscSqr(d + c->work->h * v0[r]);
        if (guess) other += PetscSqr(guess[r] - s->base[dim * j + i]);
      }
      s->way[k] = PetscMax(s->way[k], PetscMax(now, PetscMax(next, other)));
    }
    s->way[k] = PetscSqrtReal(s->way[k]);
  }
  PetscCall(CrDivisionMax(c, c->model->nsets, s->way));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The way of both sides of a pass. */
static PetscReal way_of(const CrContact *c, const CrPass *p)
{
  PetscReal way = 0;

  if (p->slave) way += c->stage->way[set_of(c, p->slave)];
  if (p->master) way += c->stage->way[set_of(c, p->master)];
  return way;
}

static PetscBool is_due(const CrContact *c)
{
  if (!c->stage->renewals) return PETSC_TRUE;
  for (PetscInt k = 0; k < c->npasses; k++)
    if (c->passes[k].master && !(way_of(c, &c->passes[k]) <= c->stage->margin[k]))
      return PETSC_TRUE; /* not a number: likewise */
  return PETSC_FALSE;
}

/* Fast bodies get a wider margin, so that they do not need a new stage in every step. */
static PetscErrorCode set_margins(const CrContact *c, const PetscReal *u0, const PetscReal *v0,
                                  const PetscReal *guess)
{
  CrStage       *s = c->stage;
  const PetscInt dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt j = 0; j < s->nown; j++)
    for (PetscInt i = 0; i < dim; i++) s->base[dim * j + i] = u0[dim * s->own[j] + i];
  PetscCall(find_ways(c, u0, v0, guess));
  for (PetscInt k = 0; k < c->npasses; k++)
    s->margin[k] = MARGIN * c->passes[k].reach + 2 * way_of(c, &c->passes[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode renew(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                            const PetscReal *guess)
{
  CrStage *s = c->stage;
  Marks    marks;

  PetscFunctionBeginUser;
  PetscCall(set_margins(c, u0, v0, guess));
  PetscCall(allocate(c, &marks));
  for (PetscInt j = 0; j < s->nown; j++) marks.nodes[s->own[j]] = 1;
  for (PetscInt k = 0; k < c->npasses; k++) ask(c, k, u0, &marks);
  PetscCall(CrScoutsAsk(s->scouts, (PetscReal *)u0, PETSC_FALSE)); /* u0 does not change */
  for (PetscInt k = 0; k < c->npasses; k++) mark_found(c, k, &marks);
  PetscCall(mark_around(c, &marks));
  mark_ends(c, marks.nodes);
  PetscCall(fill(c, s, &marks));
  CrVicinityForget(s->near);
  for (PetscInt k = 0; k < s->nnodes; k++) CrVicinityNeed(s->near, s->nodes[k]);
  PetscCall(CrVicinityBuild(s->near));
  PetscCall(CrModelNarrow(c->model, s->near));
  PetscCall(CrVicinityRefresh(s->near, c->model->dim, u0));
  PetscCall(CrVicinityRefresh(s->near, c->model->dim, v0));
  if (guess) PetscCall(CrVicinityRefresh(s->near, c->model->dim, guess));
  s->whole = PETSC_FALSE;
  s->renewals++;
  c->picture->renewals++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStageMove(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                           const PetscReal *guess)
{
  PetscFunctionBeginUser;
  if (!c->division) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->stage->renewals) PetscCall(find_ways(c, u0, v0, guess));
  if (is_due(c)) PetscCall(renew(c, u0, v0, guess));
  PetscFunctionReturn(PETSC_SUCCESS);
}
