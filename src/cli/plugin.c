/* Loads games from shared libraries and registers them (include/banyan/plugin.h). */
#include "cli/plugin.h"

#include "cli/apart.h"

#include <banyan/check.h>
#include <banyan/plugin.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLUGIN_PATH = 4096, PLUGIN_GAMES = 2 };

/* Opens the file; a name without a slash is a file of the present folder. */
static enum banyan_status plugin_open(const char *path, void **library, struct banyan_error *err)
{
    char full[PLUGIN_PATH];
    if (access(path, R_OK) != 0)
        return banyan_fail(err, BANYAN_NOT_FOUND, "%s: %s", path, strerror(errno));
    snprintf(full, sizeof full, "%s%s", strchr(path, '/') ? "" : "./", path);
    *library = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    if (*library)
        return BANYAN_OK;
    const char *why = dlerror();
    size_t length = strlen(full);
    bool names = why && strncmp(why, full, length) == 0 && strncmp(why + length, ": ", 2) == 0;
    return banyan_fail(err, BANYAN_CORRUPT, "%s cannot be loaded as a shared library: %s", path,
                       names ? why + length + 2
                       : why ? why
                             : "the reason is not known");
}

static enum banyan_status plugin_check_version(const char *path, const struct banyan_plugin *plugin,
                                               struct banyan_error *err)
{
    uint32_t minor = 100, theirs = plugin->version / minor;
    if (plugin->struct_size == sizeof *plugin && theirs == BANYAN_VERSION_NUMBER / minor)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "%s was compiled for banyan %d.%d, and this is %s: compile it again", path,
                       (int)(theirs / minor), (int)(theirs % minor), banyan_version_text());
}

static void plugin_check_work(void *game, void *out)
{
    struct banyan_check_options options;
    struct banyan_error *err = out;
    banyan_check_options_default(&options);
    options.games = PLUGIN_GAMES;
    err->status = banyan_game_check(game, &options, NULL, err);
}

/* The quick form of the check: enough to find what would crash a search. */
static enum banyan_status plugin_check_game(const struct banyan_game *game,
                                            struct banyan_error *err)
{
    struct banyan_error why = {.status = BANYAN_OK};
    static const char *const more = "`banyan --game FILE check GAME` tells more";
    int crashed = apart_run(plugin_check_work, (void *)(uintptr_t)game, &why, sizeof why);
    if (crashed)
        return banyan_fail(err, BANYAN_INVALID, "a function of the game '%s' crashes; %s",
                           game->name ? game->name : "", more);
    if (why.status != BANYAN_OK)
        return banyan_fail(err, why.status, "%s; %s", why.message, more);
    return BANYAN_OK;
}

enum banyan_status plugin_load(const char *path, bool checked, struct banyan_error *err)
{
    void *library;
    enum banyan_status status = plugin_open(path, &library, err);
    if (status != BANYAN_OK)
        return status;
    const struct banyan_plugin *plugin = dlsym(library, "banyan_plugin");
    if (!plugin)
        status = banyan_fail(err, BANYAN_CORRUPT,
                             "%s has no symbol banyan_plugin: its source needs the line "
                             "`BANYAN_PLUGIN(&your_game);` of <banyan/plugin.h>",
                             path);
    else
        status = plugin_check_version(path, plugin, err);
    if (status == BANYAN_OK && (!plugin->games || !plugin->games[0]))
        status = banyan_fail(err, BANYAN_INVALID,
                             "%s has no games: BANYAN_PLUGIN() names at least one", path);
    for (int i = 0; status == BANYAN_OK && plugin->games[i]; ++i) {
        if (checked)
            status = plugin_check_game(plugin->games[i], err);
        if (status == BANYAN_OK)
            status = banyan_game_register(plugin->games[i], err);
    }
    return status; /* the library stays loaded: games may have been registered */
}
