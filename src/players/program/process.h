/* An outside program at the other end of a line-by-line talk.
 *
 *      we --line--> [socket] --stdin-->  sh -c COMMAND
 *      we <--line-- [socket] <--stdout--       |
 *            last words <------- stderr -------+
 *
 * Every wait has an end: a program that hangs, dies or floods is a status with
 * a message that names the command.  The program is the leader of a process
 * group of its own, which is killed as a whole, and always waited for.
 */
#ifndef PLAYERS_PROGRAM_PROCESS_H
#define PLAYERS_PROGRAM_PROCESS_H

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>

enum { PROCESS_LINE_MAX = 32768 }; /* bytes of a line with its newline and a 0 */

struct process; /* one at a time */

/* Starts command through the shell; copied. */
enum banyan_status process_start(struct process **out, const char *command,
                                 struct banyan_error *err);

/* Sends one line; a newline is added. */
enum banyan_status process_send(struct process *process, const char *line, double timeout_ms,
                                struct banyan_error *err);

/* The next line without its newline; *line is good until the next call. */
enum banyan_status process_receive(struct process *process, const char **line, double timeout_ms,
                                   struct banyan_error *err);

/* From now on waiting ends with BANYAN_INTERRUPTED once *stop is set.  stop is borrowed; NULL: nobody
 * asks, as after process_start. */
void process_watch(struct process *process, const banyan_flag *stop);

/* Whether a call failed because it had ended, or closed its output. */
bool process_gone(const struct process *process);

/* The command as given, shortened; for messages. */
const char *process_command(const struct process *process);

/* Processor time that the command itself has used; if it is one program started by `exec`, the
 * program's.  Negative: not known. */
double process_cpu_ms(const struct process *process);

/* Ends it: closes its input, waits grace_ms (after BANYAN_INTERRUPTED hardly at all) for it to leave by
 * itself, then kills the group.  NULL is fine. */
void process_stop(struct process *process, double grace_ms);

#endif
