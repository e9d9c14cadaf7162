package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** The node's own HTTP server. */
public record AdminSettings(
        @Setting(
                value = "127.0.0.1",
                doc = "The address it listens on. Anything but a loopback address needs a `token`.")
        String host,

        @Setting(value = "8080", doc = "The port it listens on; 0: any free one, which the log names.")
        int port,

        @Setting(
                value = "\"\"",
                secret = true,
                doc =
                        "What has to be shown, as `Authorization: Bearer …`, by calls that change something or read what is"
                                + " for operators alone: see"
                                + " [operations](operations/health-and-metrics.md#who-can-use-it); empty: none.")
        String token,

        @Setting(
                value = "100",
                doc =
                        "Most failures that `/api/failures` remembers, the latest, and most pairs of a destination and a code"
                                + " that it counts; 0: none.")
        int recentFailures) {

    public AdminSettings {
        new SettingsValidator()
                .checkNotBlank("host", host)
                .checkRange("port", port, 0, 65_535)
                .check(token.matches("[\\x21-\\x7e]*"), "token", "must be visible ASCII without spaces")
                .check(
                        isLoopback(host) || !token.isEmpty(),
                        "token",
                        "must be set, because host is no loopback address: " + host)
                .checkRange("recent-failures", recentFailures, 0, 10_000)
                .throwIfInvalid();
    }

    /** Whether only this machine can reach the address; a name other than {@code localhost} is taken for no. */
    public static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.matches("127(\\.\\d{1,3}){3}");
    }

    /** Everything but the token. */
    @Override
    public String toString() {
        return "AdminSettings[" + host + ":" + port + (token.isEmpty() ? "" : ", token") + "]";
    }
}
