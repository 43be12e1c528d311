/* `banyan serve` on arbitrary lines, in any game: the first line says which. */
#include "fuzz_talk.h"

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = fuzz_line(&data, &size);
    const struct banyan_game *game = fuzz_game(line);
    char name[64], command[] = "serve", player[] = "--player=mcts:simulations=2,memory=1M";
    char random[] = "--player=random";
    FUZZ_CHECK(game);
    snprintf(name, sizeof name, "%s", game->name);
    /* long games would be rolled out to their end */
    char *argv[] = {command, name, game->max_plies > 1000 ? random : player, NULL};
    int code = fuzz_command(cli_serve, 3, argv, data, size);
    FUZZ_CHECK(code == CLI_OK || code == CLI_FAILURE);
    free(line);
    return 0;
}
