package io.iocluster.rabbit.connection;

import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import javax.net.ssl.SSLContext;

/** TLS as the settings want it. The files are read anew each time, so that a renewed certificate needs no restart. */
public final class TlsContexts {

    private final RabbitTlsSettings settings;

    public TlsContexts(RabbitTlsSettings settings) {
        this.settings = settings;
    }

    /** For a connection to the broker. */
    SslContext nettyContext() throws IOException {
        return context(settings.verifyHostname() ? "HTTPS" : null);
    }

    /** For the JDK's HTTP client, which verifies the host's name by itself. */
    public SSLContext jdkContext() throws IOException {
        return ((JdkSslContext) context(null)).context();
    }

    private SslContext context(String hostnameRule) throws IOException {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .endpointIdentificationAlgorithm(hostnameRule);
            if (!settings.ca().isEmpty()) {
                builder.trustManager(new File(settings.ca()));
            }
            if (!settings.certificate().isEmpty()) {
                String password = settings.keyPassword().isEmpty() ? null : settings.keyPassword();
                builder.keyManager(new File(settings.certificate()), new File(settings.key()), password);
            }
            return builder.build();
        } catch (IllegalArgumentException broken) {
            throw new IOException("the files of rabbit.tls cannot be used: " + FailureText.of(broken), broken);
        }
    }
}
