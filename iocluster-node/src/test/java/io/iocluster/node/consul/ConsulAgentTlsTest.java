package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.tls.PrivateAuthority;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an agent with a certificate of a private authority that requires a client certificate of the same authority.
 */
class ConsulAgentTlsTest {

    private final PrivateAuthority authority = new PrivateAuthority("CN=agents");

    @TempDir
    Path folder;

    private FakeConsulAgent fake;

    ConsulAgentTlsTest() throws Exception {}

    @BeforeEach
    void startAgent() throws Exception {
        fake = new FakeConsulAgent(authority.context(authority.issue("CN=agent")));
        authority.writeTo(folder.resolve("ca.pem"));
        authority.issueTo(folder, "node", "CN=node");
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
        new PrivateAuthority("CN=others").writeTo(folder.resolve("ca.pem"));
        ConsulAgent agent = agent();
        assertThatThrownBy(() -> agent.get("/v1/kv/a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certification path");

        authority.writeTo(folder.resolve("ca.pem"));

        assertThat(agent.get("/v1/kv/a").status()).isEqualTo(404);
    }

    private ConsulAgent agent() {
        ConsulSettings settings = BlockingQueryTest.settings(
                fake,
                "tls: {ca: '" + folder.resolve("ca.pem") + "', certificate: '" + folder.resolve("node.pem")
                        + "', key: '" + folder.resolve("node.key") + "'}");
        return new ConsulAgent(settings, settings::token);
    }
}
