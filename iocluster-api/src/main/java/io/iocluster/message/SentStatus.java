package io.iocluster.message;

/** Whether the target may have received the request of a failed call. The retry decision depends on it. */
public enum SentStatus {
    NO("no"),
    MAYBE("maybe");

    private final String wireName;

    SentStatus(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name used in answers. */
    public String wireName() {
        return wireName;
    }
}
