package io.iocluster.door.config;

import io.iocluster.http.CertificateFiles;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The certificates of a server. Files are in PEM format; a running server applies their new content. The texts are those of the door; the
 * admin server has other texts and no authorities.
 */
public record ServerTlsSettings(
        @Setting(value = "\"\"", doc = "File of the door's certificate and its chain. Empty: no TLS.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of the certificate's private key in PKCS #8 format.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "Password of the private key.")
        String keyPassword,

        @Setting(
                value = "\"\"",
                doc =
                        "File of the certificate authorities of the callers. Every caller except a probe then needs a certificate. If no"
                                + " app has a token, the certificate's common name is the name of the app.")
        String clientCa) {

    public ServerTlsSettings {
        new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set: certificate and key are configured together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "must not be set without key")
                .check(!key.isEmpty() || clientCa.isEmpty(), "client-ca", "must not be set without certificate and key")
                .checkParses("certificate", certificate, ServerTlsSettings::requireReadable)
                .checkParses("key", key, ServerTlsSettings::requireReadable)
                .checkParses("client-ca", clientCa, ServerTlsSettings::requireReadable)
                .throwIfInvalid();
        SettingsValidator content = new SettingsValidator();
        if (!certificate.isEmpty()) {
            content.checkParses("certificate", certificate, file -> CertificateFiles.read(file, key, keyPassword));
        }
        if (!clientCa.isEmpty()) {
            content.checkParses("client-ca", clientCa, ServerTlsSettings::requireCertificate);
        }
        content.throwIfInvalid();
    }

    private static void requireReadable(String file) {
        if (!file.isEmpty() && !new File(file).canRead()) {
            throw new IllegalArgumentException("cannot be read: " + file);
        }
    }

    private static void requireCertificate(String file) {
        try {
            SslContextBuilder.forClient().trustManager(new File(file));
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException("has no certificate in PEM format: " + file, unusable);
        }
    }

    /** Returns the files that the settings name. */
    public Stream<Path> files() {
        return Stream.of(certificate, key, clientCa)
                .filter(name -> !name.isEmpty())
                .map(Path::of);
    }

    /** Returns whether the server uses TLS. */
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
        return "ServerTlsSettings[certificate=" + certificate + ", key=" + key + ", clientCa=" + clientCa + "]";
    }
}
