package io.iocluster.node.admin.tls;

import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.TlsProvider;
import io.iocluster.node.config.AdminTlsSettings;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the certificate of the admin server from files. New connections use what the last {@link #reload} read. Thread-safe.
 */
public final class AdminCertificate implements TlsProvider {

    private static final Logger LOG = LoggerFactory.getLogger(AdminCertificate.class);

    private final AdminTlsSettings settings;
    private volatile TlsKeyPair current;

    /**
     * Reads the files.
     *
     * @throws IOException if they cannot be used; the message is for operators
     */
    public AdminCertificate(AdminTlsSettings settings) throws IOException {
        this.settings = settings;
        this.current = read();
    }

    /**
     * Reads the files again. Open connections keep their certificate. If the files cannot be used, logs a warning and keeps the
     * current certificate.
     *
     * @return whether the certificate has changed
     */
    public boolean reload() {
        try {
            TlsKeyPair read = read();
            if (read.equals(current)) {
                return false;
            }
            current = read;
            LOG.info(
                    "Certificate of the admin server reloaded file={} notAfter={}",
                    settings.certificate(),
                    read.certificateChain().get(0).getNotAfter().toInstant());
            return true;
        } catch (IOException unusable) {
            LOG.warn(
                    "Certificate of the admin server not reloaded; the server keeps the old one error={}",
                    unusable.getMessage());
            return false;
        }
    }

    private TlsKeyPair read() throws IOException {
        try {
            TlsKeyPair pair = TlsKeyPair.of(
                    new File(settings.key()),
                    settings.keyPassword().isEmpty() ? null : settings.keyPassword(),
                    new File(settings.certificate()));
            if (!isPair(pair.privateKey(), pair.certificateChain().get(0))) {
                throw new IOException("admin.tls.certificate does not match admin.tls.key: " + settings.certificate());
            }
            return pair;
        } catch (IllegalArgumentException | GeneralSecurityException unusable) {
            throw new IOException(
                    "admin.tls.certificate or admin.tls.key cannot be used; both must be in PEM format: "
                            + settings.certificate(),
                    unusable);
        }
    }

    /** Returns whether the key belongs to the certificate. Without this check, only the first handshake would fail. */
    private static boolean isPair(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String type = certificate.getPublicKey().getAlgorithm();
        String algorithm = switch (type) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> type;
        };
        // Armeria's elliptic-curve keys name the algorithm ECDSA, which the JDK's Signature does not accept.
        PrivateKey ours = KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
        byte[] message = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(ours);
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(message);
        return signature.verify(signed);
    }

    @Override
    public TlsKeyPair keyPair(String hostname) {
        return current;
    }
}
