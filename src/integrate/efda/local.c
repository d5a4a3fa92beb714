/* One contact of rigid bodies: its normal and tangents, its equations, and its work. */
#include "cone/local.h"
#include "integrate/efda/contacts.h"

void EfdaRelative(const EfdaContact *c, const PetscReal *v, const PetscReal *const om[2],
                  PetscReal u[3])
{
  EFDA_EACH_SIDE (side, b, c->of) {
    PetscReal w[3];

    v_cross(om[side], c->rt[side], w);
    for (int i = 0; i < 3; i++)
      u[i] = side ? u[i] - (v[3 * b + i] + w[i]) : v[3 * b + i] + w[i] - c->wall_velocity[i];
  }
}

void EfdaRows(const EfdaSystem *e, EfdaContact *c)
{
  v_copy(c->meeting.normal, c->d[0]);
  v_frame(e->rigid->dim, c->d[0], c->d[1], c->d[2]);
  EFDA_EACH_SIDE (side, b, c->of) {
    v_less(c->meeting.point, e->poses[b].x, c->rt[side]);
    v_copy(c->rt[side], c->rn[side]);
  }
}

/* Computes W_ab = d_a.d_b/m + (r_a x d_a).I^-1 (r_b x d_b), summed over both bodies, and its inverse. */
void EfdaSetBlock(const EfdaSystem *e, EfdaContact *c)
{
  PetscInt dim = e->rigid->dim;

  for (PetscInt a = 0; a < 9; a++) c->block.W[a] = c->block.inverse[a] = 0;
  EFDA_EACH_SIDE (side, b, c->of) {
    for (PetscInt a = 0; a < dim; a++) {
      v_cross(a ? c->rt[side] : c->rn[side], c->d[a], c->arm[side][a]);
      m_times(e->bodies[b].inverse, c->arm[side][a], c->turn[side][a]);
    }
    for (PetscInt i = 0; i < dim; i++)
      for (PetscInt j = 0; j < dim; j++)
        c->block.W[j * dim + i] +=
            (i == j ? 1 / e->rigid->mass[b] : 0) + v_dot(c->arm[side][i], c->turn[side][j]);
  }
  if (dim == 3) {
    for (int j = 0; j < 3; j++) {
      PetscReal unit[3] = {j == 0, j == 1, j == 2};

      if (!m_solve(c->block.W, unit, c->block.inverse + 3 * j))
        c->block.inverse[0] = c->block.inverse[4] = c->block.inverse[8] = 0;
    }
  } else {
    PetscReal det = c->block.W[0] * c->block.W[3] - c->block.W[1] * c->block.W[2];

    c->block.inverse[0] = c->block.W[3] / det, c->block.inverse[3] = c->block.W[0] / det;
    c->block.inverse[1] = -c->block.W[1] / det, c->block.inverse[2] = -c->block.W[2] / det;
  }
  c->block.rho = CrConeRho(dim, c->block.W);
}

PetscReal EfdaSpeedAt(const EfdaSystem *e, const EfdaContact *c, PetscReal u[3])
{
  const EfdaCandidate *k = c->of;
  const EfdaBody      *b0 = &e->bodies[k->body], *b1 = k->other < 0 ? NULL : &e->bodies[k->other];
  PetscReal            v[3];

  for (int i = 0; i < 3; i++) v[i] = b0->v[i] - c->wall_velocity[i] - (b1 ? b1->v[i] : 0);
  u[2] = 0;
  for (PetscInt a = 0; a < e->rigid->dim; a++) {
    u[a] = v_dot(c->d[a], v) + v_dot(c->arm[0][a], b0->om);
    if (b1) u[a] -= v_dot(c->arm[1][a], b1->om);
  }
  return u[0];
}

void EfdaGive(EfdaSystem *e, EfdaContact *c, const PetscReal p[3])
{
  PetscReal dp[3];

  v_less(p, c->p, dp);
  v_copy(p, c->p);
  EFDA_EACH_SIDE (side, b, c->of)
    for (PetscInt a = 0; a < e->rigid->dim; a++) {
      PetscReal sign = side ? -1 : 1;

      v_add(e->bodies[b].v, sign * dp[a] / e->rigid->mass[b], c->d[a]);
      v_add(e->bodies[b].om, sign * dp[a], c->turn[side][a]);
    }
}

/* Tries to stop the slip of the start (theory 18.5). Returns true if friction can do it and takes energy. */
static PetscBool try_settling(const EfdaSystem *e, const EfdaContact *c, const PetscReal free[3],
                              PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal mu = c->of->friction, b[3], work = 0, size = 0;

  b[0] = free[0];
  for (PetscInt a = 1; a < dim; a++) b[a] = free[a] - c->settle[a - 1] / 2;
  if (b[0] >= 0) return PETSC_FALSE;
  for (PetscInt a = 0; a < dim; a++) {
    r[a] = 0;
    for (PetscInt j = 0; j < dim; j++) r[a] -= c->block.inverse[j * dim + a] * b[j];
    if (a) size += r[a] * r[a], work += r[a] * c->settle[a - 1];
  }
  return r[0] > 0 && size <= mu * mu * r[0] * r[0] && work <= 0;
}

/* Computes the impulse r of a contact whose velocity without impulse is u, with `part` of its tangential bias. Returns
   the work of friction. */
static PetscReal solve_against(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3],
                               PetscReal part, PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal mu = c->of->friction, free[3], work = 0;

  for (PetscInt a = 0; a < dim; a++) {
    free[a] = u[a] - (a ? part : 1) * c->bias[a];
    r[a] = c->p[a];
  }
  if (c->may_settle && try_settling(e, c, free, r)) return 0;
  for (PetscInt a = 0; a < dim; a++) r[a] = c->p[a];
  if (dim == 2)
    cone_local(2, c->block.W, c->block.inverse, mu, c->block.rho, free, r);
  else
    cone_local(3, c->block.W, c->block.inverse, mu, c->block.rho, free, r);
  for (PetscInt a = 1; a < dim; a++) {
    work += r[a] * u[a];
    for (PetscInt j = 0; j < dim; j++) work += r[a] * c->block.W[j * dim + a] * r[j];
  }
  return work;
}

/* Computes the impulse r of a contact for the present velocities of the bodies. Returns the change of velocity by it.
   */
static PetscReal solve_one(const EfdaSystem *e, const EfdaContact *c, PetscReal r[3])
{
  PetscInt  dim = e->rigid->dim;
  PetscReal u[3], change = 0;

  EfdaSpeedAt(e, c, u);
  for (PetscInt a = 0; a < dim; a++)
    for (PetscInt j = 0; j < dim; j++) u[a] -= c->block.W[j * dim + a] * c->p[j];
  if (solve_against(e, c, u, 1, r) > 0 && c->takes) {
    PetscReal low = 0, high = 1; /* without bias, friction does no positive work */

    for (int n = 0; n < 60 && high - low > 1e-16; n++) {
      PetscReal part = (low + high) / 2;

      if (solve_against(e, c, u, part, r) > 0)
        high = part;
      else
        low = part;
    }
    (void)solve_against(e, c, u, low, r);
  }
  for (PetscInt a = 0; a < dim; a++)
    change = PetscMax(change, fabs(r[a] - c->p[a]) * c->block.W[a * dim + a]);
  return change;
}

PetscReal EfdaSolveOne(EfdaSystem *e, EfdaContact *c)
{
  PetscReal r[3] = {0}, change = solve_one(e, c, r);

  if (change > 0) EfdaGive(e, c, r);
  return change;
}

PetscReal EfdaSweep(EfdaSystem *e, PetscBool struck)
{
  PetscReal change = 0;

  EFDA_EACH (c, e)
    if (struck ? c->struck : c->held) change = fmax(change, EfdaSolveOne(e, c));
  return change;
}

PetscReal EfdaResidual(const EfdaSystem *e, const EfdaContact *c)
{
  PetscReal r[3];

  return solve_one(e, c, r);
}

CrContactStatus EfdaStatus(const EfdaContact *c)
{
  return CrCoulombStatus(c->of->friction, c->p[0], hypot(c->p[1], c->p[2]));
}

/* Enters moment and work of an obstacle at a contact. Normal and tangential force may have other lever arms than the
   contact point. */
static void enter_obstacle(const EfdaSystem *e, const EfdaContact *c, const PetscReal force[3],
                           PetscReal drive, CrTally *tally)
{
  PetscReal moment[3], arm[3];

  if (c->of->other >= 0) return;
  v_cross(c->meeting.point, force, moment);
  for (PetscInt a = 0; a < e->rigid->dim; a++) {
    v_cross(c->rt[0], c->d[a], arm);
    v_add(moment, 2 * c->p[a] / e->h, c->arm[0][a]);
    v_add(moment, -2 * c->p[a] / e->h, arm);
  }
  CrTallyObstacle(tally, c->of->pair, moment, drive);
}

void EfdaEnter(const EfdaSystem *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work)
{
  PetscInt  dim = e->rigid->dim, pair = c->of->pair;
  PetscReal force[3] = {0, 0, 0}, drive = 0;

  work->contact_work += 2 * c->p[0] * u[0];
  for (PetscInt a = 0; a < dim; a++) {
    PetscReal part = 2 * c->p[a] * v_dot(c->d[a], c->wall_velocity);

    work->external_work += part;
    drive += part;
    v_add(force, 2 * c->p[a] / e->h, c->d[a]);
    if (a) CrTallyLoss(&work->tally, pair, -2 * c->p[a] * u[a]);
  }
  CrTallyPoint(&work->tally, pair, EfdaStatus(c), force, c->d[0]);
  enter_obstacle(e, c, force, drive, &work->tally);
}
