package io.iocluster.pipeline.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.upstream.HealthCheckSettings;
import io.iocluster.upstream.UpstreamBalancer;
import io.iocluster.upstream.UpstreamResult;
import io.iocluster.upstream.UpstreamSelection;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpstreamHealthChecksTest {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final HttpResult OK = status(200);

    private static final EgressPolicy OPEN =
            new EgressPolicy(RecordCopy.with(EgressSettings.DEFAULTS, "mode", EgressMode.OPEN));

    private final ManualClock clock = new ManualClock();
    private final UpstreamBalancers balancers = new UpstreamBalancers(clock, new Random(1), () -> OPEN);
    private final Replicas replicas = new Replicas();
    private final UpstreamHealthChecks checks = new UpstreamHealthChecks(balancers, task -> task.accept(replicas));

    /** Answers each check at once with the current result of its upstream. */
    private static final class Replicas implements ConnectionlessExecutor {

        final Map<String, HttpResult> results = new HashMap<>();
        final List<HttpRequest> requests = new ArrayList<>();
        final List<Duration> timeouts = new ArrayList<>();

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            requests.add(request);
            timeouts.add(timeout);
            return CompletableFuture.completedFuture(
                    results.getOrDefault(request.upstream().host(), OK));
        }
    }

    private static HttpResult status(int status) {
        return new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE);
    }

    private static HttpResult failure(ErrorCode code) {
        return new HttpResult.Failure(code, "because", Certainty.NOT_SENT, AttemptTiming.NONE);
    }

    private void apply(Object... check) {
        applyCheck(healthCheck(check));
    }

    private static HealthCheckSettings healthCheck(Object... check) {
        return RecordCopy.with(
                RecordCopy.with(HealthCheckSettings.DEFAULTS, "url", "https://partner.example/health?deep=1"), check);
    }

    private void applyCheck(HealthCheckSettings health) {
        applyCheck(health, List.of("a.example:81", "b.example:82"));
    }

    private void applyCheck(HealthCheckSettings health, List<String> addresses) {
        UpstreamSettings upstreams =
                RecordCopy.with(UpstreamSettings.DEFAULTS, "addresses", addresses, "healthCheck", health);
        balancers.applySettings(
                List.of(new DestinationSettings(
                        List.of("partner.example"),
                        "partner",
                        RecordCopy.with(DestinationPolicy.DEFAULTS, "upstreams", upstreams))),
                DestinationPolicy.DEFAULTS);
    }

    /** Lets each upstream be checked this many times. */
    private void check(int times) {
        for (int i = 0; i < times; i++) {
            clock.advance(INTERVAL);
            checks.tick();
        }
    }

    private UpstreamStatus first() {
        return balancers.status().get(0);
    }

    @Test
    void requestsTheUrlFromEachUpstreamOnceInEachInterval() {
        apply();

        clock.advance(INTERVAL);
        checks.tick();
        checks.tick();
        assertThat(replicas.requests)
                .extracting(HttpRequest::upstream)
                .containsExactly(new UpstreamAddress("a.example", 81), new UpstreamAddress("b.example", 82));
        check(1);

        assertThat(replicas.requests).hasSize(4).allSatisfy(each -> {
            assertThat(each.url().host()).isEqualTo("partner.example");
            assertThat(each.url().pathAndQuery()).isEqualTo("/health?deep=1");
            assertThat(each.credential()).isNull();
        });
        assertThat(replicas.timeouts).containsOnly(Duration.ofSeconds(1));
    }

    @Test
    void spreadsTheFirstChecksOverTheInterval() {
        applyCheck(
                healthCheck(),
                IntStream.range(0, 40).mapToObj(i -> "host" + i + ".example:81").toList());
        Set<Integer> counts = new HashSet<>();

        for (int i = 0; i < 100; i++) {
            clock.advance(INTERVAL.dividedBy(100));
            checks.tick();
            counts.add(replicas.requests.size());
        }

        assertThat(replicas.requests).hasSize(40);
        // The times are random, so a few may be the same.
        assertThat(counts).hasSizeGreaterThan(10);
    }

    @Test
    void makesNoChecksByDefault() {
        applyCheck(HealthCheckSettings.DEFAULTS);

        check(3);

        assertThat(replicas.requests).isEmpty();
    }

    @Test
    void anUpstreamGetsNoCallsAfterThreeFailedChecksAndReturnsSlowlyAfterTwoPassedOnes() {
        apply();
        replicas.results.put("a.example", status(503));

        check(2);
        assertThat(first().state()).isEqualTo(UpstreamState.ACTIVE);
        check(1);
        assertThat(first().state()).isEqualTo(UpstreamState.UNHEALTHY);
        assertThat(first().problem()).isEqualTo("status 503");
        replicas.results.put("a.example", OK);
        check(1);
        assertThat(first().state()).isEqualTo(UpstreamState.UNHEALTHY);
        check(1);

        assertThat(first().state()).isEqualTo(UpstreamState.SLOW_START);
        assertThat(first().problem()).isNull();
    }

    @Test
    void aPassedCheckInBetweenStartsTheCountAgain() {
        apply();
        for (int i = 0; i < 5; i++) {
            replicas.results.put("a.example", failure(ErrorCode.CONNECT_REFUSED));
            check(2);
            replicas.results.put("a.example", OK);
            check(1);
        }

        assertThat(first().state()).isEqualTo(UpstreamState.ACTIVE);
    }

    @Test
    void theStatusesThatPassAreASetting() {
        apply("statuses", List.of(StatusPattern.parse("404")), "fall", 1, "rise", 1);

        check(1);
        assertThat(first().state()).isEqualTo(UpstreamState.UNHEALTHY);
        replicas.results.put("a.example", status(404));
        check(1);

        assertThat(first().isOut()).isFalse();
    }

    @Test
    void allUpstreamsGetCallsIfNoneIsHealthy() {
        apply("fall", 1);
        replicas.results.put("a.example", failure(ErrorCode.TIMEOUT));
        check(1);
        assertThat(selected()).containsOnly("b.example");

        replicas.results.put("b.example", failure(ErrorCode.HOST_NOT_ALLOWED));
        check(1);

        assertThat(balancers.status()).allMatch(UpstreamStatus::isOut);
        assertThat(selected()).contains("a.example", "b.example");
    }

    private List<String> selected() {
        UpstreamBalancer balancer = balancers.current().find("partner.example").balancer();
        List<UpstreamSelection> open =
                IntStream.range(0, 50).mapToObj(i -> balancer.select(null)).toList();
        open.forEach(each -> each.end(UpstreamResult.IGNORED));
        return open.stream().map(each -> each.address().host()).toList();
    }

    @Test
    void anUnhealthyUpstreamGetsCallsAgainIfChecksAreDisabled() {
        apply("fall", 1);
        replicas.results.put("a.example", status(500));
        check(1);
        assertThat(first().isOut()).isTrue();

        applyCheck(HealthCheckSettings.DEFAULTS);

        assertThat(first().isOut()).isFalse();
    }
}
