package io.iocluster.testkit.chaos;

/** A change of a node's configuration file that replaces one text by another. */
public enum ConfigurationEdit {
    /** Makes the node replace every worker, because it changes how long connections are kept. */
    IDLE_TIMEOUT("idle-timeout: 20s", "idle-timeout: 3s"),
    RETRY_DELAY("base-delay: 50ms", "base-delay: 20ms"),
    MORE_SLOTS("max-in-flight: 100", "max-in-flight: 200"),
    FEWER_SLOTS("max-in-flight: 100", "max-in-flight: 40"),
    /** Is refused: the node keeps its configuration. */
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
     * @throws IllegalArgumentException if the text does not contain the text to replace
     */
    public String apply(String text) {
        if (!text.contains(before)) {
            throw new IllegalArgumentException("configuration does not contain \"" + before + "\"");
        }
        return text.replace(before, after);
    }
}
