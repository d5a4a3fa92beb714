/* The solvers of the Coulomb problem by name. The first solver is the default. */
#include <string.h>
#include "cone/internal.h"

static const ConeSolver *const solvers[] = {&ConeHybrid, &ConeGaussSeidel, &ConeProjection};

#define NSOLVERS ((PetscInt)(sizeof solvers / sizeof solvers[0]))

const char *CrConeSolverName(PetscInt k)
{
  return k >= 0 && k < NSOLVERS ? solvers[k]->name : NULL;
}

const char *CrConeSolverHelp(PetscInt k)
{
  return k >= 0 && k < NSOLVERS ? solvers[k]->help : NULL;
}

const ConeSolver *ConeSolverFind(const char name[])
{
  if (!name) return solvers[0];
  for (PetscInt k = 0; k < NSOLVERS; k++)
    if (!strcmp(name, solvers[k]->name)) return solvers[k];
  return NULL;
}
