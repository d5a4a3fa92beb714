/* The version, from the build: CMakeLists.txt is the one place where it stands. */
#include "base/base.h"

const char *CrVersion(void)
{
  return CAROM_VERSION;
}
