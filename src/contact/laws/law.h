/* A contact law is evaluated at one contact point. The input of the law is the increments of gap and slip, and the
   history of the point. The output is pressure, traction, their derivatives, and the new history. A law computes no
   geometry. The members where, slip, facet and memory of CrContactLaw say in which configuration and on which facet
   its input is measured, and what its history contains. */
#pragma once

#include "base/base.h"

typedef enum {
  CR_OPEN = 0,
  CR_STICKING = 1,
  CR_SLIPPING = 2,
  CR_SMOOTH = 3 /* pressed, and the pair has no friction */
} CrContactStatus;

typedef struct {
  PetscInt  ntangents;  /* 1 in 2D, 2 in 3D */
  PetscReal kn, kt, mu; /* normal and tangential penalty, friction coefficient */
  PetscReal gd0;        /* dynamic gap at t_n */
  PetscReal eta0[2]; /* elastic slip at t_n: components along the tangents of the current facet */
  /* A ramp removes the penetration that exists at the start. These are the parts (<= 0) removed until t_n and until
     t_{n+1}. Their difference changes the dynamic gap. */
  PetscReal shift0, shift1;
  PetscReal gap0; /* real gap at t_n */
  /* real gap at t_{n+1}; set only if the law's `facet` requires it (CrLawAsk) */
  PetscReal gap1;
  PetscReal ln, lt[2]; /* multipliers of an augmented law, normal and tangential */
  PetscBool rests;     /* laws with `bounces`: the point no longer bounces, and springs hold it */
  /* Real gap in the configuration of the operators. A penetration that exists at the start and stays counts as a gap of
     zero. */
  PetscReal gap;
  PetscReal dg;    /* increment of the gap, G . Du */
  PetscReal ds[2]; /* increment of the slip, H . (increment by which the method measures slip) */
  /* With CR_SLIP_ALONG: reference length of the facet divided by its current length. kt already contains this factor.
     Else 1. */
  PetscReal metric;
  /* For steady laws: state of the point in the last Newton iteration. In the first iteration, all members below are
     zero except `loose`. */
  PetscBool       loose; /* a point exactly at the limit of friction counts as slipping */
  PetscBool       held;  /* the gap is open, but the linear model of the last iteration closes it */
  CrContactStatus last;  /* state of the point in the last iteration */
  PetscReal       last_way[2]; /* direction of slip in the last iteration, of any length */
} CrLawInput;

typedef struct {
  CrContactStatus status;
  PetscReal       p, t[2]; /* pressure >= 0; the friction traction on the slave is -t */
  PetscReal       p_gap1;  /* derivative of p by gap1 */
  PetscReal loss; /* laws without springs: friction loss of the step, per weight of the point */
  /* For the method velocity-update. owed (<= 0): the work of contact on the bodies in the step, without friction loss
     and spring energy. bounces: an impulse at the end of the step gives this energy back to the bodies. */
  PetscReal owed;
  PetscBool bounces;
  PetscBool closes;       /* new contact: the pressure makes the gap at the end of the step zero */
  PetscReal p_dg, p_gap;  /* derivatives of p by dg and by gap */
  PetscReal t_ds[2][2];   /* derivatives of t by ds, at constant p */
  PetscReal t_p[2];       /* derivatives of t by p */
  PetscReal gd1, eta1[2]; /* new history: dynamic gap and elastic slip at t_{n+1} */
  /* Steady laws: the point keeps the state of the last iteration although the law at the present gap and slip says
     otherwise. Newton's method must continue. */
  PetscBool unsettled;
} CrLawOutput;

/* The configuration in which the operators G and H are computed: middle or end of the step. */
typedef enum { CR_WHERE_MIDDLE, CR_WHERE_END } CrLawWhere;
/* How slip is measured. SPACE: slip is the increment of the relative displacement in space, with the operators G and H
   of one configuration. ALONG (2D): the motion of the closest point along the reference shape of the master, from the
   last configuration of the operators to this one. MEAN: the increment in space, with the mean of the operators at t_n
   and in the configuration; it is of second order. */
typedef enum { CR_SLIP_SPACE, CR_SLIP_ALONG, CR_SLIP_MEAN } CrLawSlip;
/* The facet on which the gap at t_{n+1} is measured. NONE: the law does not use the gap at t_{n+1}. SAME: the facet of
   the operators. OWN: the closest facet at t_{n+1}, which may differ from the facet of the operators. END: the closest
   facet at t_{n+1}, which the operators use too. */
typedef enum { CR_FACET_NONE, CR_FACET_SAME, CR_FACET_OWN, CR_FACET_END } CrLawFacet;
/* The data that a contact point stores from step to step. DYNAMIC: a spring whose compression is the dynamic gap. REAL:
   a spring whose compression is the real gap. FORCES: pressure and traction, stored as the stretches -p/kn and t/kt,
   without energy. NONE: only the real gap. */
typedef enum { CR_MEMORY_DYNAMIC, CR_MEMORY_REAL, CR_MEMORY_FORCES, CR_MEMORY_NONE } CrLawMemory;

/* A law with its constants. The method copies it from the registry, and gives the copy to CrContactStep. */
typedef struct CrContactLaw CrContactLaw;
struct CrContactLaw {
  const char *name, *help;
  CrLawWhere  where;
  CrLawSlip   slip;
  CrLawFacet  facet;
  CrLawMemory memory;
  /* A new contact is first in the state "bounces" and later in the state "rests on springs" (theory 16.5). The number
     that the method stores in the history is positive for points that rest. */
  PetscBool bounces;
  PetscBool exact; /* the law has pressure at zero gap, without penetration */
  /* The state of a point also depends on the linear model of the last Newton iteration, so that Newton's method
     converges without inertia (theory 9.3). */
  PetscBool steady;
  PetscReal theta; /* weight of the end of the step in the friction law */
  PetscReal onset; /* midpoint: part of the slip that counts in the first step of a contact */
  PetscBool reset; /* after a slip step the tangential spring starts again without stretch */
  void (*evaluate)(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
  PetscReal (*potential)(PetscReal kn,
                         PetscReal gap); /* energy of the normal spring; NULL: there is none */
};

#define CR_LAW(name) extern const CrContactLaw CrLaw_##name;
#include "contact/laws/registry.def"
#undef CR_LAW

/* Returns the k-th law in the order of the registry; NULL after the last. */
const CrContactLaw *CrLawAt(PetscInt k);

/* Computes Coulomb friction, for the laws: trial traction kt (eta0 + theta ds), then radial return to mu p. out->p
   must be set. The function sets status, t and the derivatives of t. */
void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out);
/* Computes the elastic slip at the end of the step by the mid-point rule. Call it after CrCoulomb. Needs out->gd1. */
void CrSpringReturn(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
/* Does the same as CrCoulomb with theta = 1, for the quasi-static (steady) law. The state of the point also depends on
   the last Newton iteration. */
void CrCoulombSteady(const CrLawInput *in, CrLawOutput *out);
/* Returns the energy kn/2 gap^2 of a linear contact spring; zero if the gap is open. */
PetscReal CrQuadraticPotential(PetscReal kn, PetscReal gap);
/* Evaluates a linear penalty on the gap in->gap, with Coulomb friction. Several laws use this function. */
void CrPlainPenalty(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
/* Returns the state of a contact from the sizes of its normal and tangential force. The tolerance that distinguishes
   stick from slip is defined in this function only. */
CrContactStatus CrCoulombStatus(PetscReal friction, PetscReal normal, PetscReal tangential);
