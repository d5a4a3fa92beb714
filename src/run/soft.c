/* Warns of contact springs that are too soft (theory 13.8). Contact springs and bodies are springs in series. Their
   energies have the ratio of their compliances, so this ratio shows by how much the contact springs reduce a force. A
   small penetration alone does not show it: if a thin layer is compressed by 1 % of its thickness, all of this
   displacement may be the penetration of the contact springs. */
#include "run/internal.h"

#define SHARE                                                                                      \
  0.1 /* energy of contact springs divided by that of bodies: greatest value without a warning */
#define GOOD 0.02 /* the ratio that the advised penalty aims at */
/* The same in dynamics, for means over the time of contact. Nodes that strike a surface load their springs before the
   body yields, so that a greatest value would depend on the step, and the mean is larger than in statics. */
#define MEAN_SHARE 0.5
#define MEAN_GOOD  0.1
#define FEWEST     8 /* steps of a run: the mean of fewer ones is that of the first touch */

static void warn_at_rest(const CrAudit *a)
{
  const PetscReal ratio = a->springs_max / a->bodies_then;

  if (!(a->springs_max > SHARE * a->bodies_then) || !(a->bodies_then > 0)) return;
  CrWarn(
      "contact springs stored %.2g times the energy of the bodies, so contact forces may be too small by a factor of %.2g; set `normal_penalty` %.2g times as large, or use `method: bipotential`",
      (double)ratio, (double)(1 + ratio), (double)(ratio / GOOD));
}

/* A mass on two springs in series: the greatest force is less by the square root of the factor of the compliance, and
   the contact lasts longer by the same factor. */
static void warn_in_motion(const CrAudit *a)
{
  const PetscReal ratio = a->springs_time / a->bodies_time;

  if (!(a->springs_time > MEAN_SHARE * a->bodies_time) || !(a->bodies_time > 0)) return;
  CrWarn(
      "during contact, contact springs stored %.2g times the energy of the bodies on average. So impacts may last too long, and their forces may be too small, by a factor of %.2g. To avoid this, set `normal_penalty` %.2g times as large, or use `method: bipotential`",
      (double)ratio, (double)PetscSqrtReal(1 + ratio), (double)(ratio / MEAN_GOOD));
}

/* Is an overlap of the start pushed out? In motion it loads the springs before the bodies can yield. */
static PetscBool pushes_out(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->pairs[k].resolve) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Springs between a rigid body and an obstacle store energy too, but no body yields in series with them. */
static PetscBool joins_rigid(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->pairs[k].rigid) return PETSC_TRUE;
  return PETSC_FALSE;
}

void CrRunWarnOfSoft(const CrRun *run)
{
  if (!run->contact || !run->contact->springs || joins_rigid(run->contact)) return;
  if (run->model->quasi_static)
    warn_at_rest(run->audit);
  else if (!pushes_out(run->contact) && run->audit->step >= FEWEST)
    warn_in_motion(run->audit);
}
