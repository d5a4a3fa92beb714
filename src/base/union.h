/* Union-find: disjoint sets of n things. parent[n] is the whole state. The root of a set is its least member,
   so that sets can be numbered in the order of their first members. */
#pragma once

#include "base/base.h"

/* Puts every thing into a set of its own. */
static inline void CrUnionStart(PetscInt n, PetscInt parent[])
{
  for (PetscInt k = 0; k < n; k++) parent[k] = k;
}

/* The root of the set of k, its least member. The search shortens the path to the root, so that later calls are faster.
   */
static inline PetscInt CrUnionRoot(PetscInt parent[], PetscInt k)
{
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* Joins the sets of a and b. */
static inline void CrUnionJoin(PetscInt parent[], PetscInt a, PetscInt b)
{
  PetscInt p = CrUnionRoot(parent, a), q = CrUnionRoot(parent, b);

  parent[PetscMax(p, q)] = PetscMin(p, q);
}
