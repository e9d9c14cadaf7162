package io.iocluster.http.ahc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.http.dns.FakeDns;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A policy that is replaced while calls are made: nothing that was made under the old one serves under the new. */
@Timeout(60)
class EgressReplacementTest {

    private static final String LOOPBACK = "127.0.0.0/8";

    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ScriptedServer server = new ScriptedServer(connection -> {
        for (String request = connection.read(); request != null; request = connection.read()) {
            if (request.startsWith("GET /slow")) {
                goOn.await();
            }
            connection.say("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
        }
        closed.countDown();
    });
    private final CurrentEgressPolicy egress = new CurrentEgressPolicy(
            TestExecutor.settings(EgressMode.ENFORCE, LOOPBACK),
            (refusal, destination) -> reported.add(refusal.code() + " " + destination));
    private final FakeDns dns;
    private final TestExecutor executor;

    EgressReplacementTest() throws IOException {
        dns = new FakeDns(name -> List.of("127.0.0.1"));
        executor = new TestExecutor(HttpSettings.DEFAULTS, null, DnsResolvers.newResolverGroup(dns.settings()), egress);
    }

    @AfterEach
    void close() {
        goOn.countDown();
        executor.close();
        dns.close();
        server.close();
    }

    @Test
    void usesNoKeptConnectionToAnAddressThatIsDeniedNow() throws Exception {
        assertThat(executor.answer(get("/")).status()).isEqualTo(200);

        egress.replace(TestExecutor.settings(EgressMode.ENFORCE));

        HttpResult.Failure failure = executor.failure(get("/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).hasSize(1);
        closed.await();
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(0, 0)));
    }

    @Test
    void refusesACallThatWasAdmittedToAHostThatIsDeniedNow() {
        assertThat(executor.answer(get("/")).status()).isEqualTo(200);

        egress.replace(denying("moving.example"));

        HttpResult.Failure failure = executor.failure(get("/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void letsACallUnderWayEndAndThenClosesItsConnection() throws Exception {
        CompletableFuture<HttpResult> slow = executor.call(get("/slow"));
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(1));

        egress.replace(TestExecutor.settings(EgressMode.ENFORCE));
        assertThat(executor.failure(get("/")).code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        goOn.countDown();

        assertThat(((HttpResult.Response) slow.join()).status()).isEqualTo(200);
        closed.await();
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void makesANewConnectionWhereTheNewPolicyAllowsThePlaceToo() {
        executor.answer(get("/"));
        egress.replace(denying("other.example"));
        executor.answer(get("/"));
        executor.answer(get("/"));
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void reportsANameOnceForEachConnectionWhereItsAddressIsForbidden() {
        egress.replace(TestExecutor.settings(EgressMode.REPORT));

        assertThat(executor.answer(get("/")).status()).isEqualTo(200);
        assertThat(executor.answer(get("/")).status()).isEqualTo(200);

        assertThat(reported).containsExactly("ADDRESS_NOT_ALLOWED moving.example:" + server.port());
    }

    @Test
    void asksNobodyInOpenMode() {
        egress.replace(TestExecutor.settings(EgressMode.OPEN));
        assertThat(executor.answer(get("/")).status()).isEqualTo(200);
        assertThat(reported).isEmpty();
    }

    private static EgressSettings denying(String host) {
        EgressSettings open = TestExecutor.settings(EgressMode.ENFORCE, LOOPBACK);
        return new EgressSettings(
                open.mode(),
                open.schemes(),
                open.ports(),
                open.allowNetworks(),
                List.of(),
                List.of(host),
                List.of(),
                open.maxUrl(),
                open.maxHeaders(),
                open.maxHeaderBytes());
    }

    private HttpRequest get(String path) {
        return new HttpRequest("GET", new TargetUrl("http", "moving.example", server.port(), path), List.of(), null);
    }
}
