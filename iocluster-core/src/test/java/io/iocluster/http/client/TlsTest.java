package io.iocluster.http.client;

import static io.iocluster.http.client.server.TestCertificateAuthority.builder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TlsTest extends ExecutorFixture {

    @Test
    void rejectsASelfSignedCertificate() throws Exception {
        X509Bundle selfSigned = builder("CN=target")
                .addSanIpAddress("127.0.0.1")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        assertRejected(selfSigned, TRUST);
        assertRejected(selfSigned, null);
    }

    /** A target chooses how many sessions it offers, and each takes up to 32 KiB. */
    @Test
    void keepsAtMostAThousandSessions() throws Exception {
        assertThat(TlsSettings.DEFAULTS.newSslContext(true).sessionContext().getSessionCacheSize())
                .isBetween(1, 1_000);
    }

    @Test
    void rejectsAnExpiredCertificate() throws Exception {
        assertRejected(
                AUTHORITY.issue(builder("CN=target")
                        .addSanIpAddress("127.0.0.1")
                        .notBefore(Instant.now().minus(Duration.ofDays(9)))
                        .notAfter(Instant.now().minus(Duration.ofDays(1)))),
                TRUST);
    }

    @Test
    void rejectsACertificateOfAnotherHost() throws Exception {
        assertRejected(AUTHORITY.issue(builder("CN=127.0.0.1").addSanDnsName("other.example")), TRUST);
        assertRejected(AUTHORITY.issue(builder("CN=target").addSanIpAddress("127.0.0.2")), TRUST);
    }

    @Test
    void failsWithTlsIfTheTargetDoesNotUseTls() {
        ScriptedServer server = server(connection -> connection.send("HTTP/1.1 400 Bad Request\n\n"));
        HttpResult.Failure failure = executor(TRUST).failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x25519", "secp256r1", "secp521r1"})
    void agreesOnKeysWithEllipticCurves(String group) throws Exception {
        ScriptedServer server = open(new ScriptedServer(AUTHORITY.socketsWithGroup(group), respondingWith(OK)));
        assertThat(executor(TRUST).response(get(server.port(), "/")).status()).isEqualTo(200);
    }

    /** The keys of such a group cost the event loop a hundred times as much as those of others, for each connection. */
    @ParameterizedTest
    @ValueSource(strings = {"ffdhe2048", "ffdhe8192"})
    void refusesAKeyExchangeWithAFiniteFieldGroup(String group) throws Exception {
        ScriptedServer server = open(new ScriptedServer(AUTHORITY.socketsWithGroup(group), respondingWith(OK)));

        HttpResult.Failure failure = executor(TRUST).failure(get(server.port(), "/"));

        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void skipsAnInterimHttp2Response() throws Exception {
        Http2Target target = target();
        HttpResult.Response response = executor(TRUST).response(post(target.port(), "/interim"));
        assertThat(response.status()).isEqualTo(200);
        assertThat(new String(response.body(), StandardCharsets.ISO_8859_1)).endsWith("body");
    }

    @Test
    void truncatesALongHttp2BodyAndKeepsTheConnection() throws Exception {
        Http2Target target = target();
        TestExecutor executor = executor(TRUST);
        executor.response(get(target.port(), "/"));
        HttpResult.Response response = executor.response(get(target.port(), "/endless"));
        assertThat(response.truncated()).isTrue();
        assertThat(response.body()).hasSize(100_000);
        assertThat(executor.response(get(target.port(), "/")).status()).isEqualTo(200);
        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void receivesAnHttp2BodyThatIsLargerThanTheWindowOfTheConnection() throws Exception {
        Http2Target target = target();
        DataSize limit = DataSize.ofMebibytes(10);
        HttpSettings settings = RecordCopy.with(settings(Duration.ofSeconds(20), true), "maxResponseBody", limit);
        TestExecutor executor = open(new TestExecutor(settings, TRUST));
        HttpResult.Response response = executor.response(get(target.port(), "/endless"));
        assertThat(response.body()).hasSize((int) limit.bytes());
    }

    @Test
    void closesAnIdleHttp2Connection() throws Exception {
        Http2Target target = target();
        TestExecutor executor = open(new TestExecutor(settings(Duration.ofMillis(100), true), TRUST));
        executor.response(get(target.port(), "/"));
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 1, 1));
        await().until(() -> target.openConnections() == 0);
        assertThat(executor.response(get(target.port(), "/")).status()).isEqualTo(200);
        assertThat(target.connections()).isEqualTo(2);
    }

    @Test
    void keepsAnHttp2ConnectionWithAnOpenCall() throws Exception {
        Http2Target target = target();
        TestExecutor executor = open(new TestExecutor(settings(Duration.ofMillis(50), true), TRUST));
        executor.response(get(target.port(), "/"));
        HttpResult.Failure failure = TestExecutor.failure(
                executor.call(get(target.port(), "/never"), Duration.ofMillis(500), TestExecutor.UNLIMITED)
                        .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(target.connections()).isEqualTo(1);
    }

    @Test
    void closesAnIdleHttp2ConnectionWhoseOnlyCallTimedOut() throws Exception {
        Http2Target target = target();
        TestExecutor executor = open(new TestExecutor(settings(Duration.ofMillis(100), true), TRUST));
        executor.call(get(target.port(), "/never"), Duration.ofMillis(500), TestExecutor.UNLIMITED)
                .join();
        assertThat(target.connections()).isEqualTo(1);
        await().until(() -> target.openConnections() == 0);
    }

    @Test
    void limitsIdleHttp2Connections() throws Exception {
        TestExecutor executor = open(new TestExecutor(
                RecordCopy.with(settings(Duration.ofSeconds(20), true), "maxIdleConnections", 2), TRUST));
        List<Http2Target> targets = List.of(target(), target(), target(), target());
        for (Http2Target each : targets) {
            executor.response(get(each.port(), "/"));
        }
        await().untilAsserted(() ->
                assertThat(targets).extracting(Http2Target::openConnections).containsExactly(0, 0, 1, 1));
    }

    private void assertRejected(X509Bundle certificate, SslContext trusting) throws Exception {
        ScriptedServer server = server(certificate);
        HttpResult.Failure failure = executor(trusting).failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).isEmpty();
    }

    private static HttpRequest get(int port, String path) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", port, path), List.of(), null);
    }

    private static HttpRequest post(int port, String path) {
        return new HttpRequest(
                "POST",
                new TargetUrl("https", "127.0.0.1", port, path),
                List.of(new Header("X-Tag", "tag")),
                "body".getBytes(StandardCharsets.ISO_8859_1));
    }

    private static HttpSettings settings(Duration keepAlive, boolean http2) {
        return RecordCopy.with(
                HttpSettings.DEFAULTS,
                "maxResponseBody",
                new DataSize(100_000),
                "idleTimeout",
                keepAlive,
                "connectionsPerDestination",
                0,
                "http2",
                http2);
    }

    private ScriptedServer server(X509Bundle certificate) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(certificate.toKeyManagerFactory().getKeyManagers(), null, null);
        ServerSocketFactory sockets = tls.getServerSocketFactory();
        return open(new ScriptedServer(sockets, respondingWith(OK)));
    }

    private Http2Target target() throws Exception {
        return open(new Http2Target(AUTHORITY.target()));
    }

    private TestExecutor executor(SslContext trusting) {
        return open(new TestExecutor(settings(Duration.ofSeconds(20), true), trusting));
    }
}
