package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.dns.DnsResolvers;
import io.iocluster.http.dns.FakeDns;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a policy change while calls are open: no connection made under the old policy is used under the new one. */
@Timeout(60)
class EgressReplacementTest {

    private static final String LOOPBACK = "127.0.0.0/8";

    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final CountDownLatch proceed = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ScriptedServer server = new ScriptedServer(connection -> {
        for (String request = connection.read(); request != null; request = connection.read()) {
            if (request.startsWith("GET /slow")) {
                proceed.await();
            }
            connection.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
        }
        closed.countDown();
    });
    private final CurrentEgressPolicy egress = new CurrentEgressPolicy(
            TestExecutor.settings(EgressMode.ENFORCE, LOOPBACK),
            (rejection, destination) -> reported.add(rejection.code() + " " + destination));
    private final FakeDns dns;
    private final TestExecutor executor;

    EgressReplacementTest() throws IOException {
        dns = new FakeDns(name -> List.of("127.0.0.1"));
        executor = new TestExecutor(
                HttpSettings.DEFAULTS, null, DnsResolvers.newResolverGroup(dns.settings(), Platform.system()), egress);
    }

    @AfterEach
    void close() {
        proceed.countDown();
        executor.close();
        dns.close();
        server.close();
    }

    @Test
    void doesNotReuseAConnectionToAnAddressThatIsNowDenied() throws Exception {
        assertThat(executor.response(get("/")).status()).isEqualTo(200);

        egress.replace(TestExecutor.settings(EgressMode.ENFORCE));

        HttpResult.Failure failure = executor.failure(get("/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).hasSize(1);
        closed.await();
        executor.awaitNoConnections();
    }

    @Test
    void rejectsAnAdmittedCallToAHostThatIsNowDenied() {
        assertThat(executor.response(get("/")).status()).isEqualTo(200);

        egress.replace(denying("moving.example"));

        HttpResult.Failure failure = executor.failure(get("/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.HOST_NOT_ALLOWED);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void completesAnOpenCallAndThenClosesItsConnection() throws Exception {
        CompletableFuture<HttpResult> slow = executor.call(get("/slow"));
        await().untilAsserted(() -> assertThat(server.requests()).hasSize(1));

        egress.replace(TestExecutor.settings(EgressMode.ENFORCE));
        assertThat(executor.failure(get("/")).code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        proceed.countDown();

        assertThat(((HttpResult.Response) slow.join()).status()).isEqualTo(200);
        closed.await();
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void opensANewConnectionEvenIfTheNewPolicyAllowsTheHost() {
        executor.response(get("/"));
        egress.replace(denying("other.example"));
        executor.response(get("/"));
        executor.response(get("/"));
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void reportsAForbiddenAddressOnceForEachConnection() {
        egress.replace(TestExecutor.settings(EgressMode.REPORT));

        assertThat(executor.response(get("/")).status()).isEqualTo(200);
        assertThat(executor.response(get("/")).status()).isEqualTo(200);

        assertThat(reported).containsExactly("ADDRESS_NOT_ALLOWED moving.example:" + server.port());
    }

    @Test
    void reportsNothingInOpenMode() {
        egress.replace(TestExecutor.settings(EgressMode.OPEN));
        assertThat(executor.response(get("/")).status()).isEqualTo(200);
        assertThat(reported).isEmpty();
    }

    private static EgressSettings denying(String host) {
        EgressSettings open = TestExecutor.settings(EgressMode.ENFORCE, LOOPBACK);
        return RecordCopy.with(open, "denyNetworks", List.of(), "denyHosts", List.of(host), "allowHosts", List.of());
    }

    private HttpRequest get(String path) {
        return new HttpRequest("GET", new TargetUrl("http", "moving.example", server.port(), path), List.of(), null);
    }
}
