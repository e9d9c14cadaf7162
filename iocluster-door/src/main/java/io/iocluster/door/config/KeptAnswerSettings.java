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
                doc =
                        "Maximum number of kept answers. Beyond that, the oldest one of the app with the most is removed.")
        int maxCount,

        @Setting(
                value = "32MiB",
                live = true,
                doc = "Maximum total size of the kept answers. Beyond that, the oldest one of the app with the most is"
                        + " removed.")
        DataSize maxBytes,

        @Setting(
                value = "60s",
                live = true,
                doc =
                        "Longest time that a caller may wait for the answer to an asynchronous call, with `Prefer: wait` or"
                                + " with `wait_ms` over gRPC.")
        Duration maxWait,

        @Setting(
                value = "1000",
                live = true,
                doc =
                        "Maximum number of requests that wait for the answer to an asynchronous call. One app may have half"
                                + " of them. Further ones get 202 at once.")
        int maxWaiting,

        @Setting(
                value = "64",
                live = true,
                doc = "Maximum number of open streams of `GET /v1/answers`. One app may have half of them.")
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
