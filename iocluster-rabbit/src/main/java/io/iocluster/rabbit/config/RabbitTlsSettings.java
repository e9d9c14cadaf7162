package io.iocluster.rabbit.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.nio.file.Files;
import java.nio.file.Path;

/** How the broker proves who it is, and the node to the broker. Files are in PEM. */
public record RabbitTlsSettings(
        @Setting(
                value = "\"\"",
                doc = "File of the authorities that the broker's certificate is trusted by; empty: the JVM's.")
        String ca,

        @Setting(value = "\"\"", doc = "File of the node's own certificate and its chain; empty: it shows none.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of that certificate's private key, in PKCS 8.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "The password of the key.")
        String keyPassword,

        @Setting(value = "true", doc = "Whether the broker's certificate must name the host that is connected to.")
        boolean verifyHostname) {

    public static final RabbitTlsSettings DEFAULTS = new RabbitTlsSettings("", "", "", "", true);

    public RabbitTlsSettings {
        SettingsValidator mistakes = new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set, for a certificate and its key go together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "is there without a key");
        checkReadable(mistakes, "ca", ca);
        checkReadable(mistakes, "certificate", certificate);
        checkReadable(mistakes, "key", key);
        mistakes.throwIfInvalid();
    }

    private static void checkReadable(SettingsValidator mistakes, String setting, String file) {
        mistakes.check(file.isEmpty() || Files.isReadable(Path.of(file)), setting, "cannot be read: " + file);
    }

    /** Whether nothing is set. */
    boolean isEmpty() {
        return equals(DEFAULTS);
    }

    @Override
    public String toString() {
        return "TlsSettings[ca=" + ca + ", certificate=" + certificate + ", key=" + key + ", keyPassword="
                + (keyPassword.isEmpty() ? "" : "***") + ", verifyHostname=" + verifyHostname + "]";
    }
}
