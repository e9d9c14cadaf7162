package io.iocluster.door.config;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** The spool, which stores asynchronous calls on disk until the broker has them. */
public record SpoolSettings(
        @Setting(
                value = "\"\"",
                doc = "Folder of the spool, where the door [stores asynchronous calls](door.md#store-and-forward)"
                        + " until the broker has them. Each door needs a different folder. Empty: no spool.")
        String folder,

        @Setting(value = "256MiB", doc = "Maximum total size of the stored calls.")
        DataSize maxBytes,

        @Setting(
                value = "50000",
                doc = "Asynchronous calls that are stored or wait for their answers. Each uses about 1 KiB of the"
                        + " heap.")
        int maxCalls,

        @Setting(
                value = "refuse",
                doc = "For calls beyond `max-bytes` or `max-calls`. `refuse`: the caller gets 429. `drop-oldest`: the"
                        + " door drops the oldest stored calls.")
        SpoolFullPolicy whenFull,

        @Setting(
                value = "\"\"",
                secret = true,
                doc = "Encrypts the stored calls: 16 characters or more, such as `${file:spool.key}`. Empty: no"
                        + " encryption.")
        String key,

        @Setting(
                value = "1h",
                doc = "Longest duration of a stored call from its acceptance, and that of one without `deadlineMs`.")
        Duration keep) {

    private static final int MIN_KEY_LENGTH = 16;

    /** No spool. */
    public static final SpoolSettings OFF =
            new SpoolSettings("", DataSize.ofMebibytes(256), 50_000, SpoolFullPolicy.REFUSE, "", Duration.ofHours(1));

    public SpoolSettings {
        new SettingsValidator()
                .checkRange("max-bytes", maxBytes, DataSize.ofMebibytes(1), DataSize.ofMebibytes(64 * 1024))
                .checkRange("max-calls", maxCalls, 1, 10_000_000)
                .check(
                        key.isEmpty() || key.length() >= MIN_KEY_LENGTH,
                        "key",
                        "must have " + MIN_KEY_LENGTH + " characters or more")
                .check(key.isEmpty() || !folder.isEmpty(), "key", "must not be set without folder")
                .checkRange("keep", keep, Duration.ofSeconds(1), Duration.ofDays(7))
                .throwIfInvalid();
    }

    /** Returns whether the door has a spool. */
    public boolean isEnabled() {
        return !folder.isEmpty();
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return "SpoolSettings[folder=" + folder + ", maxBytes=" + maxBytes + ", maxCalls=" + maxCalls + ", whenFull="
                + whenFull + ", keep=" + keep + "]";
    }
}
