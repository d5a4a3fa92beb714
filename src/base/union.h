/* Union-find: which of n things belong together. parent[n] is the whole state; the root of a set is its least
   member, so that sets can be numbered in the order in which they first appear. */
#pragma once

#include "base/base.h"

/* Every thing is alone. */
static inline void CrUnionStart(PetscInt n, PetscInt parent[])
{
  for (PetscInt k = 0; k < n; k++) parent[k] = k;
}

/* The least member of the set of k; halves the path for those who ask later. */
static inline PetscInt CrUnionRoot(PetscInt parent[], PetscInt k)
{
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* The sets of a and b become one. */
static inline void CrUnionJoin(PetscInt parent[], PetscInt a, PetscInt b)
{
  PetscInt p = CrUnionRoot(parent, a), q = CrUnionRoot(parent, b);

  parent[PetscMax(p, q)] = PetscMin(p, q);
}
