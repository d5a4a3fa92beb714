/* The ghosts that a rank needs at present (vicinity.h). */
#include "model/vicinity.h"
#include "base/grow.h"
#include "base/lazy.h"
#include "model/mutual.h"

/* What is known of a ghost: nothing; it was noted; the halo has it. */
enum { UNKNOWN, NOTED, BUILT };

struct CrVicinity {
  const CrModel *model; /* borrowed */
  PetscMPIInt    ranks;
  CrHalo         near;   /* the vicinity */
  PetscBool      built;  /* `near` exists */
  CrMutual       mutual; /* sums at nodes of the vicinity; made when they are first asked for */
  char          *state;  /* [nlocal]; owned, like all arrays */
  PetscInt       n, room, *needed, *global; /* the vicinity: local and global numbers */
  PetscInt       ngiven, *given; /* [nowned] owned nodes that are in the vicinity of another rank */
  PetscReal     *values;         /* [room_values] on their way */
  PetscInt       room_values, room_marks;
  PetscInt      *marks;        /* [room_marks] likewise */
  PetscInt       nmesh, *mesh; /* of the model's own: ghosts of elements; -1: not listed yet */
};

PetscErrorCode CrVicinityCreate(const CrModel *model, CrVicinity **out)
{
  CrVicinity *v;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&v));
  v->model = model;
  PetscCallMPI(MPI_Comm_size(model->comm, &v->ranks));
  PetscCall(CrLazyCreate(model->nlocal, &v->state));
  PetscCall(CrLazyCreate(model->nowned, &v->given));
  v->nmesh = -1;
  *out = v;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinityDestroy(CrVicinity **out)
{
  CrVicinity *v = *out;

  PetscFunctionBeginUser;
  if (!v) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrHaloDestroy(&v->near));
  PetscCall(CrMutualDestroy(&v->mutual));
  PetscCall(CrLazyDestroy(&v->state));
  PetscCall(CrLazyDestroy(&v->given));
  PetscCall(PetscFree(v->needed));
  PetscCall(PetscFree(v->global));
  PetscCall(PetscFree(v->values));
  PetscCall(PetscFree(v->marks));
  PetscCall(PetscFree(v->mesh));
  PetscCall(PetscFree(*out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- who is in it ------------------------------------------------------------------------------ */

void CrVicinityForget(CrVicinity *v)
{
  for (PetscInt k = 0; k < v->n; k++) v->state[v->needed[k]] = UNKNOWN;
}

void CrVicinityNeed(CrVicinity *v, PetscInt node)
{
  if (node >= v->model->nowned && v->state[node] == UNKNOWN) v->state[node] = NOTED;
}

PetscBool CrVicinityHas(const CrVicinity *v, PetscInt node)
{
  return node < v->model->nowned || v->state[node] == BUILT;
}

PetscInt CrVicinityNodes(const CrVicinity *v, const PetscInt **nodes)
{
  *nodes = v->needed;
  return v->n;
}

PetscInt CrVicinityGiven(const CrVicinity *v, const PetscInt **nodes)
{
  *nodes = v->given;
  return v->ngiven;
}

/* Lists the owned nodes that other ranks need. */
static PetscErrorCode list_given(CrVicinity *v)
{
  PetscInt *users, *ones;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(v->model->nowned, &users, v->n, &ones));
  for (PetscInt k = 0; k < v->n; k++) ones[k] = 1;
  PetscCall(CrHaloAddInts(&v->near, 1, ones, users));
  v->ngiven = 0;
  for (PetscInt A = 0; A < v->model->nowned; A++)
    if (users[A]) v->given[v->ngiven++] = A;
  PetscCall(PetscFree2(users, ones));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinityBuild(CrVicinity *v)
{
  const CrModel *m = v->model;

  PetscFunctionBeginUser;
  if (v->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  v->n = 0;
  for (PetscInt A = m->nowned; A < m->nlocal; A++) {
    if (v->state[A] == UNKNOWN) continue;
    PetscCall(CrGrowTwo(v->n + 1, &v->room, &v->needed, &v->global));
    v->state[A] = BUILT;
    v->needed[v->n] = A;
    v->global[v->n++] = m->ghosts[A - m->nowned];
  }
  PetscCall(CrHaloDestroy(&v->near));
  PetscCall(CrMutualDestroy(&v->mutual));
  PetscCall(CrHaloCreate(m->comm, m->nowned, v->n, v->global, &v->near));
  v->built = PETSC_TRUE;
  PetscCall(list_given(v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinityOfCells(const CrModel *model, CrVicinity **v)
{
  PetscFunctionBeginUser;
  PetscCall(CrVicinityCreate(model, v));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    const PetscInt        nn = b->element->nnodes;

    for (PetscInt e = 0; e < b->nowned; e++)
      for (PetscInt a = 0; a < nn; a++)
        CrVicinityNeed(*v, b->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH]);
  }
  PetscCall(CrVicinityBuild(*v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- values ---------------------------------------------------------------------------------- */

PetscErrorCode CrVicinityBring(CrVicinity *v, PetscInt width, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (!v->built) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(width * v->n, &v->room_values, &v->values));
  PetscCall(CrHaloBring(&v->near, width, values, v->values));
  for (PetscInt k = 0; k < v->n; k++)
    for (PetscInt i = 0; i < width; i++)
      values[width * v->needed[k] + i] = v->values[width * k + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinityRefresh(CrVicinity *v, PetscInt width, const PetscReal *values)
{
  return CrVicinityBring(v, width, (PetscReal *)values);
}

PetscErrorCode CrVicinityAdd(CrVicinity *v, PetscInt width, PetscInt skip, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (!v->built) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(width * v->n, &v->room_values, &v->values));
  for (PetscInt k = 0; k < v->n; k++)
    for (PetscInt i = 0; i < width; i++)
      v->values[width * k + i] = i < skip ? 0 : values[width * v->needed[k] + i];
  PetscCall(CrHaloAdd(&v->near, width, v->values, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinitySum(CrVicinity *v, PetscInt width, PetscReal *values)
{
  PetscFunctionBeginUser;
  if (!v->built) PetscFunctionReturn(PETSC_SUCCESS);
  if (!v->mutual.comm)
    PetscCall(CrMutualCreate(&v->near, v->model->first, v->needed, v->global, &v->mutual));
  PetscCall(CrMutualSum(&v->mutual, width, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVicinityGreatest(CrVicinity *v, PetscInt *marks)
{
  PetscFunctionBeginUser;
  if (!v->built) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(v->n, &v->room_marks, &v->marks));
  for (PetscInt k = 0; k < v->n; k++) v->marks[k] = marks[v->needed[k]];
  PetscCall(CrHaloGreatest(&v->near, 1, v->marks, marks));
  PetscCall(CrHaloBringInts(&v->near, 1, marks, v->marks));
  for (PetscInt k = 0; k < v->n; k++) marks[v->needed[k]] = v->marks[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the ghosts of the model ------------------------------------------------------------------- */

static PetscErrorCode list_mesh(CrVicinity *v)
{
  const CrModel *m = v->model;
  char          *seen;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(m->nlocal, &seen));
  for (PetscInt k = 0; k < m->nblocks; k++) {
    const CrElementBlock *b = &m->blocks[k];

    for (PetscInt e = 0; e < b->nbatches * b->element->nnodes * CR_BATCH; e++)
      seen[b->nodes[e]] = 1;
  }
  v->nmesh = 0;
  for (PetscInt A = m->nowned; A < m->nlocal; A++) v->nmesh += seen[A];
  PetscCall(PetscMalloc1(v->nmesh, &v->mesh));
  v->nmesh = 0;
  for (PetscInt A = m->nowned; A < m->nlocal; A++)
    if (seen[A]) v->mesh[v->nmesh++] = A;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelNarrow(const CrModel *model, const CrVicinity *near)
{
  CrVicinity *live = model->live;

  PetscFunctionBeginUser;
  if (live->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  if (live->nmesh < 0) PetscCall(list_mesh(live));
  CrVicinityForget(live);
  for (PetscInt k = 0; k < live->nmesh; k++) CrVicinityNeed(live, live->mesh[k]);
  for (PetscInt k = 0; k < near->n; k++) CrVicinityNeed(live, near->needed[k]);
  PetscCall(CrVicinityBuild(live));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelBringGhosts(const CrModel *model, PetscReal *values)
{
  PetscFunctionBeginUser;
  PetscCheck(model->live->ranks == 1 || model->live->built, PETSC_COMM_SELF, PETSC_ERR_ORDER,
             "CrModelNarrow comes first");
  PetscCall(CrVicinityBring(model->live, model->dim, values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelUpdateGhosts(const CrModel *model, Vec v)
{
  PetscReal *values;

  PetscFunctionBeginUser;
  if (model->live->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  if (!model->live->built) PetscFunctionReturn(CrModelUpdateAllGhosts(model, v));
  PetscCall(VecGetArray(v, &values));
  PetscCall(CrVicinityBring(model->live, model->dim, values));
  PetscCall(VecRestoreArray(v, &values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelUpdateAllGhosts(const CrModel *model, Vec v)
{
  PetscFunctionBeginUser;
  if (model->live->ranks == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGhostUpdateBegin(v, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(v, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(PETSC_SUCCESS);
}
