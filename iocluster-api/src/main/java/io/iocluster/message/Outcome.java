package io.iocluster.message;

import java.util.Locale;

/** How a call ended. */
public enum Outcome {
    /** An HTTP status came back, whatever it says. */
    ANSWERED,
    /** It was tried and no usable answer came. */
    FAILED,
    /** It was never tried: the envelope or the policy forbids it. */
    REJECTED,
    /** Its deadline passed. */
    EXPIRED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** As answers and metrics write it. */
    public String wireName() {
        return wireName;
    }
}
