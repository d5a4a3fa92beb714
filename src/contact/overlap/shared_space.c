/* Tests whether centres of elements of one body lie inside elements of another body. */
#include "contact/overlap/shared_space.h"
#include <math.h>
#include "base/grow.h"
#include "base/mail.h"
#include "base/vector.h"
#include "contact/geometry/tree.h"

#define LOOKS 20 /* tests in a run */
#define TOLD  8  /* pairs of bodies of which a run warns */
#define MARGIN                                                                                     \
  -1e-6 /* distance from a face, as a part of that of the element's centre: faces count as inside */
#define RIGID 100 /* rigid bodies; more of them are not tested */
#define MOST  0.5 /* part of the elements of a body: at the start the deck is wrong */

/* The centre of an element that lies in the bounding box of another body. */
typedef struct {
  PetscReal x[3];
  PetscInt  body, cell; /* cell: number of the element in the whole mesh */
} Centre;

/* A centre inside an element of the body `into`. Rigid bodies have one centre each, and come after the others. */
typedef struct {
  PetscInt centre, into;
} Hit;

struct CrSharedSpace {
  const CrModel   *model;             /* borrowed */
  const CrContact *contact;           /* borrowed */
  PetscInt         looked;            /* number of the last test; the run has LOOKS of them */
  PetscInt         ntold, told[TOLD]; /* pairs of bodies, as numbers of pair_of() */
  PetscInt         nbodies;           /* with the rigid bodies that are tested */
  PetscReal       *box; /* [6 nbodies] negative least coordinates, greatest coordinates; owned */
  PetscReal  *reach; /* [6 size] boxes of the elements of each rank that may share space; owned */
  PetscMPIInt size;
  CR_LIST(Centre) near; /* centres of all ranks in the box of this rank */
  CR_LIST(Hit) hits;    /* of elements of this rank */
};

PetscErrorCode CrSharedSpaceCreate(const CrModel *model, const CrContact *contact,
                                   CrSharedSpace **out)
{
  const PetscInt nrigid = model->rigid->n <= RIGID ? model->rigid->n : 0;

  PetscFunctionBeginUser;
  *out = NULL;
  if (!contact || !model->nbodies) PetscFunctionReturn(PETSC_SUCCESS);
  if (model->nbodies + nrigid < 2) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscNew(out));
  (*out)->model = model;
  (*out)->contact = contact;
  (*out)->nbodies = model->nbodies + nrigid;
  PetscCallMPI(MPI_Comm_size(model->comm, &(*out)->size));
  PetscCall(PetscMalloc2(6 * (*out)->nbodies, &(*out)->box, 6 * (*out)->size, &(*out)->reach));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharedSpaceDestroy(CrSharedSpace **space)
{
  PetscFunctionBeginUser;
  if (!*space) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*space)->box, (*space)->reach));
  PetscCall(PetscFree((*space)->near.at));
  PetscCall(PetscFree((*space)->hits.at));
  PetscCall(PetscFree(*space));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharedSpaceArchive(CrSharedSpace *s, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, "space.looked", 1, &s->looked));
  PetscCall(CrArchiveAddInts(archive, "space.ntold", 1, &s->ntold));
  PetscCall(CrArchiveAddInts(archive, "space.told", TOLD, s->told));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrSharedSpacePairs(const CrSharedSpace *s)
{
  return s ? s->ntold : 0;
}

/* ---- elements --------------------------------------------------------------------------------- */

/* The corners of an element in the present shape, and their mean. */
static void place(const CrModel *model, const CrElementBlock *b, const PetscReal *u, PetscInt cell,
                  PetscReal x[][3], PetscReal centre[3])
{
  const PetscInt *nodes = b->nodes + cell / CR_BATCH * b->element->nnodes * CR_BATCH;
  const PetscInt  n = CrCells[b->element->type].ncorners, dim = model->dim;

  for (int i = 0; i < 3; i++) centre[i] = 0;
  for (PetscInt a = 0; a < n; a++) {
    const PetscInt A = nodes[a * CR_BATCH + cell % CR_BATCH];

    for (PetscInt i = 0; i < 3; i++) x[a][i] = i < dim ? model->X[dim * A + i] + u[dim * A + i] : 0;
    v_add(centre, 1. / (PetscReal)n, x[a]);
  }
}

/* The normal of a face by its corners. Its length and sign do not matter here. */
static void face_normal(const CrCell *cell, PetscInt face, PetscReal x[][3], PetscReal normal[3])
{
  const PetscInt *at = cell->faces[face];
  const PetscInt  n = CrCells[cell->face_type].ncorners;
  PetscReal       a[3] = {0}, b[3] = {0};

  v_add(a, 1, x[at[n == 4 ? 2 : 1]]);
  v_add(a, -1, x[at[0]]);
  if (n == 2) {
    normal[0] = a[1];
    normal[1] = -a[0];
    normal[2] = 0;
    return;
  }
  v_add(b, 1, x[at[n == 4 ? 3 : 2]]);
  v_add(b, -1, x[at[n == 4 ? 1 : 0]]);
  v_cross(a, b, normal);
}

/* Is p inside the element? Curved faces count as flat. */
static PetscBool is_inside(const CrCell *cell, PetscReal x[][3], const PetscReal centre[3],
                           const PetscReal p[3])
{
  const PetscInt n = CrCells[cell->face_type].ncorners;

  for (PetscInt face = 0; face < cell->nfaces; face++) {
    PetscReal middle[3] = {0}, normal[3], to_centre[3] = {0}, to_p[3] = {0}, inner;

    for (PetscInt a = 0; a < n; a++) v_add(middle, 1. / (PetscReal)n, x[cell->faces[face][a]]);
    face_normal(cell, face, x, normal);
    v_add(to_centre, 1, centre);
    v_add(to_centre, -1, middle);
    v_add(to_p, 1, p);
    v_add(to_p, -1, middle);
    inner = v_dot(normal, to_centre);
    if (!(v_dot(normal, to_p) * inner > MARGIN * inner * inner)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* ---- boxes ------------------------------------------------------------------------------------ */

static PetscErrorCode find_boxes(CrSharedSpace *s, const PetscReal *u, const CrRigidState *rigid)
{
  const CrModel *model = s->model;
  const PetscInt dim = model->dim;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < 6 * s->nbodies; i++) s->box[i] = -PETSC_MAX_REAL;
  for (PetscInt b = model->nbodies; b < s->nbodies; b++)
    for (PetscInt i = 0; i < dim; i++) {
      s->box[6 * b + i] = -rigid->x[3 * (b - model->nbodies) + i];
      s->box[6 * b + 3 + i] = rigid->x[3 * (b - model->nbodies) + i];
    }
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal *box = s->box + 6 * model->node_body[A], x = model->X[dim * A + i] + u[dim * A + i];

      box[i] = PetscMax(box[i], -x);
      box[3 + i] = PetscMax(box[3 + i], x);
    }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, s->box, (PetscMPIInt)(6 * model->nbodies), MPIU_REAL,
                             MPI_MAX, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a box of least and greatest coordinates meet the box of a body other than `own`? */
static PetscBool meets_another(const CrSharedSpace *s, PetscInt own, const PetscReal low[3],
                               const PetscReal high[3])
{
  const PetscInt dim = s->model->dim;

  for (PetscInt b = 0; b < s->nbodies; b++) {
    const PetscReal *box = s->box + 6 * b;
    PetscInt         i = 0;

    while (b != own && i < dim && high[i] >= -box[i] && low[i] <= box[3 + i]) i++;
    if (b != own && i == dim) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* The box of a body meets that of another body. */
static PetscBool may_share(const CrSharedSpace *s, PetscInt body)
{
  PetscReal low[3];

  for (int i = 0; i < 3; i++) low[i] = -s->box[6 * body + i];
  return meets_another(s, body, low, s->box + 6 * body + 3);
}

/* ---- a test ----------------------------------------------------------------------------------- */

/* Finds the box of this rank's elements that may contain centres, and gathers the boxes of all ranks. */
static PetscErrorCode find_reach(CrSharedSpace *s, const PetscReal *u)
{
  const CrModel *model = s->model;
  PetscReal      x[CR_MAX_CELL_NODES][3], centre[3], box[6];

  PetscFunctionBeginUser;
  for (int i = 0; i < 6; i++) box[i] = -PETSC_MAX_REAL;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt cell = 0; may_share(s, b->body) && cell < b->nowned; cell++) {
      place(model, b, u, cell, x, centre);
      for (PetscInt a = 0; a < CrCells[b->element->type].ncorners; a++)
        for (int i = 0; i < 3; i++) {
          box[i] = PetscMax(box[i], -x[a][i]);
          box[3 + i] = PetscMax(box[3 + i], x[a][i]);
        }
    }
  }
  PetscCallMPI(MPI_Allgather(box, 6, MPIU_REAL, s->reach, 6, MPIU_REAL, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sends a centre to the ranks whose box contains it. */
static PetscErrorCode send_centre(const CrSharedSpace *s, const Centre *c, CrMail *mail)
{
  const PetscInt ints[2] = {c->body, c->cell};

  PetscFunctionBeginUser;
  for (PetscMPIInt r = 0; r < s->size; r++) {
    const PetscReal *box = s->reach + 6 * r;
    int              i = 0;

    while (i < s->model->dim && c->x[i] >= -box[i] && c->x[i] <= box[3 + i]) i++;
    if (i == s->model->dim) PetscCall(CrMailAdd(mail, r, ints, c->x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gets the centres of all ranks that may lie inside elements of this rank. */
static PetscErrorCode collect(CrSharedSpace *s, const PetscReal *u, const CrRigidState *rigid)
{
  const CrModel *model = s->model;
  PetscMPIInt    rank;
  PetscReal      x[CR_MAX_CELL_NODES][3];
  Centre         centre;
  CrMail         mail;
  CrPost         post;

  PetscFunctionBeginUser;
  PetscCall(find_reach(s, u));
  PetscCall(CrMailBegin(model->comm, 2, 3, &mail));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    centre.body = b->body;
    for (PetscInt cell = 0; may_share(s, b->body) && cell < b->nowned; cell++) {
      place(model, b, u, cell, x, centre.x);
      centre.cell = b->cell[cell];
      if (meets_another(s, b->body, centre.x, centre.x)) PetscCall(send_centre(s, &centre, &mail));
    }
  }
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  for (PetscInt b = model->nbodies; !rank && b < s->nbodies; b++) {
    const PetscReal *at = rigid->x + 3 * (b - model->nbodies);

    centre = (Centre){{at[0], at[1], at[2]}, b, model->ncells + b};
    if (meets_another(s, b, at, at)) PetscCall(send_centre(s, &centre, &mail));
  }
  PetscCall(CrMailSend(model->comm, &mail, &post));
  s->near.n = 0;
  for (PetscInt k = 0; k < post.n; k++) {
    const PetscReal *at = post.reals + 3 * k;

    centre = (Centre){{at[0], at[1], at[2]}, post.ints[2 * k], post.ints[2 * k + 1]};
    CrListAdd(&s->near, centre);
  }
  PetscCall(CrMailEnd(&mail));
  PetscCall(CrPostEnd(&post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* An element of this rank that may contain centres of other bodies. */
typedef struct {
  PetscInt block, cell;
} Element;

/* Finds the centres inside elements of this rank, by a tree of the elements. */
static PetscErrorCode find_hits(CrSharedSpace *s, const PetscReal *u)
{
  const CrModel *model = s->model;
  const PetscInt dim = model->dim;
  PetscReal      x[CR_MAX_CELL_NODES][3], centre[3], box[6];
  CrTree        *tree = NULL;
  PetscInt      *found = NULL;
  CR_LIST(Element) elements = {0};
  CR_LIST(PetscReal) boxes = {0};

  PetscFunctionBeginUser;
  s->hits.n = 0;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt cell = 0; may_share(s, b->body) && cell < b->nowned; cell++) {
      PetscReal low[3], high[3];

      place(model, b, u, cell, x, centre);
      for (PetscInt i = 0; i < 3; i++) {
        low[i] = high[i] = x[0][i];
        for (PetscInt a = 1; a < CrCells[b->element->type].ncorners; a++) {
          low[i] = PetscMin(low[i], x[a][i]);
          high[i] = PetscMax(high[i], x[a][i]);
        }
      }
      if (!meets_another(s, b->body, low, high)) continue;
      CrListAdd(&elements, (Element){k, cell});
      for (PetscInt i = 0; i < dim; i++) CrListAdd(&boxes, low[i]);
      for (PetscInt i = 0; i < dim; i++) CrListAdd(&boxes, high[i]);
    }
  }
  if (elements.n) {
    PetscCall(CrTreeCreate(dim, elements.n, &tree));
    CrTreeUpdate(tree, boxes.at);
    PetscCall(PetscMalloc1(elements.n, &found));
  }
  for (PetscInt k = 0; elements.n && k < s->near.n; k++) {
    const PetscReal *p = s->near.at[k].x;
    PetscInt         n = 0;

    for (PetscInt i = 0; i < dim; i++) box[i] = box[dim + i] = p[i];
    (void)CrTreeQuery(tree, box, elements.n, found, &n);
    for (PetscInt j = 0; j < n; j++) {
      const Element         e = elements.at[found[j]];
      const CrElementBlock *b = &model->blocks[e.block];

      if (b->body == s->near.at[k].body) continue;
      place(model, b, u, e.cell, x, centre);
      if (!is_inside(&CrCells[b->element->type], x, centre, p)) continue;
      if (s->hits.n && s->hits.at[s->hits.n - 1].centre == k &&
          s->hits.at[s->hits.n - 1].into == b->body)
        continue; /* on a face between two elements */
      CrListAdd(&s->hits, (Hit){k, b->body});
    }
  }
  PetscCall(CrTreeDestroy(&tree));
  PetscCall(PetscFree(found));
  PetscCall(PetscFree(elements.at));
  PetscCall(PetscFree(boxes.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode test(CrSharedSpace *s, const CrState *state)
{
  const PetscReal *u;

  PetscFunctionBeginUser;
  s->hits.n = 0;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(find_boxes(s, u, state->rigid));
  PetscCall(collect(s, u, state->rigid));
  if (s->near.n) PetscCall(find_hits(s, u));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- warnings --------------------------------------------------------------------------------- */

/* A number for the two bodies of a hit. */
static PetscInt pair_of(const CrSharedSpace *s, const Hit *hit)
{
  const PetscInt own = s->near.at[hit->centre].body;

  return PetscMin(own, hit->into) * s->nbodies + PetscMax(own, hit->into);
}

static PetscBool is_told(const CrSharedSpace *s, PetscInt pair)
{
  for (PetscInt k = 0; k < s->ntold; k++)
    if (s->told[k] == pair) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The contact pair of two bodies, of which only b may be rigid; NULL: there is none. */
static const CrPair *contact_of(const CrSharedSpace *s, PetscInt a, PetscInt b)
{
  CR_EACH_PASS (p, s->contact) {
    const PetscInt partner = s->model->nbodies + p->partner;

    if (p->partner >= 0 && partner == b &&
        ((p->slave && p->slave->body == a) || (p->master && p->master->body == a)))
      return &s->contact->pairs[p->pair];
    if (!p->slave || !p->master) continue;
    if ((p->slave->body == a && p->master->body == b) ||
        (p->slave->body == b && p->master->body == a))
      return &s->contact->pairs[p->pair];
  }
  return NULL;
}

/* Finds the centre with the least element number of a pair of bodies, and counts the centres of the first body inside
   the second, and the reverse. The results are the same on all ranks. A centre on the border of two ranks may count
   twice. */
static PetscErrorCode find_first(const CrSharedSpace *s, PetscInt pair, Centre *first,
                                 PetscInt counts[2])
{
  PetscInt  least = PETSC_MAX_INT;
  PetscReal at[4] = {0}; /* position and body */

  PetscFunctionBeginUser;
  counts[0] = counts[1] = 0;
  for (PetscInt k = 0; k < s->hits.n; k++) {
    const Hit    *hit = &s->hits.at[k];
    const Centre *c = &s->near.at[hit->centre];

    if (pair_of(s, hit) != pair) continue;
    counts[c->body > hit->into]++;
    if (c->cell >= least) continue;
    least = c->cell;
    at[3] = (PetscReal)c->body;
    for (int i = 0; i < 3; i++) at[i] = c->x[i];
  }
  first->cell = least;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPIU_INT, MPI_SUM, s->model->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &first->cell, 1, MPIU_INT, MPI_MIN, s->model->comm));
  for (int i = 0; least != first->cell && i < 4; i++) at[i] = -PETSC_MAX_REAL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, at, 4, MPIU_REAL, MPI_MAX, s->model->comm));
  for (int i = 0; i < 3; i++) first->x[i] = at[i];
  first->body = (PetscInt)at[3];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The least pair of bodies that share space, above `pair`; a negative number: there is none. */
static PetscErrorCode next_pair(const CrSharedSpace *s, PetscInt *pair)
{
  PetscInt least = PETSC_MAX_INT;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->hits.n; k++) {
    const PetscInt p = pair_of(s, &s->hits.at[k]);

    if (p > *pair && p < least) least = p;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_INT, MPI_MIN, s->model->comm));
  *pair = least == PETSC_MAX_INT ? -1 : least;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void name_body(const CrSharedSpace *s, PetscInt b, char name[96])
{
  if (b < s->model->nbodies)
    snprintf(name, 96, "%s", s->model->bodies[b].name);
  else
    CrRigidName(s->model->rigid, b - s->model->nbodies, name);
}

static void warn(const CrSharedSpace *s, PetscInt a, PetscInt b, const Centre *c,
                 const CrPair *contact, PetscReal t)
{
  const PetscInt own = c->body;
  char           place[80], one[96], two[96], what[160];

  if (s->model->dim == 2)
    snprintf(place, sizeof place, "(%.4g, %.4g)", (double)c->x[0], (double)c->x[1]);
  else
    snprintf(place, sizeof place, "(%.4g, %.4g, %.4g)", (double)c->x[0], (double)c->x[1],
             (double)c->x[2]);
  name_body(s, a, one);
  name_body(s, b, two);
  snprintf(what, sizeof what, own < s->model->nbodies ? "the centre of an element of %s" : "%s",
           own == a ? one : two);
  if (contact)
    CrWarn("bodies \"%s\" and \"%s\" share space, although the pair \"%s\" names them: at t = %g "
           "%s, at %s, lies inside %s. Check the surfaces that the pair names, and where the "
           "bodies start",
           one, two, contact->name, (double)t, what, place, own == a ? two : one);
  else
    CrWarn("bodies \"%s\" and \"%s\" share space, because no contact pair names both: at t = %g "
           "%s, at %s, lies inside %s. Add the pair to `contact`, or move the bodies apart",
           one, two, (double)t, what, place, own == a ? two : one);
}

/* Reports an error of the deck if most of a body starts inside the other. counts[]: see find_first. */
static PetscErrorCode refuse(const CrSharedSpace *s, const CrPair *contact, PetscInt a, PetscInt b,
                             const PetscInt counts[2])
{
  const CrBody   *one = &s->model->bodies[a], *two = &s->model->bodies[b];
  const PetscBool first = (PetscReal)counts[0] > MOST * (PetscReal)one->ncells;
  const CrBody   *in = first ? one : two;

  PetscFunctionBeginUser;
  if (!first && !((PetscReal)counts[1] > MOST * (PetscReal)two->ncells))
    PetscFunctionReturn(PETSC_SUCCESS);
  CrDeckFail(contact->entry,
             "bodies \"%s\" and \"%s\" start in the same place: the centres of %" PetscInt_FMT
             " of %" PetscInt_FMT " elements of %s lie inside %s. Move one of the bodies, for "
             "example by its key `position`",
             one->name, two->name, PetscMin(counts[!first], in->ncells), in->ncells, in->name,
             first ? two->name : one->name);
}

static PetscErrorCode judge(CrSharedSpace *s, PetscReal t, PetscBool start, PetscBool allowed)
{
  const CrModel *model = s->model;
  PetscInt       pair = -1;

  PetscFunctionBeginUser;
  while (s->ntold < TOLD) {
    PetscInt      a, b, counts[2];
    Centre        first;
    const CrPair *contact;

    PetscCall(next_pair(s, &pair));
    if (pair < 0) break;
    a = pair / s->nbodies; /* never a rigid body */
    b = pair % s->nbodies;
    contact = contact_of(s, a, b);
    if (is_told(s, pair)) continue;
    if (contact && b >= model->nbodies) continue; /* the measurement of penetration sees it */
    if (contact && contact->resolve && CrFactorAt(&contact->ramp, t) < 1) continue;
    PetscCall(find_first(s, pair, &first, counts));
    if (start && contact && !allowed && b < model->nbodies)
      PetscCall(refuse(s, contact, a, b, counts));
    if (start && contact) continue; /* the measurement of penetration judges the start of pairs */
    warn(s, a, b, &first, contact, t);
    s->told[s->ntold++] = pair;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharedSpaceStart(CrSharedSpace *s, const CrState *state, PetscBool allowed)
{
  PetscFunctionBeginUser;
  PetscCall(test(s, state));
  PetscCall(judge(s, state->t, PETSC_TRUE, allowed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSharedSpaceLook(CrSharedSpace *s, const CrState *state, PetscReal end)
{
  const PetscInt look = end > 0 ? (PetscInt)floor(LOOKS * PetscMin(state->t / end, 1)) : 0;

  PetscFunctionBeginUser;
  if (look <= s->looked) PetscFunctionReturn(PETSC_SUCCESS);
  s->looked = look;
  if (s->ntold == TOLD) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(test(s, state));
  PetscCall(judge(s, state->t, PETSC_FALSE, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
