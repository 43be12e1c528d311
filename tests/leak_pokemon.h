/* The leak test of Pokémon. */
#ifndef TESTS_LEAK_POKEMON_H
#define TESTS_LEAK_POKEMON_H

#include "leak_pokemon_play.h"

static const struct leak_editor leak_pokemon_editors[] = {{"sleep", leak_edit_sleep},
                                                          {"confusion", leak_edit_confusion},
                                                          {"locked move", leak_edit_locked},
                                                          {"partial trap", leak_edit_trap},
                                                          {"substitute", leak_edit_substitute},
                                                          {"hp", leak_edit_hp},
                                                          {"spread", leak_edit_spread},
                                                          {"moves", leak_edit_moves},
                                                          {"slots", leak_edit_slots},
                                                          {"items", leak_edit_items},
                                                          {"abilities", leak_edit_abilities},
                                                          {"Gigantamax", leak_edit_gigantamax},
                                                          {"bench", leak_edit_bench},
                                                          {"order", leak_edit_order},
                                                          {"queue", leak_edit_queue},
                                                          {"Illusion", leak_edit_illusion},
                                                          {0}};

static const struct leak_game leak_pokemon = {.name = "pokemon",
                                              .fields = leak_pokemon_fields,
                                              .editors = leak_pokemon_editors,
                                              .position = leak_pokemon_position,
                                              .replay = leak_pokemon_replay,
                                              .evaluator = "position",
                                              .options = ""};

#endif
