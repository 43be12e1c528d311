/* `banyan gtp` on arbitrary lines: the first says which game is played.  What follows a byte 0 is a
 * file, the only one that lines can read or write. */
#include "fuzz_talk.h"

#include "cli/cli.h"

#include <ctype.h>

enum {
    GTP_LINE = 1000,     /* the longest line */
    GTP_TEXT = 8192,     /* bytes of all lines together */
    GTP_COST = 80,       /* what all lines may cost together; most cost 1 */
    GTP_COST_OWNERS = 10 /* cost of a command that may play hundreds of games to their end */
};

static const char *gtp_file(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/banyan_fuzz_sgf_%ld", (long)getpid());
    return path;
}

/* The end of the number at the end of line[length], where loadsgf has the number of a move. */
static size_t gtp_number_at(const char *line, size_t length)
{
    while (length > 0 && isdigit((unsigned char)line[length - 1]))
        --length;
    return length;
}

/* Copies a line to out, in small letters and without what the engine skips.  The only file that the
 * copy names is gtp_file(). */
static size_t gtp_copy_line(const char *line, size_t length, char *out)
{
    char clean[GTP_LINE + 1];
    size_t kept = 0;
    for (size_t i = 0; i < length; ++i)
        if ((unsigned char)line[i] >= 32 && line[i] != 127)
            clean[kept++] = (char)tolower((unsigned char)line[i]);
        else if (line[i] == '\t')
            clean[kept++] = ' ';
    clean[kept] = 0;
    const char *name = strstr(clean, "sgf");
    size_t number = gtp_number_at(clean, kept), end = name ? (size_t)(name - clean) + 3 : kept;
    memcpy(out, clean, end);
    if (name && end < kept)
        end += (size_t)sprintf(out + end, " %s %s", gtp_file(), clean + number);
    out[end] = '\n';
    return end + 1;
}

/* Copies as many lines as may be run to out[2 * GTP_TEXT]; returns their length. */
static size_t gtp_copy(const char *text, char *out)
{
    size_t length = 0;
    for (int cost = 0; *text && length < GTP_TEXT;) {
        size_t line = strcspn(text, "\n"), added;
        added = gtp_copy_line(text, line < GTP_LINE ? line : GTP_LINE, out + length);
        out[length + added] = 0;
        cost +=
            strstr(out + length, "kata") || strstr(out + length, "status") ? GTP_COST_OWNERS : 1;
        if (cost > GTP_COST)
            break;
        length += added;
        text += line + (text[line] == '\n');
    }
    return length;
}

/* Writes the file of an input. */
static void gtp_write_file(const uint8_t *data, size_t size)
{
    FILE *file = fopen(gtp_file(), "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char lines[2 * GTP_TEXT];
    char *name = fuzz_line(&data, &size);
    char game[] = "--game=othello-6x6", other[] = "--game=connect4", third[] = "--game=tictactoe";
    char go[] = "--game=go-9x9";
    char *const games[] = {game, other, third, go};
    char command[] = "gtp", player[] = "--player=mcts:simulations=3,memory=1M";
    char *argv[] = {command, games[*name == 'g' ? 3 : fuzz_hash(name) % 3], player, NULL};
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    char *text = fuzz_take(&data, &size, zero ? (size_t)(zero - data) : size);
    gtp_write_file(data + (size > 0), size - (size > 0));
    int code = fuzz_command(cli_gtp, 3, argv, (const uint8_t *)lines, gtp_copy(text, lines));
    FUZZ_CHECK(code == CLI_OK || code == CLI_FAILURE);
    unlink(gtp_file());
    free(name);
    free(text);
    return 0;
}
