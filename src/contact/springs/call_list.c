/* The list of places where a sharp edge penetrates and has no contact (calls.h). */
#include "base/grow.h"
#include "base/vector.h"
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

PetscReal CrRelativeWay(PetscInt na, const PetscInt *a, PetscInt nb, const PetscInt *b,
                        const PetscReal *u0, const PetscReal *u1)
{
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < na; k++)
    for (PetscInt l = 0; l < nb; l++) {
      PetscReal way[3];

      for (int d = 0; d < 3; d++)
        way[d] = u1[3 * a[k] + d] - u0[3 * a[k] + d] - u1[3 * b[l] + d] + u0[3 * b[l] + d];
      greatest = PetscMax(greatest, v_length(way));
    }
  return greatest;
}
