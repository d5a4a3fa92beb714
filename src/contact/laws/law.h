/* A contact law is scalar: from increments of gap and slip and from what is remembered it gives
   pressure, traction, their derivatives, and what would be remembered. It sees no positions and no facets. By its flags
   it tells the step where operators and gaps are to be taken. */
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
  PetscReal metric;         /* `along_surface`: reference over current length of the facet, with
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

/* A law with its constants; the method that owns it hands it to the step. */
typedef struct CrContactLaw CrContactLaw;
struct CrContactLaw {
  PetscBool
      real_gap; /* penalty on the gap itself: the spring holds the energy of the gap at t_{n+1} */
  PetscBool springless; /* nothing is stored: the point remembers its real gap only */
  PetscBool sees_end;   /* the pressure depends on the gap at t_{n+1} */
  PetscBool exact;      /* no penetration is needed for pressure */
  PetscBool
      own_end; /* that gap is the one over the facet nearest there, whatever the operators use */
  PetscBool end_facet; /* the facet is the one nearest at t_{n+1}; sees_end */
  PetscBool at_end;    /* operators at t_{n+1}, else in the middle of the step */
  PetscBool
      along_surface; /* 2D: slip is the way of the foot along the reference shape of the master,
                              from the last configuration of the operators to this one */
  PetscReal theta;   /* weight of the end in the friction law */
  PetscBool reset;   /* where slip stops, the stick point starts again without a spring */
  void (*evaluate)(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
};

/* Trial traction t_tr = kt (eta0 + theta ds), radial return to mu p: fills status, t and its
   derivatives. For the laws of the methods. */
void CrCoulomb(const CrLawInput *in, PetscReal theta, CrLawOutput *out);
/* The plain penalty on the gap at the configuration, with friction: what most codes do. */
void CrPlainPenalty(const CrContactLaw *law, const CrLawInput *in, CrLawOutput *out);
