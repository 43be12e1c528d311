/* The settings of a run as bytes, which workers get from a queue by the hash of these bytes:
 *
 *      program 0.2.0 92e5d51c4f281d47      version, and the signature of its behaviour
 *      game othello
 *      loop generations=40,games=200,...
 *      play ...                            as in DIR/options
 *
 * A game is a function of the settings and of the program, so a worker with another version of the
 * program refuses the job.
 */
#ifndef TRAIN_JOB_SETTINGS_H
#define TRAIN_JOB_SETTINGS_H

#include "nn/checkpoint.h"
#include "train/loop.h"

/* Writes the text; the caller frees *out. */
enum banyan_status job_settings_write(const struct banyan_game *game,
                                      struct loop_settings *settings, char **out, size_t *length,
                                      struct banyan_error *err);

/* Reads the text.  BANYAN_UNSUPPORTED: another version of the program wrote it; BANYAN_NOT_FOUND:
 * this program does not have the game. */
enum banyan_status job_settings_read(const void *bytes, size_t length,
                                     const struct banyan_game **game,
                                     struct loop_settings *settings, struct banyan_error *err);

/* The job of playing games of a run; the caller sets its functions `next` and `deliver`. Borrows
 * the settings and the network. */
struct play_job job_settings_play(const struct banyan_game *game,
                                  const struct loop_settings *settings, const struct nn_net *net,
                                  int64_t generation);

#endif
