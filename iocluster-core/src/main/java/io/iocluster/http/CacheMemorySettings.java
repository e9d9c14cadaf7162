package io.iocluster.http;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Limits the memory for stored responses. Immutable. */
public record CacheMemorySettings(
        @Setting(
                value = "64MiB",
                doc = "Memory for the stored responses of all destinations, in addition to"
                        + " `workers.max-in-flight-bytes`. The sum of all `cache.max-bytes` must not be larger.")
        DataSize maxBytes) {

    /** The defaults of the configuration. */
    public static final CacheMemorySettings DEFAULTS = new CacheMemorySettings(DataSize.ofMebibytes(64));

    public CacheMemorySettings {
        new SettingsValidator()
                .checkRange("max-bytes", maxBytes, new DataSize(64 * 1024), new DataSize(1L << 40))
                .throwIfInvalid();
    }
}
