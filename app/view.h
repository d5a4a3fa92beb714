/* carom view: a server on the loopback address that shows a run, or edits and runs a deck. Handlers run in threads of
   civetweb. They call PETSc only under one lock. */
#pragma once

#include <civetweb.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include "base/base.h"

#define VIEW_THREADS 256 /* threads that wait for requests; an idle client occupies one of them */
#define VIEW_ANSWERS                                                                               \
  16 /* greatest number of simultaneous answers; an answer may need the memory of a whole run */
#define VIEW_STREAMS 6 /* greatest number of live streams; each stream is one of these answers */
#define VIEW_MOST    (1 << 20) /* greatest size of a request's body in bytes */

typedef struct {
  char      dir[PETSC_MAX_PATH_LEN]; /* folder of the run */
  PetscBool edit;
  char folder[PETSC_MAX_PATH_LEN], name[256]; /* folder and file name of the deck that is edited */
  PetscBool  fresh; /* the deck has no file yet, so the editor starts with a template */
  char       token[40];
  int        port;
  atomic_int streams;
  atomic_int stop; /* set when the server must end */
  sem_t      room; /* counts the answers that may still begin */

  int leash; /* pipe to the children (child.h); -1: none */

  pthread_mutex_t petsc; /* also guards CrErrorMessage */
  pthread_mutex_t child; /* guards the members below */
  pid_t           run;   /* process of the run; 0: none */
  int             log;   /* file with the output of the run; -1: none yet */
  int             code;  /* exit code of the last run; -1: not ended, or no run yet */
} View;

/* ---- answers (view_http.c) ------------------------------------------------------------------ */

/* Sends a complete answer and closes the connection. */
void ViewReply(struct mg_connection *c, int status, const char type[], const void *body, size_t n);
void ViewReplyText(struct mg_connection *c, int status, const char text[]);
/* Sends the header of an answer whose length is not known. */
void ViewReplyStream(struct mg_connection *c, const char type[]);
/* Returns true if the request is allowed. Otherwise sends the refusal. `change`: the request writes a file or starts a
   process. `page`: the request is for a page that a user opens by a link. */
PetscBool ViewAllows(const View *view, struct mg_connection *c, PetscBool change, PetscBool page);
/* Returns the body of a request, terminated by 0. NULL: the request was refused, and the answer has been sent. The
   caller frees the body with free(). */
char *ViewBody(struct mg_connection *c, size_t *n);
/* Returns an integer parameter of the query, or `otherwise` if the parameter is missing. */
long ViewNumber(struct mg_connection *c, const char name[], long otherwise);

/* ---- pages ----------------------------------------------------------------------------------- */

/* Returns a page of web/ with the document inserted (view_page.c). NULL: the program was built without its pages. The
   caller frees the page with free(). */
char *ViewPage(PetscBool edit, const char document[], size_t *n);

/* Answers about a run (view_run.c). */
void ViewRunPage(View *view, struct mg_connection *c);
void ViewRunReport(View *view, struct mg_connection *c);
void ViewRunDeck(View *view, struct mg_connection *c);
void ViewRunFilm(View *view, struct mg_connection *c);
void ViewRunEvents(View *view, struct mg_connection *c);
void ViewRunFile(View *view, struct mg_connection *c, const char name[]);

/* Answers of the editor of a deck (view_edit.c). */
void ViewEditPage(View *view, struct mg_connection *c);
void ViewEditSchema(View *view, struct mg_connection *c);
void ViewEditCheck(View *view, struct mg_connection *c);
void ViewEditSave(View *view, struct mg_connection *c);
void ViewEditRun(View *view, struct mg_connection *c);
void ViewEditStop(View *view, struct mg_connection *c);
/* Send the shipped examples, for a gallery (view_gallery.c). */
void ViewEditExamples(View *view, struct mg_connection *c);
/* Describes the run that the editor started as JSON, for view_run.c: null, or {"running", "code", "said"}. Also waits
   for a child that has ended. */
void ViewEditState(View *view, char text[], size_t size);
/* Called when the server ends. It ends the run too, after a checkpoint. */
void ViewEditEnd(View *view);
