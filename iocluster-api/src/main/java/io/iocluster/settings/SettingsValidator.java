package io.iocluster.settings;

import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Collects the problems of a settings record, so that its compact constructor reports all of them and not only the
 * first. Confined to the constructor that created it.
 */
public final class SettingsValidator {

    private final List<InvalidSetting> problems = new ArrayList<>();

    public SettingsValidator check(boolean valid, String key, String problem) {
        if (!valid) {
            problems.add(new InvalidSetting(key, problem));
        }
        return this;
    }

    public SettingsValidator checkPositive(String key, Duration value) {
        return check(value.compareTo(Duration.ZERO) > 0, key, "must be positive: " + DurationText.format(value));
    }

    public SettingsValidator checkNotNegative(String key, Duration value) {
        return check(!value.isNegative(), key, "must not be negative: " + DurationText.format(value));
    }

    /** Checks a range that includes both bounds. */
    public SettingsValidator checkRange(String key, long value, long min, long max) {
        return check(value >= min && value <= max, key, "must be from " + min + " to " + max + ": " + value);
    }

    /** Checks a range that includes both bounds. */
    public SettingsValidator checkRange(String key, DataSize value, DataSize min, DataSize max) {
        return check(
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                key,
                "must be from " + min + " to " + max + ": " + value);
    }

    /** Checks a range that includes both bounds. */
    public SettingsValidator checkRange(String key, Duration value, Duration min, Duration max) {
        return check(
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                key,
                "must be from " + DurationText.format(min) + " to " + DurationText.format(max) + ": "
                        + DurationText.format(value));
    }

    public SettingsValidator checkNotBlank(String key, String value) {
        return check(!value.isBlank(), key, "must not be empty");
    }

    /**
     * Checks that a value can be parsed.
     *
     * @param parser throws {@link IllegalArgumentException} if it cannot, with a message that follows the key
     */
    public SettingsValidator checkParses(String key, String value, Consumer<String> parser) {
        try {
            parser.accept(value);
            return this;
        } catch (IllegalArgumentException invalid) {
            return check(false, key, invalid.getMessage());
        }
    }

    /** Checks each entry of a list, with its indexed key, such as {@code ports[1]}. */
    public <T> SettingsValidator checkEach(String key, List<T> entries, BiConsumer<String, T> check) {
        for (int i = 0; i < entries.size(); i++) {
            check.accept(key + "[" + i + "]", entries.get(i));
        }
        return this;
    }

    /** Throws if any check failed. */
    public void throwIfInvalid() {
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
    }
}
