/* The table of kinds of passes, and functions of every pass. */
#include "contact/contact.h"

#define CR_PASS(kind, row) extern const CrPassOps CrPass_##row;
#include "contact/passes.def"
#undef CR_PASS

void CrPassSetKind(CrPass *p, CrPassKind kind)
{
  static const CrPassOps *const rows[CR_PASS_KINDS] = {
#define CR_PASS(kind, row) [kind] = &CrPass_##row,
#include "contact/passes.def"
#undef CR_PASS
  };

  p->kind = kind;
  p->ops = rows[kind];
}

void CrPassMove(const CrPass *p, PetscReal t0, PetscReal t1, PetscReal move[3])
{
  PetscReal s0[3] = {0}, s1[3] = {0};

  if (p->obstacle) {
    CrObstacleShift(p->obstacle, t0, s0);
    CrObstacleShift(p->obstacle, t1, s1);
  }
  for (int i = 0; i < 3; i++) move[i] = s1[i] - s0[i];
}

void CrPassVelocity(const CrPass *p, PetscReal t0, PetscReal t1, PetscReal velocity[3])
{
  CrPassMove(p, t0, t1, velocity);
  for (int i = 0; i < 3; i++) velocity[i] /= t1 - t0;
}

static PetscBool is_own_sample(const CrPass *p, const CrSample *sample, PetscInt facet)
{
  if (p->slave == p->master) return CrSampleIsNear(p->slave, sample, facet);
  for (PetscInt a = 0; a < p->master->ncorners[facet]; a++)
    for (PetscInt b = 0; b < sample->n; b++)
      if (p->master->corners[4 * facet + a] == sample->nodes[b]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrPassIsOwn(const CrPass *p, PetscInt i, PetscInt facet)
{
  if (CrPassHasEdges(p)) return CrRidgesJoin(p->ridges[0], i, p->ridges[1], facet);
  if (CrPassHasSamples(p)) return is_own_sample(p, &p->samples->list[i], facet);
  if (p->slave == p->master) return CrSurfaceIsNear(p->slave, i, facet);
  for (PetscInt a = 0; a < p->master->ncorners[facet]; a++)
    if (p->master->corners[4 * facet + a] == p->slave->nodes[i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscReal CrPassSize(const CrContact *c, const CrPass *p)
{
  const CrRigid *r = c->model->rigid;

  if (p->slave) return p->slave->mean_size;
  return p->master ? p->master->mean_size : r->shapes[r->shape[p->partner]].reach;
}
