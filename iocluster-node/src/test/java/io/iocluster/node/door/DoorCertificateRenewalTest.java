package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.tls.PrivateAuthority;
import io.netty.pkitesting.X509Bundle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renews the certificate files of a running door, and connects to each of its listeners. */
class DoorCertificateRenewalTest {

    private final PrivateAuthority servers = new PrivateAuthority("CN=servers");
    private final PrivateAuthority callers = new PrivateAuthority("CN=callers");
    private final X509Bundle shop = callers.issue("CN=shop");

    @TempDir
    private Path folder;

    private DoorProcess door;

    private enum Listener {
        HTTP,
        GRPC;

        int port(DoorProcess door) {
            return (this == HTTP ? door.address() : door.grpcAddress().orElseThrow()).getPort();
        }
    }

    DoorCertificateRenewalTest() throws Exception {}

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(folder.resolve("door.yaml"), """
                node: {id: door-1}
                door: {transport: local, port: 0, grpc: {enabled: true, port: 0}, %s}
                config: {poll-interval: 50ms}
                """.formatted(servers.doorTls(folder, "CN=first")));
        SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, Map.of());
        door = DoorProcess.start(loader.load(file));
        door.watchConfiguration(file, loader);
    }

    @AfterEach
    void close() {
        door.close();
    }

    @ParameterizedTest
    @EnumSource
    void aRenewedCertificateIsUsedWithoutARestart(Listener listener) throws Exception {
        assertThat(servers.subjectAt(listener.port(door))).isEqualTo("CN=first");

        servers.issueTo(folder, "door", "CN=second");

        await().untilAsserted(
                        () -> assertThat(servers.subjectAt(listener.port(door))).isEqualTo("CN=second"));
    }

    @ParameterizedTest
    @EnumSource
    void callersOfARenewedAuthorityAreAcceptedWithoutARestart(Listener listener) throws Exception {
        assertThat(servers.accepts(listener.port(door), shop)).isFalse();

        callers.writeTo(folder.resolve("ca.pem"));

        await().until(() -> servers.accepts(listener.port(door), shop));
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenCertificateIsNotUsed(Listener listener) throws Exception {
        PrivateAuthority.write(folder.resolve("door.pem"), "broken");
        await().until(() -> metrics().contains("iocluster_config_reloads_total{result=\"refused\"} 1.0"));

        assertThat(servers.subjectAt(listener.port(door))).isEqualTo("CN=first");
    }

    @Test
    void aCertificateOfAnotherKeyIsRefused() throws Exception {
        PrivateAuthority.write(
                folder.resolve("door.pem"), servers.issue("CN=second").getCertificatePathPEM());

        await().until(() -> metrics().contains("iocluster_config_reloads_total{result=\"refused\"} 1.0"));
        assertThat(servers.subjectAt(door.address().getPort())).isEqualTo("CN=first");
    }

    @Test
    void publishesWhenItsCertificateExpires() throws Exception {
        assertThat(metrics()).contains("iocluster_certificate_not_after_seconds{file=\"" + folder.resolve("door.pem"));
    }

    @Test
    void aCallerOfARemovedAuthorityIsRefusedAlsoWhenItResumesItsSession() throws Exception {
        callers.writeTo(folder.resolve("ca.pem"));
        await().until(() -> servers.accepts(door.address().getPort(), shop));
        SSLContext caller = servers.context(shop);
        await().until(() -> status(caller) == 200);

        new PrivateAuthority("CN=others").writeTo(folder.resolve("ca.pem"));

        await().until(() -> status(caller) == 403);
    }

    /** Returns the status of a request on a new connection, which resumes the last session of the context. */
    private int status(SSLContext caller) throws Exception {
        URI uri = URI.create("https://127.0.0.1:" + door.address().getPort() + "/v1/status");
        HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
        connection.setSSLSocketFactory(caller.getSocketFactory());
        connection.setRequestProperty("Connection", "close");
        return connection.getResponseCode();
    }

    private String metrics() throws Exception {
        URI uri = URI.create("https://127.0.0.1:" + door.address().getPort() + "/metrics");
        return HttpClient.newBuilder()
                .sslContext(servers.context(servers.issue("CN=ops")))
                .build()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
