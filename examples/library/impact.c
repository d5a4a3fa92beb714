/* Opens a deck, takes all its steps, and says where the energy went.

     cc impact.c $(pkg-config --cflags --libs carom) -o impact && ./impact impact.yaml */
#include <carom.h>
#include <stdio.h>

static int fail(const carom_sim *sim)
{
  fprintf(stderr, "%s\n", carom_error(sim));
  return 1;
}

int main(int argc, char **argv)
{
  carom_sim    *sim = NULL;
  carom_outcome outcome = CAROM_STEPPED;
  double        kinetic, strain, loss, balance;
  carom_view    x;

  if (argc < 2) return fprintf(stderr, "usage: impact DECK.yaml\n"), 2;
  if (carom_start(&argc, &argv)) return fail(NULL);
  if (carom_open(NULL, argv[1], 0, NULL, &sim)) return fail(NULL);
  while (outcome == CAROM_STEPPED)
    if (carom_step(sim, &outcome)) return fail(sim);
  if (outcome == CAROM_GAVE_UP) return fail(sim);
  if (carom_ledger(sim, "kinetic", &kinetic) || carom_ledger(sim, "strain", &strain) ||
      carom_ledger(sim, "friction_loss", &loss) || carom_ledger(sim, "balance", &balance))
    return fail(sim);
  printf("t %.6g after %ld steps: kinetic %.10g, strain %.10g, friction loss %.10g, balance %.1e\n",
         carom_time(sim), carom_steps(sim), kinetic, strain, loss, balance);
  for (long k = 0; carom_name(sim, "bodies", k); k++) {
    if (carom_array(sim, carom_name(sim, "bodies", k), "position", &x)) return fail(sim);
    printf("%s: %ld rows\n", carom_name(sim, "bodies", k), x.rows);
  }
  carom_close(&sim);
  return carom_stop();
}
