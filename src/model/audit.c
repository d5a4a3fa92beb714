/* Computes energies and momenta at a time, and their balances since the start. */
#include <string.h>
#include "model/audit.h"
#include "model/internal.h"
#include "model/forces.h"

const char *CrStepReasonText(CrStepReason reason)
{
  switch (reason) {
  case CR_STEP_OK: return "converged";
  case CR_FAIL_DIVERGED: return "Newton's iteration did not converge";
  case CR_FAIL_LINEAR: return "the linear solver failed";
  case CR_FAIL_NOT_A_NUMBER: return "a force is not a number";
  case CR_FAIL_UNSTABLE:
    return "the kinetic energy grew without a cause: the step is longer than the critical step";
  case CR_FAIL_INVERTED: return "an element turned inside out (det F <= 0)";
  default: return "the method found no solution";
  }
}

/* Steps between looks at the principal stretches, where the method saw the rest: they serve a warning
   below 0.65. */
#define STRETCH_EVERY 10
#define STRETCH_CALM  50 /* as long as none was below STRETCH_FAR */
#define STRETCH_FAR   0.8

/* ---- sums over nodes ---------------------------------------------------------------------- */

enum {
  MASS_X,
  MASS_Y,
  MASS_Z,
  P_X,
  P_Y,
  P_Z,
  J_X,
  J_Y,
  J_Z,
  KINETIC,
  STRAIN,
  I_XX,
  I_YY,
  I_ZZ,
  I_XY,
  I_YZ,
  I_XZ,
  SUMS
};

PetscErrorCode CrAuditCreate(const CrModel *model, CrAudit **out)
{
  PetscInt n = model->all_lumped ? 0 : model->nowned * model->dim;
  PetscInt m = model->all_lumped ? 0 : model->nlocal * model->dim;
  CrAudit *audit;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&audit));
  PetscCall(PetscCalloc1(model->nbodies + model->rigid->n, &audit->bodies));
  PetscCall(PetscMalloc5(SUMS * model->nbodies, &audit->sums, model->nbodies, &audit->strains, n,
                         &audit->Mv, n, &audit->Mx, m, &audit->x));
  audit->min_det_f = audit->min_stretch = PETSC_MAX_REAL;
  *out = audit;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAuditDestroy(CrAudit **audit)
{
  PetscFunctionBeginUser;
  if (!*audit) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*audit)->bodies));
  PetscCall(PetscFree5((*audit)->sums, (*audit)->strains, (*audit)->Mv, (*audit)->Mx, (*audit)->x));
  PetscCall(PetscFree(*audit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds one node's share: position x, velocity v, p = (M v)_A and q = (M x)_A. */
static inline void add_node(const PetscReal x[3], const PetscReal v[3], const PetscReal p[3],
                            const PetscReal q[3], PetscReal *s)
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    s[MASS_X + i] += q[i];
    s[P_X + i] += p[i];
    s[J_X + i] += x[j] * p[k] - x[k] * p[j];
    s[KINETIC] += v[i] * p[i] / 2;
    s[I_XX + i] += x[j] * q[j] + x[k] * q[k]; /* inertia about the origin */
    s[I_XY + i] -= x[i] * q[j];
  }
}

/* p = M v and q = M x of consistent mass, in the audit's own arrays. */
static PetscErrorCode multiply(const CrModel *model, const PetscReal *u, const PetscReal *v,
                               CrAudit *audit)
{
  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < model->nlocal * model->dim; r++) audit->x[r] = model->X[r] + u[r];
  PetscCall(CrModelMassTimes(model, v, audit->Mv));
  PetscCall(CrModelMassTimes(model, audit->x, audit->Mx));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes from A on that belong to the same body, in sums of their own that need not go through memory;
   with the dimension as a constant. Returns the node behind. */
static inline PetscInt sum_run(const PetscInt DIM, const CrModel *model, const PetscReal *u,
                               const PetscReal *v, PetscInt A, const CrAudit *audit,
                               PetscReal *sums)
{
  PetscInt  body = model->node_body[A];
  PetscBool lumped = !audit;
  PetscReal s[SUMS] = {0};

  for (; A < model->nowned && model->node_body[A] == body; A++) {
    PetscReal x[3] = {0}, w[3] = {0}, p[3] = {0}, q[3] = {0}, m = model->row_mass[A];

    for (PetscInt i = 0; i < DIM; i++) {
      x[i] = model->X[DIM * A + i] + u[DIM * A + i];
      w[i] = v[DIM * A + i];
      p[i] = lumped ? m * w[i] : audit->Mv[DIM * A + i];
      q[i] = lumped ? m * x[i] : audit->Mx[DIM * A + i];
    }
    add_node(x, w, p, q, s);
  }
  for (int k = 0; k < SUMS; k++) sums[SUMS * body + k] += s[k];
  return A;
}

/* audit: where M v and M x of consistent mass stand; NULL: lumped. */
static void sum_nodes(const CrModel *model, const PetscReal *u, const PetscReal *v,
                      const CrAudit *audit, PetscReal *sums)
{
  for (PetscInt k = 0; k < SUMS * model->nbodies; k++) sums[k] = 0;
  for (PetscInt A = 0; A < model->nowned;)
    A = model->dim == 2 ? sum_run(2, model, u, v, A, audit, sums)
                        : sum_run(3, model, u, v, A, audit, sums);
}

PetscInt CrAuditSumCount(const CrModel *model)
{
  return SUMS * model->nbodies;
}

void CrAuditSum(const CrModel *model, const PetscReal *u, const PetscReal *v,
                const PetscReal *strain, PetscReal *sums)
{
  sum_nodes(model, u, v, NULL, sums);
  for (PetscInt b = 0; b < model->nbodies; b++) sums[SUMS * b + STRAIN] = strain[b];
}

/* Angular velocity of the rigid motion with the same angular momentum about the centroid. */
static void spin_of(const PetscReal *s, const CrBodyAudit *b, PetscReal spin[3])
{
  PetscReal I[3][3], J[3], det;
  PetscReal m = b->mass;

  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    I[i][i] = s[I_XX + i] - m * (b->x[j] * b->x[j] + b->x[k] * b->x[k]);
    I[i][j] = I[j][i] = s[I_XY + i] + m * b->x[i] * b->x[j];
    J[i] = b->angular[i] - (b->x[j] * b->momentum[k] - b->x[k] * b->momentum[j]);
  }
  det = I[0][0] * (I[1][1] * I[2][2] - I[1][2] * I[2][1]) -
        I[0][1] * (I[1][0] * I[2][2] - I[1][2] * I[2][0]) +
        I[0][2] * (I[1][0] * I[2][1] - I[1][1] * I[2][0]);
  for (int i = 0; i < 3; i++) { /* Cramer */
    int j = (i + 1) % 3, k = (i + 2) % 3;

    spin[i] = (J[i] * (I[j][j] * I[k][k] - I[j][k] * I[k][j]) +
               J[j] * (I[i][k] * I[j][k] - I[i][j] * I[k][k]) +
               J[k] * (I[i][j] * I[j][k] - I[i][k] * I[j][j])) /
              det;
  }
}

static void fill_body(const CrModel *model, PetscInt body, const PetscReal *s, CrBodyAudit *b)
{
  b->mass = model->bodies[body].mass;
  b->kinetic = s[KINETIC];
  b->strain = s[STRAIN];
  for (int i = 0; i < 3; i++) {
    b->x[i] = s[MASS_X + i] / b->mass;
    b->momentum[i] = s[P_X + i];
    b->angular[i] = s[J_X + i];
    b->spin[i] = 0;
  }
  if (model->axial) { /* the sums around the circle: nothing goes sideways, and nothing turns */
    b->momentum[0] = b->angular[2] = b->x[0] = 0;
    return;
  }
  if (model->dim == 3)
    spin_of(s, b, b->spin);
  else {
    PetscReal J = b->angular[2] - (b->x[0] * b->momentum[1] - b->x[1] * b->momentum[0]);

    b->spin[2] = J / (s[I_ZZ] - b->mass * (b->x[0] * b->x[0] + b->x[1] * b->x[1]));
  }
}

static void fill_rigid(const CrModel *model, const CrState *state, PetscInt k, CrBodyAudit *b)
{
  const CrRigid      *r = model->rigid;
  const CrRigidState *s = state->rigid;

  b->mass = r->mass[k];
  b->kinetic = CrRigidKinetic(r, s, k);
  b->strain = 0;
  b->angle = s->angle[k] * 180 / PETSC_PI;
  CrRigidSpin(r, s, k, b->spin);
  for (int i = 0; i < 3; i++) {
    b->x[i] = s->x[3 * k + i];
    b->momentum[i] = b->mass * s->v[3 * k + i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;

    b->angular[i] = s->pi[3 * k + i] + b->x[j] * b->momentum[l] - b->x[l] * b->momentum[j];
  }
}

/* Is it time to look at the principal stretches? */
static PetscBool is_stretch_due(const CrState *state, const CrAudit *audit)
{
  PetscInt every = audit->min_stretch > STRETCH_FAR ? STRETCH_CALM : STRETCH_EVERY;

  return state->n % every == 0;
}

/* The sums of all ranks, unless the method has them. */
static PetscErrorCode sum_up(const CrModel *model, const CrStepReport *report, const PetscReal *u,
                             const PetscReal *v, CrAudit *audit)
{
  PetscInt n = CrAuditSumCount(model);

  PetscFunctionBeginUser;
  if (report->sums) {
    PetscCall(PetscArraycpy(audit->sums, report->sums, n));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!model->all_lumped) PetscCall(multiply(model, u, v, audit));
  sum_nodes(model, u, v, model->all_lumped ? NULL : audit, audit->sums);
  for (PetscInt b = 0; b < model->nbodies; b++) audit->sums[SUMS * b + STRAIN] = audit->strains[b];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, audit->sums, (int)n, MPIU_REAL, MPIU_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything about the bodies with one reduction; what had to be looked at with another. */
static PetscErrorCode measure(const CrModel *model, const CrState *state,
                              const CrStepReport *report, CrAudit *audit)
{
  const PetscReal *u, *v;
  PetscReal       *strain = audit->strains, least[2];
  PetscBool        looks = !report->strain || is_stretch_due(state, audit);

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(VecGetArrayRead(state->v, &v));
  least[0] = report->strain ? report->least_det : PETSC_MAX_REAL;
  least[1] = PETSC_MAX_REAL;
  if (!report->strain)
    PetscCall(CrModelObserve(model, state, u, strain, &least[0], &least[1]));
  else {
    PetscCall(PetscArraycpy(strain, report->strain, model->nbodies));
    if (looks) PetscCall(CrModelObserve(model, state, u, NULL, NULL, &least[1]));
  }
  PetscCall(sum_up(model, report, u, v, audit));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscCall(VecRestoreArrayRead(state->v, &v));
  if (looks) PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, least, 2, MPIU_REAL, MPIU_MIN, model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++)
    fill_body(model, b, audit->sums + SUMS * b, &audit->bodies[b]);
  for (PetscInt k = 0; k < model->rigid->n; k++)
    fill_rigid(model, state, k, &audit->bodies[model->nbodies + k]);
  audit->min_det_f = PetscMin(audit->min_det_f, least[0]);
  audit->min_stretch = PetscMin(audit->min_stretch, least[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the row ------------------------------------------------------------------------------ */

/* What the laws have taken, by kind and body. */
static void sort_losses(const CrModel *model, const CrStepReport *report, CrAudit *a)
{
  a->material_loss = report->material_loss;
  for (int k = 0; k < CR_NLOSSES; k++) a->losses[k] = 0;
  for (PetscInt b = 0; report->body_losses && b < model->nbodies; b++) {
    const CrMaterial *material = model->bodies[b].material;

    if (!material->ops->state_size) continue;
    a->bodies[b].losses[material->ops->loss] = report->body_losses[b];
    a->losses[material->ops->loss] += report->body_losses[b];
  }
  for (PetscInt b = 0; report->bulk_losses && b < model->nbodies; b++) {
    PetscBool creeps = model->bodies[b].material->ops->state_size &&
                       model->bodies[b].material->ops->loss == CR_LOSS_VISCOUS;

    a->bodies[b].losses[CR_LOSS_VISCOUS] =
        (creeps ? report->body_losses[b] : 0) + report->bulk_losses[b];
    a->losses[CR_LOSS_VISCOUS] += report->bulk_losses[b];
  }
}

static void sum_bodies(const CrModel *model, CrAudit *a)
{
  a->kinetic = a->strain = a->potential = 0;
  for (int i = 0; i < 3; i++) a->momentum[i] = a->angular[i] = 0;
  for (PetscInt b = 0; b < model->nbodies + model->rigid->n; b++) {
    const CrBodyAudit *body = &a->bodies[b];

    a->kinetic += body->kinetic;
    a->strain += body->strain;
    for (int i = 0; i < 3; i++) {
      a->potential -= body->mass * model->gravity[i] * body->x[i];
      a->momentum[i] += body->momentum[i];
      a->angular[i] += body->angular[i];
    }
  }
}

static void remember_start(CrAudit *a)
{
  a->energy0 = a->energy;
  a->strain0 = a->strain;
  a->penalty0 = a->penalty;
  a->potential0 = a->potential;
  for (int i = 0; i < 3; i++) {
    a->momentum0[i] = a->momentum[i];
    a->angular0[i] = a->angular[i];
  }
}

static PetscReal distance(const PetscReal a[3], const PetscReal b[3])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++) sum += PetscSqr(a[i] - b[i]);
  return PetscSqrtReal(sum);
}

/* NaN must not hide: !(x <= max) takes it. */
static void keep_greatest(PetscReal *max, PetscReal x)
{
  if (!(x <= *max)) *max = x;
}

/* The greatest energy so far: strain, motion, what of the potential has changed, and what materials have taken, which
   is most of the work that goes into a metal. Of a body at rest that is nothing: there a millionth of its potential stands for it, whose rounding it has. */
static void update_scale(CrAudit *a)
{
  PetscReal moved = a->potential - a->potential0;

  keep_greatest(&a->energy_scale, PetscAbsReal(a->kinetic + a->strain + moved));
  keep_greatest(&a->energy_scale,
                PetscMax(a->kinetic + a->strain + a->material_loss, PetscAbsReal(moved)));
  keep_greatest(&a->energy_scale, 1e-6 * PetscAbsReal(a->potential));
}

static void update_springs(CrAudit *a)
{
  if (a->penalty > 0) {
    a->springs_time += a->h * a->penalty;
    a->bodies_time += a->h * (a->strain + a->material_loss);
  }
  if (!(a->penalty > a->springs_max)) return;
  a->springs_max = a->penalty;
  a->bodies_then = a->strain + a->material_loss;
}

static void update_extremes(CrAudit *a)
{
  update_springs(a);
  keep_greatest(&a->energy_max_gain, a->energy - a->external_work - a->energy0);
  keep_greatest(&a->balance_max, PetscAbsReal(a->balance));
  keep_greatest(&a->defect_max, PetscAbsReal(a->defect));
  update_scale(a);
  keep_greatest(&a->momentum_drift, distance(a->momentum, a->momentum0));
  keep_greatest(&a->angular_drift, distance(a->angular, a->angular0));
  keep_greatest(&a->deepest, a->max_penetration);
  a->max_contacts = PetscMax(a->max_contacts, a->contacts);
}

PetscErrorCode CrAuditRow(const CrModel *model, const CrState *state, PetscReal h,
                          const CrStepReport *report, CrAudit *a)
{
  PetscFunctionBeginUser;
  PetscCall(measure(model, state, report, a));
  sum_bodies(model, a);
  a->time = state->t;
  a->step = state->n;
  a->h = h;
  a->iterations = report->iterations;
  a->kinetic += report->kinetic_shift;
  a->penalty = report->penalty;
  a->external_work += report->external_work;
  a->friction_loss += report->friction_loss;
  a->dropped += report->dropped;
  a->drag += report->drag;
  a->contact_work += report->contact_work;
  sort_losses(model, report, a);
  a->energy = a->kinetic + a->strain + a->potential;
  a->contacts = report->contacts;
  a->sticking = report->sticking;
  a->max_penetration = report->max_penetration;
  a->nevents = report->nevents;
  a->events = report->events;
  a->total_iterations += report->iterations;
  if (state->n == 0) remember_start(a);
  a->balance = a->energy + a->penalty + a->friction_loss + a->material_loss - a->external_work -
               a->energy0 - a->penalty0;
  if (model->drags) a->balance += a->drag;
  a->defect = a->balance - a->contact_work;
  if (report->counts_internal) /* the internal work pays for the losses too */
    a->defect += report->internal_work - (a->strain - a->strain0) - a->material_loss;
  update_extremes(a);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAuditArchive(CrAudit *a, CrArchive *archive)
{
  const struct {
    const char *name;
    PetscInt    n;
    PetscReal  *reals;
  } reals[] = {
      {"audit.external_work", 1, &a->external_work},
      {"audit.friction_loss", 1, &a->friction_loss},
      {"audit.dropped", 1, &a->dropped},
      {"audit.drag", 1, &a->drag},
      {"audit.contact_work", 1, &a->contact_work},
      {"audit.energy0", 1, &a->energy0},
      {"audit.strain0", 1, &a->strain0},
      {"audit.penalty0", 1, &a->penalty0},
      {"audit.potential0", 1, &a->potential0},
      {"audit.momentum0", 3, a->momentum0},
      {"audit.angular0", 3, a->angular0},
      {"audit.energy_max_gain", 1, &a->energy_max_gain},
      {"audit.balance_max", 1, &a->balance_max},
      {"audit.defect_max", 1, &a->defect_max},
      {"audit.energy_scale", 1, &a->energy_scale},
      {"audit.momentum_drift", 1, &a->momentum_drift},
      {"audit.angular_drift", 1, &a->angular_drift},
      {"audit.deepest", 1, &a->deepest},
      {"audit.springs_max", 1, &a->springs_max},
      {"audit.bodies_then", 1, &a->bodies_then},
      {"audit.springs_time", 1, &a->springs_time},
      {"audit.bodies_time", 1, &a->bodies_time},
      {"audit.overlap_ab", 1, &a->overlap_ab},
      {"audit.overlap_ba", 1, &a->overlap_ba},
      {"audit.unseen", 1, &a->unseen},
      {"audit.min_det_f", 1, &a->min_det_f},
      {"audit.min_stretch", 1, &a->min_stretch},
      {"audit.energy", 1, &a->energy},
  };

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++)
    PetscCall(CrArchiveAddReals(archive, reals[k].name, reals[k].n, reals[k].reals));
  PetscCall(CrArchiveAddInts(archive, "audit.step", 1, &a->step));
  PetscCall(CrArchiveAddInts(archive, "audit.total_iterations", 1, &a->total_iterations));
  PetscCall(CrArchiveAddInts(archive, "audit.max_contacts", 1, &a->max_contacts));
  PetscCall(CrArchiveAddInts(archive, "audit.rejected", 1, &a->rejected));
  PetscCall(CrArchiveAddInts(archive, "audit.searched", 1, &a->searched));
  PetscCall(CrArchiveAddInts(archive, "audit.unseen_pairs", 1, &a->unseen_pairs));
  PetscFunctionReturn(PETSC_SUCCESS);
}
