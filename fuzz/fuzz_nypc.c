/* The two ends of the judge's protocol, and its logs, on arbitrary lines.  The first line says what
 * the others are: "agent" (what the judge says), "judge" (what the first player says), "log" (a
 * log). */
#include "fuzz_talk.h"

#include "nypc/log.h"
#include "nypc/player.h"
#include "nypc/referee.h"
#include "records/page.h"

static void fuzz_agent(FILE *in, FILE *out)
{
    struct nypc_options options;
    nypc_options_default(&options);
    options.nodes = 20;
    options.table_bytes = 1 << 16;
    (void)nypc_player(in, out, out, &options, NULL);
}

/* A log that the reader accepts breaks no rule, so that it can be written as a page. */
static void fuzz_log(FILE *in, FILE *out)
{
    struct game_record record;
    struct banyan_error err;
    if (nypc_log_read(in, "log", &record, NULL) != BANYAN_OK)
        return;
    if (page_write(&record, "log", out, &err) != BANYAN_OK)
        fuzz_broken(err.message, __FILE__, __LINE__);
    game_record_free(&record);
}

static void fuzz_judge(const uint8_t *data, size_t size, FILE *out)
{
    static const char board[] = "52466443835422223/13254826938785712/87598398564241564/"
                                "72722154162442227/43968227685821641/27727492381231148/"
                                "56138649164249527/36281415328768234/62682694189422313/"
                                "62269566965435457";
    static const char passes[] =
        "read a; echo OK; read a; while read a b; do case $a in TIME) echo "
        "-1 -1 -1 -1;; FINISH) exit;; esac; done";
    char says[96];
    struct referee_pairing pairing = {.board = board, .commands = {says, passes}, .log = out};
    struct referee_options options;
    struct referee_result result;
    struct banyan_error err;
    snprintf(says, sizeof says, "exec cat %s", fuzz_file(data, size));
    referee_options_default(&options);
    FUZZ_CHECK(banyan_game_find("mushroom", &pairing.game, NULL) == BANYAN_OK);
    enum banyan_status status = referee_play(&pairing, &options, &result, &err);
    if (status != BANYAN_OK)
        fuzz_broken(err.message, __FILE__, __LINE__);
    FUZZ_CHECK(result.offender < 0 || (result.winner == 1 - result.offender && result.reason));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *which = fuzz_line(&data, &size);
    FILE *in = fmemopen((void *)(uintptr_t)data, size ? size : 1, "r");
    FILE *out = fopen("/dev/null", "w");
    FUZZ_CHECK(in && out);
    if (strcmp(which, "judge") == 0)
        fuzz_judge(data, size, out);
    else if (strcmp(which, "log") == 0)
        fuzz_log(in, out);
    else
        fuzz_agent(in, out);
    fclose(in);
    fclose(out);
    free(which);
    return 0;
}
