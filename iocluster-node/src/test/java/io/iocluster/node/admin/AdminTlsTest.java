package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.node.tls.PrivateAuthority;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.memory.MemoryBroker;
import io.netty.pkitesting.X509Bundle;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connects to the admin server of a real node by TLS, with a certificate of a private authority. */
class AdminTlsTest {

    private final PrivateAuthority authority = new PrivateAuthority("CN=operators");

    @TempDir
    Path folder;

    private Node node;

    AdminTlsTest() throws Exception {}

    @BeforeEach
    void startNode() throws Exception {
        authority.writeTo(folder.resolve("ca.pem"));
        new PrivateAuthority("CN=others").writeTo(folder.resolve("others.pem"));
        authority.issueTo(folder, "admin", "CN=first");
        Path file = folder.resolve("node.yaml");
        Files.writeString(file, """
                node: {id: node-1}
                admin: {port: 0, tls: {certificate: '%s', key: '%s'}}
                config: {poll-interval: 50ms}
                """.formatted(folder.resolve("admin.pem"), folder.resolve("admin.key")));
        var loader = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT);
        node = Node.start(loader.load(file), MemoryPipelines.alone(new MemoryBroker()));
        node.watchConfiguration(file, loader);
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aClientThatTrustsTheAuthorityConnects() throws Exception {
        try (SSLSocket socket = authority.connect(port())) {
            socket.getOutputStream()
                    .write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 OK")
                    .contains("\"ready\" : true");
            assertThat(socket.getSession().getProtocol()).isIn("TLSv1.2", "TLSv1.3");
        }
    }

    @Test
    void aClientThatTrustsAnotherAuthorityDoesNotConnect() throws Exception {
        PrivateAuthority others = new PrivateAuthority("CN=others");

        assertThatThrownBy(() -> others.connect(port())).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void plainHttpIsNotAnswered() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("200 OK");
        }
    }

    @Test
    void aRenewedCertificateIsUsedWithoutARestart() throws Exception {
        assertThat(subject()).isEqualTo("CN=first");

        authority.issueTo(folder, "admin", "CN=second");

        await().untilAsserted(() -> assertThat(subject()).isEqualTo("CN=second"));
    }

    @Test
    void aBrokenCertificateIsNotUsed() throws Exception {
        PrivateAuthority.write(folder.resolve("admin.pem"), "broken");
        await().until(() -> node.configuration().refused() > 0);

        assertThat(subject()).isEqualTo("CN=first");
    }

    @Test
    void aCertificateWithoutItsKeyIsNotUsedUntilTheKeyIsThere() throws Exception {
        X509Bundle next = authority.issue("CN=next");
        PrivateAuthority.write(folder.resolve("admin.pem"), next.getCertificatePathPEM());
        long before = node.configuration().applied();
        assertThat(subject()).isEqualTo("CN=first");

        PrivateAuthority.write(folder.resolve("admin.key"), next.getPrivateKeyPEM());

        await().untilAsserted(() -> assertThat(subject()).isEqualTo("CN=next"));
        // The server uses the certificate just before the change counts as applied.
        await().untilAsserted(() -> assertThat(node.configuration().applied()).isGreaterThan(before));
    }

    @Test
    void theCommandLineConnectsWithTheAuthority() {
        CommandRun run = status("--ca", folder.resolve("ca.pem").toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("node-1");
    }

    @Test
    void theCommandLineSaysWhatIsMissing() {
        assertThat(status().err())
                .contains("cannot be verified", "name the authority of its certificate with --ca FILE");
        assertThat(status("--ca", folder.resolve("others.pem").toString()).code())
                .isEqualTo(1);
        assertThat(status("--ca", "/no/such").err()).contains("--ca cannot be read: /no/such");
    }

    @Test
    void aNodeDoesNotStartWithTheKeyOfAnotherCertificate() throws Exception {
        PrivateAuthority.write(
                folder.resolve("admin.key"), authority.issue("CN=next").getPrivateKeyPEM());

        assertThatThrownBy(() -> new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT)
                        .load(folder.resolve("node.yaml")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("admin.tls.certificate does not match its key: ");
    }

    @Test
    void aCertificateWithoutAKeyIsRefused() {
        assertThatThrownBy(() -> new SettingsLoader<>(NodeSettings.class, Map.of())
                        .load("admin: {tls: {certificate: x}}", folder))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("admin.tls.key must be set: certificate and key are configured together");
    }

    private CommandRun status(String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "status";
        arguments[1] = "--admin";
        arguments[2] = "https://127.0.0.1:" + port();
        System.arraycopy(options, 0, arguments, 3, options.length);
        return CommandRun.of("", Map.of(), arguments);
    }

    private String subject() throws Exception {
        return authority.subjectAt(port());
    }

    private int port() {
        return node.adminAddress().getPort();
    }
}
