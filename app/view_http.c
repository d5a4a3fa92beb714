/* Checks the requests to the server, and sends answers with the common header lines. */
#include <stdlib.h>
#include <string.h>
#include "app/view.h"

#define CHUNK    16384
#define PATIENCE 5. /* seconds for a chunk of an answer */

static const char always[] =
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'self' 'unsafe-inline' data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Connection: close\r\n";

static const char *reason(int status)
{
  switch (status) {
  case 200: return "OK";
  case 400: return "Bad Request";
  case 403: return "Forbidden";
  case 404: return "Not Found";
  case 405: return "Method Not Allowed";
  case 409: return "Conflict";
  case 411: return "Length Required";
  case 413: return "Content Too Large";
  case 415: return "Unsupported Media Type";
  case 503: return "Service Unavailable";
  default: return "Internal Server Error";
  }
}

void ViewReply(struct mg_connection *c, int status, const char type[], const void *body, size_t n)
{
  const char *from = body;
  double      began = MPI_Wtime();

  mg_printf(c, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n", status,
            reason(status), type, n, always);
  /* civetweb gives up who stands still, but has all the time for who takes a byte now and then */
  while (n && MPI_Wtime() - began < PATIENCE) {
    size_t part = n < CHUNK ? n : CHUNK;

    began = MPI_Wtime();
    if (mg_write(c, from, part) <= 0) return;
    from += part;
    n -= part;
  }
}

void ViewReplyText(struct mg_connection *c, int status, const char text[])
{
  ViewReply(c, status, "text/plain; charset=utf-8", text, strlen(text));
}

void ViewReplyStream(struct mg_connection *c, const char type[])
{
  mg_printf(c, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n", type, always);
}

/* ---- who asks --------------------------------------------------------------------------------- */

/* A name that some other site gave to this machine reaches us with that site's name as Host. */
static PetscBool is_own(const View *view, const char text[], const char scheme[])
{
  char own[64];

  snprintf(own, sizeof own, "%s127.0.0.1:%d", scheme, view->port);
  if (!strcmp(text, own)) return PETSC_TRUE;
  snprintf(own, sizeof own, "%slocalhost:%d", scheme, view->port);
  return !strcmp(text, own);
}

static PetscBool has_own_host(const View *view, const struct mg_request_info *info)
{
  int n = 0, good = 0;

  for (int k = 0; k < info->num_headers; k++)
    if (!mg_strcasecmp(info->http_headers[k].name, "Host")) {
      n++;
      good += is_own(view, info->http_headers[k].value, "");
    }
  return n == 1 && good == 1;
}

/* In the same time whatever the text. */
static PetscBool is_token(const View *view, const char text[])
{
  const size_t  n = strlen(view->token);
  unsigned char different = 0;

  if (strlen(text) != n) return PETSC_FALSE;
  for (size_t k = 0; k < n; k++) different |= (unsigned char)(text[k] ^ view->token[k]);
  return !different;
}

static PetscBool refuse(struct mg_connection *c, int status, const char text[])
{
  ViewReplyText(c, status, text);
  return PETSC_FALSE;
}

/* Browsers say where a request comes from, some by one header, some by another; programs say nothing. */
static PetscBool is_foreign(const View *view, struct mg_connection *c)
{
  const char *site = mg_get_header(c, "Sec-Fetch-Site"), *page = mg_get_header(c, "Referer");
  char        origin[64];

  if (site && strcmp(site, "same-origin") && strcmp(site, "none")) return PETSC_TRUE;
  if (!page) return PETSC_FALSE;
  /* up to the third slash */
  snprintf(origin, sizeof origin, "%.*s",
           (int)(strncmp(page, "http://", 7) ? 0 : 7 + strcspn(page + 7, "/")), page);
  return !is_own(view, origin, "http://");
}

/* In the head, or, where a browser has no say in that (pages, links, streams), in the query. */
static PetscBool has_token(const View *view, struct mg_connection *c, PetscBool query_too)
{
  const char *head = mg_get_header(c, "X-Carom-Token"), *query;
  char        text[64] = "";

  query = query_too ? mg_get_request_info(c)->query_string : NULL;
  if (head) return is_token(view, head);
  if (query) mg_get_var(query, strlen(query), "token", text, sizeof text);
  return is_token(view, text);
}

PetscBool ViewAllows(const View *view, struct mg_connection *c, PetscBool change, PetscBool page)
{
  const struct mg_request_info *info = mg_get_request_info(c);
  const char                   *origin = mg_get_header(c, "Origin");
  const char                   *type = mg_get_header(c, "Content-Type");

  if (!has_own_host(view, info))
    return refuse(c, 403, "the host name of this request is not that of the server\n");
  if (origin && !is_own(view, origin, "http://"))
    return refuse(c, 403, "requests from other pages are refused\n");
  /* a link to a page may stand anywhere */
  if (!page && is_foreign(view, c))
    return refuse(c, 403, "requests from other pages are refused\n");
  if (strcmp(info->request_method, change ? "POST" : "GET"))
    return refuse(c, 405, change ? "POST only\n" : "GET only\n");
  if (view->edit && !has_token(view, c, !change))
    return refuse(c, 403, "open the address that carom printed, with its token\n");
  if (!change) return PETSC_TRUE;
  if (!origin) return refuse(c, 403, "only the page itself may change anything\n");
  if (!type || strncmp(type, "application/json", strlen("application/json")))
    return refuse(c, 415, "the content type must be application/json\n");
  return PETSC_TRUE;
}

/* ---- what is asked ---------------------------------------------------------------------------- */

char *ViewBody(struct mg_connection *c, size_t *n)
{
  const long long length = mg_get_request_info(c)->content_length;
  char           *body;

  if (length < 0 || length > VIEW_MOST) {
    ViewReplyText(c, length < 0 ? 411 : 413,
                  length < 0 ? "the request has no length\n"
                             : "the request is larger than a megabyte\n");
    return NULL;
  }
  body = malloc((size_t)length + 1);
  *n = 0;
  while (body && *n < (size_t)length) {
    int got = mg_read(c, body + *n, (size_t)length - *n);

    if (got <= 0) break;
    *n += (size_t)got;
  }
  if (!body || *n < (size_t)length) {
    free(body);
    ViewReplyText(c, 400, "the request ended too early\n");
    return NULL;
  }
  body[*n] = 0;
  return body;
}

long ViewNumber(struct mg_connection *c, const char name[], long otherwise)
{
  const char *query = mg_get_request_info(c)->query_string;
  char        text[24], *rest;
  long        value;

  if (!query || mg_get_var(query, strlen(query), name, text, sizeof text) <= 0) return otherwise;
  value = strtol(text, &rest, 10);
  return *rest || rest == text || value < -1000000000 || value > 1000000000 ? otherwise : value;
}
