/* The contact history: the data of contact that are kept from step to step. The history is part of the state. A step
   reads the history, and changes it only when the step is accepted. A contact point is a slave in one pass
   (contact/pass.h). A contact point is pressed if a contact force acts on it. */
#pragma once

#include "base/archive.h"
#include "model/impulses.h"

typedef struct CrContactHistory CrContactHistory;
struct CrContactHistory {
  PetscInt npoints, npairs, nslides;
  PetscInt
      width; /* number of reals that the time integration method stores for each contact point */
  /* If points are divided among the ranks: the rows that this rank writes to a checkpoint, and reads from one
     (CrContactCollect). */
  CrRows rows;
  /* Arrays over contact points; all arrays are owned. Only the entries of this rank's points are used
     (contact/division.h). */
  PetscReal *gd;   /* [npoints] dynamic gap; negative: pressed */
  PetscReal *eta;  /* [2 npoints] elastic slip in the tangents of `facet` */
  PetscReal *slip; /* [3 npoints] sum of the slip while pressed, in space */
  /* [npoints] gap of the point at the start of the run, if the bodies overlapped then. A positive value is the gap
     between the curved surfaces that the facets approximate. */
  PetscReal *overlap;
  PetscReal *
      press; /* [npoints] the part of `overlap`, <= 0, that the deck's `overlap: resolve` removes */
  /* [4 npoints] for laws that are evaluated at the end of a step: force on the slave, and weight times pressure */
  PetscReal *pushed;
  /* [npoints] share of the area that belongs to a point, constant from its first contact on */
  PetscReal *share;
  PetscReal *method; /* [width npoints] data of the method, such as multipliers */
  PetscInt
      *facet; /* [npoints] facet of the last step; walls: axis of the tangents; -1: not tracked */
  PetscInt *touched; /* [npoints] 1: the point has been pressed at some time */
  /* pairs */
  PetscReal *loss; /* [npairs] energy lost to friction since the start */
  PetscInt  *met;  /* [npairs] 1: the pair has been pressed in some step */
  CrImpulses impulses;
  /* rigid bodies that are slaves of a pair */
  PetscReal *slides; /* [3 nslides] sum of the slip while pressed, in space */
  PetscInt  *slid;   /* [nslides] 1: the rigid body has been pressed at some time */
  PetscReal  stored; /* energy in the penalty springs of all contact points */
  PetscInt   begun;  /* 1: a step was accepted, so that `overlap` is known */
};

/* The history in the form in which a step reads it: all arrays are constant. */
typedef struct {
  const PetscReal  *gd, *eta, *slip, *overlap, *press, *pushed, *share, *method, *loss, *slides;
  const PetscInt   *facet, *touched, *met, *slid, *begun;
  const CrImpulses *impulses;
} CrContactPast;

PetscErrorCode CrHistoryCreate(PetscInt npoints, PetscInt npairs, PetscInt nslides,
                               CrContactHistory **history);
/* Allocates `width` numbers for each contact point, which the time integration method uses. They are zero at first. */
PetscErrorCode CrHistoryWiden(CrContactHistory *history, PetscInt width);
CrContactPast  CrHistoryLook(const CrContactHistory *history);
PetscErrorCode CrHistoryDestroy(CrContactHistory **history);
PetscErrorCode CrHistoryArchive(CrContactHistory *history, CrArchive *archive);
