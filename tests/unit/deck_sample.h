/* A small table with every kind of key, and a deck that suits it. */
#pragma once

#include "deck/deck.h"

static const CrKey disc_keys[] = {{"center", CR_REALS | CR_MUST, .help = "of the disc"},
                                  {"radius", CR_REAL | CR_MUST, .range = "(0,inf)"},
                                  {"rings", CR_INTEGER, "4", .range = "[1,100]"},
                                  {0}};

static const CrKey mesh_keys[] = {{"disc", CR_MAP, .keys = disc_keys},
                                  {"file", .types = CR_TEXT},
                                  {0}};

static const CrKey body_keys[] = {{"name", .types = CR_TEXT | CR_MUST},
                                  {"mesh", CR_MAP, .keys = mesh_keys},
                                  {"spin", .types = CR_REAL | CR_REALS, "0"},
                                  {"poisson", CR_REAL, .range = "(-1,0.5)"},
                                  {"share", CR_REAL, .range = "[0,1]"},
                                  {"low", CR_REAL, .range = "(-inf,3]"},
                                  {"gradient", .types = CR_MATRIX},
                                  {"move", .types = CR_REALS | CR_NULLS},
                                  {"tags", .types = CR_TEXTS},
                                  {0}};

static const CrKey explicit_keys[] = {{"algorithm", .types = CR_WORD, "3", "legacy|1|2|3"},
                                      {"theta", CR_REAL, "0.25", .range = "[0,0.5)"},
                                      {"must_have", .types = CR_REAL | CR_MUST},
                                      {0}};

static const CrKey bipotential_keys[] = {{"level", .types = CR_WORD, "gap", "gap|increment"},
                                         {"theta", CR_REAL, "0.5", .range = "[0.5,1]"},
                                         {0}};

static const CrKey *method_table(PetscInt i)
{
  const CrKey *const tables[] = {explicit_keys, bipotential_keys, NULL};

  return tables[i];
}

static const char *method_word(PetscInt i)
{
  const char *const words[] = {"explicit", "bipotential", "dissipative", NULL};

  return words[i];
}

static const CrKey time_keys[] = {{"method", CR_WORD, "dissipative", .more_words = method_word},
                                  {"step", CR_REAL | CR_WORD | CR_MUST, .words = "auto",
                                   .range = "(0,inf)"},
                                  {"adaptive", .types = CR_TRUTH, "true"},
                                  {0}};

static const CrKey output_keys[] = {{"frames", CR_INTEGER, "100", .range = "[0,inf)"},
                                    {"fields", .types = CR_WORDS, "[stress, on]",
                                     "stress|velocity|on"},
                                    {"file", .types = CR_TEXT, "'a: b'"},
                                    {0}};

static const CrKey late_keys[] = {{"end", .types = CR_REAL | CR_MUST}, {0}};

static const CrKey top_keys[] = {{"carom", CR_INTEGER | CR_MUST, .range = "[1,1]",
                                  .help = "deck version"},
                                 {"title", .types = CR_TEXT, "\"no \\\"title\\\"\""},
                                 {"plane", CR_WORD, "strain", "strain|stress", .help = "2D"},
                                 {"bodies", CR_LIST, .keys = body_keys},
                                 {"time", CR_MAP, .keys = time_keys, .more = method_table},
                                 {"methods", CR_NAMED, .keys = time_keys, .more_words = method_word,
                                  .more = method_table},
                                 {"output", CR_MAP, "{}", .keys = output_keys},
                                 {"late", CR_MAP, .keys = late_keys},
                                 {0}};

static const char sample[] = "carom: 1\n"
                             "title: A \"skew\" impact # with a comment\n"
                             "bodies:\n"
                             "  - name: left\n"
                             "    mesh:\n"
                             "      disc: {center: [-1.8, 0], radius: 1e1}\n"
                             "    move: [~, -0.1]\n"
                             "    gradient: [[0.4, 0], [.5, -3.]]\n"
                             "  - name: 'yes'\n"
                             "    spin: [0, 0, \"1\"]\n"
                             "    tags: [off, 3, é]\n"
                             "time:\n"
                             "  step: auto\n"
                             "  algorithm: 2\n"
                             "  adaptive: false\n"
                             "methods:\n"
                             "  explicit: {step: 0.5, theta: 0.25}\n"
                             "  bipotential: {level: increment}\n";
