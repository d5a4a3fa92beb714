/* The velocity update of Love and Laursen (LL03, theory 16). The first part of a step is the mid-point rule (middle.c)
   with contact conditions on positions, which dissipates energy. Then impulses act on contact points at the end of the
   step, so that the whole step dissipates exactly the friction loss. In the published method an impulse acts along the
   traction of its point. By default it has a separate tangential part, which satisfies Coulomb's law, and springs
   support points that rest (theory 16.5). */
#include "base/vector.h"
#include "contact/division.h"
#include "integrate/velocity_update.h"

/* ---- what is prescribed --------------------------------------------------------------------- */

/* G^l . v over the dofs that supports hold or move, with their velocity over the step; G: part q of a point. */
static PetscReal carried(const CrImplicit *im, const CrImpulsePoint *P, PetscInt q)
{
  PetscReal rate = 0;
  PetscInt  dim = im->step.model->dim;

  for (PetscInt a = 0; a < P->n; a++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscInt r = dim * P->nodes[a] + i;

      if (im->supports.fixed[r]) rate += P->along[q][dim * a + i] * im->step.du[r] / im->step.h;
    }
  return rate;
}

/* b takes the velocity relative to what is prescribed: bodies meet a moving wall as they would meet
   one at rest, seen from it. With `work`: what supports do while the impulses act; that of obstacles
   is counted with their forces. `wide`: every rank has the points of all. */
static void relate(VelocityUpdate *vu, PetscBool wide, PetscInt n, PetscReal *work)
{
  PetscInt row = 0;

  for (PetscInt l = 0; l < n; l++)
    for (PetscInt q = 0; q < vu->points[l].parts; q++, row++) {
      PetscReal rate = vu->points[l].carried[q];

      if (work)
        *work -= wide || vu->points[l].counts ? vu->j[row] * rate : 0;
      else
        vu->b[row] += rate - vu->points[l].driven[q];
    }
}

/* Can an impulse along the normal move anything? Not where supports alone move both sides. */
static PetscBool is_free(const CrImplicit *im, const CrImpulsePoint *P)
{
  PetscInt dim = im->step.model->dim;

  if (P->rigid.body >= 0) return PETSC_TRUE;
  for (PetscInt a = 0; a < P->n; a++)
    for (PetscInt i = 0; i < dim; i++)
      if (!im->supports.fixed[dim * P->nodes[a] + i] && PetscAbsReal(P->nu[i]) > 1e-10)
        return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The points that impulses act on. No impulse can turn back what supports alone move: what they spend there is lost.
   Contact that lasts gets none either; it owes no more than augmentation leaves. *lost takes both. */
static PetscInt choose_points(VelocityUpdate *vu, PetscBool wide, PetscInt n, PetscReal *lost)
{
  PetscInt kept = 0;

  for (PetscInt l = 0; l < n; l++) {
    if (vu->points[l].bounces && is_free(&vu->middle.im, &vu->points[l]))
      vu->points[kept++] = vu->points[l];
    else if (wide || vu->points[l].counts)
      *lost += vu->points[l].work;
  }
  return kept;
}

/* ---- the update ----------------------------------------------------------------------------- */

/* The normal impulse that turns the velocity of t_n at a point, by the masses of its nodes and of its rigid body. */
static PetscReal swing_of(const VelocityUpdate *vu, const CrImpulsePoint *P)
{
  const CrImplicit *im = &vu->middle.im;
  PetscReal         speed = -P->driven[0] + P->carried[0], mobility = 0;
  PetscInt          dim = im->step.model->dim;

  for (PetscInt a = 0; a < P->n; a++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscInt r = dim * P->nodes[a] + i;

      if (im->supports.fixed[r]) continue;
      speed += P->along[0][dim * a + i] * im->step.v0[r];
      mobility += PetscSqr(P->along[0][dim * a + i]) / vu->mass[P->nodes[a]];
    }
  if (P->rigid.body >= 0) {
    speed += P->rigid.before;
    mobility += v_dot_n(6, P->rigid.pull[0], P->rigid.answer[0]);
  }
  return mobility > 0 ? 2 * PetscAbsReal(speed) / mobility : 0;
}

/* What the friction of impulses with parts dissipates (theory 16.5). */
static void look_at_friction(VelocityUpdate *vu, PetscInt n)
{
  PetscInt dim = vu->middle.im.step.model->dim;

  for (PetscInt l = 0; l < n; l++) {
    CrImpulsePoint *P = &vu->points[l];

    P->lost = 0;
    for (PetscInt q = 1; q < dim; q++) P->lost -= vu->j[dim * l + q] * vu->u[dim * l + q];
    P->lost = PetscMax(P->lost, 0); /* a point that sticks has only rounding */
  }
}

/* Energies owed, after the bank has charged the points of all ranks. */
static PetscErrorCode settle(VelocityUpdate *vu, PetscBool wide, PetscInt n, PetscReal *bank)
{
  const CrContact *contact = vu->middle.im.contact;
  PetscReal        sums[2] = {0, 0};

  PetscFunctionBeginUser;
  if (wide || !contact->division || contact->division->leads) sums[0] = *bank;
  for (PetscInt l = 0; l < n; l++) {
    vu->c[l] = vu->points[l].work;
    if (wide || vu->points[l].counts) CrImpulseCount(1, &vu->c[l], &sums[0], &sums[1]);
  }
  if (!wide) PetscCall(CrDivisionSum(contact, 2, sums));
  *bank = CrImpulseCharge(n, vu->c, sums[0], sums[1]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Spread impulses: every rank has the points of all, and solves for them. */
static PetscErrorCode solve_wide(VelocityUpdate *vu, PetscInt n, PetscBool *converged)
{
  const VelocityUpdateSystem system = {n, vu->points[0].parts, vu->start, vu->b, vu->c, vu->mu};

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < n; l++) vu->mu[l] = vu->points[l].friction;
  PetscCall(VelocityUpdateSolve(vu, &system, vu->j, vu->u, converged));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define SURPLUS                                                                                    \
  1e-9 /* of the energies: springs that do more work on the bodies have met wrong facets */

/* Does contact create energy? Springs take energy in every step (theory 16.1). If the facet of the middle and that of
   the end differ much, the step is too long for that. Augmentation leaves a surplus that later steps pay back. */
static PetscErrorCode creates_energy(const VelocityUpdate *vu, PetscBool wide, PetscInt n,
                                     PetscReal surplus, PetscBool *creates)
{
  const CrStepArrays *s = &vu->middle.im.step;
  PetscInt            dim = s->model->dim;
  PetscReal           kinetic = 0, works = 0;

  PetscFunctionBeginUser; /* the surplus is the same on all ranks */
  *creates = PETSC_FALSE;
  if (vu->augmented || !(surplus > 0)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt r = 0; r < s->model->nowned * dim; r++)
    kinetic += vu->mass[r / dim] * PetscSqr(s->v0[r]) / 2;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &kinetic, 1, MPIU_REAL, MPIU_SUM, s->model->comm));
  for (PetscInt l = 0; l < n; l++)
    works += wide || vu->points[l].counts ? PetscAbsReal(vu->points[l].work) : 0;
  if (!wide) PetscCall(CrDivisionSum(vu->middle.im.contact, 1, &works));
  *creates = surplus > SURPLUS * PetscMax(kinetic, works);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The impulses of the n points, from the velocities before them. */
static PetscErrorCode find_impulses(VelocityUpdate *vu, PetscBool wide, PetscInt n, PetscReal *bank,
                                    CrStepReport *report)
{
  const CrStepArrays *s = &vu->middle.im.step;
  PetscBool           converged, creates;

  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < s->model->nlocal * s->model->dim; r++) vu->v[r] = s->v0[r] + s->dv[r];
  if (wide)
    PetscCall(VelocityUpdateSpread(vu, s->model, vu->update == UPDATE_SPREAD, n));
  else
    VelocityUpdateLoads(vu, s->model, n);
  relate(vu, wide, n, NULL);
  PetscCall(settle(vu, wide, n, bank));
  PetscCall(creates_energy(vu, wide, n, *bank - vu->bank, &creates));
  if (creates) report->reason = CR_FAIL_METHOD;
  if (creates) PetscFunctionReturn(PETSC_SUCCESS);
  if (wide)
    PetscCall(solve_wide(vu, n, &converged));
  else
    PetscCall(VelocityUpdateIslands(vu, s->model, n, &converged));
  if (vu->kind == CR_IMPULSE_PARTS) look_at_friction(vu, n);
  if (!converged) report->reason = CR_FAIL_METHOD;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Supports take up the impulses on dofs that they hold. A rank enters the nodes of its points; if it has the points of
   all ranks (`wide`), its own nodes. */
static void enter_impulses(const VelocityUpdate *vu, PetscBool wide, PetscInt n,
                           CrReactions *reactions)
{
  const CrImplicit   *im = &vu->middle.im;
  const CrStepArrays *s = &im->step;
  const PetscReal    *j = vu->j;
  PetscInt            dim = s->model->dim;

  for (PetscInt l = 0; l < n; l++)
    for (PetscInt q = 0; q < vu->points[l].parts; q++, j++)
      for (PetscInt a = 0; a < vu->points[l].n; a++) {
        PetscInt  A = vu->points[l].nodes[a];
        PetscReal x[3] = {0};
        PetscBool mine = wide ? A < s->model->nowned : vu->points[l].counts;

        for (PetscInt i = 0; i < dim; i++) x[i] = s->model->X[dim * A + i] + s->u1[dim * A + i];
        for (PetscInt i = 0; mine && i < dim; i++) {
          PetscInt  r = dim * A + i;
          PetscReal impulse = -*j * vu->points[l].along[q][dim * a + i];

          if (im->supports.fixed[r])
            CrReactionsEnter(reactions, reactions->row[im->supports.owner[r]], x, i,
                             (CrDofReaction){impulse / s->h, impulse, impulse * s->du[r] / s->h});
        }
      }
}

/* Lists the points, with what depends on the motion of their nodes, which only their rank knows. With spread impulses
   every rank gets the points of all. */
static PetscErrorCode list_points(VelocityUpdate *vu, PetscBool wide, PetscInt *n, PetscBool *found)
{
  CrImplicit *im = &vu->middle.im;

  PetscFunctionBeginUser;
  PetscCall(VelocityUpdateFit(vu, CrContactTouches(im->contact)));
  PetscCall(CrContactImpulses(im->contact, vu->kind, im->step.u1, n, vu->points, found));
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt l = 0; l < *n; l++) {
    CrImpulsePoint *P = &vu->points[l];

    for (PetscInt q = 0; q < P->parts; q++) P->carried[q] = carried(im, P, q);
    P->swing = swing_of(vu, P);
  }
  if (wide) PetscCall(CrContactGatherImpulses(im->contact, n, vu->points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gives the impulses of the n points of this rank to velocities, contact, supports and the report. */
static PetscErrorCode give(VelocityUpdate *vu, PetscBool wide, PetscInt n, CrReactions *reactions,
                           CrStepReport *report)
{
  CrImplicit         *im = &vu->middle.im;
  const CrStepArrays *s = &im->step;
  PetscReal           work = 0;

  PetscFunctionBeginUser;
  if (wide || !im->contact->division)
    relate(vu, wide, n, &report->external_work);
  else {
    relate(vu, wide, n, &work);
    PetscCall(CrDivisionSum(im->contact, 1, &work));
    report->external_work += work;
  }
  PetscCall(VelocityUpdateApply(vu, s->model, wide, n));
  if (im->supports.any) enter_impulses(vu, wide, n, reactions);
  if (im->supports.any && wide)
    PetscCall(VelocityUpdateReact(vu, s->model, vu->update == UPDATE_SPREAD, n, reactions));
  PetscCall(CrContactKick(im->contact, wide, n, vu->points, vu->j));
  vu->npoints = n;
  vu->wide = wide;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode update_velocities(VelocityUpdate *vu, CrReactions *reactions,
                                        CrStepReport *report)
{
  CrImplicit         *im = &vu->middle.im;
  const CrStepArrays *s = &im->step;
  PetscBool           wide = vu->update == UPDATE_SPREAD || !s->model->all_lumped;
  PetscReal           bank = vu->bank, lost = 0;
  PetscInt            n, all;
  PetscBool           found;

  PetscFunctionBeginUser;
  CrTimed(s->model->watch, CR_PART_CONTACT, list_points(vu, wide, &n, &found));
  if (!found) report->reason = CR_FAIL_METHOD;
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  n = choose_points(vu, wide, n, &lost);
  all = n;
  if (!wide) PetscCall(CrDivisionSum(im->contact, 1, &lost));
  if (!wide) PetscCall(CrDivisionSumInts(im->contact, 1, &all));
  if (!all) {
    report->contact_work = lost;
    vu->bank += lost;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(find_impulses(vu, wide, n, &bank, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  bank += lost;
  report->contact_work = bank - vu->bank;
  vu->bank = bank;
  PetscCall(give(vu, wide, n, reactions, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- augmentation --------------------------------------------------------------------------- */

/* Greatest violation of the constraints, at points that bounce and at points that rest. */
static PetscErrorCode violation(VelocityUpdate *vu, PetscReal greatest[2], CrStepReport *report)
{
  CrImplicit *im = &vu->middle.im;
  PetscInt    n;
  PetscBool   found;

  PetscFunctionBeginUser;
  CrTimed(im->step.model->watch, CR_PART_CONTACT, list_points(vu, PETSC_FALSE, &n, &found));
  if (!found) report->reason = CR_FAIL_METHOD;
  greatest[0] = greatest[1] = 0;
  for (PetscInt l = 0; l < n; l++) {
    const CrImpulsePoint *P = &vu->points[l];
    PetscReal            *most = &greatest[P->bounces ? 0 : 1];

    if (is_free(im, P)) *most = PetscMax(*most, PetscMax(P->open, P->slip));
  }
  PetscCall(CrDivisionMax(im->contact, 2, greatest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal tolerance_of(const VelocityUpdate *vu)
{
  const CrContact *c = vu->middle.im.contact;
  PetscReal        size = PETSC_MAX_REAL;

  if (vu->gap_tolerance > 0) return vu->gap_tolerance;
  for (PetscInt k = 0; k < c->npasses; k++) size = PetscMin(size, CrPassSize(c, &c->passes[k]));
  return 1e-8 * size;
}

#define RESTS 1e-4 /* part of the tolerance that holds for points at rest */

/* No impulse returns what the violation at a point at rest costs. It gets a tighter tolerance, as far as augmentation
   still helps. */
static PetscBool is_enough(const PetscReal now[2], PetscReal before, PetscReal tolerance)
{
  if (!(now[0] <= tolerance && now[1] <= tolerance)) return PETSC_FALSE;
  return now[1] <= RESTS * tolerance || now[1] > before / 2;
}

static PetscErrorCode augment(CrIntegrator *it, VelocityUpdate *vu, CrStepReport *report)
{
  PetscReal now[2], before = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < vu->augmentations && report->reason == CR_STEP_OK; k++) {
    PetscCall(violation(vu, now, report));
    if (report->reason < 0 || is_enough(now, before, tolerance_of(vu))) break;
    before = now[1];
    CrContactAugment(vu->middle.im.contact, &vu->middle.law);
    PetscCall(CrMiddleSolve(it, &vu->middle, report));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the method ----------------------------------------------------------------------------- */

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  VelocityUpdate *vu = it->data;
  PetscBool       any = PETSC_FALSE;

  PetscFunctionBeginUser;
  vu->npoints = 0;
  PetscCall(CrMiddleBegin(it, &vu->middle, model, state, h));
  if (it->contact && CrContactTouches(it->contact)) any = PETSC_TRUE;
  /* nodes carry the velocities of their last bounce: free flight leads astray */
  if (any || (it->contact && CrContactHasTouched(it->contact)))
    PetscCall(VecCopy(vu->middle.im.fallback, vu->middle.im.predictor));
  PetscCall(CrMiddleSolve(it, &vu->middle, report));
  if (any && vu->augmented) PetscCall(augment(it, vu, report));
  if (any && vu->update != UPDATE_OFF && report->reason == CR_STEP_OK)
    PetscCall(update_velocities(vu, state->reactions, report));
  PetscCall(CrMiddleEnd(&vu->middle, state, report));
  /* after the ledger, in which the forces of the equilibrium stand */
  if (it->contact && report->reason == CR_STEP_OK)
    PetscCall(CrContactAddImpulses(it->contact, vu->wide, vu->npoints, vu->points, vu->j));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const CrKey options[] = {
    {"enforcement", CR_WORD, "penalty", "penalty|augmented",
     .help =
         "velocity-update: how penetration is prevented: penalty springs, or augmented Lagrangian multipliers"},
    {"augmentations", CR_INTEGER, "30", .range = "[1,1000]",
     .help =
         "velocity-update: greatest number of iterations of the augmented Lagrangian method in a step"},
    {"gap_tolerance", CR_REAL | CR_WORD, "auto", "auto", "(0,inf)",
     .help =
         "velocity-update: the iterations of the augmented Lagrangian method end when all penetrations are below this length"},
    {"update", CR_WORD, "auto", "auto|local|spread|off",
     .help =
         "velocity-update: impulses change the velocities of contact nodes (local) or of whole bodies (spread); off: no impulses, energy is lost"},
    {"impulse_friction", CR_WORD, "coulomb", "coulomb|paper",
     .help =
         "velocity-update: coulomb: impulses obey Coulomb's law, and contacts can stick; paper: impulses act along the contact traction"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  VelocityUpdate   *vu = it->data;
  const CrDeckNode *update = CrDeckFind(time, "update"), *gap = CrDeckFind(time, "gap_tolerance");

  PetscFunctionBeginUser;
  vu->augmented = CrDeckIsWord(CrDeckFind(time, "enforcement"), "augmented");
  vu->augmentations = CrDeckInteger(CrDeckFind(time, "augmentations"));
  vu->gap_tolerance = CrDeckIsReal(gap) ? CrDeckReal(gap) : -1;
  vu->update = CrDeckIsWord(update, "local")    ? UPDATE_LOCAL
               : CrDeckIsWord(update, "spread") ? UPDATE_SPREAD
               : CrDeckIsWord(update, "off")    ? UPDATE_OFF
                                                : UPDATE_AUTO;
  if (CrDeckIsWord(CrDeckFind(time, "impulse_friction"), "coulomb")) vu->kind = CR_IMPULSE_PARTS;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Spread where a wave crosses every free body in contact within a step (theory 16.4). */
static PetscErrorCode choose_update(CrIntegrator *it, VelocityUpdate *vu, const CrModel *model)
{
  PetscReal slowest = 0;
  int      *held;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nbodies, &held));
  for (PetscInt r = 0; r < model->nowned * model->dim; r++)
    if (vu->middle.im.supports.fixed[r]) held[model->node_body[r / model->dim]] = 1;
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, held, (int)model->nbodies, MPI_INT, MPI_MAX, model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    PetscReal speed = CrMaterialWaveSpeed(model->bodies[b].material);

    if (held[b] || !model->bodies[b].touches) continue;
    slowest =
        PetscMax(slowest, model->bodies[b].size / PetscSqrtReal((PetscReal)model->dim) / speed);
  }
  PetscCall(PetscFree(held));
  vu->update = slowest > 0 && it->first_step > slowest ? UPDATE_SPREAD : UPDATE_LOCAL;
  if (slowest > 0)
    CrLog(
        "update: %s, because the time step %g is %s than the longest time that a wave needs to cross a free body (%g)\n",
        vu->update == UPDATE_SPREAD ? "spread" : "local", (double)it->first_step,
        vu->update == UPDATE_SPREAD ? "longer" : "not longer", (double)slowest);
  else
    CrLog("update: local, because every deformable body in contact has supports\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Multipliers without friction are those of the source, which need no history of points. */
static void choose_law(VelocityUpdate *vu, const CrContact *contact)
{
  PetscBool rubs = PETSC_FALSE;

  for (PetscInt k = 0; contact && k < contact->npairs; k++)
    if (contact->pairs[k].friction > 0) rubs = PETSC_TRUE;
  if (vu->augmented && !rubs) vu->kind = CR_IMPULSE_TRACTION;
  vu->middle.law = vu->kind == CR_IMPULSE_TRACTION ? CrLaw_discrete_rate
                   : vu->augmented                 ? CrLaw_discrete_multiplier
                                                   : CrLaw_discrete_spring;
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  VelocityUpdate *vu = it->data;
  CrImplicit     *im = &vu->middle.im;

  PetscFunctionBeginUser;
  choose_law(vu, it->contact);
  PetscCall(CrImplicitAddRigid(it, model, state));
  if (it->contact) PetscCall(CrContactDivide(it->contact, PETSC_FALSE));
  PetscCall(CrMiddleSetup(it, &vu->middle, model, state));
  for (PetscInt k = 0; it->contact && k < it->contact->npairs; k++)
    if (it->contact->pairs[k].resolve)
      CrDeckFail(it->contact->pairs[k].overlap,
                 "`overlap: resolve` cannot be used under velocity-update; use dissipative");
  if (it->contact) CrContactSetLaw(it->contact, &vu->middle.law);
  if (it->contact && vu->middle.law.bounces)
    PetscCall(CrContactWiden(it->contact, state->contact, 1));
  PetscCall(VelocityUpdateSetUp(vu, model));
  PetscCall(CrStepOpen(&im->step, model, state, 0));
  PetscCall(CrSupportsAt(model, state->t, 0, im->step.u0, &im->supports));
  PetscCall(CrStepClose(&im->step));
  if (it->contact && vu->update == UPDATE_AUTO) PetscCall(choose_update(it, vu, model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  VelocityUpdate *vu = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(list, "velocity_update.bank", 1, &vu->bank));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  VelocityUpdate *vu = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrMiddleDestroy(&vu->middle));
  PetscCall(VelocityUpdateDestroySystem(vu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_velocity_update = {
    .name = "velocity-update",
    .citation = "Love and Laursen 2003 (energy-momentum contact with a discrete contact velocity)",
    .help =
        "each step prevents penetration and then applies impulses, so that energy is lost by Coulomb friction alone",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_DRAG | CR_DEFORMABLE | CR_CONSISTENT_MASS | CR_CONTACT | CR_PARTNERS | CR_SPRINGS,
    .data_size = sizeof(VelocityUpdate),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .destroy = destroy,
};
