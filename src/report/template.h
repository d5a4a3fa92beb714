/* The page without data, as the build made it of web/. */
#pragma once

#include <stddef.h>
#include "base/base.h"

/* Text of the template and its length; 0: the program was built without. */
const char *CrTemplate(size_t *length);
