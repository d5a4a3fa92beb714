/* Finds bodies, materials and surfaces of the deck by name, in constant time. */
#include <string.h>
#include "model/internal.h"

PetscErrorCode CrNameEnter(CrIndex **index, const CrDeckNode *list, PetscInt k, const char *what)
{
  const CrDeckNode *node = CrDeckFind(CrDeckItem(list, k), "name");
  const char       *name = CrDeckText(node);
  PetscInt          old;

  PetscFunctionBeginUser;
  if (!*name || strlen(name) > 63 || strpbrk(name, ".,\"\n"))
    CrDeckFail(node, "a name must have 1 to 63 characters, and no dot, comma, quote or line break");
  if (!*index) PetscCall(CrIndexCreate(index));
  PetscCall(CrIndexAddName(*index, name, k, &old));
  if (old >= 0) CrDeckFail(node, "another %s is called \"%s\" already", what, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "body.set", which is what the deck writes; NULL: it is longer than any that exists. */
static const char *join(const char *body, const char *set, char text[CR_SET_WORDS])
{
  return snprintf(text, CR_SET_WORDS, "%s.%s", body, set) < CR_SET_WORDS ? text : NULL;
}

/* ---- what `contact:` names ------------------------------------------------------------------ */

/* "block" stands for the body and for its boundary, "block.top" for the body and for its surface. */
static PetscErrorCode enter_side(CrIndex *index, const char *words)
{
  size_t   length = strcspn(words, ".");
  char     text[CR_SET_WORDS];
  PetscInt old;

  PetscFunctionBeginUser;
  PetscCall(CrIndexAdd(index, words, length, 0, &old));
  if (words[length])
    PetscCall(CrIndexAddName(index, words, 0, &old));
  else if (join(words, "boundary", text))
    PetscCall(CrIndexAddName(index, text, 0, &old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelReadSides(CrModel *model, const CrDeckNode *contact)
{
  PetscFunctionBeginUser;
  PetscCall(CrIndexCreate(&model->side_names));
  for (PetscInt k = 0; k < CrDeckCount(contact); k++) {
    const CrDeckNode *between = CrDeckFind(CrDeckItem(contact, k), "between");

    if (CrDeckFind(CrDeckItem(contact, k), "default")) model->all_touch = PETSC_TRUE;
    for (PetscInt i = 0; i < CrDeckCount(between); i++)
      PetscCall(enter_side(model->side_names, CrDeckText(CrDeckItem(between, i))));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrModelIsSide(const CrModel *model, const char *body, const char *set)
{
  char text[CR_SET_WORDS];

  if (model->all_touch) return PETSC_TRUE;
  if (!set) return CrIndexFindName(model->side_names, body) >= 0;
  return join(body, set, text) && CrIndexFindName(model->side_names, text) >= 0;
}

/* ---- bodies with a mesh, and their sets ------------------------------------------------------- */

PetscErrorCode CrModelEnterNames(CrModel *model)
{
  char     text[CR_SET_WORDS];
  PetscInt old;

  PetscFunctionBeginUser;
  PetscCall(CrIndexCreate(&model->body_names));
  PetscCall(CrIndexCreate(&model->set_names));
  for (PetscInt b = 0; b < model->nbodies; b++)
    PetscCall(CrIndexAddName(model->body_names, model->bodies[b].name, b, &old));
  for (PetscInt s = 0; s < model->nsets; s++) {
    const CrModelSet *set = &model->sets[s];

    if (join(model->bodies[set->body].name, set->name, text))
      PetscCall(CrIndexAddName(model->set_names, text, s, &old));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrModelBoundary(const CrModel *model, PetscInt body)
{
  char text[CR_SET_WORDS];

  return CrIndexFindName(model->set_names, join(model->bodies[body].name, "boundary", text));
}

PetscErrorCode CrModelDestroyNames(CrModel *model)
{
  PetscFunctionBeginUser;
  PetscCall(CrIndexDestroy(&model->entry_names));
  PetscCall(CrIndexDestroy(&model->material_names));
  PetscCall(CrIndexDestroy(&model->side_names));
  PetscCall(CrIndexDestroy(&model->body_names));
  PetscCall(CrIndexDestroy(&model->set_names));
  PetscFunctionReturn(PETSC_SUCCESS);
}
