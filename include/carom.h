/* carom simulates the dynamics of bodies with impact and friction, with an exact energy balance. This header is the
   public interface of the library libcarom. A program opens a simulation from a deck (the YAML input file), computes
   steps, reads arrays and energies, and closes the simulation.

     carom_sim    *sim;
     carom_outcome outcome;
     double        loss;

     carom_start(&argc, &argv);
     if (carom_open(NULL, "impact.yaml", 0, NULL, &sim)) puts(carom_error(NULL));
     while (!carom_step(sim, &outcome) && outcome == CAROM_STEPPED) {}
     carom_ledger(sim, "friction_loss", &loss);
     carom_close(&sim);
     carom_stop();

   Every function that returns int returns CAROM_OK or one of the error codes below, unless its comment says otherwise.
   After an error, carom_error returns the message. No function ends the process, prints, or installs signal handlers.
   Several simulations may be open at once. All calls must come from one thread. With several MPI processes, all
   processes of a simulation must make the same calls. */
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

/* The version number of this interface. The number increases by one with every incompatible change: a program that was
   compiled with an older header may then fail. */
#define CAROM_API 1

/* Error codes. The codes up to 3 are also the exit codes of the program carom. */
enum {
  CAROM_OK = 0,
  /* the run failed, or the library has a defect; after this error the simulation can only be closed */
  CAROM_FAILED = 1,
  CAROM_INPUT = 2,   /* the deck, a name or an argument has a mistake */
  CAROM_MACHINE = 3, /* the machine failed: disk, permissions, memory */
  /* a force function of the caller (carom_on_force) asked to stop; the state is that after the last accepted step */
  CAROM_STOPPED = 4
};

typedef struct carom_sim   carom_sim;
typedef struct carom_saved carom_saved;

typedef enum {
  CAROM_STEPPED, /* one step was computed and accepted */
  CAROM_END,     /* the simulation has reached its end time already, and no step was computed */
  CAROM_GAVE_UP  /* the step failed even at its smallest size; carom_error says why */
} carom_outcome;

typedef enum { CAROM_REAL, CAROM_INTEGER } carom_type;

/* A view of an array of numbers: it points to the numbers without a copy. The numbers belong to the simulation. The
   numbers are valid until the next step or until the simulation is closed. */
typedef struct {
  const void *data; /* rows * columns numbers, row by row, of the C type double or int */
  carom_type  type;
  long        rows, columns;
} carom_view;

/* carom_version returns the version of the library, such as "0.1.0". carom_api returns the value of CAROM_API with
   which the library was compiled. */
CAROM_PUBLIC const char *carom_version(void);
CAROM_PUBLIC int         carom_api(void);

/* carom_start starts MPI and PETSc, unless they have been started. Both arguments may be NULL. carom_stop ends MPI and
   PETSc if carom_start has started them. After carom_stop, MPI cannot be started again in this process. */
CAROM_PUBLIC int carom_start(int *argc, char ***argv);
CAROM_PUBLIC int carom_stop(void);

/* Opens a simulation and sets *sim. `comm` points to an MPI_Comm; NULL: all processes. `deck` is the path of a deck. If
   `deck` contains a newline, it is the text of a deck itself; paths in this text are relative to the working folder.
   `sets` has nsets texts of the form "key.path=value", which replace values of the deck. */
CAROM_PUBLIC int carom_open(const void *comm, const char *deck, int nsets, const char *const *sets,
                            carom_sim **sim);
/* Closes a simulation and sets *sim to NULL. Closing NULL is allowed. */
CAROM_PUBLIC int carom_close(carom_sim **sim);

/* Returns the message of the last call for `sim` that failed. After a failed carom_open there is no simulation, so pass
   NULL. The result is never NULL. */
CAROM_PUBLIC const char *carom_error(const carom_sim *sim);
/* Returns all warnings of a simulation, one per line. A repeated warning is listed once. */
CAROM_PUBLIC const char *carom_warnings(const carom_sim *sim);

/* Computes one accepted time step of the schedule that the deck gives. If a step fails, the function repeats it with
   smaller steps, down to the smallest size that the deck allows. *outcome says what happened. */
CAROM_PUBLIC int carom_step(carom_sim *sim, carom_outcome *outcome);
/* Computes steps until the simulated time is at least t, or until the end time of the deck. If the simulated time is
   already t or later, the function computes no step. */
CAROM_PUBLIC int carom_advance(carom_sim *sim, double t, carom_outcome *outcome);
/* carom_time returns the simulated time of the present state. carom_steps returns the number of accepted steps. */
CAROM_PUBLIC double carom_time(const carom_sim *sim);
CAROM_PUBLIC long   carom_steps(const carom_sim *sim);

/* carom_count returns how many bodies, contact pairs, ledger values or arrays there are. `what` is "bodies", "pairs",
   "ledger" or "arrays". For "dimension" it returns 2 or 3. carom_name returns the name of entry `index`, counted from
   0, and NULL after the last entry. */
CAROM_PUBLIC long        carom_count(const carom_sim *sim, const char *what);
CAROM_PUBLIC const char *carom_name(const carom_sim *sim, const char *what, long index);
/* Returns 1 for a rigid body, 0 for a deformable body, and -1 if the deck has no body of this name. */
CAROM_PUBLIC int carom_is_rigid(const carom_sim *sim, const char *body);

/* Sets *view to an array of a body. `name` is the name of the array. Deformable bodies have the arrays "position",
   "displacement", "velocity", "reference" and "contact-force" [nodes][dimension]. Deformable bodies also have "node"
   [nodes][1], the numbers of the nodes in the mesh, counted from 0. With several processes the rows are the nodes that
   this process owns. Groups of rigid bodies have the arrays "position", "velocity", "spin" [copies][3] (angular
   velocity) and "rotation" [copies][4]. A rotation is a unit quaternion (w, x, y, z). If `body` is NULL, `name` must be
   "pair-force" [pairs][3]: the force on the first body of each contact pair in the last step. Under explicit methods
   the velocities belong to the middle of the last step. */
CAROM_PUBLIC int carom_array(carom_sim *sim, const char *body, const char *name, carom_view *view);
/* Sets *view to an array of a whole body, also with several processes. The arguments are the same as for carom_array.
   Every process gets the rows of all nodes, in the order of the node numbers. The next call for the same body
   overwrites the array. All processes must call this function. */
CAROM_PUBLIC int carom_gather(carom_sim *sim, const char *body, const char *name, carom_view *view);
/* Stores in `values` the present displacement, velocity and contact force of a probe, three numbers each. `name` is a
   probe of the deck (output.probes). All processes must call this function, and get the same numbers. */
CAROM_PUBLIC int carom_probe(carom_sim *sim, const char *name, double values[9]);
/* Sets *value to an entry of the energy ledger at the present time. `name` is the name of a column of history.csv. */
CAROM_PUBLIC int carom_ledger(const carom_sim *sim, const char *name, double *value);

/* Changes the value of a key during the run. Allowed keys are "contact.N.friction", "time.end" and
   "conditions.NAME.factor". The factor multiplies the force, traction or pressure NAME from then on. All other keys are
   refused, and carom_error returns the reason. */
CAROM_PUBLIC int carom_set(carom_sim *sim, const char *key, double value);

/* Sets a function of the caller that computes forces on a body. Before every step the library calls this function with
   the time, and with the positions and velocities as in carom_array. The function fills `force` with rows * columns
   numbers. The numbers are forces on nodes [nodes][dimension], or on the mass centres of rigid bodies [copies][3]. The
   forces are constant during the step, and their work is part of the ledger entry external_work. If the function
   returns a number other than 0, the step is not computed, and carom_step returns CAROM_STOPPED. `context` is passed to
   the function unchanged. If `function` is NULL, the body has no such function any more. */
typedef int (*carom_force)(void *context, double time, long rows, long columns,
                           const double *position, const double *velocity, double *force);
CAROM_PUBLIC int carom_on_force(carom_sim *sim, const char *body, carom_force function,
                                void *context);

/* Save and restore the state of a simulation. carom_save stores the present state in memory, as *saved. After
   carom_restore, the simulation continues from the stored state. carom_forget frees a stored state. */
CAROM_PUBLIC int carom_save(carom_sim *sim, carom_saved **saved);
CAROM_PUBLIC int carom_restore(carom_sim *sim, const carom_saved *saved);
CAROM_PUBLIC int carom_forget(carom_saved **saved);

/* Checks a deck as carom_open does, but creates no mesh. The function sets *json to the deck as the user wrote it,
   converted to JSON. The caller frees *json with carom_free. */
CAROM_PUBLIC int  carom_deck(const char *deck, int nsets, const char *const *sets, char **json);
CAROM_PUBLIC void carom_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
