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

/** Configures trusted authorities and the client certificate. Files are in PEM format. */
public record TlsSettings(
        @Setting(
                value = "\"\"",
                doc = "File of the certificate authorities that the node trusts for {peer}. Empty: those of the JVM.")
        String ca,

        @Setting(
                value = "\"\"",
                doc = "File of the client certificate and its chain, sent to {peer} if it asks for one. Empty:"
                        + " none.")
        String certificate,

        @Setting(value = "\"\"", doc = "File of the certificate's private key in PKCS #8 format.")
        String key,

        @Setting(value = "\"\"", secret = true, doc = "Password of the private key.")
        String keyPassword) {

    public static final TlsSettings DEFAULTS = new TlsSettings("", "", "", "");

    /**
     * Maximum TLS sessions that a context keeps for new connections. A target chooses how many it offers and how large they are, up to 32 KiB
     * each. With the JDK's default of 20,480, one target could fill 640 MiB.
     */
    private static final int MAX_SESSIONS = 1_000;

    public TlsSettings {
        new SettingsValidator()
                .check(
                        certificate.isEmpty() == key.isEmpty(),
                        certificate.isEmpty() ? "certificate" : "key",
                        "must be set: certificate and key are configured together")
                .check(!key.isEmpty() || keyPassword.isEmpty(), "key-password", "must not be set without key")
                .checkParses("ca", ca, TlsSettings::checkAuthorities)
                .throwIfInvalid();
        if (!certificate.isEmpty()) {
            checkIdentity(certificate, key, keyPassword);
        }
    }

    private static void checkAuthorities(String file) {
        if (!file.isEmpty()) {
            File authorities = requireReadable(file);
            requireUsable(
                    "has no certificate in PEM format: " + file,
                    () -> SslContextBuilder.forClient().trustManager(authorities));
        }
    }

    private static void checkIdentity(String certificate, String key, String password) {
        new SettingsValidator()
                .checkParses("key", key, TlsSettings::requireReadable)
                .checkParses(
                        "certificate",
                        certificate,
                        file -> requireUsable(
                                "does not match its key, or one of them is not in PEM format: " + file,
                                () -> CertificateFiles.read(
                                        requireReadable(file).getPath(), key, password)))
                .throwIfInvalid();
    }

    private static void requireUsable(String problem, Runnable attempt) {
        try {
            attempt.run();
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(problem, invalid);
        }
    }

    private static File requireReadable(String file) {
        File candidate = new File(file);
        if (!candidate.canRead()) {
            throw new IllegalArgumentException("cannot be read: " + file);
        }
        return candidate;
    }

    /** Returns the files that the settings name. */
    public Stream<Path> files() {
        return Stream.of(ca, certificate, key).filter(name -> !name.isEmpty()).map(Path::of);
    }

    /** Returns whether no key is set. */
    public boolean isEmpty() {
        return equals(DEFAULTS);
    }

    /**
     * Returns a context for connections to targets. The HTTP client verifies the host name.
     *
     * @throws SSLException if a file is missing or not usable
     */
    public SslContext newSslContext(boolean http2) throws SSLException {
        SslContextBuilder builder =
                SslContextBuilder.forClient().sslProvider(SslProvider.JDK).sessionCacheSize(MAX_SESSIONS);
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
     * Returns a context for the JDK's clients, which verify the host name themselves.
     *
     * @throws SSLException if a file is missing or not usable
     */
    public SSLContext newJdkSslContext() throws SSLException {
        try {
            return ((JdkSslContext) newSslContext(false)).context();
        } catch (IllegalArgumentException invalid) {
            throw new SSLException("TLS files cannot be used", invalid);
        }
    }

    @Override
    public String toString() {
        return "TlsSettings[ca=" + ca + ", certificate=" + certificate + ", key=" + key + ", keyPassword="
                + (keyPassword.isEmpty() ? "" : "***") + "]";
    }
}
