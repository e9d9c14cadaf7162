package io.iocluster.http.client.server;

import io.iocluster.http.TlsSettings;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Private certificate authority with certificates for a target and a client, and their files. */
public final class TestCertificateAuthority {

    private final Path folder;
    private final X509Bundle authority;
    private final X509Bundle target;

    public TestCertificateAuthority(Path folder) throws Exception {
        this.folder = folder;
        authority =
                builder("CN=private authority").setIsCertificateAuthority(true).buildSelfSigned();
        target = builder("CN=target")
                .addSanIpAddress("127.0.0.1")
                .addSanDnsName("target.invalid")
                .buildIssuedBy(authority);
        X509Bundle client = builder("CN=node").buildIssuedBy(authority);
        Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM());
        Files.writeString(folder.resolve("node.pem"), client.getCertificatePathPEM());
        Files.writeString(folder.resolve("node.key"), client.getPrivateKeyPEM());
    }

    /** Returns a builder of a certificate, such as {@code CN=target}, for {@link #issue}. */
    public static CertificateBuilder builder(String subject) {
        return new CertificateBuilder().ecp256().subject(subject);
    }

    /** Issues another certificate. */
    public X509Bundle issue(CertificateBuilder certificate) throws Exception {
        return certificate.buildIssuedBy(authority);
    }

    public X509Bundle target() {
        return target;
    }

    /** Returns a client's context that trusts only this authority and offers HTTP/2. */
    public SslContext clientContext() throws Exception {
        return SslContextBuilder.forClient()
                .trustManager(authority.toTrustManagerFactory())
                .applicationProtocolConfig(Http2Target.ALPN)
                .build();
    }

    /** Returns settings that trust only this authority. */
    public TlsSettings trust() {
        return new TlsSettings(file("ca.pem"), "", "", "");
    }

    /** Returns the settings of {@link #trust} with the client's certificate. */
    public TlsSettings identity() {
        return new TlsSettings(file("ca.pem"), file("node.pem"), file("node.key"), "");
    }

    public String file(String name) {
        return folder.resolve(name).toString();
    }

    /** Returns server sockets of the target. */
    public ServerSocketFactory sockets() throws Exception {
        return context().getServerSocketFactory();
    }

    /** Returns server sockets of the target that require a client certificate of this authority. */
    public ServerSocketFactory socketsWithClientAuth() throws Exception {
        ServerSocketFactory sockets = sockets();
        return new ServerSocketFactory() {
            @Override
            public SSLServerSocket createServerSocket(int port) throws IOException {
                return withClientAuth(sockets.createServerSocket(port));
            }

            @Override
            public SSLServerSocket createServerSocket(int port, int backlog) throws IOException {
                return withClientAuth(sockets.createServerSocket(port, backlog));
            }

            @Override
            public SSLServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
                return withClientAuth(sockets.createServerSocket(port, backlog, address));
            }
        };
    }

    private static SSLServerSocket withClientAuth(ServerSocket socket) {
        SSLServerSocket tlsSocket = (SSLServerSocket) socket;
        tlsSocket.setNeedClientAuth(true);
        return tlsSocket;
    }

    /** Returns the context of the target. */
    public SSLContext context() throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                target.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                null);
        return tls;
    }
}
