/* Openings: how games of a match begin, from a list or by random actions.  Without them two
 * players that are not random would play the same game again and again. */
#ifndef MATCH_OPENING_H
#define MATCH_OPENING_H

#include <banyan/game.h>

/* The lines of a file.  Actions are separated by blanks or commas, or by semicolons where their
 * texts have blanks; actions chosen at the same time are joined by '|'; "f5d6c3" reads as f5 d6 c3.
 * Empty lines, blank actions between semicolons, and text after a '#' are left out.  A line may begin
 * with a position in brackets, which its actions start from: "[seed=7] 1,7,1,11;pass". */
struct opening_list {
    char *text;   /* owned */
    char **lines; /* [count] into text; owned */
    int *numbers; /* [count] line numbers in the file; owned */
    int count;
};

/* Joint actions from the start. */
struct opening {
    int plies, room;
    banyan_action *joints; /* [room][BANYAN_MAX_PLAYERS]; owned */
};

enum banyan_status opening_list_read(struct opening_list *list, const char *path,
                                     struct banyan_error *err);
/* Reads the lines of text, which is copied; name: what errors call it. */
enum banyan_status opening_list_parse(struct opening_list *list, const char *name, const char *text,
                                      struct banyan_error *err);
void opening_list_free(struct opening_list *list);

/* Allocates room for any opening of game; freed with opening_destroy. */
enum banyan_status opening_create(struct opening *opening, const struct banyan_game *game,
                                  struct banyan_error *err);
void opening_destroy(struct opening *opening);

/* Splits a line: *setup is the position in brackets, freed by the caller, or NULL if there is none;
 * *actions points to the rest of the line. */
enum banyan_status opening_split(const char *line, char **setup, const char **actions,
                                 struct banyan_error *err);

/* Reads the actions of a line from state on; dice_seed: seed of the game's dice.  BANYAN_INVALID also if the
 * game ends in its opening. */
enum banyan_status opening_parse(struct opening *opening, const struct banyan_game *game,
                                 const void *state, const char *line, uint64_t dice_seed,
                                 struct banyan_error *err);

/* What a random opening shall be. */
struct opening_wish {
    int plies;
    uint64_t seed, dice_seed; /* seeds of the actions and of the game's dice */
};
/* Chooses random joint actions from state on that do not end the game. */
enum banyan_status opening_random(struct opening *opening, const struct banyan_game *game,
                                  const void *state, const struct opening_wish *wish,
                                  struct banyan_error *err);

#endif
