// As little as a program can be: what a run costs before it does anything.
1
