package io.iocluster.door.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How long the door keeps the answers to asynchronous calls. */
public record KeptAnswerSettings(
        @Setting(value = "10m", live = true, doc = "How long an answer is kept.")
        Duration keep,

        @Setting(
                value = "10000",
                live = true,
                doc = "Kept answers. The oldest one of the app with the most is removed beyond it.")
        int maxCount,

        @Setting(
                value = "32MiB",
                live = true,
                doc = "Total size of the kept answers. The oldest one of the app with the most is removed beyond it.")
        DataSize maxBytes,

        @Setting(
                value = "60s",
                live = true,
                doc = "Longest time that a caller may wait for the answer to an asynchronous call, with `Prefer:"
                        + " wait`, or `wait_ms` over gRPC.")
        Duration maxWait,

        @Setting(
                value = "1000",
                live = true,
                doc = "Requests that wait for the answer to an asynchronous call; one app may have half. Further"
                        + " ones get 202 at once.")
        int maxWaiting,

        @Setting(value = "64", live = true, doc = "Open streams of `GET /v1/answers`; one app may have half.")
        int maxStreams) {

    public KeptAnswerSettings {
        new SettingsValidator()
                .checkPositive("keep", keep)
                .checkRange("max-count", maxCount, 1, 10_000_000)
                .checkRange("max-bytes", maxBytes, new DataSize(1024), DataSize.ofMebibytes(64 * 1024))
                .checkNotNegative("max-wait", maxWait)
                .checkRange("max-waiting", maxWaiting, 0, 100_000)
                .checkRange("max-streams", maxStreams, 0, 100_000)
                .throwIfInvalid();
    }
}
