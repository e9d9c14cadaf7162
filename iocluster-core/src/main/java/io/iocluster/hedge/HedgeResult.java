package io.iocluster.hedge;

import java.util.Locale;

/** How a second attempt ended, or why it did not start. */
public enum HedgeResult {
    /** Its answer was used. */
    WON,
    /** The answer of the first attempt was used. */
    LOST,
    /** Neither attempt had a usable answer. */
    FAILED,
    /** The call ended before either attempt, for example because an answer was no longer needed. */
    CANCELLED,
    /** It did not start, because the budget was exhausted. */
    OVER_BUDGET,
    /** It did not start, because a limit of the destination or the node was reached, or the destination was not healthy. */
    SATURATED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the value of the label in metrics. */
    public String label() {
        return label;
    }
}
