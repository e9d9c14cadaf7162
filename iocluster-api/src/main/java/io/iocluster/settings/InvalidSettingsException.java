package io.iocluster.settings;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if settings are invalid; lists every problem that was found. */
public final class InvalidSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<InvalidSetting> invalidSettings;

    public InvalidSettingsException(List<InvalidSetting> invalidSettings) {
        super(invalidSettings.stream().map(InvalidSetting::toString).collect(Collectors.joining("; ")));
        this.invalidSettings = List.copyOf(invalidSettings);
    }

    /** Returns the invalid settings, at least one. */
    public List<InvalidSetting> invalidSettings() {
        return invalidSettings;
    }

    /**
     * One invalid setting.
     *
     * @param key relative to the validated record, or a whole path such as {@code http.connect-timeout}
     * @param problem what is wrong, with the value; follows the key in a message: "must be positive: 0s"
     */
    public record InvalidSetting(String key, String problem) {

        /** Returns the same problem with the key prefixed by {@code parent} and a dot. */
        public InvalidSetting withPrefix(String parent) {
            return new InvalidSetting(key.isEmpty() ? parent : parent + "." + key, problem);
        }

        @Override
        public String toString() {
            return key + " " + problem;
        }
    }
}
