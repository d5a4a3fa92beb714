/* carom: dynamics of bodies with impact and friction, and an exact energy balance.

   This is the public interface of libcarom. A program opens a simulation from a deck, computes steps, reads arrays and
   energies, and closes the simulation.

     carom_sim    *sim;
     carom_outcome outcome;
     double        loss;

     carom_start(&argc, &argv);
     if (carom_open(NULL, "impact.yaml", 0, NULL, &sim)) puts(carom_error(NULL));
     while (!carom_step(sim, &outcome) && outcome == CAROM_STEPPED) {}
     carom_ledger(sim, "friction_loss", &loss);
     carom_close(&sim);
     carom_stop();

   Functions return CAROM_OK or one of the codes below; carom_error then has the message. Nothing here ends the
   process, prints, or installs signal handlers. Several simulations may be open at once. All calls must come from one
   thread. With several MPI processes, all processes of a simulation make the same calls. */
#ifndef CAROM_H
#define CAROM_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CAROM_PUBLIC __attribute__((visibility("default")))
#else
#define CAROM_PUBLIC
#endif

/* The version number of this interface. It increases by one with every change after which a program that was compiled
   with an older header could fail. */
#define CAROM_API 1

/* The codes are the exit codes of the program carom. */
enum {
  CAROM_OK = 0,
  CAROM_FAILED =
      1, /* the run failed, or the library has a defect; the simulation can only be closed */
  CAROM_INPUT = 2,   /* a mistake in the deck, in a name, in an argument */
  CAROM_MACHINE = 3, /* disk, permissions, memory */
  CAROM_STOPPED =
      4 /* a function of the caller asked to stop; the state is the state after the last accepted step */
};

typedef struct carom_sim   carom_sim;
typedef struct carom_saved carom_saved;

typedef enum {
  CAROM_STEPPED, /* one step was accepted */
  CAROM_END,     /* the simulation is at its end time already; no step was computed */
  CAROM_GAVE_UP  /* the step failed even at its smallest size; carom_error says why */
} carom_outcome;

typedef enum { CAROM_REAL, CAROM_INTEGER } carom_type;

/* A view of an array, without a copy. The data belong to the simulation. They are valid until the next step or until
   the simulation is closed. */
typedef struct {
  const void *data; /* rows * columns numbers, row by row: double or int */
  carom_type  type;
  long        rows, columns;
} carom_view;

/* Return the version of the library, such as "0.1.0", and the value of CAROM_API with which it was compiled. */
CAROM_PUBLIC const char *carom_version(void);
CAROM_PUBLIC int         carom_api(void);

/* Starts MPI and PETSc, unless they have been started. Both arguments may be NULL. carom_stop ends MPI and PETSc if
   carom_start has started them. After that, MPI does not allow another start in this process. */
CAROM_PUBLIC int carom_start(int *argc, char ***argv);
CAROM_PUBLIC int carom_stop(void);

/* Opens a simulation. `comm` points to an MPI_Comm; NULL: all processes. `deck` is the path of a deck, or its text if
   it contains a newline; paths in a text are relative to the working folder. `sets` are nsets values of the form
   "key.path=value" that replace values of the deck. */
CAROM_PUBLIC int carom_open(const void *comm, const char *deck, int nsets, const char *const *sets,
                            carom_sim **sim);
/* Closes a simulation and sets *sim to NULL. Closing NULL is allowed. */
CAROM_PUBLIC int carom_close(carom_sim **sim);

/* Returns the message of the last call that failed. After a failed carom_open, `sim` is NULL. The result is never
   NULL. */
CAROM_PUBLIC const char *carom_error(const carom_sim *sim);
/* Returns all warnings of a simulation, one per line. A repeated warning is listed once. */
CAROM_PUBLIC const char *carom_warnings(const carom_sim *sim);

/* Computes one accepted step of the deck's schedule. If a step fails, it is repeated with smaller steps. */
CAROM_PUBLIC int carom_step(carom_sim *sim, carom_outcome *outcome);
/* Computes steps until the time is at least t, or until the end of the schedule. */
CAROM_PUBLIC int carom_advance(carom_sim *sim, double t, carom_outcome *outcome);
/* Return the time of the present state, and the number of accepted steps. */
CAROM_PUBLIC double carom_time(const carom_sim *sim);
CAROM_PUBLIC long   carom_steps(const carom_sim *sim);

/* carom_count returns the number of entries of a kind ("bodies", "pairs", "ledger", "arrays"), and carom_name their
   names. For the kind "dimension" only carom_count is valid. carom_name returns NULL after the last name. */
CAROM_PUBLIC long        carom_count(const carom_sim *sim, const char *what);
CAROM_PUBLIC const char *carom_name(const carom_sim *sim, const char *what, long index);
/* Returns 1 for a rigid body, 0 for a deformable body, and -1 if the deck has no body of this name. */
CAROM_PUBLIC int carom_is_rigid(const carom_sim *sim, const char *body);

/* Gets an array of a body by its name. Arrays of deformable bodies are "position", "displacement", "velocity",
   "reference", "contact-force" [nodes][dimension], and "node" [nodes][1], the numbers of the nodes in the mesh, from 0.
   With several processes the rows are the nodes that this process owns. Arrays of rigid bodies are "position",
   "velocity", "spin" [copies][3] (angular velocity) and "rotation" [copies][4], a unit quaternion (w, x, y, z). If
   `body` is NULL, the array is "pair-force" [pairs][3], the force on the first body of each pair in the last step.
   Velocities of explicit methods belong to the middle of the last step. */
CAROM_PUBLIC int carom_array(carom_sim *sim, const char *body, const char *name, carom_view *view);
/* Gets an array of a body as carom_array does, for the whole body. Every process gets the rows of all nodes, in the
   order of the node numbers. The next call for the same body overwrites the array. All processes must call this
   function. */
CAROM_PUBLIC int carom_gather(carom_sim *sim, const char *body, const char *name, carom_view *view);
/* Returns the present values of a probe of the deck (output.probes): displacement, velocity and contact force of its
   node, three numbers each. All processes must call this function, and get the same numbers. */
CAROM_PUBLIC int carom_probe(carom_sim *sim, const char *name, double values[9]);
/* Reads a value of the energy ledger at the present time. The names are the columns of history.csv. */
CAROM_PUBLIC int carom_ledger(const carom_sim *sim, const char *name, double *value);

/* Changes a value that may change during a run: "contact.N.friction", "time.end", and "conditions.NAME.factor", by
   which the force, traction or pressure of this name is multiplied from then on. All other keys are refused, with the
   reason in carom_error. */
CAROM_PUBLIC int carom_set(carom_sim *sim, const char *key, double value);

/* Sets a function of the caller that computes forces on a body. Before every step the function gets the time,
   positions and velocities as in carom_array, and fills `force` with rows * columns numbers: forces on nodes
   [nodes][dimension], or on the mass centres of rigid bodies [copies][3]. These forces are constant during the step,
   and their work is part of external_work. A result other than 0 stops the step: carom_step returns CAROM_STOPPED.
   NULL removes the function. */
typedef int (*carom_force)(void *context, double time, long rows, long columns,
                           const double *position, const double *velocity, double *force);
CAROM_PUBLIC int carom_on_force(carom_sim *sim, const char *body, carom_force function,
                                void *context);

/* Stores the state of a simulation in memory, and restores it. After carom_restore the simulation continues from the
   stored state. */
CAROM_PUBLIC int carom_save(carom_sim *sim, carom_saved **saved);
CAROM_PUBLIC int carom_restore(carom_sim *sim, const carom_saved *saved);
CAROM_PUBLIC int carom_forget(carom_saved **saved);

/* Checks a deck as carom_open does, but creates no mesh. *json becomes the deck as the user wrote it, converted to
   JSON. The caller frees *json with carom_free. */
CAROM_PUBLIC int  carom_deck(const char *deck, int nsets, const char *const *sets, char **json);
CAROM_PUBLIC void carom_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
