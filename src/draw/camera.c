/* The position and direction of the viewer. The projection is parallel, so that lengths can be compared. */
#include <math.h>
#include <string.h>
#include "base/vector.h"
#include "draw/internal.h"

typedef struct {
  const char *name;
  PetscReal   azimuth, elevation; /* degrees; of the viewer: from -y towards +x, above the floor */
} View;

static const View views[] = {{"front", 0, 0},  {"right", 90, 0}, {"back", 180, 0},
                             {"left", 270, 0}, {"top", 0, 90},   {"bottom", 0, -90},
                             {"iso", 30, 22}};

/* From axes of which the third is upright to those of the run. */
static void stand(PetscInt up, PetscReal v[3])
{
  const PetscReal x = v[0], y = v[1], z = v[2];

  v[(up + 1) % 3] = x;
  v[(up + 2) % 3] = y;
  v[up] = z;
}

static CrCamera turned(PetscReal azimuth, PetscReal elevation, PetscInt up)
{
  const PetscReal a = azimuth * PETSC_PI / 180, e = elevation * PETSC_PI / 180;
  CrCamera        camera = {.right = {cos(a), sin(a), 0},
                            .up = {-sin(e) * sin(a), sin(e) * cos(a), cos(e)},
                            .towards = {cos(e) * sin(a), -cos(e) * cos(a), sin(e)},
                            .scale = 1};

  stand(up, camera.right);
  stand(up, camera.up);
  stand(up, camera.towards);
  return camera;
}

CrCamera CrCameraMake(const char view[], PetscInt up, PetscBool *known)
{
  static const CrCamera flat = {.right = {1, 0, 0},
                                .up = {0, 1, 0},
                                .towards = {0, 0, 1},
                                .scale = 1};
  double                azimuth, elevation;
  char                  more;

  *known = PETSC_TRUE;
  if (!strcmp(view, "flat")) return flat;
  for (size_t k = 0; k < sizeof views / sizeof views[0]; k++)
    if (!strcmp(view, views[k].name)) return turned(views[k].azimuth, views[k].elevation, up);
  if (sscanf(view, "%lf,%lf%c", &azimuth, &elevation, &more) == 2 && fabs(azimuth) < 1e6 &&
      fabs(elevation) <= 90)
    return turned(azimuth, elevation, up);
  *known = PETSC_FALSE;
  return flat;
}

void CrCameraPlane(const CrCamera *camera, const PetscReal x[3], PetscReal p[2])
{
  p[0] = v_dot(camera->right, x);
  p[1] = v_dot(camera->up, x);
}

void CrCameraFit(CrCamera *camera, const PetscReal box[4], const PetscReal into[4])
{
  const PetscReal width = box[2] - box[0], height = box[3] - box[1];

  camera->scale = PetscMin((into[2] - into[0]) / PetscMax(width, 1e-300),
                           (into[3] - into[1]) / PetscMax(height, 1e-300));
  for (int i = 0; i < 2; i++) {
    camera->centre[i] = 0.5 * (box[i] + box[2 + i]);
    camera->middle[i] = 0.5 * (into[i] + into[2 + i]);
  }
}

void CrCameraSee(const CrCamera *camera, const PetscReal x[3], PetscReal p[3])
{
  PetscReal plane[2];

  CrCameraPlane(camera, x, plane);
  p[0] = camera->middle[0] + camera->scale * (plane[0] - camera->centre[0]);
  p[1] = camera->middle[1] - camera->scale * (plane[1] - camera->centre[1]);
  p[2] = camera->scale * v_dot(camera->towards, x);
}
