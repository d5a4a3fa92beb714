/* Divides a Coulomb problem into islands. Contacts that W does not couple are separate problems, so that one hard
   problem does not increase the iterations of the others. */
#include <string.h>
#include "cone/internal.h"

/* All contacts reached from `seed`, into member[] from `at` on. */
static PetscInt flood(CrCone *cone, PetscInt seed, PetscInt island, PetscInt at)
{
  const ConeSystem *s = &cone->system;
  PetscInt         *stack = cone->stack.data, depth = 0, *island_of = cone->number.data;

  stack[depth++] = seed;
  island_of[seed] = island;
  while (depth) {
    PetscInt i = stack[--depth];

    cone->member.data[at++] = i;
    for (PetscInt k = s->row[i]; k < s->row[i + 1]; k++)
      if (island_of[s->col[k]] < 0) island_of[s->col[k]] = island, stack[depth++] = s->col[k];
  }
  return at;
}

/* Members in natural order, whatever way the flood took: a counting sort by island. */
static void sort_members(CrCone *cone)
{
  PetscInt *next = cone->stack.data, *of = cone->number.data;

  memcpy(next, cone->first.data, (size_t)cone->nislands * sizeof *next);
  for (PetscInt i = 0; i < cone->n; i++) cone->member.data[next[of[i]]++] = i;
  for (PetscInt k = 0; k < cone->nislands; k++)
    for (PetscInt m = cone->first.data[k]; m < cone->first.data[k + 1]; m++)
      of[cone->member.data[m]] = m - cone->first.data[k];
}

PetscErrorCode ConeFindIslands(CrCone *cone)
{
  PetscInt at = 0, n = cone->n;

  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(&cone->first, n + 1));
  PetscCall(ConeIntsFit(&cone->member, n));
  PetscCall(ConeIntsFit(&cone->number, n));
  PetscCall(ConeIntsFit(&cone->stack, n));
  cone->nislands = 0;
  for (PetscInt i = 0; i < n; i++) cone->number.data[i] = -1;
  for (PetscInt i = 0; i < n; i++)
    if (cone->number.data[i] < 0) {
      cone->first.data[cone->nislands] = at;
      at = flood(cone, i, cone->nislands++, at);
    }
  cone->first.data[cone->nislands] = at;
  sort_members(cone);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fit(CrCone *cone, PetscInt n, PetscInt nb)
{
  const PetscInt d = cone->dim, stride = cone->system.stride;
  ConeSystem    *s = &cone->island;

  PetscFunctionBeginUser;
  PetscCall(ConeIntsFit(&cone->irow, n + 1));
  PetscCall(ConeIntsFit(&cone->icol, nb));
  PetscCall(ConeRealsFit(&cone->iblock, nb * d * stride));
  PetscCall(ConeRealsFit(&cone->idiagonal, n * d * d));
  PetscCall(ConeRealsFit(&cone->iinverse, n * d * d));
  PetscCall(ConeRealsFit(&cone->imu, n));
  PetscCall(ConeRealsFit(&cone->irho, n));
  PetscCall(ConeRealsFit(&cone->iq, n * stride));
  PetscCall(ConeRealsFit(&cone->ir, n * stride));
  *s = cone->system;
  s->n = n;
  s->row = cone->irow.data;
  s->col = cone->icol.data;
  s->block = cone->iblock.data;
  s->diagonal = cone->idiagonal.data;
  s->inverse = cone->iinverse.data;
  s->mu = cone->imu.data;
  s->rho = cone->irho.data;
  s->q = cone->iq.data;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact i of all becomes contact m of the island. */
static void gather_contact(const CrCone *cone, PetscInt i, PetscInt m)
{
  const ConeSystem *from = &cone->system, *to = &cone->island;
  const size_t      d2 = (size_t)(cone->dim * cone->dim), real = sizeof(PetscReal);
  const PetscInt    stride = from->stride, size = cone->dim * stride,
                 nb = from->row[i + 1] - from->row[i];

  to->row[m + 1] = to->row[m] + nb;
  for (PetscInt k = 0; k < nb; k++)
    to->col[to->row[m] + k] = cone->number.data[from->col[from->row[i] + k]];
  memcpy(to->block + to->row[m] * size, from->block + from->row[i] * size,
         (size_t)(nb * size) * real);
  memcpy(to->diagonal + (size_t)m * d2, from->diagonal + (size_t)i * d2, d2 * real);
  memcpy(to->inverse + (size_t)m * d2, from->inverse + (size_t)i * d2, d2 * real);
  memcpy(to->q + m * stride, from->q + i * stride, (size_t)stride * real);
  to->mu[m] = from->mu[i], to->rho[m] = from->rho[i];
}

PetscErrorCode ConeGatherIsland(CrCone *cone, PetscInt k, const PetscReal r[], const ConeSystem **s,
                                PetscReal **ri)
{
  const PetscInt *member = cone->member.data + cone->first.data[k], stride = cone->system.stride;
  const PetscInt  n = cone->first.data[k + 1] - cone->first.data[k];
  PetscInt        nb = 0;

  PetscFunctionBeginUser;
  for (PetscInt m = 0; m < n; m++)
    nb += cone->system.row[member[m] + 1] - cone->system.row[member[m]];
  PetscCall(fit(cone, n, nb));
  cone->island.row[0] = 0;
  for (PetscInt m = 0; m < n; m++) {
    gather_contact(cone, member[m], m);
    memcpy(cone->ir.data + m * stride, r + member[m] * stride, (size_t)stride * sizeof *r);
  }
  *s = &cone->island;
  *ri = cone->ir.data;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ConeScatterIsland(const CrCone *cone, PetscInt k, const PetscReal ri[], PetscReal r[])
{
  const PetscInt *member = cone->member.data + cone->first.data[k], stride = cone->system.stride;

  for (PetscInt m = 0; m < cone->first.data[k + 1] - cone->first.data[k]; m++)
    memcpy(r + member[m] * stride, ri + m * stride, (size_t)stride * sizeof *r);
}
