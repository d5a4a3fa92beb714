/* Finds bodies, sets and nodes by the names and positions of the deck. */
#include <string.h>
#include "model/internal.h"

PetscErrorCode CrUnknownName(const CrDeckNode *words, const char *what, const char *word,
                             PetscInt n, const char *const names[])
{
  char all[512] = "; there is: ", hint[CR_HINT];

  for (PetscInt k = 0; k < n; k++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? ", " : "", names[k]);
  return CrDeckError(words, "unknown %s \"%s\"%s", what, word,
                     CrNameHint(word, n, names, all, hint));
}

static PetscErrorCode find_body(const CrModel *model, const CrDeckNode *words, const char *name,
                                PetscInt *body)
{
  const char   **names;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *body = CrIndexFindName(model->body_names, name);
  if (*body >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(model->nbodies, &names));
  for (PetscInt b = 0; b < model->nbodies; b++) names[b] = model->bodies[b].name;
  code = CrUnknownName(words, "body", name, model->nbodies, names);
  PetscCall(PetscFree(names));
  PetscFunctionReturn(code);
}

static PetscErrorCode unknown_set(const CrModel *model, const CrDeckNode *words, const char *name,
                                  PetscInt body)
{
  const char   **names;
  PetscInt       n = 0;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nsets, &names));
  for (PetscInt s = 0; s < model->nsets; s++)
    if (model->sets[s].body == body) names[n++] = model->sets[s].name;
  code = CrUnknownName(words, "surface", name, n, names);
  PetscCall(PetscFree(names));
  PetscFunctionReturn(code);
}

PetscErrorCode CrModelFindSet(const CrModel *model, const CrDeckNode *words, PetscInt *body,
                              const CrModelSet **set)
{
  const char *text = CrDeckText(words), *dot = strchr(text, '.');
  char        name[64];
  size_t      length = dot ? (size_t)(dot - text) : strlen(text);
  PetscInt    s;

  PetscFunctionBeginUser;
  *set = NULL;
  PetscCall(PetscStrncpy(name, text, PetscMin(sizeof name, length + 1)));
  PetscCall(find_body(model, words, name, body));
  if (!dot) PetscFunctionReturn(PETSC_SUCCESS);
  s = CrIndexFindName(model->set_names, text);
  if (s < 0) PetscFunctionReturn(unknown_set(model, words, dot + 1, *body));
  *set = &model->sets[s];
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define FAR 0.25 /* of a body's size: a point that is meant to be on it is nearer to a node */

PetscErrorCode CrModelNearestNode(const CrModel *model, PetscInt body, const CrModelSet *set,
                                  const CrDeckNode *where, const PetscReal at[3], PetscInt *node)
{
  PetscInt  dim = model->dim, n = set ? set->nnodes : model->nowned, best = PETSC_MAX_INT, winner;
  PetscReal least = PETSC_MAX_REAL, all;

  PetscFunctionBeginUser;
  for (int pass = 0; pass < 2; pass++) { /* first how near, then who: round-off must not decide */
    for (PetscInt k = 0; k < n; k++) {
      PetscInt  A = set ? set->nodes[k] : k;
      PetscReal d = 0;

      if (A >= model->nowned || model->node_body[A] != body) continue;
      for (PetscInt i = 0; i < dim; i++) d += PetscSqr(model->X[dim * A + i] - at[i]);
      d = PetscSqrtReal(d);
      if (pass == 0)
        least = PetscMin(least, d);
      else if (d <= all + 1e-12 * model->size)
        best = PetscMin(best, model->natural[A]);
    }
    if (pass == 0) PetscCallMPI(MPI_Allreduce(&least, &all, 1, MPIU_REAL, MPIU_MIN, model->comm));
  }
  if (where && all > FAR * model->bodies[body].size)
    CrWarn(
        "%s: the nearest node has a distance of %g from this point. Has the point other units, or was it meant for the body before its position was changed?",
        CrDeckPlace(where), (double)all);
  PetscCallMPI(MPI_Allreduce(&best, &winner, 1, MPIU_INT, MPI_MIN, model->comm));
  *node = -1;
  for (PetscInt A = 0; best == winner && A < model->nowned; A++)
    if (model->natural[A] == winner) *node = A;
  PetscFunctionReturn(PETSC_SUCCESS);
}
