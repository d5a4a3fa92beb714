/* The directions of an orthotropic material in a body. The body gets a rotated copy of the material. */
#include "model/internal.h"

/* Reads row k of the list as a unit vector. */
static PetscErrorCode read_direction(const CrDeckNode *list, PetscInt k, PetscInt dim,
                                     PetscReal e[3])
{
  const CrDeckNode *row = CrDeckItem(list, k);
  PetscReal         size = 0;

  PetscFunctionBeginUser;
  if (CrDeckCount(row) != dim)
    CrDeckFail(row, "expected %" PetscInt_FMT " numbers, found %" PetscInt_FMT, dim,
               CrDeckCount(row));
  for (PetscInt i = 0; i < 3; i++) e[i] = i < dim ? CrDeckReal(CrDeckItem(row, i)) : 0;
  for (PetscInt i = 0; i < 3; i++) size += e[i] * e[i];
  if (!(size > 0)) CrDeckFail(row, "this vector has the length 0, so it has no direction");
  for (PetscInt i = 0; i < 3; i++) e[i] /= PetscSqrtReal(size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The directions as columns of Q. In the plane the first one says it all; in space the second as well. */
static PetscErrorCode read_turn(const CrDeckNode *list, PetscInt dim, PetscReal Q[3][3])
{
  PetscReal e[3][3] = {{0}}, dot = 0;

  PetscFunctionBeginUser;
  if (CrDeckCount(list) != dim - 1)
    CrDeckFail(list, "expected %s", dim == 2 ? "one direction, [[x, y]]" : "two directions");
  PetscCall(read_direction(list, 0, dim, e[0]));
  if (dim == 2) {
    e[1][0] = -e[0][1];
    e[1][1] = e[0][0];
  } else
    PetscCall(read_direction(list, 1, dim, e[1]));
  for (int i = 0; i < 3; i++) dot += e[0][i] * e[1][i];
  if (PetscAbsReal(dot) > 1e-6) CrDeckFail(list, "the two directions must be perpendicular");
  for (int i = 0; i < 3; i++)
    e[2][i] = e[0][(i + 1) % 3] * e[1][(i + 2) % 3] - e[0][(i + 2) % 3] * e[1][(i + 1) % 3];
  for (int i = 0; i < 3; i++) /* the last digits too: e1 = e2 x e0 */
    e[1][i] = e[2][(i + 1) % 3] * e[0][(i + 2) % 3] - e[2][(i + 2) % 3] * e[0][(i + 1) % 3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) Q[i][k] = e[k][i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDirectionsRead(CrModel *model, CrBody *body)
{
  const CrDeckNode *list = CrDeckFind(body->deck, "directions");
  PetscReal         Q[3][3];
  CrMaterial       *own;

  PetscFunctionBeginUser;
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  if (!body->material->elastic->turn)
    CrDeckFail(list, "this key is for the model orthotropic only, but the model is %s",
               body->material->elastic->name);
  PetscCall(read_turn(list, model->dim, Q));
  own = &model->materials[model->nmaterials++];
  *own = *body->material;
  own->elastic->turn(own, Q);
  body->material = own;
  PetscFunctionReturn(PETSC_SUCCESS);
}
