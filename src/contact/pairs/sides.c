/* Sides that `between` may name: bodies, their surfaces, copies of rigid bodies, obstacles. */
#include <string.h>
#include "contact/pairs/pairs.h"

static PetscErrorCode unknown_name(const CrContact *c, const CrDeckNode *node)
{
  const char *names[128];
  char        hint[CR_HINT];
  PetscInt    n = 0;

  for (PetscInt b = 0; b < c->model->nbodies && n < 128; b++) names[n++] = c->model->bodies[b].name;
  for (PetscInt g = 0; g < c->model->rigid->ngroups && n < 128; g++)
    names[n++] = c->model->rigid->groups[g].name;
  for (PetscInt o = 0; o < c->nobstacles && n < 128; o++) names[n++] = c->obstacles[o].name;
  return CrDeckError(node, "no body or obstacle is called \"%s\"%s", CrDeckText(node),
                     CrNameHint(CrDeckText(node), n, names, "", hint));
}

/* Refuses names such as "floor.top", if "floor" is an obstacle. */
static PetscErrorCode check_alone(const CrContact *c, const CrDeckNode *node)
{
  const char *text = CrDeckText(node), *dot = strchr(text, '.');

  PetscFunctionBeginUser;
  for (PetscInt o = 0; dot && o < c->nobstacles; o++)
    if (strlen(c->obstacles[o].name) == (size_t)(dot - text) &&
        !strncmp(c->obstacles[o].name, text, (size_t)(dot - text)))
      CrDeckFail(
          node,
          "\"%s\" is an obstacle and has no named surfaces: give only the name of the obstacle",
          c->obstacles[o].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds a side such as "ball.3": one of the bodies that `repeat` made from an entry. */
static PetscErrorCode find_copy(const CrContact *c, const CrDeckNode *node, CrSide *side)
{
  const CrRigid      *r = c->model->rigid;
  const CrRigidGroup *group;
  const char         *text = CrDeckText(node), *dot = strchr(text, '.');
  PetscInt            g = dot ? CrIndexFind(r->names, text, (size_t)(dot - text)) : -1;
  char               *end;
  long                number;

  PetscFunctionBeginUser;
  if (g < 0) PetscFunctionReturn(PETSC_SUCCESS);
  group = &r->groups[g];
  if (group->n == 1)
    CrDeckFail(node, "\"%s\" is one rigid body without copies: give only the name of the body",
               group->name);
  number = strtol(dot + 1, &end, 10);
  if (!strchr("0123456789", dot[1]) || !dot[1] || *end || number >= group->n)
    CrDeckFail(node, "the copies of \"%s\" are %s.0 to %s.%" PetscInt_FMT, group->name, group->name,
               group->name, group->n - 1);
  side->rigid = g + 1;
  side->copy = group->first + (PetscInt)number + 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSideFind(const CrContact *c, const CrDeckNode *node, CrSide *side)
{
  const CrModel    *model = c->model;
  const char       *text = CrDeckText(node);
  const CrModelSet *set;

  PetscFunctionBeginUser;
  *side = (CrSide){NULL, -1, -1, 0, 0};
  for (PetscInt o = 0; o < c->nobstacles; o++)
    if (!strcmp(c->obstacles[o].name, text)) side->obstacle = &c->obstacles[o];
  if (side->obstacle) PetscFunctionReturn(PETSC_SUCCESS);
  side->rigid = 1 + CrIndexFindName(model->rigid->names, text);
  if (!side->rigid) PetscCall(find_copy(c, node, side));
  if (side->rigid) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(check_alone(c, node));
  if (CrIndexFindName(model->body_names, text) < 0 && !strchr(text, '.'))
    PetscFunctionReturn(unknown_name(c, node));
  PetscCall(CrModelFindSet(model, node, &side->body, &set));
  if (set && !set->is_surface)
    CrDeckFail(node, "\"%s\" has nodes but no facets, so it cannot be in contact", text);
  side->set = set ? (PetscInt)(set - model->sets) : CrModelBoundary(model, side->body);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *CrSideName(const CrContact *c, const CrSide *side)
{
  if (side->obstacle) return side->obstacle->name;
  return side->rigid ? c->model->rigid->groups[side->rigid - 1].name
                     : c->model->bodies[side->body].name;
}

PetscBool CrSideLeads(const CrContact *c, const CrSide *side, const CrSide *other,
                      PetscBool reversed)
{
  return side->body == other->body ? !reversed
                                   : strcmp(CrSideName(c, side), CrSideName(c, other)) < 0;
}
