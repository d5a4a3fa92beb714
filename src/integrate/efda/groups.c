/* In a heap, bodies that go far in a step and have few others near them (theory 18.6): taken as a whole their step would
   know one direction for all of it, that of the start, and they would part in a wrong one or meet where they only pass.
   Such groups are stepped on their own, impacts at their instants, by the engine for few. */
#include "integrate/efda/efda.h"

#define MOST_GROUP    32  /* bodies */
#define MOST_TOUCHING 32  /* contacts of them: what rests on one another is a matter for the heap */
#define FAR           0.2 /* of a body's thickness: two that go further in a step are fast */
#define MARGIN                                                                                     \
  2.0 /* ways of a step within which bodies belong together: impacts may make them faster */

struct EfdaGroups {
  Efda          few;
  CrRigid       rigid;     /* of the bodies of a group; shapes are those of all */
  PetscInt     *names;     /* [MOST_GROUP] their numbers among all */
  PetscInt     *local;     /* [n] and back, -1: not of the group */
  PetscInt     *size;      /* [n] of the group, at its root */
  PetscInt     *touching;  /* [n] its contacts, at its root */
  PetscBool    *fast;      /* [n] at roots: some of its bodies meet fast */
  PetscReal    *thickness; /* [nshapes] least half width */
  PetscReal    *gap;       /* [candidates] least of each */
  PetscInt      gap_room, nkept, kept_room;
  EfdaKept     *kept;  /* of the groups, by the numbers of all */
  CrRigidState *after; /* bodies of groups at the end of the step */
};

/* ---- life ------------------------------------------------------------------------------------------------ */

static PetscReal thickness_of(const CrShape *s)
{
  PetscReal least = PETSC_MAX_REAL;

  if (s->kind == CR_SHAPE_POLYTOPE)
    for (PetscInt f = 0; f < s->nfaces; f++) least = PetscMin(least, s->offsets[f]);
  else if (s->kind == CR_SHAPE_ELLIPSOID)
    for (PetscInt i = 0; i < s->dim; i++) least = PetscMin(least, s->axes[i]);
  else
    least = s->radius;
  return least;
}

/* Reads what e has been set up with; the engine for few gets its own arrays and borrows the rest. */
PetscErrorCode EfdaGroupsSetUp(Efda *e)
{
  const CrRigid     *r = e->rigid;
  struct EfdaGroups *G;
  Efda              *f;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&e->groups));
  G = e->groups;
  f = &G->few;
  PetscCall(PetscCalloc7(MOST_GROUP, &G->names, r->n, &G->local, r->n, &G->size, r->n, &G->touching,
                         r->n, &G->fast, r->nshapes, &G->thickness, MOST_GROUP, &G->rigid.shape));
  PetscCall(PetscCalloc3(MOST_GROUP, &G->rigid.mass, 3 * MOST_GROUP, &G->rigid.inertia,
                         3 * MOST_GROUP, &G->rigid.inverse));
  for (PetscInt s = 0; s < r->nshapes; s++) G->thickness[s] = thickness_of(&r->shapes[s]);
  for (PetscInt b = 0; b < r->n; b++) G->local[b] = -1;
  PetscCall(CrRigidStateCreate(r->n, &G->after));
  G->rigid.dim = r->dim;
  G->rigid.nshapes = r->nshapes;
  G->rigid.shapes = r->shapes;
  f->settling = e->settling, f->splitting = e->splitting;
  f->tangential = 1; /* as the warning of efda_many.c says */
  f->model = e->model;
  f->rigid = &G->rigid;
  f->contact = e->contact;
  f->names = G->names;
  f->balls = e->balls;
  f->slide = e->slide;
  f->together = e->together;
  PetscCall(CrTallyCreate(e->part.tally.npairs, &f->part.tally));
  PetscCall(CrTallyCreate(e->part.tally.npairs, &f->total.tally));
  PetscCall(CrRigidStateCreate(MOST_GROUP, &f->now));
  PetscCall(CrRigidStateCreate(MOST_GROUP, &f->trial));
  PetscCall(CrRigidStateCreate(MOST_GROUP, &f->base));
  PetscCall(PetscCalloc6(MOST_GROUP, &f->bodies, MOST_GROUP, &f->poses, 3 * MOST_GROUP, &f->load,
                         MOST_GROUP, &f->roots, 6 * MOST_GROUP, &f->dx, 3 * MOST_GROUP, &f->last));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaGroupsDestroy(Efda *e)
{
  struct EfdaGroups *G = e->groups;
  Efda              *f;

  PetscFunctionBeginUser;
  if (!G) PetscFunctionReturn(PETSC_SUCCESS);
  f = &G->few;
  PetscCall(CrRigidStateDestroy(&f->now));
  PetscCall(CrRigidStateDestroy(&f->trial));
  PetscCall(CrRigidStateDestroy(&f->base));
  PetscCall(CrTallyDestroy(&f->part.tally));
  PetscCall(CrTallyDestroy(&f->total.tally));
  PetscCall(PetscFree6(f->bodies, f->poses, f->load, f->roots, f->dx, f->last));
  PetscCall(PetscFree(f->candidates));
  PetscCall(PetscFree(f->contacts));
  PetscCall(PetscFree(f->kept));
  PetscCall(PetscFree(f->previous));
  PetscCall(PetscFree(f->events));
  PetscCall(
      PetscFree7(G->names, G->local, G->size, G->touching, G->fast, G->thickness, G->rigid.shape));
  PetscCall(PetscFree3(G->rigid.mass, G->rigid.inertia, G->rigid.inverse));
  PetscCall(PetscFree(G->gap));
  PetscCall(PetscFree(G->kept));
  PetscCall(CrRigidStateDestroy(&G->after));
  PetscCall(PetscFree(e->groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- who belongs together ------------------------------------------------------------------------------------ */

static PetscReal thickness_at(const Efda *e, PetscInt body)
{
  return e->groups->thickness[e->rigid->shape[body]];
}

PetscBool EfdaIsFast(const Efda *e, const EfdaCandidate *c, PetscReal h)
{
  PetscReal thin = thickness_at(e, c->body);

  if (c->other >= 0) thin = PetscMin(thin, thickness_at(e, c->other));
  return EfdaHeapWay(e, c, h) > FAR * thin;
}

static PetscErrorCode find_gaps(Efda *e)
{
  struct EfdaGroups *G = e->groups;

  PetscFunctionBeginUser;
  if (e->ncandidates > G->gap_room) {
    G->gap_room = 2 * e->ncandidates;
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)G->gap_room, &G->gap));
  }
  for (PetscInt k = 0; k < e->ncandidates; k++) G->gap[k] = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < e->ncontacts; k++) {
    PetscReal *gap = &G->gap[e->contacts[k].candidate];

    *gap = PetscMin(*gap, e->contacts[k].gap0);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Can the two meet in the step? They are apart along the normal between their nearest points as long as what they move
   along it is less than the gap. */
static PetscBool may_meet(Efda *e, const EfdaCandidate *c, PetscReal h)
{
  const CrRigid *r = e->rigid;
  EfdaContact    contact = {.candidate = c - e->candidates};
  PetscReal      u[3], wall[3], way;

  if (c->other >= 0 && r->shapes[r->shape[c->body]].kind == CR_SHAPE_POLYTOPE &&
      r->shapes[r->shape[c->other]].kind == CR_SHAPE_POLYTOPE)
    contact.feature.kind = CR_MEET_APART;
  EfdaMeet(e, &contact, e->t, &contact.meeting);
  v_copy(e->now->v + 3 * c->body, u);
  EfdaWallVelocity(e, c, e->t, h, wall);
  v_add(u, -1, c->other < 0 ? wall : e->now->v + 3 * c->other);
  /* of the way in any direction, without what goes along the gap */
  way = EfdaHeapWay(e, c, h) - h * v_length(u) - h * PetscMin(0, v_dot(u, contact.meeting.normal));
  return contact.meeting.gap <= way;
}

/* Groups by union-find, and which of those small enough are fast. What passes fast and cannot meet is nothing to look
   at: taken by the direction of the start it would seem to. */
static void find_groups(Efda *e, PetscReal h)
{
  struct EfdaGroups *G = e->groups;

  for (PetscInt b = 0; b < e->rigid->n; b++) {
    e->roots[b] = b;
    G->size[b] = G->touching[b] = 0;
    G->fast[b] = PETSC_FALSE;
  }
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    const EfdaCandidate *c = &e->candidates[k];

    if (c->other >= 0 && G->gap[k] <= MARGIN * EfdaHeapWay(e, c, h) + e->close)
      EfdaJoin(e, c->body, c->other);
  }
  for (PetscInt b = 0; b < e->rigid->n; b++) G->size[EfdaRoot(e, b)]++;
  for (PetscInt k = 0; k < e->ncontacts; k++)
    if (e->contacts[k].gap0 <= h * h * e->a)
      G->touching[EfdaRoot(e, e->candidates[e->contacts[k].candidate].body)]++;
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    const EfdaCandidate *c = &e->candidates[k];
    PetscInt             root = EfdaRoot(e, c->body);

    if (G->fast[root] || G->size[root] > MOST_GROUP || G->touching[root] > MOST_TOUCHING) continue;
    if (!EfdaIsFast(e, c, h)) continue;
    if (may_meet(e, c, h))
      G->fast[root] = PETSC_TRUE;
    else
      G->gap[k] = PETSC_MAX_REAL;
  }
}

/* ---- one group -------------------------------------------------------------------------------------------------- */

/* The state of body a of one becomes that of body b of the other. */
static void copy_body(const CrRigidState *from, PetscInt a, CrRigidState *to, PetscInt b)
{
  v_copy(from->x + 3 * a, to->x + 3 * b);
  v_copy(from->v + 3 * a, to->v + 3 * b);
  v_copy(from->pi + 3 * a, to->pi + 3 * b);
  for (int i = 0; i < 4; i++) to->q[4 * b + i] = from->q[4 * a + i];
  to->angle[b] = from->angle[a];
}

static void gather_bodies(Efda *e, PetscInt root)
{
  struct EfdaGroups *G = e->groups;
  Efda              *f = &G->few;
  PetscInt           n = 0;

  f->size = PETSC_MAX_REAL;
  for (PetscInt b = root; b < e->rigid->n; b++) { /* a root is the least of its group */
    if (EfdaRoot(e, b) != root) continue;
    G->names[n] = b;
    G->local[b] = n;
    G->rigid.shape[n] = e->rigid->shape[b];
    G->rigid.mass[n] = e->rigid->mass[b];
    v_copy(e->rigid->inertia + 3 * b, G->rigid.inertia + 3 * n);
    v_copy(e->rigid->inverse + 3 * b, G->rigid.inverse + 3 * n);
    v_copy(e->load + 3 * b, f->load + 3 * n);
    copy_body(e->now, b, f->now, n);
    if (e->rigid->shapes[e->rigid->shape[b]].reach > 0)
      f->size = PetscMin(f->size, e->rigid->shapes[e->rigid->shape[b]].reach);
    n++;
  }
  if (f->size == PETSC_MAX_REAL) f->size = e->size;
  G->rigid.n = f->now->n = f->trial->n = f->base->n = n;
}

static PetscErrorCode gather_candidates(Efda *e)
{
  struct EfdaGroups *G = e->groups;
  Efda              *f = &G->few;

  PetscFunctionBeginUser;
  f->ncandidates = f->nprevious = 0;
  for (PetscInt k = 0; k < e->ncandidates; k++) {
    EfdaCandidate c = e->candidates[k];

    if (G->local[c.body] < 0 || (c.other >= 0 && G->local[c.other] < 0)) continue;
    if (f->ncandidates == f->candidates_room) {
      f->candidates_room = 2 * f->candidates_room + 16;
      PetscCall(PetscRealloc(sizeof(EfdaCandidate) * (size_t)f->candidates_room, &f->candidates));
    }
    c.body = G->local[c.body];
    c.other = c.other < 0 ? -1 : G->local[c.other];

    f->candidates[f->ncandidates++] = c;
  }
  for (PetscInt k = 0; k < e->nprevious; k++) {
    EfdaKept kept = e->previous[k];

    if (G->local[kept.body] < 0 || (kept.other >= 0 && G->local[kept.other] < 0)) continue;
    if (f->nprevious == f->previous_room) {
      f->previous_room = 2 * f->previous_room + 16;
      PetscCall(PetscRealloc(sizeof(EfdaKept) * (size_t)f->previous_room, &f->previous));
    }
    kept.body = G->local[kept.body];
    kept.other = kept.other < 0 ? -1 : G->local[kept.other];

    f->previous[f->nprevious++] = kept;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What the group did becomes part of the step of all. */
static PetscErrorCode hand_back(Efda *e)
{
  struct EfdaGroups *G = e->groups;
  Efda              *f = &G->few;

  PetscFunctionBeginUser;
  for (PetscInt n = 0; n < G->rigid.n; n++) {
    copy_body(f->now, n, G->after, G->names[n]);
    e->bodies[G->names[n]].away = PETSC_TRUE;
    G->local[G->names[n]] = -1;
  }
  EfdaWorkAdd(&e->total, &f->total);
  e->passes += f->passes;
  if (e->nevents + f->nevents > e->events_room) {
    e->events_room = 2 * (e->nevents + f->nevents);
    PetscCall(PetscRealloc(sizeof(CrEvent) * (size_t)e->events_room, &e->events));
  }
  for (PetscInt k = 0; k < f->nevents; k++) e->events[e->nevents++] = f->events[k];
  if (G->nkept + f->nprevious > G->kept_room) {
    G->kept_room = 2 * (G->nkept + f->nprevious);
    PetscCall(PetscRealloc(sizeof(EfdaKept) * (size_t)G->kept_room, &G->kept));
  }
  for (PetscInt k = 0; k < f->nprevious; k++) {
    EfdaKept *kept = &G->kept[G->nkept++];

    *kept = f->previous[k];
    kept->body = G->names[kept->body];
    kept->other = kept->other < 0 ? -1 : G->names[kept->other];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step_group(Efda *e, PetscInt root, PetscReal h, PetscBool *good)
{
  Efda *f = &e->groups->few;

  PetscFunctionBeginUser;
  gather_bodies(e, root);
  PetscCall(gather_candidates(e));
  f->t = e->t;
  EfdaWorkBegin(&f->total);
  f->nevents = f->passes = 0;
  EfdaSetScales(f, h);
  PetscCall(EfdaStepInstant(f, h, good));
  PetscCall(hand_back(e));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ---------------------------------------------------------------------------------------------------- */

/* Contacts of bodies that are done, and of those that only pass, do not belong to the heap. */
static void drop_contacts(Efda *e)
{
  PetscInt n = 0;

  for (PetscInt k = 0; k < e->ncontacts; k++) {
    PetscInt candidate = e->contacts[k].candidate;

    if (e->bodies[e->candidates[candidate].body].away) continue;
    if (e->groups->gap[candidate] < PETSC_MAX_REAL) e->contacts[n++] = e->contacts[k];
  }
  e->ncontacts = n;
}

PetscErrorCode EfdaGroupsStep(Efda *e, PetscReal h, PetscBool *good)
{
  struct EfdaGroups *G = e->groups;

  PetscFunctionBeginUser;
  *good = PETSC_TRUE;
  G->nkept = 0;
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].away = PETSC_FALSE;
  EfdaPoses(e, e->now);
  PetscCall(find_gaps(e));
  find_groups(e, h);
  for (PetscInt b = 0; b < e->rigid->n && *good; b++)
    if (G->fast[b]) PetscCall(step_group(e, b, h, good));
  drop_contacts(e);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaGroupsPlace(Efda *e, CrRigidState *state)
{
  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].away) copy_body(e->groups->after, b, state, b);
}

PetscErrorCode EfdaGroupsKeep(Efda *e)
{
  struct EfdaGroups *G = e->groups;

  PetscFunctionBeginUser;
  if (e->nprevious + G->nkept > e->previous_room) {
    e->previous_room = 2 * (e->nprevious + G->nkept);
    PetscCall(PetscRealloc(sizeof(EfdaKept) * (size_t)e->previous_room, &e->previous));
  }
  for (PetscInt k = 0; k < G->nkept; k++) e->previous[e->nprevious++] = G->kept[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}
