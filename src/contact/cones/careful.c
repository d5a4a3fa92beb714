/* Computes the reactions of one iteration with short corrections (theory 9.6). In statics an equilibrium may end: a
   corner slides along a facet and stops suddenly in the next valley. Newton's method may diverge there. A careful
   correction is short, and its matrix is positive definite. For this purpose the responses of the bodies are multiplied
   by `ease` = 1/(1 + drag). The bodies then move as if through a fluid whose drag is this fraction of their own
   stiffness. */
#include "contact/cones/active.h"
#include "contact/division.h"

#define SHORT    0.2    /* of a facet: length of a correction */
#define FIRST    0.0156 /* drag that is tried first, */
#define GROWTH   4      /*   and how it grows */
#define GROWN    8      /* trials until no greater drag is tried */
#define MOST     16     /* trials */
#define STRAIGHT 0.5    /* of the length: such a correction is long enough */
#define MARGIN                                                                                     \
  1.3 /* of the greatest drag that was too small: a matrix near that is nearly singular */

/* The forces of the last evaluation turn, whatever reactions are tried. */
static void keep_forces(CrCones *s)
{
  for (PetscInt k = 0; k < s->contact->work->ntouches; k++) {
    const CrLawOutput *out = &s->contact->work->touches[k].out;

    s->touches[k].kept[0] = out->p;
    s->touches[k].kept[1] = out->t[0];
    s->touches[k].kept[2] = out->t[1];
  }
}

/* A trial that failed is no start for the next one. */
static void restore_forces(CrCones *s)
{
  for (PetscInt k = 0; k < s->contact->work->ntouches; k++) {
    CrTouch         *touch = &s->contact->work->touches[k];
    const PetscReal *kept = s->touches[k].kept;

    touch->lambda = touch->out.p = kept[0];
    touch->out.t[0] = kept[1];
    touch->out.t[1] = kept[2];
    for (int j = 0; j < 3; j++)
      touch->traction[j] = kept[1] * touch->k.e[0][j] +
                           (s->contact->model->dim == 3 ? kept[2] * touch->k.e[1][j] : 0);
    if (CrConesBody(s, touch) >= 0) CrConesTraction(s, touch);
  }
}

/* Computes the greatest displacement of a node in contact by the correction. */
static PetscErrorCode find_longest(const CrCones *s, const PetscReal *d, PetscReal *most)
{
  const CrConesTurning  *turning = s->turning;
  const CrConesResponse *responses = s->responses;
  PetscInt               dim = s->contact->model->dim;

  PetscFunctionBeginUser;
  *most = 0;
  for (PetscInt k = 0; k < s->npart; k++) {
    PetscInt  row = responses[s->part[k]].row, A = row < 0 ? -1 : s->nodes[row];
    PetscReal sum = 0;

    for (PetscInt j = 0; j < dim && A >= 0; j++)
      sum +=
          PetscSqr(s->ease * d[dim * A + j] + turning->extra[dim * A + j] + s->push[dim * A + j]);
    *most = PetscMax(*most, sum);
  }
  PetscCall(CrDivisionMax(s->contact, 1, most));
  *most = PetscSqrtReal(*most);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal facet_size(const CrContact *c)
{
  PetscReal least = PETSC_MAX_REAL;

  CR_EACH_PASS (p, c)
    if (p->master) least = PetscMin(least, p->master->mean_size);
  return least;
}

/* Is the matrix positive, as far as contact tells? */
static PetscBool is_stable(const CrCones *s)
{
  const CrConesTurning *turning = s->turning;
  PetscInt              m = s->n * s->contact->model->dim;

  if (s->stiffened.stiff) return PETSC_TRUE; /* together with its contacts */
  for (PetscInt l = 0; l < m; l++)
    if (!(s->diagonal[l] > 0)) return PETSC_FALSE;
  return turning->sign > 0;
}

/* The search for the least drag with which a correction is stable and short. */
typedef struct {
  PetscReal far;           /* what is short */
  PetscReal drag, low;     /* present drag; the greatest that was too small */
  PetscReal found, stable; /* the least that serves; that is stable at least; negative: none */
} Search;

/* Judges the last trial. *yes: it serves. */
static PetscErrorCode serves(const CrCones *s, const PetscReal *d, PetscBool solved, Search *to,
                             PetscBool *yes)
{
  PetscBool fine = solved && is_stable(s);
  PetscReal length = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  if (fine) PetscCall(find_longest(s, d, &length));
  if (fine && to->stable < 0) to->stable = to->drag;
  if (length <= to->far)
    to->found = to->drag;
  else
    to->low = to->drag;
  *yes = length <= to->far && (length >= STRAIGHT * to->far || to->drag <= MARGIN * to->low);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next drag. Where reactions push further than a short way, any stable correction must do. */
static void choose_next(PetscInt k, Search *to)
{
  if (to->found < 0 && k >= GROWN)
    to->drag = to->found = to->stable;
  else if (to->found < 0)
    to->drag = to->drag == 0 ? FIRST : GROWTH * to->drag;
  else
    to->drag = k == MOST - 1 ? to->found : (to->low + to->found) / 2;
}

PetscErrorCode CrConesSolve(CrCones *s, const PetscReal *way, const PetscReal *d, PetscBool first,
                            CrConesRespond *respond, void *ctx, PetscBool *solved)
{
  Search    to = {.far = SHORT * facet_size(s->contact), .found = -1, .stable = -1};
  PetscBool enough;

  PetscFunctionBeginUser;
  keep_forces(s);
  s->ease = 1;
  PetscCall(CrConesTry(s, way, d, first, respond, ctx, solved));
  s->contact->work->iteration++;
  if (s->turns && !s->careful && !(*solved && is_stable(s))) {
    s->turns = PETSC_FALSE; /* then as if they did not turn */
    restore_forces(s);
    PetscCall(CrConesTry(s, way, d, PETSC_FALSE, respond, ctx, solved));
  }
  for (PetscInt k = 0; s->careful && k < MOST; k++) {
    PetscCall(serves(s, d, *solved, &to, &enough));
    if (enough) break;
    choose_next(k, &to);
    if (to.drag < 0) *solved = PETSC_FALSE; /* nothing is stable */
    if (to.drag < 0) break;
    s->ease = 1 / (1 + to.drag);
    restore_forces(s);
    PetscCall(CrConesTry(s, way, d, PETSC_FALSE, respond, ctx, solved));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
