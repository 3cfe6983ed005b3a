"""Engine time of the server: who thinks, for how long, in which threads."""
