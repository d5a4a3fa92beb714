/* Solves all contacts of efda at once (theory 18.3). If a heavy body rests on a light one, Gauss-Seidel needs as many
   sweeps as the ratio of their masses. The solver of discrete Coulomb problems (cone.h) needs a few Newton iterations.
   */
#include "cone/cone.h"
#include "integrate/efda/contacts.h"
#include "integrate/efda/few.h"

#define MOST_SWEEPS   10000
#define MOST_NEWTON   2000
#define MOST_TOGETHER 1000 /* contacts; solving more of them together takes longer than sweeps */

#define DISPARATE 100 /* ratio of masses from which contacts are solved together, not one by one */

struct EfdaTogether {
  CrCone   *cone;
  PetscInt  blocks_room, n, nblocks;
  PetscInt *which; /* [n] contacts that take part */
  /* linked lists of the contacts of each body: head [bodies] is the first entry, next [2n] the following one; the entry
     of contact k is 2k + side */
  PetscInt  *head, *next;
  PetscInt  *row, *col;
  PetscReal *block, *q, *mu, *r, *scale; /* scale: one per contact, for which W_NN becomes 1 */
};

PetscBool EfdaMassesDiffer(const CrRigid *r)
{
  PetscReal least = PETSC_MAX_REAL, most = 0;

  for (PetscInt b = 0; b < r->n; b++) {
    least = PetscMin(least, r->mass[b]);
    most = PetscMax(most, r->mass[b]);
  }
  return most > DISPARATE * least;
}

PetscErrorCode EfdaTogetherCreate(EfdaSystem *e)
{
  struct EfdaTogether *T;
  PetscInt             n = MOST_TOGETHER;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&T));
  e->together = T;
  PetscCall(CrConeCreate(e->rigid->dim, 0, &T->cone));
  PetscCall(PetscMalloc1(e->rigid->n, &T->head));
  PetscCall(PetscMalloc7(n, &T->which, 2 * n, &T->next, n + 1, &T->row, n, &T->mu, 3 * n, &T->q,
                         3 * n, &T->r, n, &T->scale));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EfdaTogetherDestroy(EfdaSystem *e)
{
  struct EfdaTogether *T = e->together;

  PetscFunctionBeginUser;
  if (!T) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrConeDestroy(&T->cone));
  PetscCall(PetscFree(T->head));
  PetscCall(PetscFree7(T->which, T->next, T->row, T->mu, T->q, T->r, T->scale));
  PetscCall(PetscFree(T->col));
  PetscCall(PetscFree(T->block));
  PetscCall(PetscFree(e->together));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const EfdaContact *contact_of(const EfdaSystem *e, PetscInt k)
{
  return &e->contacts.at[e->together->which[k]];
}

/* Links the contacts of each body to a list, with entries 2k + side. */
static void link_bodies(EfdaSystem *e)
{
  struct EfdaTogether *T = e->together;

  for (PetscInt b = 0; b < e->rigid->n; b++) T->head[b] = -1;
  for (PetscInt k = T->n - 1; k >= 0; k--) {
    const EfdaCandidate *d = contact_of(e, k)->of;

    for (int side = d->other < 0 ? 0 : 1; side >= 0; side--) {
      PetscInt b = side ? d->other : d->body;

      T->next[2 * k + side] = T->head[b];
      T->head[b] = 2 * k + side;
    }
  }
}

/* Computes the rows of W, scaled. Two contacts have one block for every body that they share; the blocks add. */
static PetscErrorCode set_matrix(EfdaSystem *e)
{
  struct EfdaTogether *T = e->together;
  PetscInt             dim = e->rigid->dim, count = 0;

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < e->rigid->n; b++) {
    PetscInt n = 0;

    for (PetscInt l = T->head[b]; l >= 0; l = T->next[l]) n++;
    count += n * n;
  }
  PetscCall(CrGrowArrays(count, &T->blocks_room, sizeof *T->col, &T->col, 9 * sizeof *T->block,
                         &T->block));
  T->nblocks = 0;
  for (PetscInt k = 0; k < T->n; k++) {
    const EfdaContact *c = contact_of(e, k);

    T->row[k] = T->nblocks;
    EFDA_EACH_SIDE (side, b, c->of) {
      for (PetscInt l = T->head[b]; l >= 0; l = T->next[l]) {
        const EfdaContact *o = contact_of(e, l / 2);
        PetscReal         *B = T->block + dim * dim * T->nblocks;
        PetscReal          s = (l % 2 == side ? 1 : -1) * T->scale[k] * T->scale[l / 2];

        for (PetscInt i = 0; i < dim; i++)
          for (PetscInt j = 0; j < dim; j++)
            B[j * dim + i] = s * (v_dot(c->d[i], o->d[j]) / e->rigid->mass[b] +
                                  v_dot(c->arm[side][i], o->turn[l % 2][j]));
        T->col[T->nblocks++] = l / 2;
      }
    }
  }
  T->row[T->n] = T->nblocks;
  PetscCall(CrConeResize(T->cone, T->n));
  PetscCall(CrConeSetBlocks(T->cone, T->row, T->col, T->block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computes the velocities without impulses, less the biases. */
static PetscErrorCode set_vectors(EfdaSystem *e)
{
  struct EfdaTogether *T = e->together;
  PetscInt             dim = e->rigid->dim;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < T->n; k++) {
    const EfdaContact *c = contact_of(e, k);
    PetscReal          u[3];

    T->mu[k] = c->of->friction;
    EfdaSpeedAt(e, c, u);
    for (PetscInt a = 0; a < dim; a++) {
      PetscReal bias = a && c->may_settle ? c->settle[a - 1] / 2 : c->bias[a];

      T->q[dim * k + a] = T->scale[k] * (u[a] - bias);
      T->r[dim * k + a] = c->p[a] / T->scale[k];
    }
  }
  for (PetscInt k = 0; k < T->n; k++)
    for (PetscInt l = T->row[k]; l < T->row[k + 1]; l++)
      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt j = 0; j < dim; j++)
          T->q[dim * k + i] -= T->block[dim * dim * l + j * dim + i] * T->r[dim * T->col[l] + j];
  PetscCall(CrConeSetVectors(T->cone, T->q, T->mu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Returns the greatest change of velocity that one more sweep would cause, from the present impulses. */
static PetscReal residual(const EfdaSystem *e)
{
  PetscReal most = 0;

  for (PetscInt k = 0; k < e->together->n; k++)
    most = PetscMax(most, EfdaResidual(e, contact_of(e, k)));
  return most;
}

/* Returns the work of the contacts that are solved together. p is half of an impulse. */
static PetscReal work(const EfdaSystem *e)
{
  PetscReal sum = 0;

  for (PetscInt k = 0; k < e->together->n; k++) {
    const EfdaContact *c = contact_of(e, k);
    PetscReal          u[3];

    EfdaSpeedAt(e, c, u);
    for (PetscInt a = 0; a < e->rigid->dim; a++) sum += 2 * c->p[a] * u[a];
  }
  return sum;
}

/* Swaps the impulses of the contacts with those in r. */
static void swap_impulses(EfdaSystem *e)
{
  struct EfdaTogether *T = e->together;
  PetscInt             dim = e->rigid->dim;

  for (PetscInt k = 0; k < T->n; k++) {
    EfdaContact *c = &e->contacts.at[T->which[k]];
    PetscReal    p[3] = {0}, size, most;

    if (T->r[dim * k] > 0) /* nothing pulls, not by round-off either */
      for (PetscInt a = 0; a < dim; a++) p[a] = T->scale[k] * T->r[dim * k + a];
    size = hypot(p[1], p[2]), most = T->mu[k] * p[0];
    if (size > most) p[1] *= most / size, p[2] *= most / size;
    for (PetscInt a = 0; a < dim; a++) T->r[dim * k + a] = c->p[a] / T->scale[k];
    EfdaGive(e, c, p);
  }
}

PetscErrorCode EfdaSolveTogether(EfdaSystem *e, PetscBool struck, PetscReal tolerance)
{
  struct EfdaTogether *T = e->together;
  CrConeOptions        options = CrConeDefaults();
  CrConeReport         report;
  PetscReal            before, gain;

  PetscFunctionBeginUser;
  if (!T) PetscFunctionReturn(PETSC_SUCCESS);
  T->n = 0;
  for (PetscInt k = 0; k < e->contacts.n; k++) {
    const EfdaContact *c = &e->contacts.at[k];

    if (!(struck ? c->struck : c->held) || !(c->block.W[0] > 0)) continue;
    if (T->n == MOST_TOGETHER) PetscFunctionReturn(PETSC_SUCCESS);
    T->scale[T->n] = 1 / sqrt(c->block.W[0]);
    T->which[T->n++] = k;
  }
  if (T->n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  link_bodies(e);
  PetscCall(set_matrix(e));
  PetscCall(set_vectors(e));
  before = residual(e);
  gain = PetscMax(EFDA_NEGLIGIBLE * EfdaEnergyScale(e->rigid, e->now, e->load), work(e));
  options.tolerance = tolerance;
  options.max_newton = MOST_NEWTON;
  options.max_sweeps = MOST_SWEEPS;
  PetscCall(CrConeSolve(T->cone, &options, T->r, &report));
  swap_impulses(e);
  /* The impulses of the sweeps are restored if the solver did not reduce the residual, or if its impulses create
     energy. Large impulses can do so though the residual is small. */
  if (!(residual(e) < before) || work(e) > gain) swap_impulses(e);
  PetscFunctionReturn(PETSC_SUCCESS);
}
