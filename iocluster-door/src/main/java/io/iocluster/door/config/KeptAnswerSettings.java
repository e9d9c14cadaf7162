package io.iocluster.door.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How long the door keeps the answers to asynchronous calls. */
public record KeptAnswerSettings(
        @Setting(value = "10m", doc = "How long an answer is kept.")
        Duration keep,

        @Setting(value = "10000", doc = "Maximum number of kept answers. Beyond that, the oldest one is removed.")
        int maxCount,

        @Setting(
                value = "32MiB",
                doc = "Maximum total size of the kept answers. Beyond that, the oldest one is removed.")
        DataSize maxBytes,

        @Setting(
                value = "60s",
                doc = "Longest time that `GET /v1/calls/{id}` waits for an answer; `Prefer: wait` asks for it.")
        Duration maxWait,

        @Setting(value = "64", doc = "Maximum number of open streams of `GET /v1/answers`.")
        int maxStreams) {

    public KeptAnswerSettings {
        new SettingsValidator()
                .checkPositive("keep", keep)
                .checkRange("max-count", maxCount, 1, 10_000_000)
                .checkRange("max-bytes", maxBytes, new DataSize(1024), DataSize.ofMebibytes(64 * 1024))
                .checkNotNegative("max-wait", maxWait)
                .checkRange("max-streams", maxStreams, 0, 100_000)
                .throwIfInvalid();
    }
}
