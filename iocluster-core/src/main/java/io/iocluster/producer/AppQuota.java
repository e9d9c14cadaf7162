package io.iocluster.producer;

import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Limits what one app uses of a node. Immutable. */
public record AppQuota(
        @Setting(
                value = "0",
                doc = "Calls of an app that the node works on: in flight, or waiting for their destination or their"
                        + " retry. 0: no limit.")
        int maxInFlight,

        @Setting(value = "unlimited", doc = "Maximum rate at which calls of an app start. Retries do not count.")
        Rate rate,

        @Setting(
                value = "1000",
                doc = "Calls of an app that wait for its quota; further ones fail with `app-over-quota`. An app gets"
                        + " at most half of the free `workers.max-waiting`.")
        int maxWaiting) {

    /** The quota of an empty configuration. */
    public static final AppQuota DEFAULTS = new AppQuota(0, Rate.UNLIMITED, 1_000);

    public AppQuota {
        new SettingsValidator()
                .checkRange("max-in-flight", maxInFlight, 0, 1_000_000)
                .checkRange("max-waiting", maxWaiting, 0, 1_000_000)
                .throwIfInvalid();
    }

    /** Returns whether it limits anything. */
    public boolean isLimited() {
        return maxInFlight > 0 || !rate.isUnlimited();
    }
}
