#!/usr/bin/env node
'use strict';
/*
 * Writes the tables of src/games/pokemon/dex from the npm package pokemon-showdown (pinned in
 * tools/showdown): what gen8randombattle can produce, and whole sets with their weights, sampled
 * from the package's own generator.
 *
 *   npm ci --prefix tools/showdown --ignore-scripts && node tools/make_dex.js [--teams N] [--check]
 *
 * --teams N   sample N teams for the set prior (default 100000)
 * --out DIR   where to write (default src/games/pokemon/dex)
 * --check     write nothing, exit 1 if a dex table differs from what is there
 * The package is found in tools/showdown/node_modules, or under $PS_DIR.
 */
const fs = require('fs');
const path = require('path');

const arg = (k, d) => { const i = process.argv.indexOf(k); return i < 0 ? d : process.argv[i + 1]; };
const ROOT = path.resolve(__dirname, '..');
const OUT = path.resolve(arg('--out', path.join(ROOT, 'src/games/pokemon/dex')));
const TEAMS = Number(arg('--teams', 100000));
const CHECK = process.argv.includes('--check');

const PS = process.env.PS_DIR || path.join(__dirname, 'showdown/node_modules/pokemon-showdown');
if (!fs.existsSync(path.join(PS, 'dist/sim/index.js'))) {
  console.error(`make_dex: no pokemon-showdown in ${PS}: npm ci --prefix tools/showdown --ignore-scripts, or set PS_DIR`);
  process.exit(2);
}
const {Dex, Teams} = require(path.join(PS, 'dist/sim'));
const VERSION = require(path.join(PS, 'package.json')).version;
const dex = Dex.mod('gen8');
const pools = require(path.join(PS, 'dist/data/random-battles/gen8/sets.json'));

const STATS = ['hp', 'atk', 'def', 'spa', 'spd', 'spe'];
const BOOSTS = ['atk', 'def', 'spa', 'spd', 'spe', 'accuracy', 'evasion'];
const TYPES = ['Normal', 'Fighting', 'Flying', 'Poison', 'Ground', 'Rock', 'Bug', 'Ghost', 'Steel', 'Fire', 'Water',
  'Grass', 'Electric', 'Psychic', 'Ice', 'Dragon', 'Dark', 'Fairy'];
const MAX_MOVES = {Flying: 'maxairstream', Dark: 'maxdarkness', Fire: 'maxflare', Bug: 'maxflutterby', Water: 'maxgeyser',
  Status: 'maxguard', Ice: 'maxhailstorm', Fighting: 'maxknuckle', Electric: 'maxlightning', Psychic: 'maxmindstorm',
  Poison: 'maxooze', Grass: 'maxovergrowth', Ghost: 'maxphantasm', Ground: 'maxquake', Rock: 'maxrockfall',
  Fairy: 'maxstarfall', Steel: 'maxsteelspike', Normal: 'maxstrike', Dragon: 'maxwyrmwind'};

// ---------------------------------------------------------------- what occurs
const uniq = list => [...new Set(list)].sort();
const sample = sampleTeams(TEAMS);

function sampleTeams(n) {
  const generator = Teams.getGenerator('gen8randombattle', '1,2,3,4');
  const entries = {};
  for (let i = 0; i < n; i++) {
    for (const p of generator.getTeam()) {
      const species = dex.species.get(p.species).id;
      const key = [p.speciesId, species].join();
      const e = entries[key] = entries[key] || {entry: p.speciesId, species, level: p.level, gmax: p.gigantamax ? 1 : 0,
        genders: {}, n: 0, sets: {}};
      const set = [dex.items.get(p.item).id, dex.abilities.get(p.ability).id, ...p.moves.slice().sort(),
        STATS.map(s => p.evs[s]).join(' '), STATS.map(s => p.ivs[s]).join(' ')].join(',');
      e.n++;
      e.sets[set] = (e.sets[set] || 0) + 1;
    }
  }
  return Object.keys(entries).sort().map(k => entries[k]);
}

function allSpecies() {
  const ids = new Set(sample.map(e => e.species));
  for (const id of Object.keys(pools)) if (!id.endsWith('gmax')) ids.add(id);
  for (const id of [...ids]) {
    const base = dex.species.get(dex.species.get(id).baseSpecies);
    ids.add(base.id);
    for (const name of [...base.otherFormes || [], ...base.cosmeticFormes || []]) {
      const s = dex.species.get(name);
      if (s.isMega || s.isPrimal || s.forme.endsWith('Gmax') || s.forme.endsWith('Totem') || s.gen > 8) continue;
      if (s.isNonstandard && s.isNonstandard !== 'Past') continue;
      const from = [].concat(s.battleOnly || []).map(x => dex.species.get(x).id);
      if (from.some(x => ids.has(x)) || (base.cosmeticFormes || []).includes(name)) ids.add(s.id);
    }
  }
  for (const id of ['zaciancrowned', 'zamazentacrowned']) ids.add(id);
  return [...ids].sort();
}
const speciesIds = allSpecies();
const moveIds = uniq([
  ...Object.values(pools).flatMap(p => p.sets.flatMap(s => s.movepool.map(m => dex.moves.get(m).id))),
  ...Object.values(MAX_MOVES), 'struggle', 'triattack', 'thunderbolt', 'energyball', 'moonblast', 'psychic', 'transform',
  'behemothblade', 'behemothbash', 'ironhead',
  ...speciesIds.map(id => dex.species.get(id).canGigantamax || '').filter(Boolean).map(m => dex.moves.get(m).id)
    .filter(m => m && Object.keys(pools).some(id => id.endsWith('gmax') &&
      dex.moves.get(dex.species.get(dex.species.get(id).changesFrom || id.slice(0, -4)).canGigantamax || '').id === m))]);
const abilityIds = uniq([
  ...Object.values(pools).flatMap(p => p.sets.flatMap(s => (s.abilities || []).map(a => dex.abilities.get(a).id))),
  ...sample.flatMap(e => Object.keys(e.sets).map(s => s.split(',')[1])),
  ...['zygardecomplete', 'zaciancrowned', 'zamazentacrowned'].map(id => dex.abilities.get(dex.species.get(id).abilities[0]).id)]);
const itemIds = uniq([...sample.flatMap(e => Object.keys(e.sets).map(s => s.split(',')[0])).filter(Boolean),
  'rustedsword', 'rustedshield', ...TYPES.filter(t => t !== 'Normal').map(t => dex.items.all().find(i => i.onMemory === t).id)]);

// ---------------------------------------------------------------- C text
const up = s => s.toUpperCase();
const q = s => JSON.stringify(s);
const bits = (list, prefix) => list.length ? list.map(x => prefix + up(x)).join(' | ') : '';
const header = what => `/* ${what}.
 * Generated by tools/make_dex.js from npm pokemon-showdown ${VERSION} (data of gen 8); do not edit.
 * Data: Copyright (c) 2011-2026 Guangcong Luo and other contributors of Pokemon Showdown, MIT license.
 */
/* clang-format off */
`;
const outputs = {};
const type = t => 'TYPE_' + (t === '???' ? 'NONE' : up(t));
const boosts = o => '{' + BOOSTS.map(b => (o && o[b]) || 0).join(', ') + '}';
const fields = o => Object.entries(o).filter(([, v]) => v !== 0 && v !== '' && v !== undefined && v !== false && v !== null)
  .map(([k, v]) => `.${k} = ${v === true ? 1 : v}`).join(', ');
const row = (index, o) => `    [${index}] = {${fields(o)}},\n`;

// ---------------------------------------------------------------- ids
const enumOf = (name, prefix, first, ids) =>
  `enum ${name} {\n${[first, ...ids].map((id, i) => `    ${prefix}_${up(id)}${i ? '' : ' = 0'},`).join('\n')}\n    ${prefix}_COUNT\n};\n`;
outputs['dex_ids.h'] = header('Names of everything that gen8randombattle can produce').replace('/* clang-format off */\n', '') +
  `#ifndef GAMES_POKEMON_DEX_DEX_IDS_H\n#define GAMES_POKEMON_DEX_DEX_IDS_H\n\n/* clang-format off */\n` +
  [enumOf('dex_species_id', 'SPECIES', 'none', speciesIds), enumOf('dex_move_id', 'MOVE', 'none', moveIds),
    enumOf('dex_ability_id', 'ABILITY', 'none', abilityIds), enumOf('dex_item_id', 'ITEM', 'none', itemIds)].join('\n') +
  `/* clang-format on */\n\n#endif\n`;

// ---------------------------------------------------------------- species
function speciesTable() {
  let s = header('The table of species and formes') + '#include "games/pokemon/dex/dex.h"\n\nconst struct dex_species dex_species[SPECIES_COUNT] = {\n';
  s += '    [SPECIES_NONE] = {.id = "none", .name = "none", .types = {TYPE_NONE, TYPE_NONE}},\n';
  for (const id of speciesIds) {
    const p = dex.species.get(id);
    const gmax = p.canGigantamax ? dex.moves.get(p.canGigantamax).id : '';
    const flags = [];
    if (p.nfe) flags.push('nfe');
    if (p.cannotDynamax) flags.push('no_dynamax');
    if (p.maxHP === 1) flags.push('one_hp');
    const abilities = ['0', '1', 'H'].map(k => p.abilities[k]).filter(Boolean).map(a => dex.abilities.get(a).id)
      .filter(a => ['arenatrap', 'magnetpull', 'shadowtag'].includes(a));
    if (abilities.length) flags.push('may_trap');
    const first = dex.abilities.get(p.abilities[0]).id;
    s += row('SPECIES_' + up(id), {id: q(id), name: q(p.name),
      types: `{${type(p.types[0])}, ${p.types[1] ? type(p.types[1]) : 'TYPE_NONE'}}`,
      stats: `{${STATS.map(k => p.baseStats[k]).join(', ')}}`, weight: p.weighthg, number: p.num,
      base: 'SPECIES_' + up(dex.species.get(p.baseSpecies).id),
      ability: abilityIds.includes(first) ? 'ABILITY_' + up(first) : 0,
      gmax: moveIds.includes(gmax) ? 'MOVE_' + up(gmax) : 0,
      gender: p.gender ? `'${p.gender}'` : 0, flags: bits(flags, 'SPECIES_IS_')});
  }
  return s + '};\n';
}

// ---------------------------------------------------------------- moves
const FLAGS = ['contact', 'protect', 'reflectable', 'sound', 'punch', 'bite', 'bullet', 'powder', 'pulse', 'heal', 'bypasssub',
  'defrost', 'charge', 'nosleeptalk', 'failencore', 'futuremove', 'mustpressure'];
const TARGETS = {self: 'self', all: 'all', foeSide: 'foe_side', allySide: 'ally_side', allyTeam: 'ally_team', allies: 'self'};
const KEEP_VOLATILES = new Set();
function effectFields(e) {
  const o = {};
  if (e.status) o.status = 'STATUS_' + up(e.status);
  if (e.volatileStatus) { o.volatile_id = 'VOLATILE_' + up(e.volatileStatus); KEEP_VOLATILES.add(e.volatileStatus); }
  if (e.boosts) { o.boosts = boosts(e.boosts); o.has_boosts = 1; }
  return o;
}
function secondary(e) {
  const o = {chance: e.chance || 0, ...effectFields(e)};
  if (e.self && e.self.boosts) { o.self_boosts = boosts(e.self.boosts); o.has_self = 1; }
  if (e.onHit) o.custom = 1;
  return `{${fields(o) || '0'}}`;
}
function moveTable() {
  let s = header('The table of moves') + '#include "games/pokemon/dex/dex.h"\n\nconst struct dex_move dex_moves[MOVE_COUNT] = {\n';
  s += '    [MOVE_NONE] = {.id = "none", .name = "none", .type = TYPE_NONE},\n';
  for (const id of moveIds) {
    const m = dex.moves.get(id);
    const props = [];
    const prop = (c, n) => { if (c) props.push(n); };
    prop(m.willCrit, 'will_crit'); prop(m.selfSwitch, 'self_switch'); prop(m.forceSwitch, 'force_switch');
    prop(m.ignoreAbility, 'ignore_ability'); prop(m.ignoreDefensive, 'ignore_defensive'); prop(m.ignoreEvasion, 'ignore_evasion');
    prop(m.breaksProtect, 'breaks_protect'); prop(m.stealsBoosts, 'steals_boosts'); prop(m.thawsTarget, 'thaws_target');
    prop(m.sleepUsable, 'sleep_usable'); prop(m.callsMove, 'calls_move'); prop(m.multiaccuracy, 'multiaccuracy');
    prop(m.hasCrashDamage, 'crash'); prop(m.mindBlownRecoil, 'mind_blown'); prop(m.struggleRecoil, 'struggle_recoil');
    prop(m.ignoreImmunity === true, 'ignore_immunity'); prop(m.isMax, 'max'); prop(m.selfdestruct === 'always', 'explodes');
    prop(m.selfdestruct === 'ifHit', 'dies_if_hit'); prop(m.overrideOffensivePokemon === 'target', 'foe_attack');
    prop(m.damageCallback || m.damage, 'fixed_damage'); prop(m.smartTarget !== undefined && m.smartTarget !== null, 'smart_target');
    prop(m.stallingMove, 'stalling'); prop(m.damage === 'level', 'damage_level');
    const multi = Array.isArray(m.multihit) ? m.multihit : m.multihit ? [m.multihit, m.multihit] : [0, 0];
    const o = {id: q(id), name: q(m.name), type: type(m.type), category: 'CATEGORY_' + up(m.category), power: m.basePower,
      accuracy: m.accuracy === true ? 0 : m.accuracy, pp: m.noPPBoosts ? m.pp : m.pp * 8 / 5, base_pp: m.pp, priority: m.priority,
      target: 'TARGET_' + up(TARGETS[m.target] || 'foe'), crit: m.critRatio || 0, hits: `{${multi.join(', ')}}`,
      recoil: m.recoil ? `{${m.recoil.join(', ')}}` : 0, drain: m.drain ? `{${m.drain.join(', ')}}` : 0,
      heal: m.heal ? `{${m.heal.join(', ')}}` : 0, max_power: m.maxMove && m.maxMove.basePower || 0,
      attack_stat: m.overrideOffensiveStat ? 'STAT_' + up(m.overrideOffensiveStat) : 0,
      defence_stat: m.overrideDefensiveStat ? 'STAT_' + up(m.overrideDefensiveStat) : 0,
      flags: bits(FLAGS.filter(f => m.flags[f]), 'MOVE_FLAG_'), props: bits(props, 'MOVE_IS_'), ...effectFields(m)};
    if (!m.multihit) delete o.hits;
    if (m.sideCondition) o.side_condition = 'SIDE_' + up(m.sideCondition);
    if (m.slotCondition) o.slot_condition = 'SLOT_' + up(m.slotCondition);
    if (m.weather) o.weather = 'WEATHER_' + up(dex.conditions.get(m.weather).id);
    if (m.terrain) o.terrain = 'TERRAIN_' + up(m.terrain);
    if (m.pseudoWeather) o.pseudo_weather = 'PSEUDO_' + up(m.pseudoWeather);
    if (m.self) {
      o.has_self = 1;
      if (m.self.boosts) { o.self_boosts = boosts(m.self.boosts); o.self_has_boosts = 1; }
      if (m.self.volatileStatus) { o.self_volatile = 'VOLATILE_' + up(m.self.volatileStatus); KEEP_VOLATILES.add(m.self.volatileStatus); }
      if (m.self.sideCondition) o.self_side_condition = 'SIDE_' + up(m.self.sideCondition);
      if (m.self.chance) o.self_chance = m.self.chance;
    }
    if (m.selfBoost) o.after_boosts = boosts(m.selfBoost.boosts);
    if (m.selfBoost) o.has_after_boosts = 1;
    const secondaries = m.secondaries || (m.secondary ? [m.secondary] : []);
    if (secondaries.length) { o.secondaries = secondaries.length; o.secondary = `{${secondaries.map(secondary).join(', ')}}`; }
    s += row('MOVE_' + up(id), o);
  }
  s += '};\n\nconst uint16_t dex_max_moves[TYPE_COUNT] = {\n';
  for (const t of TYPES) s += `    [${type(t)}] = MOVE_${up(MAX_MOVES[t])},\n`;
  return s + '};\n';
}

// ---------------------------------------------------------------- abilities, items, types
function abilityTable() {
  let s = header('The table of abilities') + '#include "games/pokemon/dex/dex.h"\n\nconst struct dex_ability dex_abilities[ABILITY_COUNT] = {\n';
  s += '    [ABILITY_NONE] = {.id = "none", .name = "none"},\n';
  for (const id of abilityIds) {
    const a = dex.abilities.get(id);
    s += row('ABILITY_' + up(id), {id: q(id), name: q(a.name), flags: bits(
      ['breakable', 'cantsuppress', 'notransform', 'notrace', 'failskillswap'].filter(f => a.flags[f]), 'ABILITY_FLAG_')});
  }
  return s + '};\n';
}
function itemTable() {
  let s = header('The table of items') + '#include "games/pokemon/dex/dex.h"\n\nconst struct dex_item dex_items[ITEM_COUNT] = {\n';
  s += '    [ITEM_NONE] = {.id = "none", .name = "none"},\n';
  for (const id of itemIds) {
    const i = dex.items.get(id);
    const kept = {griseousorb: 487, rustedsword: 888, rustedshield: 889}[id] || (i.onMemory ? 773 : 0);
    s += row('ITEM_' + up(id), {id: q(id), name: q(i.name), kept_by: kept, memory: i.onMemory ? type(i.onMemory) : 0,
      boosts: i.boosts ? boosts(i.boosts) : 0, has_boosts: i.boosts ? 1 : 0, flags: bits([i.isBerry && 'berry', i.isChoice && 'choice',
        i.onEat && 'eaten'].filter(Boolean), 'ITEM_FLAG_')});
  }
  return s + '};\n';
}
function typeTable() {
  const other = {psn: 'POISON', brn: 'BURN', par: 'PARALYSIS', frz: 'FREEZE', sandstorm: 'SANDSTORM', hail: 'HAIL', powder: 'POWDER',
    prankster: 'PRANKSTER', trapped: 'TRAPPED'};
  let s = header('Type chart: steps of effectiveness [attack][defence], and which types are immune to what') +
    '#include "games/pokemon/dex/dex.h"\n\nconst int8_t dex_effectiveness[TYPE_COUNT][TYPE_COUNT] = {\n';
  for (const a of TYPES) {
    const cells = TYPES.map(d => [d, {1: 1, 2: -1}[dex.types.get(d).damageTaken[a]] || 0]).filter(x => x[1]);
    s += `    [${type(a)}] = {${cells.map(([d, v]) => `[${type(d)}] = ${v}`).join(', ')}},\n`;
  }
  s += '};\n\nconst uint32_t dex_immune_types[TYPE_COUNT] = {\n';
  for (const a of TYPES) {
    const immune = TYPES.filter(d => dex.types.get(d).damageTaken[a] === 3);
    if (immune.length) s += `    [${type(a)}] = ${immune.map(d => '1u << ' + type(d)).join(' | ')},\n`;
  }
  s += '};\n\nconst uint32_t dex_immune_to[IMMUNE_COUNT] = {\n';
  for (const k of Object.keys(other)) {
    const immune = TYPES.filter(d => dex.types.get(d).damageTaken[k] === 3);
    s += `    [IMMUNE_${other[k]}] = ${immune.map(d => '1u << ' + type(d)).join(' | ') || 0},\n`;
  }
  return s + '};\n\nconst char *const dex_type_names[TYPE_COUNT] = {\n' +
    TYPES.map(t => `    [${type(t)}] = ${q(t)},\n`).join('') + '    [TYPE_NONE] = "???",\n};\n';
}

// ---------------------------------------------------------------- whole sets
function setTable() {
  const spreads = {};
  const spreadOf = (ev, iv) => { const k = ev + '|' + iv; if (!(k in spreads)) spreads[k] = Object.keys(spreads).length; return spreads[k]; };
  let rows = '', entries = '', n = 0;
  for (const e of sample) {
    const sets = Object.entries(e.sets).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    entries += `    {SPECIES_${up(e.species)}, ${e.level}, ${e.gmax}, ${sets.length}, ${n}, ${e.n}}, /* ${e.entry} */\n`;
    for (const [key, count] of sets) {
      const f = key.split(',');
      const moves = f.slice(2, -2);
      rows += `    {${f[0] ? 'ITEM_' + up(f[0]) : 0}, ABILITY_${up(f[1])}, ${spreadOf(f[f.length - 2], f[f.length - 1])}, {${
        [0, 1, 2, 3].map(i => moves[i] ? 'MOVE_' + up(moves[i]) : 0).join(', ')}}, ${count}},\n`;
      n++;
    }
  }
  const spreadRows = Object.keys(spreads).map(k => k.split('|').map(x => `{${x.split(' ').join(', ')}}`)).map(([a, b]) => `    {${a}, ${b}},\n`);
  return header(`Whole sets with their counts, from ${TEAMS} teams of the package's own generator`).replace('(data of gen 8)', '(random teams of gen 8)') +
    '#include "games/pokemon/dex/dex.h"\n\n' +
    `const struct dex_spread dex_spreads[] = {\n${spreadRows.join('')}};\nconst int dex_spread_count = ${spreadRows.length};\n\n` +
    `const struct dex_entry dex_entries[] = {\n${entries}};\nconst int dex_entry_count = ${sample.length};\nconst uint32_t dex_entry_total = ${
      sample.reduce((a, e) => a + e.n, 0)};\n\nconst struct dex_set dex_sets[] = {\n${rows}};\nconst int dex_set_count = ${n};\n`;
}

outputs['dex_species_data.c'] = speciesTable();
outputs['dex_moves_data.c'] = moveTable();
outputs['dex_abilities_data.c'] = abilityTable();
outputs['dex_items_data.c'] = itemTable();
outputs['dex_types_data.c'] = typeTable();
outputs['sets_data.c'] = setTable();

let stale = 0;
for (const [name, text] of Object.entries(outputs)) {
  const file = path.join(OUT, name);
  if (!CHECK) { fs.writeFileSync(file, text); continue; }
  if (name === 'sets_data.c' || (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text)) continue;
  console.error(`make_dex: ${name} is not what pokemon-showdown ${VERSION} gives: run node tools/make_dex.js`);
  stale = 1;
}
console.error(JSON.stringify({version: VERSION, species: speciesIds.length, moves: moveIds.length, abilities: abilityIds.length,
  items: itemIds.length, entries: sample.length, sets: sample.reduce((a, e) => a + Object.keys(e.sets).length, 0),
  volatiles: [...KEEP_VOLATILES].sort()}));
process.exit(stale);
