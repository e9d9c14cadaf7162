package io.iocluster.door.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.linecorp.armeria.common.TlsKeyPair;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.CertificateUtils;
import io.iocluster.door.config.ServerTlsSettings;
import io.iocluster.http.CertificateFiles;
import io.iocluster.settings.FileDigests;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of a server and the authorities of its callers, from files. All listeners of the server use it. They check new
 * connections with what the last {@link #reload} read. Thread-safe.
 */
public final class ServerCertificate {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);

    /** Key of the generation whose authorities have verified a session. */
    private static final String VERIFIED = "iocluster.verified";

    private final String server;
    private final String section;
    private final ServerTlsSettings settings;
    private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
    private final AdvancedTlsX509TrustManager callers;
    private volatile TlsKeyPair pair;
    /** Verifies a certificate outside of a handshake, which {@link #callers} refuses; null if callers need none. */
    private volatile X509TrustManager authorities;
    /** Counts the contents of the files. */
    private volatile int generation;

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
        context.keyManager(identity);
        if (settings.requiresClientCertificate()) {
            // Probes have no certificate. The access control requires one for all other requests.
            context.trustManager(callers).clientAuth(ClientAuth.OPTIONAL);
        }
        return context;
    }

    /**
     * Returns the certificate of a caller; null if there is none, if it has expired, or if the current authorities do not trust it. TLS does
     * not verify it again when the caller resumes a session, and a caller can resume its last session for ever.
     */
    public X509Certificate trustedCertificate(SSLSession session) {
        Integer verified = generation;
        try {
            Certificate[] peer = session.getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(peer, peer.length, X509Certificate[].class);
            chain[0].checkValidity();
            if (!verified.equals(session.getValue(VERIFIED))) {
                authorities.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
                session.putValue(VERIFIED, verified);
            }
            return chain[0];
        } catch (CertificateException | SSLPeerUnverifiedException | ArrayStoreException untrusted) {
            return null;
        }
    }

    private static X509TrustManager authorities(X509Certificate[] trusted)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < trusted.length; i++) {
            store.setCertificateEntry(Integer.toString(i), trusted[i]);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
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
            CertificateFiles read =
                    CertificateFiles.read(settings.certificate(), settings.key(), settings.keyPassword());
            if (settings.requiresClientCertificate()) {
                try (InputStream file = Files.newInputStream(Path.of(settings.clientCa()))) {
                    X509Certificate[] trusted = CertificateUtils.getX509Certificates(file);
                    callers.updateTrustCredentials(trusted);
                    authorities = authorities(trusted);
                }
            }
            identity.updateIdentityCredentials(read.chain().toArray(X509Certificate[]::new), read.key());
            pair = TlsKeyPair.of(read.key(), read.chain());
        } catch (IllegalArgumentException | GeneralSecurityException unusable) {
            throw new IOException(section + " cannot be used: " + unusable.getMessage(), unusable);
        }
        generation++;
        lastRead = now;
        return true;
    }
}
