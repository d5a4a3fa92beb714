/* What a request must be like, and what every answer carries. */
#include <stdlib.h>
#include <string.h>
#include "app/view.h"

#define CHUNK 65536

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

  mg_printf(c, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n", status,
            reason(status), type, n, always);
  /* small pieces: a reader that stands still is given up after the time of one */
  while (n) {
    size_t part = n < CHUNK ? n : CHUNK;

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
  return strcmp(text, own) ? PETSC_FALSE : PETSC_TRUE;
}

static PetscBool has_own_host(const View *view, const struct mg_request_info *info)
{
  int n = 0, good = 0;

  for (int k = 0; k < info->num_headers; k++)
    if (!mg_strcasecmp(info->http_headers[k].name, "Host")) {
      n++;
      good += is_own(view, info->http_headers[k].value, "");
    }
  return n == 1 && good == 1 ? PETSC_TRUE : PETSC_FALSE;
}

PetscBool ViewIsToken(const View *view, const char text[])
{
  const size_t  n         = strlen(view->token);
  unsigned char different = 0;

  if (strlen(text) != n) return PETSC_FALSE;
  for (size_t k = 0; k < n; k++) different |= (unsigned char)(text[k] ^ view->token[k]);
  return different ? PETSC_FALSE : PETSC_TRUE;
}

static PetscBool refuse(struct mg_connection *c, int status, const char text[])
{
  ViewReplyText(c, status, text);
  return PETSC_FALSE;
}

PetscBool ViewAllows(const View *view, struct mg_connection *c, PetscBool change)
{
  const struct mg_request_info *info   = mg_get_request_info(c);
  const char                   *origin = mg_get_header(c, "Origin");
  const char *token = mg_get_header(c, "X-Carom-Token"), *type = mg_get_header(c, "Content-Type");

  if (!has_own_host(view, info)) return refuse(c, 403, "this is not the host that was asked for\n");
  if (origin && !is_own(view, origin, "http://"))
    return refuse(c, 403, "pages of others may not ask\n");
  if (strcmp(info->request_method, change ? "POST" : "GET"))
    return refuse(c, 405, change ? "POST only\n" : "GET only\n");
  if (!change) return PETSC_TRUE;
  if (!origin) return refuse(c, 403, "only the page itself may change anything\n");
  if (!token || !ViewIsToken(view, token)) return refuse(c, 403, "the token is missing or wrong\n");
  if (!type || strncmp(type, "application/json", strlen("application/json")))
    return refuse(c, 415, "application/json only\n");
  return PETSC_TRUE;
}

/* ---- what is asked ---------------------------------------------------------------------------- */

char *ViewBody(struct mg_connection *c, size_t *n)
{
  const long long length = mg_get_request_info(c)->content_length;
  char           *body;

  if (length < 0 || length > VIEW_MOST) {
    ViewReplyText(c, length < 0 ? 411 : 413, length < 0 ? "no length\n" : "more than a megabyte\n");
    return NULL;
  }
  body = malloc((size_t)length + 1);
  *n   = 0;
  while (body && *n < (size_t)length) {
    int got = mg_read(c, body + *n, (size_t)length - *n);

    if (got <= 0) break;
    *n += (size_t)got;
  }
  if (!body || *n < (size_t)length) {
    free(body);
    ViewReplyText(c, 400, "the request broke off\n");
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
