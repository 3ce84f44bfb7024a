"""The workbench: the emulated table of `dudo-table play` on a page on this computer, with chairs for people.

`server.WorkbenchServer` serves it. It is for trying and playing; the daemon on real wires (`run`) can't reach it.
"""
