package io.iocluster.http.client.fuzz;

import io.iocluster.http.client.server.Http2Target;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS without encryption, because handshakes would take most of a fuzzer's time. It keeps what a client depends on: records, a
 * handshake that selects the protocol, and close_notify.
 */
final class PlainTls {

    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int DATA = 23;
    static final int RECORD_HEADER = 5;
    static final int MAX_CONTENT = 16 * 1024;
    static final byte[] CLOSE_NOTIFY = {1, 0};
    static final byte[] HTTP1_HELLO = {1};
    static final byte[] HTTP2_HELLO = {2};

    private PlainTls() {}

    /** Returns the client's side, which selects HTTP/2, if it is wanted and offered, or HTTP/1.1. */
    static SslContext client(boolean http2) {
        return new JdkSslContext(
                new Context(http2 ? ApplicationProtocolNames.HTTP_2 : ApplicationProtocolNames.HTTP_1_1),
                true,
                null,
                IdentityCipherSuiteFilter.INSTANCE,
                Http2Target.ALPN,
                ClientAuth.NONE);
    }

    /** Returns the records that carry the content. */
    static byte[] records(int type, byte[] content) {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int start = 0; start < content.length; start += MAX_CONTENT) {
            int length = Math.min(MAX_CONTENT, content.length - start);
            records.writeBytes(new byte[] {(byte) type, 3, 3, (byte) (length >> 8), (byte) length});
            records.write(content, start, length);
        }
        return records.toByteArray();
    }

    private static final class Context extends SSLContext {

        Context(String protocol) {
            super(new Spi(protocol), new Provider("plain", "1", "TLS without encryption") {}, "TLS");
        }
    }

    /** Creates engines without encryption, and takes everything else from the JDK. */
    private static final class Spi extends SSLContextSpi {

        private final String protocol;
        private final SSLContext jdk;

        Spi(String protocol) {
            this.protocol = protocol;
            try {
                jdk = SSLContext.getInstance("TLS");
                jdk.init(null, null, null);
            } catch (NoSuchAlgorithmException | KeyManagementException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {}

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return new PlainTlsEngine(jdk.createSSLEngine(), protocol);
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return new PlainTlsEngine(jdk.createSSLEngine(host, port), protocol);
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return jdk.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return jdk.getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            return jdk.getDefaultSSLParameters();
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return jdk.getSupportedSSLParameters();
        }
    }
}
