"""Records spoilt by chance, read back, and what their readers may not do with them.

    PYTHONPATH=tests python -m fuzz.records --files 100000 --seed 1 --workers 2

reads mutated files of all formats in processes of its own and prints how many were read, refused, and wrong. ``seeds``
has the files to begin with, ``mutator`` spoils them, ``judge`` says what must hold.
"""
