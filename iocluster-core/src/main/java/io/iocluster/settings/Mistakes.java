package io.iocluster.settings;

import io.iocluster.settings.InvalidSettingsException.Mistake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what is wrong with a settings record, so that its compact constructor names every mistake and not only the
 * first. Confined to the constructor that made it.
 */
public final class Mistakes {

    private final List<Mistake> found = new ArrayList<>();

    public Mistakes check(boolean right, String key, String problem) {
        if (!right) {
            found.add(new Mistake(key, problem));
        }
        return this;
    }

    public Mistakes positive(String key, Duration value) {
        return check(value.compareTo(Duration.ZERO) > 0, key, "must be positive: " + DurationText.format(value));
    }

    public Mistakes notNegative(String key, Duration value) {
        return check(!value.isNegative(), key, "must not be negative: " + DurationText.format(value));
    }

    /** Both ends are allowed. */
    public Mistakes between(String key, long value, long least, long most) {
        return check(value >= least && value <= most, key, "must be from " + least + " to " + most + ": " + value);
    }

    /** Both ends are allowed. */
    public Mistakes between(String key, DataSize value, DataSize least, DataSize most) {
        return check(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                key,
                "must be from " + least + " to " + most + ": " + value);
    }

    public Mistakes notBlank(String key, String value) {
        return check(!value.isBlank(), key, "must not be empty");
    }

    /** Ends the collecting. */
    public void raise() {
        if (!found.isEmpty()) {
            throw new InvalidSettingsException(found);
        }
    }
}
