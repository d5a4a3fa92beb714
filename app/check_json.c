/* The options --json and --preview of `carom check`; the editor uses --preview. Nodes have the numbers of the film
   (report/film.h). */
#include "app/check.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "contact/contact.h"
#include "mesh/mesh.h"
#include "report/json.h"
#include "report/report.h"

typedef struct {
  const CrRun *run;
  CrFrame      frame;
  CrFilm      *film;   /* owned */
  PetscInt    *number; /* of the frame's points in the film; -1: inside; owned */
} Preview;

static PetscErrorCode make_film(Preview *p)
{
  CrFrame    *f = &p->frame;
  CrFilmCells cells;

  PetscFunctionBeginUser;
  PetscCall(CrOutputFrame(p->run->output, p->run->model, p->run->state, f));
  cells = (CrFilmCells){f->npoints, f->ncells, f->types,  f->offsets + 1, f->nodes,
                        f->bodies,  f->parts,  f->points, f->velocity};
  PetscCall(CrFilmOf(p->run->model->dim, &cells, &p->film));
  PetscCall(PetscMalloc1(f->npoints, &p->number));
  for (PetscInt A = 0; A < f->npoints; A++) p->number[A] = -1;
  for (PetscInt k = 0; k < p->film->nnodes; k++) p->number[p->film->node[k]] = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- words ---------------------------------------------------------------------------------- */

static PetscErrorCode add_object(cJSON *list, cJSON **object)
{
  PetscFunctionBeginUser;
  *object = cJSON_CreateObject();
  PetscCall(CrJsonAdd(list, NULL, *object));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_list(cJSON *object, const char name[], cJSON **list)
{
  PetscFunctionBeginUser;
  *list = cJSON_CreateArray();
  PetscCall(CrJsonAdd(object, name, *list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Film numbers of local nodes; those inside a body are left out. */
static PetscErrorCode add_nodes(const Preview *p, cJSON *object, PetscInt n, const PetscInt nodes[])
{
  cJSON *list;

  PetscFunctionBeginUser;
  PetscCall(add_list(object, "nodes", &list));
  for (PetscInt k = 0; k < n; k++) {
    PetscInt A = p->number[p->run->model->natural[nodes[k]]];

    if (A >= 0) PetscCall(CrJsonAdd(list, NULL, cJSON_CreateNumber((double)A)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Facets as lists of corners. */
static PetscErrorCode add_facet(const Preview *p, cJSON *list, PetscInt n, const PetscInt corners[])
{
  cJSON *facet = cJSON_CreateArray();

  PetscFunctionBeginUser;
  PetscCall(CrJsonAdd(list, NULL, facet));
  for (PetscInt i = 0; i < n; i++)
    PetscCall(CrJsonAdd(facet, NULL,
                        cJSON_CreateNumber((double)p->number[p->run->model->natural[corners[i]]])));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_body(cJSON *list, const char name[], PetscReal elements, PetscReal mass,
                               const char material[], const PetscReal x[3], const PetscReal v[3])
{
  cJSON *object;

  PetscFunctionBeginUser;
  PetscCall(add_object(list, &object));
  PetscCall(CrJsonAddText(object, "name", name));
  PetscCall(CrJsonAddReal(object, "elements", elements));
  PetscCall(CrJsonAddReal(object, "mass", mass));
  PetscCall(CrJsonAddText(object, "material", material));
  PetscCall(CrJsonAddReals(object, "centre", 3, x));
  PetscCall(CrJsonAddReals(object, "velocity", 3, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_bodies(const Preview *p, cJSON *root)
{
  const CrModel      *model = p->run->model;
  const CrRigidState *rigid = p->run->state->rigid;
  cJSON              *list;

  PetscFunctionBeginUser;
  PetscCall(add_list(root, "bodies", &list));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    const CrBody *body = &model->bodies[b];
    PetscReal     v[3] = {0}, x[3] = {0};

    for (PetscInt k = 0; k < 3 * body->nnodes; k++) {
      v[k % 3] += p->frame.velocity[3 * body->first_node + k] / (PetscReal)body->nnodes;
      x[k % 3] += p->frame.points[3 * body->first_node + k] / (PetscReal)body->nnodes;
    }
    PetscCall(add_body(list, body->name, body->ncells, body->mass, body->material->name, x, v));
  }
  for (PetscInt b = 0; b < model->rigid->n; b++) {
    char name[96];

    CrRigidName(model->rigid, b, name);
    PetscCall(add_body(list, name, 0, model->rigid->mass[b], "rigid", rigid->x + 3 * b,
                       rigid->v + 3 * b));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_surfaces(const Preview *p, cJSON *root)
{
  const CrModel *model = p->run->model;
  cJSON         *list, *object, *facets;

  PetscFunctionBeginUser;
  PetscCall(add_list(root, "surfaces", &list));
  for (PetscInt s = 0; s < model->nsets; s++) {
    const CrModelSet *set = &model->sets[s];

    if (!set->is_surface || !strcmp(set->name, "boundary")) continue;
    PetscCall(add_object(list, &object));
    PetscCall(CrJsonAddText(object, "name", set->name));
    PetscCall(CrJsonAddReal(object, "body", set->body));
    PetscCall(add_list(object, "facets", &facets));
    for (PetscInt f = 0; f < set->nfacets; f++)
      PetscCall(add_facet(p, facets, CrCells[set->facets[f].type].ncorners, set->facets[f].nodes));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_conditions(const Preview *p, cJSON *root)
{
  static const char *const kinds[] = {
      [CR_FIX] = "fix",        [CR_DISPLACEMENT] = "displacement", [CR_MOTION] = "motion",
      [CR_DEAD_LOAD] = "load", [CR_PRESSURE] = "pressure",         [CR_GRAVITY] = "gravity"};
  const CrModel *model = p->run->model;
  cJSON         *list, *object;

  PetscFunctionBeginUser;
  PetscCall(add_list(root, "conditions", &list));
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];
    PetscReal          v[3] = {0};

    PetscCall(add_object(list, &object));
    PetscCall(CrJsonAddText(object, "kind", kinds[c->kind]));
    for (PetscInt i = 0; i < model->dim; i++)
      v[i] = c->kind <= CR_MOTION ? (c->held[i] ? 1 : 0) : c->value[i];
    if (c->kind == CR_DEAD_LOAD) /* the sum of the nodes' forces */
      for (PetscInt i = 0; i < model->dim; i++) {
        v[i] = 0;
        for (PetscInt A = 0; A < c->nnodes; A++) v[i] += c->load[model->dim * A + i];
      }
    PetscCall(CrJsonAddReals(object, "value", 3, v));
    PetscCall(add_nodes(p, object, c->nnodes, c->nodes));
    if (c->kind == CR_PRESSURE) {
      cJSON *facets;

      PetscCall(add_list(object, "facets", &facets));
      for (PetscInt f = 0; f < c->nfacets; f++)
        PetscCall(add_facet(p, facets, CrCells[c->facets[f].type].ncorners, c->facets[f].nodes));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_side(const Preview *p, cJSON *object, const char name[],
                               const CrSurface *surface)
{
  cJSON *facets;

  PetscFunctionBeginUser;
  PetscCall(add_list(object, name, &facets));
  for (PetscInt f = 0; surface && f < surface->nfacets; f++)
    PetscCall(add_facet(p, facets, surface->ncorners[f], surface->corners + 4 * f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_pairs(const Preview *p, cJSON *root)
{
  const CrContact *contact = p->run->contact;
  cJSON           *list, *object;

  PetscFunctionBeginUser;
  PetscCall(add_list(root, "pairs", &list));
  for (PetscInt k = 0; contact && k < contact->npasses; k++) {
    const CrPass *pass = &contact->passes[k];

    if (pass->wall) continue; /* one entry per pair */
    if (pass->reversed && contact->pairs[pass->pair].slaves != CR_SLAVES_BODY) continue;
    PetscCall(add_object(list, &object));
    PetscCall(CrJsonAddText(object, "name", contact->pairs[pass->pair].name));
    PetscCall(CrJsonAddReal(object, "friction", contact->pairs[pass->pair].friction));
    if (pass->obstacle) PetscCall(CrJsonAddText(object, "obstacle", pass->obstacle->name));
    PetscCall(add_side(p, object, "slave", pass->slave));
    PetscCall(add_side(p, object, "master", pass->master));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe(const Preview *p, cJSON *root)
{
  const CrRun *run = p->run;
  cJSON       *deck;
  PetscReal    critical;

  PetscFunctionBeginUser;
  PetscCall(CrModelCriticalStep(run->model, NULL, NULL, &critical));
  PetscCall(CrJsonAddText(root, "method", run->integrator->ops->name));
  PetscCall(CrJsonAddReal(root, "steps", run->schedule.total));
  PetscCall(CrJsonAddReal(root, "end", run->schedule.t_end));
  PetscCall(CrJsonAddReal(root, "critical_step", critical));
  PetscCall(CrJsonAddReal(root, "mass", run->model->total_mass));
  PetscCall(add_bodies(p, root));
  PetscCall(add_surfaces(p, root));
  PetscCall(add_conditions(p, root));
  PetscCall(add_pairs(p, root));
  PetscCall(CrJsonOfDeck(CrDeckRoot(run->deck), &deck));
  PetscCall(CrJsonAdd(root, "deck", deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the numbered nodes are: what the film says to the editor. */
static PetscErrorCode add_points(const Preview *p, cJSON *root)
{
  cJSON *list;

  PetscFunctionBeginUser;
  PetscCall(add_list(root, "points", &list));
  for (PetscInt k = 0; k < p->film->nnodes; k++) {
    cJSON *x = cJSON_CreateArray();

    PetscCall(CrJsonAdd(list, NULL, x));
    for (PetscInt i = 0; i < p->run->model->dim; i++)
      PetscCall(CrJsonAdd(x, NULL, cJSON_CreateNumber(p->frame.points[3 * p->film->node[k] + i])));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print(cJSON *root)
{
  char *text = cJSON_PrintUnformatted(root);

  PetscFunctionBeginUser;
  cJSON_Delete(root);
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory");
  puts(text);
  free(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCheckMistake(void)
{
  const char *said = CrErrorMessage();
  cJSON      *root = cJSON_CreateObject();
  char        file[1024];
  int         line, column;

  PetscFunctionBeginUser;
  PetscCheck(root, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory");
  PetscCall(CrJsonAdd(root, "good", cJSON_CreateFalse()));
  if (sscanf(said, "%1023[^:]:%d:%d: ", file, &line, &column) == 3) {
    PetscCall(CrJsonAddText(root, "file", file));
    PetscCall(CrJsonAddReal(root, "line", line));
    PetscCall(CrJsonAddReal(root, "column", column));
  }
  PetscCall(CrJsonAddText(root, "message", said));
  PetscCall(print(root));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCheckJson(const CrRun *run, PetscBool preview)
{
  Preview     p = {.run = run};
  cJSON      *root = cJSON_CreateObject();
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(run->model->comm, &size));
  if (size > 1) CrInputFail("check --json can run only on one process");
  PetscCheck(root, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory");
  PetscCall(make_film(&p));
  if (!preview) PetscCall(CrJsonAdd(root, "good", cJSON_CreateTrue()));
  PetscCall(describe(&p, root));
  if (preview)
    PetscCall(CrReportStreamPreview(p.film, root, stdout));
  else {
    PetscCall(add_points(&p, root));
    PetscCall(print(root));
  }
  PetscCall(CrFilmDestroy(&p.film));
  PetscCall(PetscFree(p.number));
  PetscFunctionReturn(PETSC_SUCCESS);
}
