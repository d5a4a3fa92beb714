/* Gives the caller arrays of bodies without a copy, and the names of bodies, pairs and arrays. */
#include <string.h>
#include "library/internal.h"

static const char *const array_names[] = {"position",  "displacement",  "velocity",
                                          "reference", "contact-force", "node",
                                          "spin",      "rotation",      "pair-force"};

#define NARRAYS ((PetscInt)(sizeof array_names / sizeof *array_names))

/* ---- bodies ------------------------------------------------------------------------------- */

static const char *entry_name(const carom_sim *sim, PetscInt entry)
{
  const CrModel *model = sim->now.run->model;

  return entry < model->nbodies ? model->bodies[entry].name
                                : model->rigid->groups[entry - model->nbodies].name;
}

PetscInt SimEntry(const carom_sim *sim, const char body[])
{
  for (PetscInt k = 0; k < sim->now.nentries; k++)
    if (!strcmp(entry_name(sim, k), body)) return k;
  return -1;
}

static PetscErrorCode find_rows(SimRun *of)
{
  const CrModel *model = of->run->model;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(2 * model->nbodies, &of->rows));
  for (PetscInt A = 0; A < model->nowned; A++) {
    PetscInt *rows = of->rows + 2 * model->node_body[A];

    if (!rows[1]) rows[0] = A;
    PetscCheck(A == rows[0] + rows[1], PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "nodes are not in the order of the bodies");
    rows[1]++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimBuffersCreate(SimRun *of)
{
  const CrModel *model = of->run->model;

  PetscFunctionBeginUser;
  PetscCall(find_rows(of));
  of->nentries = model->nbodies + model->rigid->ngroups;
  PetscCall(PetscCalloc1(of->nentries * SIM_BUFFERS, &of->buffers));
  PetscCall(PetscCalloc1(3 * (of->run->contact ? of->run->contact->npairs : 0), &of->pairs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimBuffersDestroy(SimRun *of)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; of->buffers && k < of->nentries * SIM_BUFFERS; k++)
    PetscCall(PetscFree(of->buffers[k].at));
  PetscCall(PetscFree(of->buffers));
  PetscCall(PetscFree(of->pairs));
  PetscCall(PetscFree(of->rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimBufferOpen(carom_sim *sim, PetscInt entry, SimBufferKind kind, PetscInt n,
                             PetscReal **at)
{
  SimBuffer *buffer = &sim->now.buffers[entry * SIM_BUFFERS + kind];

  PetscFunctionBeginUser;
  if (buffer->room < n) {
    PetscCall(PetscFree(buffer->at));
    PetscCall(PetscCalloc1(n, &buffer->at));
    buffer->room = n;
  }
  *at = buffer->at;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- deformable bodies -------------------------------------------------------------------- */

static PetscErrorCode vector_rows(Vec vec, PetscInt first, const PetscReal **rows)
{
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(vec, rows));
  *rows += first;
  PetscCall(VecRestoreArrayRead(vec, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode positions(carom_sim *sim, PetscInt entry, PetscInt first, PetscInt n,
                                const PetscReal **rows)
{
  const PetscInt   dim = sim->now.run->model->dim;
  const PetscReal *X = sim->now.run->model->X + first * dim, *u;
  PetscReal       *x;

  PetscFunctionBeginUser;
  PetscCall(SimBufferOpen(sim, entry, SIM_POSITION, PetscMax(n * dim, 1), &x));
  PetscCall(vector_rows(sim->now.run->state->u, first * dim, &u));
  for (PetscInt i = 0; i < n * dim; i++) x[i] = X[i] + u[i];
  *rows = x;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of the nodes in the mesh of their body. */
static PetscErrorCode node_numbers(carom_sim *sim, PetscInt entry, PetscInt first, PetscInt n,
                                   carom_view *view)
{
  const CrModel *model = sim->now.run->model;
  PetscReal     *room;
  int           *numbers;

  PetscFunctionBeginUser;
  PetscCall(SimBufferOpen(sim, entry, SIM_NODE, n / 2 + 1, &room));
  numbers = (int *)(void *)room;
  for (PetscInt k = 0; k < n; k++)
    numbers[k] = (int)(model->natural[first + k] - model->bodies[entry].first_node);
  *view = (carom_view){numbers, CAROM_INTEGER, (long)n, 1};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mesh_array(carom_sim *sim, PetscInt entry, const char name[],
                                 carom_view *view)
{
  const CrModel   *model = sim->now.run->model;
  const CrContact *contact = sim->now.run->contact;
  const PetscInt   dim = model->dim;
  const PetscReal *rows = NULL;
  const PetscInt   first = sim->now.rows[2 * entry], n = sim->now.rows[2 * entry + 1];

  PetscFunctionBeginUser;
  if (!strcmp(name, "position")) PetscCall(positions(sim, entry, first, n, &rows));
  if (!strcmp(name, "displacement"))
    PetscCall(vector_rows(sim->now.run->state->u, first * dim, &rows));
  if (!strcmp(name, "velocity")) PetscCall(vector_rows(sim->now.run->state->v, first * dim, &rows));
  if (!strcmp(name, "reference")) rows = model->X + first * dim;
  if (!strcmp(name, "contact-force") && contact) rows = contact->picture->force + first * dim;
  *view = (carom_view){rows, CAROM_REAL, (long)n, (long)dim};
  if (!strcmp(name, "node")) PetscCall(node_numbers(sim, entry, first, n, view));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rigid bodies ------------------------------------------------------------------------- */

static PetscErrorCode spins(carom_sim *sim, PetscInt entry, const CrRigidGroup *group,
                            const PetscReal **rows)
{
  PetscReal *w;

  PetscFunctionBeginUser;
  PetscCall(SimBufferOpen(sim, entry, SIM_SPIN, 3 * group->n, &w));
  for (PetscInt k = 0; k < group->n; k++)
    CrRigidSpin(sim->now.run->model->rigid, sim->now.run->state->rigid, group->first + k,
                w + 3 * k);
  *rows = w;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In 2D the rotation is an angle about z. */
static PetscErrorCode rotations(carom_sim *sim, PetscInt entry, const CrRigidGroup *group,
                                const PetscReal **rows)
{
  const CrRigidState *state = sim->now.run->state->rigid;
  PetscReal          *q;

  PetscFunctionBeginUser;
  PetscCall(SimBufferOpen(sim, entry, SIM_ROTATION, 4 * group->n, &q));
  for (PetscInt k = 0; k < group->n; k++) {
    const PetscReal half = state->angle[group->first + k] / 2;
    const PetscReal plane[4] = {PetscCosReal(half), 0, 0, PetscSinReal(half)};
    const PetscBool is_plane = sim->now.run->model->dim == 2;

    PetscCall(PetscArraycpy(q + 4 * k, is_plane ? plane : state->q + 4 * (group->first + k), 4));
  }
  *rows = q;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode rigid_array(carom_sim *sim, PetscInt entry, const char name[],
                                  carom_view *view)
{
  const CrRigidState *state = sim->now.run->state->rigid;
  const CrRigidGroup *group =
      &sim->now.run->model->rigid->groups[entry - sim->now.run->model->nbodies];
  const PetscReal *rows = NULL;
  const PetscBool  turns = !strcmp(name, "rotation") ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  if (!strcmp(name, "position")) rows = state->x + 3 * group->first;
  if (!strcmp(name, "velocity")) rows = state->v + 3 * group->first;
  if (!strcmp(name, "spin")) PetscCall(spins(sim, entry, group, &rows));
  if (turns) PetscCall(rotations(sim, entry, group, &rows));
  *view = (carom_view){rows, CAROM_REAL, (long)group->n, turns ? 4 : 3};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- asked for by name -------------------------------------------------------------------- */

PetscErrorCode SimArray(carom_sim *sim, PetscInt entry, const char name[], carom_view *view)
{
  return entry < sim->now.run->model->nbodies ? mesh_array(sim, entry, name, view)
                                              : rigid_array(sim, entry, name, view);
}

static void pair_forces(carom_sim *sim, carom_view *view)
{
  const CrContact *c = sim->now.run->contact;
  const PetscInt   n = c ? c->npairs : 0;

  for (PetscInt k = 0; k < n; k++)
    for (int i = 0; i < 3; i++)
      sim->now.pairs[3 * k + i] = CrPairSign(&c->pairs[k]) * c->picture->tally.pairs[k].force[i];
  *view = (carom_view){sim->now.pairs, CAROM_REAL, (long)n, 3};
}

PetscErrorCode SimArrayFind(carom_sim *sim, const char body[], const char name[], carom_view *view)
{
  const PetscInt entry = body ? SimEntry(sim, body) : -1;

  PetscFunctionBeginUser;
  if (body && entry < 0) CrInputFail("there is no body \"%s\"", body);
  if (body)
    PetscCall(SimArray(sim, entry, name, view));
  else if (!strcmp(name, "pair-force"))
    pair_forces(sim, view);
  if (!view->data && view->rows)
    CrInputFail("%s%s has no array \"%s\"", body ? "body " : "the simulation", body ? body : "",
                name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_array(carom_sim *sim, const char *body, const char *name, carom_view *view)
{
  SimCall call;

  if (!view || !name) return SimRefuse(sim, "carom_array needs a name and a pointer to the view");
  *view = (carom_view){.rows = 1};
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  sim->lent = PETSC_TRUE;
  return SimLeave(sim, &call, SimArrayFind(sim, body, name, view));
}

/* ---- names -------------------------------------------------------------------------------- */

long carom_count(const carom_sim *sim, const char *what)
{
  long n = 0;

  if (!sim || sim->broken || !what) return -1;
  if (!strcmp(what, "dimension")) return (long)sim->now.run->model->dim;
  if (strcmp(what, "bodies") && strcmp(what, "pairs") && strcmp(what, "ledger") &&
      strcmp(what, "arrays"))
    return -1;
  while (carom_name(sim, what, n)) n++;
  return n;
}

/* Losses come last; those that the run has not got have no name. */
static const char *ledger_name(const carom_sim *sim, long index)
{
  const CrModel *model = sim->now.run->model;
  long           n = 0;

  for (PetscInt i = 0; CrAuditColumnName(i); i++) {
    const CrNeeds needs = CrAuditColumnNeeds(i);

    if (needs == CR_NEEDS_STATE && !CrModelLoses(model)) continue;
    if (needs == CR_NEEDS_DRAG && !model->drags) continue;
    if (n++ == index) return CrAuditColumnName(i);
  }
  return NULL;
}

const char *carom_name(const carom_sim *sim, const char *what, long index)
{
  const CrContact *contact = sim && !sim->broken ? sim->now.run->contact : NULL;

  if (!sim || sim->broken || !what || index < 0) return NULL;
  if (!strcmp(what, "bodies"))
    return index < (long)sim->now.nentries ? entry_name(sim, (PetscInt)index) : NULL;
  if (!strcmp(what, "pairs"))
    return contact && index < (long)contact->npairs ? contact->pairs[index].name : NULL;
  if (!strcmp(what, "ledger")) return ledger_name(sim, index);
  if (!strcmp(what, "arrays")) return index < (long)NARRAYS ? array_names[index] : NULL;
  return NULL;
}

int carom_is_rigid(const carom_sim *sim, const char *body)
{
  const PetscInt entry = sim && !sim->broken && body ? SimEntry(sim, body) : -1;

  return entry < 0 ? -1 : entry >= sim->now.run->model->nbodies;
}
