"""Players who are programs of others: processes that speak UCI or xboard, and never believed.

| module              | one idea                                                             |
|---------------------|----------------------------------------------------------------------|
| `misconduct`        | what a program may do wrong, by name                                 |
| `said`              | what a program says of itself: name, options, variants               |
| `uci`, `xboard`     | the two languages: lines as plain data, and back                     |
| `spelling`          | which variant of theirs a rule set of ours is, and their letters     |
| `programs`          | which program a name stands for on this machine                      |
| `launch`, `process` | the edge: a process in bounds, lines in, lines out                   |
| `conversation`      | what is said to a program, in which order, and how long one waits    |
| `player`            | a program as a player of games                                       |
"""
