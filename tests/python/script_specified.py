import carom, numpy as np

deck = carom.Deck("impact.yaml")                 # or a dict, or text; checked by the program's own schema
deck["contact"][0]["friction"] = 0.3             # a plain nested dict with attribute paths: deck["contact.0.friction"]

run = carom.run(deck, "impact.out")              # progress bar in terminal and notebook; Ctrl-C leaves a checkpoint
run.history["friction_loss"][-1]                 # NumPy columns; run.history.pandas() if pandas is there
run.audit.balance, run.frames[30]["velocity"]    # arrays by body; run.frames is lazy
run                                              # in a notebook: the animated page, inline

with carom.Simulation(deck) as sim:              # in process, no files unless asked
    wheel = sim["left"]
    sim.on_force(wheel, lambda t, x, v: -0.1 * v)         # its work is in the ledger
    while sim.step():
        if wheel.velocity[:, 0].mean() < 0: break         # views without a copy, valid until the next step
    sim.ledger["kinetic"], wheel.position

table = carom.sweep(deck, {"contact.0.friction": np.linspace(0, 1, 21), "time.method": ["dissipative", "velocity-update"]},
                    measure=lambda run: {"loss": run.audit.friction_loss}, workers=2, folder="sweep.out")
