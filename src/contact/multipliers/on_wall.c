/* Nodes on one wall of an obstacle in explicit steps. */
#include "contact/multipliers/press.h"

static PetscErrorCode list(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  PetscReal        x[3], shift[3], least = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  CrObstacleShift(pass->obstacle, t, shift);
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscReal gap;

    CrGatherNode(c, pass->slave->nodes[i], where, x);
    gap = CrObstacleGap(pass->obstacle, pass->wall, c->model->dim, shift, x);
    least = PetscMin(least, gap);
    if (gap > p->skin) continue;
    CrNearAdd(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Normal and gap of a wall at time t. The closest point moves with the wall. */
static PetscReal look_along(const CrContact *c, const CrPass *p, PetscInt node, const PetscReal *u,
                            PetscReal t, PetscReal nu[3])
{
  PetscReal    x[3], shift[3];
  CrKinematics k;

  CrGatherNode(c, node, u, x);
  CrObstacleShift(p->obstacle, t, shift);
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, 0, x, &k);
  for (int d = 0; d < 3; d++) nu[d] = d < c->model->dim ? k.nu[d] : 0;
  return k.gap;
}

static PetscErrorCode find_entry(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                 PetscInt entry)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt dim = c->model->dim, i = m->lists->passes[pass].item[entry], point = p->first + i;
  PetscInt node = p->slave->nodes[i];
  const PetscReal *start = CrPressStart(m, point);
  PetscReal        gap, shift, x[3], s[3];
  CrPress         *pair;

  PetscFunctionBeginUser;
  if (!(start[0] > 0) && CrNearSleeps(&m->lists->passes[pass], entry))
    PetscFunctionReturn(PETSC_SUCCESS);
  CrGatherNode(c, node, m->where, x);
  CrObstacleShift(p->obstacle, step->t + step->h, s);
  gap = CrObstacleGap(p->obstacle, p->wall, dim, s, x);
  shift = CrPressOverlapLeft(c, p, point, step->t + step->h);
  CrNearWall(m->lists, pass, entry, gap);
  if (!(gap + shift < 0) && !(start[0] > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPressNew(m, pass, i, &pair));
  CrPassVelocity(p, step->t, step->t + step->h, pair->wall);
  gap = look_along(c, p, node, m->where, step->t + step->h, pair->nu);
  /* back to t_n along the same normal */
  pair->gap0 = gap;
  for (PetscInt d = 0; d < dim; d++)
    pair->gap0 -= pair->nu[d] *
                  (m->where[dim * node + d] - step->u0[dim * node + d] - step->h * pair->wall[d]);
  pair->shift = shift;
  pair->pushed = CrPressOverlapLeft(c, p, point, step->t) - shift;
  if (start[0] > 0) CrPressGuess(start[0], start + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                           const PetscReal *v)
{
  PetscFunctionBeginUser;
  (void)v;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++) PetscCall(find_entry(m, step, pass, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_entry(CrMultipliers *m, PetscInt pass, PetscInt entry,
                                  const PetscReal *u, PetscReal t)
{
  CrContact    *c = m->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = m->lists->passes[pass].item[entry];
  PetscReal     nu[3], gap;
  CrPress      *pair;

  PetscFunctionBeginUser;
  gap = look_along(c, p, p->slave->nodes[i], u, t, nu);
  if (gap > CR_CLOSED * p->reach) PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(gap, 0);
  PetscCall(CrPressNew(m, pass, i, &pair));
  for (int d = 0; d < 3; d++) pair->nu[d] = nu[d];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_closed(CrMultipliers *m, PetscInt pass, const PetscReal *u, PetscReal t)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++) PetscCall(close_entry(m, pass, k, u, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pair->pass];
  PetscReal        x[3], shift[3];

  CrGatherNode(c, pair->nodes[0], u, x);
  CrObstacleShift(p->obstacle, t, shift);
  return CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift, x);
}

static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  (void)poses;
  pair->gap0 =
      look_along(m->contact, &m->contact->passes[pair->pass], pair->nodes[0], u, t, pair->nu);
  return PETSC_TRUE;
}

const CrPressOps CrPress_node_on_wall = {.list = list,
                                         .safe_way = CrNearWallWay,
                                         .find = find,
                                         .find_closed = find_closed,
                                         .gap = gap,
                                         .again = again};
