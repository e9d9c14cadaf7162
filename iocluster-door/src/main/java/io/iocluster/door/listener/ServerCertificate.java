package io.iocluster.door.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.common.TlsKeyPair;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.CertificateUtils;
import io.iocluster.door.config.ServerTlsSettings;
import io.iocluster.settings.FileDigests;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of a server and the authorities of its callers, from files. All listeners of the server use it. They check new
 * connections with what the last {@link #reload} read. Thread-safe.
 */
public final class ServerCertificate {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);

    /** A caller can resume a session without its certificate being checked again. The JDK would allow it for a day. */
    private static final int SESSION_SECONDS = 300;

    private final String server;
    private final String section;
    private final ServerTlsSettings settings;
    private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
    private final AdvancedTlsX509TrustManager callers;
    private volatile TlsKeyPair pair;

    @GuardedBy("this")
    private FileDigests lastRead;

    private ServerCertificate(String server, String section, ServerTlsSettings settings) throws IOException {
        this.server = server;
        this.section = section;
        this.settings = settings;
        try {
            callers = AdvancedTlsX509TrustManager.newBuilder().build();
        } catch (CertificateException impossible) {
            throw new IllegalStateException("the builder only refuses to skip the verification", impossible);
        }
        readIfChanged();
    }

    /**
     * Reads the files.
     *
     * @param server the server's name in the log
     * @param section the section of the settings, for messages
     * @return empty if the server uses no TLS
     * @throws IOException if the files cannot be used; the message is for operators
     */
    public static Optional<ServerCertificate> read(String server, String section, ServerTlsSettings settings)
            throws IOException {
        return settings.isEnabled() ? Optional.of(new ServerCertificate(server, section, settings)) : Optional.empty();
    }

    /**
     * Reads the files again. Open connections keep their certificate. If the files cannot be used, logs a warning and keeps the current
     * content.
     *
     * @return whether the content has changed
     */
    public boolean reload() {
        try {
            if (!readIfChanged()) {
                return false;
            }
            LOG.info(
                    "Certificate of the {} reloaded file={} notAfter={}",
                    server,
                    settings.certificate(),
                    pair.certificateChain().get(0).getNotAfter().toInstant());
            return true;
        } catch (IOException unusable) {
            LOG.warn(
                    "Certificate of the {} not reloaded; the server keeps the old one error={}",
                    server,
                    unusable.getMessage());
            return false;
        }
    }

    /** Returns a builder for the TLS of a listener. */
    public SslContextBuilder newContext() {
        return configure(SslContextBuilder.forServer(identity));
    }

    /** Makes a context use this certificate and these authorities, also after a {@link #reload}. */
    SslContextBuilder configure(SslContextBuilder context) {
        context.keyManager(identity).sessionTimeout(SESSION_SECONDS);
        if (settings.requiresClientCertificate()) {
            // Probes have no certificate. The access control requires one for all other requests.
            context.trustManager(callers).clientAuth(ClientAuth.OPTIONAL);
        }
        return context;
    }

    TlsKeyPair pair() {
        return pair;
    }

    private synchronized boolean readIfChanged() throws IOException {
        FileDigests now = FileDigests.read(settings.files().toList());
        if (now.equals(lastRead)) {
            return false;
        }
        try {
            TlsKeyPair read = readPair();
            if (settings.requiresClientCertificate()) {
                try (InputStream authorities = Files.newInputStream(Path.of(settings.clientCa()))) {
                    callers.updateTrustCredentials(CertificateUtils.getX509Certificates(authorities));
                }
            }
            identity.updateIdentityCredentials(
                    read.certificateChain().toArray(X509Certificate[]::new), read.privateKey());
            pair = read;
        } catch (IllegalArgumentException | GeneralSecurityException unusable) {
            throw new IOException(
                    section + " has a file that cannot be used; all must be in PEM format: " + settings.certificate(),
                    unusable);
        }
        lastRead = now;
        return true;
    }

    private TlsKeyPair readPair() throws IOException, GeneralSecurityException {
        String password = settings.keyPassword().isEmpty() ? null : settings.keyPassword();
        TlsKeyPair read = TlsKeyPair.of(new File(settings.key()), password, new File(settings.certificate()));
        X509Certificate certificate = read.certificateChain().get(0);
        String type = certificate.getPublicKey().getAlgorithm();
        // Armeria's elliptic-curve keys name the algorithm ECDSA, which the JDK does not know.
        PrivateKey key = KeyFactory.getInstance(type)
                .generatePrivate(new PKCS8EncodedKeySpec(read.privateKey().getEncoded()));
        if (!isPair(key, certificate, type)) {
            throw new IOException(
                    section + ".certificate does not match " + section + ".key: " + settings.certificate());
        }
        return TlsKeyPair.of(key, read.certificateChain());
    }

    /** Returns whether the key belongs to the certificate. Without this check, only the first handshake would fail. */
    private static boolean isPair(PrivateKey key, X509Certificate certificate, String type)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (type) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> type;
                });
        byte[] message = {1, 2, 3};
        signature.initSign(key);
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(message);
        return signature.verify(signed);
    }
}
