/* Contact of nodes with one wall of an obstacle in explicit steps. */
#include "contact/multipliers/press.h"

static PetscReal distance(const CrContact *c, const CrPass *p, PetscInt i, const CrPose *poses,
                          const PetscReal *u, PetscReal t)
{
  PetscReal x[3], shift[3];

  (void)poses;
  CrGatherNode(c, p->slave->nodes[i], u, x);
  CrObstacleShift(p->obstacle, t, shift);
  return CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift, x);
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

static PetscBool look(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  PetscInt         dim = c->model->dim, node = p->slave->nodes[found->item];
  PetscReal        wall[3], end = step->t + step->h;

  found->gap0 = distance(c, p, found->item, NULL, m->where, end);
  CrNearWall(m->lists, found->pass, entry, found->gap0);
  if (!CrPressIsPair(m, step, found)) return PETSC_FALSE;
  CrPassVelocity(p, step->t, end, wall);
  found->gap0 = look_along(c, p, node, m->where, end, found->nu);
  /* back to t_n along the same normal */
  for (PetscInt d = 0; d < dim; d++)
    found->gap0 -=
        found->nu[d] * (m->where[dim * node + d] - step->u0[dim * node + d] - step->h * wall[d]);
  return PETSC_TRUE;
}

static PetscBool closed(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                        CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];

  (void)entry;
  found->gap0 = look_along(m->contact, p, p->slave->nodes[found->item], u, t, found->nu);
  return PETSC_TRUE;
}

static PetscReal gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrPass *p = &m->contact->passes[pair->pass];

  return distance(m->contact, p, pair->point - p->first, NULL, u, t);
}

static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  (void)poses;
  pair->gap0 =
      look_along(m->contact, &m->contact->passes[pair->pass], pair->nodes[0], u, t, pair->nu);
  return PETSC_TRUE;
}

const CrPressOps CrPress_node_on_wall = {.distance = distance,
                                         .safe_way = CrNearWallWay,
                                         .look = look,
                                         .closed = closed,
                                         .gap = gap,
                                         .again = again};
