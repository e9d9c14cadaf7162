package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** The node's identity. */
public record IdentitySettings(
        @Setting(
                value = "\"\"",
                doc = "Name of the node in answers, dead letters and logs. Empty: the host name and four random"
                        + " characters.")
        String id) {

    private static final String GENERATED = hostName() + "-"
            + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);

    public IdentitySettings {
        id = id.isEmpty() ? GENERATED : id;
        new SettingsValidator()
                .check(
                        id.matches("[\\w.:-]{1,200}"),
                        "id",
                        "must be 1 to 200 letters, digits, and any of . _ : -, without spaces: " + id)
                .throwIfInvalid();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^\\w.-]", "-");
        } catch (UnknownHostException nameless) {
            return "node";
        }
    }
}
