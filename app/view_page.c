/* The web pages of the viewer, which the assembler includes as binary data. CMake sets CAROM_WEB. */
#include <stdlib.h>
#include <string.h>
#include "app/view.h"

extern const char ViewLiveStart[], ViewLiveEnd[], ViewEditStart[], ViewEditEnd_[];

__asm__(".pushsection .rodata\n"
        ".globl ViewLiveStart\nViewLiveStart:\n.incbin \"" CAROM_WEB "/view.html\"\n"
        ".globl ViewLiveEnd\nViewLiveEnd:\n.byte 0\n"
        ".globl ViewEditStart\nViewEditStart:\n.incbin \"" CAROM_WEB "/edit.html\"\n"
        ".globl ViewEditEnd_\nViewEditEnd_:\n.byte 0\n"
        ".popsection\n");

/* "<" would end the script element that the document stands in. */
static void copy_safe(char **to, const char *from)
{
  for (; *from; from++)
    if (*from == '<')
      *to += sprintf(*to, "\\u003c");
    else
      *(*to)++ = *from;
}

char *ViewPage(PetscBool edit, const char document[], size_t *n)
{
  static const char mark[] = "<!--data-->",
                    open[] = "<script type=\"application/json\" id=\"document\">";
  const char *page = edit ? ViewEditStart : ViewLiveStart, *middle = strstr(page, mark);
  char       *text, *to;

  if (!middle) return NULL;
  text = malloc(strlen(page) + 6 * strlen(document) + 200);
  if (!text) return NULL;
  to = text + (middle - page);
  memcpy(text, page, (size_t)(middle - page));
  to += sprintf(to, "%s", open);
  copy_safe(&to, document);
  to += sprintf(to, "</script>\n%s", middle + strlen(mark));
  *n = (size_t)(to - text);
  return text;
}
