package io.iocluster.settings;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be used, with every mistake that was found in them. */
public final class InvalidSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    public InvalidSettingsException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("; ")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** At least one. */
    public List<Mistake> mistakes() {
        return mistakes;
    }

    /**
     * One mistake.
     *
     * @param key the key it is about, relative to the record that was being made, or a whole path such as
     *     {@code http.connect-timeout}
     * @param problem what is wrong and with which value, to be read after the key: "must be positive: 0s"
     */
    public record Mistake(String key, String problem) {

        /** The same mistake, seen from one level further out. */
        public Mistake under(String parent) {
            return new Mistake(key.isEmpty() ? parent : parent + "." + key, problem);
        }

        @Override
        public String toString() {
            return key + " " + problem;
        }
    }
}
