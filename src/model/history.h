/* The contact history: the data of contact that are kept from step to step. The history is part of the state: a step
   reads it, and it is written only when a step is accepted. A contact point is a slave in one pass (contact/pass.h). */
#pragma once

#include "base/archive.h"
#include "model/impulses.h"

typedef struct CrContactHistory CrContactHistory;
struct CrContactHistory {
  PetscInt npoints, npairs, nslides;
  PetscInt width; /* numbers that the method remembers for each point */
  /* Points divided among the ranks: what this rank gives to a checkpoint, and needs from one (CrContactCollect). */
  CrRows rows;
  /* points; all arrays are owned. Only those of this rank's points are in use (contact/division.h). */
  PetscReal *gd;   /* [npoints] dynamic gap; negative: pressed */
  PetscReal *eta;  /* [2 npoints] elastic slip in the tangents of `facet` */
  PetscReal *slip; /* [3 npoints] sum of the slip while pressed, in space */
  PetscReal        *
      overlap; /* [npoints] real gap at the start, where the bodies overlapped. A positive one belongs to the
                         curves that facets stand for */
  PetscReal *press; /* [npoints] <= 0: the part of the overlap that `overlap: resolve` pushes out */
  /* [4 npoints] laws at the end of a step: force on the slave, and weight times pressure */
  PetscReal *pushed;
  /* [npoints] share of the area that belongs to a point, fixed at its first touch */
  PetscReal *share;
  PetscReal *method;  /* [width npoints] multipliers */
  PetscInt  *facet;   /* [npoints] of the last step; walls: axis of the tangents; -1: not tracked */
  PetscInt  *touched; /* [npoints] 1: was pressed at some time */
  /* pairs */
  PetscReal *loss; /* [npairs] energy lost to friction since the start */
  PetscInt  *met;  /* [npairs] 1: was pressed in some step */
  CrImpulses impulses;
  /* rigid bodies that are slaves of a pair */
  PetscReal *slides; /* [3 nslides] sum of the slip while pressed, in space */
  PetscInt  *slid;   /* [nslides] 1: has touched */
  PetscReal  stored; /* energy in the springs */
  PetscInt   begun;  /* 1: a step was accepted, so overlaps of the start are known */
};

/* The history in the form in which a step reads it: all arrays are constant. */
typedef struct {
  const PetscReal  *gd, *eta, *slip, *overlap, *press, *pushed, *share, *method, *loss, *slides;
  const PetscInt   *facet, *touched, *met, *slid, *begun;
  const CrImpulses *impulses;
} CrContactPast;

PetscErrorCode CrHistoryCreate(PetscInt npoints, PetscInt npairs, PetscInt nslides,
                               CrContactHistory **history);
/* The method gets `width` numbers for each point, which are zero at first. */
PetscErrorCode CrHistoryWiden(CrContactHistory *history, PetscInt width);
CrContactPast  CrHistoryLook(const CrContactHistory *history);
PetscErrorCode CrHistoryDestroy(CrContactHistory **history);
PetscErrorCode CrHistoryArchive(CrContactHistory *history, CrArchive *archive);
