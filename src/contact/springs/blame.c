/* Explains why a step fails. It names the contact of a node. It also counts contact points in valleys of the master,
   where contact with one facet is not sufficient (theory 13.10). */
#include "contact/division.h"
#include "contact/springs/springs.h"
#include "contact/touch/touch.h"

#define LEVEL 0.01 /* slope that no one would call a valley */

/* Is the node behind facet f too, and does f rise from the facet in use by more than friction holds? */
static PetscBool rises(const CrContact *c, const CrTouch *touch, PetscInt f, const PetscReal *u)
{
  PetscReal   limit = PetscMax(LEVEL, c->pairs[c->passes[touch->pass].pair].friction);
  PetscReal   x[CR_CONTACT_DOFS], along = 0, height = 0;
  PetscInt    dim = c->model->dim;
  CrProximity here, next;
  PetscInt    n = CrTouchGatherOn(c, touch, touch->facet, u, x);

  CrFacetProximity(dim, n, x, &here);
  for (PetscInt i = 0; i < dim; i++) height -= here.nu[i] * x[dim + i];
  n = CrTouchGatherOn(c, touch, f, u, x);
  CrFacetProximity(dim, n, x, &next);
  for (PetscInt i = 0; i < dim; i++) {
    along += here.nu[i] * next.nu[i];
    for (PetscInt a = 1; a <= n; a++) height += here.nu[i] * x[dim * a + i] / n;
  }
  /* half of the angle between them is the slope that the node sees */
  return height > 0 && next.gap < 0 && next.outside < 0.5 &&
         1 - along > 2 * PetscSqr(limit) / (1 + PetscSqr(limit));
}

PetscErrorCode CrContactBlame(CrContact *c, const PetscReal *u)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];
    PetscInt      count = 0;

    if (p->kind != CR_NODE_ON_FACET && p->kind != CR_SAMPLE_ON_FACET) continue;
    CR_EACH_TOUCH_OF (touch, c, k) {
      PetscBool valley = PETSC_FALSE;

      if (touch->idle || !(touch->out.p > 0) || touch->k.rest)
        continue; /* edges and corners hold */
      for (PetscInt a = 0; a < 4 && !valley; a++) {
        PetscInt f = p->master->neighbour[4 * touch->facet + a];

        if (f >= 0) valley = rises(c, touch, f, u);
      }
      if (valley) count++;
    }
    PetscCall(CrDivisionSumInts(c, 1, &count));
    c->work->notes[p->pair].valleys = PetscMax(c->work->notes[p->pair].valleys, count);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The touch of a node on this rank; NULL: none. */
static const CrTouch *touch_of(const CrContact *c, PetscInt node)
{
  const CrTouch *best = NULL;

  CR_EACH_TOUCH (touch, c) {
    CrSpread spread;

    if (node < 0 || touch->idle || touch->facet < 0 || (best && !(touch->out.p > 0))) continue;
    CrTouchSpread(c, touch, &spread);
    for (PetscInt e = 0; e < spread.n; e++)
      if (spread.nodes[e] == node) best = touch;
    if (best && best->out.p > 0) break;
  }
  return best;
}

PetscErrorCode CrContactOfNode(const CrContact *c, PetscInt node, const char **pair,
                               CrContactStatus *status)
{
  PetscInt       global = node < 0 ? -1 : CrNodeGlobal(c->model, node), answer[2] = {-1, CR_OPEN};
  const CrTouch *touch;
  struct {
    int kind, rank; /* 2: pressed, 1: open, 0: none */
  } best;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &global, 1, MPIU_INT, MPI_MAX, c->model->comm));
  touch = touch_of(c, CrNodeLocal(c->model, global));
  if (touch) {
    answer[0] = c->passes[touch->pass].pair;
    answer[1] = touch->out.status;
  }
  PetscCallMPI(MPI_Comm_rank(c->model->comm, &best.rank));
  best.kind = !touch ? 0 : touch->out.p > 0 ? 2 : 1;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_2INT, MPI_MAXLOC, c->model->comm));
  PetscCallMPI(MPI_Bcast(answer, 2, MPIU_INT, best.rank, c->model->comm));
  *pair = answer[0] < 0 ? NULL : c->pairs[answer[0]].name;
  *status = (CrContactStatus)answer[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrContactExplain(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->work->notes[k].valleys)
      CrWarn(
          "contact %s: %" PetscInt_FMT
          " slave nodes are pressed into concave edges between two facets of the master, which are too steep for friction. Shorter steps do not help, because a node in such an edge needs contact with both facets. Set `sides: both` for this pair, or name the finer surface first.",
          c->pairs[k].name, c->work->notes[k].valleys);
}
