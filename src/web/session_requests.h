/* The functions that answer requests, which session.c lists by type. */
#ifndef WEB_SESSION_REQUESTS_H
#define WEB_SESSION_REQUESTS_H

#include "web/session.h"

/* Answers a request: adds its result to answer. */
typedef enum banyan_status session_request_fn(struct session *session,
                                              const struct message *message, json_t *answer,
                                              struct banyan_error *err);

/* session_follow.c */
session_request_fn session_matches, session_match, session_match_games, session_match_game,
    session_start, session_stop, session_runs, session_train, session_train_game, session_leave,
    session_battles, session_battle;

#endif
