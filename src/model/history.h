/* The contact history: the data of contact that are kept from step to step. The history is part of the state. A step
   reads the history, and changes it only when the step is accepted. A contact point is a slave in one contact pass, in
   which the slaves of one side meet the facets of the other side (contact/pass.h). A contact point is pressed if a
   contact force acts on it. */
#pragma once

#include "base/archive.h"
#include "model/impulses.h"

typedef struct CrContactHistory CrContactHistory;
struct CrContactHistory {
  PetscInt npoints, npairs, nslides;
  /* number of reals that the time integration method stores for each contact point */
  PetscInt width;
  /* If contact points are divided among the ranks: the numbers of the points that this rank writes to a checkpoint, or
     reads from it (CrContactCollect). */
  CrRows rows;
  /* The arrays from gd to touched have entries for all contact points; all arrays are owned. Only the entries of the
     points of this rank are used (contact/division.h). */
  /* [npoints] dynamic gap: sum of the increments of the gap; negative: the point is pressed */
  PetscReal *gd;
  PetscReal *eta; /* [2 npoints] elastic slip along the two tangents of `facet` */
  /* [3 npoints] sum of the slip vectors while the point was pressed, in space axes */
  PetscReal *slip;
  /* [npoints] gap of the point at the start of the run, if the bodies overlapped then. A positive value is the gap
     between the curved surfaces that the facets approximate. */
  PetscReal *overlap;
  /* [npoints] the part of `overlap`, <= 0, that the deck's `overlap: resolve` removes */
  PetscReal *press;
  /* [4 npoints] for contact laws that are evaluated at the end of a step: force on the slave, and its area times
     pressure */
  PetscReal *pushed;
  /* [npoints] fraction of the slave's area that carries pressure in this contact pass; constant after the first
     contact */
  PetscReal *share;
  PetscReal *method; /* [width npoints] data of the time integration method, such as multipliers */
  /* [npoints] facet that the point touched in the last step; for walls: axis that defines the tangents; -1: none */
  PetscInt *facet;
  PetscInt *touched; /* [npoints] 1: the point has been pressed at some time */
  /* data of contact pairs */
  PetscReal *loss; /* [npairs] energy lost to friction since the start */
  PetscInt  *met;  /* [npairs] 1: the pair has been pressed in some step */
  CrImpulses impulses;
  /* rigid bodies that are slaves of a pair */
  /* [3 nslides] sum of the slip vectors while the rigid body was pressed, in space axes */
  PetscReal *slides;
  PetscInt  *slid;   /* [nslides] 1: the rigid body has been pressed at some time */
  PetscReal  stored; /* energy in the penalty springs of all contact points */
  PetscInt   begun;  /* 1: a step was accepted, so that `overlap` is known */
};

/* The history in the form in which a step reads it, with constant arrays. */
typedef struct {
  const PetscReal  *gd, *eta, *slip, *overlap, *press, *pushed, *share, *method, *loss, *slides;
  const PetscInt   *facet, *touched, *met, *slid, *begun;
  const CrImpulses *impulses;
} CrContactPast;

PetscErrorCode CrHistoryCreate(PetscInt npoints, PetscInt npairs, PetscInt nslides,
                               CrContactHistory **history);
/* Allocates `width` numbers for each contact point, which the time integration method uses. These numbers are zero at
   first. */
PetscErrorCode CrHistoryWiden(CrContactHistory *history, PetscInt width);
CrContactPast  CrHistoryLook(const CrContactHistory *history);
PetscErrorCode CrHistoryDestroy(CrContactHistory **history);
PetscErrorCode CrHistoryArchive(CrContactHistory *history, CrArchive *archive);
