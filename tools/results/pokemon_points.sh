#!/bin/sh
# Pokémon's agent with its present points against the agent with those that it had until 29 November 2026.
#
#     tools/results/pokemon_points.sh [GAMES [SIMULATIONS [SEED]]]
set -eu
cd "$(dirname "$0")/../.."
before='value-hp=0.0721,value-alive=0.3745,value-burn=-0.1084,value-paralysis=-0.1363,value-sleep=-0.2022,
value-freeze=-0.264,value-poison=-0.0556,value-toxic=-0.2488,value-attack=0.021,
value-defence=0.0425,value-special-attack=0.0124,value-special-defence=0.04,value-speed=-0.0155,
value-rock=-0.0681,value-spikes=-0.1165,value-toxic-spikes=-0.0915,value-web=-0.1123,
value-screens=0.0596,value-substitute=0.1,value-seeded=-0.6082,value-confused=-0.0798,
value-yawning=-0.1344,value-dynamax=0.5115,value-dynamaxed=0.0175,value-active-hp=-0.26,
value-threat=0.4379,value-faster=-0.015,value-ko-first=0.2076,value-ko-second=-0.0014,
value-sweep=0.332,value-sweep-fast=0.2663,value-bench=0.4518,value-bench-fast=0.2305,
value-last=-0.2059,prior-damage=3,prior-damage-over=0.2,prior-ko=0,prior-ko-first=0,
prior-ko-priority=1,prior-late=0,prior-explode=-2.5,prior-dynamax=0,prior-max-hurt=-0.7,
prior-max-guard=-1.5,prior-heal-from=0.25,prior-heal-useless=-1.5,prior-heal-base=0,prior-heal=1.5,
prior-set-up-safe=1,prior-set-up-hurt=0.3,prior-set-up-dead=-1,prior-hazard=0.9,
prior-hazard-late=-0.5,prior-hazard-again=-1.5,prior-screen=0.5,prior-screen-again=-2,
prior-status=0.5,prior-status-again=-2,prior-stall=-0.7,prior-other=0,prior-switch=-0.7,
prior-threat=1,prior-threat-dead=0,prior-gives=1.5,prior-takes=-2,prior-takes-first=-0.5,
prior-takes-over=0.2'
before=$(echo "$before" | tr -d '\n')
exec build/banyan match pokemon "agent:simulations=${2:-1000}" "agent:simulations=${2:-1000},$before" \
    --games "${1:-400}" --seed "${3:-101}"
