/* The version of the program. The build sets it from CMakeLists.txt, where it is defined. */
#include "base/base.h"

const char *CrVersion(void)
{
  return CAROM_VERSION;
}
