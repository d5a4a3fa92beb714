/* Provides the template of the web page: the page without data, which the build makes from web/. */
#pragma once

#include <stddef.h>
#include "base/base.h"

/* Returns the text of the template. *length is its length, or 0 if the program was built without it. */
const char *CrTemplate(size_t *length);
