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
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/** Private certificate authority with certificates for a target and a client, and their files. */
public final class TestCertificateAuthority {

    private final Path folder;
    private final X509Bundle authority;
    private final X509Bundle target;
    private X509Bundle rsaTarget;
    private SSLContext context;

    /** Creates an authority whose files are deleted when the JVM ends. */
    public static TestCertificateAuthority create() {
        try {
            Path folder = Files.createTempDirectory("authority");
            folder.toFile().deleteOnExit();
            TestCertificateAuthority created = new TestCertificateAuthority(folder);
            List.of("ca.pem", "node.pem", "node.key")
                    .forEach(file -> folder.resolve(file).toFile().deleteOnExit());
            return created;
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

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
    public SslContext clientContext() {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(authority.toTrustManagerFactory())
                    .applicationProtocolConfig(Http2Target.ALPN)
                    .build();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
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
        return sockets(target, socket -> socket.setNeedClientAuth(true));
    }

    /** Returns server sockets of the target that agree on keys with this named group of TLS only. */
    public ServerSocketFactory socketsWithGroup(String group) throws Exception {
        return sockets(rsaTarget(), socket -> {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setAlgorithmConstraints(new OneGroup(group));
            socket.setSSLParameters(parameters);
        });
    }

    /** Returns a certificate whose key belongs to no group, unlike that of the usual one. Its key takes long to create. */
    private synchronized X509Bundle rsaTarget() throws Exception {
        if (rsaTarget == null) {
            rsaTarget = issue(builder("CN=target").rsa2048().addSanIpAddress("127.0.0.1"));
        }
        return rsaTarget;
    }

    private ServerSocketFactory sockets(X509Bundle certificate, Consumer<SSLServerSocket> setUp) throws Exception {
        ServerSocketFactory sockets = context(certificate).getServerSocketFactory();
        return new ServerSocketFactory() {
            @Override
            public ServerSocket createServerSocket(int port) throws IOException {
                return with(sockets.createServerSocket(port));
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog) throws IOException {
                return with(sockets.createServerSocket(port, backlog));
            }

            @Override
            public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
                return with(sockets.createServerSocket(port, backlog, address));
            }

            private ServerSocket with(ServerSocket socket) {
                setUp.accept((SSLServerSocket) socket);
                return socket;
            }
        };
    }

    /** Refuses the other groups that the JDK knows. */
    private record OneGroup(String group) implements AlgorithmConstraints {

        private static final Pattern GROUP =
                Pattern.compile("ffdhe\\d+|secp\\d+r1|x25519|x448", Pattern.CASE_INSENSITIVE);

        @Override
        public boolean permits(Set<CryptoPrimitive> uses, String algorithm, AlgorithmParameters parameters) {
            return algorithm.equalsIgnoreCase(group)
                    || !uses.contains(CryptoPrimitive.KEY_AGREEMENT)
                    || !GROUP.matcher(algorithm).matches();
        }

        @Override
        public boolean permits(Set<CryptoPrimitive> uses, Key key) {
            return true;
        }

        @Override
        public boolean permits(Set<CryptoPrimitive> uses, String algorithm, Key key, AlgorithmParameters parameters) {
            return true;
        }
    }

    /** Returns the context of the target. */
    public synchronized SSLContext context() {
        if (context == null) {
            try {
                context = context(target);
            } catch (Exception unusable) {
                throw new IllegalStateException(unusable);
            }
        }
        return context;
    }

    private SSLContext context(X509Bundle certificate) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                certificate.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                null);
        return tls;
    }
}
