/* Open Dynamics Engine: dWorldQuickStep with its 20 iterations, hash space, bounce and Coulomb friction. */
#include <ode/ode.h>
#include "scene.h"

static dWorldID      world;
static dJointGroupID contacts;

static void near_callback(void *data, dGeomID a, dGeomID b)
{
  dContact contact[1];
  dBodyID  one = dGeomGetBody(a), two = dGeomGetBody(b);

  (void)data;
  if (!one && !two) return;
  contact[0].surface.mode = dContactBounce | dContactApprox1;
  contact[0].surface.mu = SCENE_FRICTION;
  contact[0].surface.bounce = SCENE_RESTITUTION;
  contact[0].surface.bounce_vel = 2 * SCENE_STEP * SCENE_GRAVITY;
  if (dCollide(a, b, 1, &contact[0].geom, sizeof(dContact)))
    dJointAttach(dJointCreateContact(world, contacts, contact), one, two);
}

int main(int argc, char **argv)
{
  int      side = argc > 1 ? atoi(argv[1]) : 10, steps = argc > 2 ? atoi(argv[2]) : 500;
  Scene    s = scene_make(side);
  dBodyID *body = malloc(sizeof *body * s.n);
  double   cpu = 0, worst = 0, late = 0, kinetic = 0;
  dSpaceID space;
  dMass    mass;

  dInitODE2(0);
  world = dWorldCreate();
  space = dHashSpaceCreate(0);
  contacts = dJointGroupCreate(0);
  dHashSpaceSetLevels(space, -7, -5);
  dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
  dMassSetSphereTotal(&mass, s.mass, SCENE_RADIUS);
  for (int k = 0; k < s.n; k++) {
    dGeomID geom = dCreateSphere(space, SCENE_RADIUS);

    body[k] = dBodyCreate(world);
    dBodySetMass(body[k], &mass);
    dBodySetPosition(body[k], s.x[3 * k], s.x[3 * k + 1], s.x[3 * k + 2]);
    dBodySetLinearVel(body[k], s.v[3 * k], s.v[3 * k + 1], s.v[3 * k + 2]);
    dGeomSetBody(geom, body[k]);
  }
  dCreatePlane(space, 0, 0, 1, 0);
  dCreatePlane(space, 1, 0, 0, 0);
  dCreatePlane(space, 0, 1, 0, 0);
  dCreatePlane(space, -1, 0, 0, -s.width);
  dCreatePlane(space, 0, -1, 0, -s.width);
  for (int n = 0; n < steps; n++) {
    cpu -= scene_cpu();
    dSpaceCollide(space, NULL, near_callback);
    dWorldQuickStep(world, SCENE_STEP);
    dJointGroupEmpty(contacts);
    cpu += scene_cpu();
    if (n % SCENE_EVERY && n < steps - 1) continue;
    for (int k = 0; k < s.n; k++)
      for (int d = 0; d < 3; d++) s.x[3 * k + d] = dBodyGetPosition(body[k])[d];
    {
      double deep = scene_overlap(&s, s.x);

      worst = fmax(worst, deep);
      if (2 * n >= steps) late = fmax(late, deep);
    }
  }
  for (int k = 0; k < s.n; k++)
    for (int d = 0; d < 3; d++) {
      kinetic += pow(dBodyGetLinearVel(body[k])[d], 2) / 2 / s.n;
      kinetic += s.inertia / s.mass * pow(dBodyGetAngularVel(body[k])[d], 2) / 2 / s.n;
    }
  scene_print("ode", &s, steps, cpu, worst, late, kinetic, "null");
  return 0;
}
