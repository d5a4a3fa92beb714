#include <string.h>
#include "contact/geometry/obstacle.h"
#include "base/index.h"
#include "base/vector.h"

static const CrKey plane_keys[] = {
    {"point", CR_REALS | CR_MUST, .help = "a point of the plane"},
    {"normal", CR_REALS | CR_MUST,
     .help = "vector that points away from the obstacle; its length has no effect"},
    {.name = NULL}};

static const CrKey box_keys[] = {{"from", CR_REALS | CR_MUST,
                                  .help = "corner of the box with the least coordinates"},
                                 {"to", CR_REALS | CR_MUST,
                                  .help = "corner of the box with the greatest coordinates"},
                                 {.name = NULL}};

static const CrKey sphere_keys[] = {{"center", CR_REALS | CR_MUST,
                                     .help = "centre of the circle or sphere"},
                                    {"radius", CR_REAL | CR_MUST, .range = "(0,inf)",
                                     .help = "radius of the circle or sphere"},
                                    {"side", CR_WORD | CR_MUST, .words = "inside|outside",
                                     .help = "side of the surface on which the bodies are"},
                                    {.name = NULL}};

static const CrKey obstacle_keys[] = {
    {"name", CR_TEXT | CR_MUST, .help = "name of the obstacle, used by contact pairs"},
    {"plane", CR_MAP, .keys = plane_keys, .help = "a plane; the space behind it is solid"},
    {"box", CR_MAP, .keys = box_keys, .help = "walls of a box, with the bodies inside"},
    {"circle", CR_MAP, .keys = sphere_keys, .help = "2D: a circle"},
    {"sphere", CR_MAP, .keys = sphere_keys, .help = "3D: a sphere"},
    {"velocity", CR_REALS,
     .help =
         "velocity v of the prescribed displacement v t + a t^2/2, where t is the time and a is the acceleration"},
    {"acceleration", CR_REALS,
     .help =
         "acceleration a of the prescribed displacement v t + a t^2/2, where t is the time and v is the velocity"},
    {.name = NULL}};

const CrKey CrObstacleKeys[] = {{"obstacles", CR_LIST, .keys = obstacle_keys,
                                 .help = "rigid surfaces, fixed or with prescribed motion"},
                                {.name = NULL}};

static PetscErrorCode read_plane(const CrDeckNode *node, PetscInt dim, CrObstacle *o)
{
  PetscReal size = 0;

  PetscFunctionBeginUser;
  o->kind = CR_PLANE;
  PetscCall(CrDeckVector(node, "point", dim, 0, o->point, NULL));
  PetscCall(CrDeckVector(node, "normal", dim, 0, o->normal, NULL));
  for (PetscInt i = 0; i < dim; i++) size = PetscMax(size, PetscAbsReal(o->normal[i]));
  if (!(size > 0))
    CrDeckFail(CrDeckFind(node, "normal"), "this vector has the length 0, so it has no direction");
  for (PetscInt i = 0; i < dim; i++) o->normal[i] /= size; /* no overflow below */
  (void)v_unit(o->normal);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_box(const CrDeckNode *node, PetscInt dim, CrObstacle *o)
{
  PetscFunctionBeginUser;
  o->kind = CR_BOX;
  PetscCall(CrDeckVector(node, "from", dim, 0, o->from, NULL));
  PetscCall(CrDeckVector(node, "to", dim, 0, o->to, NULL));
  for (PetscInt i = 0; i < dim; i++)
    if (!(o->from[i] < o->to[i]))
      CrDeckFail(CrDeckFind(node, "to"), "every coordinate must be greater than in `from`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_sphere(const CrDeckNode *node, PetscInt dim, CrObstacle *o)
{
  PetscFunctionBeginUser;
  o->kind = CR_SPHERE;
  o->radius = CrDeckReal(CrDeckFind(node, "radius"));
  o->inside = CrDeckIsWord(CrDeckFind(node, "side"), "inside");
  PetscCall(CrDeckVector(node, "center", dim, 0, o->point, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_one(const CrDeckNode *node, PetscInt dim, CrObstacle *o)
{
  const CrDeckNode *plane = CrDeckFind(node, "plane"), *box = CrDeckFind(node, "box");
  const CrDeckNode *circle = CrDeckFind(node, "circle"), *sphere = CrDeckFind(node, "sphere");
  const CrDeckNode *name = CrDeckFind(node, "name");

  PetscFunctionBeginUser;
  if (!*CrDeckText(name) || strlen(CrDeckText(name)) > 63 || strpbrk(CrDeckText(name), ".,\"\n"))
    CrDeckFail(name, "a name must have 1 to 63 characters, and no dot, comma, quote or line break");
  PetscCall(PetscStrncpy(o->name, CrDeckText(name), sizeof o->name));
  if (!!plane + !!box + !!circle + !!sphere != 1)
    CrDeckFail(node, "an obstacle needs exactly one of plane, box, circle (2D), sphere (3D)");
  if (circle && dim == 3) CrDeckFail(circle, "a circle is for dimension 2 only; use sphere");
  if (sphere && dim == 2) CrDeckFail(sphere, "a sphere is for dimension 3 only; use circle");
  if (plane) PetscCall(read_plane(plane, dim, o));
  if (box) PetscCall(read_box(box, dim, o));
  if (circle || sphere) PetscCall(read_sphere(circle ? circle : sphere, dim, o));
  PetscCall(CrDeckVector(node, "velocity", dim, 0, o->velocity, NULL));
  PetscCall(CrDeckVector(node, "acceleration", dim, 0, o->acceleration, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Under `symmetry: axial` an obstacle must look the same all around the axis x = 0. */
static PetscErrorCode check_axial(const CrDeckNode *node, const CrObstacle *o)
{
  PetscFunctionBeginUser;
  if (o->kind == CR_BOX)
    CrDeckFail(node, "`symmetry: axial` allows planes and circles as obstacles, but no box");
  if (o->kind == CR_PLANE && PetscAbsReal(o->normal[0]) > 1e-12)
    CrDeckFail(CrDeckFind(node, "plane"),
               "with `symmetry: axial` the normal of a plane must be along y");
  if (o->kind == CR_SPHERE && o->point[0] != 0)
    CrDeckFail(CrDeckFind(node, "circle"),
               "with `symmetry: axial` the centre of a circle must be at x = 0");
  if (o->velocity[0] != 0 || o->acceleration[0] != 0)
    CrDeckFail(node, "with `symmetry: axial` obstacles can move along y only");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies and obstacles share their names: bodies are entered under 0, obstacles under 1. */
static PetscErrorCode enter(CrIndex *names, const CrDeckNode *entry, PetscInt obstacle)
{
  const CrDeckNode *name = CrDeckFind(entry, "name");
  PetscInt          old;

  PetscFunctionBeginUser;
  PetscCall(CrIndexAddName(names, CrDeckText(name), obstacle, &old));
  if (obstacle && old >= 0)
    CrDeckFail(name, "%s is called \"%s\" already", old ? "another obstacle" : "a body",
               CrDeckText(name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_all(const CrDeckNode *root, PetscInt dim, CrIndex *names,
                               CrObstacle *list)
{
  const CrDeckNode *nodes = CrDeckFind(root, "obstacles"), *bodies = CrDeckFind(root, "bodies");

  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++)
    PetscCall(enter(names, CrDeckItem(bodies, b), 0));
  for (PetscInt k = 0; k < CrDeckCount(nodes); k++) {
    PetscCall(read_one(CrDeckItem(nodes, k), dim, &list[k]));
    if (CrDeckIsWord(CrDeckFind(root, "symmetry"), "axial"))
      PetscCall(check_axial(CrDeckItem(nodes, k), &list[k]));
    PetscCall(enter(names, CrDeckItem(nodes, k), 1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrObstaclesRead(const CrDeckNode *root, PetscInt dim, PetscInt *n, CrObstacle **list)
{
  CrIndex       *names;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *n = CrDeckCount(CrDeckFind(root, "obstacles"));
  PetscCall(PetscCalloc1(*n, list));
  if (!*n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrIndexCreate(&names));
  code = read_all(root, dim, names, *list);
  PetscCall(CrIndexDestroy(&names));
  PetscFunctionReturn(code);
}

PetscInt CrObstacleWalls(const CrObstacle *o, PetscInt dim)
{
  return o->kind == CR_BOX ? 2 * dim : 1;
}

void CrObstacleShift(const CrObstacle *o, PetscReal t, PetscReal shift[3])
{
  for (int i = 0; i < 3; i++) shift[i] = o->velocity[i] * t + o->acceleration[i] * t * t / 2;
}

/* A point of a wall and the normal of its plane; of a sphere the centre. Walls of a box: x least, x greatest, y
   least, ... */
static void wall_of(const CrObstacle *o, PetscInt wall, const PetscReal shift[3],
                    PetscReal point[3], PetscReal normal[3])
{
  const PetscReal *corner = o->kind != CR_BOX ? o->point : wall % 2 ? o->to : o->from;

  for (int i = 0; i < 3; i++) {
    point[i] = corner[i] + shift[i];
    normal[i] = o->kind != CR_BOX ? o->normal[i] : i != wall / 2 ? 0 : wall % 2 ? -1 : 1;
  }
}

PetscBool CrObstacleWall(const CrObstacle *o, PetscInt wall, const PetscReal shift[3], CrWall *out)
{
  *out = (CrWall){.is_plane = o->kind != CR_SPHERE, .radius = o->radius};
  wall_of(o, wall, shift, out->point, out->normal);
  return out->is_plane || o->inside;
}

void CrObstacleKinematics(const CrObstacle *o, PetscInt wall, PetscInt dim,
                          const PetscReal shift[3], PetscInt axis, const PetscReal *x,
                          CrKinematics *k)
{
  PetscReal point[3], normal[3];

  wall_of(o, wall, shift, point, normal);
  if (o->kind == CR_SPHERE)
    CrKinematicsSphere(dim, point, o->radius, o->inside, axis, x, k);
  else
    CrKinematicsPlane(dim, point, normal, x, k);
}

PetscReal CrObstacleGap(const CrObstacle *o, PetscInt wall, PetscInt dim, const PetscReal shift[3],
                        const PetscReal *x)
{
  PetscReal point[3], normal[3], sum = 0;

  if (o->kind == CR_SPHERE) {
    for (PetscInt i = 0; i < dim; i++) sum += PetscSqr(x[i] - o->point[i] - shift[i]);
    sum = PetscSqrtReal(sum) - o->radius;
    return o->inside ? -sum : sum;
  }
  wall_of(o, wall, shift, point, normal);
  for (PetscInt i = 0; i < dim; i++) sum += (x[i] - point[i]) * normal[i];
  return sum;
}

PetscReal CrObstacleMeet(const CrObstacle *o, PetscInt index, PetscReal t0, PetscReal t1,
                         const CrShape *s, PetscInt i, const PetscReal x[3],
                         const PetscReal mean[9], const PetscReal half[9], PetscReal nu[3],
                         PetscReal arm[3])
{
  PetscReal shift0[3], shift1[3];
  PetscBool outside;
  CrWall    wall;

  CrObstacleShift(o, t0, shift0);
  CrObstacleShift(o, t1, shift1);
  for (int k = 0; k < 3; k++) shift0[k] = (shift0[k] + shift1[k]) / 2;
  outside = !CrObstacleWall(o, index, shift0, &wall);
  return CrShapeAtWall(s, i, &wall, outside, x, mean, half, nu, arm);
}
