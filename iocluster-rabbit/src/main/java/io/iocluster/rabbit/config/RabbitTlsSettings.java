package io.iocluster.rabbit.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificates for connections to the broker. Files are in PEM. Immutable. */
public record RabbitTlsSettings(
        @Setting(value = "\"\"", doc = "File of the CA certificates that the node trusts. Empty: those of the JVM.")
        String ca,

        @Setting(value = "\"\"", doc = "File of the client certificate and its chain. Empty: none.")
        String certificate,

        @Setting(value = "\"\"", doc = "File with the private key of that certificate, in PKCS 8.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "The password of the key.")
        String keyPassword,

        @Setting(value = "true", doc = "Whether the broker's certificate must match the host name.")
        boolean verifyHostname) {

    public static final RabbitTlsSettings DEFAULTS = new RabbitTlsSettings("", "", "", "", true);

    public RabbitTlsSettings {
        SettingsValidator validator = new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set: certificate and key are configured together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "must not be set without key");
        checkReadable(validator, "ca", ca);
        checkReadable(validator, "certificate", certificate);
        checkReadable(validator, "key", key);
        validator.throwIfInvalid();
    }

    private static void checkReadable(SettingsValidator validator, String setting, String file) {
        validator.check(file.isEmpty() || Files.isReadable(Path.of(file)), setting, "cannot be read: " + file);
    }

    /** Returns whether every setting has its default. */
    boolean isEmpty() {
        return equals(DEFAULTS);
    }

    @Override
    public String toString() {
        return "TlsSettings[ca=" + ca + ", certificate=" + certificate + ", key=" + key + ", keyPassword="
                + (keyPassword.isEmpty() ? "" : "***") + ", verifyHostname=" + verifyHostname + "]";
    }
}
