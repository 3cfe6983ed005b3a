"""A model of the whole protocol, and simulated servers that are held against it: one thread, no time that passes."""
