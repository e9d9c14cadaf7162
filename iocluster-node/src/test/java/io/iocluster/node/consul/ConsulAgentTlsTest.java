package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.ConsulSettings;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an agent with a certificate of a private authority that requires a client certificate of the same authority.
 */
class ConsulAgentTlsTest {

    private final X509Bundle authority = authority("CN=agents");

    @TempDir
    Path folder;

    private FakeConsulAgent fake;

    ConsulAgentTlsTest() throws Exception {}

    @BeforeEach
    void startAgent() throws Exception {
        X509Bundle server = builder("CN=agent").addSanIpAddress("127.0.0.1").buildIssuedBy(authority);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                server.toKeyManagerFactory().getKeyManagers(),
                authority.toTrustManagerFactory().getTrustManagers(),
                null);
        fake = new FakeConsulAgent(tls);
        X509Bundle node = builder("CN=node").buildIssuedBy(authority);
        Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM());
        Files.writeString(folder.resolve("node.pem"), node.getCertificatePathPEM());
        Files.writeString(folder.resolve("node.key"), node.getPrivateKeyPEM());
    }

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void connectsWithAClientCertificate() throws Exception {
        assertThat(agent().get("/v1/kv/a").isFound()).isFalse();
    }

    @Test
    void appliesRenewedFiles() throws Exception {
        Files.writeString(folder.resolve("ca.pem"), authority("CN=others").getCertificatePEM());
        ConsulAgent agent = agent();
        assertThatThrownBy(() -> agent.get("/v1/kv/a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certification path");

        Files.writeString(folder.resolve("ca.pem"), authority.getCertificatePEM());

        assertThat(agent.get("/v1/kv/a").status()).isEqualTo(404);
    }

    private ConsulAgent agent() {
        ConsulSettings settings = BlockingQueryTest.settings(
                fake,
                "tls: {ca: '" + folder.resolve("ca.pem") + "', certificate: '" + folder.resolve("node.pem")
                        + "', key: '" + folder.resolve("node.key") + "'}");
        return new ConsulAgent(settings, settings::token);
    }

    private static X509Bundle authority(String name) throws Exception {
        return builder(name).setIsCertificateAuthority(true).buildSelfSigned();
    }

    private static CertificateBuilder builder(String name) {
        return new CertificateBuilder().ecp256().subject(name);
    }
}
