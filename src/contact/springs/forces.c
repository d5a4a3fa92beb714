/* Forces and tangents of the points of a step: geometry from kinematics, numbers from the law. */
#include "base/vector.h"
#include "contact/internal.h"
#include "model/graph.h"

/* ---- one point ------------------------------------------------------------------------------ */

/* Elastic slip carried to another facet by the smallest rotation that takes the old normal to the
   new one: its length, and so its energy, stays. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k)
{
  PetscReal along = 0, lift = 0, s[3];

  touch->eta0[0] = touch->eta0[1] = 0;
  for (int i = 0; i < 3; i++) {
    along += touch->nu0[i] * k->nu[i];
    lift += touch->spring[i] * k->nu[i];
  }
  if (along < -0.5) return; /* no sense in it: the spring is forgotten */
  for (int i = 0; i < 3; i++)
    s[i] = touch->spring[i] - lift / (1 + along) * (touch->nu0[i] + k->nu[i]);
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < dim - 1; a++) touch->eta0[a] += s[i] * k->e[a][i];
}

/* History on the facet in use: a constant of the step. */
static void set_history(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n;
  CrProximity      near;
  CrKinematics     k;

  if (touch->cached == touch->facet) return;
  touch->cached = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  n = CrGatherFacet(c, master, touch->node, touch->facet, u0, x);
  if (!touch->keeps) {
    CrFacetProximity(c->model->dim, n, x, &near);
    touch->gd0 = PetscMax(near.gap - PetscMax(c->overlap[touch->point], 0), 0);
    return;
  }
  touch->gd0 = c->gd[touch->point];
  if (c->eta[2 * touch->point] == 0 && c->eta[2 * touch->point + 1] == 0) return;
  if (CrKinematicsFacet(c->model->dim, n, x, &k)) CrSpringCarry(c->model->dim, touch, &k);
}

static void set_wall_history(const CrContact *c, CrTouch *touch)
{
  PetscInt point = touch->point;

  if (touch->cached == 0) return;
  touch->cached = 0;
  if (touch->keeps) touch->gd0 = c->gd[point];
  touch->gd0 = touch->keeps ? touch->gd0 : PetscMax(touch->gd0, 0);
  for (int i = 0; i < 2; i++) touch->eta0[i] = touch->keeps ? c->eta[2 * point + i] : 0;
}

/* Operators of a wall at the configuration; the obstacle's own way of the step goes off du. */
static void look_at_wall(const CrContact *c, CrTouch *touch, const CrContactStep *step,
                         PetscReal move[3])
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[3], shift0[3], shift1[3], shift[3];

  CrObstacleShift(p->obstacle, c->t, shift0);
  CrObstacleShift(p->obstacle, c->t + c->h, shift1);
  for (int i = 0; i < 3; i++) {
    move[i] = shift1[i] - shift0[i];
    shift[i] = step->law->at_end ? shift1[i] : (shift0[i] + shift1[i]) / 2;
  }
  CrGatherNode(c, touch->node, step->u, x);
  if (touch->facet < 0) { /* the tangents keep this axis as long as the point is tracked */
    CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, 0, x, &touch->k);
    touch->facet = c->model->dim == 3 ? CrSphereAxis(touch->k.nu) : 0;
  }
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift, touch->facet, x, &touch->k);
  set_wall_history(c, touch);
  if (!step->law->sees_end) return;
  CrGatherNode(c, touch->node, step->end, x);
  CrObstacleKinematics(p->obstacle, p->wall, c->model->dim, shift1, touch->facet, x, &touch->k1);
}

/* Newton iterations after which facets no longer change. */
static PetscInt freeze_after(const CrContactLaw *law)
{
  return law->own_end ? 15 : FREEZE;
}

static PetscBool look_at_facet(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                               const CrContactStep *step)
{
  PetscBool   exact = step->law->exact;
  CrProximity near;

  if ((c->iteration < freeze_after(step->law) && !touch->locked) || touch->facet < 0)
    touch->facet = CrNearestFacet(c, touch, step->law->end_facet ? step->end : step->u, &near);
  set_history(c, touch, u0);
  if (!CrTouchLook(c, touch, touch->facet, exact, step->u, &touch->k)) return PETSC_FALSE;
  if (!step->law->sees_end) return PETSC_TRUE;
  if (!step->law->own_end || touch->locked)
    touch->facet1 = touch->facet;
  else if (c->iteration < freeze_after(step->law) || touch->facet1 < 0)
    touch->facet1 = CrNearestFacet(c, touch, step->end, &near);
  return CrTouchLook(c, touch, touch->facet1, exact, step->end, &touch->k1);
}

void CrTouchNodes(const CrContact *c, const CrTouch *touch, PetscInt nodes[CR_CONTACT_NODES])
{
  const CrSurface *master = c->passes[touch->pass].master;

  nodes[0] = touch->node;
  for (PetscInt a = 0; a < touch->k.nmaster; a++)
    nodes[a + 1] = master->corners[4 * touch->facet + a];
}

/* Does the pressure depend on nodes of another facet than the force acts on? */
static PetscBool is_split(const CrTouch *touch, const CrContactStep *step)
{
  return step->law->sees_end && touch->k.nmaster && touch->facet1 != touch->facet &&
         touch->out.p_gap1 != 0;
}

/* How far the obstacle, if it is one, moves between two times. */
static void obstacle_way(const CrContact *c, const CrTouch *touch, PetscReal t0, PetscReal t1,
                         PetscReal move[3])
{
  PetscReal s0[3], s1[3];

  for (int i = 0; i < 3; i++) move[i] = 0;
  if (c->passes[touch->pass].master) return;
  CrObstacleShift(c->passes[touch->pass].obstacle, t0, s0);
  CrObstacleShift(c->passes[touch->pass].obstacle, t1, s1);
  for (int i = 0; i < 3; i++) move[i] = s1[i] - s0[i];
}

/* Increments of the nodes of the contact, relative to a moving obstacle. */
static void gather(const CrContact *c, const PetscInt *nodes, PetscInt n, const PetscReal *du,
                   const PetscReal move[3], PetscReal *d)
{
  PetscInt dim = c->model->dim;

  for (PetscInt a = 0; a <= n; a++)
    for (PetscInt i = 0; i < dim; i++)
      d[dim * a + i] = du[dim * nodes[a] + i] - (a == 0 ? move[i] : 0);
}

/* From the foot at (f0, xi0) along the reference shape to the foot at (f1, xi1), which lies `turns`
   facets on at most. */
static PetscBool way_along(const CrSurface *s, PetscInt f0, PetscReal xi0, PetscInt f1,
                           PetscReal xi1, PetscReal *way)
{
  const PetscInt turns = 8;

  *way = s->size[f0] * (xi1 - xi0);
  if (f0 == f1) return PETSC_TRUE;
  for (PetscInt side = 1; side >= 0; side--) { /* beyond the second corner, before the first */
    PetscInt f = s->neighbour[4 * f0 + side];

    *way = s->size[f0] * (side ? 1 - xi0 : xi0);
    for (PetscInt k = 0; k < turns && f >= 0 && f != f1; k++) {
      *way += s->size[f];
      f = s->neighbour[4 * f + side];
    }
    if (f != f1) continue;
    *way += s->size[f1] * (side ? xi1 : 1 - xi1);
    if (!side) *way = -*way;
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* AP97 measure slip on the reference shape: there lengths do not change from step to step. The
   springs, per length of that, are stiffer by `metric` for forces in space. */
static void slide_along(const CrContact *c, CrTouch *touch, const CrContactStep *step)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrLawInput      *in = &touch->in;
  PetscReal        x[CR_CONTACT_DOFS], way;
  PetscInt         f0 = c->facet[touch->point], n, nodes[CR_CONTACT_NODES];
  CrKinematics     k;

  if (!step->law->along_surface || c->model->dim == 3 || !master) return;
  if (touch->k.rest) return; /* the foot stands still */
  in->metric = master->size[touch->facet] / touch->k.length;
  in->kt *= in->metric;
  in->ds[0] *= in->metric;
  if (f0 < 0) return;
  n = CrGatherFacet(c, master, touch->node, f0, step->u, x);
  nodes[0] = touch->node;
  for (PetscInt a = 0; a < n; a++) nodes[a + 1] = master->corners[4 * f0 + a];
  for (PetscInt a = 0; a <= n; a++)
    for (PetscInt i = 0; i < 2; i++) x[2 * a + i] -= step->slide[2 * nodes[a] + i];
  if (!CrKinematicsFacet(2, n, x, &k)) return;
  if (way_along(master, f0, k.xi[0], touch->facet, touch->k.xi[0], &way)) in->ds[0] = way;
}

void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  CrLawInput   *in = &touch->in;

  in->ntangents = c->model->dim - 1;
  in->kn = pair->kn;
  in->kt = pair->kt;
  in->mu = pair->friction;
  in->gd0 = touch->gd0;
  in->shift0 = touch->shift0;
  in->shift1 = touch->shift1;
  in->gap = touch->k.gap;
  if (c->overlap[touch->point] != 0) /* overlap of the start counts as touching */
    in->gap += (step->law->at_end ? touch->shift1 : (touch->shift0 + touch->shift1) / 2) -
               c->overlap[touch->point];
  in->gap0 = touch->gap0;
  in->gap1 = touch->k1.gap;
  in->ln = touch->lambda;
  in->metric = 1;
  in->dg = v_dot_n(n, touch->k.G, du);
  for (PetscInt i = 0; i < in->ntangents; i++) {
    in->eta0[i] = touch->eta0[i];
    in->ds[i] = v_dot_n(n, touch->k.H[i], slide);
    in->lt[i] = v_dot_n(3, touch->traction, touch->k.e[i]);
  }
  slide_along(c, touch, step);
  touch->out = (CrLawOutput){0};
  step->law->evaluate(step->law, in, &touch->out);
}

/* High above a warped quad, or beside it, there is no foot on it. A point that holds nothing needs
   none: it is open. */
static PetscBool stays_open(const CrContact *c, CrTouch *touch, const CrContactStep *step)
{
  PetscReal x[CR_CONTACT_DOFS];
  PetscInt  n =
      CrGatherFacet(c, c->passes[touch->pass].master, touch->node, touch->facet, step->u, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  if ((touch->keeps && c->gd[touch->point] < 0) || (near.gap < 0 && near.outside == 0))
    return PETSC_FALSE;
  touch->k = (CrKinematics){.dim = c->model->dim, .nmaster = n};
  touch->in = (CrLawInput){.ntangents = c->model->dim - 1, .metric = 1};
  touch->out = (CrLawOutput){.gd1 = PetscMax(near.gap, 0)};
  return PETSC_TRUE;
}

static PetscBool evaluate(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                          const CrContactStep *step)
{
  PetscReal du[CR_CONTACT_DOFS], slide[CR_CONTACT_DOFS], move[3] = {0};
  PetscInt  nodes[CR_CONTACT_NODES];

  if (!c->passes[touch->pass].master)
    look_at_wall(c, touch, step, move);
  else if (!look_at_facet(c, touch, u0, step))
    return stays_open(c, touch, step);
  CrTouchNodes(c, touch, nodes);
  gather(c, nodes, touch->k.nmaster, step->du, move, du);
  obstacle_way(c, touch, step->slide_from, step->slide_to, move);
  gather(c, nodes, touch->k.nmaster, step->slide, move, slide);
  CrLawAsk(c, touch, step, c->model->dim * (touch->k.nmaster + 1), du, slide);
  return PETSC_TRUE;
}

/* ---- all points ----------------------------------------------------------------------------- */

void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f)
{
  PetscInt dim = c->model->dim, nodes[CR_CONTACT_NODES];

  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a <= touch->k.nmaster; a++) {
    if (nodes[a] < 0 || nodes[a] >= c->model->nowned) continue;
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal force = touch->out.p * touch->k.G[dim * a + i];

      for (PetscInt k = 0; k < dim - 1; k++) force -= touch->out.t[k] * touch->k.H[k][dim * a + i];
      f[dim * nodes[a] + i] += touch->weight * force;
    }
  }
}

PetscErrorCode CrContactForce(CrContact *c, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f)
{
  PetscFunctionBeginUser;
  c->lost = PETSC_FALSE;
  if (c->partners) PetscCall(CrPartnersSolve(c, u0, step));
  for (PetscInt k = 0; k < c->ntouches; k++) {
    CrTouch      *touch = &c->touches[k];
    const CrPass *p = &c->passes[touch->pass];

    if (touch->idle || (!p->slave && !p->master)) continue; /* rigid bodies on walls: no nodes */
    if (p->partner < 0 && !evaluate(c, touch, u0, step)) c->lost = PETSC_TRUE;
    if (touch->out.p != 0) CrTouchAddForce(c, touch, f);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With slip on the reference shape: derivative of the slip as the law's t_ds takes it. The foot moves
   by H/length of its facet; and as that grows, a sticking spring, stiffer by `metric`, weakens. */
static PetscReal slide_along_gradient(const CrTouch *touch, PetscInt b)
{
  PetscReal stretch = b < 2 ? 0 : b < 4 ? -touch->k.e[0][b - 2] : touch->k.e[0][b - 4];
  PetscReal slip = touch->in.metric * touch->k.H[0][b];

  if (touch->out.status != CR_STICKING || touch->out.t_ds[0][0] == 0) return slip;
  return slip - touch->out.t[0] / touch->out.t_ds[0][0] * stretch / touch->k.length;
}

/* d(force)/dq of one point, without the weight: rows and columns of its own dofs. */
static void point_tangent(const CrContact *c, const PetscReal *u0, const CrContactStep *step,
                          const CrTouch *touch, PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  PetscInt  dim = c->model->dim, n = dim * (touch->k.nmaster + 1), nt = dim - 1;
  PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS], dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  PetscReal x[CR_CONTACT_DOFS], du[CR_CONTACT_DOFS], slide[CR_CONTACT_DOFS], move[3] = {0};
  PetscReal dp[CR_CONTACT_DOFS], ds[2][CR_CONTACT_DOFS], factor = step->law->at_end ? 1 : 2;
  PetscInt  nodes[CR_CONTACT_NODES];
  const CrLawOutput *o = &touch->out;

  (void)u0;
  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a <= touch->k.nmaster; a++) CrGatherNode(c, nodes[a], step->u, x + dim * a);
  obstacle_way(c, touch, c->t, c->t + c->h, move);
  gather(c, nodes, touch->k.nmaster, step->du, move, du);
  obstacle_way(c, touch, step->slide_from, step->slide_to, move);
  gather(c, nodes, touch->k.nmaster, step->slide, move, slide);
  CrKinematicsGradient(&touch->k, x, dG, dH);
  for (PetscInt b = 0; b < n; b++) { /* gradients of increments, pressure, tractions */
    PetscReal dg = factor * touch->k.G[b];

    for (PetscInt a = 0; a < n; a++) dg += du[a] * dG[a][b];
    dp[b] = o->p_dg * dg + o->p_gap * touch->k.G[b];
    if (step->law->sees_end && !is_split(touch, step)) dp[b] += factor * o->p_gap1 * touch->k1.G[b];
    for (PetscInt i = 0; i < nt; i++) {
      ds[i][b] = step->slide_factor * touch->k.H[i][b];
      if (step->law->along_surface && dim == 2 && touch->k.nmaster && !touch->k.rest)
        ds[i][b] = slide_along_gradient(touch, b);
      else
        for (PetscInt a = 0; a < n; a++) ds[i][b] += slide[a] * dH[i][a][b];
    }
  }
  for (PetscInt a = 0; a < n; a++)
    for (PetscInt b = 0; b < n; b++) K[a][b] = touch->k.G[a] * dp[b] + o->p * dG[a][b];
  for (PetscInt i = 0; i < nt; i++)
    for (PetscInt b = 0; b < n; b++) {
      PetscReal dt = o->t_p[i] * dp[b];

      for (PetscInt j = 0; j < nt; j++) dt += o->t_ds[i][j] * ds[j][b];
      for (PetscInt a = 0; a < n; a++) K[a][b] -= touch->k.H[i][a] * dt + o->t[i] * dH[i][a][b];
    }
}

/* The same by the dofs of the facet that the end of the step is looked at on, where it is another. */
static void end_tangent(const CrContact *c, const CrContactStep *step, const CrTouch *touch,
                        PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  PetscInt           dim = c->model->dim, n = dim * (touch->k.nmaster + 1);
  PetscReal          factor = step->law->at_end ? 1 : 2;
  const CrLawOutput *o = &touch->out;

  for (PetscInt a = 0; a < n; a++) {
    PetscReal push = touch->k.G[a];

    for (PetscInt i = 0; i < dim - 1; i++) push -= touch->k.H[i][a] * o->t_p[i];
    for (PetscInt b = 0; b < dim * (touch->k1.nmaster + 1); b++)
      K[a][b] = push * factor * o->p_gap1 * touch->k1.G[b];
  }
}

static void add_tangent(const CrContact *c, const CrTouch *touch, PetscReal factor, PetscBool end,
                        PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS], CrMatrixValues *values)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         dim = c->model->dim, nodes[CR_CONTACT_NODES], columns[CR_CONTACT_NODES];

  CrTouchNodes(c, touch, nodes);
  CrTouchNodes(c, touch, columns);
  for (PetscInt a = 0; end && a < touch->k1.nmaster; a++)
    columns[a + 1] = master->corners[4 * touch->facet1 + a];
  for (PetscInt a = 0; a <= touch->k.nmaster; a++) {
    if (nodes[a] >= c->model->nowned) continue;
    for (PetscInt b = 0; b <= (end ? touch->k1.nmaster : touch->k.nmaster); b++) {
      /* facets far apart, which a step slid over: Newton does without */
      if (end && !CrGraphHas(c->model->graph, nodes[a], columns[b])) continue;
      for (PetscInt i = 0; i < dim; i++) {
        PetscReal *row = CrMatrixEntry(c->model->graph, values, nodes[a], i, columns[b], 0);

        for (PetscInt j = 0; j < dim; j++)
          row[j] -= factor * touch->weight * K[dim * a + i][dim * b + j];
      }
    }
  }
}

PetscErrorCode CrContactAddTangent(CrContact *c, const PetscReal *u0, const CrContactStep *step,
                                   PetscReal factor, Mat A)
{
  PetscReal      K[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  CrMatrixValues values;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt k = 0; k < c->ntouches; k++) {
    const CrTouch *touch = &c->touches[k];

    if (touch->idle || touch->out.status == CR_OPEN || c->passes[touch->pass].partner >= 0)
      continue;
    point_tangent(c, u0, step, touch, K);
    add_tangent(c, touch, factor, PETSC_FALSE, K, &values);
    if (!is_split(touch, step)) continue;
    end_tangent(c, step, touch, K);
    add_tangent(c, touch, factor, PETSC_TRUE, K, &values);
  }
  if (c->partners) PetscCall(CrPartnersAddTangent(c, step, &values));
  PetscCall(CrMatrixRestoreValues(&values));
  c->iteration++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
