package io.iocluster.message;

/** Whether the target may have seen a call that failed; retry is decided from it. */
public enum SentStatus {
    NO("no"),
    MAYBE("maybe");

    private final String wireName;

    SentStatus(String wireName) {
        this.wireName = wireName;
    }

    /** As answers write it. */
    public String wireName() {
        return wireName;
    }
}
