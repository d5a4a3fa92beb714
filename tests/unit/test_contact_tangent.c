/* Contact forces and their tangent through small models, against differences: facets of all kinds,
   obstacles at rest and moving, rigid bodies that give way, the laws of all methods, every state of a
   point. And Newton, which shows at once when something is missing. */
#include "contact/partners/partners.h"
#include "integrate/middle.h"
#include "model_from_text.h"
#include "model/forces.h"

#define H 0.01 /* step */

/* ---- what is looked at -------------------------------------------------------------------- */

typedef struct {
  const char *name,
      *deck; /* deck: dimension, bodies, obstacles, and the pair without its numbers */
} Case;

#define BELOW_2D                                                                                   \
  "{name: m, material: s, mesh: {block: {from: [0, -0.5], to: [1, 0], elements: [3, 1]}}}"
#define ABOVE_2D                                                                                   \
  "{name: s, material: s, mesh: {block: {from: [-0.006, 0], to: [0.82, 0.4], elements: [4, 1]}}}"
#define BELOW(type)                                                                                \
  "{name: m, material: s, mesh: {block: {from: [0, 0, -0.5], to: [1, 1, 0], elements: [2, 2, 1],"  \
  " type: " type "}}}"
#define ABOVE(type)                                                                                \
  "{name: s, material: s, mesh: {block: {from: [-0.01, 0.1, 0], to: [0.8, 0.9, 0.4], elements: "   \
  "[3, 2, 1], type: " type "}}}"
#define ROUND "{name: s, material: s, mesh: {ball: {center: [0, 0, 0], radius: 0.3, elements: 2}}}"

static const Case cases[] = {
    {"Q4 on Q4", "dimension: 2\nbodies: [" ABOVE_2D ", " BELOW_2D "]\n"
                 "contact: [{between: [s.bottom, m.top]%s}]\n"},
    {"Q8 on Q9, two passes",
     "dimension: 2\nbodies: [{name: s, material: s, mesh: {block: {from: [-0.006, 0], to: "
     "[0.82, 0.4], elements: [2, 1], type: Q8}}}, {name: m, material: s, mesh: {block: {from: "
     "[0, -0.5], to: [1, 0], elements: [2, 1], type: Q9}}}]\n"
     "contact: [{between: [s.bottom, m.top], sides: both%s}]\n"},
    {"Q4 on Q4, samples", "dimension: 2\nbodies: [" ABOVE_2D ", " BELOW_2D "]\n"
                          "contact: [{between: [s.bottom, m.top], samples: 3%s}]\n"},
    {"T4 on H8, samples", "dimension: 3\nbodies: [" ABOVE("T4") ", " BELOW(
                              "H8") "]\n"
                                    "contact: [{between: [s.bottom, m.top], samples: 2%s}]\n"},
    {"H8 on H8", "dimension: 3\nbodies: [" ABOVE("H8") ", " BELOW(
                     "H8") "]\n"
                           "contact: [{between: [s.bottom, m.top]%s}]\n"},
    {"T4 on T4", "dimension: 3\nbodies: [" ABOVE("T4") ", " BELOW(
                     "T4") "]\n"
                           "contact: [{between: [s.bottom, m.top]%s}]\n"},
    {"T10 on H8, weight unit",
     "dimension: 3\nbodies: [" ABOVE("T10") ", " BELOW(
         "H8") "]\n"
               "contact: [{between: [s.bottom, m.top], weight: unit%s}]\n"},
    {"overlap that is pushed out",
     "dimension: 2\nbodies: [" ABOVE_2D ", " BELOW_2D "]\n"
     "contact: [{between: [s.bottom, m.top], overlap: resolve, ramp: [0, 0.1]%s}]\n"},
    {"plane", "dimension: 2\nbodies: [" ABOVE_2D "]\n"
              "obstacles: [{name: o, plane: {point: [0, 0], normal: [0.02, 3]}}]\n"
              "contact: [{between: [s.bottom, o]%s}]\n"},
    {"moving plane in space",
     "dimension: 3\nbodies: [" ABOVE("H8") "]\n"
                                           "obstacles: [{name: o, plane: {point: [0, 0, 0], "
                                           "normal: [0.01, 0.02, 1]}, velocity: "
                                           "[0.3, -0.2, 0.1], acceleration: [3, 2, -8]}]\n"
                                           "contact: [{between: [s.bottom, o]%s}]\n"},
    {"around a circle",
     "dimension: 2\nbodies: [{name: s, material: s, mesh: {ring: {center: [0, 0], radius: 0.5, "
     "thickness: 0.2, around: 8, across: 1}}}]\n"
     "obstacles: [{name: o, circle: {center: [0, 0], radius: 0.3, side: outside}}]\n"
     "contact: [{between: [s.inner, o]%s}]\n"},
    {"inside a moving circle",
     "dimension: 2\nbodies: [{name: s, material: s, mesh: {ring: {center: [0, 0], radius: 0.5, "
     "thickness: 0.2, around: 8, across: 1}}}]\n"
     "obstacles: [{name: o, circle: {center: [0, 0], radius: 0.5, side: inside}, velocity: [0.1, "
     "0.2]}]\n"
     "contact: [{between: [s.outer, o]%s}]\n"},
    {"inside a sphere",
     "dimension: 3\nbodies: [" ROUND "]\n"
     "obstacles: [{name: o, sphere: {center: [0, 0, 0], radius: 0.3, side: inside}}]\n"
     "contact: [{between: [s, o]%s}]\n"},
    {"on a moving sphere",
     "dimension: 3\nbodies: [" ROUND "]\n"
     "obstacles: [{name: o, sphere: {center: [0, 0, -0.98], radius: 0.7, side: outside}, velocity: "
     "[0.3, -0.2, 0.1], acceleration: [3, 2, -8]}]\n"
     "contact: [{between: [s, o]%s}]\n"},
    {"edges of H8 on edges of T4",
     "dimension: 3\nbodies: [{name: s, material: s, angle: 45, axis: [1, 0, 0], position: [0.03, "
     "-0.02, 0.4242641], mesh: {block: {from: [-0.5, -0.15, -0.15], to: [0.5, 0.15, 0.15], "
     "elements: [1, 1, 1]}}}, {name: m, material: s, angle: 45, axis: [0, 1, 0], mesh: {block: "
     "{from: [-0.15, -0.5, -0.15], to: [0.15, 0.5, 0.15], elements: [1, 1, 1], type: T4}}}]\n"
     "contact: [{between: [s, m]%s}]\n"},
    {"long edge of H8 on smaller facets of T4",
     "dimension: 3\nbodies: [{name: s, material: s, angle: 45, axis: [1, 0, 0], position: [0.03, "
     "-0.02, 0.2121], mesh: {block: {from: [-0.5, -0.15, -0.15], to: [0.5, 0.15, 0.15], elements: "
     "[1, 1, 1]}}}, {name: m, material: s, mesh: {block: {from: [-0.4, -0.3, -0.2], to: [0.4, 0.3, "
     "0], elements: [4, 2, 1], type: T4}}}]\ncontact: [{between: [s, m]%s}]\n"},
    {"in the corner of a box", "dimension: 2\nbodies: [" ABOVE_2D "]\n"
                               "obstacles: [{name: o, box: {from: [-0.006, 0], to: [0.83, 0.5]}}]\n"
                               "contact: [{between: [s, o]%s}]\n"},
};

#define NCASES (int)(sizeof cases / sizeof cases[0])

/* Slave nodes over edges of the master: the facets in the middle and at the end of a step differ. */
static const Case edges[] = {
    {"Q4 over nodes of Q4",
     "dimension: 2\nbodies: [{name: s, material: s, mesh: {block: {from: [0.331, 0], to: [0.9, "
     "0.4], "
     "elements: [2, 1]}}}, " BELOW_2D "]\ncontact: [{between: [s.bottom, m.top]%s}]\n"},
    {"H8 over edges of H8", "dimension: 3\nbodies: [{name: s, material: s, mesh: {block: {from: "
                            "[0.498, 0.1, 0], to: [0.9, "
                            "0.9, 0.4], elements: [1, 2, 1]}}}, " BELOW(
                                "H8") "]\ncontact: [{between: [s.bottom, m.top]%s}]\n"},
};

/* Rigid bodies beneath; the pair between them and the body is that of the numbers. */
#define ON_2D(spin, shape, at, more)                                                               \
  "dimension: 2\nbodies: [" ABOVE_2D ", {name: r, velocity: [1, 0.5], spin: " spin                 \
  ", rigid: {" shape ", mass: 0.3, inertia: 0.02}, position: " at "}]\n" more                      \
  "contact: [{between: [s.bottom, r], slaves: nodes%s}"
#define ON_3D(spin, shape, at, more)                                                               \
  "dimension: 3\nbodies: [" ABOVE("H8") ", {name: r, velocity: [1, -1, 0.5], spin: " spin          \
                                        ", rigid: {" shape                                         \
                                        ", mass: 0.3, inertia: [0.02, 0.03, 0.04]}, position: " at \
                                        "}]\n" more                                                \
                                        "contact: [{between: [s.bottom, r], slaves: nodes%s}"

static const Case partners[] = {
    {"on a disk", ON_2D("0.05", "disk: {radius: 20}", "[0.4, -20]", "") "]\n"},
    {"on an ellipse", ON_2D("0.5", "ellipse: {semi_axes: [6, 2]}", "[0.4, -2]", "") "]\n"},
    {"on a polygon", ON_2D("4", "polygon: {points: [[-1, 0], [0, -0.1], [1, 0], [0, 0.01]]}",
                           "[0.4, -0.03]", "") "]\n"},
    {"on a box that stands on a plane",
     ON_2D("4", "box: {size: [1.2, 0.2]}", "[0.4, -0.1]",
           "obstacles: [{name: o, plane: {point: [0, -0.195], normal: [0.01, 1]}, velocity: [0.1, "
           "0]}]\n") ", {between: [r, o], normal_penalty: 300, friction: 0.4}]\n"},
    {"on a sphere",
     ON_3D("[0.02, 0.03, 0.4]", "sphere: {radius: 20}", "[0.4, 0.5, -20]", "") "]\n"},
    {"a ball on a sphere",
     "dimension: 3\nbodies: [" ROUND
     ", {name: r, velocity: [0.5, -0.5, 0.5], spin: [0.5, 1, 2], rigid: "
     "{sphere: {radius: 0.7}, mass: 0.3}, position: [0, 0, -0.98]}]\ncontact: [{between: [s, r]%s}"
     "]\n"},
    {"on an ellipsoid",
     ON_3D("[0.2, 0.3, 1]", "ellipsoid: {semi_axes: [5, 8, 2]}", "[0.4, 0.5, -2]", "") "]\n"},
    {"on a capsule in a sphere",
     "dimension: 3\nbodies: [" ABOVE(
         "H8") ", {name: r, velocity: [1, -1, 0.5], spin: [0.02, 0.03, 0.4], angle: 90, axis: [1, "
               "0, 0], rigid: {capsule: {radius: 12, length: 0.6}, mass: 0.3, inertia: [0.2, 0.3, "
               "0.4]}, position: [0.4, 0.5, -12]}]\nobstacles: [{name: o, sphere: {center: [0.4, "
               "0.5, -12], radius: 12.29, side: inside}}]\ncontact: [{between: [s.bottom, r]%s}, "
               "{between: [r, o], normal_penalty: 300, friction: 0.4}]\n"},
    {"on a box", ON_3D("[2, 3, 4]", "box: {size: [1.5, 1.8, 0.2]}", "[0.4, 0.5, -0.1]", "") "]\n"},
    {"on a hull that stands on a plane",
     ON_3D("[2, 3, 4]",
           "hull: {points: [[-1, -1, 0], [1, -1, 0], [-1, 1, 0], "
           "[1, 1, 0], [0, 0, 0.02], [0, 0, "
           "-0.4]]}",
           "[0.4, 0.5, -0.095]",
           "obstacles: [{name: o, plane: {point: [0, 0, -0.395], "
           "normal: [0, 0, 1]}}]\n") ", "
                                     "{between: [r, o], "
                                     "normal_penalty: 300, "
                                     "friction: 0.4}]\n"},
};

#define NPARTNERS (int)(sizeof partners / sizeof partners[0])

/* Rigid bodies above, whose corners or round parts are slaves on the facets; their points at the rim, too. */
#define OVER_2D(slaves, shape, at)                                                                 \
  "dimension: 2\nbodies: [" BELOW_2D ", {name: r, velocity: [1, -0.3], spin: 2, rigid: {" shape    \
  ", mass: 0.3, inertia: 0.02}, position: " at                                                     \
  "}]\ncontact: [{between: [m.top, r], slaves: " slaves "%s}]\n"
#define OVER_3D(type, slaves, shape, at)                                                           \
  "dimension: 3\nbodies: [" BELOW(type) ", {name: r, velocity: [1, -1, -0.3], spin: [1, -2, 3], "  \
                                        "rigid: {" shape                                           \
                                        ", mass: 0.3, inertia: [0.02, 0.03, 0.04]}, position: " at \
                                        "}]\ncontact: [{between: [m.top, r], slaves: " slaves      \
                                        "%s}]\n"

static const Case points[] = {
    {"a disk over Q4", OVER_2D("body", "disk: {radius: 0.1}", "[-0.003, 0.1]")},
    {"a rectangle over Q4", OVER_2D("body", "box: {size: [0.83, 0.2]}", "[0.41, 0.1]")},
    {"a rectangle and nodes of Q4", OVER_2D("both", "box: {size: [0.83, 0.2]}", "[0.41, 0.1]")},
    {"a sphere over H8", OVER_3D("H8", "body", "sphere: {radius: 0.2}", "[-0.004, 0.4, 0.2]")},
    {"a sphere over T4", OVER_3D("T4", "body", "sphere: {radius: 0.2}", "[-0.004, 0.4, 0.2]")},
    {"a box over H8", OVER_3D("H8", "body", "box: {size: [0.81, 0.7, 0.2]}", "[0.4, 0.5, 0.1]")},
    {"a box over T4", OVER_3D("T4", "body", "box: {size: [0.81, 0.7, 0.2]}", "[0.4, 0.5, 0.1]")},
    {"an ellipse over Q4",
     OVER_2D("body", "ellipse: {semi_axes: [0.2, 0.1]}", "[-0.003, 0.1], angle: 1")},
    {"an ellipsoid over H8", OVER_3D("H8", "body", "ellipsoid: {semi_axes: [0.3, 0.2, 0.1]}",
                                     "[-0.004, 0.5, 0.1], angle: 1, axis: [1, 2, 3]")},
    {"an ellipsoid over T4", OVER_3D("T4", "body", "ellipsoid: {semi_axes: [0.3, 0.2, 0.1]}",
                                     "[-0.004, 0.5, 0.1], angle: 1, axis: [1, 2, 3]")},
    {"a capsule over H8", OVER_3D("H8", "body", "capsule: {radius: 0.1, length: 0.3}",
                                  "[-0.004, 0.5, 0.1], angle: 90, axis: [1, 0, 0]")},
    {"a box and nodes of H8",
     OVER_3D("H8", "both", "box: {size: [0.81, 0.7, 0.2]}", "[0.4, 0.5, 0.1]")},
    {"edges of a box over edges of H8",
     "dimension: 3\nbodies: [{name: m, material: s, angle: 45, axis: [0, 1, 0], mesh: {block: {from: "
     "[-0.15, -0.5, -0.15], to: [0.15, 0.5, 0.15], elements: [1, 1, 1]}}}, {name: r, velocity: [1, "
     "-1, -0.3], spin: [1, -2, 3], angle: 45, axis: [1, 0, 0], rigid: {box: {size: [1, 0.3, 0.3]}, "
     "mass: 0.3, inertia: [0.02, 0.03, 0.04]}, position: [0.03, -0.02, 0.4242641]}]\n"
     "contact: [{between: [m, r]%s}]\n"},
    {"long edge of a box over H8",
     "dimension: 3\nbodies: [{name: m, material: s, mesh: {block: {from: [-0.4, -0.3, -0.2], to: "
     "[0.4, 0.3, 0], elements: [4, 2, 1]}}}, {name: r, velocity: [1, -1, -0.3], spin: [1, -2, 3], "
     "angle: 45, axis: [1, 0, 0], rigid: {box: {size: [1, 0.3, 0.3]}, mass: 0.3, inertia: [0.02, "
     "0.03, 0.04]}, position: [0.03, -0.02, 0.2121]}]\ncontact: [{between: [m, r]%s}]\n"},
    {"a box and nodes of T10",
     OVER_3D("T10", "both", "box: {size: [0.81, 0.7, 0.2]}", "[0.4, 0.5, 0.1]")},
    {"a sphere over T10", OVER_3D("T10", "body", "sphere: {radius: 0.2}", "[-0.004, 0.4, 0.2]")},
    {"a rectangle at the rim and over a node of Q4",
     OVER_2D("both", "box: {size: [0.337, 0.2]}", "[0.1655, 0.1]")},
};

#define NPOINTS (int)(sizeof points / sizeof points[0])

typedef struct {
  const char *name, *time;
  PetscBool   slides; /* slip from the middle of the last step to that of this one */
} Method;

static const Method methods[] = {
    {"dissipative", "dissipative", PETSC_FALSE},
    {"dissipative, theta 0.75", "dissipative, theta: 0.75", PETSC_FALSE},
    {"midpoint", "midpoint", PETSC_TRUE},
    {"newmark", "newmark", PETSC_FALSE},
    {"velocity-update", "velocity-update", PETSC_FALSE},
    {"velocity-update, augmented", "velocity-update, enforcement: augmented", PETSC_FALSE},
    {"velocity-update, paper", "velocity-update, impulse_friction: paper", PETSC_FALSE}};

#define NMETHODS (int)(sizeof methods / sizeof methods[0])

/* States of a point that must be seen; only the dissipative law knows onset and
   release. */
enum { OPEN, ONSET, PRESSED, RELEASE, NORMAL_STATES };

typedef struct {
  int normal[NORMAL_STATES], stick, slip, outside, judged;
  int split; /* pressed by the gap over another facet than the one it pushes on */
} Seen;

/* A step of a problem: its start, and the arrays of a trial state. */
typedef struct {
  Problem      p;
  CrContactLaw law;
  PetscBool    slides;
  PetscInt     n;
  PetscReal   *u0, *v0, *u1, *um, *du, *slide, *previous, *f;
} Trial;

/* ---- forces and tangent of a trial state ----------------------------------------------------- */

static CrContactStep step_at(Trial *t)
{
  CrContactStep step = {.law = &t->law, .du = t->du, .end = t->u1};

  for (PetscInt k = 0; k < t->n; k++) {
    t->um[k] = (t->u0[k] + t->u1[k]) / 2;
    t->du[k] = t->u1[k] - t->u0[k];
    t->slide[k] = t->slides ? t->um[k] - t->previous[k] : t->du[k];
  }
  step.u = t->law.where == CR_WHERE_END ? t->u1 : t->um;
  step.slide = t->slide;
  step.slide_factor = t->slides || t->law.where == CR_WHERE_END ? 1 : 2;
  return step;
}

static void forces(Trial *t)
{
  CrContactStep step = step_at(t);

  memset(t->f, 0, sizeof(PetscReal) * (size_t)t->n);
  CHECK_OK(CrContactForce(t->p.contact, t->u0, &step, t->f));
  CHECK(!t->p.contact->work->lost);
}

static void begin(Trial *t)
{
  PetscBool       missing;
  PetscInt        n;
  const PetscInt *pairs;

  if (t->p.model->rigid->n) CHECK_OK(CrContactBeginRigid(t->p.contact, t->p.state->rigid, 0.01, H));
  CHECK_OK(CrContactBegin(t->p.contact, t->u0, t->v0, NULL, 0.01, H));
  CHECK_OK(CrContactCouplings(t->p.contact, &missing, &n, &pairs));
  if (missing) CHECK_OK(CrModelCouple(t->p.model, n, pairs));
}

/* The tangent as a dense matrix; the caller frees it. */
static PetscReal *dense_tangent(Trial *t)
{
  CrContactStep      step = step_at(t);
  Mat                A;
  PetscReal         *K = NULL;
  PetscInt           row, ncols;
  const PetscInt    *cols;
  const PetscScalar *values;

  CHECK_OK(PetscCalloc1(t->n * t->n, &K));
  CHECK_OK(CrModelCreateMatrix(t->p.model, &A));
  CHECK_OK(CrContactAddTangent(t->p.contact, &step, t->law.where == CR_WHERE_END ? 1 : 0.5, A));
  CHECK_OK(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  CHECK_OK(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  for (row = 0; row < t->n; row++) {
    CHECK_OK(MatGetRow(A, row, &ncols, &cols, &values));
    for (PetscInt k = 0; k < ncols; k++) K[t->n * row + cols[k]] = values[k];
    CHECK_OK(MatRestoreRow(A, row, &ncols, &cols, &values));
  }
  CHECK_OK(MatDestroy(&A));
  return K;
}

/* Greatest difference of the tangent from fourth-order differences of the forces, over its greatest
   entry. The displacements differ by h and 2 h. Facets are frozen, as in the last iterations of Newton. */
static PetscReal tangent_error(Trial *t, PetscReal h)
{
  const PetscReal at[4] = {-2, -1, 1, 2}, w[4] = {1, -8, 8, -1};
  PetscReal       worst = 0, greatest = 0, *K, *d = NULL;

  forces(t);
  K = dense_tangent(t);
  t->p.contact->work->iteration = 100;
  CHECK_OK(PetscMalloc1(t->n, &d));
  for (PetscInt j = 0; j < t->n; j++) {
    PetscReal keep = t->u1[j];

    memset(d, 0, sizeof(PetscReal) * (size_t)t->n);
    for (int k = 0; k < 4; k++) {
      t->u1[j] = keep + at[k] * h;
      forces(t);
      for (PetscInt i = 0; i < t->n; i++) d[i] -= w[k] * t->f[i] / (12 * h);
    }
    t->u1[j] = keep;
    for (PetscInt i = 0; i < t->n; i++) {
      worst = PetscMax(worst, PetscAbsReal(K[t->n * i + j] - d[i]));
      greatest = PetscMax(greatest, PetscAbsReal(d[i]));
    }
  }
  forces(t);
  CHECK_OK(PetscFree(K));
  CHECK_OK(PetscFree(d));
  return greatest > 0 ? worst / greatest : worst;
}

/* ---- trial states ---------------------------------------------------------------------------- */

static PetscErrorCode open_trial(Trial *t, const Case *c, const Method *method, PetscReal friction)
{
  char     deck[4096], pair[256];
  PetscInt n;

  PetscFunctionBeginUser;
  memset(t, 0, sizeof *t);
  snprintf(pair, sizeof pair, ", friction: %g, normal_penalty: 1000, tangential_penalty: 700",
           (double)friction);
  snprintf(deck, sizeof deck, c->deck, pair);
  PetscCall(problem_open(&t->p,
                         "carom: 1\nmaterials: [{name: s, young: 100, poisson: 0.3, density: 1}]\n"
                         "%stime: {method: %s, step: 0.02, end: 1}\n",
                         deck, method->time));
  n = t->p.model->nlocal * t->p.model->dim;
  t->n = n;
  t->slides = method->slides && !t->p.model->rigid->n;
  if (!strcmp(method->time, "newmark")) /* its own struct is private */
    t->law = CrLaw_end_penalty;
  else
    t->law = ((CrMiddle *)t->p.it->data)->law; /* the first member of the others */
  PetscCall(PetscCalloc4(n, &t->u0, n, &t->v0, n, &t->u1, n, &t->um));
  PetscCall(PetscCalloc4(n, &t->du, n, &t->slide, n, &t->previous, n, &t->f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_trial(Trial *t)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(t->u0, t->v0, t->u1, t->um));
  PetscCall(PetscFree4(t->du, t->slide, t->previous, t->f));
  PetscCall(problem_close(&t->p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Random positions about the mesh at both ends of the step; the last slip of the nodes random too. */
static void shake(Trial *t, PetscReal size, unsigned *seed)
{
  for (PetscInt k = 0; k < t->n; k++) {
    t->u0[k] = 0.5 * size * random_number(seed);
    t->u1[k] = t->u0[k] + size * random_number(seed);
    t->previous[k] = t->u0[k] + 0.1 * size * random_number(seed);
  }
}

/* Some of the points have been in contact before: as a commit would have left them. */
static void invent_history(Trial *t, PetscReal size, unsigned *seed)
{
  CrContact        *c = t->p.contact;
  CrContactHistory *h = t->p.state->contact;

  for (PetscInt k = 0; k < c->npoints; k++) h->facet[k] = -1, h->gd[k] = 0;
  begin(t);
  forces(t); /* chooses facets */
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];
    PetscReal      stretch = 0.1 * size;

    if (touch->idle || random_number(seed) < 0) continue;
    h->facet[touch->point] = touch->facet;
    if (t->law.bounces) h->method[touch->point] = random_number(seed) > 0; /* rests */
    h->gd[touch->point] = -0.7 * size * PetscAbsReal(random_number(seed));
    h->eta[2 * touch->point] = stretch * random_number(seed);
    if (t->p.model->dim == 3) h->eta[2 * touch->point + 1] = stretch * random_number(seed);
  }
  begin(t);
}

/* Facets of the middle and of the end that are far apart: Newton omits the entry, and is slower. */
static PetscBool is_far_split(const Trial *t, const CrTouch *touch)
{
  const CrContact *c = t->p.contact;
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         nodes[CR_CONTACT_NODES];

  if (!master || touch->facet1 < 0 || touch->facet1 == touch->facet || touch->out.p_gap1 == 0)
    return PETSC_FALSE;
  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a <= touch->k.nmaster; a++)
    for (PetscInt b = 0; b < touch->k1.nmaster; b++)
      if (!CrGraphHas(c->model->graph, nodes[a], master->corners[4 * touch->facet1 + b]))
        return PETSC_TRUE;
  return PETSC_FALSE;
}

/* A ball that passes from a facet to its edge has a force with a kink. */
static PetscBool is_near_an_edge(const CrTouch *touch)
{
  for (PetscInt a = 0; touch->radius > 0 && !touch->k.rest && a < touch->k.nmaster; a++)
    if (PetscAbsReal(touch->k.shape[a]) < 1e-4) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Differences must not step over a kink of the law: pressed or not, stick or slip. */
static PetscBool is_near_a_kink(const Trial *t, const CrTouch *touch)
{
  const CrLawInput *in = &touch->in;
  PetscReal         trial = 0, g1 = t->law.memory == CR_MEMORY_REAL ? in->gap : in->gd0 + in->dg;

  if (t->law.memory == CR_MEMORY_NONE) g1 = in->gap0 > 0 ? in->gap1 : in->dg;
  if (t->law.bounces && (t->law.memory == CR_MEMORY_FORCES || !in->rests))
    g1 = PetscMin(in->gd0, 0) + in->dg;
  if (t->law.bounces && in->gap0 > 0 && in->gd0 >= 0) g1 = in->gap1;
  if (PetscAbsReal(g1) < 1e-4 || is_far_split(t, touch) || is_near_an_edge(touch))
    return PETSC_TRUE;
  for (int i = 0; i < in->ntangents; i++)
    trial += PetscSqr(
        in->kt * ((t->law.memory == CR_MEMORY_NONE ? 0 : in->eta0[i]) + t->law.theta * in->ds[i]));
  return PetscAbsReal(PetscSqrtReal(trial) - in->mu * touch->out.p) < 2e-4 * in->kt;
}

/* Is the slave beyond an edge of its facet? A ball then touches the edge. */
static PetscBool is_outside(const CrTouch *touch)
{
  if (touch->rolls && touch->k.rest) return PETSC_TRUE;
  for (PetscInt a = 0; a < touch->k.nmaster; a++)
    if (touch->k.shape[a] < -1e-3) return PETSC_TRUE;
  return PETSC_FALSE;
}

static void note(const Trial *t, const CrTouch *touch, Seen *seen)
{
  PetscReal g0 = touch->in.gd0, g1 = g0 + touch->in.dg;

  if (t->law.memory == CR_MEMORY_REAL || t->law.memory == CR_MEMORY_NONE)
    seen->normal[touch->out.p > 0 ? PRESSED : OPEN]++;
  else
    seen->normal[g0 < 0 ? (g1 < 0 ? PRESSED : RELEASE) : g1 < 0 ? ONSET : OPEN]++;
  if (!(touch->out.p > 0)) return;
  seen->stick += touch->out.status == CR_STICKING;
  seen->slip += touch->out.status == CR_SLIPPING;
  seen->split +=
      t->law.facet == CR_FACET_OWN && touch->facet1 != touch->facet && touch->out.p_gap1 != 0;
  seen->outside += is_outside(touch);
}

/* Between bodies, action and reaction: the forces have no resultant, and no moment where they act. */
static void check_resultant(Trial *t)
{
  CrContactStep    step = step_at(t);
  PetscInt         dim = t->p.model->dim;
  const PetscReal *X = t->p.model->X;
  PetscReal        sum[3] = {0}, moment[3] = {0}, size = 0;
  const CrPartner *partner = t->p.contact->nrigid ? NULL : t->p.contact->work->partners;

  if (!t->p.contact->passes[0].ops->facets && !partner) return;
  for (PetscInt A = 0; A < t->p.model->nlocal; A++) {
    PetscReal x[3] = {0}, f[3] = {0};

    for (PetscInt i = 0; i < dim; i++) {
      x[i] = X[dim * A + i] + step.u[dim * A + i];
      f[i] = t->f[dim * A + i];
      size += PetscAbsReal(f[i]);
    }
    for (int i = 0; i < 3; i++) {
      sum[i] += f[i];
      moment[i] += x[(i + 1) % 3] * f[(i + 2) % 3] - x[(i + 2) % 3] * f[(i + 1) % 3];
    }
  }
  for (int i = 0; i < 3 && partner; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    sum[i] += partner->force[i];
    moment[i] += partner->torque[i] + partner->xm[j] * partner->force[k] -
                 partner->xm[k] * partner->force[j];
    size += PetscAbsReal(partner->xm[i]) * size; /* far centres: their rounding */
  }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(sum[i], 0, 1e-14 * size);
    CHECK_NEAR(moment[i], 0, 1e-14 * size);
  }
}

/* One random state; not judged where a point is near a kink. */
static void try_state(Trial *t, unsigned *seed, Seen *seen, PetscReal *worst)
{
  const CrContact *c = t->p.contact;
  const PetscReal  size = 0.012;
  PetscReal        error;

  shake(t, size, seed);
  invent_history(t, size, seed);
  forces(t);
  for (PetscInt k = 0; k < c->work->ntouches; k++)
    if (!c->work->touches[k].idle && is_near_a_kink(t, &c->work->touches[k])) return;
  seen->judged++;
  check_resultant(t);
  for (PetscInt k = 0; k < c->work->ntouches; k++)
    if (!c->work->touches[k].idle) note(t, &c->work->touches[k], seen);
  error = tangent_error(t, 4e-6);
  /* a ball at an edge may be nearer to the kink of its force than the differences: smaller ones do not reach it */
  if (error > 1e-8) error = tangent_error(t, 1e-6);
  *worst = PetscMax(*worst, error);
}

/* Has every state been seen that this law and this master know? */
static PetscBool is_complete(const Trial *t, PetscReal friction, const Seen *seen)
{
  if (!seen->normal[OPEN] || !seen->normal[PRESSED]) return PETSC_FALSE;
  if (t->law.memory != CR_MEMORY_REAL && t->law.memory != CR_MEMORY_NONE &&
      (!seen->normal[ONSET] || !seen->normal[RELEASE]))
    return PETSC_FALSE;
  if (friction > 0 && (!seen->stick || !seen->slip)) return PETSC_FALSE;
  return !t->p.contact->passes[t->p.contact->npasses - 1].master || seen->outside;
}

static void test_split_tangent(const Case *c, PetscReal friction)
{
  const Method update = {"velocity-update", "velocity-update", PETSC_FALSE};
  Trial        t;
  Seen         seen = {0};
  unsigned     seed = 5;
  PetscReal    worst = 0;

  CHECK_OK(open_trial(&t, c, &update, friction));
  for (int k = 0; k < 1000 && seen.split < 5; k++) try_state(&t, &seed, &seen, &worst);
  CHECK(seen.split >= 5);
  CHECK_LESS(worst, 1e-8);
  CHECK_OK(close_trial(&t));
}

static void test_tangent(const Case *c, const Method *method, PetscReal friction)
{
  Trial     t;
  Seen      seen = {0};
  unsigned  seed = 5;
  int       before = check_failures;
  PetscReal worst = 0;

  CHECK_OK(open_trial(&t, c, method, friction));
  if (check_failures > before) return;
  for (int k = 0; k < 200 && (seen.judged < 8 || !is_complete(&t, friction, &seen)); k++)
    try_state(&t, &seed, &seen, &worst);
  CHECK_LESS(worst, 1e-8); /* of differences; 1e-7 would be good enough for Newton */
  CHECK(seen.judged >= 8);
  CHECK(is_complete(&t, friction, &seen));
  if (check_failures > before || t.p.contact->passes[t.p.contact->npasses - 1].partner >= 0)
    printf("  %s, %s: error %.1e; open %d, onset %d, pressed %d, release %d, stick %d, slip %d, "
           "outside %d in %d states\n",
           c->name, method->name, (double)worst, seen.normal[0], seen.normal[1], seen.normal[2],
           seen.normal[3], seen.stick, seen.slip, seen.outside, seen.judged);
  CHECK_OK(close_trial(&t));
}

/* ---- Newton ---------------------------------------------------------------------------------- */

static const Case impacts[] = {
    {"Q4 on Q4", "dimension: 2\nbodies: [{name: s, material: s, velocity: [2, -3], spin: 1, mesh: "
                 "{block: {from: [0.1, 0.01], to: [0.8, 0.4], elements: [4, 2]}}}, " BELOW_2D "]\n"
                 "contact: [{between: [s.bottom, m.top]%s}]\n"},
    {"H8 on H8", "dimension: 3\nbodies: [{name: s, material: s, velocity: [2, 1, -3], spin: [0, 0, "
                 "2], mesh: {block: {from: [0.1, 0.1, 0.01], to: [0.8, 0.9, 0.4], elements: [3, 2, "
                 "1]}}}, " BELOW("H8") "]\ncontact: [{between: [s.bottom, m.top]%s}]\n"},
    {"H8 on T4", "dimension: 3\nbodies: [{name: s, material: s, velocity: [2, 1, -3], spin: [0, 0, "
                 "2], mesh: {block: {from: [0.1, 0.1, 0.01], to: [0.8, 0.9, 0.4], elements: [3, 2, "
                 "1]}}}, " BELOW("T4") "]\ncontact: [{between: [s.bottom, m.top]%s}]\n"},
    {"ball on a sphere",
     "dimension: 3\nbodies: [{name: s, material: s, velocity: [1, 0.3, -3], mesh: {ball: {center: "
     "[0, 0, 0], radius: 0.3, elements: 2}}}]\n"
     "obstacles: [{name: o, sphere: {center: [0, 0.1, -1.02], radius: 0.7, side: outside}}]\n"
     "contact: [{between: [s, o]%s}]\n"},
};

static const Case crossings[] = {
    {"edges of H8 on edges of H8",
     "dimension: 3\nbodies: [{name: s, material: s, velocity: [1, 0.5, -3], spin: [0, 0, 1], "
     "angle: 45, axis: [1, 0, 0], position: [0.03, -0.02, 0.435], mesh: {block: {from: [-0.6, "
     "-0.15, -0.15], to: [0.6, 0.15, 0.15], elements: [3, 1, 1]}}}, {name: m, material: s, angle: "
     "45, axis: [0, 1, 0], mesh: {block: {from: [-0.15, -0.6, -0.15], to: [0.15, 0.6, 0.15], "
     "elements: [1, 3, 1]}}}]\ncontact: [{between: [s, m]%s}]\n"},
    {"edges of T10 on edges of T4",
     "dimension: 3\nbodies: [{name: s, material: s, velocity: [0.3, 0.2, -0.8], spin: [0, 0, 1], "
     "angle: 45, axis: [1, 0, 0], position: [0.03, -0.02, 0.435], mesh: {block: {from: [-0.6, "
     "-0.15, -0.15], to: [0.6, 0.15, 0.15], elements: [3, 1, 1], type: T10}}}, {name: m, material: "
     "s, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.15, -0.6, -0.15], to: [0.15, 0.6, "
     "0.15], elements: [1, 3, 1], type: T4}}}]\ncontact: [{between: [s, m]%s}]\n"},
};

static const Case falls[] = {
    {"on a disk", "dimension: 2\nbodies: [{name: r, velocity: [2, -3], spin: 5, rigid: {disk: "
                  "{radius: 0.3}, mass: 0.2}, position: [0.5, 0.31]}, {name: m, material: s, mesh: "
                  "{block: {from: [0, -0.5], to: [1, 0], elements: [10, 4]}}}]\n"
                  "contact: [{between: [m.top, r]%s}]\n"},
    {"on a sphere",
     "dimension: 3\nbodies: [{name: r, velocity: [2, 1, -3], spin: [5, 2, 3], rigid: {sphere: "
     "{radius: 0.3}, mass: 0.2}, position: [0.5, 0.4, 0.32]}, {name: m, material: s, mesh: {block: "
     "{from: [0, 0, -0.5], to: [1, 1, 0], elements: [4, 4, 2]}}}]\n"
     "contact: [{between: [m.top, r]%s}]\n"},
    {"on a box",
     "dimension: 3\nbodies: [{name: r, velocity: [2, 1, -3], spin: [2, 2, 3], rigid: {box: {size: "
     "[0.7, 0.6, 0.5]}, mass: 0.2}, position: [0.5, 0.45, 0.33], angle: 10, axis: [1, 0.6, 0]}, "
     "{name: m, material: s, mesh: {block: {from: [0, 0, -0.5], to: [1, 1, 0], elements: [4, 4, "
     "2]}}}]\ncontact: [{between: [m.top, r]%s}]\n"},
};

static const Case drops[] = {
    {"a small disk", "dimension: 2\nbodies: [{name: r, velocity: [2, -3], spin: 5, rigid: {disk: "
                     "{radius: 0.05}, mass: 0.2}, position: [0.4, 0.06]}, {name: m, material: s, "
                     "mesh: {block: {from: [0, -0.5], to: [1, 0], elements: [3, 2]}}}]\n"
                     "contact: [{between: [m.top, r]%s}]\n"},
    {"a small sphere",
     "dimension: 3\nbodies: [{name: r, velocity: [2, 1, -3], spin: [5, 2, 3], rigid: {sphere: "
     "{radius: 0.1}, mass: 0.2}, position: [0.3, 0.2, 0.12]}, {name: m, material: s, mesh: {block: "
     "{from: [0, 0, -0.5], to: [1, 1, 0], elements: [2, 2, 1]}}}]\n"
     "contact: [{between: [m.top, r]%s}]\n"},
    {"a small box",
     "dimension: 3\nbodies: [{name: r, velocity: [2, 1, -3], spin: [2, 2, 3], rigid: {box: {size: "
     "[0.3, 0.25, 0.2]}, mass: 0.2}, position: [0.3, 0.2, 0.14], angle: 10, axis: [1, 0.6, 0]}, "
     "{name: m, material: s, mesh: {block: {from: [0, 0, -0.5], to: [1, 1, 0], elements: [2, 2, "
     "1]}}}]\ncontact: [{between: [m.top, r]%s}]\n"},
    {"edges of a box",
     "dimension: 3\nbodies: [{name: m, material: s, angle: 45, axis: [0, 1, 0], mesh: {block: {from: "
     "[-0.15, -0.6, -0.15], to: [0.15, 0.6, 0.15], elements: [1, 3, 1]}}}, {name: r, velocity: [1, "
     "0.5, -3], spin: [1, 0, 1], angle: 45, axis: [1, 0, 0], rigid: {box: {size: [1, 0.3, 0.3]}, "
     "mass: 0.2}, position: [0.03, -0.02, 0.435]}]\ncontact: [{between: [m, r]%s}]\n"},
};

/* Order of convergence at the end of the last solve, from its last three residuals above round-off;
   0 if it was over too soon to tell. */
static PetscReal last_order(const CrNewtonReport *newton)
{
  PetscReal order = 0;

  for (PetscInt i = 1; i + 1 < newton->nhistory; i++) {
    const PetscReal *r = &newton->history[i];

    /* the square of the one before must be above round-off too, or the last one says nothing */
    if (r[-1] < 0.05 && r[1] > 1e-14 && r[0] > 1e-8) order = log(r[1] / r[0]) / log(r[0] / r[-1]);
  }
  return order;
}

/* Newton is quadratic once the contact state is found. Three residuals give its order only roughly;
   a missing term would make it 1 in every step. */
static void test_newton(const Case *c, const Method *method)
{
  Trial        t;
  CrStepReport report;
  int          judged = 0, pressed = 0, before = check_failures;
  PetscReal    least = 9, greatest = 0, sum = 0;

  CHECK_OK(open_trial(&t, c, method, 0.3));
  if (check_failures > before) return;
  for (int k = 0; k < 16; k++) {
    PetscReal order;

    CHECK_OK(problem_step(&t.p, 2 * H, &report));
    CHECK(report.reason == CR_STEP_OK);
    order = last_order(&t.p.it->newton_report);
    if (report.contacts) pressed++;
    if (!report.contacts || !(order > 0)) continue;
    judged++;
    least = PetscMin(least, order);
    greatest = PetscMax(greatest, order);
    sum += order;
    if (order > 1.4) continue;
    printf("  %s, %s, step %d: order %.2f:", c->name, method->name, k + 1, (double)order);
    for (PetscInt i = 0; i < t.p.it->newton_report.nhistory; i++)
      printf(" %.1e", t.p.it->newton_report.history[i]);
    printf("\n");
  }
  CHECK(pressed >= 3);
  CHECK(judged >= 1);
  CHECK_LESS(1.4, least);
  CHECK_LESS(1.6, sum / judged);
  CHECK_LESS(1.65, greatest);
  printf("%s, %s: %d steps in contact, %d judged, order %.2f, least %.2f\n", c->name, method->name,
         pressed, judged, (double)(sum / judged), (double)least);
  CHECK_OK(close_trial(&t));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < NMETHODS; m++) {
    for (int c = 0; c < NCASES; c++)
      if (!strstr(cases[c].deck, "resolve") || strncmp(methods[m].time, "velocity-update", 15))
        test_tangent(&cases[c], &methods[m], 0.7);
    test_tangent(&cases[0], &methods[m], 0);
    test_tangent(&cases[2], &methods[m], 0);
    /* the last solve of an augmentation starts from its solution */
    if (!strstr(methods[m].time, "augmented")) {
      for (int c = 0; c < 4; c++) test_newton(&impacts[c], &methods[m]);
      for (int c = 0; c < 2; c++) test_newton(&crossings[c], &methods[m]);
    }
    for (int c = 0; c < NPARTNERS; c++) test_tangent(&partners[c], &methods[m], 0.7);
    test_tangent(&partners[4], &methods[m], 0);
    for (int c = 0; c < NPOINTS; c++) {
      test_tangent(&points[c], &methods[m], 0.7);
      test_tangent(&points[c], &methods[m], 0);
    }
    /* with these options of the velocity update rigid bodies touch in too few steps */
    if (strstr(methods[m].time, "augmented") || strstr(methods[m].time, "paper")) continue;
    /* plain laws add energy, which tears soft bodies apart after a while */
    for (int c = 0; c < (strncmp(methods[m].time, "dissipative", 11) ? 1 : 3); c++)
      test_newton(&falls[c], &methods[m]);
    for (int c = 0; c < 4; c++) test_newton(&drops[c], &methods[m]);
  }
  for (int c = 0; c < 2; c++)
    for (int mu = 0; mu < 2; mu++) test_split_tangent(&edges[c], 0.7 * mu);
  return check_end();
}
