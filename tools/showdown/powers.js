#!/usr/bin/env node
// Writes src/showdown/powers_data.c: the base power of every move of generation 8, as the pinned
// npm package has it.
//
//     node tools/showdown/powers.js >src/showdown/powers_data.c
'use strict';

const version = require('pokemon-showdown/package.json').version;
const {Dex} = require('pokemon-showdown');
const dex = Dex.mod('gen8');
const moves = dex.moves.all()
    .filter(m => m.exists && !m.isMax && !m.isZ && m.gen <= 8 && m.basePower > 0 && !m.realMove)
    .map(m => [m.id, m.basePower])
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));

console.log(`/* Written by tools/showdown/powers.js from pokemon-showdown ${version} (MIT licence): do not edit.
 * Moves with a base power, sorted by id. */
#include "showdown/powers.h"

const struct power powers_data[] = {`);
for (const [id, power] of moves) console.log(`    {"${id}", ${power}},`);
console.log(`};

const int powers_count = (int)(sizeof powers_data / sizeof *powers_data);`);
