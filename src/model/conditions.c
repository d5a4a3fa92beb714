/* Reads `conditions:` of the deck: nodes, components and time factors. */
#include <string.h>
#include "model/internal.h"

static const CrKey wave_keys[] = {
    {"omega", CR_REAL | CR_MUST, .help = "angular frequency, radians per time"},
    {"phase", CR_REAL, "0", .help = "phase angle in degrees"},
    {"mean", CR_REAL, "0", .help = "mean value of the factor by which the load is multiplied"},
    {"amplitude", CR_REAL, "1", .help = "amplitude of the factor by which the load is multiplied"},
    {.name = NULL}};

static const CrKey condition_keys[] = {
    {"name", CR_TEXT,
     .help = "name of the condition in reactions.csv; default: place and kind of the condition"},
    {"on", CR_TEXT, .help = "body or body.surface on which the condition acts"},
    {"at", CR_REALS, .help = "the condition acts only on the node nearest to this point"},
    {"fix", CR_WORD | CR_WORDS, .words = "x|y|z",
     .help = "components of the displacement that stay zero"},
    {"displacement", CR_REALS | CR_NULLS,
     .help = "prescribed displacement; ~ leaves a component free"},
    {"velocity", CR_REALS | CR_NULLS,
     .help =
         "velocity v of the prescribed displacement v t + a t^2/2, where t is the time and a is the acceleration"},
    {"acceleration", CR_REALS | CR_NULLS,
     .help =
         "acceleration a of the prescribed displacement v t + a t^2/2, where t is the time and v is the velocity"},
    {"traction", CR_REALS, .help = "force per reference area; its direction stays fixed"},
    {"pressure", CR_REAL, .help = "force per current area, against the outward normal"},
    {"force", CR_REALS, .help = "force on one node, or total force on a surface"},
    {"gravity", CR_REALS, .help = "acceleration of gravity, on every body"},
    {"ramp", CR_REALS, .help = "[t0, t1]: factor of the load, which grows from 0 at t0 to 1 at t1"},
    {"wave", CR_MAP, .keys = wave_keys,
     .help =
         "factor of the load as a function of the time t: mean + amplitude sin(omega t + phase)"},
    {"table", CR_MATRIX,
     .help =
         "[[time, factor], ...]: factor of the load, linear between the times and constant outside"},
    {"from", CR_REAL, .help = "time at which the condition begins to act"},
    {"until", CR_REAL, .help = "time at which the condition stops acting"},
    {.name = NULL}};

const CrKey CrConditionKeys[] = {{"conditions", CR_LIST, .keys = condition_keys,
                                  .help = "loads and supports"},
                                 {.name = NULL}};

/* ---- which kind --------------------------------------------------------------------------- */

static const struct {
  const char     *key;
  CrConditionKind kind;
  PetscBool       on, factor; /* needs `on`; takes ramp, wave, table */
} kinds[] = {
    {"fix", CR_FIX, PETSC_TRUE, PETSC_FALSE},
    {"displacement", CR_DISPLACEMENT, PETSC_TRUE, PETSC_TRUE},
    {"velocity", CR_MOTION, PETSC_TRUE, PETSC_FALSE},
    {"acceleration", CR_MOTION, PETSC_TRUE, PETSC_FALSE},
    {"traction", CR_DEAD_LOAD, PETSC_TRUE, PETSC_TRUE},
    {"pressure", CR_PRESSURE, PETSC_TRUE, PETSC_TRUE},
    {"force", CR_DEAD_LOAD, PETSC_TRUE, PETSC_TRUE},
    {"gravity", CR_GRAVITY, PETSC_FALSE, PETSC_TRUE},
};

static PetscErrorCode find_kind(const CrDeckNode *node, PetscInt *found)
{
  PetscFunctionBeginUser;
  *found = -1;
  for (PetscInt k = 0; k < (PetscInt)(sizeof kinds / sizeof kinds[0]); k++) {
    if (!CrDeckFind(node, kinds[k].key)) continue;
    if (*found >= 0 && !(kinds[*found].kind == CR_MOTION && kinds[k].kind == CR_MOTION))
      CrDeckFail(node, "this condition contains both \"%s\" and \"%s\": write two conditions",
                 kinds[*found].key, kinds[k].key);
    if (*found < 0) *found = k;
  }
  if (*found < 0)
    CrDeckFail(
        node,
        "this condition contains neither a support (fix, displacement, velocity, acceleration) nor a load (traction, pressure, force, gravity)");
  if (kinds[*found].on && !CrDeckFind(node, "on"))
    CrDeckFail(node, "\"%s\" needs the key \"on\" with the name of a body or body.surface",
               kinds[*found].key);
  if (!kinds[*found].on)
    for (int i = 0; i < 2; i++)
      if (CrDeckFind(node, i ? "at" : "on"))
        CrDeckFail(CrDeckFind(node, i ? "at" : "on"),
                   "this key is not allowed, because gravity acts on every body");
  for (int i = 0; !kinds[*found].factor && i < 3; i++) {
    const char *const key = i == 0 ? "ramp" : i == 1 ? "wave" : "table";

    if (CrDeckFind(node, key))
      CrDeckFail(CrDeckFind(node, key), "\"%s\" cannot have a time factor", kinds[*found].key);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- which nodes -------------------------------------------------------------------------- */

static PetscErrorCode select_nodes(const CrModel *model, CrCondition *c, PetscBool ghosts,
                                   PetscInt body, const CrModelSet *set)
{
  PetscInt n = set ? set->nnodes : model->nlocal;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &c->nodes));
  for (PetscInt k = 0; k < n; k++) {
    PetscInt A = set ? set->nodes[k] : k;

    if (model->node_body[A] == body && (ghosts || A < model->nowned)) c->nodes[c->nnodes++] = A;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One node: its owner finds it, the ranks that see it as a ghost must know too. */
static PetscErrorCode select_nearest(const CrModel *model, CrCondition *c, PetscBool ghosts,
                                     PetscInt body, const CrModelSet *set)
{
  PetscReal at[3] = {0};
  PetscInt  node, natural;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(c->where, "at", model->dim, 0, at, NULL));
  PetscCall(CrModelNearestNode(model, body, set, CrDeckFind(c->where, "at"), at, &node));
  natural = node >= 0 ? model->natural[node] : -1;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &natural, 1, MPIU_INT, MPI_MAX, model->comm));
  PetscCall(PetscMalloc1(1, &c->nodes));
  for (PetscInt A = 0; A < (ghosts ? model->nlocal : model->nowned); A++)
    if (model->natural[A] == natural) c->nodes[c->nnodes++] = A;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The facets of a surface, or of the whole boundary of a body. */
static PetscErrorCode surface_of(const CrModel *model, const CrCondition *c, PetscInt body,
                                 const CrModelSet **set)
{
  PetscFunctionBeginUser;
  if (!*set) *set = &model->sets[CrModelBoundary(model, body)];
  if (!(*set)->is_surface)
    CrDeckFail(CrDeckFind(c->where, "on"),
               "\"%s\" is not a boundary surface, so a load per area cannot act there",
               (*set)->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- loads -------------------------------------------------------------------------------- */

/* Area vectors of a facet at a rule's point: length or area of it is the norm. */
static PetscReal facet_area(const CrModel *model, const CrLocalFacet *f, const CrRule *rule,
                            PetscInt q)
{
  PetscReal t[2][3] = {{0}}, n[3];

  for (PetscInt a = 0; a < CrCells[f->type].nnodes; a++)
    for (PetscInt i = 0; i < model->dim; i++)
      for (PetscInt d = 0; d < model->dim - 1; d++)
        t[d][i] += rule->dN[q][a][d] * model->X[model->dim * f->nodes[a] + i];
  if (model->dim == 2) return PetscSqrtReal(t[0][0] * t[0][0] + t[0][1] * t[0][1]);
  for (int i = 0; i < 3; i++)
    n[i] = t[0][(i + 1) % 3] * t[1][(i + 2) % 3] - t[0][(i + 2) % 3] * t[1][(i + 1) % 3];
  return PetscSqrtReal(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* Nodal shares of the reference area: share[local node] += integral of N, thickness included; the
   sum over the facets that this rank counts goes to *area. */
static PetscErrorCode area_shares(const CrModel *model, const CrModelSet *set, PetscReal *share,
                                  PetscReal *area)
{
  PetscFunctionBeginUser;
  *area = 0;
  for (PetscInt k = 0; k < set->nfacets; k++) {
    const CrLocalFacet *f = &set->facets[k];
    CrRule              rule;

    CrFacetRule(f->type, &rule);
    for (PetscInt q = 0; q < rule.n; q++) {
      PetscReal w = rule.weight[q] * facet_area(model, f, &rule, q) * model->thickness;

      if (model->axial) w *= CrCircle(model, f, &rule, q, NULL);
      if (f->owned) *area += w;
      for (PetscInt a = 0; a < CrCells[f->type].nnodes; a++) share[f->nodes[a]] += w * rule.N[q][a];
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, area, 1, MPIU_REAL, MPIU_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nodes and forces of a load that is uniform per reference area. */
static PetscErrorCode spread_on_surface(const CrModel *model, CrCondition *c, PetscInt body,
                                        const CrModelSet *set, PetscBool total)
{
  PetscReal *share, area;

  PetscFunctionBeginUser;
  PetscCall(surface_of(model, c, body, &set));
  PetscCall(select_nodes(model, c, PETSC_FALSE, body, set));
  PetscCall(PetscCalloc1(model->nlocal, &share));
  PetscCall(area_shares(model, set, share, &area));
  PetscCall(PetscMalloc1(c->nnodes * model->dim, &c->load));
  for (PetscInt k = 0; k < c->nnodes; k++)
    for (PetscInt i = 0; i < model->dim; i++)
      c->load[k * model->dim + i] = c->value[i] * share[c->nodes[k]] / (total ? area : 1);
  PetscCall(PetscFree(share));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A total force on one node, or on a node set that is no surface: every node the same share. */
static PetscErrorCode spread_on_nodes(const CrModel *model, CrCondition *c)
{
  PetscInt n = c->nnodes;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPIU_INT, MPI_SUM, model->comm));
  PetscCall(PetscMalloc1(c->nnodes * model->dim, &c->load));
  for (PetscInt k = 0; k < c->nnodes; k++)
    for (PetscInt i = 0; i < model->dim; i++) c->load[k * model->dim + i] = c->value[i] / n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pressure on a linear body is a dead load: its nodal forces are those of the reference shape. */
static PetscErrorCode read_pressure(const CrModel *model, CrCondition *c, PetscInt body,
                                    const CrModelSet *set)
{
  PetscFunctionBeginUser;
  if (CrDeckFind(c->where, "at"))
    CrDeckFail(CrDeckFind(c->where, "at"), "a pressure acts on a surface, not on a single node");
  PetscCall(surface_of(model, c, body, &set));
  c->value[0] = CrDeckReal(CrDeckFind(c->where, "pressure"));
  c->nfacets = set->nfacets;
  PetscCall(PetscMalloc1(c->nfacets, &c->facets));
  PetscCall(PetscArraycpy(c->facets, set->facets, c->nfacets));
  if (model->bodies[body].material->ops->flags & CR_SMALL_STRAIN) c->kind = CR_DEAD_LOAD;
  if (c->kind == CR_PRESSURE) PetscFunctionReturn(PETSC_SUCCESS);

  PetscReal *u, *f;

  PetscCall(PetscCalloc2(model->nlocal * model->dim, &u, model->nlocal * model->dim, &f));
  CrPressureForce(model, c, c->value[0], u, f);
  PetscCall(select_nodes(model, c, PETSC_FALSE, body, set));
  PetscCall(PetscMalloc1(c->nnodes * model->dim, &c->load));
  for (PetscInt k = 0; k < c->nnodes; k++)
    for (PetscInt i = 0; i < model->dim; i++)
      c->load[k * model->dim + i] = f[c->nodes[k] * model->dim + i];
  PetscCall(PetscFree2(u, f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_dead_load(const CrModel *model, CrCondition *c, const char *key,
                                     PetscInt body, const CrModelSet *set)
{
  PetscBool total = !strcmp(key, "force");
  PetscBool at = CrDeckFind(c->where, "at") != NULL;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(c->where, key, model->dim, 0, c->value, NULL));
  if (at && !total)
    CrDeckFail(CrDeckFind(c->where, "at"),
               "a traction acts on a surface; for a single node use force");
  if (at)
    PetscCall(select_nearest(model, c, PETSC_FALSE, body, set));
  else if (total && set && !set->is_surface)
    PetscCall(select_nodes(model, c, PETSC_FALSE, body, set));
  else {
    PetscCall(spread_on_surface(model, c, body, set, total));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(spread_on_nodes(model, c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- supports ----------------------------------------------------------------------------- */

static PetscErrorCode read_fix(const CrModel *model, CrCondition *c)
{
  const CrDeckNode *fix = CrDeckFind(c->where, "fix");
  PetscInt          n = CrDeckIsList(fix) ? CrDeckCount(fix) : 1;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    const CrDeckNode *word = CrDeckIsList(fix) ? CrDeckItem(fix, k) : fix;
    PetscInt          i = CrDeckText(word)[0] - 'x';

    if (i >= model->dim) CrDeckFail(word, "there is no direction \"z\" in dimension 2");
    c->held[i] = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_components(const CrModel *model, CrCondition *c, const char *key,
                                      PetscReal *value)
{
  const PetscReal none = PETSC_MAX_REAL;
  PetscReal       v[3] = {none, none, none};

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(c->where, key, model->dim, none, v, NULL));
  for (PetscInt i = 0; i < model->dim; i++) {
    if (v[i] == none) continue;
    c->held[i] = PETSC_TRUE;
    value[i] = v[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_support(const CrModel *model, CrCondition *c, PetscInt body,
                                   const CrModelSet *set, const PetscReal *initial)
{
  PetscFunctionBeginUser;
  if (CrDeckFind(c->where, "at"))
    PetscCall(select_nearest(model, c, PETSC_TRUE, body, set));
  else
    PetscCall(select_nodes(model, c, PETSC_TRUE, body, set));
  if (c->kind == CR_FIX) PetscCall(read_fix(model, c));
  if (c->kind == CR_DISPLACEMENT) PetscCall(read_components(model, c, "displacement", c->value));
  if (c->kind == CR_MOTION) {
    PetscCall(read_components(model, c, "velocity", c->value));
    PetscCall(read_components(model, c, "acceleration", c->acceleration));
  }
  if (!c->held[0] && !c->held[1] && !c->held[2])
    CrDeckFail(c->where, "this support prescribes no component, so it has no effect");
  PetscCall(PetscMalloc1(c->nnodes * model->dim, &c->start));
  for (PetscInt k = 0; k < c->nnodes; k++)
    for (PetscInt i = 0; i < model->dim; i++)
      c->start[k * model->dim + i] = initial[c->nodes[k] * model->dim + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a component of a support stay where it is. */
static PetscBool stands_still(const CrCondition *c, PetscInt i)
{
  return c->kind == CR_FIX || (c->value[i] == 0 && c->acceleration[i] == 0);
}

static PetscBool is_support(const CrCondition *c)
{
  return c->kind == CR_FIX || c->kind == CR_DISPLACEMENT || c->kind == CR_MOTION;
}

/* The component in which support c moves a node that `other` holds at the same time, -1 if none.
   mark[dofs] is zero before and after. */
static PetscInt contradiction(PetscInt dim, const CrCondition *c, const CrCondition *other,
                              char *mark)
{
  PetscInt found = -1;

  if (c->from >= other->until || other->from >= c->until) return -1;
  for (PetscInt n = 0; n < other->nnodes; n++)
    for (PetscInt i = 0; i < dim; i++) mark[other->nodes[n] * dim + i] = other->held[i] ? 1 : 0;
  for (PetscInt n = 0; n < c->nnodes; n++)
    for (PetscInt i = 0; i < dim; i++)
      if (c->held[i] && mark[c->nodes[n] * dim + i] &&
          !(stands_still(c, i) && stands_still(other, i)))
        found = i;
  for (PetscInt n = 0; n < other->nnodes; n++)
    for (PetscInt i = 0; i < dim; i++) mark[other->nodes[n] * dim + i] = 0;
  return found;
}

/* Two supports that demand different motions of one dof at one time contradict each other. */
static PetscErrorCode check_contradictions(const CrModel *model)
{
  PetscInt found = -1;
  char    *mark;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &mark));
  for (PetscInt k = 0; k < model->nconditions; k++)
    for (PetscInt j = 0; found < 0 && is_support(&model->conditions[k]) && j < k; j++) {
      const CrCondition *c = &model->conditions[k], *other = &model->conditions[j];

      if (!is_support(other)) continue;
      found = contradiction(model->dim, c, other, mark);
      if (found >= 0)
        CrDeckError(c->where,
                    "moves the %c of a node that another condition (%s) already prescribes",
                    'x' + (char)found, CrDeckPlace(other->where));
    }
  PetscCall(PetscFree(mark));
  PetscFunctionReturn(found < 0 ? PETSC_SUCCESS : CR_ERR_INPUT);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode read_gravity(CrModel *model, CrCondition *c)
{
  PetscBool constant =
      c->factor.kind == CR_CONSTANT && c->from == PETSC_MIN_REAL && c->until == PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(c->where, "gravity", model->dim, 0, c->value, NULL));
  if (model->axial && c->value[0] != 0)
    CrDeckFail(CrDeckFind(c->where, "gravity"),
               "with `symmetry: axial` gravity acts along the axis, so its x component must be 0");
  for (PetscInt i = 0; constant && i < model->dim; i++) {
    model->gravity[i] += c->value[i];
    c->value[i] = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rigid bodies take forces at their mass centre, nothing else. */
static PetscErrorCode read_rigid(CrModel *model, const CrDeckNode *node, const char *key,
                                 CrCondition *c)
{
  const CrDeckNode *on = CrDeckFind(node, "on"), *at = CrDeckFind(node, "at");

  PetscFunctionBeginUser;
  if (on) c->rigid = CrIndexFindName(model->rigid->names, CrDeckText(on));
  if (c->rigid < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (strcmp(key, "force"))
    CrDeckFail(CrDeckFind(node, key), "only a force or gravity can act on a rigid body, not %s",
               key);
  if (at) CrDeckFail(at, "the force on a rigid body acts at its mass centre");
  PetscCall(CrDeckVector(node, "force", model->dim, 0, c->value, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The name of the deck, or place and kind: "block.bottom-fix", "block(0.5 1)-force". */
static PetscErrorCode read_name(const CrModel *model, const char *key, CrCondition *c)
{
  const CrDeckNode *given = CrDeckFind(c->where, "name"), *on = CrDeckFind(c->where, "on");
  PetscReal         at[3] = {0};
  char              place[72] = "";

  PetscFunctionBeginUser;
  if (given && (!*CrDeckText(given) || strlen(CrDeckText(given)) > 135))
    CrDeckFail(given, "a name must have 1 to 135 characters");
  if (CrDeckFind(c->where, "at")) {
    PetscCall(CrDeckVector(c->where, "at", model->dim, 0, at, NULL));
    snprintf(place, sizeof place, model->dim == 2 ? "(%g %g)" : "(%g %g %g)", (double)at[0],
             (double)at[1], (double)at[2]);
  }
  if (given)
    snprintf(c->name, sizeof c->name, "%s", CrDeckText(given));
  else
    snprintf(c->name, sizeof c->name, "%.127s%s%s%.16s", on ? CrDeckText(on) : "", place,
             on ? "-" : "", key);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_condition(CrModel *model, const CrDeckNode *node,
                                     const PetscReal *initial, CrCondition *c)
{
  const CrDeckNode *from = CrDeckFind(node, "from"), *until = CrDeckFind(node, "until");
  const CrModelSet *set = NULL;
  PetscInt          kind, body = -1;

  PetscFunctionBeginUser;
  PetscCall(find_kind(node, &kind));
  c->kind = kinds[kind].kind;
  c->where = node;
  c->from = from ? CrDeckReal(from) : PETSC_MIN_REAL;
  c->until = until ? CrDeckReal(until) : PETSC_MAX_REAL;
  if (!(c->from < c->until)) CrDeckFail(until ? until : from, "\"until\" must come after \"from\"");
  PetscCall(CrFactorRead(node, &c->factor));
  PetscCall(read_name(model, kinds[kind].key, c));
  c->rigid = -1;
  PetscCall(read_rigid(model, node, kinds[kind].key, c));
  if (c->rigid >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (kinds[kind].on) PetscCall(CrModelFindSet(model, CrDeckFind(node, "on"), &body, &set));
  if (c->kind == CR_GRAVITY)
    PetscCall(read_gravity(model, c));
  else if (c->kind == CR_PRESSURE)
    PetscCall(read_pressure(model, c, body, set));
  else if (c->kind == CR_DEAD_LOAD)
    PetscCall(read_dead_load(model, c, kinds[kind].key, body, set));
  else
    PetscCall(read_support(model, c, body, set, initial));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConditionsRead(CrModel *model, const CrDeckNode *root, const PetscReal *initial)
{
  const CrDeckNode *list = CrDeckFind(root, "conditions");
  PetscInt          n = CrDeckCount(list);

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(n + 1, &model->conditions)); /* and the axis */
  for (PetscInt k = 0; k < CrDeckCount(list); k++) {
    model->nconditions = k + 1;
    PetscCall(read_condition(model, CrDeckItem(list, k), initial, &model->conditions[k]));
  }
  if (model->axial)
    PetscCall(CrAxialSupport(model, CrDeckFind(root, "symmetry"), &model->conditions[n]));
  PetscCall(CrErrorAgree(model->comm, check_contradictions(model)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConditionsAddForce(CrModel *model, PetscInt body, PetscInt group)
{
  const CrRigidGroup *rigid = group >= 0 ? &model->rigid->groups[group] : NULL;
  CrCondition        *c;

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof *c * (size_t)(model->nconditions + 1), &model->conditions));
  c = &model->conditions[model->nconditions++];
  *c = (CrCondition){.kind = CR_DEAD_LOAD,
                     .where = rigid ? rigid->deck : model->bodies[body].deck,
                     .from = PETSC_MIN_REAL,
                     .until = PETSC_MAX_REAL,
                     .rigid = group};
  model->is_free = PETSC_FALSE;
  if (!rigid) PetscCall(select_nodes(model, c, PETSC_FALSE, body, NULL));
  PetscCall(PetscCalloc1(rigid ? 3 * rigid->n : c->nnodes * model->dim, &c->load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrConditionsDestroy(CrModel *model)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nconditions; k++) {
    CrCondition *c = &model->conditions[k];

    PetscCall(PetscFree(c->factor.table));
    PetscCall(PetscFree(c->nodes));
    PetscCall(PetscFree(c->load));
    PetscCall(PetscFree(c->start));
    PetscCall(PetscFree(c->facets));
  }
  PetscCall(PetscFree(model->conditions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
