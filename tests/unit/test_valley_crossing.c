/* A slave that crosses a valley of the master late in Newton's method, when facets no longer change: it hangs on the
   edge between two facets, and the force points along the surface. The review notices that and lets the step be solved
   once more, where the slave goes on to the next facet. */
#include "contact/touch/touch.h"
#include "integrate/middle.h"
#include "model_from_text.h"

#define H     0.01  /* step */
#define DEPTH 0.001 /* of the valley at the end of the step, whose facets are 1 long */

typedef struct {
  const char *name, *bodies;
} Case;

static const Case cases[] = {
    {"segments",
     "dimension: 2\nbodies: [{name: s, material: m, mesh: {block: {from: [-0.2, 0.001], to: [-0.1, "
     "0.5], elements: [1, 1]}}}, {name: m, material: m, mesh: {block: {from: [-1, -1], to: [1, 0], "
     "elements: [2, 1]}}}]\n"},
    {"quads",
     "dimension: 3\nbodies: [{name: s, material: m, mesh: {block: {from: [-0.2, 0.3, 0.001], to: "
     "[-0.1, 0.6, 0.5], elements: [1, 1, 1]}}}, {name: m, material: m, mesh: {block: {from: [-1, 0, "
     "-1], to: [1, 1, 0], elements: [2, 1, 1]}}}]\n"},
    {"triangles",
     "dimension: 3\nbodies: [{name: s, material: m, mesh: {block: {from: [-0.2, 0.3, 0.001], to: "
     "[-0.1, 0.6, 0.5], elements: [1, 1, 1]}}}, {name: m, material: m, mesh: {block: {from: [-1, 0, "
     "-1], to: [1, 1, 0], elements: [2, 1, 1], type: T4}}}]\n"},
};

/* The slave moves along x by `way`, and down until it is behind the valley. */
static void place(const CrModel *model, PetscReal way, PetscReal *u1)
{
  PetscInt dim = model->dim;

  for (PetscInt A = 0; A < model->nlocal; A++) {
    const PetscReal *X = model->X + dim * A;

    if (model->node_body[A] == 0) {
      u1[dim * A] = way;
      u1[dim * A + dim - 1] = -0.0145;
    } else if (PetscAbsReal(X[0]) < 1e-9 && PetscAbsReal(X[dim - 1]) < 1e-9)
      u1[dim * A + dim - 1] = -DEPTH;
  }
}

/* The contact force on the slave, its part along the surface, and the pressed points. */
static void push(Problem *p, const CrContactStep *step, const PetscReal *u0, PetscReal *f,
                 PetscReal sums[3])
{
  PetscInt dim = p->model->dim;

  for (PetscInt k = 0; k < p->model->nlocal * dim; k++) f[k] = 0;
  CHECK_OK(CrContactForce(p->contact, u0, step, f));
  CHECK(!p->contact->work->lost);
  sums[0] = sums[1] = sums[2] = 0;
  for (PetscInt k = 0; k < p->contact->work->ntouches; k++)
    sums[2] += p->contact->work->touches[k].out.p > 0;
  for (PetscInt A = 0; A < p->model->nlocal; A++) {
    if (p->model->node_body[A] != 0) continue;
    sums[0] += f[dim * A + dim - 1];
    sums[1] = PetscMax(sums[1], PetscAbsReal(f[dim * A]));
  }
}

static void test_crossing(const Case *c, const char *method)
{
  Problem       p;
  PetscReal    *u0, *v0, *u1, *um, *f, early[3], late[3], after[3];
  CrContactLaw  law;
  CrContactStep step;
  PetscBool     again;
  PetscInt      n;
  int           before = check_failures;

  CHECK_OK(problem_open(&p,
                        "carom: 1\nmaterials: [{name: m, young: 100, poisson: 0.3, density: 1}]\n"
                        "%scontact: [{between: [s.bottom, m.top], sides: first}]\n"
                        "time: {method: %s, step: 0.02, end: 1}\n",
                        c->bodies, method));
  if (check_failures > before) return;
  n = p.model->nlocal * p.model->dim;
  law = strcmp(method, "newmark") ? ((CrMiddle *)p.it->data)->law : CrLaw_end_penalty;
  CHECK_OK(PetscCalloc5(n, &u0, n, &v0, n, &u1, n, &um, n, &f));
  place(p.model, 0.33, v0);
  for (PetscInt k = 0; k < n; k++) v0[k] /= H;
  step = (CrContactStep){.law = &law,
                         .u = law.where == CR_WHERE_END ? u1 : um,
                         .end = u1,
                         .du = u1,
                         .slide = u1,
                         .slide_factor = law.where == CR_WHERE_END ? 1 : 2};
  CHECK_OK(CrContactBegin(p.contact, u0, v0, NULL, 0, H));
  place(p.model, 0, u1);
  for (PetscInt k = 0; k < n; k++) um[k] = u1[k] / 2;
  push(&p, &step, u0, f, early);
  p.contact->work->iteration = 100;
  push(&p, &step, u0, f, late);
  CHECK(late[0] == early[0]); /* nothing has moved */
  CHECK_OK(CrContactReview(p.contact, u0, v0, u1, &again));
  CHECK(!again);
  place(p.model, 0.33, u1);
  for (PetscInt k = 0; k < n; k++) um[k] = u1[k] / 2;
  push(&p, &step, u0, f, late);
  CHECK_LESS(0.5 * late[0], late[1]); /* it hangs */
  CHECK_OK(CrContactReview(p.contact, u0, v0, u1, &again));
  CHECK(again);
  CrContactRestart(p.contact);
  push(&p, &step, u0, f, after);
  CHECK(after[2] == (p.model->dim == 2 ? 2 : 4));
  CHECK_LESS(0, after[0]);
  /* normals of both facets lean by the slope of the valley at most */
  CHECK_LESS(after[1], 1.01 * DEPTH * after[0]);
  p.contact->work->iteration = 100;
  push(&p, &step, u0, f, late);
  CHECK(late[0] == after[0] && late[1] == after[1]);
  CHECK_OK(CrContactReview(p.contact, u0, v0, u1, &again));
  CHECK(!again);
  printf("%s, %s: %d points, force %.3e, along the surface %.3e\n", c->name, method, (int)after[2],
         (double)after[0], (double)after[1]);
  CHECK_OK(PetscFree5(u0, v0, u1, um, f));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const char *const methods[] = {"dissipative", "midpoint", "newmark", "velocity-update"};

  if (check_start(argc, argv)) return 1;
  for (int c = 0; c < (int)(sizeof cases / sizeof cases[0]); c++)
    for (int m = 0; m < 4; m++) test_crossing(&cases[c], methods[m]);
  return check_end();
}
