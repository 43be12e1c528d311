#!/bin/sh
# Serves a player of an earlier Banyan to a match of this one, in Pokémon.
#
#   banyan match pokemon PLAYER "exec:tools/results/pokemon_old.sh OLD OLD_PLAYER" ...
#
# Members of states that came after 22 November 2026 are left out of its input: the earlier program refuses them.
# They say what had been drawn or seen, and its search does not use them.
set -eu
[ $# -eq 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
later='arrived[a-z]*|confusiondrawn|lockeddrawn|trapdrawn|struck|spent|wishsource'
sed -uE "s/ ($later)=[^ ]*//g" | "$1" serve pokemon --player "$2"
