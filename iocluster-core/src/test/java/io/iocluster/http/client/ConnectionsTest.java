package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.http.client.server.TestCertificateAuthority;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.http.dns.FakeDns;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests where connections lead to, and how they are reused, counted and closed. */
@Timeout(60)
class ConnectionsTest extends ExecutorFixture {

    @Test
    void closesTheConnectionAfterEachCallWithoutKeepAlive() {
        ScriptedServer server = server(respondingWith(OK));
        HttpSettings defaults = HttpSettings.DEFAULTS;
        TestExecutor executor = executor(
                RecordCopy.with(defaults, "idleTimeout", Duration.ZERO, "connectionsPerDestination", 0, "http2", true));
        executor.response(get(server.port(), "/"));
        executor.response(get(server.port(), "/"));
        assertThat(server.connections()).isEqualTo(2);
        assertThat(server.requests()).allMatch(request -> request.contains("connection: close\r\n"));
    }

    @Test
    void countsItsConnections() {
        CountDownLatch proceed = latch();
        ScriptedServer server = server(connection -> {
            while (connection.read() != null) {
                proceed.await();
                connection.send(OK);
            }
        });
        TestExecutor executor = executor();
        List<CompletableFuture<HttpResult>> calls = Stream.generate(() -> executor.call(get(server.port(), "/")))
                .limit(3)
                .toList();
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(3));
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(3, 0, 0));
        proceed.countDown();
        calls.forEach(CompletableFuture::join);
        assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 3, 1));
        server.close();
        executor.awaitNoConnections();
    }

    @Test
    void connectsToTheUpstreamAndKeepsTheHostOfTheUrl() {
        ScriptedServer server = server(respondingWith(OK));

        HttpResult.Response response = executor().response(viaUpstream("http", server.port()));

        assertThat(response.status()).isEqualTo(200);
        assertThat(server.requests())
                .singleElement()
                .asString()
                .startsWith("GET /a?b=c HTTP/1.1\r\n")
                .contains("host: partner.example\r\n");
    }

    @Test
    void poolsConnectionsForEachUpstream() {
        ScriptedServer one = server(respondingWith(OK));
        ScriptedServer other = server(respondingWith(OK));
        TestExecutor executor = executor();

        for (int i = 0; i < 3; i++) {
            executor.response(viaUpstream("http", one.port()));
            executor.response(viaUpstream("http", other.port()));
        }

        assertThat(one.requests()).hasSize(3);
        assertThat(other.requests()).hasSize(3);
        assertThat(one.connections()).isEqualTo(1);
        assertThat(other.connections()).isEqualTo(1);
    }

    @Test
    void checksTheCertificateAgainstTheHostOfTheUrl() throws Exception {
        Http2Target partner = open(new Http2Target(
                AUTHORITY.issue(TestCertificateAuthority.builder("CN=partner").addSanDnsName("partner.example"))));
        Http2Target stranger = open(new Http2Target(AUTHORITY.target()));
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Response response = executor.response(viaUpstream("https", partner.port()));
        HttpResult.Failure failure = executor.failure(viaUpstream("https", stranger.port()));

        assertThat(new String(response.body(), StandardCharsets.ISO_8859_1)).startsWith("GET partner.example ");
        assertThat(failure.code()).isEqualTo(ErrorCode.TLS);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void rejectsAnUpstreamWhoseAddressIsDenied() throws Exception {
        ScriptedServer server = server(respondingWith(OK));
        FakeDns dns = open(new FakeDns(name -> List.of("127.0.0.1")));
        TestExecutor executor = open(new TestExecutor(
                HttpSettings.DEFAULTS,
                null,
                DnsResolvers.newResolverGroup(dns.settings(), Platform.system()),
                TestExecutor.always(TestExecutor.policy())));

        for (String host : List.of("127.0.0.1", "replica.example")) {
            HttpResult.Failure failure =
                    executor.failure(viaUpstream("http", new UpstreamAddress(host, server.port())));
            assertThat(failure.code()).as(host).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
            assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void retriesAStaleConnectionAtTheSameUpstream() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(OK);
        });
        TestExecutor executor = executor();

        executor.response(viaUpstream("http", server.port()));
        executor.response(viaUpstream("http", server.port()));

        assertThat(server.connections()).isEqualTo(2);
        assertThat(executor.connectingTargets()).isZero();
    }

    private static HttpRequest viaUpstream(String scheme, int upstreamPort) {
        return viaUpstream(scheme, new UpstreamAddress("127.0.0.1", upstreamPort));
    }

    private static HttpRequest viaUpstream(String scheme, UpstreamAddress upstream) {
        TargetUrl url = new TargetUrl(scheme, "partner.example", scheme.equals("https") ? 443 : 80, "/a?b=c");
        return new HttpRequest("GET", url, List.of(), null).withUpstream(upstream);
    }
}
