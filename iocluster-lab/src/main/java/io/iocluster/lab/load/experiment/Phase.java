package io.iocluster.lab.load.experiment;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

/**
 * A part of the load over time. All shapes except {@link Shape#USERS} are an open loop: each call is sent when it is due,
 * whether or not earlier calls have ended. Immutable.
 */
public record Phase(
        @Setting(doc = "Name of the phase, for expectations, faults and the report.")
        String name,

        @Setting(
                doc =
                        "`constant`: `rate`. `ramp`: from `from` to `to`. `step`: from `from` to `to` in `steps` equal steps."
                                + " `spike`: `from`, with `to` in the middle third. `sine`: between `from` and `to`, once each"
                                + " `period`. `users`: a closed loop of `users`, who wait for each answer. `replay`: the calls of"
                                + " `file`. `search`: finds the highest rate between `from` and `to` that meets `objective`.",
                value = "constant")
        Shape shape,

        @Setting(
                doc = "Duration of the phase. For `replay`, the longest duration; 0s for the whole file.",
                value = "0s")
        Duration duration,

        @Setting(doc = "`constant`: calls per time unit, such as `200/s`.", value = "unlimited")
        Rate rate,

        @Setting(doc = "`ramp`, `step`, `spike`, `sine`, `search`: the lower or first rate.", value = "unlimited")
        Rate from,

        @Setting(doc = "`ramp`, `step`, `spike`, `sine`, `search`: the higher or last rate.", value = "unlimited")
        Rate to,

        @Setting(doc = "`step`: number of steps.", value = "5")
        int steps,

        @Setting(doc = "`sine`: duration of one wave.", value = "60s")
        Duration period,

        @Setting(doc = "`users`: number of users who make one call at a time.", value = "0")
        int users,

        @Setting(doc = "`users`: pause of a user between an answer and the next call.", value = "0s")
        Duration thinkTime,

        @Setting(
                doc =
                        "`replay`: NDJSON file relative to the experiment. Each line is a request envelope; its field `at`"
                                + " says when the call is due, as an ISO time or in milliseconds.",
                value = "''")
        String file,

        @Setting(doc = "`replay`: 2 replays twice as fast as recorded.", value = "1.0")
        double speed,

        @Setting(doc = "`search`: duration of each trial.", value = "15s")
        Duration trial,

        @Setting(doc = "`search`: conditions of a trial that count as success, like `expectations`.", value = "[]")
        List<String> objective,

        @Setting(doc = "`search`: ends when the best rate is known within this share of it.", value = "0.05")
        double precision,

        @Setting(
                doc = "Whether the phase counts for expectations that name no phase. False for a warm-up.",
                value = "true")
        boolean measured) {

    private static final Duration MAX_DURATION = Duration.ofDays(7);
    private static final Duration MIN_PERIOD = Duration.ofMillis(10);
    private static final Duration MAX_TRIAL = Duration.ofHours(1);

    /** The pause of each of the maximum of users together fits into nanoseconds. */
    private static final Duration MAX_THINK_TIME = Duration.ofDays(1);

    private static final int MAX_RATE = 200_000;

    public Phase {
        SettingsValidator validator = new SettingsValidator();
        Names.check(validator, name);
        validator.check(
                shape == Shape.REPLAY || shape == Shape.SEARCH || duration.toMillis() > 0,
                "duration",
                "must be set for shape " + word(shape));
        validator.check(
                !duration.isNegative() && duration.compareTo(MAX_DURATION) <= 0,
                "duration",
                "must be from 0s to 7d: " + DurationText.format(duration));
        rate(validator, "rate", rate, shape == Shape.CONSTANT, shape);
        rate(validator, "from", from, shape.isBetweenRates(), shape);
        rate(validator, "to", to, shape.isBetweenRates(), shape);
        validator.checkRange("steps", steps, 2, 1_000).checkRange("period", period, MIN_PERIOD, MAX_DURATION);
        validator.check(
                (users > 0) == (shape == Shape.USERS) && users <= 100_000,
                "users",
                shape == Shape.USERS ? "must be from 1 to 100000: " + users : "is only for shape users");
        validator.checkRange("think-time", thinkTime, Duration.ZERO, MAX_THINK_TIME);
        validator.check(
                !file.isEmpty() == (shape == Shape.REPLAY),
                "file",
                shape == Shape.REPLAY ? "is missing, but shape replay needs it" : "is only for shape replay");
        validator.check(speed >= 0.001 && speed <= 1_000, "speed", "must be from 0.001 to 1000: " + speed);
        if (shape == Shape.SEARCH) {
            validator
                    .check(perSecond(to) > perSecond(from), "to", "must be more than from: " + to)
                    .check(!objective.isEmpty(), "objective", "must have at least one condition")
                    .checkRange("trial", trial, Duration.ofSeconds(1), MAX_TRIAL)
                    .check(precision >= 0.01 && precision <= 0.5, "precision", "must be from 0.01 to 0.5: " + precision)
                    .checkEach(
                            "objective",
                            objective,
                            (path, text) -> validator.checkParses(path, text, Expectation::parseTrial));
        } else {
            validator.check(objective.isEmpty(), "objective", "is only for shape search");
        }
        validator.throwIfInvalid();
    }

    private static void rate(SettingsValidator validator, String key, Rate rate, boolean needed, Shape shape) {
        if (needed) {
            validator
                    .check(
                            !rate.isUnlimited(),
                            key,
                            "is missing, but shape " + word(shape) + " needs it, such as 200/s")
                    .check(perSecond(rate) <= MAX_RATE, key, "must be at most " + MAX_RATE + "/s: " + rate);
        } else {
            validator.check(rate.isUnlimited(), key, "is not for shape " + word(shape));
        }
    }

    private static String word(Shape shape) {
        return shape.name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Returns a rate in calls per second. */
    public static double perSecond(Rate rate) {
        return rate.count() * 1e3 / rate.per().toMillis();
    }

    /** Returns how long the phase takes at most; zero if only the replayed file knows. */
    public Duration plannedDuration() {
        return shape == Shape.SEARCH ? trial.multipliedBy(maxTrials()) : duration;
    }

    /** Returns the maximum number of trials of a search: doubling the rate up to {@code to}, then halving the interval. */
    public int maxTrials() {
        double doublings = Math.ceil(Math.log(perSecond(to) / perSecond(from)) / Math.log(2)) + 1;
        double halvings = Math.ceil(Math.log(1 / precision) / Math.log(2));
        return (int) (doublings + halvings);
    }

    /** How the rate changes over time. */
    public enum Shape {
        CONSTANT,
        RAMP,
        STEP,
        SPIKE,
        SINE,
        USERS,
        REPLAY,
        SEARCH;

        boolean isBetweenRates() {
            return this == RAMP || this == STEP || this == SPIKE || this == SINE || this == SEARCH;
        }
    }
}
