package io.iocluster.pipeline.outbox;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Configures how the node publishes unconfirmed answers again, and how many it may hold. Immutable. */
public record AnswerSettings(
        @Setting(
                value = "500ms",
                doc = "A reply-to (a topic or queue) is slow if it confirms no answer for this long, or if one of its"
                        + " answers waits in the node for this long. Its answers do not count towards"
                        + " `workers.max-unconfirmed`.")
        Duration slowAfter,

        @Setting(
                value = "30s",
                doc = "How long the node keeps publishing an answer to its reply-to. Then the answer goes to the"
                        + " configured topic or queue, and after the same time to the dead letters. Time in which the"
                        + " broker is unreachable does not count.")
        Duration giveUpAfter,

        @Setting(
                value = "2000",
                doc = "Maximum number of answers to slow topics or queues beyond `workers.max-unconfirmed`; one topic"
                        + " or queue gets at most half. Excess answers are diverted at once if others confirm answers: to"
                        + " the configured topic or queue, then to the dead letters.")
        int maxWaiting,

        @Setting(
                value = "64MiB",
                doc = "Maximum bytes of these answers, as `workers.max-in-flight-bytes` counts them; one topic or queue"
                        + " gets at most half.")
        DataSize maxWaitingBytes,

        @Setting(
                value = "8MiB",
                doc = "Maximum bytes of unconfirmed answers that the broker's client holds for one reply-to, counted in"
                        + " the same way. Answers of up to 64 KiB get half of it, those of up to 1 MiB a quarter, and"
                        + " larger ones a quarter; each of the three sizes may always have one answer there. Further"
                        + " answers to the reply-to wait in the node.")
        DataSize maxBytesPerReplyTo) {

    public static final AnswerSettings DEFAULTS = new AnswerSettings(
            Duration.ofMillis(500), Duration.ofSeconds(30), 2_000, DataSize.ofMebibytes(64), DataSize.ofMebibytes(8));

    public AnswerSettings {
        new SettingsValidator()
                .check(
                        slowAfter.toMillis() >= 50 && slowAfter.toMillis() <= 60_000,
                        "slow-after",
                        "must be from 50ms to 1m: " + DurationText.format(slowAfter))
                .check(
                        giveUpAfter.compareTo(slowAfter) >= 0 && giveUpAfter.toMillis() <= 3_600_000,
                        "give-up-after",
                        "must be from slow-after to 1h: " + DurationText.format(giveUpAfter))
                .checkRange("max-waiting", maxWaiting, 2, 1_000_000)
                .checkRange("max-waiting-bytes", maxWaitingBytes, DataSize.ofMebibytes(1), new DataSize(1L << 40))
                .checkRange(
                        "max-bytes-per-reply-to", maxBytesPerReplyTo, new DataSize(1L << 16), new DataSize(1L << 40))
                .throwIfInvalid();
    }
}
