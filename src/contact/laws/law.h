/* Contact laws, which are evaluated at one contact point. The input of a law is the increments of gap and slip, and the
   history of the point. The output is pressure, traction, their derivatives, and the new history. A law computes no
   geometry. The members `where`, `slip` and `facet` of CrContactLaw say in which configuration and on which facet the
   input is measured. The member `memory` says what the history contains. */
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
  PetscReal kn, kt, mu; /* normal and tangential penalty stiffness, friction coefficient */
  PetscReal gd0;        /* dynamic gap at t_n */
  PetscReal eta0[2];    /* elastic slip at t_n, along the tangents of the current facet */
  /* The penetration that exists at the start of the run may be removed gradually. shift0 and shift1 (<= 0) are the
     parts removed until t_n and until t_{n+1}. Their difference changes the dynamic gap. */
  PetscReal shift0, shift1;
  PetscReal gap0; /* real gap at t_n */
  /* real gap at t_{n+1}; set only if the member `facet` of the law is not CR_FACET_NONE (CrLawAsk) */
  PetscReal gap1;
  PetscReal ln, lt[2]; /* normal and tangential multipliers of the augmented Lagrangian law */
  PetscBool rests;     /* laws with `bounces`: the point rests on springs and no longer bounces */
  /* Real gap in the configuration of the operators G and H. A penetration that exists at the start of the run and is
     not removed counts as a gap of zero. */
  PetscReal gap;
  PetscReal dg;    /* increment of the gap in the step, G . Du */
  PetscReal ds[2]; /* increment of the slip in the step: H . (CrContactStep.slide) */
  /* With CR_SLIP_ALONG: reference length of the facet divided by its current length. kt already contains this factor.
     Otherwise 1. */
  PetscReal metric;
  /* For steady laws, the members below describe the point in the last Newton iteration. In the first iteration these
     members are zero, except `loose`. */
  PetscBool       loose; /* a point exactly at the limit of friction counts as slipping */
  PetscBool       held;  /* the gap is open, but closed in the linear model of the last iteration */
  CrContactStatus last;  /* state of the point in the last iteration */
  /* direction of slip in the last iteration; its length has no meaning */
  PetscReal last_way[2];
} CrLawInput;

typedef struct {
  CrContactStatus status;
  PetscReal       p, t[2]; /* pressure >= 0; the friction traction on the slave is -t */
  PetscReal       p_gap1;  /* derivative of p with respect to gap1 */
  PetscReal       loss; /* laws without springs: friction loss of the step / weight of the point */
  /* For the method velocity-update. owed (<= 0): work of contact on the bodies in the step, without friction loss and
     spring energy. bounces: true if an impulse at the end of the step gives the energy `owed` back to the bodies. */
  PetscReal owed;
  PetscBool bounces;
  PetscBool closes;       /* new contact: the pressure is such that the gap at t_{n+1} is zero */
  PetscReal p_dg, p_gap;  /* derivatives of p with respect to dg and gap */
  PetscReal t_ds[2][2];   /* derivatives of t with respect to ds, at constant p */
  PetscReal t_p[2];       /* derivatives of t with respect to p */
  PetscReal gd1, eta1[2]; /* new history: dynamic gap and elastic slip at t_{n+1} */
  /* Steady laws: true if the point keeps the state of the last iteration, although the present gap and slip require
     another state. Newton's method must then continue. */
  PetscBool unsettled;
} CrLawOutput;

/* The configuration in which the operators G and H are computed: the middle or the end of the step. */
typedef enum { CR_WHERE_MIDDLE, CR_WHERE_END } CrLawWhere;
/* How the slip increment is measured. SPACE: it is the tangential part of the relative displacement in the step, with
   the operators H of one configuration. ALONG (only 2D): it is the motion of the closest point along the reference
   shape of the master. This motion goes from the last configuration of the operators to the present one. MEAN: like
   SPACE, with the mean of the operators H at t_n and in the present configuration. MEAN is accurate to second order. */
typedef enum { CR_SLIP_SPACE, CR_SLIP_ALONG, CR_SLIP_MEAN } CrLawSlip;
/* The facet on which the gap at t_{n+1} is measured. NONE: the law does not use the gap at t_{n+1}. SAME: the facet of
   the operators G and H. OWN: the closest facet at t_{n+1}, which may differ from the facet of the operators. END: the
   closest facet at t_{n+1}, which is also the facet of the operators. */
typedef enum { CR_FACET_NONE, CR_FACET_SAME, CR_FACET_OWN, CR_FACET_END } CrLawFacet;
/* The data that a contact point keeps from step to step. DYNAMIC: the dynamic gap, which is the compression of the
   normal spring. REAL: the real gap, which is the compression of the normal spring. FORCES: pressure and traction,
   stored as the lengths -p/kn and t/kt, which have no energy. NONE: only the real gap. */
typedef enum { CR_MEMORY_DYNAMIC, CR_MEMORY_REAL, CR_MEMORY_FORCES, CR_MEMORY_NONE } CrLawMemory;

/* A law with its constants. The integration method copies the law from the registry, and sets CrContactStep.law to the
   copy. */
typedef struct CrContactLaw CrContactLaw;
struct CrContactLaw {
  const char *name, *help;
  CrLawWhere  where;
  CrLawSlip   slip;
  CrLawFacet  facet;
  CrLawMemory memory;
  /* True: a new contact first bounces, and later rests on springs (theory 16.5). The number that the integration method
     stores in the history of a point is positive if the point rests. */
  PetscBool bounces;
  PetscBool exact; /* pressure exists at zero gap, without penetration */
  /* True: the state of a point also depends on the linear model of the last Newton iteration. So Newton's method
     converges without inertia (theory 9.3). Such a law is called steady. */
  PetscBool steady;
  PetscReal theta; /* weight of the end of the step in the friction law */
  PetscReal onset; /* midpoint: fraction of the slip that counts in the first step of a contact */
  PetscBool reset; /* after a step with slip, the elastic slip starts again from zero */
  void (*evaluate)(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
  PetscReal (*potential)(PetscReal kn,
                         /* Returns the energy of the normal spring. NULL: there is none. */
                         PetscReal gap);
};

#define CR_LAW(name) extern const CrContactLaw CrLaw_##name;
#include "contact/laws/registry.def"
#undef CR_LAW

/* Returns the k-th law in the order of the registry; NULL after the last law. */
const CrContactLaw *CrLawAt(PetscInt k);

/* Computes Coulomb friction for the contact laws. The trial traction is kt (eta0 + theta ds). A radial return limits
   its size to mu p. out->p must be set before the call. The function sets `status`, t and the derivatives of t in
   *out. */
void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out);
/* Computes out->eta1, the elastic slip at the end of the step, by the mid-point rule. Call this function after
   CrCoulomb, when out->gd1 is set. */
void CrSpringReturn(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
/* Does the same as CrCoulomb with theta = 1, for the quasi-static (steady) law. The state of the point also depends on
   the last Newton iteration. */
void CrCoulombSteady(const CrLawInput *in, CrLawOutput *out);
/* Returns the energy kn/2 gap^2 of a linear contact spring; zero if the gap is positive. */
PetscReal CrQuadraticPotential(PetscReal kn, PetscReal gap);
/* Evaluates a linear penalty on the gap in->gap, with Coulomb friction. Several laws use this function. */
void CrPlainPenalty(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
/* Returns the state of a contact from its friction coefficient and the magnitudes of its normal and tangential force.
   Only this function defines the tolerance that distinguishes stick from slip. */
CrContactStatus CrCoulombStatus(PetscReal friction, PetscReal normal, PetscReal tangential);
