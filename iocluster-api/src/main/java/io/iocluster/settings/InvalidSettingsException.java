package io.iocluster.settings;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be used, with every mistake that was found in them. */
public final class InvalidSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<InvalidSetting> mistakes;

    public InvalidSettingsException(List<InvalidSetting> mistakes) {
        super(mistakes.stream().map(InvalidSetting::toString).collect(Collectors.joining("; ")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** At least one. */
    public List<InvalidSetting> invalidSettings() {
        return mistakes;
    }

    /**
     * One mistake.
     *
     * @param key the key it is about, relative to the record that was being made, or a whole path such as
     *     {@code http.connect-timeout}
     * @param problem what is wrong and with which value, to be read after the key: "must be positive: 0s"
     */
    public record InvalidSetting(String key, String problem) {

        /** The same mistake, seen from one level further out. */
        public InvalidSetting withPrefix(String parent) {
            return new InvalidSetting(key.isEmpty() ? parent : parent + "." + key, problem);
        }

        @Override
        public String toString() {
            return key + " " + problem;
        }
    }
}
