# cython: language_level=3
"""The kernel, the rules as C values and the turn machine, for Cython modules of others (docs/embedding.md).

Only these names are promised; what else the .pxd files beside this one declare may change at any time.
"""

from ._core cimport (
    ALL_KINDS, COPIES, DRAGONS, HandKeys, HandRow, KINDS, SuitTables, TABLES, WINDS,
    add_count, add_tile, count_in, fits_with_pair, hand_cover, load_row, natural_waits, row_keys,
)
from ._deal cimport below, dice_count, fast_deal, fast_state, next_word
from ._fan cimport (
    DISCARD_WIN, EARTHLY, HEAVENLY, KONG_DRAW, READY, ROB_WIN, Verdict, judge_row,
)
from ._round cimport (
    ADDED_KONG, CHOW_CLAIM, CLAIM, CLAIMED, CONCEALED_KONG, DECLARE, DISCARD, EIGHT_FLOWERS, EXHAUSTED,
    EXPOSED_KONG, GameState, NO_PLACE, NO_TILE, Options, PONG_CLAIM, ROB, TAKE_WIN, TURN, WIN, WON,
    back_place, begin, chow, claim, declare, discard, front_left, front_place, may_chow, may_declare, may_kong,
    may_pong, may_take_win, own_kong, pass_claims, stake, start, take_win, taken_verdict, turn_options,
    own_verdict, win_hand,
)
from ._settle cimport settle
from ._terms cimport FlipTerms, RulesTerms, Terms, natural_part, terms_of, with_wilds
