/* A match against a program that answers with arbitrary lines, in our protocol or in GTP: each
 * answer is a legal action, or ends the match with a message. */
#include "fuzz_talk.h"

#include "match/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = fuzz_line(&data, &size), player[128];
    const struct banyan_game *game;
    const char *const specs[] = {player, "first"};
    struct match_options options;
    struct match_result result;
    struct banyan_error err = {.message = ""};
    bool gtp = strcmp(line, "gtp") == 0;
    FUZZ_CHECK(banyan_game_find(gtp ? "othello-4x4" : "tictactoe", &game, NULL) == BANYAN_OK);
    snprintf(player, sizeof player, "exec:%stimeout=10s:exec cat %s", gtp ? "gtp:" : "",
             fuzz_file(data, size));
    match_options_default(&options);
    options.games = 1;
    enum banyan_status status = match_run(game, specs, 2, &options, &result, &err);
    FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    free(line);
    return 0;
}
