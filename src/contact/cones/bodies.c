/* Rigid bodies of finite mass in the discrete Coulomb problem (theory 17.8). For given reactions, CrPartnersSolve finds
   the motion of every body exactly. This file adds the bodies to the matrix W. Each body has six unknowns, displacement
   and rotation, with the flexibility -K^-1 of its equations of motion. */
#include "base/vector.h"
#include "contact/cones/internal.h"

PetscErrorCode CrConesCreateBodies(CrCones *s)
{
  PetscInt n = s->contact->model->rigid->n;

  return PetscCalloc3(36 * n, &s->flexibility, 6 * n, &s->body_free, 6 * n, &s->body_push);
}

/* d += C f */
static void give_way(const PetscReal C[36], const PetscReal f[6], PetscReal d[6])
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) d[i] += C[6 * i + j] * f[j];
}

/* A body in statics: only a weak spring to its present place holds it, so that forces alone decide where it goes. */
static void free_resting(CrCones *s, PetscInt b)
{
  const CrPartner *p = &s->contact->work->partners[b];
  PetscReal        stiff = CrPartnerWeight(s->contact, b), *C = s->flexibility + 36 * b;

  for (int i = 0; i < 36; i++) C[i] = 0;
  for (int i = 0; i < 6; i++) {
    PetscReal contact = i < 3 ? p->force[i] : p->torque[i - 3];

    if (p->is_free[i]) C[7 * i] = 1 / (i < 3 ? stiff : stiff * PetscSqr(p->shape->reach));
    s->body_free[6 * b + i] = p->is_free[i] ? C[7 * i] * (p->residual[i] - contact) : 0;
  }
}

void CrConesMoveBodies(CrCones *s)
{
  CrContact *c = s->contact;
  PetscReal  change[6];

  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    if (!c->work->partners[b].rests) continue;
    for (int i = 0; i < 6; i++)
      change[i] = s->body_free[6 * b + i] + (s->n ? s->body_push[6 * b + i] : 0);
    CrPartnerMove(c, b, change);
  }
}

void CrConesHaltBodies(CrCones *s)
{
  CrContact *c = s->contact;

  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++)
    if (c->work->partners[b].rests) CrPartnerMove(c, b, NULL);
}

PetscBool CrConesMovesBodies(const CrCones *s)
{
  return s->contact->model->rigid->n && s->contact->model->quasi_static;
}

PetscReal CrConesImbalance(CrCones *s)
{
  CrContact *c = s->contact;
  PetscReal  most = 0;

  if (!CrConesMovesBodies(s)) return 0;
  c->work->unheld = -1;
  for (PetscInt b = 0; b < c->model->rigid->n; b++) {
    const CrPartner *p = &c->work->partners[b];
    PetscReal size = PetscMax(v_length(p->residual), v_length(p->residual + 3) / p->shape->reach);

    if (size > most) c->work->unheld = b;
    most = PetscMax(most, size);
  }
  return most;
}

PetscBool CrConesFreeBodies(CrCones *s)
{
  CrContact *c = s->contact;

  for (PetscInt b = 0; c->work->partners && b < c->model->rigid->n; b++) {
    const CrPartner *p = &c->work->partners[b];
    PetscReal        f[6], *C = s->flexibility + 36 * b, *d = s->body_free + 6 * b;

    if (p->rests) {
      free_resting(s, b);
      continue;
    }
    if (!CrPartnerDifferentiate(c, b, &s->at)) return PETSC_FALSE;
    for (int i = 0; i < 36; i++) C[i] = -p->K[i];
    for (int i = 0; i < 6; i++) {
      f[i] = i < 3 ? -p->force[i] : -p->torque[i - 3];
      d[i] = 0;
    }
    give_way(C, f, d);
  }
  return PETSC_TRUE;
}

/* Where edges cross, the forces act on the two corners of the body's edge. */
static void edge_lever(const CrCones *s, const CrTouch *touch, const PetscReal *op,
                       PetscReal lever[6])
{
  PetscReal arm[2][3], torque[3];
  PetscInt  first = CrEdgeArms(s->contact, touch, arm);

  for (int i = 0; i < 6; i++) lever[i] = 0;
  for (PetscInt a = 0; a < 2; a++) {
    v_cross(arm[a], op + 3 * (first + a), torque);
    v_add(lever, 1, op + 3 * (first + a));
    v_add(lever + 3, 1, torque);
  }
}

void CrConesLever(const CrCones *s, const CrTouch *touch, PetscInt i, PetscReal lever[6])
{
  const CrPass    *pass = &s->contact->passes[touch->pass];
  const PetscReal *b = i ? touch->k.e[i - 1] : touch->k.nu;
  PetscReal        side = pass->ops->slave->is_node ? -1 : 1;

  if (CrPassHasEdges(pass)) {
    edge_lever(s, touch, i ? touch->k.H[i - 1] : touch->k.G, lever);
    return;
  }
  v_cross(touch->arm, b, lever + 3);
  for (int j = 0; j < 3; j++) {
    lever[j] = side * b[j];
    lever[3 + j] *= side;
  }
}

void CrConesTraction(const CrCones *s, CrTouch *touch)
{
  const PetscReal *t = touch->out.t, *e = touch->k.e[0], *f = touch->k.e[1];
  PetscReal        a = v_dot(e, e), b, d, det;

  for (int i = 0; i < 3; i++) touch->traction[i] = 0;
  if (touch->idle) return; /* its tangents are not known */
  if (s->contact->model->dim == 2) {
    v_add(touch->traction, t[0] / a, e);
    return;
  }
  b = v_dot(e, f);
  d = v_dot(f, f);
  det = a * d - b * b;
  v_add(touch->traction, (d * t[0] - b * t[1]) / det, e);
  v_add(touch->traction, (a * t[1] - b * t[0]) / det, f);
}

PetscReal CrConesByBody(const CrCones *s, const CrTouch *touch, PetscInt i, const PetscReal *change)
{
  PetscInt  body = CrConesBody(s, touch);
  PetscReal lever[6];

  if (body < 0) return 0;
  CrConesLever(s, touch, i, lever);
  return v_dot_n(6, lever, change + 6 * body);
}

PetscReal CrConesBodyWay(const CrCones *s, const CrTouch *touch, PetscInt i)
{
  const CrPartner *p = &s->contact->work->partners[CrConesBody(s, touch)];
  PetscReal        lever[6], spin[3], way[6], h = s->contact->work->h;

  m_times(p->start.R, p->Om0, spin);
  for (int j = 0; j < 3; j++) {
    way[j] = p->move[j] - h * p->v0[j] / 2;
    way[3 + j] = p->turn[j] - h * spin[j] / 2;
  }
  CrConesLever(s, touch, i, lever);
  return v_dot_n(6, lever, way);
}

void CrConesAddBody(const CrCones *s, const CrConesOperators *by, const CrConesOperators *of,
                    PetscInt pad, PetscReal *w)
{
  PetscInt dim = s->contact->model->dim;

  if (by->body < 0 || by->body != of->body) return;
  for (PetscInt c = 0; c < dim; c++) {
    PetscReal d[6] = {0};

    give_way(s->flexibility + 36 * by->body, by->lever[c], d);
    for (PetscInt i = 0; i < dim; i++) w[i * pad + c] += v_dot_n(6, of->lever[i], d);
  }
}

void CrConesPushBodies(CrCones *s)
{
  const CrConesOperators *all = s->operators;
  PetscInt                dim = s->contact->model->dim;

  for (PetscInt k = 0; k < 6 * s->contact->model->rigid->n; k++) s->body_push[k] = 0;
  for (PetscInt l = 0; l < s->n; l++)
    for (PetscInt i = 0; all[l].body >= 0 && i < dim; i++) {
      PetscReal f[6];

      for (int j = 0; j < 6; j++) f[j] = s->r[l * dim + i] * all[l].lever[i][j];
      give_way(s->flexibility + 36 * all[l].body, f, s->body_push + 6 * all[l].body);
    }
}
