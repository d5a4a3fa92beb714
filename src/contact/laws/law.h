/* A contact law is scalar: from increments of gap and slip and from what is remembered it gives
   pressure, traction, their derivatives, and what would be remembered. It computes no geometry; four words say
   in which configuration and over which facets its increments are measured. */
#pragma once

#include "base/base.h"

typedef enum {
  CR_OPEN = 0,
  CR_STICKING = 1,
  CR_SLIPPING = 2,
  CR_SMOOTH = 3 /* pressed, without friction */
} CrContactStatus;

typedef struct {
  PetscInt  ntangents; /* 1 in 2D, 2 in 3D */
  PetscReal kn, kt, mu;
  PetscReal gd0;            /* dynamic gap at t_n */
  PetscReal eta0[2];        /* elastic slip at t_n, in the tangents of the facet in use */
  PetscReal shift0, shift1; /* overlap that is pushed out, so far, at t_n and t_{n+1}, <= 0; the
                               dynamic gap takes up the difference */
  PetscReal gap0;           /* real gap at t_n */
  PetscReal gap1;           /* at t_{n+1}; only if the law asks for it */
  PetscReal ln, lt[2];      /* multipliers of an augmented law */
  PetscReal gap;            /* real gap in the configuration of the operators, overlap taken off */
  PetscReal dg;             /* G . Du */
  PetscReal ds[2];          /* H . (increment that the method slips by) */
  PetscReal metric;         /* CR_SLIP_ALONG: reference over current length of the facet, with
                               which kt is taken already; else 1 */
} CrLawInput;

typedef struct {
  CrContactStatus status;
  PetscReal       p, t[2];      /* pressure >= 0; friction on the slave is -t */
  PetscReal       p_gap1;       /* derivative of p by gap1 */
  PetscReal       loss;         /* of a law without springs: friction in the step, per weight */
  PetscReal       p_dg, p_gap;  /* derivatives of p */
  PetscReal       t_ds[2][2];   /* of t by the slip increments, at constant p */
  PetscReal       t_p[2];       /* and by p */
  PetscReal       gd1, eta1[2]; /* to be remembered */
} CrLawOutput;

/* Which configuration the operators belong to. */
typedef enum { CR_WHERE_MIDDLE, CR_WHERE_END } CrLawWhere;
/* What slip is: the increment in space, or (2D) the motion of the closest point along the reference shape of the
   master, from the last configuration of the operators to this one. */
typedef enum { CR_SLIP_SPACE, CR_SLIP_ALONG } CrLawSlip;
/* Which facet gives the gap at t_{n+1}: none, because the law does not ask; that of the operators; its own, the
   nearest there; or the nearest there, which the operators take too. */
typedef enum { CR_FACET_NONE, CR_FACET_SAME, CR_FACET_OWN, CR_FACET_END } CrLawFacet;
/* What a point remembers: a spring in the dynamic gap, a spring in the real gap, or its real gap alone, since
   the law stores no energy. */
typedef enum { CR_MEMORY_DYNAMIC, CR_MEMORY_REAL, CR_MEMORY_NONE } CrLawMemory;

/* A law with its constants; the method copies it from the registry and hands it to the step. */
typedef struct CrContactLaw CrContactLaw;
struct CrContactLaw {
  const char *name, *help;
  CrLawWhere  where;
  CrLawSlip   slip;
  CrLawFacet  facet;
  CrLawMemory memory;
  PetscBool   exact; /* no penetration is needed for pressure */
  PetscReal   theta; /* weight of the end in the friction law */
  PetscBool   reset; /* where slip stops, the stick point starts again without a spring */
  void (*evaluate)(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
};

#define CR_LAW(name) extern const CrContactLaw CrLaw_##name;
#include "contact/laws/registry.def"
#undef CR_LAW

/* The laws of the registry, in its order; NULL after the last. */
const CrContactLaw *CrLawAt(PetscInt k);

/* Trial traction t_tr = kt (eta0 + theta ds), radial return to mu p: fills status, t and its
   derivatives. For the laws. */
void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out);
/* The plain penalty on the gap at the configuration, with friction. For the laws. */
void CrPlainPenalty(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
/* How a contact holds, by the sizes of its two forces: the one place that knows the tolerance of sticking. */
CrContactStatus CrCoulombStatus(PetscReal friction, PetscReal normal, PetscReal tangential);
