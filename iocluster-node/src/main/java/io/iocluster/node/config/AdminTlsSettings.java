package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The certificate of the admin server. Files are in PEM format. A running node applies their new content. */
public record AdminTlsSettings(
        @Setting(
                value = "\"\"",
                doc = "File of the server's certificate and its chain. Empty: the server uses plain HTTP.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of the certificate's private key in PKCS #8 format.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "Password of the private key.")
        String keyPassword) {

    public AdminTlsSettings {
        new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set: certificate and key are configured together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "must not be set without key")
                .throwIfInvalid();
        if (!certificate.isEmpty()) {
            String password = keyPassword.isEmpty() ? null : keyPassword;
            new SettingsValidator()
                    .checkParses("certificate", certificate, AdminTlsSettings::requireReadable)
                    .checkParses("key", key, AdminTlsSettings::requireReadable)
                    .throwIfInvalid();
            new SettingsValidator()
                    .checkParses(
                            "certificate", certificate, file -> requireUsable(new File(file), new File(key), password))
                    .throwIfInvalid();
        }
    }

    private static void requireUsable(File certificate, File key, String password) {
        try {
            SslContextBuilder.forServer(certificate, key, password);
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException(
                    "cannot be used with admin.tls.key; both must be in PEM format: " + certificate, unusable);
        }
    }

    private static void requireReadable(String file) {
        if (!new File(file).canRead()) {
            throw new IllegalArgumentException("cannot be read: " + file);
        }
    }

    /** Returns whether the server uses TLS. */
    public boolean isEnabled() {
        return !certificate.isEmpty();
    }

    /** Returns the scheme of the server's URLs. */
    public String scheme() {
        return isEnabled() ? "https" : "http";
    }

    /** Returns the files that the settings name. */
    public Stream<Path> files() {
        return Stream.of(certificate, key).filter(name -> !name.isEmpty()).map(Path::of);
    }

    @Override
    public String toString() {
        return "AdminTlsSettings[certificate=" + certificate + ", key=" + key + "]";
    }
}
