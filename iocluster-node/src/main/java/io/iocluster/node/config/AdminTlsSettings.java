package io.iocluster.node.config;

import io.iocluster.door.config.ServerTlsSettings;
import io.iocluster.settings.Setting;
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
        new ServerTlsSettings(certificate, key, keyPassword, "");
    }

    /** Returns the same settings for a listener, whose clients need no certificate. */
    public ServerTlsSettings server() {
        return new ServerTlsSettings(certificate, key, keyPassword, "");
    }

    /** Returns the files that the settings name. */
    public Stream<Path> files() {
        return Stream.of(certificate, key).filter(name -> !name.isEmpty()).map(Path::of);
    }

    /** Returns whether the server uses TLS. */
    public boolean isEnabled() {
        return !certificate.isEmpty();
    }

    /** Returns the scheme of the server's URLs. */
    public String scheme() {
        return isEnabled() ? "https" : "http";
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "AdminTlsSettings[certificate=" + certificate + ", key=" + key + "]";
    }
}
