/* Declares the types and functions that the source files of the command `carom view` share. This command is a web
   server on the loopback address that shows a run, or edits and runs a deck. The library civetweb calls the functions
   that answer requests, in its own threads. These functions call PETSc only while they hold one lock. */
#pragma once

#include <civetweb.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include "base/base.h"

/* number of threads that wait for requests; an idle client occupies one thread */
/* Greatest number of simultaneous answers. The limit is low because one answer may need the memory of a whole run. */
#define VIEW_THREADS 256
#define VIEW_ANSWERS 16
#define VIEW_STREAMS 6 /* greatest number of live streams; each stream counts as one answer */
#define VIEW_MOST    (1 << 20) /* greatest size of a request's body in bytes */

typedef struct {
  char      dir[PETSC_MAX_PATH_LEN]; /* folder of the results of the run that is shown */
  PetscBool edit;
  char folder[PETSC_MAX_PATH_LEN], name[256]; /* folder and file name of the deck that is edited */
  PetscBool  fresh; /* true: the deck has no file yet, so the editor starts with a template */
  char       token[40];
  int        port;
  atomic_int streams;
  atomic_int stop; /* 1: the server must end */
  sem_t      room; /* semaphore: number of further answers that may begin now */

  int leash; /* reading end of the pipe to child processes (child.h); -1: none */

  pthread_mutex_t petsc; /* lock for all calls of PETSc and of CrErrorMessage */
  pthread_mutex_t child; /* lock for the members below */
  pid_t           run;   /* process id of the run that the editor has started; 0: none */
  int log;  /* file descriptor of the file with the terminal output of this run; -1: none yet */
  int code; /* exit code of the last run; -1: the run has not ended, or no run was started */
} View;

/* ---- answers (view_http.c) ------------------------------------------------------------------ */

/* ViewReply sends a complete HTTP answer and closes the connection. `type` is the media type of the n bytes `body`.
   ViewReplyText does the same for a text. */
void ViewReply(struct mg_connection *c, int status, const char type[], const void *body, size_t n);
void ViewReplyText(struct mg_connection *c, int status, const char text[]);
/* Sends the HTTP header of an answer whose length is not known in advance. */
void ViewReplyStream(struct mg_connection *c, const char type[]);
/* Returns true if the request is allowed; otherwise sends the refusal. `change` is true if the request writes a file or
   starts a process. `page` is true if the request is for a page that a user opens by a link. */
PetscBool ViewAllows(const View *view, struct mg_connection *c, PetscBool change, PetscBool page);
/* Returns the body of a request, terminated by 0, and its length *n. Returns NULL if the request was refused; the
   answer has then been sent. The caller frees the body with free(). */
char *ViewBody(struct mg_connection *c, size_t *n);
/* Returns the integer parameter `name` of the request's query, or `otherwise` if the parameter is missing. */
long ViewNumber(struct mg_connection *c, const char name[], long otherwise);

/* ---- pages ----------------------------------------------------------------------------------- */

/* Returns a page made from web/, with the JSON text `document` inserted (view_page.c). Returns NULL if the program was
   built without its pages. *n is the length of the page. The caller frees the page with free(). */
char *ViewPage(PetscBool edit, const char document[], size_t *n);

/* Send the answers about a run: its page, its report, its deck, its frames, its events and its files (view_run.c). */
void ViewRunPage(View *view, struct mg_connection *c);
void ViewRunReport(View *view, struct mg_connection *c);
void ViewRunDeck(View *view, struct mg_connection *c);
void ViewRunFilm(View *view, struct mg_connection *c);
void ViewRunEvents(View *view, struct mg_connection *c);
void ViewRunFile(View *view, struct mg_connection *c, const char name[]);

/* Send the answers of the deck editor (view_edit.c). */
void ViewEditPage(View *view, struct mg_connection *c);
void ViewEditSchema(View *view, struct mg_connection *c);
void ViewEditCheck(View *view, struct mg_connection *c);
void ViewEditSave(View *view, struct mg_connection *c);
void ViewEditRun(View *view, struct mg_connection *c);
void ViewEditStop(View *view, struct mg_connection *c);
/* Sends a list of the shipped examples as JSON, for the gallery of the editor (view_gallery.c). */
void ViewEditExamples(View *view, struct mg_connection *c);
/* Stores in `text` a JSON description of the run that the editor has started, for view_run.c. The text is null if there
   was no run. Otherwise the text is a JSON object with "running", "code" (exit code) and, after a failure, "said" (last
   lines of terminal output). The function also collects the exit code of a child process that has ended. */
void ViewEditState(View *view, char text[], size_t size);
/* Ends the run that the editor has started, after the run has written a checkpoint. The server calls this function when
   it ends. */
void ViewEditEnd(View *view);
