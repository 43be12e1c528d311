/* A game in a file of its own, which the program loads:
 *
 *     BANYAN_PLUGIN(&nim_game);                               at the end of nim.c
 *
 *     cc -std=c17 -shared -fPIC nim.c $(pkg-config --cflags banyan) -o nim.so
 *     banyan --game ./nim.so play nim
 *
 * The plugin links no library: the program that loads it contains the functions of banyan.  A program that
 * loads plugins itself reads the symbol `banyan_plugin`, compares struct_size and version, and calls
 * banyan_game_register.
 */
#ifndef BANYAN_PLUGIN_H
#define BANYAN_PLUGIN_H

#include <banyan/game.h>
#include <banyan/version.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a plugin exports.  Before version 1 its minor version must be that of the program. */
struct banyan_plugin {
    size_t struct_size; /* sizeof(struct banyan_plugin) */
    uint32_t version;   /* BANYAN_VERSION_NUMBER of the headers that it was compiled with */
    const struct banyan_game *const *games; /* NULL at the end */
};

#ifdef __cplusplus
}
#define BANYAN_PLUGIN_EXTERN extern "C"
#else
#define BANYAN_PLUGIN_EXTERN extern
#endif
#if defined(__GNUC__)
#define BANYAN_PLUGIN_SHOWN __attribute__((visibility("default")))
#else
#define BANYAN_PLUGIN_SHOWN
#endif

/* Makes a source file a plugin: stands in it once, with the addresses of its games. */
#define BANYAN_PLUGIN(...)                                                              \
    static const struct banyan_game *const banyan_plugin_games[] = {__VA_ARGS__, NULL}; \
    BANYAN_PLUGIN_EXTERN BANYAN_PLUGIN_SHOWN const struct banyan_plugin banyan_plugin;  \
    const struct banyan_plugin banyan_plugin = {sizeof(struct banyan_plugin),           \
                                                BANYAN_VERSION_NUMBER, banyan_plugin_games}

#endif
