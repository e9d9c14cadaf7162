package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.egress.UrlCheckResult;
import io.iocluster.http.DnsSettings;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests policy and executor together against a listener that counts connections. */
@Timeout(60)
class EgressAddressCheckTest {

    private final List<AutoCloseable> closeables = new ArrayList<>();
    private final ScriptedServer server = new ScriptedServer(connection -> {
        while (connection.read() != null) {
            connection.send("HTTP/1.1 200 OK\nContent-Length: 2\n\nok");
        }
    });

    @AfterEach
    void closeAll() throws Exception {
        server.close();
        for (AutoCloseable each : closeables) {
            each.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/",
                "http://127.0.0.1.:%d/",
                "http://localhost:%d/",
                "http://LOCALHOST:%d/",
                "http://localhost.:%d/",
                "http://[::1]:%d/",
                "http://[::]:%d/",
                "http://[::ffff:127.0.0.1]:%d/",
                "http://[::127.0.0.1]:%d/",
                "http://[64:ff9b::7f00:1]:%d/",
                "http://[2002:7f00:1::]:%d/",
                "http://evil.example\\@127.0.0.1:%d/",
                "http://evil.example@127.0.0.1:%d/",
                "http://a@b@127.0.0.1:%d/",
                "http://2130706433:%d/",
                "http://127.1:%d/",
                "http://0177.0.0.1:%d/",
                "http://0x7f.0.0.1:%d/",
                "http://0:%d/",
                "http://0.0.0.0:%d/",
                "http://%%31%%32%%37.0.0.1:%d/",
                "http://127\uff0e0\uff0e0\uff0e1:%d/",
                "http://127.0.0.1:+%d/",
                "http:///127.0.0.1:%d/",
                "//127.0.0.1:%d/",
                "ws://127.0.0.1:%d/",
                "url:http://127.0.0.1:%d/"
            })
    void opensNoConnectionToALocalTarget(String url) {
        EgressPolicy policy = TestExecutor.policy();
        UrlCheckResult result = policy.checkUrl(url.formatted(server.port()));
        if (result instanceof TargetUrl target) {
            HttpResult.Failure failure = executorWith(policy).failure(new HttpRequest("GET", target, List.of(), null));
            assertThat(failure.code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
            assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        } else {
            assertThat(result).isInstanceOf(Rejection.class);
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void callsALocalTargetIfItsNetworkIsAllowed() {
        EgressPolicy policy = TestExecutor.policy("127.0.0.0/8");
        TargetUrl target = (TargetUrl) policy.checkUrl("http://localhost.:" + server.port() + "/");
        HttpResult.Response response = executorWith(policy).response(new HttpRequest("GET", target, List.of(), null));
        assertThat(response.status()).isEqualTo(200);
        assertThat(server.requests().get(0)).contains("host: localhost:" + server.port() + "\r\n");
    }

    @Test
    void rejectsANameIfAnyOfItsAddressesIsDenied() throws IOException {
        TestExecutor executor = executorResolving(TestExecutor.policy(), name -> switch (name) {
            case "private.example" -> List.of("127.0.0.1");
            case "both.example" -> List.of("1.1.1.1", "127.0.0.1");
            case "six.example" -> List.of("1.1.1.1", "fd00:ec2::254");
            default -> List.of();
        });
        for (String name : List.of("private.example", "both.example", "six.example")) {
            HttpResult.Failure failure = executor.failure(get(name));
            assertThat(failure.code()).as(name).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
            assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void checksAllAddressesOfALookupAndLaterTheCachedOnes() throws IOException {
        List<String> addresses = new ArrayList<>();
        for (int i = 1; i <= 16; i++) {
            addresses.add("127.0.0." + i);
        }
        addresses.add("10.0.0.1");
        FakeDns dns = new FakeDns(name -> addresses);
        closeables.add(dns);
        DnsSettings settings = dns.settings();
        TestExecutor executor = executorResolving(
                TestExecutor.policy("127.0.0.0/24"),
                RecordCopy.with(
                        settings,
                        "maxAddresses",
                        16,
                        "minTtl",
                        Duration.ofMinutes(1),
                        "maxTtl",
                        Duration.ofMinutes(1)));

        assertThat(executor.failure(get("many.example")).code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        assertThat(server.connections()).isZero();
        assertThat(executor.response(get("many.example")).status()).isEqualTo(200);
    }

    @Test
    void connectsToTheAddressThatWasChecked() throws IOException {
        AtomicReference<String> address = new AtomicReference<>("127.0.0.2");
        TestExecutor executor = executorResolving(TestExecutor.policy("127.0.0.2/32"), name -> List.of(address.get()));
        assertThat(executor.failure(get("rebinding.example")).code()).isEqualTo(ErrorCode.CONNECT_REFUSED);
        address.set("127.0.0.1");
        assertThat(executor.failure(get("rebinding.example")).code()).isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
        assertThat(server.connections()).isZero();
    }

    @Test
    void callsANameThatIsAllowed() throws IOException {
        TestExecutor executor = executorResolving(TestExecutor.policy("127.0.0.0/8"), name -> List.of("127.0.0.1"));
        assertThat(executor.response(get("fine.example")).status()).isEqualTo(200);
        assertThat(server.requests().get(0)).contains("host: fine.example:" + server.port() + "\r\n");
    }

    @Test
    void makesOtherCallsWhileALookupGetsNoReply() throws IOException {
        FakeDns dns = new FakeDns(name -> null);
        closeables.add(dns);
        // The lookup must not end before the other calls, also on a busy machine.
        TestExecutor executor = executorResolving(
                TestExecutor.policy("127.0.0.0/8"),
                RecordCopy.with(dns.settings(), "queryTimeout", TestExecutor.LONG_TIMEOUT));
        CompletableFuture<HttpResult> unresolved = executor.call(get("lost.example"));
        CompletableFuture<HttpResult> impatient =
                executor.call(get("lost.example"), Duration.ofMillis(1_500), TestExecutor.UNLIMITED);
        for (int i = 0; i < 50; i++) {
            assertThat(executor.response(get(server.port(), "/")).status()).isEqualTo(200);
        }
        assertThat(unresolved).as("other calls ended before the lookup").isNotDone();
        HttpResult.Failure failure = TestExecutor.failure(impatient.join());
        assertThat(failure.code()).isEqualTo(ErrorCode.CONNECT_TIMEOUT);
        assertThat(failure.sent()).isEqualTo(SentStatus.NO);
        assertThat(failure.timing().dnsMs()).isZero();
    }

    private HttpRequest get(String host) {
        return new HttpRequest("GET", new TargetUrl("http", host, server.port(), "/"), List.of(), null);
    }

    private HttpRequest get(int port, String path) {
        return TestExecutor.get(port, path);
    }

    /** Returns an executor that uses the machine's resolver, like the node. */
    private TestExecutor executorWith(EgressPolicy policy) {
        return executorResolving(policy, DnsSettings.DEFAULTS);
    }

    private TestExecutor executorResolving(EgressPolicy policy, Function<String, List<String>> names)
            throws IOException {
        FakeDns dns = new FakeDns(names);
        closeables.add(dns);
        return executorResolving(policy, dns.settings());
    }

    private TestExecutor executorResolving(EgressPolicy policy, DnsSettings dns) {
        TestExecutor executor = new TestExecutor(
                HttpSettings.DEFAULTS,
                null,
                DnsResolvers.newResolverGroup(dns, Platform.system()),
                TestExecutor.always(policy));
        closeables.add(executor);
        return executor;
    }
}
