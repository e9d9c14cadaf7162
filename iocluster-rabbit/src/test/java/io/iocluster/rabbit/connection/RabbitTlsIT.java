package io.iocluster.rabbit.connection;

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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitTlsIT {

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
