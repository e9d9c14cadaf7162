package io.iocluster.message;

import java.util.Locale;

/** How a call ended. */
public enum Outcome {
    /** The target returned an HTTP status, whatever it is. */
    ANSWERED,
    /** The call was tried and got no HTTP status, or a scatter-gather did not end as its mode asks. */
    FAILED,
    /** The call was never tried: the envelope is invalid, or the policy forbids it. */
    REJECTED,
    /** The deadline passed. */
    EXPIRED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the outcome with this name in answers; null if there is none. */
    static Outcome ofWireName(String name) {
        for (Outcome each : values()) {
            if (each.wireName.equals(name)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the name used in answers and metrics. */
    public String wireName() {
        return wireName;
    }
}
