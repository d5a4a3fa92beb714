/* Lists the pressed contact points on which impulses act at the end of a step, for the velocity update (theory 16). */
#include "base/mail.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/impulse.h"
#include "contact/springs/edges.h"
#include "contact/springs/springs.h"
#include "contact/touch/touch.h"

/* Operators of a touch with a rigid body. */
static PetscBool look_at_body(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                              CrSpread *spread, CrKinematics *k, CrGrip *grip)
{
  const CrPass *p = &c->passes[touch->pass];

  if (!p->ops->finish(c, touch, u1, k, grip)) return PETSC_FALSE;
  if (CrPassHasEdges(p))
    CrTouchSpread(c, touch, spread);
  else
    CrTouchSpreadOn(c, touch, grip->facet, spread);
  return PETSC_TRUE;
}

/* Operators at the end of the step, on the facet that is nearest there. */
static PetscBool look_at_end(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                             CrSpread *spread, CrKinematics *k, CrGrip *grip)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[CR_CONTACT_DOFS], shift[3];
  CrProximity   near;
  PetscInt      facet;

  *grip = (CrGrip){.n = 0};
  if (p->ops->body) return look_at_body(c, touch, u1, spread, k, grip);
  if (p->kind == CR_EDGE_ON_EDGE) {
    CrTouchSpread(c, touch, spread);
    return CrEdgesLook(c, touch, touch->facet, u1, CR_POSE_END, k);
  }
  if (!p->ops->facets) {
    CrTouchSpreadOn(c, touch, -1, spread);
    CrGatherNode(c, touch->node, u1, x);
    CrObstacleShift(p->obstacle, c->work->t + c->work->h, shift);
    CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, touch->facet, x, k);
    return PETSC_TRUE;
  }
  facet = touch->locked ? touch->facet : CrNearestFacet(c, touch, u1, &near);
  CrTouchSpreadOn(c, touch, facet, spread);
  return CrTouchLook(c, touch, facet, PETSC_FALSE, u1, k);
}

/* The friction traction at the end of the step: the same vector, turned into the facet there, with the same
   length. */
static void carry_traction(PetscInt dim, const CrTouch *touch, const CrKinematics *k,
                           PetscReal t[2])
{
  PetscReal vector[3] = {0}, size = 0, now = 0;

  if (dim == 2) {
    t[0] = touch->out.t[0];
    return;
  }
  for (int a = 0; a < 2; a++) {
    size += PetscSqr(touch->out.t[a]);
    for (int i = 0; i < 3; i++) vector[i] += touch->out.t[a] * touch->k.e[a][i];
  }
  for (int a = 0; a < 2; a++) {
    t[a] = v_dot_n(3, vector, k->e[a]);
    now += PetscSqr(t[a]);
  }
  for (int a = 0; a < 2 && now > 0; a++) t[a] *= PetscSqrtReal(size / now);
}

/* Power of a moving obstacle, from its displacement in the step, as in the ledger. G is the direction of the slave. */
static PetscReal drive(const CrContact *c, const CrTouch *touch, const PetscReal *G)
{
  PetscReal move[3], rate = 0;

  CrPassMove(&c->passes[touch->pass], c->work->t, c->work->t + c->work->h, move);
  for (PetscInt i = 0; i < c->model->dim; i++) rate += G[i] * move[i] / c->work->h;
  return rate;
}

/* Spreads part q of an impulse, G or H by nodes of the operators, over its nodes and its rigid body. */
static void spread_row(const CrSpread *s, const CrGrip *grip, PetscInt dim, const PetscReal *row,
                       PetscInt q, CrImpulsePoint *point)
{
  for (PetscInt e = 0; e < s->n; e++)
    for (PetscInt i = 0; i < dim; i++)
      point->along[q][dim * e + i] = s->c[e] * row[dim * s->column[e] + i];
  if (grip->n) CrPartnerPull(grip, dim, row, point->rigid.pull[q]);
}

/* How the rigid body of a point moves, and how it answers to the impulse. */
static void meet_body(const CrContact *c, const CrTouch *touch, CrImpulsePoint *point)
{
  CrImpulseBody   *rigid = &point->rigid;
  const CrPartner *p;
  PetscReal        before[6], after[6];

  rigid->body = c->passes[touch->pass].ops->body ? c->passes[touch->pass].partner : -1;
  if (rigid->body < 0) return;
  p = &c->work->partners[rigid->body];
  CrPartnerTwists(p, c->work->h, before, after);
  for (PetscInt q = 0; q < point->parts; q++) {
    CrPartnerAnswer(p, rigid->pull[q], rigid->answer[q]);
    rigid->rate[q] = v_dot_n(6, rigid->pull[q], after);
  }
  rigid->before = v_dot_n(6, rigid->pull[0], before);
}

static void along_traction(const CrTouch *touch, const CrKinematics *k, const CrSpread *spread,
                           const CrGrip *grip, CrImpulsePoint *point)
{
  PetscInt  dim = k->dim;
  PetscReal t[2] = {0}, row[CR_CONTACT_DOFS];

  carry_traction(dim, touch, k, t);
  point->parts = 1;
  for (PetscInt r = 0; r < dim * (k->nmaster + 1); r++) {
    row[r] = touch->out.p * k->G[r];
    for (PetscInt a = 0; a < dim - 1; a++) row[r] -= t[a] * k->H[a][r];
    row[r] *= touch->weight;
  }
  spread_row(spread, grip, dim, row, 0, point);
}

static void in_parts(const CrKinematics *k, const CrSpread *spread, const CrGrip *grip,
                     CrImpulsePoint *point)
{
  point->parts = k->dim;
  spread_row(spread, grip, k->dim, k->G, 0, point);
  for (PetscInt a = 0; a < k->dim - 1; a++) spread_row(spread, grip, k->dim, k->H[a], 1 + a, point);
}

/* Is the slave a rigid body? */
static PetscBool is_body(const CrTouch *touch)
{
  return touch->node < 0 && !touch->sample ? PETSC_TRUE : PETSC_FALSE;
}

/* Part q of an impulse as a force on the slave. */
static void on_slave(PetscInt dim, const CrTouch *touch, const CrImpulsePoint *point, PetscInt q,
                     PetscReal force[3])
{
  for (PetscInt i = 0; i < dim; i++) {
    force[i] = is_body(touch) ? point->rigid.pull[q][i] : 0;
    for (PetscInt a = 0; a < point->own; a++) force[i] += point->along[q][dim * a + i];
  }
}

/* How many nodes of a spread belong to the slave. */
static PetscInt count_own(const CrContact *c, const CrTouch *touch, const CrSpread *spread)
{
  PetscInt n = 0;

  if (is_body(touch)) return 0;
  for (PetscInt e = 0; e < spread->n; e++) n += spread->column[e] < CrTouchOwnNodes(c, touch);
  return n;
}

static PetscBool fill(const CrContact *c, PetscInt index, CrImpulseKind kind, const PetscReal *u1,
                      CrImpulsePoint *point)
{
  const CrTouch *touch = &c->work->touches[index];
  const CrPass  *p = &c->passes[touch->pass];
  PetscInt       dim = c->model->dim, nt = dim - 1;
  PetscReal      slip = 0, force[3];
  CrKinematics   k;
  CrSpread       spread;
  CrGrip         grip;

  if (!look_at_end(c, touch, u1, &spread, &k, &grip)) return PETSC_FALSE;
  point->touch = index;
  point->point = touch->point;
  point->counts = CrPointCounts(c, p, touch->point - p->first);
  point->n = spread.n;
  point->own = count_own(c, touch, &spread);
  for (PetscInt e = 0; e < spread.n; e++) point->nodes[e] = spread.nodes[e];
  for (PetscInt i = 0; i < 3; i++) point->nu[i] = i < dim ? k.nu[i] : 0;
  if (kind == CR_IMPULSE_TRACTION)
    along_traction(touch, &k, &spread, &grip, point);
  else
    in_parts(&k, &spread, &grip, point);
  meet_body(c, touch, point);
  for (PetscInt a = 0; a < nt; a++) slip += PetscSqr(touch->in.ds[a]);
  point->work = touch->weight * touch->out.owed;
  point->slip = touch->out.status == CR_STICKING ? PetscSqrtReal(slip) : 0;
  point->open = 0;
  if (touch->out.p > 0)
    point->open = PetscAbsReal(touch->out.closes ? touch->in.gap1 : touch->in.dg);
  point->friction = touch->in.mu;
  point->bounces = touch->out.bounces;
  for (PetscInt q = 0; q < point->parts; q++) {
    on_slave(dim, touch, point, q, force);
    point->driven[q] = drive(c, touch, force);
  }
  return PETSC_TRUE;
}

/* A point that touches only by rounding at the end of a step is left to the next step. */
static PetscBool just_touches(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     size = p->ops->facets ? p->master->size[touch->facet] : CrPassSize(c, p);

  return touch->out.closes && touch->in.ln == 0 && touch->in.gap1 > -1e-12 * size;
}

/* Does an impulse act on the point? It does if the point is pressed, or if it was released and owes energy. A point
   that rests on springs owes no energy and needs no impulse. */
static PetscBool takes_part(const CrContact *c, const CrTouch *touch)
{
  if (touch->idle) return PETSC_FALSE;
  if (!touch->out.bounces && touch->out.owed == 0 && touch->out.loss == 0) return PETSC_FALSE;
  if (touch->out.p > 0) return !just_touches(c, touch);
  return touch->out.bounces && touch->out.owed < 0;
}

static PetscBool list_points(CrContact *c, CrImpulseKind kind, const PetscReal *u1, PetscInt *n,
                             CrImpulsePoint *points)
{
  *n = 0;
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    if (!takes_part(c, &c->work->touches[k])) continue;
    if (!fill(c, k, kind, u1, &points[*n])) return PETSC_FALSE;
    (*n)++;
  }
  return PETSC_TRUE;
}

static int by_point(const void *a, const void *b)
{
  PetscInt p = ((const CrImpulsePoint *)a)->point, q = ((const CrImpulsePoint *)b)->point;

  return (p > q) - (p < q);
}

/* Puts the points of divided passes first, with global numbers of nodes. Returns how many there are. */
static PetscInt pack(const CrContact *c, PetscInt n, CrImpulsePoint *points)
{
  PetscInt m = 0;

  for (PetscInt l = 0; l < n; l++) {
    CrImpulsePoint point = points[l];

    if (!CrPassIsDivided(c, &c->passes[c->work->touches[point.touch].pass])) continue;
    points[l] = points[m];
    for (PetscInt e = 0; e < point.n; e++) point.nodes[e] = CrNodeGlobal(c->model, point.nodes[e]);
    points[m++] = point;
  }
  return m;
}

/* Replaces the points of this rank, m of n, by those of all ranks. The others are on every rank already. */
static PetscErrorCode gather_points(CrContact *c, PetscInt m, PetscInt *n, CrImpulsePoint *points)
{
  CrImpulsePoint *list;
  PetscInt        all, first;

  PetscFunctionBeginUser;
  PetscCall(CrGatherAll(c->model->comm, m, sizeof *points, points, &all, &first, &list));
  for (PetscInt l = 0; l < all; l++) {
    for (PetscInt e = 0; e < list[l].n; e++)
      list[l].nodes[e] = CrNodeLocal(c->model, list[l].nodes[e]);
    if (l < first || l >= first + m) list[l].touch = -1;
  }
  for (PetscInt l = *n - 1; l >= m; l--) points[all - m + l] = points[l];
  PetscCall(PetscArraycpy(points, list, all));
  *n += all - m;
  qsort(points, (size_t)*n, sizeof *points, by_point);
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactGatherImpulses(CrContact *c, PetscInt *n, CrImpulsePoint *points)
{
  PetscFunctionBeginUser;
  if (c->division) PetscCall(gather_points(c, pack(c, *n, points), n, points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactImpulses(CrContact *c, CrImpulseKind kind, const PetscReal *u1, PetscInt *n,
                                 CrImpulsePoint *points, PetscBool *found)
{
  PetscInt lost;

  PetscFunctionBeginUser;
  lost = list_points(c, kind, u1, n, points) ? 0 : 1;
  PetscCall(CrDivisionSumInts(c, 1, &lost));
  *found = lost == 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A point that the equilibrium released is in contact by its impulse alone. */
static void kick_parts(const CrContact *c, const CrImpulsePoint *point, const PetscReal *r,
                       CrTouch *touch)
{
  PetscReal size = point->parts == 3 ? PetscHypotReal(r[1], r[2]) : PetscAbsReal(r[1]);

  touch->push = r[0] / c->work->h;
  touch->lost = point->lost;
  touch->swing = point->swing;
  if (!(touch->out.p > 0)) touch->out.status = CrCoulombStatus(point->friction, r[0], size);
}

/* Rigid bodies get the impulses with their contact forces. Points of other ranks act on them too. */
static PetscErrorCode kick_bodies(CrContact *c, PetscBool all, PetscInt n,
                                  const CrImpulsePoint *points, const PetscReal *r)
{
  PetscInt   nbodies = c->model->rigid->n;
  PetscBool  shared = c->division && !all;
  PetscReal *sums;

  PetscFunctionBeginUser;
  if (!c->work->partners) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscCalloc1(6 * nbodies, &sums));
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt q = 0; q < points[l].parts; q++, r++) {
      PetscInt   b = points[l].rigid.body;
      CrPartner *p = c->work->partners + PetscMax(b, 0);

      if (b < 0 || (shared && !points[l].counts)) continue;
      v_add(shared ? sums + 6 * b : p->force, *r / c->work->h, points[l].rigid.pull[q]);
      v_add(shared ? sums + 6 * b + 3 : p->torque, *r / c->work->h, points[l].rigid.pull[q] + 3);
    }
  if (shared) PetscCall(CrDivisionSum(c, 6 * nbodies, sums));
  for (PetscInt b = 0; shared && b < nbodies; b++) {
    v_add(c->work->partners[b].force, 1, sums + 6 * b);
    v_add(c->work->partners[b].torque, 1, sums + 6 * b + 3);
  }
  PetscCall(PetscFree(sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactKick(CrContact *c, PetscBool all, PetscInt n, const CrImpulsePoint *points,
                             const PetscReal *r)
{
  PetscInt dim = c->model->dim;

  PetscFunctionBeginUser;
  PetscCall(kick_bodies(c, all, n, points, r));
  for (PetscInt l = 0; l < n; l++) {
    CrTouch *touch = points[l].touch < 0 ? NULL : &c->work->touches[points[l].touch];

    if (!touch) { /* of another rank */
      r += points[l].parts;
      continue;
    }
    if (points[l].parts > 1)
      kick_parts(c, &points[l], r, touch);
    else
      touch->impulse = r[0] / c->work->h;
    for (PetscInt q = 0; q < points[l].parts; q++, r++) {
      for (PetscInt a = 0; a < points[l].own; a++)
        for (PetscInt i = 0; i < dim; i++)
          touch->kick[i] += *r / c->work->h * points[l].along[q][dim * a + i];
      if (is_body(touch)) v_add(touch->kick, *r / c->work->h, points[l].rigid.pull[q]);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The place of what an impulse does to a node; NULL: another rank computes it. A rank that has the points of all adds
   to its own nodes alone. So do all ranks, for points that each of them has. */
static PetscReal *place_of(const CrContact *c, PetscBool all, const CrImpulsePoint *point,
                           PetscInt node, PetscReal *f)
{
  if (node < c->model->nowned) return f + c->model->dim * node;
  if (!c->division || all) return NULL;
  return CrPassIsDivided(c, &c->passes[c->work->touches[point->touch].pass]) ? CrDivisionAt(c, node)
                                                                             : NULL;
}

static void spread_impulse(const CrContact *c, const CrImpulseSpread *how,
                           const CrImpulsePoint *point, PetscInt q, PetscReal r, PetscReal *f)
{
  PetscInt dim = c->model->dim;

  for (PetscInt a = 0; a < point->n; a++) {
    PetscInt   A = point->nodes[a];
    PetscReal *to = place_of(c, how->all, point, A, f);

    for (PetscInt i = 0; to && i < dim; i++) {
      PetscReal part = r * point->along[q][dim * a + i];

      if (how->fixed && how->fixed[dim * A + i]) continue;
      to[i] += how->mass ? part / how->mass[A] : part;
    }
  }
}

PetscErrorCode CrContactSpreadImpulses(const CrContact *c, const CrImpulseSpread *how, PetscInt n,
                                       const CrImpulsePoint *points, const PetscReal *r,
                                       PetscReal *f)
{
  PetscFunctionBeginUser;
  CrDivisionBegin(c);
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt q = 0; q < points[l].parts; q++, r++)
      spread_impulse(c, how, &points[l], q, *r, f);
  if (!how->all) PetscCall(CrDivisionEnd(c, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactAddImpulses(CrContact *c, PetscBool all, PetscInt n,
                                    const CrImpulsePoint *points, const PetscReal *r)
{
  const CrImpulseSpread how = {.all = all};
  PetscInt              rows = 0;
  PetscReal            *forces;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < n; l++) rows += points[l].parts;
  PetscCall(PetscMalloc1(rows, &forces));
  for (PetscInt k = 0; k < rows; k++) forces[k] = r[k] / c->work->h;
  PetscCall(CrContactSpreadImpulses(c, &how, n, points, forces, c->picture->force));
  PetscCall(PetscFree(forces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The history of the law contains part of pressure and traction. The multiplier gets the rest. */
void CrContactAugment(CrContact *c, const CrContactLaw *law)
{
  PetscInt nt = c->model->dim - 1;

  CR_EACH_TOUCH (touch, c) {
    PetscReal along = v_dot_n(nt, touch->out.t, touch->in.ds);
    PetscBool remembers = law->memory != CR_MEMORY_NONE && touch->in.mu > 0;

    if (touch->idle) continue;
    touch->lambda = touch->out.p + (remembers ? touch->in.kn * PetscMin(touch->in.gd0, 0) : 0);
    for (int i = 0; i < 3; i++) {
      touch->traction[i] = 0;
      for (PetscInt a = 0; a < nt && (along >= 0 || remembers); a++)
        touch->traction[i] += touch->out.t[a] * touch->k.e[a][i];
      for (PetscInt a = 0; a < nt && remembers; a++)
        touch->traction[i] -= touch->in.kt * touch->in.eta0[a] * touch->k.e[a][i];
    }
  }
}
