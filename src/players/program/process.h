/* An outside program, with which lines are exchanged.
 *
 *      we --line--> [socket] --stdin-->  sh -c COMMAND
 *      we <--line-- [socket] <--stdout--       |
 *            last line  <------- stderr -------+
 *
 * Every wait has a time limit: if a program hangs, dies or writes too much, the caller gets a
 * status and a message that names the command.  The program leads its own process group, which is
 * killed as a whole; process_stop always waits for its end.
 */
#ifndef PLAYERS_PROGRAM_PROCESS_H
#define PLAYERS_PROGRAM_PROCESS_H

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>

enum { PROCESS_LINE_MAX = 32768 }; /* bytes of a line with its newline */

struct process; /* used by one thread at a time */

/* Starts command (copied) by the shell. */
enum banyan_status process_start(struct process **out, const char *command,
                                 struct banyan_error *err);

/* Sends one line; a newline is added. */
enum banyan_status process_send(struct process *process, const char *line, double timeout_ms,
                                struct banyan_error *err);

/* Reads the next line, without its newline; *line is valid until the next call. */
enum banyan_status process_receive(struct process *process, const char **line, double timeout_ms,
                                   struct banyan_error *err);

/* From now on waiting for any program, also while it starts, ends with BANYAN_INTERRUPTED when *stop is set.
 * Called before threads use programs.  stop is borrowed; NULL: no such flag, as at the beginning. */
void process_watch_always(const banyan_flag *stop);

/* The same for this program, besides that flag.  NULL: no such flag, as after process_start. */
void process_watch(struct process *process, const banyan_flag *stop);

/* Whether a call failed because the program had ended, or had closed its output. */
bool process_gone(const struct process *process);

/* The command as given, shortened, for messages. */
const char *process_command(const struct process *process);

/* Processor time that the shell itself has used; if it ran the program by `exec`, that of the program.
 * Negative: not known. */
double process_cpu_ms(const struct process *process);

/* Ends the program: closes its input, waits grace_ms (after BANYAN_INTERRUPTED only briefly) for
 * it to end by itself, then kills the group.  NULL is allowed. */
void process_stop(struct process *process, double grace_ms);

/* Kills the groups of all programs that run, up to 256, without waiting.  Only for a signal handler that then ends
 * this process: it may be called at any time, by any thread. */
void process_kill_all(void);

#endif
