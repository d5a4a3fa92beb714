/* Reads shapes from the deck, computes their mass properties, and finds support points. */
#include <string.h>
#include "rigid/internal.h"

static const CrKey radius_keys[] = {{"radius", CR_REAL | CR_MUST, .range = "(0,inf)",
                                     .help = "radius of the disk or sphere"},
                                    {.name = NULL}};

static const CrKey axes_keys[] = {{"semi_axes", CR_REALS | CR_MUST, .range = "(0,inf)",
                                   .help = "lengths of the semi-axes"},
                                  {.name = NULL}};

static const CrKey points_keys[] = {{"points", CR_MATRIX | CR_MUST,
                                     .help =
                                         "corners, shifted so that the mass centre is the origin"},
                                    {.name = NULL}};

static const CrKey box_keys[] = {{"size", CR_REALS | CR_MUST, .range = "(0,inf)",
                                  .help = "lengths of the edges"},
                                 {.name = NULL}};

static const CrKey capsule_keys[] = {{"radius", CR_REAL | CR_MUST, .range = "(0,inf)",
                                      .help = "radius of the round ends and of the cylinder"},
                                     {"length", CR_REAL | CR_MUST, .range = "(0,inf)",
                                      .help = "length of the straight part, along z"},
                                     {.name = NULL}};

static const CrKey point_keys[] = {{.name = NULL}};

const CrKey CrRigidKeys[] = {
    {"disk", CR_MAP, .keys = radius_keys, .help = "2D: a disk"},
    {"ellipse", CR_MAP, .keys = axes_keys, .help = "2D: an ellipse"},
    {"polygon", CR_MAP, .keys = points_keys, .help = "2D: a convex polygon"},
    {"point", CR_MAP, .keys = point_keys, .help = "a point mass, which does not rotate"},
    {"sphere", CR_MAP, .keys = radius_keys, .help = "3D: a sphere"},
    {"box", CR_MAP, .keys = box_keys, .help = "a rectangle (2D) or cuboid (3D)"},
    {"ellipsoid", CR_MAP, .keys = axes_keys, .help = "3D: an ellipsoid"},
    {"hull", CR_MAP, .keys = points_keys, .help = "3D: convex hull of points"},
    {"capsule", CR_MAP, .keys = capsule_keys, .help = "3D: a cylinder with round ends"},
    {"density", CR_REAL, .range = "(0,inf)", .help = "mass per volume"},
    {"mass", CR_REAL, .range = "(0,inf)", .help = "mass of the body, instead of density"},
    {"inertia", CR_REAL | CR_REALS, .range = "(0,inf)",
     .help =
         "moment of inertia about the mass centre (3D: three, about the axes of the shape); default: that of the shape"},
    {.name = NULL}};

/* ---- the kinds -------------------------------------------------------------------------------- */

static PetscErrorCode read_ball(const CrDeckNode *node, PetscReal thickness, CrShape *s)
{
  PetscReal r = CrDeckReal(CrDeckFind(node, "radius"));

  PetscFunctionBeginUser;
  s->kind = CR_SHAPE_BALL;
  s->radius = s->reach = s->axes[0] = s->axes[1] = s->axes[2] = r;
  s->volume = s->dim == 2 ? PETSC_PI * r * r * thickness : 4 * PETSC_PI / 3 * r * r * r;
  for (int i = 0; i < 3; i++) s->gyration[i] = s->dim == 2 ? r * r / 2 : 0.4 * r * r;
  if (s->dim == 2) s->axes[2] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_ellipsoid(const CrDeckNode *node, PetscReal thickness, CrShape *s)
{
  PetscReal a[3] = {0, 0, 0};

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(node, "semi_axes", s->dim, 0, a, NULL));
  s->kind = CR_SHAPE_ELLIPSOID;
  s->volume =
      s->dim == 2 ? PETSC_PI * a[0] * a[1] * thickness : 4 * PETSC_PI / 3 * a[0] * a[1] * a[2];
  for (int i = 0; i < 3; i++) {
    s->axes[i] = a[i];
    s->reach = PetscMax(s->reach, a[i]);
    s->gyration[i] = (PetscSqr(a[(i + 1) % 3]) + PetscSqr(a[(i + 2) % 3])) / (s->dim == 2 ? 4 : 5);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_capsule(const CrDeckNode *node, CrShape *s)
{
  PetscReal r = CrDeckReal(CrDeckFind(node, "radius")), l = CrDeckReal(CrDeckFind(node, "length"));
  PetscReal tube = PETSC_PI * r * r * l, ball = 4 * PETSC_PI / 3 * r * r * r;

  PetscFunctionBeginUser;
  s->kind = CR_SHAPE_CAPSULE;
  s->radius = r;
  s->half = l / 2;
  s->reach = r + l / 2;
  s->volume = tube + ball;
  /* the half balls sit l/2 away, their own centres 3r/8 further */
  s->gyration[2] = (tube * r * r / 2 + ball * 0.4 * r * r) / s->volume;
  s->gyration[0] = s->gyration[1] =
      (tube * (l * l / 12 + r * r / 4) + ball * (0.4 * r * r + l * l / 4 + 0.375 * l * r)) /
      s->volume;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_box(const CrDeckNode *node, CrShape *s)
{
  PetscReal size[3] = {0}, points[24];
  PetscInt  n = 0;

  PetscFunctionBeginUser;
  PetscCall(CrDeckVector(node, "size", s->dim, 0, size, NULL));
  for (int k = 0; k < 8; k++) { /* numbered 4 sx + 2 sy + sz */
    if (s->dim == 2 && k % 2) continue;
    for (int i = 0; i < 3; i++) points[3 * n + i] = (k >> (2 - i) & 1 ? 0.5 : -0.5) * size[i];
    n++;
  }
  PetscCall(CrShapeHull(s, node, n, points, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_points(const CrDeckNode *node, PetscBool keep_axes, CrShape *s)
{
  const CrDeckNode *list = CrDeckFind(node, "points");
  PetscInt          n = CrDeckCount(list);
  PetscReal        *points;
  PetscErrorCode    code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (n > CR_MOST_CORNERS) CrDeckFail(list, "the shape has more than %d points", CR_MOST_CORNERS);
  PetscCall(PetscCalloc1(3 * n, &points));
  for (PetscInt k = 0; k < n && !code; k++) {
    const CrDeckNode *row = CrDeckItem(list, k);

    if (CrDeckCount(row) != s->dim)
      code = CrDeckError(row, "expected %" PetscInt_FMT " coordinates", s->dim);
    for (PetscInt i = 0; !code && i < s->dim; i++)
      points[3 * k + i] = CrDeckReal(CrDeckItem(row, i));
  }
  if (!code) code = CrShapeHull(s, list, n, points, keep_axes);
  if (!code && s->dim == 2 && s->nvertices < n)
    code = CrDeckError(list,
                       "the polygon is not convex, or a corner lies on a side or is given twice");
  PetscCall(PetscFree(points));
  PetscFunctionReturn(code);
}

/* Which shape the map holds: exactly one. */
static PetscErrorCode find_shape(const CrDeckNode *node, PetscInt dim, const char **word)
{
  static const struct {
    const char *word;
    PetscInt    dim; /* 0: both */
  } words[] = {{"disk", 2}, {"ellipse", 2},   {"polygon", 2}, {"point", 0},  {"sphere", 3},
               {"box", 0},  {"ellipsoid", 3}, {"hull", 3},    {"capsule", 3}};

  PetscFunctionBeginUser;
  *word = NULL;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    const CrDeckNode *shape = CrDeckFind(node, words[k].word);

    if (!shape) continue;
    if (*word)
      CrDeckFail(node, "a rigid body has one shape, but both \"%s\" and \"%s\" are given", *word,
                 words[k].word);
    if (words[k].dim && words[k].dim != dim)
      CrDeckFail(shape, "this shape is for dimension %" PetscInt_FMT " only", words[k].dim);
    *word = words[k].word;
  }
  if (!*word)
    CrDeckFail(node, "no shape is given; expected one of %s",
               dim == 2 ? "disk, ellipse, polygon, box, point"
                        : "sphere, box, ellipsoid, hull, capsule, point");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeRead(const CrDeckNode *node, PetscInt dim, PetscReal thickness, CrShape *s)
{
  const char       *word;
  const CrDeckNode *shape;

  PetscFunctionBeginUser;
  PetscCall(find_shape(node, dim, &word));
  shape = CrDeckFind(node, word);
  s->dim = dim;
  s->turn[0] = 1;
  PetscCall(PetscStrncpy(s->word, word, sizeof s->word));
  if (!strcmp(word, "disk") || !strcmp(word, "sphere"))
    PetscCall(read_ball(shape, thickness, s));
  else if (!strncmp(word, "ellips", 6))
    PetscCall(read_ellipsoid(shape, thickness, s));
  else if (!strcmp(word, "box"))
    PetscCall(read_box(shape, s));
  else if (!strcmp(word, "polygon") || !strcmp(word, "hull"))
    PetscCall(read_points(shape, CrDeckFind(node, "inertia") != NULL, s));
  else if (!strcmp(word, "capsule"))
    PetscCall(read_capsule(shape, s));
  else
    s->kind = CR_SHAPE_POINT;
  if (s->kind == CR_SHAPE_POLYTOPE && dim == 2) s->volume *= thickness;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShapeDestroy(CrShape *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(s->vertices));
  PetscCall(PetscFree(s->normals));
  PetscCall(PetscFree(s->offsets));
  PetscCall(PetscFree(s->face_start));
  PetscCall(PetscFree(s->face_vertices));
  PetscCall(PetscFree(s->edges));
  PetscCall(PetscFree(s->edge_faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- support ------------------------------------------------------------------------------------ */

static PetscReal support_ellipsoid(const CrShape *s, const PetscReal l[3], PetscReal point[3])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++) {
    point[i] = s->axes[i] * s->axes[i] * l[i];
    sum += point[i] * l[i];
  }
  sum = sqrt(sum);
  for (int i = 0; i < 3; i++) point[i] = sum > 0 ? point[i] / sum : 0;
  return sum;
}

static PetscReal support_polytope(const CrShape *s, const PetscReal l[3], PetscReal point[3])
{
  PetscReal best = PETSC_MIN_REAL;
  PetscInt  k = 0;

  for (PetscInt i = 0; i < s->nvertices; i++) {
    PetscReal d = v_dot(l, s->vertices + 3 * i);

    if (d > best) best = d, k = i;
  }
  v_copy(s->vertices + 3 * k, point);
  return best;
}

PetscReal CrShapeSupport(const CrShape *s, const PetscReal l[3], PetscReal point[3])
{
  PetscReal length;

  switch (s->kind) {
  case CR_SHAPE_BALL:
  case CR_SHAPE_ELLIPSOID: return support_ellipsoid(s, l, point);
  case CR_SHAPE_POLYTOPE: return support_polytope(s, l, point);
  case CR_SHAPE_CAPSULE:
    length = v_length(l);
    for (int i = 0; i < 3; i++) point[i] = length > 0 ? s->radius * l[i] / length : 0;
    point[2] += l[2] < 0 ? -s->half : s->half;
    return v_dot(l, point);
  default: point[0] = point[1] = point[2] = 0; return 0;
  }
}
