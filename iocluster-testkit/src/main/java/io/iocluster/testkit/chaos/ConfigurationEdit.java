package io.iocluster.testkit.chaos;

/** A change of a node's configuration file that replaces one text by another. */
public enum ConfigurationEdit {
    /** Replaces every worker, because connections are kept for another time. */
    IDLE_TIMEOUT("idle-timeout: 20s", "idle-timeout: 3s"),
    RETRY_DELAY("base-delay: 50ms", "base-delay: 20ms"),
    MORE_SLOTS("max-in-flight: 100", "max-in-flight: 200"),
    FEWER_SLOTS("max-in-flight: 100", "max-in-flight: 40"),
    /** Is refused: the node keeps what it has. */
    INVALID("base-delay: 50ms", "base-delay: soon");

    private final String before;
    private final String after;

    ConfigurationEdit(String before, String after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the edited text.
     *
     * @throws IllegalArgumentException if the text has nothing to edit
     */
    public String apply(String text) {
        if (!text.contains(before)) {
            throw new IllegalArgumentException("the configuration has no \"" + before + "\"");
        }
        return text.replace(before, after);
    }
}
