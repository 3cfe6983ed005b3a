"""Komadai as a static folder: the server of :mod:`komadai.app.web` in a worker of a browser's tab.

The modules of this folder run in the tab, :mod:`komadai.app.site.export` writes the folder, and ``static`` holds
its own pages and scripts, which are no part of the server's.
"""
