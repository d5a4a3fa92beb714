/* The deck: reading, messages, defaults, --set, merging, writing. */
#include <stdlib.h>
#include <unistd.h>
#include "check.h"
#include "deck/deck.h"
#include "unit/deck_sample.h"

static PetscErrorCode parse(const char text[], CrDeck **deck)
{
  return CrDeckParse("d.yaml", text, strlen(text), 0, NULL, deck);
}

/* Reads and checks, with up to two --set; the deck stays for the caller, or NULL. */
static PetscErrorCode load(const char text[], const char set0[], const char set1[], CrDeck **deck)
{
  const char    *sets[] = {set0, set1};
  PetscErrorCode code;

  code = CrDeckParse("d.yaml", text, strlen(text), !!set0 + !!set1, sets, deck);
  if (code) return code;
  code = CrDeckValidate(*deck, top_keys);
  if (code && CrDeckDestroy(deck)) return PETSC_ERR_PLIB;
  return code;
}

/* The whole message must be the one expected. */
static void refused(int line, const char text[], const char set[], const char expected[])
{
  CrDeck        *deck = NULL;
  PetscErrorCode code;

  CrErrorClear();
  code = load(text, set, NULL, &deck);
  check_report(code == CR_ERR_INPUT && !strcmp(CrErrorMessage(), expected) && !deck, __FILE__, line,
               expected);
  if (code != CR_ERR_INPUT || strcmp(CrErrorMessage(), expected))
    printf("    code %d, message \"%s\"\n", (int)code, CrErrorMessage());
  CrErrorClear();
  CHECK_OK(CrDeckDestroy(&deck));
}

#define REFUSED(text, expected)          refused(__LINE__, text, NULL, expected)
#define REFUSED_SET(text, set, expected) refused(__LINE__, text, set, expected)

/* ---- looking --------------------------------------------------------------------------------- */

static void test_getters(void)
{
  CrDeck           *deck;
  const CrDeckNode *root, *body;
  PetscReal         v[3] = {7, 7, 7};
  PetscBool         given;

  CHECK_OK(load(sample, NULL, NULL, &deck));
  root = CrDeckRoot(deck);
  CHECK_TEXT(CrDeckPath(deck), "d.yaml");
  CHECK(CrDeckIsMap(root) && !CrDeckIsList(root) && CrDeckCount(root) == 7);
  CHECK_TEXT(CrDeckName(root, 2), "bodies");
  CHECK(!CrDeckName(root, 99) && !CrDeckItem(root, -1) && !CrDeckItem(NULL, 0));
  CHECK(CrDeckIsList(CrDeckFind(root, "bodies")) && CrDeckCount(CrDeckFind(root, "bodies")) == 2);
  CHECK(CrDeckItem(CrDeckFind(root, "bodies"), 1) == CrDeckFind(root, "bodies.1"));
  CHECK(!CrDeckName(CrDeckFind(root, "bodies"), 0));
  body = CrDeckFind(root, "bodies.0");
  CHECK_NEAR(CrDeckReal(CrDeckFind(body, "mesh.disc.radius")), 10, 0);
  CHECK(CrDeckInteger(CrDeckFind(body, "mesh.disc.radius")) == 10);
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "bodies.1.spin.2")), 1, 0);
  CHECK(!CrDeckFind(root, "bodies.2") && !CrDeckFind(root, "bodies.x") && !CrDeckFind(NULL, "a"));
  CHECK(!CrDeckFind(root, "title.x") && !CrDeckFind(body, "move.0"));
  CHECK(CrDeckIsNull(NULL) && CrDeckIsNull(CrDeckItem(CrDeckFind(body, "move"), 0)));
  CHECK(CrDeckTruth(CrDeckFind(root, "time.adaptive")) == PETSC_FALSE);
  CHECK_TEXT(CrDeckText(CrDeckFind(root, "title")), "A \"skew\" impact");
  CHECK(CrDeckIsWord(CrDeckFind(root, "time.step"), "auto") && !CrDeckIsWord(NULL, "auto"));
  CHECK(CrDeckIsWord(CrDeckFind(root, "bodies.1.tags.0"), "off"));
  CHECK(CrDeckIsReal(CrDeckFind(root, "carom")) && !CrDeckIsReal(root) && !CrDeckIsReal(NULL));
  CHECK(!CrDeckIsReal(CrDeckFind(root, "time.step")));
  CHECK_TEXT(CrDeckPlace(CrDeckFind(root, "time.algorithm")), "d.yaml:14:14");
  CHECK_TEXT(CrDeckPlace(body), "d.yaml:4:5");

  CHECK_OK(CrDeckVector(body, "move", 2, 42, v, &given));
  CHECK(given && v[0] == 42 && v[1] == -0.1 && v[2] == 7);
  CHECK_OK(CrDeckVector(body, "nothing", 2, 0, v, &given));
  CHECK(!given && v[0] == 42);
  CHECK_REFUSED(CrDeckVector(body, "move", 3, 0, v, NULL),
                "d.yaml:7:11: bodies.0.move: expected 3 numbers, found 2");
  CHECK_REFUSED(CrDeckVector(body, "name", 2, 0, v, NULL), "bodies.0.name: expected 2 numbers");
  CHECK_REFUSED(CrDeckVector(root, "bodies.1.tags", 3, 0, v, NULL), "tags.0: expected a number");
  CHECK(v[0] == 42);
  CHECK_OK(CrDeckVector(body, "spin", 1, 0, v, NULL));
  CHECK(v[0] == 0);
  CHECK_REFUSED(CrDeckError(body, "%d is odd", 3), "d.yaml:4:5: bodies.0: 3 is odd");
  CHECK_OK(CrDeckDestroy(&deck));
  CHECK(!deck);
  CHECK_OK(CrDeckDestroy(&deck));
}

/* The forms of numbers, and what only looks like one. */
static void test_numbers(void)
{
  const char     *good[] = {"10",   "1e4", ".5",          "-3.", "+1",
                            "1E-2", "'7'", "\"-1.5e+3\"", "007", "1e-999"};
  const PetscReal value[] = {10, 1e4, .5, -3, 1, 1e-2, 7, -1.5e3, 7, 0};
  const char     *bad[] = {"1_000", "0x10", "1e",    ".",    "-",   "+.", "1.2.3", "1 2",
                           "e5",    "1e+",  "12:30", "True", "yes", "on", "''",    "1.e"};
  char            text[128];
  CrDeck         *deck;

  for (int i = 0; i < 10; i++) {
    snprintf(text, sizeof text, "carom: 1\nbodies: [{name: a, spin: %s}]", good[i]);
    CHECK_OK(load(text, NULL, NULL, &deck));
    CHECK_NEAR(CrDeckReal(CrDeckFind(CrDeckRoot(deck), "bodies.0.spin")), value[i], 0);
    CHECK_OK(CrDeckDestroy(&deck));
  }
  for (int i = 0; i < 16; i++) {
    snprintf(text, sizeof text, "carom: 1\nbodies: [{name: a, spin: %s}]", bad[i]);
    CHECK_REFUSED(load(text, NULL, NULL, &deck), "expected a number or a list of numbers, found");
  }
  CHECK_OK(load("carom: 1\noutput: {frames: 1e3}", NULL, NULL, &deck));
  CHECK(CrDeckInteger(CrDeckFind(CrDeckRoot(deck), "output.frames")) == 1000);
  CHECK_OK(CrDeckDestroy(&deck));
}

/* ---- messages -------------------------------------------------------------------------------- */

static void test_values_are_checked(void)
{
  REFUSED("carom: 1\nbodies:\n  - name: a\n    poisson: abc\n",
          "d.yaml:4:14: bodies.0.poisson: expected a number, found the text \"abc\"");
  REFUSED("carom: 1\nbodies:\n  - name: a\n    mesh: {disc: {center: [0], radius: -1}}\n",
          "d.yaml:4:40: bodies.0.mesh.disc.radius: must be greater than 0, is -1");
  REFUSED("carom: 1\nbodies: [{name: a, poisson: 0.50}]",
          "d.yaml:2:29: bodies.0.poisson: must be greater than -1 and less than 0.5, is 0.50");
  REFUSED("carom: 1\nbodies: [{name: a, share: 2}]",
          "d.yaml:2:27: bodies.0.share: must be at least 0 and at most 1, is 2");
  REFUSED("carom: 1\nbodies: [{name: a, low: 4}]",
          "d.yaml:2:25: bodies.0.low: must be at most 3, is 4");
  REFUSED("carom: 1\nbodies: [{name: a, low: .nan}]",
          "d.yaml:2:25: bodies.0.low: expected a finite number, found the number .nan");
  REFUSED("carom: 1\nbodies: [{name: a, low: -inf}]",
          "d.yaml:2:25: bodies.0.low: expected a finite number, found the number -inf");
  REFUSED("carom: 1\nbodies: [{name: a, low: 1e999}]",
          "d.yaml:2:25: bodies.0.low: expected a finite number, found the number 1e999");
  REFUSED("carom: 1\nbodies: [{name: a, low: [1]}]",
          "d.yaml:2:25: bodies.0.low: expected a number, found a list");
  REFUSED("carom: 1\nbodies: [{name: a, spin: {}}]",
          "d.yaml:2:26: bodies.0.spin: expected a number or a list of numbers, found a mapping");
  REFUSED("carom: 1\nbodies: [{name: a, spin: [0, x]}]",
          "d.yaml:2:30: bodies.0.spin.1: expected a number, found the text \"x\"");
  REFUSED("carom: 1\nbodies: [{name: a, spin: [0, ~]}]",
          "d.yaml:2:30: bodies.0.spin.1: expected a number, found nothing");
  REFUSED("carom: 1\nbodies: [{name: a, gradient: [[0, 1], 2]}]",
          "d.yaml:2:39: bodies.0.gradient.1: expected a list of numbers, found the number 2");
  REFUSED("carom: 1\nbodies: [{name: [a]}]",
          "d.yaml:2:17: bodies.0.name: expected a text, found a list");
  REFUSED("carom: 1\nbodies: [{name: a, tags: [[]]}]",
          "d.yaml:2:27: bodies.0.tags.0: expected a text, found a list");
  REFUSED("carom: 1\nbodies: [a]",
          "d.yaml:2:10: bodies.0: expected a mapping, found the text \"a\"");
  REFUSED("carom: 1\nbodies: {}",
          "d.yaml:2:9: bodies: expected a list of mappings, found a mapping; "
          "each entry begins with \"- \"");
  REFUSED("carom: 1\ntime: 3", "d.yaml:2:7: time: expected a mapping, found the number 3");
  REFUSED("carom: 1.5", "d.yaml:1:8: carom: expected an integer, found the number 1.5");
  REFUSED("carom: true", "d.yaml:1:8: carom: expected an integer, found true");
  REFUSED("carom: 2", "d.yaml:1:8: carom: must be 1, is 2");
  REFUSED("carom: 1\noutput: {frames: 1e10}",
          "d.yaml:2:18: output.frames: must be between -2147483647 and 2147483647, is 1e10");
  REFUSED("carom: 1\ntime: {step: 1, adaptive: on}",
          "d.yaml:2:27: time.adaptive: expected true or false, found the text \"on\"");
}

static void test_words_are_checked(void)
{
  REFUSED("carom: 1\ntime:\n  method: dissipatve\n  step: 1\n",
          "d.yaml:3:11: time.method: unknown \"dissipatve\"; did you mean \"dissipative\"?");
  REFUSED("carom: 1\ntime: {method: qqq, step: 1}",
          "d.yaml:2:16: time.method: unknown \"qqq\"; "
          "expected one of explicit, bipotential, dissipative");
  REFUSED("carom: 1\nplane: 3",
          "d.yaml:2:8: plane: expected one of strain, stress, found the number 3");
  REFUSED("carom: 1\ntime: {step: aut}",
          "d.yaml:2:14: time.step: unknown \"aut\"; did you mean \"auto\"?");
  REFUSED("carom: 1\ntime: {step: elephant}", "d.yaml:2:14: time.step: expected a number or "
                                              "auto, found the text \"elephant\"");
  REFUSED("carom: 1\ntime: {step: 0,5}",
          "d.yaml:2:14: time.step: is \"0,5\"; decimal numbers need a point");
  REFUSED("carom: 1\ntime: {step: 5 ms}",
          "d.yaml:2:14: time.step: expected a number or auto, found the text \"5 ms\"; write the "
          "number alone, in one consistent set of units for the whole deck");
  REFUSED("carom: 1\ntime: {step 5}",
          "d.yaml:2:8: time.step 5: \"step 5\" is missing a colon and a space after the key");
  REFUSED("carom: 1\ntime: {step: 0}", "d.yaml:2:14: time.step: must be greater than 0, is 0");
  REFUSED("carom: 1\noutput: {fields: [stress, stres]}",
          "d.yaml:2:27: output.fields.1: unknown \"stres\"; did you mean \"stress\"?");
  REFUSED("carom: 1\noutput: {fields: stress}",
          "d.yaml:2:18: output.fields: expected a list of words, found the text \"stress\"");
  REFUSED("carom: 1\nmethods:\n  explict: {}\n",
          "d.yaml:3:3: methods.explict: unknown \"explict\"; did you mean \"explicit\"?");
  REFUSED("carom: 1\nmethods: {zzz: {}}", "d.yaml:2:11: methods.zzz: unknown \"zzz\"; expected one "
                                          "of explicit, bipotential, dissipative");
  REFUSED("carom: 1\nmethods: {explicit: 3}",
          "d.yaml:2:21: methods.explicit: expected a mapping, found the number 3");
  REFUSED("carom: 1\nmethods: {explicit: {stepp: 3}}",
          "d.yaml:2:22: methods.explicit.stepp: unknown key \"stepp\"; did you mean \"step\"?");
}

static void test_keys_are_checked(void)
{
  REFUSED("carom: 1\ntime:\n  step: 1\n  methd: explicit\n",
          "d.yaml:4:3: time.methd: unknown key \"methd\"; did you mean \"method\"?");
  REFUSED("carom: 1\nbodies:\n- name: a\n  mesh: {zebra: 1}\n",
          "d.yaml:4:10: bodies.0.mesh.zebra: unknown key \"zebra\"; the keys here are disc, file");
  REFUSED("carom: 1\ntime: {step: 1, algorithmm: 3}",
          "d.yaml:2:17: time.algorithmm: unknown key \"algorithmm\"; did you mean \"algorithm\"?");
  REFUSED("carom: 1\nx: ~", "d.yaml:2:1: x: unknown key \"x\"; the keys here are carom, title, "
                            "plane, bodies, time, methods, output, late");
  REFUSED("title: a\n", "d.yaml:1:1: the key \"carom\" is missing; it is: deck version");
  REFUSED("carom: ~\n", "d.yaml:1:1: the key \"carom\" is missing; it is: deck version");
  REFUSED("carom: 1\nbodies:\n  - spin: 1\n", "d.yaml:3:5: bodies.0: the key \"name\" is missing");
  REFUSED("carom: 1\nlate: {}", "d.yaml:2:7: late: the key \"end\" is missing");
  REFUSED("carom: 1\ntitle: a\ntime:\n  step: 1\n  \"step\": 2\n",
          "d.yaml:5:3: time.step: the key is given here a second time; the first is in line 4");

  /* theta is known to two methods: either range will do, else the first complains */
  REFUSED("carom: 1\ntime: {step: 1, theta: 2}",
          "d.yaml:2:24: time.theta: must be at least 0 and less than 0.5, is 2");
}

static void test_yaml_is_narrowed(void)
{
  char deep[400] = "a: ";

  REFUSED("", "d.yaml:1:1: the deck is empty; expected a mapping of keys");
  REFUSED("# only a comment\n", "d.yaml:1:1: the deck is empty; expected a mapping of keys");
  REFUSED("---\n", "d.yaml:1:1: the deck is empty; expected a mapping of keys");
  REFUSED("- 1\n", "d.yaml:1:1: expected a mapping of keys, found a list");
  REFUSED("hello\n", "d.yaml:1:1: expected a mapping of keys, found a text");
  REFUSED("carom: 1\n---\ncarom: 1\n", "d.yaml:2:1: a second document begins here; a deck has one");
  REFUSED("carom: !!int 1\n",
          "d.yaml:1:8: carom: YAML tags such as tag:yaml.org,2002:int have no meaning in a deck");
  REFUSED("a: !x [1]\n", "d.yaml:1:4: a: YAML tags such as !x have no meaning in a deck");
  REFUSED("a: {b: *c}\n", "d.yaml:1:8: a.b: the alias *c has no anchor before it");
  REFUSED("a: &a [*a]\n", "d.yaml:1:8: a: the alias *a has no anchor before it");
  REFUSED("a: &x {b: 1}\nc:\n  <<: *x\n",
          "d.yaml:3:3: c: merge keys (<<) have no meaning in a deck");
  REFUSED("a: {[1]: 2}\n", "d.yaml:1:5: a: expected a name as key");
  REFUSED("'': 2\n", "d.yaml:1:1: the key is empty");
  REFUSED("&k a: 2\n", "d.yaml:1:1: a key cannot be an anchor");
  REFUSED("a: \"x\\0y\"\n", "d.yaml:1:4: a: a text cannot contain the character NUL");
  REFUSED("a: [1, 2\nb: 3\n",
          "d.yaml:2:2: not valid YAML: did not find expected ',' or ']' while parsing a flow "
          "sequence (line 1)");
  REFUSED("a:\n\tb: 1\n", "d.yaml:2:1: not valid YAML: a tab cannot indent; use spaces");
  REFUSED("a: 1\nb: x\xff\n", "d.yaml:2:5: not valid YAML: invalid leading UTF-8 octet (#FF)");
  CHECK_REFUSED(CrDeckParse("d", "a: \0 1", 6, 0, NULL, &(CrDeck *){NULL}),
                "d:1:4: not valid YAML: control characters are not allowed");
  for (int i = 0; i < 64; i++) strcat(deep, "[");
  CHECK_REFUSED(parse(deep, &(CrDeck *){NULL}), "nested deeper than 64 levels");
}

static void test_anchors(void)
{
  CrDeck *deck;
  char    laughs[4096] = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";

  CHECK_OK(parse("a: &v [1, {k: &w word}]\nb: *v\nc: *w\n", &deck));
  CHECK_TEXT(CrDeckText(CrDeckFind(CrDeckRoot(deck), "b.1.k")), "word");
  CHECK_TEXT(CrDeckText(CrDeckFind(CrDeckRoot(deck), "c")), "word");
  CHECK_REFUSED(CrDeckError(CrDeckFind(CrDeckRoot(deck), "b.1.k"), "x"), "d.yaml:1:15: b.1.k: x");
  CHECK_OK(CrDeckDestroy(&deck));

  /* each line ten times the one before */
  for (int i = 1; i < 9; i++) {
    sprintf(laughs + strlen(laughs), "a%d: &a%d [", i, i);
    for (int j = 0; j < 10; j++) sprintf(laughs + strlen(laughs), "*a%d,", i - 1);
    strcat(laughs, "]\n");
  }
  CHECK_REFUSED(parse(laughs, &deck), "d.yaml:5:38: a4: aliases copy more than 100000 values");
}

/* ---- defaults -------------------------------------------------------------------------------- */

static void test_defaults(void)
{
  CrDeck           *deck;
  const CrDeckNode *root;

  CHECK_OK(load("carom: 1\nbodies:\n  - name: a\n    mesh: {disc: {center: [0], radius: 1}}\n"
                "    spin: ~\ntime: {step: 1}\nmethods: {explicit: }\n",
                NULL, NULL, &deck));
  root = CrDeckRoot(deck);
  CHECK(CrDeckInteger(CrDeckFind(root, "bodies.0.mesh.disc.rings")) == 4);
  CHECK(!CrDeckIsGiven(CrDeckFind(root, "bodies.0.mesh.disc.rings")));
  CHECK(CrDeckIsGiven(CrDeckFind(root, "bodies.0.name")) && !CrDeckIsGiven(NULL));
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "bodies.0.spin")), 0, 0); /* null is absent */
  CHECK(CrDeckIsWord(CrDeckFind(root, "plane"), "strain"));
  CHECK_TEXT(CrDeckText(CrDeckFind(root, "title")), "no \"title\"");
  CHECK(CrDeckInteger(CrDeckFind(root, "output.frames")) == 100); /* inside a default map */
  CHECK(CrDeckIsWord(CrDeckFind(root, "output.fields.1"), "on"));
  CHECK(!CrDeckIsGiven(CrDeckFind(root, "output")));
  CHECK_TEXT(CrDeckPlace(CrDeckFind(root, "bodies.0.mesh.disc.rings")), "d.yaml:4:18");
  CHECK(!CrDeckFind(root, "time.theta") && !CrDeckFind(root, "methods.explicit"));

  /* the options of one method */
  CHECK_OK(CrDeckFill(deck, CrDeckFind(root, "time"), bipotential_keys));
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.theta")), 0.5, 0);
  CHECK(CrDeckIsWord(CrDeckFind(root, "time.level"), "gap"));
  CHECK_REFUSED(CrDeckFill(deck, CrDeckFind(root, "time"), explicit_keys),
                "d.yaml:6:7: time.theta: must be at least 0 and less than 0.5, is 0.5");
  CHECK_OK(CrDeckDestroy(&deck));

  CHECK_OK(load("carom: 1\ntime: {step: 1}", NULL, NULL, &deck));
  CHECK_REFUSED(CrDeckFill(deck, CrDeckFind(CrDeckRoot(deck), "time"), explicit_keys),
                "d.yaml:2:7: time: the key \"must_have\" is missing");
  CHECK_OK(CrDeckValidate(deck, top_keys)); /* twice changes nothing */
  CHECK_OK(CrDeckDestroy(&deck));
}

/* What a default map leaves missing is the user's to give. A default must parse. */
static void test_default_maps_are_checked(void)
{
  const CrKey top[] = {{"a", .types = CR_INTEGER}, {"late", CR_MAP, "{}", .keys = late_keys}, {0}};
  CrDeck     *deck;

  CHECK_OK(parse("a: 1\n", &deck));
  CHECK_REFUSED(CrDeckValidate(deck, top), "d.yaml:1:1: late: the key \"end\" is missing");
  CHECK_OK(CrDeckDestroy(&deck));
}

/* ---- --set and merging ----------------------------------------------------------------------- */

static void test_set(void)
{
  CrDeck           *deck;
  const CrDeckNode *root;

  CHECK_OK(load(sample, "bodies.0.mesh.disc.center=[3, 4]", "time.step=0.5", &deck));
  root = CrDeckRoot(deck);
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "bodies.0.mesh.disc.center.1")), 4, 0);
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.step")), 0.5, 0);
  CHECK_TEXT(CrDeckPlace(CrDeckFind(root, "time.step")), "--set time.step=0.5");
  CHECK(CrDeckIsGiven(CrDeckFind(root, "time.step")));
  CHECK_OK(CrDeckDestroy(&deck));

  /* what is missing is made, an index one past the end appends */
  CHECK_OK(
      load("carom: 1\nbodies: [{name: a}]", "bodies.1.mesh.file=f", "bodies.1.name=new", &deck));
  CHECK_TEXT(CrDeckText(CrDeckFind(CrDeckRoot(deck), "bodies.1.mesh.file")), "f");
  CHECK(CrDeckCount(CrDeckFind(CrDeckRoot(deck), "bodies")) == 2);
  CHECK_OK(CrDeckDestroy(&deck));
  CHECK_OK(load("carom: 1\n", "bodies.0.name=b", "title=", &deck));
  root = CrDeckRoot(deck);
  CHECK_TEXT(CrDeckText(CrDeckFind(root, "bodies.0.name")), "b");
  CHECK_TEXT(CrDeckText(CrDeckFind(root, "title")), "no \"title\"");
  CHECK_OK(CrDeckDestroy(&deck));
}

static void test_set_is_checked(void)
{
  const char *one = "carom: 1\ntitle: t\nbodies: [{name: a}]\ntime: {step: 1}\n";

  REFUSED_SET(one, "time.step=-1", "--set time.step=-1: time.step: must be greater than 0, is -1");
  REFUSED_SET(one, "time.stp=1",
              "--set time.stp=1: time.stp: unknown key \"stp\"; did you mean \"step\"?");
  REFUSED_SET(one, "time.step", "--set time.step: expected key.path=value, found no \"=\"");
  REFUSED_SET(one, "=1", "--set =1: a key before the \"=\" is empty");
  REFUSED_SET(one, "time..step=1", "--set time..step=1: a key before the \"=\" is empty");
  REFUSED_SET(one, "time.=1", "--set time.=1: a key before the \"=\" is empty");
  REFUSED_SET(one, "tim\xe9.step=1",
              "--set tim\\xe9.step=1: a key contains a character that is not allowed");
  REFUSED_SET(one, "title.x=1",
              "--set title.x=1: title: is a single value, so nothing can be set inside it");
  REFUSED_SET(
      one, "bodies.2.name=b",
      "--set bodies.2.name=b: bodies: expected an index from 0 to 1 of the list, found \"2\"");
  REFUSED_SET(
      one, "bodies.a.name=b",
      "--set bodies.a.name=b: bodies: expected an index from 0 to 1 of the list, found \"a\"");
  REFUSED_SET(one, "bodies.1.spin=2",
              "--set bodies.1.spin=2: bodies.1: the key \"name\" is missing");
  REFUSED_SET(
      one, "time.step=[1",
      "--set time.step=[1: not valid YAML: did not find expected ',' or ']' while parsing a "
      "flow sequence");
  REFUSED_SET(one, "time.step=*a", "--set time.step=*a: the alias *a has no anchor before it");
  REFUSED_SET(
      one,
      "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"
      ".a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
      "--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a....: nested "
      "too deep");
}

static void test_merge(void)
{
  CrDeck           *deck;
  const CrDeckNode *root, *time;

  CHECK_OK(load(sample, "time.theta=0.125", NULL, &deck));
  root = CrDeckRoot(deck);
  time = CrDeckFind(root, "time");
  CHECK_OK(CrDeckMerge(deck, time, CrDeckFind(root, "methods.explicit")));
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.step")), 0.5, 0);
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.theta")), 0.125, 0); /* --set wins */
  CHECK_TEXT(CrDeckPlace(CrDeckFind(root, "time.step")), "d.yaml:17:20");
  CHECK_REFUSED(CrDeckError(CrDeckFind(root, "time.step"), "x"), "d.yaml:17:20: time.step: x");
  /* spent: the deck as written would else undo the --set value when it is read again */
  CHECK(CrDeckCount(CrDeckFind(root, "methods.explicit")) == 0);
  CHECK_OK(CrDeckMerge(deck, time, NULL));
  CHECK_REFUSED(CrDeckMerge(deck, time, CrDeckFind(root, "title")), "title: expected a mapping");
  CHECK_OK(CrDeckDestroy(&deck));

  /* a whole map that was set wins entry by entry */
  CHECK_OK(load(sample, "time={step: 2, adaptive: true}", "title=x", &deck));
  root = CrDeckRoot(deck);
  CHECK_OK(CrDeckMerge(deck, CrDeckFind(root, "time"), CrDeckFind(root, "methods.explicit")));
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.step")), 2, 0);
  CHECK_NEAR(CrDeckReal(CrDeckFind(root, "time.theta")), 0.25, 0);
  CHECK(CrDeckCount(CrDeckFind(root, "time")) == 4);
  CHECK_OK(CrDeckDestroy(&deck));
}

/* ---- writing --------------------------------------------------------------------------------- */

static void written(const CrDeck *deck, char text[], size_t room)
{
  FILE  *out = tmpfile();
  size_t n;

  CHECK_OK(CrDeckWrite(deck, out));
  rewind(out);
  n = fread(text, 1, room - 1, out);
  text[n] = 0;
  fclose(out);
}

static PetscBool is_equal(const CrDeckNode *a, const CrDeckNode *b)
{
  if (CrDeckIsMap(a) != CrDeckIsMap(b) || CrDeckIsList(a) != CrDeckIsList(b)) return PETSC_FALSE;
  if (CrDeckIsNull(a) || CrDeckIsNull(b)) return CrDeckIsNull(a) && CrDeckIsNull(b);
  if (CrDeckCount(a) != CrDeckCount(b)) return PETSC_FALSE;
  if (CrDeckIsReal(a) && CrDeckIsReal(b)) return CrDeckReal(a) == CrDeckReal(b);
  if (!CrDeckIsMap(a) && !CrDeckIsList(a)) return !strcmp(CrDeckText(a), CrDeckText(b));
  for (PetscInt i = 0; i < CrDeckCount(a); i++) {
    if (CrDeckIsMap(a) && strcmp(CrDeckName(a, i), CrDeckName(b, i))) return PETSC_FALSE;
    if (!is_equal(CrDeckItem(a, i), CrDeckItem(b, i))) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

static void test_write(void)
{
  CrDeck *deck, *again;
  char    text[4096];

  CHECK_OK(load(sample, NULL, NULL, &deck));
  written(deck, text, sizeof text);
  CHECK_TEXT(text, "carom: 1\n"
                   "title: \"A \\\"skew\\\" impact\"\n"
                   "bodies:\n"
                   "  - name: left\n"
                   "    mesh:\n"
                   "      disc:\n"
                   "        center: [-1.8, 0]\n"
                   "        radius: 1.0e+1\n"
                   "        rings: 4\n"
                   "    move: [~, -0.1]\n"
                   "    gradient: [[0.4, 0], [0.5, -3.0]]\n"
                   "    spin: 0\n"
                   "  - name: \"yes\"\n"
                   "    spin: [0, 0, 1]\n"
                   "    tags: [\"off\", \"3\", \"é\"]\n"
                   "time:\n"
                   "  step: auto\n"
                   "  algorithm: 2\n"
                   "  adaptive: false\n"
                   "  method: dissipative\n"
                   "methods:\n"
                   "  explicit:\n"
                   "    step: 0.5\n"
                   "    theta: 0.25\n"
                   "  bipotential:\n"
                   "    level: increment\n"
                   "plane: strain\n"
                   "output:\n"
                   "  frames: 100\n"
                   "  fields: [stress, \"on\"]\n"
                   "  file: \"a: b\"\n");
  CHECK_OK(parse(text, &again));
  CHECK(is_equal(CrDeckRoot(deck), CrDeckRoot(again)));
  CHECK_OK(CrDeckDestroy(&deck));
  CHECK_OK(CrDeckDestroy(&again));
}

/* Texts, keys and shapes that are easily written wrong; no table has seen them. */
static void test_write_is_read_again(void)
{
  const char *decks[] = {
      "{}",
      "a: []\nb: {}\nc: ~\nd: ''\ne: '~'\nf: 'null'\ng: [[], {}]\n",
      "on: off\n'y': n\nNo: YES\n'1': '2'\n'a: b': '# x'\n'- a': '-'\n\"a\\nb\": \"c\\td\\\\\"\n",
      "a: [[{b: 1}, [2, {c: 3}]], x, {d: [{e: f}]}]\n",
      "a: |\n  two\n  lines\nb: >\n  folded\n  text\nc: ' lead'\nd: 'trail '\ne: 'a  b'\n",
      "a: \"\\x01\\x7f\\x85\\u2028\\ufeff\\U0001F600\\uffff\"\nb: über 10 °C\n",
      "a: 1e4\nb: +.5\nc: -.5e-3\nd: 010\ne: '010'\nf: 1:30\ng: 2001-01-01\nh: 0x10\ni: 0.e1\n",
      "a: 'true'\nb: true\nc: True\nd: =\ne: '<<'\n'<<': 1\nf: '*a'\ng: '!x'\nh: '[1'\ni: \"'\"\n"};
  CrDeck *deck, *again;
  char    text[4096];

  for (size_t i = 0; i < sizeof decks / sizeof *decks; i++) {
    CHECK_OK(parse(decks[i], &deck));
    written(deck, text, sizeof text);
    CHECK_OK(parse(text, &again));
    CHECK(is_equal(CrDeckRoot(deck), CrDeckRoot(again)));
    if (!is_equal(CrDeckRoot(deck), CrDeckRoot(again))) printf("%s", text);
    CHECK_OK(CrDeckDestroy(&deck));
    CHECK_OK(CrDeckDestroy(&again));
  }
}

static void test_schema(void)
{
  char  *text;
  FILE  *out = tmpfile();
  size_t n;

  CHECK_OK(PetscCalloc1(100000, &text));
  CHECK_OK(CrDeckWriteSchema(top_keys, out));
  rewind(out);
  n = fread(text, 1, 99999, out);
  fclose(out);
  CHECK(n > 1000 && n < 99999);
  CHECK(strstr(text, "\"$schema\":\t\"https://json-schema.org/draft/2020-12/schema\""));
  CHECK(strstr(text, "\"title\":\t\"carom deck\""));
  CHECK(strstr(text, "\"exclusiveMinimum\":\t-1"));
  CHECK(strstr(text, "\"enum\":\t[\"explicit\", \"bipotential\", \"dissipative\"]"));
  CHECK(strstr(text, "\"required\":\t[\"carom\"]"));
  CHECK(strstr(text, "\"default\":\t[\"stress\", \"on\"]"));
  CHECK_OK(PetscFree(text));
}

/* ---- files and hostile input ----------------------------------------------------------------- */

static void test_files(void)
{
  CrDeck *deck;
  char    path[] = "test_deck_XXXXXX";
  FILE   *file;
  int     rank;

  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK_REFUSED(CrDeckRead(MPI_COMM_WORLD, "no-such.yaml", 0, NULL, &deck),
                "no-such.yaml: cannot be read: No such file or directory");
  CHECK_REFUSED(CrDeckRead(MPI_COMM_WORLD, ".", 0, NULL, &deck),
                ".: cannot be read: Is a directory");
  CHECK_REFUSED(CrDeckRead(MPI_COMM_WORLD, "/dev/zero", 0, NULL, &deck), "longer than 64 MB");
  if (rank == 0) {
    file = fdopen(mkstemp(path), "w");
    fputs("\xef\xbb\xbf", file); /* a byte order mark does no harm */
    for (int i = 0; i < 70000; i++) fputc('#', file);
    fprintf(file, "\n%s", sample);
    fclose(file);
  }
  CHECK(!MPI_Bcast(path, (int)sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD));
  CHECK_OK(CrDeckRead(MPI_COMM_WORLD, path, 0, NULL, &deck));
  CHECK_OK(CrDeckValidate(deck, top_keys));
  CHECK_TEXT(CrDeckPath(deck), path);
  CHECK_OK(CrDeckDestroy(&deck));
  CHECK(!MPI_Barrier(MPI_COMM_WORLD));
  if (rank == 0) remove(path);
}

static void test_long_texts(void)
{
  const size_t n = 1000000;
  char        *text;
  CrDeck      *deck;

  CHECK_OK(PetscCalloc1(n + 100, &text));
  strcpy(text, "carom: 1\ntitle: ");
  memset(text + strlen(text), 'x', n);
  CHECK_OK(load(text, NULL, NULL, &deck));
  CHECK(strlen(CrDeckText(CrDeckFind(CrDeckRoot(deck), "title"))) == n);
  CHECK_OK(CrDeckDestroy(&deck));
  memcpy(text + 9, "plane", 5);
  CHECK_REFUSED(load(text, NULL, NULL, &deck), "xxx...\"; expected one of strain, stress");
  memset(text + 16, '7', n); /* a number of a million digits is not finite */
  CHECK_REFUSED(load(text, NULL, NULL, &deck),
                "expected one of strain, stress, found the number 77");
  CHECK_OK(PetscFree(text));
}

/* Damaged decks may be good or bad, but must come back; what is good can be written and read. */
static void test_damaged_decks(void)
{
  unsigned     seed = 1;
  const size_t n = sizeof sample - 1;
  char         text[sizeof sample], page[8192];
  CrDeck      *deck, *again;
  int          good = 0;

  for (int round = 0; round < 1000; round++) {
    memcpy(text, sample, sizeof sample);
    for (int k = 0; k <= round % 4; k++) {
      seed = seed * 1664525u + 1013904223u;
      text[(seed >> 8) % n] =
          round % 2 ? (char)(seed >> 24) : "[]{}:-#&*!|>'\"%@`,? \n\t0~"[(seed >> 20) % 25];
    }
    if (!CrDeckParse("d", text, n, 0, NULL, &deck)) {
      written(deck, page, sizeof page);
      CHECK_OK(parse(page, &again));
      CHECK(is_equal(CrDeckRoot(deck), CrDeckRoot(again)));
      CHECK_OK(CrDeckDestroy(&again));
      good += !CrDeckValidate(deck, top_keys);
      CHECK_OK(CrDeckDestroy(&deck));
    }
    CrErrorClear();
  }
  CHECK(good > 10);
}

int main(int argc, char **argv)
{
  setvbuf(stdout, NULL, _IOLBF, 0); /* what failed is told even if the next line crashes */
  if (check_start(argc, argv)) return 1;
  test_getters();
  test_numbers();
  test_values_are_checked();
  test_words_are_checked();
  test_keys_are_checked();
  test_yaml_is_narrowed();
  test_anchors();
  test_defaults();
  test_default_maps_are_checked();
  test_set();
  test_set_is_checked();
  test_merge();
  test_write();
  test_write_is_read_again();
  test_schema();
  test_files();
  test_long_texts();
  test_damaged_decks();
  return check_end();
}
