package io.iocluster.pipeline.outbox;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Configures what answers contain, how the node publishes unconfirmed answers again, and how many it may hold. Immutable. */
public record AnswerSettings(
        @Setting(
                value = "500ms",
                doc = "A reply-to (a topic or queue) is slow if it confirms no answer, or one of its answers waits in"
                        + " the node, for this long. Its answers do not count towards `workers.max-unconfirmed`.")
        Duration slowAfter,

        @Setting(
                value = "30s",
                doc = "How long the node publishes an answer to its reply-to, then to the configured topic or queue,"
                        + " before it becomes a dead letter. Time in which the broker is unreachable does not count.")
        Duration giveUpAfter,

        @Setting(
                value = "2000",
                doc = "Answers to slow topics or queues beyond `workers.max-unconfirmed`; one topic or queue gets at"
                        + " most half. [Excess answers](guarantees.md#an-answer-is-published-again) are diverted at"
                        + " once if others confirm answers.")
        int maxWaiting,

        @Setting(
                value = "64MiB",
                doc = "Bytes of answers to slow topics or queues; one topic or queue gets at most half.")
        DataSize maxWaitingBytes,

        @Setting(
                value = "8MiB",
                doc = "Bytes of unconfirmed answers in the broker's client for one reply-to: half for answers of up"
                        + " to 64 KiB, a quarter for those of up to 1 MiB, a quarter for larger ones, and always one"
                        + " of each. Further answers wait in the node.")
        DataSize maxBytesPerReplyTo,

        @Setting(value = "true", doc = "Whether an answer has `timing`, which takes 50 to 90 bytes.")
        boolean timing) {

    public static final AnswerSettings DEFAULTS = new AnswerSettings(
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            2_000,
            DataSize.ofMebibytes(64),
            DataSize.ofMebibytes(8),
            true);

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
