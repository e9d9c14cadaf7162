package io.iocluster.node.egress;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** Valid and invalid certificates of one authority, and a trust store with the authority. */
final class Certificates {

    static final String PASSWORD = "changeit";

    private final X509Bundle authority;

    Certificates() throws Exception {
        authority = builder("CN=test authority").setIsCertificateAuthority(true).buildSelfSigned();
    }

    ServerSocketFactory good(String address) throws Exception {
        return sockets(builder("CN=target").addSanIpAddress(address).buildIssuedBy(authority));
    }

    ServerSocketFactory expired(String address) throws Exception {
        return sockets(builder("CN=target")
                .addSanIpAddress(address)
                .notBefore(Instant.now().minus(Duration.ofDays(9)))
                .notAfter(Instant.now().minus(Duration.ofDays(1)))
                .buildIssuedBy(authority));
    }

    ServerSocketFactory ofAnotherHost() throws Exception {
        return sockets(builder("CN=target").addSanDnsName("other.example").buildIssuedBy(authority));
    }

    ServerSocketFactory selfSigned(String address) throws Exception {
        return sockets(builder("CN=target")
                .addSanIpAddress(address)
                .setIsCertificateAuthority(true)
                .buildSelfSigned());
    }

    private static CertificateBuilder builder(String subject) {
        return new CertificateBuilder().ecp256().subject(subject);
    }

    private static ServerSocketFactory sockets(X509Bundle identity) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(identity.toKeyManagerFactory().getKeyManagers(), null, null);
        return tls.getServerSocketFactory();
    }

    /** Writes a trust store that contains the authority. */
    Path trustStore(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("authority", authority.getCertificate());
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return file;
    }
}
