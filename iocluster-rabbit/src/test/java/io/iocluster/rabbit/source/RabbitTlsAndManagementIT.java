package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitTlsSettings;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.rabbit.RabbitOptions;
import io.iocluster.thread.Platform;
import io.iocluster.transport.RequestSource;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a broker with TLS and the management API, which the other tests do not need. */
class RabbitTlsAndManagementIT {

    @TempDir
    private static Path folder;

    private static int port;
    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=the authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        write("ca.pem", authority.getCertificatePathPEM());
        X509Bundle server = new CertificateBuilder()
                .subject("CN=broker")
                .addSanDnsName("localhost")
                .buildIssuedBy(authority);
        write("server.pem", server.getCertificatePathPEM());
        write("server-key.pem", server.getPrivateKeyPEM());
        X509Bundle client = new CertificateBuilder().subject("CN=node").buildIssuedBy(authority);
        write("client.pem", client.getCertificatePathPEM());
        write("client-key.pem", client.getPrivateKeyPEM());
        port = FreePorts.find(1)[0];
        broker = RabbitBroker.launch(RabbitOptions.DEFAULT
                .withPlugin(RabbitOptions.MANAGEMENT)
                .with("listeners.ssl.1", "127.0.0.1:" + port)
                .with("ssl_options.cacertfile", file("ca.pem"))
                .with("ssl_options.certfile", file("server.pem"))
                .with("ssl_options.keyfile", file("server-key.pem"))
                .with("ssl_options.verify", "verify_peer")
                .with("ssl_options.fail_if_no_peer_cert", "true"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void authenticatesWithItsCertificateAndTrustsTheBroker() {
        RabbitTlsSettings tls =
                new RabbitTlsSettings(file("ca.pem"), file("client.pem"), file("client-key.pem"), "", true);
        RabbitSettings settings = RabbitTestSettings.of("amqps://localhost:" + port, "tls")
                .tls(tls)
                .settings();

        try (RabbitHarness harness = new RabbitHarness(broker, settings).start()) {
            harness.request(new BasicProperties(), "x").settlement().acknowledge();
            await().until(() -> harness.unacknowledged() == 0);
        }
    }

    @Test
    void refusesACertificateOfAnotherHost() {
        RabbitTlsSettings tls =
                new RabbitTlsSettings(file("ca.pem"), file("client.pem"), file("client-key.pem"), "", true);

        assertThat(problem("amqps://127.0.0.1:" + port, tls)).contains("127.0.0.1");
    }

    @Test
    void refusesACertificateOfAnUnknownAuthority() {
        RabbitTlsSettings tls = new RabbitTlsSettings("", file("client.pem"), file("client-key.pem"), "", true);

        assertThat(problem("amqps://localhost:" + port, tls)).contains("certification path");
    }

    @Test
    void reportsAProblemWithoutTheRequiredClientCertificate() {
        RabbitTlsSettings tls = new RabbitTlsSettings(file("ca.pem"), "", "", "", true);

        assertThat(problem("amqps://localhost:" + port, tls)).isNotBlank();
    }

    @Test
    void countsMessagesOfOtherNodesByTheManagementApi() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(6)
                .management(broker.managementUri().toString())
                .settings();
        try (RabbitHarness first = new RabbitHarness(broker, settings);
                RabbitHarness second = new RabbitHarness(broker, settings)) {
            first.publish(6);
            first.start();
            first.awaitDeliveries(6);
            second.start();
            second.awaitConnected();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> second.lag().messages() == 6);
            assertThat(second.lag().heldByOtherConsumers()).isEqualTo(6);
            assertThat(first.lag().messages()).isEqualTo(6);
            assertThat(first.lag().heldByOtherConsumers()).isZero();
            assertThat(second.intake.accepted).isEmpty();
        }
    }

    @Test
    void readsZerosForANewQueueFromTheManagementApi() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .management(broker.managementUri().toString())
                .settings();
        broker.declareQueue(settings.requests().queue(), Map.of("x-queue-type", "quorum"));

        ManagementApi.QueueStatistics described = new ManagementApi(settings, System::nanoTime).fetchQueueStatistics();

        assertThat(described).isEqualTo(new ManagementApi.QueueStatistics(0, 0));
    }

    @Test
    void reportsTheLagWithoutAWorkingManagementApi() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(2)
                .management(
                        "http://guest:wrong@127.0.0.1:" + broker.managementUri().getPort())
                .settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings)) {
            harness.publish(5);
            harness.start();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.lag().messages() == 5);
            assertThat(harness.source().status().connected()).isTrue();
        }
    }

    private static String problem(String uri, RabbitTlsSettings tls) {
        RabbitSettings settings = RabbitTestSettings.of(uri, "none").tls(tls).settings();
        try (RequestSource source = new RabbitTransport(settings, "node-1", Platform.system()).source()) {
            source.start(delivery -> false);
            await().atMost(RabbitHarness.TIMEOUT)
                    .until(() -> !source.status().problem().startsWith("not connected yet"));
            return source.status().problem();
        }
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    private static void write(String name, String pem) throws IOException {
        Files.writeString(folder.resolve(name), pem);
    }
}
