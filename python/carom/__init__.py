"""carom: bodies that strike, slide, stick, roll and rebound, with every joule accounted for.

    import carom

    deck = carom.Deck("impact.yaml")                  # checked by the program's own schema
    deck["contact.0.friction"] = 0.3
    run = carom.run(deck, "impact.out")               # as the command line does, with files
    run.history["friction_loss"][-1]                  # NumPy columns

    with carom.Simulation(deck) as sim:               # in this process, without files
        while sim.step():
            if sim["left"].velocity[:, 0].mean() < 0:
                break

Reading results (`carom.open`) needs Python and NumPy only; everything else needs the program carom and its library.
"""
from .deck import Deck, load
from .errors import CaromError, DeckError, MachineError, RunFailed
from .results import Run, open, smooth
from .running import converge, convergence, run
from .simulation import Simulation
from .sweeping import Sweep, sweep

__version__ = "0.2.0"
__all__ = ["CaromError", "Deck", "DeckError", "MachineError", "Run", "RunFailed", "Simulation", "Sweep", "converge",
           "convergence", "load", "open", "run", "smooth", "sweep"]
