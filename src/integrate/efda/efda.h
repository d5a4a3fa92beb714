/* The engines of the time integration method `efda` for rigid bodies. An engine is an algorithm that computes a step.
   The file choose.c selects the engine for a model. */
#pragma once

#include "integrate/efda/system.h"
#include "integrate/integrator.h"

typedef struct EfdaEngineOps EfdaEngineOps;

/* The method: its options and its engine. */
typedef struct {
  EfdaOptions          options;
  const CrDeckNode    *word;   /* the value of `engine` in the deck; borrowed */
  const EfdaEngineOps *ops;    /* borrowed */
  void                *engine; /* owned */
} Efda;

struct EfdaEngineOps {
  PetscErrorCode (*create)(const EfdaOptions *options, const CrModel *model, CrContact *contact,
                           void **engine);
  PetscErrorCode (*destroy)(void *engine);
  /* Computes a step of size h. If *good is true, `state` becomes the state at the end of the step; else it does not
     change. *work gets a borrowed pointer to the works of the step. */
  PetscErrorCode (*step)(void *engine, CrState *state, PetscReal h, const EfdaWork **work,
                         PetscBool *good);
  /* Computes the greatest overlap of bodies in `state`. */
  PetscErrorCode (*deepest)(void *engine, const CrState *state, PetscReal *depth);
  PetscErrorCode (*archive)(void *engine, CrArchive *archive);
  PetscErrorCode (*resume)(void *engine);
};

/* The three engines. EfdaFew computes the time of every impact. The other two solve all contacts of a step together:
   EfdaCrowdOfBalls for balls under one common acceleration, EfdaCrowdOfShapes for bodies of any shape. */
extern const EfdaEngineOps EfdaFew, EfdaCrowdOfBalls, EfdaCrowdOfShapes;

/* Chooses the engine for a model. `word` is the engine's name in the deck. If the name is `auto`, the choice depends on
   the number and shape of the bodies. */
PetscErrorCode EfdaChoose(const CrDeckNode *word, const EfdaOptions *options, const CrModel *model,
                          const EfdaEngineOps **ops);
