/* carom view: a server on loopback that shows a run, or edits a deck and runs it. Handlers run in
   threads of civetweb; what calls PETSC does so under one lock. */
#pragma once

#include <civetweb.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include "base/base.h"

#define VIEW_THREADS 256       /* that wait for requests: a client that asks nothing holds one */
#define VIEW_ANSWERS 16        /* at a time: an answer may take the memory of a whole run */
#define VIEW_STREAMS 6         /* live streams, each of which is such an answer */
#define VIEW_MOST    (1 << 20) /* bytes of a request's body */

typedef struct {
  char       dir[PETSC_MAX_PATH_LEN]; /* the run */
  PetscBool  edit;
  char       folder[PETSC_MAX_PATH_LEN], name[256]; /* of the deck that is edited */
  PetscBool  fresh; /* the deck has no file yet: the editor begins with a template */
  char       token[40];
  int        port;
  atomic_int streams;
  atomic_int stop; /* the server ends */
  sem_t      room; /* for further answers */

  int leash; /* of the children; -1: none */

  pthread_mutex_t petsc; /* also guards CrErrorMessage */
  pthread_mutex_t child; /* guards what follows */
  pid_t           run;   /* 0: none */
  int             log;   /* what it says; -1: nothing yet */
  int             code;  /* how the last one ended; -1: not yet, or there was none */
} View;

/* ---- answers (view_http.c) ------------------------------------------------------------------ */

/* A whole answer, closed afterwards. */
void ViewReply(struct mg_connection *c, int status, const char type[], const void *body, size_t n);
void ViewReplyText(struct mg_connection *c, int status, const char text[]);
/* The head of an answer without a known end. */
void ViewReplyStream(struct mg_connection *c, const char type[]);
/* May this request be answered at all? If not it has been. change: it writes or starts something;
   page: for the eyes of someone who followed a link. */
PetscBool ViewAllows(const View *view, struct mg_connection *c, PetscBool change, PetscBool page);
/* The body of a request, ended by 0; NULL: refused, and answered. The caller frees with free(). */
char *ViewBody(struct mg_connection *c, size_t *n);
/* A whole number of the query; otherwise: if it is not there. */
long ViewNumber(struct mg_connection *c, const char name[], long otherwise);

/* ---- what is shown -------------------------------------------------------------------------- */

/* Pages of web/ (view_page.c); NULL: the program was built without. With the document filled in; the
   caller frees with free(). */
char *ViewPage(PetscBool edit, const char document[], size_t *n);

/* A run (view_run.c). */
void ViewRunPage(View *view, struct mg_connection *c);
void ViewRunReport(View *view, struct mg_connection *c);
void ViewRunDeck(View *view, struct mg_connection *c);
void ViewRunFilm(View *view, struct mg_connection *c);
void ViewRunEvents(View *view, struct mg_connection *c);
void ViewRunFile(View *view, struct mg_connection *c, const char name[]);

/* A deck (view_edit.c). */
void ViewEditPage(View *view, struct mg_connection *c);
void ViewEditSchema(View *view, struct mg_connection *c);
void ViewEditCheck(View *view, struct mg_connection *c);
void ViewEditSave(View *view, struct mg_connection *c);
void ViewEditRun(View *view, struct mg_connection *c);
void ViewEditStop(View *view, struct mg_connection *c);
/* The shipped decks, for a gallery (view_gallery.c). */
void ViewEditExamples(View *view, struct mg_connection *c);
/* The run that the editor started as JSON: null, or {"running", "code", "said"}; view_run.c tells it.
   Also collects the child. */
void ViewEditState(View *view, char text[], size_t size);
/* The server ends: so does the run, after a checkpoint. */
void ViewEditEnd(View *view);
