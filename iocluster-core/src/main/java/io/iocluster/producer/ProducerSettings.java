package io.iocluster.producer;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.ReservedHeaders;

/** Configures how the node identifies the apps that send calls. Immutable. */
public record ProducerSettings(
        @Setting(
                value = "app",
                doc = "Header of a request message with the name of the sending app. Empty: apps are not"
                        + " distinguished.")
        String header,

        @Setting(
                value = "200",
                doc = "Apps without an entry in `apps` that are counted and limited separately. Further ones share"
                        + " the name `other` and one quota.")
        int maxApps,

        @Setting(doc = "The quota of every app without an entry in `apps`.")
        AppQuota quota) {

    /** The settings of an empty configuration. */
    public static final ProducerSettings DEFAULTS = new ProducerSettings("app", 200, AppQuota.DEFAULTS);

    public ProducerSettings {
        new SettingsValidator()
                .check(
                        header.matches("[!-~]{0,100}"),
                        "header",
                        "must be up to 100 printable ASCII characters without spaces: " + header)
                .check(
                        !ReservedHeaders.isReserved(header),
                        "header",
                        "must not start with iocluster-, because only nodes write such headers: " + header)
                .checkRange("max-apps", maxApps, 0, 10_000)
                .throwIfInvalid();
    }
}
