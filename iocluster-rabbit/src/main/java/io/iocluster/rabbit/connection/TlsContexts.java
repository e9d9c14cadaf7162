package io.iocluster.rabbit.connection;

import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.SettingsValidator;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** Builds TLS contexts. Immutable. Reads the files each time, so that a renewed certificate needs no restart. */
public final class TlsContexts {

    private final RabbitTlsSettings settings;

    public TlsContexts(RabbitTlsSettings settings) {
        this.settings = settings;
    }

    /** Returns a context for connections to the broker. */
    SslContext nettyContext() throws IOException {
        return context(settings.verifyHostname() ? "HTTPS" : null);
    }

    /** Returns a context for the JDK's HTTP client, which itself verifies the host name. */
    public SSLContext jdkContext() throws IOException {
        return ((JdkSslContext) context(null)).context();
    }

    /**
     * Verifies that a context can be built.
     *
     * @throws InvalidSettingsException if not; names each file that cannot be used, relative to {@code rabbit}
     */
    public void requireUsable() {
        SettingsValidator validator = new SettingsValidator();
        check(validator, "tls.ca", settings.ca(), this::trustAuthority, "it must hold certificates in PEM");
        check(
                validator,
                "tls.key",
                settings.key(),
                this::presentCertificate,
                "certificate and key must be in PEM, the key in PKCS 8 (openssl pkcs8 -topk8 converts it), and"
                        + " key-password must be set if and only if it is encrypted");
        validator.throwIfInvalid();
    }

    private static void check(
            SettingsValidator validator,
            String setting,
            String file,
            Consumer<SslContextBuilder> load,
            String requirement) {
        try {
            load.accept(SslContextBuilder.forClient());
        } catch (IllegalArgumentException broken) {
            validator.check(
                    false, setting, "cannot be used: " + file + ": " + FailureText.of(broken) + "; " + requirement);
        }
    }

    private void trustAuthority(SslContextBuilder builder) {
        if (!settings.ca().isEmpty()) {
            builder.trustManager(new File(settings.ca()));
        }
    }

    private void presentCertificate(SslContextBuilder builder) {
        if (!settings.certificate().isEmpty()) {
            String password = settings.keyPassword().isEmpty() ? null : settings.keyPassword();
            builder.keyManager(new File(settings.certificate()), new File(settings.key()), password);
        }
    }

    private SslContext context(String endpointIdentification) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .endpointIdentificationAlgorithm(endpointIdentification);
            trustAuthority(builder);
            presentCertificate(builder);
            return builder.build();
        } catch (IllegalArgumentException broken) {
            throw new IOException(
                    "rabbit.tls: a certificate or key file is not usable: " + FailureText.of(broken), broken);
        }
    }
}
