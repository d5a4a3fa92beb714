/* Pairs of explicit steps with a rigid body of finite mass: a node on its surface, or a point of it on a
   wall. Slave and body exchange one force at the place of the slave at t_n, so that both momenta are kept
   whatever the shape (theory 19.5). */
#include "contact/internal.h"
#include "contact/pairing.h"

#define CLOSED 1e-6 /* of half a facet: gaps of the start that are none */

static const CrShape *shape_of(const CrMultipliers *mu, const CrPass *p)
{
  const CrRigid *r = mu->contact->model->rigid;

  return &r->shapes[r->shape[p->partner]];
}

static void node_at(const CrContact *c, PetscInt node, const PetscReal *u, PetscReal x[3])
{
  x[2] = 0;
  CrGatherNode(c, node, u, x);
}

/* The face of node i (patch: that it was on; -1: free), gap and normal; false: it is over none that it
   may use. Curved shapes have one face. */
static PetscBool meet(const CrMultipliers *mu, const CrPass *p, PetscInt i, const CrPose *pose,
                      const PetscReal *u, PetscInt patch, PetscInt *face, PetscReal *gap,
                      PetscReal nu[3])
{
  const CrShape *s = shape_of(mu, p);
  PetscReal      x[3], y[3], normal[3] = {0}, beyond;
  CrFaceChoice   choice = {.patch = patch, .R = pose->R, .normal = normal};

  if (patch < 0) CrSlaveNormal(mu->contact, p, i, u, normal);
  node_at(mu->contact, p->slave->nodes[i], u, x);
  if (s->kind != CR_SHAPE_POLYTOPE) {
    *face = 0;
    *gap = CrShapeGap(s, pose->x, pose->R, x, nu);
    return patch >= 0 || CrIsFaced(normal, nu);
  }
  v_less(x, pose->x, y);
  *face = CrShapeFace(s, &choice, pose->R, y, &beyond);
  if (*face < 0 || beyond > OPEN_EDGE * s->reach) return PETSC_FALSE;
  m_times(pose->R, s->normals + 3 * *face, nu);
  *gap = v_dot(nu, y) - s->offsets[*face];
  return PETSC_TRUE;
}

static PetscReal at_wall(const CrMultipliers *mu, const CrPass *p, PetscInt i, const CrPose *pose,
                         PetscReal t, PetscReal nu[3], PetscReal arm[3])
{
  return CrShapeAtWall(shape_of(mu, p), p, i, t, t, pose->x, pose->R, pose->R, nu, arm);
}

void CrPairSetArm(const CrMultipliers *mu, const PetscReal *u, PetscReal t, CrMultiplierPair *pair)
{
  const CrPass *p = &mu->contact->passes[pair->pass];
  const CrPose *pose = &mu->bodies->pose0[p->partner];
  PetscReal     x[3];

  pair->body = &mu->bodies->now[p->partner];
  pair->side = p->slave ? -1 : 1;
  if (p->slave) {
    node_at(mu->contact, pair->nodes[0], u, x);
    v_less(x, pose->x, pair->arm);
  } else
    at_wall(mu, p, pair->point - p->first, pose, t, x, pair->arm);
}

PetscReal CrPairBodyGap(const CrMultipliers *mu, const CrMultiplierPair *pair, const CrPose *poses,
                        const PetscReal *u, PetscReal t, PetscReal nu[3], PetscBool *on)
{
  const CrPass *p = &mu->contact->passes[pair->pass];
  const CrPose *pose = &poses[p->partner];
  PetscInt      i = pair->point - p->first, face;
  PetscReal     gap, arm[3], normal[3];

  if (!nu) nu = normal;
  *on = PETSC_TRUE;
  if (!p->slave) return at_wall(mu, p, i, pose, t, nu, arm);
  *on = meet(mu, p, i, pose, u, pair->facet, &face, &gap, nu);
  return *on ? gap : pair->gap0;
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* A new pair; gap: where v leads. */
static PetscErrorCode add(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass,
                          PetscInt i, PetscInt face, PetscReal gap, const PetscReal nu[3],
                          const PetscReal *v, CrMultiplierPair **out)
{
  const CrPass     *p = &mu->contact->passes[pass];
  PetscReal         w[3] = {0};
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPairNew(mu, pass, i, &pair));
  pair->facet = face;
  v_copy(nu, pair->nu);
  if (p->obstacle) CrWallVelocity(p, step->t, step->t + step->h, pair->wall);
  CrPairSetArm(mu, step->u0, step->t, pair);
  CrPairVelocity(mu->contact->model->dim, pair, v, w);
  pair->gap0 = gap - step->h * v_dot(nu, w); /* back to t_n along the same normal */
  pair->shift = CrPairOverlapLeft(mu->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPairOverlapLeft(mu->contact, p, pair->point, step->t) - pair->shift;
  *out = pair;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairsLookAtBody(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass,
                                 PetscInt entry, const PetscReal *v)
{
  const CrContact  *c = mu->contact;
  const CrPass     *p = &c->passes[pass];
  PetscInt          i = mu->skin->passes[pass].item[entry], point = p->first + i, face;
  const CrPose     *pose = &mu->bodies->pose[p->partner];
  const PetscReal  *start = CrPairStart(mu, point);
  PetscBool         held = mu->memory[point].lam > 0 && c->facet[point] >= 0;
  PetscReal         x[3], nu[3], gap, lam = start[0];
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  if (!held && !(lam > 0) && CrSkinSleeps(&mu->skin->passes[pass], entry))
    PetscFunctionReturn(PETSC_SUCCESS);
  node_at(c, p->slave->nodes[i], mu->where, x);
  CrSkinWall(mu->skin, pass, entry, CrShapeGap(shape_of(mu, p), pose->x, pose->R, x, nu));
  if (held) held = meet(mu, p, i, pose, mu->where, c->facet[point], &face, &gap, nu);
  if (!held) { /* free, or slid off */
    if (mu->variant.warm) lam = 0;
    if (!meet(mu, p, i, pose, mu->where, -1, &face, &gap, nu)) PetscFunctionReturn(PETSC_SUCCESS);
    if (gap < -CrSkinDepth(p)) PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!(gap + CrPairOverlapLeft(c, p, point, step->t + step->h) < 0) && !(lam > 0))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(add(mu, step, pass, i, face, gap, nu, v, &pair));
  if (lam > 0) CrPairGuess(lam, start + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairsLookAtWalls(CrMultipliers *mu, const CrMultiplierStep *step, PetscInt pass,
                                  const PetscReal *v)
{
  const CrContact *c = mu->contact;
  const CrPass    *p = &c->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    const PetscReal  *start = CrPairStart(mu, p->first + i);
    PetscReal         end = step->t + step->h, nu[3], arm[3], gap;
    CrMultiplierPair *pair;

    gap = at_wall(mu, p, i, &mu->bodies->pose[p->partner], end, nu, arm);
    if (!(gap + CrPairOverlapLeft(c, p, p->first + i, end) < 0) && !(start[0] > 0)) continue;
    PetscCall(add(mu, step, pass, i, 0, gap, nu, v, &pair));
    if (start[0] > 0) CrPairGuess(start[0], start + 1, pair);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the start ------------------------------------------------------------------------------- */

static PetscErrorCode close(CrMultipliers *mu, PetscInt pass, PetscInt i, PetscInt face,
                            PetscReal gap, const PetscReal nu[3], const PetscReal *u, PetscReal t)
{
  CrContact        *c = mu->contact;
  CrMultiplierPair *pair;

  PetscFunctionBeginUser;
  if (!c->begun) c->overlap[c->passes[pass].first + i] = PetscMin(gap, 0);
  PetscCall(CrPairNew(mu, pass, i, &pair));
  pair->facet = face;
  v_copy(nu, pair->nu);
  CrPairSetArm(mu, u, t, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairsCloseBody(CrMultipliers *mu, PetscInt pass, PetscInt entry,
                                const PetscReal *u)
{
  CrContact    *c = mu->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = mu->skin->passes[pass].item[entry], face;
  PetscReal     nu[3], gap;

  PetscFunctionBeginUser;
  if (!meet(mu, p, i, &mu->bodies->pose0[p->partner], u, -1, &face, &gap, nu))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (gap < -CrSkinDepth(p)) c->ndeep++;
  if (gap > CLOSED * p->reach || gap < -CrSkinDepth(p)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(close(mu, pass, i, face, gap, nu, u, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPairsCloseWalls(CrMultipliers *mu, PetscInt pass, PetscReal t)
{
  const CrPass *p = &mu->contact->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscReal nu[3], arm[3], gap = at_wall(mu, p, i, &mu->bodies->pose0[p->partner], t, nu, arm);

    if (gap > CLOSED * p->reach) continue;
    PetscCall(close(mu, pass, i, 0, gap, nu, NULL, t));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
