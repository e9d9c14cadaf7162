package io.iocluster.http;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Whom HTTPS calls trust, and who the node is to a target that asks. Files are in PEM. */
public record TlsSettings(
        @Setting(
                value = "\"\"",
                doc = "File of the authorities that the certificate of {peer} is trusted by; empty: the JVM's.")
        String ca,

        @Setting(
                value = "\"\"",
                doc = "File of the node's own certificate and its chain, shown to {peer} where it asks for one;"
                        + " empty: none.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of that certificate's private key, in PKCS 8.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "The password of the key.")
        String keyPassword) {

    public static final TlsSettings DEFAULTS = new TlsSettings("", "", "", "");

    public TlsSettings {
        new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set, for a certificate and its key go together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "is there without a key")
                .checkParses("ca", ca, TlsSettings::checkAuthorities)
                .throwIfInvalid();
        if (!certificate.isEmpty()) {
            checkIdentity(certificate, key, keyPassword);
        }
    }

    private static void checkAuthorities(String file) {
        if (!file.isEmpty()) {
            File authorities = readable(file);
            usable(
                    "holds no certificates in PEM: " + file,
                    () -> SslContextBuilder.forClient().trustManager(authorities));
        }
    }

    private static void checkIdentity(String certificate, String key, String password) {
        new SettingsValidator()
                .checkParses("key", key, TlsSettings::readable)
                .checkParses(
                        "certificate",
                        certificate,
                        file -> usable(
                                "does not go with its key, both in PEM: " + file,
                                () -> SslContextBuilder.forClient()
                                        .keyManager(
                                                readable(file), new File(key), password.isEmpty() ? null : password)))
                .throwIfInvalid();
    }

    private static void usable(String problem, Runnable attempt) {
        try {
            attempt.run();
        } catch (IllegalArgumentException broken) {
            throw new IllegalArgumentException(problem, broken);
        }
    }

    private static File readable(String file) {
        File found = new File(file);
        if (!found.canRead()) {
            throw new IllegalArgumentException("cannot be read: " + file);
        }
        return found;
    }

    /** The files that are named. */
    public Stream<Path> files() {
        return Stream.of(ca, certificate, key).filter(name -> !name.isEmpty()).map(Path::of);
    }

    /** Whether nothing is set. */
    public boolean isEmpty() {
        return equals(DEFAULTS);
    }

    /**
     * For connections to targets, whose name the client checks.
     *
     * @throws SSLException if the files hold nothing that can be used, or are gone
     */
    public SslContext newSslContext(boolean http2) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (!ca.isEmpty()) {
            builder.trustManager(new File(ca));
        }
        if (!certificate.isEmpty()) {
            builder.keyManager(new File(certificate), new File(key), keyPassword.isEmpty() ? null : keyPassword);
        }
        if (http2) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2,
                    ApplicationProtocolNames.HTTP_1_1));
        }
        return builder.build();
    }

    /**
     * For the JDK's clients, which check the server's name by themselves.
     *
     * @throws SSLException if the files hold nothing that can be used, or are gone
     */
    public SSLContext newJdkSslContext() throws SSLException {
        try {
            return ((JdkSslContext) newSslContext(false)).context();
        } catch (IllegalArgumentException broken) {
            throw new SSLException("the files of tls cannot be used", broken);
        }
    }

    @Override
    public String toString() {
        return "TlsSettings[ca=" + ca + ", certificate=" + certificate + ", key=" + key + ", keyPassword="
                + (keyPassword.isEmpty() ? "" : "***") + "]";
    }
}
