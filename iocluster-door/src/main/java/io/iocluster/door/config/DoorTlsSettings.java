package io.iocluster.door.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.io.File;

/** The certificates of the door. Files are in PEM format; the door reads them once. */
public record DoorTlsSettings(
        @Setting(value = "\"\"", doc = "File of the door's certificate and its chain. Empty: no TLS.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of the certificate's private key in PKCS #8 format.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "Password of the private key.")
        String keyPassword,

        @Setting(
                value = "\"\"",
                doc = "File of the certificate authorities of the callers, who then need a certificate, except for"
                        + " probes. If no app has a token, its common name is the name of the app.")
        String clientCa) {

    public DoorTlsSettings {
        new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set: certificate and key are configured together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "must not be set without key")
                .check(!key.isEmpty() || clientCa.isEmpty(), "client-ca", "must not be set without certificate and key")
                .checkParses("certificate", certificate, DoorTlsSettings::requireReadable)
                .checkParses("key", key, DoorTlsSettings::requireReadable)
                .checkParses("client-ca", clientCa, DoorTlsSettings::requireReadable)
                .throwIfInvalid();
    }

    private static void requireReadable(String file) {
        if (!file.isEmpty() && !new File(file).canRead()) {
            throw new IllegalArgumentException("cannot be read: " + file);
        }
    }

    /** Returns whether the door uses TLS. */
    public boolean isEnabled() {
        return !certificate.isEmpty();
    }

    /** Returns whether every caller needs a certificate. */
    public boolean requiresClientCertificate() {
        return !clientCa.isEmpty();
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "DoorTlsSettings[certificate=" + certificate + ", key=" + key + ", clientCa=" + clientCa + "]";
    }
}
