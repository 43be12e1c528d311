/* Finds backends by name: the plain one in the program, others in plugins. */
#include "nn/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Networks with fewer operations are faster without a plugin's overhead. */
static const double plugin_worth = 2e6;

/* The fastest backend first. */
static const char *const plugin_names[] = {"cuda", "onednn", NULL};

/* The folder of the program, with a slash at the end; "" when it is not known. */
static void plugin_program_folder(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = 0;
    char *slash = strrchr(out, '/');
    if (slash)
        slash[1] = 0;
}

static const struct nn_backend *plugin_load(const char *path, const char *name)
{
    char symbol[64];
    setenv("OMP_WAIT_POLICY", "passive", 0); /* waiting threads must not slow down searches */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    snprintf(symbol, sizeof symbol, "banyan_nn_%s", name);
    const struct nn_backend *backend = dlsym(library, symbol);
    if (!backend)
        dlclose(library);
    else if (backend->limit && cpu_level() < cpu_processor_level())
        backend->limit(cpu_level());
    return backend; /* the library stays loaded */
}

/* From the program's folder to that of the installed plugins. */
#ifndef PLUGIN_FOLDER
#define PLUGIN_FOLDER "../lib/banyan/"
#endif

static const struct nn_backend *plugin_find(const char *name, struct banyan_error *err)
{
    char program[2048], path[4096];
    const char *folder = getenv("BANYAN_PLUGINS");
    plugin_program_folder(program, sizeof program);
    const char *const folders[] = {folder, program, program};
    const char *const between[] = {"/", "", PLUGIN_FOLDER};
    const char *why =
        "it was not built, or is not in the program's folder (BANYAN_PLUGINS names another)";
    for (int i = 0; i < 3; ++i) {
        if (!folders[i] || !*folders[i])
            continue;
        snprintf(path, sizeof path, "%s%sbanyan_nn_%s.so", folders[i], between[i], name);
        const struct nn_backend *backend = plugin_load(path, name);
        if (backend)
            return backend;
        if (access(path, R_OK) == 0)
            why = dlerror();
    }
    banyan_fail(err, BANYAN_NOT_FOUND, "backend '%s' is not available: %s", name,
                why ? why : "it cannot be loaded");
    return NULL;
}

const struct nn_backend *nn_backend_find(const char *name, struct banyan_error *err)
{
    if (strcmp(name, nn_plain.name) == 0)
        return &nn_plain;
    for (int i = 0; plugin_names[i]; ++i)
        if (strcmp(plugin_names[i], name) == 0)
            return plugin_find(name, err);
    banyan_fail(err, BANYAN_NOT_FOUND, "no backend is called '%s'; there are plain, onednn, cuda",
                name);
    return NULL;
}

/* Whether the backend has certainly no device here.  CUDA's libraries have hundreds of megabytes,
 * so loading them only to learn this would take long. */
static bool plugin_hopeless(const char *name)
{
    return strcmp(name, "cuda") == 0 && access("/dev/nvidiactl", F_OK) != 0 &&
           access("/dev/dxg", F_OK) != 0 && access("/dev/nvmap", F_OK) != 0;
}

int nn_backend_reason(const char *name, const struct nn_model *model,
                      const struct nn_backend *backend, char *out, size_t size)
{
    double millions = nn_model_flops(model) / 1e6;
    if (name && *name)
        return snprintf(out, size, "backend %s was requested", name);
    if (millions * 1e6 < plugin_worth)
        return snprintf(out, size,
                        "%.1f million operations per position: below %.0f a plugin is slower",
                        millions, plugin_worth / 1e6);
    if (backend == &nn_plain)
        return snprintf(out, size, "no plugin works on this machine: see `banyan doctor`");
    return snprintf(out, size, "the fastest backend that works on this machine");
}

enum banyan_status nn_backend_open(const char *name, const struct nn_model *model,
                                   const struct nn_backend_options *options,
                                   const struct nn_backend **backend, void **ctx,
                                   struct banyan_error *err)
{
    struct banyan_error why;
    if (name && *name) {
        *backend = nn_backend_find(name, &why);
        if (!*backend)
            return banyan_fail(err, why.status, "%s", why.message);
        return (*backend)->open(model, options, ctx, err);
    }
    bool tiny = nn_model_flops(model) < plugin_worth;
    for (int i = 0; !tiny && plugin_names[i]; ++i) {
        if (plugin_hopeless(plugin_names[i]))
            continue;
        *backend = plugin_find(plugin_names[i], NULL);
        if (*backend && (*backend)->open(model, options, ctx, &why) == BANYAN_OK)
            return BANYAN_OK;
    }
    *backend = &nn_plain;
    return nn_plain.open(model, options, ctx, err);
}
