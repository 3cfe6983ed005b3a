"""Learning: games of the engine with itself, a net trained on them, and its match against what the engine has.

Playing needs the standard library alone, training the extra ``learn`` (:mod:`komadai.lab.learn.training`).
"""
