/* Warns of contact springs that are too soft (theory 13.8). Contact springs and bodies are springs in series. Their
   energies have the ratio of their compliances, so this ratio shows by how much the contact springs reduce a force. A
   small penetration alone does not show it: if a thin layer is compressed by 1 % of its thickness, all of this
   displacement may be the penetration of the contact springs. */
#include "run/internal.h"

#define SHARE                                                                                      \
  0.25 /* energy of contact springs divided by that of bodies: greatest value without a warning */
#define GOOD 0.02 /* the ratio that the advised penalty aims at */

void CrRunWarnOfSoft(const CrRun *run)
{
  const CrAudit *a = run->audit;

  if (!run->model->quasi_static || !run->contact || !run->contact->springs) return;
  if (!(a->springs_max > SHARE * a->bodies_then) || !(a->bodies_then > 0)) return;
  CrWarn(
      "contact springs stored %.2g times the energy of the bodies, so contact forces may be too small by a factor of %.2g; set `normal_penalty` %.2g times as large, or use `method: bipotential`",
      (double)(a->springs_max / a->bodies_then), (double)(1 + a->springs_max / a->bodies_then),
      (double)(a->springs_max / a->bodies_then / GOOD));
}
