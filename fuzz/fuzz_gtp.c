/* `banyan gtp` on arbitrary lines: the first says which game is played. */
#include "fuzz_talk.h"

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = fuzz_line(&data, &size);
    char game[] = "--game=othello-6x6", other[] = "--game=connect4", third[] = "--game=tictactoe";
    char *const games[] = {game, other, third};
    char command[] = "gtp", player[] = "--player=mcts:simulations=3,memory=1M";
    char *argv[] = {command, games[fuzz_hash(name) % 3], player, NULL};
    int code = fuzz_command(cli_gtp, 3, argv, data, size);
    FUZZ_CHECK(code == CLI_OK || code == CLI_FAILURE);
    free(name);
    return 0;
}
