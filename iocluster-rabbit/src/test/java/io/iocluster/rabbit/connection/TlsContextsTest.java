package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.settings.InvalidSettingsException;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsContextsTest {

    private static final String ENCRYPTION = "PBEWithSHA1AndDESede";

    @TempDir
    private static Path folder;

    private static X509Bundle bundle;

    @BeforeAll
    static void writeCertificate() throws Exception {
        bundle = new CertificateBuilder()
                .subject("CN=node")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        write("certificate.pem", bundle.getCertificatePathPEM());
        write("key.pem", bundle.getPrivateKeyPEM());
    }

    @Test
    void acceptsNoFilesAndFilesInPem() {
        assertThatCode(() -> requireUsable("", "", "", "")).doesNotThrowAnyException();
        assertThatCode(() -> requireUsable("certificate.pem", "certificate.pem", "key.pem", ""))
                .doesNotThrowAnyException();
    }

    @Test
    void acceptsAnEncryptedKeyWithItsPasswordOnly() throws Exception {
        write(
                "encrypted.pem",
                pem("ENCRYPTED PRIVATE KEY", encrypted(bundle.getKeyPair().getPrivate(), "right")));

        assertThatCode(() -> requireUsable("", "certificate.pem", "encrypted.pem", "right"))
                .doesNotThrowAnyException();
        for (String password : new String[] {"", "hush"}) {
            assertThatThrownBy(() -> requireUsable("", "certificate.pem", "encrypted.pem", password))
                    .isInstanceOf(InvalidSettingsException.class)
                    .hasMessageStartingWith("tls.key cannot be used: " + file("encrypted.pem"))
                    .hasMessageContaining("key-password must be set if and only if it is encrypted")
                    .message()
                    .doesNotContain("hush");
        }
    }

    @Test
    void saysHowToConvertAKeyInPkcs1() throws IOException {
        write("pkcs1.pem", pem("RSA PRIVATE KEY", new byte[300]));

        assertThatThrownBy(() -> requireUsable("", "certificate.pem", "pkcs1.pem", ""))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageStartingWith("tls.key cannot be used: " + file("pkcs1.pem"))
                .hasMessageContaining("the key in PKCS 8 (openssl pkcs8 -topk8 converts it)");
    }

    @Test
    void namesAnAuthorityThatIsNotACertificate() throws IOException {
        write("empty.pem", "");

        for (String ca : new String[] {"empty.pem", "key.pem"}) {
            assertThatThrownBy(() -> requireUsable(ca, "", "", ""))
                    .isInstanceOf(InvalidSettingsException.class)
                    .hasMessageStartingWith("tls.ca cannot be used: " + file(ca))
                    .hasMessageEndingWith("it must hold certificates in PEM");
        }
    }

    private static void requireUsable(String ca, String certificate, String key, String password) {
        new TlsContexts(new RabbitTlsSettings(file(ca), file(certificate), file(key), password, true)).requireUsable();
    }

    private static String file(String name) {
        return name.isEmpty() ? "" : folder.resolve(name).toString();
    }

    private static void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static byte[] encrypted(PrivateKey key, String password) throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(ENCRYPTION);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(ENCRYPTION).generateSecret(new PBEKeySpec(password.toCharArray())));
        return new EncryptedPrivateKeyInfo(cipher.getParameters(), cipher.doFinal(key.getEncoded())).getEncoded();
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }
}
