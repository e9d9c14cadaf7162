package io.iocluster.message.usable;

/** Whether a value must exist. */
public enum Presence {
    /** The value may be missing. */
    ANY,
    /** The value must exist and not be null. */
    TRUE,
    /** The value must be missing or null. */
    FALSE;

    /** Returns the presence that a flag asks for. */
    static Presence of(boolean exists) {
        return exists ? TRUE : FALSE;
    }

    boolean allows(boolean exists) {
        return this == ANY || exists == (this == TRUE);
    }
}
