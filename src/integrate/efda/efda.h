/* The engines of efda, which compute its steps. choose.c picks the engine for a model. */
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
  /* Takes a step of size h. If *good, `state` is at the end of the step; else it does not change. *work are the works
     of the step, borrowed. */
  PetscErrorCode (*step)(void *engine, CrState *state, PetscReal h, const EfdaWork **work,
                         PetscBool *good);
  /* The greatest overlap of bodies in `state`. */
  PetscErrorCode (*deepest)(void *engine, const CrState *state, PetscReal *depth);
  PetscErrorCode (*archive)(void *engine, CrArchive *archive);
  PetscErrorCode (*resume)(void *engine);
};

/* The engines: impacts resolved in time; whole steps of balls under one common acceleration; whole steps of any
   bodies. */
extern const EfdaEngineOps EfdaFew, EfdaCrowdOfBalls, EfdaCrowdOfShapes;

/* Chooses the engine for a model: the one that the deck names or, with `auto`, by number and shape of the
   bodies. */
PetscErrorCode EfdaChoose(const CrDeckNode *word, const EfdaOptions *options, const CrModel *model,
                          const EfdaEngineOps **ops);
