#include "model/reactions.h"
#include <string.h>

#define REALS ((PetscInt)(sizeof(CrReaction) / sizeof(PetscReal)))

/* ---- names -------------------------------------------------------------------------------- */

static PetscBool is_taken(const CrReactions *r, PetscInt n, const char name[])
{
  for (PetscInt k = 0; k < n; k++)
    if (!strcmp(r->names[k], name)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The default name of a condition may be there already: it gets a number. */
static PetscErrorCode name_support(CrReactions *r, PetscInt row, const CrCondition *c)
{
  const CrDeckNode *given = CrDeckFind(c->where, "name");
  char              name[CR_CONDITION_NAME];

  PetscFunctionBeginUser;
  if (given && is_taken(r, row, c->name))
    CrDeckFail(given, "\"%s\" is the name of another condition", c->name);
  memcpy(name, c->name, sizeof name);
  for (PetscInt k = 2; is_taken(r, row, name); k++)
    snprintf(name, sizeof name, "%.*s-%" PetscInt_FMT, CR_CONDITION_NAME - 16, c->name, k);
  memcpy(r->names[row], name, sizeof name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode name_obstacle(CrReactions *r, const CrModel *model, PetscInt row,
                                    const char name[])
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nconditions; k++)
    if (r->row[k] >= 0 && !strcmp(r->names[r->row[k]], name))
      CrDeckFail(model->conditions[k].where, "\"%s\" is the name of an obstacle", name);
  snprintf(r->names[row], CR_CONDITION_NAME, "%s", name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- life --------------------------------------------------------------------------------- */

static PetscErrorCode fill_names(const CrModel *model, PetscInt nobstacles,
                                 const char *(*name)(const void *ctx, PetscInt k), const void *ctx,
                                 CrReactions *r)
{
  PetscInt row = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nconditions; k++) {
    r->row[k] = -1;
    if (model->conditions[k].kind > CR_MOTION) continue;
    PetscCall(name_support(r, row, &model->conditions[k]));
    r->row[k] = row++;
  }
  r->nsupports = row;
  for (PetscInt k = 0; k < nobstacles; k++)
    PetscCall(name_obstacle(r, model, row + k, name(ctx, k)));
  r->n = row + nobstacles;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReactionsCreate(const CrModel *model, PetscInt nobstacles,
                                 const char *(*name)(const void *ctx, PetscInt k), const void *ctx,
                                 CrReactions **out)
{
  PetscInt       n = model->nconditions + nobstacles;
  CrReactions   *r;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&r));
  PetscCall(PetscCalloc4(n, &r->names, model->nconditions, &r->row, n, &r->now, n, &r->all));
  code = fill_names(model, nobstacles, name, ctx, r);
  if (code) PetscCall(CrReactionsDestroy(&r));
  *out = r;
  PetscFunctionReturn(code);
}

PetscErrorCode CrReactionsDestroy(CrReactions **r)
{
  PetscFunctionBeginUser;
  if (!*r) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*r)->names, (*r)->row, (*r)->now, (*r)->all));
  PetscCall(PetscFree(*r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrReactionsArchive(CrReactions *r, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "reactions", REALS * r->n, (PetscReal *)r->all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a step ------------------------------------------------------------------------------- */

void CrReactionsBegin(CrReactions *r)
{
  for (PetscInt k = 0; k < r->n; k++) r->now[k] = (CrReaction){0};
}

void CrReactionsEnter(CrReactions *r, PetscInt row, const PetscReal x[3], PetscInt i,
                      CrDofReaction what)
{
  CrReaction *s = &r->now[row];
  PetscInt    j = (i + 1) % 3, k = (i + 2) % 3;

  s->force[i] += what.force;
  s->moment[j] += x[k] * what.force;
  s->moment[k] -= x[j] * what.force;
  s->impulse[i] += what.impulse;
  s->work += what.work;
}

/* Does a dof belong to condition k? */
static PetscBool holds(const CrSupports *now, const CrSupports *last, PetscInt dof, PetscInt k)
{
  if (now->fixed[dof]) return now->owner[dof] == k;
  return last && last->fixed[dof] && last->owner[dof] == k;
}

void CrReactionsEnterSupports(CrReactions *r, const CrModel *model, const CrSupports *now,
                              const CrSupports *last, const PetscReal                        *where,
                              CrDofReaction (*of)(const void *ctx, PetscInt dof), const void *ctx)
{
  PetscInt dim = model->dim;

  if (!now->any && !(last && last->any)) return;
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];

    if (r->row[k] < 0) continue;
    for (PetscInt n = 0; n < c->nnodes; n++) {
      PetscReal x[3] = {0};

      if (c->nodes[n] >= model->nowned) continue;
      for (PetscInt i = 0; i < dim; i++)
        x[i] = model->X[dim * c->nodes[n] + i] + where[dim * c->nodes[n] + i];
      for (PetscInt i = 0; i < dim; i++) {
        PetscInt dof = dim * c->nodes[n] + i;

        if (c->held[i] && holds(now, last, dof, k))
          CrReactionsEnter(r, r->row[k], x, i, of(ctx, dof));
      }
    }
  }
}

PetscErrorCode CrReactionsBook(CrReactions *r, const CrModel *model)
{
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  if (r->nsupports && size > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, r->now, (int)(REALS * r->nsupports), MPIU_REAL,
                               MPIU_SUM, model->comm));
  for (PetscInt k = 0; k < r->n; k++) {
    const CrReaction *now = &r->now[k];
    CrReaction       *all = &r->all[k];

    for (int i = 0; i < 3; i++) {
      all->force[i] = now->force[i];
      all->moment[i] = now->moment[i];
      all->impulse[i] += now->impulse[i];
    }
    all->work += now->work;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
