/* Reads games that people have written down: actions one after another. */
#include "records/transcript.h"
#include "base/movers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Greatest length of an action that may stand before another one without a blank. */
enum { TRANSCRIPT_GLUED_MAX = 16, TRANSCRIPT_ONE_MAX = 256 };

enum banyan_status transcript_parse(const struct banyan_game *game, const void *state,
                                    const char *text, banyan_action joint[],
                                    struct banyan_error *err)
{
    unsigned movers = game->movers(game, state);
    if (movers == 0)
        return banyan_fail(err, BANYAN_ILLEGAL, "'%.200s': the game is over", text);
    if (movers_single(movers)) {
        int player = movers_first(movers);
        return game->action_parse(game, state, player, text, &joint[player], err);
    }
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        char one[TRANSCRIPT_ONE_MAX];
        size_t length = strcspn(text, "|");
        if (length == 0 || length >= sizeof one)
            return banyan_fail(err, BANYAN_INVALID, "%s chooses too: join the actions by '|'",
                               banyan_game_player_name(game, p));
        memcpy(one, text, length);
        one[length] = 0;
        enum banyan_status status = game->action_parse(game, state, p, one, &joint[p], err);
        if (status != BANYAN_OK)
            return status;
        text += length + (text[length] == '|');
    }
    if (*text)
        return banyan_fail(err, BANYAN_INVALID,
                           "'%.200s': there are more actions than players who choose", text);
    return BANYAN_OK;
}

/* The next shorter beginning of word that may be an action: long ones end before a comma. */
static size_t transcript_shorter(const char *word, size_t length)
{
    --length;
    while (length > TRANSCRIPT_GLUED_MAX && word[length] != ',')
        --length;
    return length;
}

/* Reads the whole word, or the longest beginning of it that is an action; returns its length, 0:
 * none. */
static size_t transcript_longest(const struct banyan_game *game, const void *state, char *word,
                                 banyan_action joint[])
{
    size_t length = strlen(word);
    while (length > 0) {
        char kept = word[length];
        word[length] = 0;
        enum banyan_status status = transcript_parse(game, state, word, joint, NULL);
        word[length] = kept;
        if (status == BANYAN_OK)
            return length;
        length = transcript_shorter(word, length);
    }
    return 0;
}

static void transcript_apply(const struct banyan_game *game, void *state,
                             const banyan_action joint[], struct banyan_rng *rng, uint64_t *steps)
{
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    game->apply(game, state, joint, &dice);
    ++*steps;
}

/* Plays a pass if it is the mover's only legal action. */
static bool transcript_pass(const struct banyan_game *game, void *state, struct banyan_rng *rng,
                            uint64_t *steps)
{
    unsigned movers = game->movers(game, state);
    if (movers == 0 || (movers & (movers - 1)))
        return false;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    int player = movers_first(movers);
    if (game->action_parse(game, state, player, "pass", &joint[player], NULL) != BANYAN_OK)
        return false;
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    bool forced = legal && game->legal(game, state, player, legal) == 1;
    free(legal);
    if (forced)
        transcript_apply(game, state, joint, rng, steps);
    return forced;
}

/* The length of a move number such as "12." at the start of word. */
static size_t transcript_number(const char *word)
{
    size_t digits = 0;
    while (isdigit((unsigned char)word[digits]))
        ++digits;
    size_t dots = strspn(word + digits, ".");
    return digits && dots ? digits + dots : 0;
}

/* Skips the commas between two actions, and a move number after them. */
static char *transcript_skip(char *word)
{
    word += strspn(word, ",");
    return word + transcript_number(word);
}

static enum banyan_status transcript_word(const struct banyan_game *game, void *state, char *word,
                                          struct banyan_rng *rng, uint64_t *steps,
                                          struct banyan_error *err)
{
    word = transcript_skip(word);
    while (*word) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        size_t length = transcript_longest(game, state, word, joint);
        if (length) {
            transcript_apply(game, state, joint, rng, steps);
            word += length;
            word = *word == ',' ? transcript_skip(word) : word;
        } else if (!transcript_pass(game, state, rng, steps)) {
            struct banyan_error why = {.message = ""};
            enum banyan_status status = transcript_parse(game, state, word, joint, &why);
            return banyan_fail(err, status, "after %llu actions: %.400s",
                               (unsigned long long)*steps, why.message);
        }
    }
    return BANYAN_OK;
}

enum banyan_status transcript_play(const struct banyan_game *game, void *state, const char *text,
                                   struct banyan_rng *rng, uint64_t *steps,
                                   struct banyan_error *err)
{
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the moves");
    const char *separators = strchr(text, ';') ? ";\n" : " \t\n";
    enum banyan_status status = BANYAN_OK;
    for (char *word; status == BANYAN_OK && (word = strtok_r(rest, separators, &rest)) != NULL;) {
        word += strspn(word, " \t");
        for (size_t n = strlen(word); n > 0 && strchr(" \t", word[n - 1]); --n)
            word[n - 1] = 0;
        status = transcript_word(game, state, word, rng, steps, err);
    }
    free(copy);
    return status;
}
