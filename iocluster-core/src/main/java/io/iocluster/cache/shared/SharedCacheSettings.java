package io.iocluster.cache.shared;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** The cache that nodes share. Immutable. */
public record SharedCacheSettings(
        @Setting(doc = "The connection to Valkey or Redis.") RedisSettings redis,

        @Setting(value = "20ms", doc = "Longest wait of a call for the shared cache.")
        Duration timeout,

        @Setting(
                value = "256",
                doc = "Lookups under way, and writes under way. Further calls do not use the shared cache.")
        int maxInFlight,

        @Setting(
                value = "256KiB",
                doc = "Largest stored response with its headers. Larger ones stay in the node's own cache.")
        DataSize maxValueBytes,

        @Setting(value = "8MiB", doc = "Memory for writes under way. Responses that do not fit are not written.")
        DataSize maxWriteBytes,

        @Setting(
                value = "\"iocluster:\"",
                doc = "Prefix of all keys in the store, so that several clusters can use it.")
        String prefix,

        @Setting(
                value = "\"\"",
                secret = true,
                doc = "Secret of at least 32 characters, the same on all nodes. Empty: others who can write to the"
                        + " store can [forge responses](cache.md#the-shared-cache), and calls with a credential do"
                        + " not use it.")
        String hmacKey) {

    private static final int MIN_KEY_CHARACTERS = 32;
    private static final Duration MAX_TIMEOUT = Duration.ofSeconds(5);

    /** The defaults of the configuration: no shared cache. */
    public static final SharedCacheSettings DEFAULTS = new SharedCacheSettings(
            RedisSettings.DEFAULTS,
            Duration.ofMillis(20),
            256,
            new DataSize(256 * 1024),
            DataSize.ofMebibytes(8),
            "iocluster:",
            "");

    public SharedCacheSettings {
        new SettingsValidator()
                .checkPositive("timeout", timeout)
                .check(
                        timeout.compareTo(MAX_TIMEOUT) <= 0,
                        "timeout",
                        "must be at most 5s: " + DurationText.format(timeout))
                .checkRange("max-in-flight", maxInFlight, 1, 100_000)
                .checkRange("max-value-bytes", maxValueBytes, new DataSize(1024), DataSize.ofMebibytes(64))
                .checkRange("max-write-bytes", maxWriteBytes, new DataSize(1024), DataSize.ofMebibytes(1024))
                .check(
                        prefix.matches("[\\w.:{}/-]{0,100}"),
                        "prefix",
                        "must be at most 100 letters, digits, and any of . _ : / { } -: " + prefix)
                .check(
                        hmacKey.isEmpty() || hmacKey.length() >= MIN_KEY_CHARACTERS,
                        "hmac-key",
                        "must have at least " + MIN_KEY_CHARACTERS + " characters")
                .throwIfInvalid();
    }

    /** Returns whether nodes share a cache. */
    public boolean isConfigured() {
        return redis.isConfigured();
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "SharedCacheSettings[" + redis + "]";
    }
}
