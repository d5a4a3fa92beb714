/* The engines of efda: which one a model gets (choose.c), and what each provides. */
#pragma once

#include "integrate/efda/system.h"
#include "integrate/integrator.h"

typedef struct EfdaEngineOps EfdaEngineOps;

/* The method: what the deck says, and the engine. */
typedef struct {
  EfdaOptions          options;
  const CrDeckNode    *word;    /* `engine` of the deck; borrowed */
  CrContact           *contact; /* NULL: nothing touches; borrowed */
  const EfdaEngineOps *ops;     /* borrowed */
  void                *engine;  /* owned */
} Efda;

struct EfdaEngineOps {
  PetscErrorCode (*create)(const EfdaOptions *options, const CrModel *model, CrContact *contact,
                           void **engine);
  PetscErrorCode (*destroy)(void *engine);
  /* From `state` over h, which gets the end if *good; *work: what was done, borrowed. */
  PetscErrorCode (*step)(void *engine, CrState *state, PetscReal h, const EfdaWork **work,
                         PetscBool *good);
  /* The greatest overlap of bodies as they stand. */
  PetscErrorCode (*deepest)(void *engine, const CrState *state, PetscReal *depth);
  PetscErrorCode (*archive)(void *engine, CrArchive *archive);
  PetscErrorCode (*resume)(void *engine);
};

/* Impacts resolved in time; a whole step of balls under one acceleration; a whole step of any bodies. */
extern const EfdaEngineOps EfdaFew, EfdaCrowdOfBalls, EfdaCrowdOfShapes;

/* The engine for a model, by the word of the deck or, under `auto`, by number and shape of the bodies. */
PetscErrorCode EfdaChoose(const CrDeckNode *word, const EfdaOptions *options, const CrModel *model,
                          const EfdaEngineOps **ops);
