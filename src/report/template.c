/* The web page without data, which the assembler includes as binary data. CMake sets CAROM_PAGE. */
#include "report/template.h"

extern const char CrTemplateStart[], CrTemplateEnd[];

__asm__(".pushsection .rodata\n"
        ".globl CrTemplateStart\n"
        "CrTemplateStart:\n"
        ".incbin \"" CAROM_PAGE "\"\n"
        ".globl CrTemplateEnd\n"
        "CrTemplateEnd:\n"
        ".byte 0\n"
        ".popsection\n");

const char *CrTemplate(size_t *length)
{
  *length = (size_t)(CrTemplateEnd - CrTemplateStart);
  return CrTemplateStart;
}
