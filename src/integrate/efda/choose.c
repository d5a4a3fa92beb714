/* Chooses the engine that computes the steps. The engine for few bodies computes the time of each impact. The engines
   for many bodies solve all contacts of a step together: one for balls under gravity alone, and one for bodies of any
   shape (theory 18.6). */
#include "integrate/efda/efda.h"
#include "integrate/efda/few.h"
#include "model/conditions.h"

/* Bodies are many, and go to a crowd, if there are more than FROM of them, or at least CORNERED polytopes, whose contacts
   at rest depend on each other. Up to LOAD balls of unlike masses do not go to the kernel for balls. */
#define FROM     50
#define CORNERED 10
#define LOAD     64

static PetscBool is_many(const CrRigid *r)
{
  PetscInt n = 0;

  for (PetscInt b = 0; b < r->n; b++) n += CrRigidShape(r, b)->kind == CR_SHAPE_POLYTOPE;
  return r->n > FROM || n > CORNERED;
}

static PetscBool is_round(const CrRigid *r)
{
  for (PetscInt k = 0; k < r->nshapes; k++)
    if (r->shapes[k].kind != CR_SHAPE_BALL) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Do all bodies have the same constant acceleration? */
static PetscBool is_plain(const CrModel *model)
{
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];

    if (c->rigid >= 0) return PETSC_FALSE;
    if (c->kind == CR_GRAVITY && v_length(c->value) > 0) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* Sweeps for balls converge too slowly if a heavy body rests on a few light ones. On a bed of many they do well
   enough. */
static PetscBool is_for_balls(const CrModel *model)
{
  const CrRigid *r = model->rigid;

  return is_round(r) && is_plain(model) && !(EfdaMassesDiffer(r) && r->n <= LOAD);
}

PetscErrorCode EfdaChoose(const CrDeckNode *word, const EfdaOptions *options, const CrModel *model,
                          const EfdaEngineOps **ops)
{
  PetscBool many = CrDeckIsWord(word, "many");

  PetscFunctionBeginUser;
  if (many && options->penalty)
    CrDeckFail(word, "`engine: many` can be used only with `variant: instant`");
  if (CrDeckIsWord(word, "auto")) many = !options->penalty && is_many(model->rigid);
  if (many && (options->sequential || options->tangential < 1))
    CrWarn(
        "`engine: many` resolves all impacts of a step at once, so %s has no effect; use `engine: few` to resolve each impact",
        options->sequential ? "impacts: sequential" : "tangential_restitution");
  *ops = !many ? &EfdaFew : is_for_balls(model) ? &EfdaCrowdOfBalls : &EfdaCrowdOfShapes;
  PetscFunctionReturn(PETSC_SUCCESS);
}
