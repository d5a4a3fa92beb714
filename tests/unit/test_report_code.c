/* The coding of the page's numbers is exact: undone here by its definition, full jumps included. */
#include "check.h"
#include "report/code.h"

#define N 500

static void test_words_wrap_around(void)
{
  static uint16_t before[N], now[N];
  CrBytes         bytes = {0};
  uint16_t        change = 0;

  for (int i = 0; i < N; i++) {
    before[i] = (uint16_t)(rand() & 0xffff);
    now[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? 0xffff : (uint16_t)(rand() & 0xffff);
  }
  CHECK_OK(CrCodeWords(&bytes, N, now, before));
  CHECK(bytes.size == 2 * N);
  for (int i = 0; i < N; i++) {
    uint16_t zigzag = (uint16_t)(bytes.data[i] | bytes.data[N + i] << 8);
    int      d = zigzag & 1 ? -(zigzag >> 1) - 1 : zigzag >> 1; /* 0 -1 1 -2 2 ... */

    change = (uint16_t)(change + d);
    CHECK((uint16_t)(before[i] + change) == now[i]);
  }
  CHECK_OK(CrBytesFree(&bytes));
}

static void test_integers_wrap_around(void)
{
  static PetscInt values[N];
  CrBytes         bytes = {0};
  int64_t         last = 0;

  for (int i = 0; i < N; i++) values[i] = i % 2 ? 2147483647 : -2147483647 - 1 + i;
  CHECK_OK(CrCodeIntegers(&bytes, N, values));
  for (int i = 0; i < N; i++) {
    uint32_t z = 0;

    for (int k = 3; k >= 0; k--) z = z << 8 | bytes.data[k * N + i];
    last += z & 1 ? -(int64_t)(z >> 1) - 1 : (int64_t)(z >> 1);
    CHECK((int32_t)(uint32_t)last == values[i]);
  }
  CHECK_OK(CrBytesFree(&bytes));
}

static void test_reals_keep_every_bit(void)
{
  static PetscReal values[N];
  CrBytes          bytes = {0};
  uint64_t         last = 0;

  for (int i = 0; i < N; i++) values[i] = (rand() - 1e9) * 1e-200 * rand();
  values[1] = -0.0;
  values[2] = 4.9e-324;
  CHECK_OK(CrCodeReals(&bytes, N, values));
  for (int i = 0; i < N; i++) {
    uint64_t bits = 0;

    for (int k = 7; k >= 0; k--) bits = bits << 8 | bytes.data[k * N + i];
    last ^= bits;
    CHECK(!memcmp(&last, &values[i], sizeof last));
  }
  CHECK_OK(CrBytesFree(&bytes));
}

/* RFC 4648, section 10 */
static void test_base64(void)
{
  static const char *const plain[] = {"f", "fo", "foo", "foob", "fooba", "foobar"};
  static const char *const coded[] = {"Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  char                     name[] = "/tmp/carom-base64-XXXXXX", path[64], text[16];
  char                    *folder = mkdtemp(name);

  CHECK(folder);
  for (int k = 0; k < 6; k++) {
    unsigned char data[8];
    CrBytes       bytes = {.data = data, .size = strlen(plain[k])};
    OutputFile    file = {0};
    FILE         *in;

    memcpy(data, plain[k], bytes.size);
    CHECK_OK(CrFileBegin(&file, folder, "x"));
    CHECK_OK(CrBytesWriteBase64(&bytes, &file));
    CHECK_OK(CrFileEnd(&file));
    snprintf(path, sizeof path, "%s/x", folder);
    in = fopen(path, "r");
    CHECK(in && fgets(text, sizeof text, in) && !strcmp(text, coded[k]));
    if (in) fclose(in);
    remove(path);
  }
  remove(folder);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_words_wrap_around();
  test_integers_wrap_around();
  test_reals_keep_every_bit();
  test_base64();
  return check_end();
}
