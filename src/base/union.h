/* Implements union-find: disjoint sets of the numbers 0 to n-1. The array parent[n] stores the sets. The root of a set
   is its least member, so that sets can be numbered in the order of their least members. */
#pragma once

#include "base/base.h"

/* Puts every number into a set of its own. */
static inline void CrUnionStart(PetscInt n, PetscInt parent[])
{
  for (PetscInt k = 0; k < n; k++) parent[k] = k;
}

/* Returns the root (least member) of the set that contains k. The search shortens the path to the root, so that later
   calls are faster. */
static inline PetscInt CrUnionRoot(PetscInt parent[], PetscInt k)
{
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* Joins the set that contains a with the set that contains b. */
static inline void CrUnionJoin(PetscInt parent[], PetscInt a, PetscInt b)
{
  PetscInt p = CrUnionRoot(parent, a), q = CrUnionRoot(parent, b);

  parent[PetscMax(p, q)] = PetscMin(p, q);
}
