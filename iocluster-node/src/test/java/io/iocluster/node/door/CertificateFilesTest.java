package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.http.CertificateFiles;
import io.iocluster.node.tls.PrivateAuthority;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.PrivateKey;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertificateFilesTest {

    private static final String PBE = "PBEWithHmacSHA256AndAES_128";

    @TempDir
    private Path folder;

    private String certificate;
    private String key;

    @BeforeEach
    void name() {
        certificate = folder.resolve("a.pem").toString();
        key = folder.resolve("a.key").toString();
    }

    @ParameterizedTest
    @EnumSource(
            value = CertificateBuilder.Algorithm.class,
            names = {"ecp256", "ecp384", "rsa2048", "ed25519"})
    void readsACertificateAndItsKey(CertificateBuilder.Algorithm algorithm) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .algorithm(algorithm)
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        PrivateAuthority.write(Path.of(certificate), bundle.getCertificatePathPEM());
        PrivateAuthority.write(Path.of(key), bundle.getPrivateKeyPEM());

        assertThat(CertificateFiles.read(certificate, key, "").chain()).containsExactly(bundle.getCertificate());
    }

    @Test
    void readsOneFileWithKeyAndCertificateAndComments() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        String pem = "Propriétaire: a\n" + bundle.getPrivateKeyPEM() + "\n" + bundle.getCertificatePathPEM();
        Files.writeString(Path.of(certificate), pem, StandardCharsets.ISO_8859_1);

        assertThat(CertificateFiles.read(certificate, certificate, "").chain())
                .containsExactly(bundle.getCertificate());
    }

    @Test
    void readsAnEncryptedKey() throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .ecp256()
                .subject("CN=a")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        PrivateAuthority.write(Path.of(certificate), bundle.getCertificatePathPEM());
        Files.writeString(Path.of(key), encrypted(bundle.getKeyPair().getPrivate(), "s3cr3t"));

        assertThat(CertificateFiles.read(certificate, key, "s3cr3t").key())
                .isEqualTo(bundle.getKeyPair().getPrivate());
        assertThatThrownBy(() -> CertificateFiles.read(certificate, key, "wrong"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cannot be used with its key");
    }

    @Test
    void refusesAKeyOfAnotherAlgorithm() throws Exception {
        PrivateAuthority.write(
                Path.of(certificate),
                new CertificateBuilder()
                        .rsa2048()
                        .subject("CN=a")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getCertificatePathPEM());
        PrivateAuthority.write(
                Path.of(key),
                new CertificateBuilder()
                        .ecp256()
                        .subject("CN=a")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .getPrivateKeyPEM());

        assertThatThrownBy(() -> CertificateFiles.read(certificate, key, ""))
                .hasMessage("does not match its key: " + certificate);
    }

    private static String encrypted(PrivateKey plain, String password) throws Exception {
        SecretKey secret = SecretKeyFactory.getInstance(PBE).generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(PBE);
        cipher.init(Cipher.ENCRYPT_MODE, secret, new PBEParameterSpec(new byte[16], 1_000));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        byte[] der = new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(plain.getEncoded())).getEncoded();
        return "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(der) + "\n-----END ENCRYPTED PRIVATE KEY-----\n";
    }
}
