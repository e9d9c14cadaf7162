package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.thread.Platform;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/** The identity of the node, and its warm-up. */
public record IdentitySettings(
        @Setting(
                value = "\"\"",
                doc = "Name in answers, dead letters and logs. Empty: the host name and four random characters.")
        String id,

        @Setting(
                value = "10s",
                doc = "Longest time of the [warm-up](operations/README.md#start-a-node), in which the node makes"
                        + " synthetic calls to itself before it reads messages. 0: none.")
        Duration warmUp) {

    /** A longer warm-up is probably a typing error, because the node reads nothing until it ends. */
    private static final Duration MAX_WARM_UP = Duration.ofHours(1);

    private static final String HOST_NAME = findHostName();

    private static final String GENERATED =
            HOST_NAME + "-" + Integer.toString(Platform.system().random().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);

    public IdentitySettings {
        id = id.isEmpty() ? GENERATED : id;
        new SettingsValidator()
                .check(
                        id.matches("[\\w.:-]{1,200}"),
                        "id",
                        "must be 1 to 200 letters, digits, and any of . _ : -, without spaces: " + id)
                .checkNotNegative("warm-up", warmUp)
                .check(
                        warmUp.compareTo(MAX_WARM_UP) <= 0,
                        "warm-up",
                        "must be at most 1h: " + DurationText.format(warmUp))
                .throwIfInvalid();
    }

    /** Returns the name of this machine; {@code node} if it has none. */
    public static String hostName() {
        return HOST_NAME;
    }

    private static String findHostName() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^\\w.-]", "-");
        } catch (UnknownHostException nameless) {
            return "node";
        }
    }
}
