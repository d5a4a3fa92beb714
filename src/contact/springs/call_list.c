/* The list of places where a sharp edge penetrates and has no contact (calls.h). */
#include "base/grow.h"
#include "contact/springs/calls.h"

PetscErrorCode CrCallAdd(CrContact *c, PetscInt pass, PetscInt i, PetscInt facet, PetscReal depth,
                         PetscReal size, PetscInt n, const PetscInt *nodes)
{
  CrContactWork *w = c->work;
  CrCall        *call;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(w->ncalls + 1, &w->calls_room, &w->calls));
  call = &w->calls[w->ncalls++];
  *call = (CrCall){.pass = pass, .i = i, .facet = facet, .depth = depth, .size = size, .n = n};
  for (PetscInt a = 0; a < n; a++) call->nodes[a] = nodes[a];
  PetscFunctionReturn(PETSC_SUCCESS);
}
