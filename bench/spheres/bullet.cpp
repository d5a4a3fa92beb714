// Bullet: sequential impulses, 10 iterations (its default), dynamic bounding volume tree. Lengths in
// centimetres, because its margins and thresholds are made for bodies of that order.
#include <btBulletDynamicsCommon.h>
#include <vector>
extern "C" {
#include "scene.h"
}

int main(int argc, char **argv)
{
  const double                        cm = 100;
  int                                 side = argc > 1 ? atoi(argv[1]) : 10, steps = argc > 2 ? atoi(argv[2]) : 500;
  Scene                               s = scene_make(side);
  btDefaultCollisionConfiguration     config;
  btCollisionDispatcher               dispatcher(&config);
  btDbvtBroadphase                    broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld             world(&dispatcher, &broad, &solver, &config);
  btSphereShape                       ball(SCENE_RADIUS * cm);
  std::vector<btRigidBody *>          body(s.n);
  btVector3                           inertia;
  const double planes[5][4] = {{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {-1, 0, 0, -s.width}, {0, -1, 0, -s.width}};
  double       cpu = 0, worst = 0, late = 0, kinetic = 0;

  world.setGravity(btVector3(0, 0, -SCENE_GRAVITY * cm));
  ball.calculateLocalInertia(s.mass, inertia);
  for (int k = 0; k < s.n; k++) {
    btTransform at(btQuaternion::getIdentity(), btVector3(s.x[3 * k] * cm, s.x[3 * k + 1] * cm, s.x[3 * k + 2] * cm));
    btRigidBody::btRigidBodyConstructionInfo info(s.mass, new btDefaultMotionState(at), &ball, inertia);

    info.m_friction    = sqrt(SCENE_FRICTION); // of two bodies: the product
    info.m_restitution = sqrt(SCENE_RESTITUTION);
    body[k]            = new btRigidBody(info);
    body[k]->setLinearVelocity(btVector3(s.v[3 * k] * cm, s.v[3 * k + 1] * cm, 0));
    body[k]->setActivationState(DISABLE_DEACTIVATION); // nobody else sleeps either
    world.addRigidBody(body[k]);
  }
  for (auto &p : planes) {
    btRigidBody::btRigidBodyConstructionInfo info(0, new btDefaultMotionState(), new btStaticPlaneShape(btVector3(p[0], p[1], p[2]), p[3] * cm));

    info.m_friction    = sqrt(SCENE_FRICTION);
    info.m_restitution = sqrt(SCENE_RESTITUTION);
    world.addRigidBody(new btRigidBody(info));
  }
  for (int n = 0; n < steps; n++) {
    cpu -= scene_cpu();
    world.stepSimulation(SCENE_STEP, 0);
    cpu += scene_cpu();
    if (n % SCENE_EVERY && n < steps - 1) continue;
    for (int k = 0; k < s.n; k++)
      for (int d = 0; d < 3; d++) s.x[3 * k + d] = body[k]->getCenterOfMassPosition()[d] / cm;
    double deep = scene_overlap(&s, s.x);

    worst = fmax(worst, deep);
    if (2 * n >= steps) late = fmax(late, deep);
  }
  for (auto b : body)
    kinetic += (b->getLinearVelocity().length2() + s.inertia / s.mass * cm * cm * b->getAngularVelocity().length2()) / cm / cm / 2 / s.n;
  scene_print("bullet", &s, steps, cpu, worst, late, kinetic, "null");
}
