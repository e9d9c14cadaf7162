package io.iocluster.pipeline.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamHistory;
import io.iocluster.http.UpstreamName;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.upstream.UpstreamStatus;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BalancingHttpExecutorTest {

    private static final UpstreamAddress A = new UpstreamAddress("a.example", 81);
    private static final UpstreamAddress B = new UpstreamAddress("b.example", 82);

    private static final Duration TIMEOUT = DestinationPolicy.DEFAULTS.timeout();

    private static final EgressPolicy OPEN =
            new EgressPolicy(RecordCopy.with(EgressSettings.DEFAULTS, "mode", EgressMode.OPEN));

    private final ManualClock clock = new ManualClock();
    private final FakeExecutor attempts = new FakeExecutor();
    private final UpstreamBalancers balancers = new UpstreamBalancers(clock, new Random(1), () -> OPEN);
    private final BalancingHttpExecutor executor = new BalancingHttpExecutor(attempts, balancers);

    /** Keeps each attempt open until the test ends it. */
    private static final class FakeExecutor implements HttpExecutor {

        final List<HttpRequest> requests = new ArrayList<>();
        final List<CompletableFuture<HttpResult>> results = new ArrayList<>();
        final List<String> lookups = new ArrayList<>();
        CompletableFuture<List<UpstreamAddress>> addresses = new CompletableFuture<>();
        RuntimeException defect;
        boolean closed;

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            if (defect != null) {
                throw defect;
            }
            requests.add(request);
            results.add(new CompletableFuture<>());
            return results.get(results.size() - 1);
        }

        @Override
        public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
            lookups.add(name.toString());
            return addresses;
        }

        @Override
        public ConnectionStats connectionStats() {
            return new ConnectionStats(1, 2, 3);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private void apply(String match, UpstreamAddress... upstreams) {
        balancers.applySettings(List.of(entry(match, upstreams)), DestinationPolicy.DEFAULTS);
    }

    private static DestinationSettings entry(String match, UpstreamAddress... upstreams) {
        List<String> addresses =
                List.of(upstreams).stream().map(UpstreamAddress::toString).toList();
        UpstreamSettings settings = RecordCopy.with(UpstreamSettings.DEFAULTS, "addresses", addresses);
        return new DestinationSettings(
                List.of(match), match, RecordCopy.with(DestinationPolicy.DEFAULTS, "upstreams", settings));
    }

    private void applyDns(String name) {
        apply(RecordCopy.with(UpstreamSettings.DEFAULTS, "dns", name));
    }

    private void apply(UpstreamSettings settings) {
        DestinationPolicy policy = RecordCopy.with(DestinationPolicy.DEFAULTS, "upstreams", settings);
        balancers.applySettings(
                List.of(new DestinationSettings(List.of("partner.example"), "partner", policy)),
                DestinationPolicy.DEFAULTS);
    }

    private static List<UpstreamAddress> addresses(String... hosts) {
        return Arrays.stream(hosts).map(host -> new UpstreamAddress(host, 8080)).toList();
    }

    private CompletableFuture<HttpResult> call(String host) {
        return call(host, TIMEOUT);
    }

    private CompletableFuture<HttpResult> call(String host, Duration timeout) {
        return executor.execute(request(host), timeout, bytes -> true);
    }

    private static HttpRequest request(String host) {
        return new HttpRequest("GET", new TargetUrl("http", host, 80, "/"), List.of(), null);
    }

    private UpstreamStatus onlyUpstream() {
        assertThat(balancers.status()).hasSize(1);
        return balancers.status().get(0);
    }

    private static HttpResult status(int status) {
        return new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE);
    }

    private static HttpResult failure(ErrorCode code) {
        return new HttpResult.Failure(code, "because", Certainty.UNKNOWN, AttemptTiming.NONE);
    }

    @Test
    void passesOnAttemptsToADestinationWithoutUpstreams() {
        call("partner.example");
        apply("partner.example", A);
        call("other.example");

        assertThat(attempts.requests)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.upstream()).isNull());
    }

    @Test
    void selectsAnUpstreamForEachAttempt() {
        apply("*.partner.example", A, B);

        for (int i = 0; i < 100; i++) {
            call("x" + i % 3 + ".partner.example");
        }

        assertThat(attempts.requests)
                .extracting(HttpRequest::upstream)
                .contains(A, B)
                .doesNotContainNull();
        assertThat(balancers.status())
                .allSatisfy(each -> assertThat(each.inFlight()).isBetween(40, 60));
        assertThat(attempts.requests).extracting(each -> each.url().host()).contains("x0.partner.example");
    }

    @Test
    void usesTheFirstEntryThatMatches() {
        balancers.applySettings(
                List.of(entry("plain.partner.example"), entry("*.partner.example", A)), DestinationPolicy.DEFAULTS);

        call("plain.partner.example");
        call("x.partner.example");

        assertThat(attempts.requests).extracting(HttpRequest::upstream).containsExactly(null, A);
    }

    @Test
    void appliesNewSettingsToTheNextAttempt() {
        apply("partner.example", A);
        call("partner.example");
        apply("partner.example", B);
        call("partner.example");
        apply("partner.example");
        call("partner.example");

        assertThat(attempts.requests).extracting(HttpRequest::upstream).containsExactly(A, B, null);
    }

    @Test
    void keepsTheStateOfAnUpstreamThatStays() {
        apply("partner.example", A);
        call("partner.example");

        apply("partner.example", A, B);

        assertThat(balancers.status()).extracting(UpstreamStatus::inFlight).containsExactly(1, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "200, 1, 0, 0",
        "404, 1, 0, 0",
        "429, 0, 0, 1",
        "500, 0, 1, 0",
        "503, 0, 1, 0",
    })
    void countsAResponseByItsStatus(int status, int successes, int failures, int ignored) {
        apply("partner.example", A);
        call("partner.example");

        attempts.results.get(0).complete(status(status));

        assertThat(onlyUpstream().inFlight()).isZero();
        assertThat(onlyUpstream().successes()).isEqualTo(successes);
        assertThat(onlyUpstream().failures()).isEqualTo(failures);
        assertThat(onlyUpstream().ignored()).isEqualTo(ignored);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {
                "TIMEOUT",
                "CONNECT_TIMEOUT",
                "CONNECT_REFUSED",
                "CONNECT_FAILED",
                "CONNECTION_CLOSED",
                "DNS_FAILED",
                "TLS",
                "PROTOCOL_ERROR",
                "ADDRESS_NOT_ALLOWED"
            })
    void countsAnErrorOfTheUpstreamAsAFailure(ErrorCode code) {
        apply("partner.example", A);
        call("partner.example");

        attempts.results.get(0).complete(failure(code));

        assertThat(onlyUpstream().failures()).isEqualTo(1);
    }

    @Test
    void aTimeoutThatTheSenderShortenedIsNoFailureAndCountsForTheLatency() {
        apply("partner.example", A);
        call("partner.example", TIMEOUT.dividedBy(2).minusNanos(1));

        clock.advance(Duration.ofSeconds(1));
        attempts.results.get(0).complete(failure(ErrorCode.TIMEOUT));

        assertThat(onlyUpstream().failures()).isZero();
        assertThat(onlyUpstream().ignored()).isEqualTo(1);
        assertThat(onlyUpstream().latencyMillis()).isEqualTo(1_000);
    }

    @Test
    void theNextAttemptOfACallGoesToAnotherUpstream() {
        apply("partner.example", A, B);
        UpstreamHistory history = new UpstreamHistory();

        for (int i = 0; i < 20; i++) {
            executor.execute(request("partner.example").withUpstreamHistory(history), TIMEOUT, bytes -> true);
        }

        for (int i = 1; i < 20; i++) {
            assertThat(attempts.requests.get(i).upstream())
                    .isNotEqualTo(attempts.requests.get(i - 1).upstream());
        }
    }

    @Test
    void aCancellationReachesTheAttemptAndEndsTheSelection() {
        apply("partner.example", A);
        CompletableFuture<HttpResult> call = call("partner.example");

        clock.advance(Duration.ofMillis(50));
        call.cancel(true);

        assertThat(attempts.results.get(0)).isCancelled();
        assertThat(onlyUpstream().inFlight()).isZero();
        assertThat(onlyUpstream().ignored()).isEqualTo(1);
        assertThat(onlyUpstream().latencyMillis()).isEqualTo(50);
    }

    @Test
    void aDefectOfTheExecutorEndsTheSelection() {
        apply("partner.example", A);
        attempts.defect = new IllegalStateException("bug");

        assertThatThrownBy(() -> call("partner.example")).isSameAs(attempts.defect);

        assertThat(onlyUpstream().inFlight()).isZero();
    }

    @Test
    void callsTheNameUntilItsLookupHasEndedAndThenItsAddresses() {
        applyDns("replicas.example:8080");
        call("partner.example");
        assertThat(attempts.lookups).containsExactly("replicas.example:8080");

        attempts.addresses.complete(addresses("10.0.0.1", "2001:db8::1"));
        for (int i = 0; i < 20; i++) {
            call("partner.example");
        }

        assertThat(attempts.requests.get(0).upstream()).isEqualTo(new UpstreamAddress("replicas.example", 8080));
        assertThat(attempts.requests.subList(1, 21))
                .extracting(HttpRequest::upstream)
                .contains(new UpstreamAddress("10.0.0.1", 8080), new UpstreamAddress("2001:db8::1", 8080))
                .doesNotContain(new UpstreamAddress("replicas.example", 8080));
        assertThat(attempts.lookups).hasSize(1);
    }

    @Test
    void callsTheHostOfTheUrlUntilTheLookupOfAServiceHasEnded() {
        apply(RecordCopy.with(UpstreamSettings.DEFAULTS, "srv", "_http._tcp.replicas.example"));
        call("partner.example");
        attempts.addresses.complete(addresses("replica-1.example"));
        call("partner.example");

        assertThat(attempts.lookups).containsExactly("_http._tcp.replicas.example");
        assertThat(attempts.requests)
                .extracting(HttpRequest::upstream)
                .containsExactly(null, new UpstreamAddress("replica-1.example", 8080));
    }

    @Test
    void takesTheInstancesOfAConsulServiceThatWereReportedBeforeOrAfterItsDestinationWasAdded() {
        ConsulUpstreamSettings service = new ConsulUpstreamSettings("partner", "", "");
        apply(RecordCopy.with(UpstreamSettings.DEFAULTS, "consul", service));
        call("partner.example");
        balancers.setService(service, List.of(A));
        call("partner.example");
        apply(RecordCopy.with(
                UpstreamSettings.DEFAULTS,
                "addresses",
                List.of("c.example:83"),
                "consul",
                ConsulUpstreamSettings.NONE));
        apply(RecordCopy.with(UpstreamSettings.DEFAULTS, "consul", service));
        call("partner.example");
        balancers.setService(service, List.of(B));
        apply(RecordCopy.with(UpstreamSettings.DEFAULTS, "consul", service, "slowStart", Duration.ZERO));
        call("partner.example");

        assertThat(attempts.requests).extracting(HttpRequest::upstream).containsExactly(null, A, null, B);
    }

    @Test
    void looksTheNameUpAgainAfterTheRefreshIntervalAndKeepsTheAddressesIfThatFails() {
        applyDns("replicas.example:8080");
        attempts.addresses.complete(addresses("10.0.0.1"));
        call("partner.example");
        clock.advance(UpstreamSettings.DEFAULTS.refresh());
        attempts.addresses = CompletableFuture.failedFuture(new UnknownHostException("replicas.example"));
        call("partner.example");
        clock.advance(UpstreamSettings.DEFAULTS.refresh());
        attempts.addresses = CompletableFuture.completedFuture(addresses("10.0.0.2"));
        call("partner.example");

        assertThat(attempts.lookups).hasSize(3);
        assertThat(attempts.requests)
                .extracting(each -> each.upstream().host())
                .containsExactly("10.0.0.1", "10.0.0.1", "10.0.0.2");
    }

    @Test
    void aLookupThatEndsAfterAChangeOfTheSettingsHasNoEffect() {
        applyDns("replicas.example:8080");
        call("partner.example");
        CompletableFuture<List<UpstreamAddress>> late = attempts.addresses;
        attempts.addresses = new CompletableFuture<>();
        applyDns("others.example:8080");
        call("partner.example");

        late.complete(addresses("10.0.0.1"));
        call("partner.example");

        assertThat(attempts.lookups).containsExactly("replicas.example:8080", "others.example:8080");
        assertThat(attempts.requests.get(2).upstream()).isEqualTo(new UpstreamAddress("others.example", 8080));
    }

    @Test
    void showsAndClosesTheConnectionsOfTheExecutor() {
        executor.close();

        assertThat(attempts.closed).isTrue();
        assertThat(executor.connectionStats()).isEqualTo(new HttpExecutor.ConnectionStats(1, 2, 3));
    }
}
