/* Command lines of version 0.1, whose options had underscores and times without a unit.  They are
 * understood, and standard error says how they are written today:
 *
 *      --time-ms 50      -->  --time 50ms
 *      mcts:time_ms=50   -->  mcts:time=50ms
 */
#ifndef CLI_EARLIER_H
#define CLI_EARLIER_H

/* Today's name of the long option that an earlier version called `name`; NULL: no earlier name. */
const char *earlier_name(const char *name);

/* Replaces argv[i], "--NAME" or "--NAME=VALUE" with an earlier name, by today's spelling of name
 * and value. */
void earlier_rewrite(const char *command, int argc, char **argv, int i);

/* Options, a player or an evaluator in today's spelling: text itself, or a text that lives as long
 * as the program. */
const char *earlier_text(const char *command, const char *text);

#endif
