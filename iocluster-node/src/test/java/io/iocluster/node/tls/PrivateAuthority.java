package io.iocluster.node.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** An authority for servers on 127.0.0.1 and their callers, with a client that trusts only it. */
public final class PrivateAuthority {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final X509Bundle bundle;

    public PrivateAuthority(String subject) throws Exception {
        bundle = builder(subject).setIsCertificateAuthority(true).buildSelfSigned();
    }

    private static CertificateBuilder builder(String subject) {
        return new CertificateBuilder().ecp256().subject(subject);
    }

    public X509Bundle bundle() {
        return bundle;
    }

    /** Returns a certificate for a caller, or for a server on 127.0.0.1. */
    public X509Bundle issue(String subject) throws Exception {
        return builder(subject).addSanIpAddress("127.0.0.1").buildIssuedBy(bundle);
    }

    /** Writes a new certificate and its key to {@code NAME.pem} and {@code NAME.key}. */
    public void issueTo(Path folder, String name, String subject) throws Exception {
        X509Bundle issued = issue(subject);
        write(folder.resolve(name + ".pem"), issued.getCertificatePathPEM());
        write(folder.resolve(name + ".key"), issued.getPrivateKeyPEM());
    }

    /** Writes the files of a door whose callers need a certificate of this authority. Returns its key {@code tls} in YAML flow style. */
    public String doorTls(Path folder, String subject) throws Exception {
        issueTo(folder, "door", subject);
        writeTo(folder.resolve("ca.pem"));
        return "tls: {certificate: '%1$s/door.pem', key: '%1$s/door.key', client-ca: '%1$s/ca.pem'}".formatted(folder);
    }

    /** Writes the certificate of the authority. */
    public void writeTo(Path file) throws IOException {
        write(file, bundle.getCertificatePEM());
    }

    /** Writes a file in one step, because a server may read it at any time. */
    public static void write(Path file, String content) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns a context that presents a certificate and trusts only this authority. */
    public SSLContext context(X509Bundle identity) throws Exception {
        return context(identity.toKeyManagerFactory().getKeyManagers());
    }

    /** Returns a context that trusts only this authority; null for no certificate. */
    public SSLContext context(KeyManager[] identity) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(identity, bundle.toTrustManagerFactory().getTrustManagers(), null);
        return tls;
    }

    /** Returns the subject of the certificate that a server on this port presents now. */
    public String subjectAt(int port) throws Exception {
        try (SSLSocket socket = connect(port)) {
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    /** Returns whether a server on this port asks for the certificate of this caller, and accepts it. */
    public boolean accepts(int port, X509Bundle caller) throws Exception {
        try (SSLSocket socket = connect(port, caller.toKeyManagerFactory().getKeyManagers(), "TLSv1.2")) {
            return socket.getSession().getLocalCertificates() != null;
        }
    }

    /** Returns a connection, after its handshake. Verifies the address in the certificate. */
    public SSLSocket connect(int port) throws Exception {
        return connect(port, null, "TLSv1.2", "TLSv1.3");
    }

    private SSLSocket connect(int port, KeyManager[] caller, String... versions) throws Exception {
        SSLSocket socket = (SSLSocket) context(caller).getSocketFactory().createSocket("127.0.0.1", port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(versions);
        socket.setSSLParameters(parameters);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.startHandshake();
        return socket;
    }
}
