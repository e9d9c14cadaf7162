package io.iocluster.rabbit.connection;

import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
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

    private SslContext context(String endpointIdentification) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .endpointIdentificationAlgorithm(endpointIdentification);
            if (!settings.ca().isEmpty()) {
                builder.trustManager(new File(settings.ca()));
            }
            if (!settings.certificate().isEmpty()) {
                String password = settings.keyPassword().isEmpty() ? null : settings.keyPassword();
                builder.keyManager(new File(settings.certificate()), new File(settings.key()), password);
            }
            return builder.build();
        } catch (IllegalArgumentException broken) {
            throw new IOException(
                    "rabbit.tls: a certificate or key file is not usable: " + FailureText.of(broken), broken);
        }
    }
}
