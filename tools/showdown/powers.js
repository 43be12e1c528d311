#!/usr/bin/env node
// Writes src/showdown/powers_data.c: the base power of every move of generation 8, from the pinned
// npm package.
//
//     node tools/showdown/powers.js >src/showdown/powers_data.c
'use strict';

const version = require('pokemon-showdown/package.json').version;
const {Dex} = require('pokemon-showdown');
const dex = Dex.mod('gen8');
const powers = new Map(); // by id, because Hidden Power has one id for many names
for (const move of dex.moves.all()) {
    if (move.exists && !move.isMax && !move.isZ && move.gen <= 8 && move.basePower > 0)
        powers.set(move.id, move.basePower);
}
const moves = [...powers].sort((a, b) => (a[0] < b[0] ? -1 : 1));

console.log(`/* Written by tools/showdown/powers.js from pokemon-showdown ${version} (MIT licence): do not edit.
 * Moves with a base power, sorted by id. */
#include "showdown/powers.h"

const struct power powers_data[] = {`);
for (const [id, power] of moves) console.log(`    {"${id}", ${power}},`);
console.log(`};

const int powers_count = (int)(sizeof powers_data / sizeof *powers_data);`);
