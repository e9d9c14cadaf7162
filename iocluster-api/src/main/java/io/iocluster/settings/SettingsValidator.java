package io.iocluster.settings;

import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Collects what is wrong with a settings record, so that its compact constructor names every mistake and not only the
 * first. Confined to the constructor that made it.
 */
public final class SettingsValidator {

    private final List<InvalidSetting> found = new ArrayList<>();

    public SettingsValidator check(boolean right, String key, String problem) {
        if (!right) {
            found.add(new InvalidSetting(key, problem));
        }
        return this;
    }

    public SettingsValidator checkPositive(String key, Duration value) {
        return check(value.compareTo(Duration.ZERO) > 0, key, "must be positive: " + DurationText.format(value));
    }

    public SettingsValidator checkNotNegative(String key, Duration value) {
        return check(!value.isNegative(), key, "must not be negative: " + DurationText.format(value));
    }

    /** Both ends are allowed. */
    public SettingsValidator checkRange(String key, long value, long least, long most) {
        return check(value >= least && value <= most, key, "must be from " + least + " to " + most + ": " + value);
    }

    /** Both ends are allowed. */
    public SettingsValidator checkRange(String key, DataSize value, DataSize least, DataSize most) {
        return check(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                key,
                "must be from " + least + " to " + most + ": " + value);
    }

    public SettingsValidator checkNotBlank(String key, String value) {
        return check(!value.isBlank(), key, "must not be empty");
    }

    /**
     * Checks that a value can be read.
     *
     * @param reader throws {@link IllegalArgumentException} if it cannot, with a message to be read after the key
     */
    public SettingsValidator checkParses(String key, String value, Consumer<String> reader) {
        try {
            reader.accept(value);
            return this;
        } catch (IllegalArgumentException unreadable) {
            return check(false, key, unreadable.getMessage());
        }
    }

    /** Checks each entry of a list under a key of its own, such as {@code ports[1]}. */
    public <T> SettingsValidator checkEach(String key, List<T> entries, BiConsumer<String, T> check) {
        for (int i = 0; i < entries.size(); i++) {
            check.accept(key + "[" + i + "]", entries.get(i));
        }
        return this;
    }

    /** Ends the collecting. */
    public void throwIfInvalid() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(found);
        }
    }
}
