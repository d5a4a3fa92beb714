/* Counts contact points along a contact, and computes angles between facets and waves in the contact layer
   (footprint.h). */
#include "run/footprint.h"
#include <math.h>
#include "base/vector.h"
#include "contact/division.h"

#define SLIGHT 0.01 /* part of the greatest force below which a pair does not count */
#define HIGHER 1.02 /* a peak is looked at when it is higher by so much than the last one */

/* Numbers of a pair at the peak of its force. */
enum { PEAK, LONGER, SHORTER, TURN, NUMBERS };

struct CrFootprint {
  const CrContact *contact; /* borrowed */
  PetscReal       *rate;    /* [npairs], owned as the next */
  PetscReal       *peak;    /* [NUMBERS npairs] */
};

/* ---- set up ----------------------------------------------------------------------------------- */

static PetscReal rate_of(const CrModel *model, const CrSurface *s)
{
  const CrMaterial *m = s ? model->bodies[s->body].material : NULL;

  return m ? CrMaterialWaveSpeed(m) / s->layer : 0;
}

static void measure_pass(CrFootprint *f, const CrPass *pass)
{
  const CrModel *model = f->contact->model;
  PetscReal     *rate = &f->rate[pass->pair];

  *rate = PetscMax(*rate, PetscMax(rate_of(model, pass->slave), rate_of(model, pass->master)));
}

PetscErrorCode CrFootprintCreate(const CrContact *contact, CrFootprint **out)
{
  CrFootprint *f;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&f));
  f->contact = contact;
  PetscCall(PetscCalloc2(contact->npairs, &f->rate, NUMBERS * contact->npairs, &f->peak));
  for (PetscInt k = 0; k < contact->npasses; k++) measure_pass(f, &contact->passes[k]);
  *out = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFootprintDestroy(CrFootprint **f)
{
  PetscFunctionBeginUser;
  if (!*f) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*f)->rate, (*f)->peak));
  PetscCall(PetscFree(*f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFootprintArchive(CrFootprint *f, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, "footprint.peak", NUMBERS * f->contact->npairs, f->peak));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrFootprintRate(const CrFootprint *f, PetscInt pair)
{
  return f->rate[pair];
}

/* ---- a peak ----------------------------------------------------------------------------------- */

/* Sums over pressed points: their number, places and products of places along two directions of the contact. */
typedef struct {
  PetscReal n, x[2], xx[3];
} Sums;

static void add_point(const CrModel *model, PetscInt node, PetscReal t[2][3], Sums *sums)
{
  PetscReal x[3] = {0}, a, b;

  for (PetscInt i = 0; i < model->dim; i++) x[i] = model->X[model->dim * node + i];
  a = v_dot(x, t[0]);
  b = v_dot(x, t[1]);
  sums->n++;
  sums->x[0] += a;
  sums->x[1] += b;
  sums->xx[0] += a * a;
  sums->xx[1] += a * b;
  sums->xx[2] += b * b;
}

/* As many points along each direction as a rectangle of the same moments has that is filled evenly. */
static void split_points(PetscInt dim, const Sums *s, PetscReal along[2])
{
  const PetscReal a = s->xx[0] / s->n - PetscSqr(s->x[0] / s->n);
  const PetscReal b = s->xx[1] / s->n - s->x[0] * s->x[1] / PetscSqr(s->n);
  const PetscReal c = s->xx[2] / s->n - PetscSqr(s->x[1] / s->n);
  const PetscReal middle = (a + c) / 2, swing = PetscSqrtReal(PetscSqr(a - c) / 4 + b * b);
  const PetscReal least = PetscMax(middle - swing, 0), most = middle + swing;

  along[0] = s->n;
  along[1] = 1;
  if (dim == 2 || !(least > 1e-12 * most)) return;
  along[0] = PetscMin(s->n, PetscMax(1, PetscSqrtReal(s->n * PetscSqrtReal(most / least))));
  along[1] = s->n / along[0];
}

/* One pass: its points that press, and the turns there. Points of rigid bodies have no elements. */
static PetscErrorCode look_at_pass(CrFootprint *f, const CrPass *pass, PetscReal t[2][3],
                                   PetscReal *peak)
{
  const CrModel *model = f->contact->model;
  Sums           sums = {0};
  PetscReal      along[2];

  PetscFunctionBeginUser;
  if (!pass->ops->slave->is_node) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < pass->n; i++) {
    if (!CrPointIsMine(f->contact, pass, i)) continue;
    if (f->contact->picture->status[pass->first + i] == CR_OPEN) continue;
    add_point(model, pass->slave->nodes[i], t, &sums);
    peak[TURN] = PetscMax(peak[TURN], pass->slave->turn[i] * 180 / PETSC_PI);
  }
  if (CrPassIsDivided(f->contact, pass)) {
    PetscCall(CrDivisionSum(f->contact, 1, &sums.n));
    PetscCall(CrDivisionSum(f->contact, 2, sums.x));
    PetscCall(CrDivisionSum(f->contact, 3, sums.xx));
    PetscCall(CrDivisionMax(f->contact, 1, &peak[TURN]));
  }
  if (!sums.n) PetscFunctionReturn(PETSC_SUCCESS);
  split_points(model->dim, &sums, along);
  if (along[0] * along[1] < peak[LONGER] * peak[SHORTER]) PetscFunctionReturn(PETSC_SUCCESS);
  peak[LONGER] = along[0];
  peak[SHORTER] = along[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFootprintLook(CrFootprint *f, PetscInt pair)
{
  const PetscReal *force = f->contact->picture->tally.pairs[pair].force;
  PetscReal       *peak = f->peak + NUMBERS * pair, n[3], t[2][3];

  PetscFunctionBeginUser;
  if (!(v_length(force) > HIGHER * peak[PEAK])) PetscFunctionReturn(PETSC_SUCCESS);
  peak[PEAK] = v_length(force);
  peak[LONGER] = peak[SHORTER] = 0;
  v_copy(force, n);
  v_unit(n);
  v_frame(f->contact->model->dim, n, t[0], t[1]);
  for (PetscInt k = 0; k < f->contact->npasses; k++)
    if (f->contact->passes[k].pair == pair)
      PetscCall(look_at_pass(f, &f->contact->passes[k], t, peak));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the end ---------------------------------------------------------------------------------- */

void CrFootprintEnd(const CrFootprint *f, PetscReal along[2], PetscReal *turn)
{
  PetscReal greatest = 0;

  along[0] = along[1] = *turn = NAN;
  for (PetscInt k = 0; k < f->contact->npairs; k++)
    greatest = PetscMax(greatest, f->peak[NUMBERS * k + PEAK]);
  for (PetscInt k = 0; k < f->contact->npairs; k++) {
    const PetscReal *peak = f->peak + NUMBERS * k;

    if (!(peak[LONGER] > 0 && peak[PEAK] >= SLIGHT * greatest)) continue;
    if (!(*turn >= peak[TURN])) *turn = peak[TURN];
    if (peak[LONGER] * peak[SHORTER] >= along[0] * (isnan(along[1]) ? 1 : along[1])) continue;
    along[0] = peak[LONGER];
    along[1] = f->contact->model->dim == 3 ? peak[SHORTER] : NAN;
  }
}
