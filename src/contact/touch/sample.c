/* Functions for slaves that are samples: points that move with the nodes of a facet or an edge. */
#include "contact/touch/touch.h"

static void begin(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch)
{
  (void)c;
  touch->node = -1;
  touch->sample = &p->samples->list[i];
}

static void path(const CrContact *c, const CrPass *p, PetscInt i, PetscReal box[6])
{
  const CrSample *sample = &p->samples->list[i];
  PetscInt        dim = c->model->dim;

  for (PetscInt k = 0; k < 2 * dim; k++) box[k] = 0;
  for (PetscInt a = 0; a < sample->n; a++)
    for (PetscInt k = 0; k < 2 * dim; k++)
      box[k] += sample->c[a] * c->work->path[2 * dim * sample->nodes[a] + k];
}

static void at(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *out)
{
  (void)pose;
  out->u = u;
  CrGatherSample(c, touch->sample, u, out->x);
}

static PetscBool admits(const CrContact *c, const CrPass *p, PetscInt i, const CrInstant *start,
                        const PetscReal nu[3], PetscReal tol)
{
  return CrSampleIsAdmitted(c->model, p->slave, &p->samples->list[i], start->u, nu, tol);
}

const CrSlaveOps CrSlaveSample = {.begin = begin, .path = path, .at = at, .admits = admits};
