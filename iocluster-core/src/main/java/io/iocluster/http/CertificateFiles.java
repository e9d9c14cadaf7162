package io.iocluster.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.KeySpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A certificate with its chain, and its key, from PEM files.
 *
 * @param chain the certificate first
 */
public record CertificateFiles(List<X509Certificate> chain, PrivateKey key) {

    private static final Pattern KEY = Pattern.compile(
            "-----BEGIN (ENCRYPTED )?PRIVATE KEY-----\\s+([A-Za-z0-9+/=\\s]+)-----END (ENCRYPTED )?PRIVATE KEY-----");

    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");

    /** Algorithm of the form PBES2 (RFC 8018), whose parameters name the cipher. */
    private static final String PBES2 = "1.2.840.113549.1.5.13";

    /**
     * Reads the files.
     *
     * @param password of the key; empty for none
     * @throws IllegalArgumentException if a file cannot be used, or if the key is not that of the certificate. Without this check, only the
     *     first handshake would fail
     */
    public static CertificateFiles read(String certificate, String key, String password) {
        List<X509Certificate> chain;
        KeySpec spec;
        try {
            chain = certificates(read(certificate));
            spec = keySpec(read(key), password);
        } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
            throw new IllegalArgumentException(
                    "cannot be used with its key; both must be in PEM format: " + certificate, unusable);
        }
        if (chain.isEmpty() || spec == null) {
            throw new IllegalArgumentException(
                    "cannot be used with its key; both must be in PEM format: " + certificate);
        }
        PublicKey ofCertificate = chain.get(0).getPublicKey();
        try {
            PrivateKey read =
                    KeyFactory.getInstance(ofCertificate.getAlgorithm()).generatePrivate(spec);
            if (isPair(read, ofCertificate)) {
                return new CertificateFiles(chain, read);
            }
        } catch (GeneralSecurityException other) {
            throw new IllegalArgumentException("does not match its key: " + certificate, other);
        }
        throw new IllegalArgumentException("does not match its key: " + certificate);
    }

    /** Comments between the blocks may be in any encoding. */
    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
    }

    /** Ignores other blocks, because one file may hold the key too. */
    private static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        String blocks =
                CERTIFICATE.matcher(pem).results().map(MatchResult::group).collect(Collectors.joining("\n"));
        byte[] content = blocks.getBytes(StandardCharsets.ISO_8859_1);
        return CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content)).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    /** Returns null if the text has no key in PKCS #8 form. */
    private static KeySpec keySpec(String pem, String password) throws IOException, GeneralSecurityException {
        Matcher key = KEY.matcher(pem);
        if (!key.find()) {
            return null;
        }
        byte[] der = Base64.getMimeDecoder().decode(key.group(2));
        if (key.group(1) == null) {
            return new PKCS8EncodedKeySpec(der);
        }
        EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(der);
        AlgorithmParameters parameters = encrypted.getAlgParameters();
        boolean named =
                encrypted.getAlgName().equals(PBES2) || encrypted.getAlgName().equals("PBES2");
        String algorithm = named ? parameters.toString() : encrypted.getAlgName();
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                parameters);
        return encrypted.getKeySpec(cipher);
    }

    private static boolean isPair(PrivateKey key, PublicKey ofCertificate) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (ofCertificate.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> ofCertificate.getAlgorithm();
                });
        if (ofCertificate.getAlgorithm().equals("RSASSA-PSS")) {
            signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        }
        byte[] message = {1, 2, 3};
        signature.initSign(key);
        signature.update(message);
        byte[] signed = signature.sign();
        signature.initVerify(ofCertificate);
        signature.update(message);
        return signature.verify(signed);
    }
}
