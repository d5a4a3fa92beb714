/* Small groups of fast bodies among many bodies (theory 18.6). If all contacts of a step are solved together, the
   normals are those at its start. Fast bodies would then separate in a wrong direction, or collide although they only
   pass each other. So the step of such a group is computed separately by the engine for few bodies, which computes the
   time of each impact. */
#include "integrate/efda/contacts.h"
#include "integrate/efda/crowd_shape.h"
#include "integrate/efda/few.h"

#define MOST_GROUP    32 /* bodies */
#define MOST_TOUCHING 32 /* contacts of a group; the crowd solves bodies with more of them */
#define MARGIN                                                                                     \
  2.0 /* bodies within this many displacements of a step belong to one group, because impacts may make them faster */

struct EfdaGroups {
  EfdaOptions   options;
  EfdaSystem    few;
  CrRigid       rigid;    /* the bodies of a group; their shapes are borrowed from all bodies */
  PetscInt     *names;    /* [MOST_GROUP] numbers of these bodies among all bodies */
  PetscInt     *local;    /* [n] number of a body in the group; -1: it is not in the group */
  PetscInt     *size;     /* [n] at the root of a group: number of its bodies */
  PetscInt     *touching; /* [n] at the root of a group: number of its contacts */
  PetscBool    *fast;     /* [n] at the root of a group: do some of its bodies approach fast? */
  EfdaKeptList  kept;     /* contacts that the groups remember, with the numbers of all bodies */
  CrRigidState *after;    /* bodies of groups at the end of the step */
};

/* ---- life ------------------------------------------------------------------------------------------------ */

PetscErrorCode EfdaGroupsCreate(EfdaShapes *S)
{
  const EfdaSystem *e = &S->system;
  const CrRigid    *r = e->rigid;
  EfdaGroups       *G;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&G));
  S->groups = G;
  /* impacts are simultaneous here, as the warning of choose.c says */
  G->options = (EfdaOptions){.settling = e->options->settling,
                             .splitting = e->options->splitting,
                             .tangential = 1};
  PetscCall(PetscCalloc6(MOST_GROUP, &G->names, r->n, &G->local, r->n, &G->size, r->n, &G->touching,
                         r->n, &G->fast, MOST_GROUP, &G->rigid.shape));
  PetscCall(PetscCalloc3(MOST_GROUP, &G->rigid.mass, 3 * MOST_GROUP, &G->rigid.inertia,
                         3 * MOST_GROUP, &G->rigid.inverse));
  for (PetscInt b = 0; b < r->n; b++) G->local[b] = -1;
  PetscCall(CrRigidStateCreate(r->n, &G->after));
  G->rigid.dim = r->dim;
  G->rigid.nshapes = r->nshapes;
  G->rigid.shapes = r->shapes;
  PetscCall(EfdaSystemCreate(&G->options, e->model, &G->rigid, e->contact, MOST_GROUP, &G->few));
  G->few.names = G->names;
  G->few.together = e->together;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaGroupsDestroy(EfdaShapes *S)
{
  EfdaGroups *G = S->groups;

  PetscFunctionBeginUser;
  PetscCall(EfdaSystemDestroy(&G->few));
  PetscCall(PetscFree6(G->names, G->local, G->size, G->touching, G->fast, G->rigid.shape));
  PetscCall(PetscFree3(G->rigid.mass, G->rigid.inertia, G->rigid.inverse));
  PetscCall(PetscFree(G->kept.at));
  PetscCall(CrRigidStateDestroy(&G->after));
  PetscCall(PetscFree(S->groups));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- who belongs together ------------------------------------------------------------------------------------ */

static void find_gaps(EfdaSystem *e)
{
  EFDA_EACH_CANDIDATE (d, e) d->gap = PETSC_MAX_REAL;
  EFDA_EACH (c, e) {
    EfdaCandidate *d = &e->candidates.at[c->of - e->candidates.at];

    d->gap = PetscMin(d->gap, c->start.gap);
  }
}

/* Can the two meet in the step? They cannot, as long as their displacement along the normal between their nearest
   points is less than the gap. */
static PetscBool may_meet(EfdaShapes *S, const EfdaCandidate *c, PetscReal h)
{
  EfdaSystem    *e = &S->system;
  const CrRigid *r = e->rigid;
  EfdaContact    contact = {.of = c};
  PetscReal      u[3], way;

  if (c->other >= 0 && CrRigidShape(r, c->body)->kind == CR_SHAPE_POLYTOPE &&
      CrRigidShape(r, c->other)->kind == CR_SHAPE_POLYTOPE)
    contact.feature.kind = CR_MEET_APART;
  EfdaMeet(e, &contact, e->t, &contact.meeting);
  EfdaShapesApproach(S, c, h, u);
  /* the relative displacement, with its translation counted along the normal only */
  way =
      EfdaShapesWay(S, c, h) - h * v_length(u) - h * PetscMin(0, v_dot(u, contact.meeting.normal));
  return contact.meeting.gap <= way;
}

/* Finds groups by union-find, and which of the small ones are fast. Bodies that pass each other without meeting need
   no contact: with the normal of the start they would seem to collide. */
static void find_groups(EfdaShapes *S, PetscReal h)
{
  EfdaSystem *e = &S->system;
  EfdaGroups *G = S->groups;

  CrUnionStart(e->rigid->n, e->roots);
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    G->size[b] = G->touching[b] = 0;
    G->fast[b] = PETSC_FALSE;
  }
  EFDA_EACH_CANDIDATE (c, e)
    if (c->other >= 0 && c->gap <= MARGIN * EfdaShapesWay(S, c, h) + e->scale.close)
      CrUnionJoin(e->roots, c->body, c->other);
  for (PetscInt b = 0; b < e->rigid->n; b++) G->size[CrUnionRoot(e->roots, b)]++;
  EFDA_EACH (c, e)
    if (c->start.gap <= h * h * e->scale.a) G->touching[CrUnionRoot(e->roots, c->of->body)]++;
  EFDA_EACH_CANDIDATE (c, e) {
    PetscInt root = CrUnionRoot(e->roots, c->body);

    if (G->fast[root] || G->size[root] > MOST_GROUP || G->touching[root] > MOST_TOUCHING) continue;
    if (!EfdaShapesAreFast(S, c, h)) continue;
    if (may_meet(S, c, h))
      G->fast[root] = PETSC_TRUE;
    else
      c->gap = PETSC_MAX_REAL;
  }
}

/* ---- one group -------------------------------------------------------------------------------------------------- */

static void gather_bodies(EfdaShapes *S, PetscInt root)
{
  EfdaSystem *e = &S->system;
  EfdaGroups *G = S->groups;
  EfdaSystem *f = &G->few;
  PetscInt    n = 0;

  for (PetscInt b = root; b < e->rigid->n; b++) { /* a root is the least of its group */
    if (CrUnionRoot(e->roots, b) != root) continue;
    G->names[n] = b;
    G->local[b] = n;
    G->rigid.shape[n] = e->rigid->shape[b];
    G->rigid.mass[n] = e->rigid->mass[b];
    v_copy(e->rigid->inertia + 3 * b, G->rigid.inertia + 3 * n);
    v_copy(e->rigid->inverse + 3 * b, G->rigid.inverse + 3 * n);
    v_copy(e->load + 3 * b, f->load + 3 * n);
    CrRigidStateCopyBody(e->now, b, f->now, n++);
  }
  G->rigid.n = f->now->n = f->trial->n = f->base->n = n;
  f->scale.size = EfdaLeastReach(&G->rigid, e->scale.size);
}

/* Turns the numbers of two bodies into those within the group. Returns false if they do not belong to it. */
static PetscBool to_group(const EfdaGroups *G, PetscInt *body, PetscInt *other)
{
  if (G->local[*body] < 0 || (*other >= 0 && G->local[*other] < 0)) return PETSC_FALSE;
  *body = G->local[*body];
  if (*other >= 0) *other = G->local[*other];
  return PETSC_TRUE;
}

static PetscErrorCode gather_candidates(EfdaShapes *S)
{
  EfdaSystem *e = &S->system;
  EfdaGroups *G = S->groups;
  EfdaSystem *f = &G->few;

  PetscFunctionBeginUser;
  f->candidates.n = f->previous.n = 0;
  EFDA_EACH_CANDIDATE (d, e) {
    EfdaCandidate c = *d;

    if (to_group(G, &c.body, &c.other)) CrListAdd(&f->candidates, c);
  }
  for (PetscInt k = 0; k < e->previous.n; k++) {
    EfdaKept kept = e->previous.at[k];

    if (to_group(G, &kept.body, &kept.other)) CrListAdd(&f->previous, kept);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the results of the group to the step of all bodies. */
static PetscErrorCode hand_back(EfdaShapes *S)
{
  EfdaSystem *e = &S->system;
  EfdaGroups *G = S->groups;
  EfdaSystem *f = &G->few;

  PetscFunctionBeginUser;
  for (PetscInt n = 0; n < G->rigid.n; n++) {
    CrRigidStateCopyBody(f->now, n, G->after, G->names[n]);
    e->bodies[G->names[n]].away = PETSC_TRUE;
    G->local[G->names[n]] = -1;
  }
  PetscCall(EfdaWorkAdd(&e->total, &f->total));
  for (PetscInt k = 0; k < f->previous.n; k++) {
    EfdaKept kept = f->previous.at[k];

    kept.body = G->names[kept.body];
    kept.other = kept.other < 0 ? -1 : G->names[kept.other];
    CrListAdd(&G->kept, kept);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step_group(EfdaShapes *S, PetscInt root, PetscReal h, PetscBool *good)
{
  EfdaSystem *e = &S->system;
  EfdaSystem *f = &S->groups->few;

  PetscFunctionBeginUser;
  gather_bodies(S, root);
  PetscCall(gather_candidates(S));
  f->t = e->t;
  EfdaWorkBegin(&f->total);
  EfdaSetScales(f, h);
  PetscCall(EfdaStepInstant(f, h, good));
  PetscCall(hand_back(S));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Removes contacts of bodies that a group has stepped, and of bodies that only pass each other. */
static void drop_contacts(EfdaShapes *S)
{
  EfdaSystem *e = &S->system;
  PetscInt    n = 0;

  EFDA_EACH (c, e)
    if (!e->bodies[c->of->body].away && c->of->gap < PETSC_MAX_REAL) e->contacts.at[n++] = *c;
  e->contacts.n = n;
}

PetscErrorCode EfdaGroupsStep(EfdaShapes *S, PetscReal h, PetscBool *good)
{
  EfdaSystem *e = &S->system;
  EfdaGroups *G = S->groups;

  PetscFunctionBeginUser;
  *good = PETSC_TRUE;
  G->kept.n = 0;
  for (PetscInt b = 0; b < e->rigid->n; b++) e->bodies[b].away = PETSC_FALSE;
  EfdaPoses(e, e->now);
  find_gaps(e);
  find_groups(S, h);
  for (PetscInt b = 0; b < e->rigid->n && *good; b++)
    if (G->fast[b]) PetscCall(step_group(S, b, h, good));
  drop_contacts(S);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void EfdaGroupsPlace(EfdaShapes *S, CrRigidState *state)
{
  const EfdaSystem *e = &S->system;

  for (PetscInt b = 0; b < e->rigid->n; b++)
    if (e->bodies[b].away) CrRigidStateCopyBody(S->groups->after, b, state, b);
}

PetscErrorCode EfdaGroupsKeep(EfdaShapes *S)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < S->groups->kept.n; k++)
    CrListAdd(&S->system.previous, S->groups->kept.at[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}
