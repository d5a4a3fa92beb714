/* The gallery of the editor: decks of the shipped examples that need no further file, from easy to hard. */
#include <cjson/cJSON.h>
#include <string.h>
#include "app/examples.h"
#include "app/view.h"
#include "base/text.h"

/* Does the deck name a file of its own folder? Its text alone is no use then. */
static PetscBool needs_files(const char text[])
{
  return strstr(text, "file:") != NULL;
}

/* [{"name", "shows", "text"}, ...] */
static PetscErrorCode list(cJSON *json)
{
  char        folder[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN + 80], name[64], shows[256];
  char       *readme, *text;
  const char *table;

  PetscFunctionBeginUser;
  PetscCall(AppExamplesFolder(folder, sizeof folder));
  snprintf(path, sizeof path, "%s/README.md", folder);
  PetscCall(CrTextRead(path, &readme, NULL));
  for (table = readme ? readme : ""; AppExampleRow(&table, name, shows);) {
    cJSON *entry;

    if (strchr(name, '/')) continue;
    snprintf(path, sizeof path, "%s/%s/deck.yaml", folder, name);
    PetscCall(CrTextRead(path, &text, NULL));
    if (text && !needs_files(text)) {
      entry = cJSON_CreateObject();
      cJSON_AddStringToObject(entry, "name", name);
      cJSON_AddStringToObject(entry, "shows", shows);
      cJSON_AddStringToObject(entry, "text", text);
      cJSON_AddItemToArray(json, entry);
    }
    PetscCall(PetscFree(text));
  }
  PetscCall(PetscFree(readme));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ViewEditExamples(View *view, struct mg_connection *c)
{
  cJSON         *json = cJSON_CreateArray();
  char          *text;
  PetscErrorCode code;

  pthread_mutex_lock(&view->petsc);
  code = list(json);
  CrErrorClear();
  pthread_mutex_unlock(&view->petsc);
  text = code ? NULL : cJSON_PrintUnformatted(json);
  if (text)
    ViewReply(c, 200, "application/json", text, strlen(text));
  else
    ViewReplyText(c, 503, "the examples are not installed\n");
  cJSON_free(text);
  cJSON_Delete(json);
}
