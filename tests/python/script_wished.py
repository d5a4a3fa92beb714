import carom, numpy as np, matplotlib.pyplot as plt
deck = carom.load("impact.yaml")                       # a dict with attributes, checked on assignment
deck.contact[0].friction = 0.3
runs = carom.sweep(deck, {"time.step": [2e-4, 1e-4, 5e-5], "time.method": ["dissipative", "bipotential"]},
                   jobs=2, cache="sweep")              # what is done already is not run again
print(runs.table("friction_loss", "balance_relative", "wall_seconds"))     # pandas
run = runs[0]
t, E = run.history["time"], run.history["energy"]      # numpy
f = run.contacts["left-right"].force                   # (steps, 3)
u = run.frame(30).point["displacement"]                # (nodes, 3); run.frame(30).mesh.cells
plt.plot(t, E); plt.plot(t, carom.smooth(f[:, 0], window=1e-3))
run.show(field="von-mises")                            # the page inside Jupyter
run.save_film("impact.mp4", field="velocity")
with carom.Simulation(deck) as sim:                    # the solver itself, step by step
    while sim.time < 0.04:
        sim.loads["push"] = 100 * np.sin(50 * sim.time)      # a load as any function
        sim.step()
        if sim.probe("tip").u[1] > 0.01: break
carom.convergence(deck, "time.step", 4, of="friction_loss").plot()   # order, extrapolated value, error bar
