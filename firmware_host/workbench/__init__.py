"""The workbench: `dudo-table play`'s table on a page on this computer, with chairs for people.

`evening.Invitation` opens it. It is a tool for trying and playing; the daemon on real wires (`run`) can't reach it.
"""
