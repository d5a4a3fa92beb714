/* Chooses the facets that a rank needs to measure the overlap of its own items. The choice has a margin, and is valid
   until a surface or body has moved farther than the margin. Then queries to all ranks (contact/scout.h) find the
   facets within some distance of the items, and the rank chooses again among them. If an item may need facets that are
   farther away, the distance is doubled. On one rank all facets are used. */
#include "base/vector.h"
#include "contact/overlap/internal.h"

#define MARGIN 2.0 /* of a mean facet */

PetscReal CrBoxDistance(const PetscReal box[6], const PetscReal x[3])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++)
    sum += PetscSqr(PetscMax(0, PetscMax(box[i] - x[i], x[i] - box[3 + i])));
  return PetscSqrtReal(sum);
}

PetscReal CrLookPoint(const CrOverlaps *o, const CrLook *look, const CrPose *pose, PetscInt i,
                      PetscReal x[3])
{
  PetscReal at[3], radius = CrShapePoint(CrRigidShape(o->contact->model->rigid, look->body), i, at);

  m_times(pose->R, at, x);
  v_add(x, 1, pose->x);
  return radius;
}

/* So far may both sides move, together, before facets are chosen again. */
static PetscReal margin_of(const CrOverlaps *o, const CrLook *look)
{
  PetscReal size = o->shells[look->into]->surface->mean_size;

  if (look->from >= 0) size = PetscMax(size, o->shells[look->from]->surface->mean_size);
  return MARGIN * size;
}

/* ---- who needs which facets ------------------------------------------------------------------- */

/* Marks of the facets and nodes of each shell. */
typedef struct {
  char **facets, **nodes; /* [nsets] */
} Marks;

/* Marks the facets within a distance of x. */
static void mark_near(CrOverlaps *o, PetscInt shell, const PetscReal x[3], PetscReal distance,
                      Marks *marks, PetscBool *enough)
{
  const CrShell *into = o->shells[shell];
  PetscInt       dim = into->surface->dim, n;
  PetscReal      box[6];

  for (PetscInt i = 0; i < dim; i++) {
    box[i] = x[i] - distance;
    box[dim + i] = x[i] + distance;
  }
  if (!(distance <= o->around)) *enough = PETSC_FALSE;
  n = CrShellQuery(into, box, o->room, o->found);
  for (PetscInt k = 0; k < n; k++) marks->facets[shell][o->found[k]] = 1;
}

/* Without facets here, the closest point is far. */
static void find_foot(const CrShell *shell, const PetscReal x[3], CrShellFoot *foot)
{
  *foot = (CrShellFoot){.distance = PETSC_MAX_REAL, .facet = -1};
  if (shell->nfacets) CrShellFootOf(shell, x, foot);
}

/* Marks what a point needs that extends by `radius` around x. Returns a distance by which both sides may move before the
   point can be inside, if that is more than the margin. It then needs nothing. Else the result is 0. The closest point
   on a bilinear facet may be nearer than that on its triangles, by much less than half of the margin. Facets that the
   scouts did not find are farther away than o->around. *enough becomes false if this matters. */
static PetscReal mark_point(CrOverlaps *o, const CrLook *look, const PetscReal x[3],
                            PetscReal radius, Marks *marks, PetscBool *enough)
{
  const PetscReal margin = margin_of(o, look), behind = o->behind[look->into];
  PetscReal       away =
      PetscMin(CrBoxDistance(o->shells[look->into]->box, x), o->around) - behind - radius;
  CrShellFoot foot;

  if (!(away > 1.5 * margin)) {
    find_foot(o->shells[look->into], x, &foot);
    if (!(PetscAbsReal(foot.distance) < o->around)) /* another facet may be nearer */
      away = o->around - behind - radius;
    else
      away = (foot.rim ? PetscAbsReal(foot.distance) - behind : foot.distance) - radius;
    if (!(away > 1.5 * margin)) {
      mark_near(o, look->into, x, PetscAbsReal(foot.distance) + radius + 2.5 * margin, marks,
                enough);
      return 0;
    }
  }
  return away - margin / 2;
}

static void mark_for_nodes(CrOverlaps *o, const CrLook *look, Marks *marks, PetscBool *enough)
{
  const CrShell *from = o->shells[look->from];
  PetscReal      moved = from->moved + o->shells[look->into]->moved, margin = margin_of(o, look);

  for (PetscInt k = 0; k < look->nmine; k++) {
    PetscInt   i = o->mine[look->mine + k];
    PetscReal *until = &o->until[look->first + i], away;

    if (*until > moved + margin) continue;
    away = mark_point(o, look, CrShellNode(from, i), 0, marks, enough);
    if (away > 0) *until = PetscMax(*until, moved + away);
  }
}

/* Points of an edge are no farther from its first node than it is long. */
static void mark_for_edges(CrOverlaps *o, const CrLook *look, Marks *marks, PetscBool *enough)
{
  const CrShell *from = o->shells[look->from];

  for (PetscInt k = 0; k < look->nmine; k++) {
    const PetscInt *ends = from->edges + 2 * o->mine[look->mine + k];
    PetscReal       e[3];

    v_less(CrShellNode(from, ends[1]), CrShellNode(from, ends[0]), e);
    (void)mark_point(o, look, CrShellNode(from, ends[0]), v_length(e), marks, enough);
    marks->nodes[look->from][ends[1]] = 1;
  }
}

static void mark_for_points(CrOverlaps *o, CrLook *look, Marks *marks, PetscBool *enough)
{
  for (PetscInt k = 0; k < look->nmine && !look->asleep; k++) {
    PetscReal   x[3];
    CrShellFoot foot;

    (void)CrLookPoint(o, look, &look->pose, o->mine[look->mine + k], x);
    find_foot(o->shells[look->into], x, &foot);
    mark_near(o, look->into, x,
              PetscMin(PetscAbsReal(foot.distance), o->around) + 2.5 * margin_of(o, look), marks,
              enough);
  }
}

/* Rays from a node that may be inside its own body go through all of its boundary. */
static void mark_all(const CrOverlaps *o, PetscInt shell, Marks *marks)
{
  for (PetscInt f = 0; f < o->shells[shell]->surface->nfacets; f++) marks->facets[shell][f] = 1;
}

static void mark(CrOverlaps *o, CrLook *look, Marks *marks, PetscBool *enough)
{
  switch (look->kind) {
  case CR_NODES_IN_SHELL: mark_for_nodes(o, look, marks, enough); break;
  case CR_EDGES_IN_SHELL: mark_for_edges(o, look, marks, enough); break;
  case CR_POINTS_IN_SHELL: mark_for_points(o, look, marks, enough); break;
  case CR_NODES_IN_SELF: mark_all(o, look->into, marks); break;
  case CR_NODES_IN_WALL: break;
  case CR_NODES_IN_BODY: break;
  case CR_EDGES_IN_BODY:
    for (PetscInt k = 0; k < look->nmine; k++)
      marks->nodes[look->from][o->shells[look->from]->edges[2 * o->mine[look->mine + k] + 1]] = 1;
    break;
  }
}

/* ---- the choice --------------------------------------------------------------------------------- */

/* The normal at a node depends on all facets around it. So nodes of facets beside a marked one have positions too. */
static PetscErrorCode mark_nodes(const CrModel *model, const CrSurface *s, const char *facets,
                                 char *nodes)
{
  PetscInt *index;

  PetscFunctionBeginUser;
  PetscCall(CrSurfaceIndex(model, s, &index));
  for (PetscInt i = 0; i < s->nnodes; i++)
    if (s->nodes[i] < model->nowned) nodes[i] = 1;
  for (PetscInt f = 0; f < s->nfacets; f++)
    for (PetscInt a = 0; facets[f] && a < s->ncorners[f]; a++) {
      PetscInt i = index[s->corners[4 * f + a]];

      for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
        for (PetscInt b = 0; b < s->ncorners[s->around[k]]; b++)
          nodes[index[s->corners[4 * s->around[k] + b]]] = 1;
    }
  PetscCall(PetscFree(index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Notes the nodes of facets around owned nodes, which may hold an item, and those of the marked ones. */
static void note(const CrOverlaps *o, const CrSurface *s, const char *nodes)
{
  for (PetscInt i = 0; i < s->nnodes; i++) {
    if (nodes[i]) CrVicinityNeed(o->near, s->nodes[i]);
    if (s->nodes[i] >= o->contact->model->nowned) continue;
    for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
      for (PetscInt a = 0; a < s->ncorners[s->around[k]]; a++)
        CrVicinityNeed(o->near, s->corners[4 * s->around[k] + a]);
  }
}

static PetscErrorCode allocate(const CrOverlaps *o, Marks *marks)
{
  const PetscInt nsets = o->contact->model->nsets;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(nsets, &marks->facets, nsets, &marks->nodes));
  for (PetscInt s = 0; s < nsets; s++)
    if (o->shells[s])
      PetscCall(PetscCalloc2(o->shells[s]->surface->nfacets, &marks->facets[s],
                             o->shells[s]->surface->nnodes, &marks->nodes[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode forget(const CrOverlaps *o, Marks *marks)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < o->contact->model->nsets; s++)
    if (o->shells[s]) PetscCall(PetscFree2(marks->facets[s], marks->nodes[s]));
  PetscCall(PetscFree2(marks->facets, marks->nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Restricts every shell to what was marked. The marks are freed. */
static PetscErrorCode restrict_shells(CrOverlaps *o, PetscReal *u, Marks *marks)
{
  const CrModel *model = o->contact->model;

  PetscFunctionBeginUser;
  CrVicinityForget(o->near);
  for (PetscInt s = 0; s < model->nsets; s++) {
    if (!o->shells[s]) continue;
    PetscCall(mark_nodes(model, o->shells[s]->surface, marks->facets[s], marks->nodes[s]));
    note(o, o->shells[s]->surface, marks->nodes[s]);
  }
  PetscCall(CrVicinityBuild(o->near));
  PetscCall(CrVicinityBring(o->near, model->dim, u));
  for (PetscInt s = 0; s < model->nsets; s++) {
    CrShell *shell = o->shells[s];

    if (!shell) continue;
    PetscCall(CrShellRestrict(model, shell, marks->facets[s], marks->nodes[s]));
    (void)CrShellPlace(model, u, shell);
    o->renewed[s] = shell->moved;
  }
  PetscCall(forget(o, marks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- scouts ------------------------------------------------------------------------------------- */

/* The position of an owned node, or of a ghost of an element. */
static void include_node(const CrOverlaps *o, PetscInt shell, PetscInt i, const PetscReal *u,
                         PetscReal box[6])
{
  const CrModel *model = o->contact->model;
  PetscReal      x[3] = {0};

  for (PetscInt j = 0; j < model->dim; j++) {
    PetscInt r = model->dim * o->shells[shell]->surface->nodes[i] + j;

    x[j] = model->X[r] + u[r];
  }
  CrScoutInclude(model->dim, x, box);
}

/* The box around those items of this rank that may need facets. */
static void bound_items(CrOverlaps *o, CrLook *look, const CrRigidState *rigid, const PetscReal *u,
                        PetscReal box[6])
{
  PetscReal moved = o->shells[look->into]->moved + margin_of(o, look);

  CrScoutEmpty(box);
  if (look->from >= 0) moved += o->shells[look->from]->moved;
  if (look->kind == CR_POINTS_IN_SHELL)
    CrPoseGet(o->contact->model->rigid, rigid, look->body, &look->pose);
  for (PetscInt k = 0; k < look->nmine; k++) {
    PetscInt  i = o->mine[look->mine + k];
    PetscReal x[3];

    if (look->kind == CR_POINTS_IN_SHELL) {
      (void)CrLookPoint(o, look, &look->pose, i, x);
      CrScoutInclude(3, x, box);
    } else if (look->kind == CR_EDGES_IN_SHELL)
      for (int a = 0; a < 2; a++)
        include_node(o, look->from, o->shells[look->from]->edges[2 * i + a], u, box);
    else if (!(o->until[look->first + i] > moved))
      include_node(o, look->from, i, u, box);
  }
}

/* Brings all facets within o->around of the items of this rank. */
static PetscErrorCode scout(CrOverlaps *o, const CrRigidState *rigid, PetscReal *u)
{
  Marks marks;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < o->nlooks; k++) {
    CrLook  *look = &o->looks[k];
    CrScout *q = &o->scouts->list[k];

    q->asks = look->kind == CR_NODES_IN_SHELL || look->kind == CR_EDGES_IN_SHELL ||
              look->kind == CR_POINTS_IN_SHELL;
    if (!q->asks) continue;
    q->surface = o->shells[look->into]->surface;
    bound_items(o, look, rigid, u, q->box);
    CrScoutWiden(o->around, q->box);
  }
  PetscCall(CrScoutsAsk(o->scouts, u, PETSC_FALSE));
  PetscCall(allocate(o, &marks));
  for (PetscInt k = 0; k < o->nlooks; k++) {
    CrLook        *look = &o->looks[k];
    const CrScout *q = &o->scouts->list[k];

    for (PetscInt j = 0; q->asks && j < q->n; j++) marks.facets[look->into][q->items[j]] = 1;
    if (look->kind == CR_POINTS_IN_SHELL)
      look->asleep = CrBoxDistance(q->all, look->pose.x) >
                     CrRigidShape(o->contact->model->rigid, look->body)->reach +
                         o->behind[look->into] + margin_of(o, look);
    for (PetscInt j = 0; look->kind == CR_EDGES_IN_SHELL && j < look->nmine; j++)
      marks.nodes[look->from][o->shells[look->from]->edges[2 * o->mine[look->mine + j] + 1]] = 1;
  }
  PetscCall(restrict_shells(o, u, &marks));
  for (PetscInt s = 0; s < o->contact->model->nsets; s++)
    if (o->shells[s]) PetscCall(CrShellFit(o->shells[s]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define MOST_TRIES 60 /* ends if positions are no numbers */

static PetscErrorCode renew(CrOverlaps *o, const CrRigidState *rigid, PetscReal *u)
{
  PetscInt lacking = 1;
  Marks    marks;

  PetscFunctionBeginUser;
  o->around = 0;
  for (PetscInt k = 0; k < o->nlooks; k++)
    if (o->looks[k].into >= 0) o->around = PetscMax(o->around, 3.5 * margin_of(o, &o->looks[k]));
  for (PetscInt try = 0; lacking && try < MOST_TRIES; try++, o->around *= 2) {
    PetscBool enough = PETSC_TRUE;

    if (try) PetscCall(forget(o, &marks));
    PetscCall(scout(o, rigid, u));
    PetscCall(allocate(o, &marks));
    for (PetscInt k = 0; k < o->nlooks; k++) mark(o, &o->looks[k], &marks, &enough);
    lacking = !enough;
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, &lacking, 1, MPIU_INT, MPI_MAX, o->contact->model->comm));
  }
  PetscCall(restrict_shells(o, u, &marks));
  o->renewals++;
  o->contact->picture->renewals++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- motion ------------------------------------------------------------------------------------- */

/* The distance that a shell has moved since facets were chosen. */
static PetscReal motion_of(const CrOverlaps *o, PetscInt shell)
{
  return shell < 0 ? 0 : o->shells[shell]->moved - o->renewed[shell];
}

/* A bound of the distance that points of a rigid body have moved since then. */
static PetscReal body_motion(const CrOverlaps *o, const CrLook *look, const CrRigidState *state)
{
  const CrRigid *rigid = o->contact->model->rigid;
  PetscReal      way[3], turned = 0;
  CrPose         pose;

  CrPoseGet(rigid, state, look->body, &pose);
  v_less(pose.x, look->pose.x, way);
  for (int i = 0; i < 9; i++) turned += PetscSqr(pose.R[i] - look->pose.R[i]);
  return v_length(way) + CrRigidShape(rigid, look->body)->reach * PetscSqrtReal(turned);
}

static PetscBool is_due(const CrOverlaps *o, const CrRigidState *rigid)
{
  if (!o->renewals) return PETSC_TRUE;
  for (PetscInt k = 0; k < o->nlooks; k++) {
    const CrLook *look = &o->looks[k];
    PetscReal     way = motion_of(o, look->from) + motion_of(o, look->into);

    if (look->into < 0) continue;
    if (look->kind == CR_POINTS_IN_SHELL) way += body_motion(o, look, rigid);
    if (!(way <= margin_of(o, look))) return PETSC_TRUE; /* not a number: likewise */
  }
  return PETSC_FALSE;
}

PetscErrorCode CrOverlapsPlace(CrOverlaps *o, const CrRigidState *rigid, PetscReal *u)
{
  const CrModel *model = o->contact->model;
  PetscReal     *way = o->reals;

  PetscFunctionBeginUser;
  PetscCall(CrVicinityBring(o->near, model->dim, u));
  for (PetscInt s = 0; s < model->nsets; s++)
    way[s] = o->shells[s] ? CrShellPlace(model, u, o->shells[s]) : 0;
  if (o->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt s = 0; s < model->nsets; s++)
    if (o->shells[s]) o->shells[s]->moved -= way[s];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, way, (PetscMPIInt)model->nsets, MPIU_REAL, MPIU_MAX,
                             model->comm));
  for (PetscInt s = 0; s < model->nsets; s++)
    if (o->shells[s]) o->shells[s]->moved += way[s];
  if (is_due(o, rigid)) PetscCall(renew(o, rigid, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}
