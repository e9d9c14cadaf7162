package io.iocluster.http.ahc;

import io.iocluster.http.TlsSettings;
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

/** An authority that no JVM knows, with a target's identity and a client's, and their files. */
final class TestCertificateAuthority {

    private final Path folder;
    private final X509Bundle authority;
    private final X509Bundle target;

    TestCertificateAuthority(Path folder) throws Exception {
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

    private static CertificateBuilder builder(String name) {
        return new CertificateBuilder().ecp256().subject(name);
    }

    X509Bundle target() {
        return target;
    }

    /** Trust in this authority alone. */
    TlsSettings trust() {
        return new TlsSettings(file("ca.pem"), "", "", "");
    }

    /** The same, and the client's identity. */
    TlsSettings identity() {
        return new TlsSettings(file("ca.pem"), file("node.pem"), file("node.key"), "");
    }

    String file(String name) {
        return folder.resolve(name).toString();
    }

    /** Sockets of the target. */
    ServerSocketFactory sockets() throws Exception {
        return context().getServerSocketFactory();
    }

    /** Sockets of the target that take nobody but whom the authority knows. */
    ServerSocketFactory choosySockets() throws Exception {
        ServerSocketFactory sockets = sockets();
        return new ServerSocketFactory() {
            @Override
            public SSLServerSocket createServerSocket(int port) throws IOException {
                return choosy(sockets.createServerSocket(port));
            }

            @Override
            public SSLServerSocket createServerSocket(int port, int backlog) throws IOException {
                return choosy(sockets.createServerSocket(port, backlog));
            }

            @Override
            public SSLServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
                return choosy(sockets.createServerSocket(port, backlog, address));
            }
        };
    }

    private static SSLServerSocket choosy(ServerSocket socket) {
        SSLServerSocket choosy = (SSLServerSocket) socket;
        choosy.setNeedClientAuth(true);
        return choosy;
    }

    private SSLContext context() throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                target.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                null);
        return tls;
    }
}
