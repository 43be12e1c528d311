/* `banyan nboard` on arbitrary lines. */
#include "fuzz_talk.h"

#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char command[] = "nboard", options[] = "--option=memory=1M", empties[] = "--empties=5",
         time[] = "--time=1ms";
    char *argv[] = {command, options, empties, time, NULL};
    FUZZ_CHECK(fuzz_command(cli_nboard, 4, argv, data, size) == CLI_OK);
    return 0;
}
