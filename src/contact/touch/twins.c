/* Removes redundant contacts of twins under exact laws. Twins are nodes of two surfaces that coincide. Both may be
   slaves: one belongs to the finer surface, and the other one is sharp. Both would impose the same condition, and only
   the sum of their forces would be determined. The point of the side that leads (CrPass.leads) stays (theory 17.6). */
#include "base/mail.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/touch/touch.h"

#define STANDS 0.999 /* weight of the corner on which a point stands */
#define SAME   1e-5  /* of a facet: by how much one point may sink if only the other one is held */

/* The node of the facet on which a point stands; -1: none. `off`: distance of the two, over the facet. */
static PetscInt stands_on(const CrContact *c, const CrTouch *touch, const PetscReal *u0,
                          PetscReal nu[3], PetscReal *off)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrKinematics     k;

  if (!CrTouchLook(c, touch, touch->facet, PETSC_TRUE, u0, &k)) return -1;
  v_copy(k.nu, nu);
  for (PetscInt a = 0; a < k.nmaster; a++) {
    *off = PetscAbsReal(1 - k.shape[a]);
    if (k.shape[a] > STANDS) return master->corners[4 * touch->facet + a];
  }
  return -1;
}

static PetscBool is_candidate(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return !touch->idle && !touch->beside && p->kind == CR_NODE_ON_FACET && p->cones;
}

static PetscBool is_in_valley(const CrContact *c, PetscInt k)
{
  return k + 1 < c->work->ntouches && c->work->touches[k + 1].beside;
}

/* What is known of the touch of a node: the node on which it stands, its normal, the distance `off`, and whether its node
   is in a valley. pair: -1: the node has no touch. */
typedef struct {
  PetscInt  pair, on;
  PetscBool valley;
  PetscReal nu[3], off;
} Stand;

static Stand stand_of(const CrContact *c, PetscInt k, const PetscReal *u0)
{
  Stand s = {.pair = -1, .on = -1};

  if (k < 0) return s;
  s.pair = c->passes[c->work->touches[k].pass].pair;
  s.on = stands_on(c, &c->work->touches[k], u0, s.nu, &s.off);
  s.valley = is_in_valley(c, k);
  return s;
}

/* Does touch k state the same law as the other touch, and is it removed rather than the other? A node in a valley stays,
   because other facets hold it too. Else the point of the side that leads stays. */
static PetscBool goes(const CrContact *c, PetscInt k, const Stand *own, const Stand *other)
{
  const CrTouch *touch = &c->work->touches[k];
  PetscReal      opposite[3];

  if (other->pair != own->pair || other->on != touch->node) return PETSC_FALSE;
  v_copy(other->nu, opposite);
  v_add(opposite, 1, own->nu);
  if (!(other->off * v_length(opposite) < SAME)) return PETSC_FALSE;
  return own->valley != other->valley ? !own->valley : !c->passes[touch->pass].leads;
}

static void drop(const CrContact *c, CrTouch *touch)
{
  if (CrTouchMayWait(c, touch))
    touch->waits = PETSC_TRUE; /* they may part within the step */
  else
    touch->idle = touch->twin = PETSC_TRUE;
}

/* A touch that stands on a node of another rank, and so must ask this rank. */
typedef struct {
  PetscInt touch;
  Stand    own;
} Asker;

/* An answer has integers: pair, global node on which the touch stands, valley. It has reals: normal, distance. */
enum { INTS = 3, REALS = 4 };

static void write_answer(const CrContact *c, const Stand *s, PetscInt *ints, PetscReal *reals)
{
  ints[0] = s->pair;
  ints[1] = s->on < 0 ? -1 : CrNodeGlobal(c->model, s->on);
  ints[2] = s->valley;
  v_copy(s->nu, reals);
  reals[3] = s->off;
}

static Stand read_answer(const CrContact *c, const PetscInt *ints, const PetscReal *reals)
{
  Stand s = {.pair = ints[0],
             .on = ints[1] < 0 ? -1 : CrNodeLocal(c->model, ints[1]),
             .valley = ints[2] ? PETSC_TRUE : PETSC_FALSE,
             .off = reals[3]};

  v_copy(reals, s.nu);
  return s;
}

/* Asks the owners of the nodes on which touches of this rank stand. */
static PetscErrorCode ask(CrContact *c, const PetscReal *u0, CrMail *mail, const Asker *askers)
{
  CrPost     post;
  PetscInt  *ints, *answers;
  PetscReal *reals, *real_answers;

  PetscFunctionBeginUser;
  PetscCall(CrMailSend(c->model->comm, mail, &post));
  PetscCall(PetscMalloc4(INTS * post.n, &ints, REALS * post.n, &reals, INTS * mail->n, &answers,
                         REALS * mail->n, &real_answers));
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt    A = CrNodeLocal(c->model, post.ints[k]);
    const Stand s = stand_of(c, c->work->at_node[A] - 1, u0);

    write_answer(c, &s, ints + INTS * k, reals + REALS * k);
  }
  PetscCall(CrMailAnswer(c->model->comm, mail, INTS, ints, answers, REALS, reals, real_answers));
  for (PetscInt k = 0; k < mail->n; k++) {
    const Stand other = read_answer(c, answers + INTS * k, real_answers + REALS * k);

    if (goes(c, askers[k].touch, &askers[k].own, &other))
      drop(c, &c->work->touches[askers[k].touch]);
  }
  PetscCall(PetscFree4(ints, reals, answers, real_answers));
  PetscCall(CrPostEnd(&post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Compares the touches of this rank with each other. Those that stand on a node of another rank write to it. */
static PetscErrorCode compare(CrContact *c, const PetscReal *u0, CrMail *mail, Asker *askers)
{
  CrContactWork *w = c->work;
  PetscInt       owner;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < w->ntouches; k++) {
    Stand own, other;

    if (!is_candidate(c, &w->touches[k])) continue;
    own = stand_of(c, k, u0);
    if (own.on < 0) continue;
    if (c->division && own.on >= c->model->nowned) {
      PetscInt global = CrNodeGlobal(c->model, own.on);

      askers[mail->n] = (Asker){.touch = k, .own = own};
      PetscCall(CrNodeOwner(c->model, own.on, &owner));
      PetscCall(CrMailAdd(mail, owner, &global, NULL));
      continue;
    }
    other = stand_of(c, w->at_node[own.on] - 1, u0);
    if (goes(c, k, &own, &other)) drop(c, &w->touches[k]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTouchDropTwins(CrContact *c, const PetscReal *u0)
{
  CrContactWork *w = c->work;
  CrMail         mail;
  Asker         *askers = NULL;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < w->ntouches; k++)
    if (is_candidate(c, &w->touches[k])) w->at_node[w->touches[k].node] = k + 1;
  if (c->division) {
    PetscCall(PetscMalloc1(w->ntouches, &askers));
    PetscCall(CrMailBegin(c->model->comm, 1, 0, &mail));
  }
  PetscCall(compare(c, u0, &mail, askers));
  if (c->division) {
    PetscCall(ask(c, u0, &mail, askers));
    PetscCall(CrMailEnd(&mail));
    PetscCall(PetscFree(askers));
  }
  for (PetscInt k = 0; k < w->ntouches; k++)
    if (w->touches[k].node >= 0) w->at_node[w->touches[k].node] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
