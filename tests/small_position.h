/* Positions of a game of two players whose state has 24 bytes.  To be included after cmocka.h. */
#ifndef TESTS_SMALL_POSITION_H
#define TESTS_SMALL_POSITION_H

#include <banyan/game.h>

enum { STATE_BYTES = 24 };

static const struct banyan_game *game;

struct position {
    unsigned char bytes[STATE_BYTES];
};

/* Fails the test if the game refuses the text. */
static struct position setup(const char *text)
{
    struct position position;
    struct banyan_error err = {.message = ""};
    if (game->init(game, &position, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    return position;
}

/* The position after an action of the mover. */
static struct position after(struct position position, banyan_action action)
{
    game->apply(game, &position, (banyan_action[2]){action, action}, NULL);
    return position;
}

#endif
