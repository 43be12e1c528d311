/* Players that only the mushroom game has. */
#include "games/mushroom/hooks.h"

#include <banyan/evaluator.h>

const struct banyan_offer mushroom_offers[] = {{0}};
