package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheSharing;
import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.TestCredentials;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DelayedRetry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which calls stored responses answer, and which call the target. */
class ResponseCacheTest extends CacheFixture {

    @Test
    void aSecondCallIsAnsweredWithTheStoredResponse() throws Exception {
        start(MINUTE);
        Answer first = call(get("/a", ",\"id\":\"1\""), 200, "body", "content-type", "text/plain");
        clock.advance(Duration.ofSeconds(20));

        FakeDelivery delivery = offer(get("/a", ",\"id\":\"2\",\"context\":[1]"));
        Answer second = answer();

        assertThat(first.cache()).isEqualTo(CacheUse.MISS);
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(http.attempts).isEmpty();
        assertThat(second.id()).isEqualTo("2");
        assertThat(second.context()).isEqualTo("[1]");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.text()).isEqualTo("body");
        assertThat(second.headers())
                .isEqualTo(List.of(new Header("content-type", "text/plain"), new Header("age", "20")));
        assertThat(second.attempts()).isZero();
        assertThat(second.cache()).isEqualTo(new CacheUse(true, 20_000, false));
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(count(CacheResult.HIT)).isEqualTo(1);
        assertThat(count(CacheResult.MISS)).isEqualTo(1);
        assertThat(cache().entries()).isEqualTo(1);
        awaitNothingHeld();
    }

    @Test
    void aDestinationWithoutACacheIsCalledEachTime() throws Exception {
        start(CacheSettings.DEFAULTS);

        Answer first = call(get("/a"), 200, "1");
        Answer second = call(get("/a"), 200, "2");

        assertThat(first.cache()).isNull();
        assertThat(second.text()).isEqualTo("2");
        assertThat(pipeline.caches()).isEmpty();
    }

    @Test
    void aHitNeedsNoSlotNoRateAndNoClosedBreaker() throws Exception {
        start(settings(
                RecordCopy.with(
                        policy(MINUTE),
                        "rate",
                        Rate.parse("1/h"),
                        "breaker",
                        RecordCopy.with(BreakerSettings.DEFAULTS, "minimumCalls", 1, "windowSize", 1)),
                1,
                DataSize.ofMebibytes(16)));
        call(get("/a"), 200, "body");
        offer(get("/b"));
        await().until(() -> pipeline.destinations().get(0).waiting() == 1);

        for (int i = 0; i < 5; i++) {
            assertThat(hit(get("/a")).text()).isEqualTo("body");
        }

        assertThat(pipeline.destinations().get(0).attempts().started()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "billing; ;", //
                "; ;",
                "shop; key;",
                "shop; other-key;",
            })
    void aResponseIsNeverSharedWithAnotherAppOrCredential(String app, String auth) throws Exception {
        start(RecordCopy.with(settings(MINUTE), "credentials", Map.of("key", bearer("1"), "other-key", bearer("2"))));
        offer(get("/a"), Map.of("app", "shop"));
        respond(http.next(), 200, "of shop");
        answer();

        offer(
                auth == null ? get("/a") : get("/a", ",\"auth\":\"" + auth + "\""),
                app == null ? Map.of() : Map.of("app", app));

        respond(http.next(), 200, "of another");
        assertThat(answer().text()).isEqualTo("of another");
    }

    @Test
    void appsBeyondTheLimitOfAppsShareNothing() throws Exception {
        start(RecordCopy.with(settings(MINUTE), "producers", new ProducerSettings("app", 1, AppQuota.DEFAULTS)));
        for (String app : List.of("first", "second", "third", "not valid!")) {
            offer(get("/a"), Map.of("app", app));
            respond(http.next(), 200, "of " + app);
            assertThat(answer().text()).isEqualTo("of " + app);
        }
    }

    @Test
    void appsShareIfThatIsDeclared() throws Exception {
        start(RecordCopy.with(MINUTE, "shareAcross", List.of(CacheSharing.APPS)));
        offer(get("/a"), Map.of("app", "shop"));
        respond(http.next(), 200, "of all");
        answer();

        offer(get("/a"), Map.of("app", "billing"));

        assertThat(answer().text()).isEqualTo("of all");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void aChangedCredentialGetsNoResponseToTheOldOne() throws Exception {
        PipelineSettings settings = settings(MINUTE);
        start(RecordCopy.with(settings, "credentials", Map.of("key", bearer("tenant-1"))));
        String authenticated = get("/a", ",\"auth\":\"key\"");
        call(authenticated, 200, "of tenant 1");
        hit(authenticated);

        pipeline.reconfigure(RecordCopy.with(settings, "credentials", Map.of("key", bearer("tenant-2"))));

        assertThat(call(authenticated, 200, "of tenant 2").text()).isEqualTo("of tenant 2");
    }

    @Test
    void aCallThatWaitedWhileItsCredentialChangedStoresNothingForTheOldOne() throws Exception {
        PipelineSettings settings =
                settings(RecordCopy.with(policy(MINUTE), "maxInFlight", 1), 4, DataSize.ofMebibytes(16));
        PipelineSettings tenant1 = RecordCopy.with(settings, "credentials", Map.of("key", bearer("tenant-1")));
        start(tenant1);
        String authenticated = get("/a", ",\"auth\":\"key\"");
        offer(get("/first"));
        FakeAttempt first = http.next();
        offer(authenticated);
        pipeline.reconfigure(RecordCopy.with(settings, "credentials", Map.of("key", bearer("tenant-2"))));
        respond(first, 200, "");
        answer();
        respond(http.next(), 200, "of tenant 2");
        answer();

        pipeline.reconfigure(tenant1);

        assertThat(call(authenticated, 200, "of tenant 1").text()).isEqualTo("of tenant 1");
    }

    static CredentialSettings bearer(String token) {
        return TestCredentials.bearer("partner.example", token);
    }

    @ParameterizedTest
    @CsvSource({"PUT", "PATCH", "DELETE", "POST"})
    void aCallThatChangesAResourceMakesItsResponsesUnusable(String method) throws Exception {
        start(MINUTE);
        call(get("/a?page=1"), 200, "old");
        call(get("/b"), 200, "other");
        clock.advance(Duration.ofSeconds(1));

        call(get("/a", ",\"method\":\"" + method + "\""), 204, "");
        clock.advance(Duration.ofSeconds(1));

        assertThat(call(get("/a?page=1"), 200, "new").text()).isEqualTo("new");
        assertThat(hit(get("/b")).text()).isEqualTo("other");
    }

    @Test
    void aChangedEgressPolicyForgetsAllResponses() throws Exception {
        PipelineSettings settings = settings(MINUTE);
        start(settings);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(1));

        pipeline.reconfigure(
                with(settings, RecordCopy.with(EgressSettings.DEFAULTS, "denyNetworks", List.of("203.0.113.0/24"))));
        clock.advance(Duration.ofSeconds(1));

        assertThat(call(get("/a"), 200, "new").text()).isEqualTo("new");
    }

    @Test
    void aReloadEnablesChangesAndDisablesTheCacheOfARunningNode() throws Exception {
        start(CacheSettings.DEFAULTS);
        call(get("/a"), 200, "1");

        pipeline.reconfigure(settings(MINUTE));
        call(get("/a"), 200, "2");
        hit(get("/a"));

        pipeline.reconfigure(settings(RecordCopy.with(MINUTE, "maxBytes", new DataSize(1 << 20))));
        assertThat(cache().maxBytes()).isEqualTo(1 << 20);
        hit(get("/a"));

        pipeline.reconfigure(settings(CacheSettings.DEFAULTS));
        assertThat(call(get("/a"), 200, "3").cache()).isNull();
        assertThat(pipeline.caches()).isEmpty();
    }

    @Test
    void aCallThatWaitsForTheQuotaOfItsAppDoesNotCreateTheCacheOfARemovedDestinationAgain() throws Exception {
        PipelineSettings settings = RecordCopy.with(
                settings(MINUTE), "producers", new ProducerSettings("app", 10, new AppQuota(1, Rate.UNLIMITED, 10)));
        start(settings);
        offer(get("/a"), Map.of("app", "shop"));
        FakeAttempt first = http.next();
        offer(get("/b"), Map.of("app", "shop"));
        assertThat(http.attempts).isEmpty();

        pipeline.reconfigure(RecordCopy.with(settings, "destinations", List.of()));
        respond(first, 200, "a");
        answer();
        respond(http.next(), 200, "b");

        assertThat(answer().cache()).isNull();
        assertThat(pipeline.caches()).isEmpty();
    }

    @Test
    void aReloadThatRespectsCacheControlUsesNoResponseThatWasStoredAgainstIt() throws Exception {
        start(RecordCopy.with(MINUTE, "respectCacheControl", false));
        call(get("/a"), 200, "1", "cache-control", "private");
        hit(get("/a"));

        pipeline.reconfigure(settings(MINUTE));

        assertThat(call(get("/a"), 200, "2").text()).isEqualTo("2");
    }

    @Test
    void aDelayedRetryThatIsNotYetDueMakesResponsesUnusableToo() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "old");
        clock.advance(Duration.ofSeconds(1));
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        DelayedRetry state =
                new DelayedRetry("requests-0@1", 1, SentStatus.MAYBE, null, now.plusSeconds(60), now.plusSeconds(5));
        Map<String, String> headers = new HashMap<>();
        state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));

        assertThat(transport.offer(
                        new FakeDelivery(get("/a", ",\"method\":\"PUT\""), clock.wallMillis(), headers).delayedRetry()))
                .isTrue();
        clock.advance(Duration.ofMillis(5_001));
        respond(http.next(), 204, "");
        answer();
        clock.advance(Duration.ofSeconds(1));

        assertThat(call(get("/a"), 200, "new").text()).isEqualTo("new");
    }

    @Test
    void aCallThatStaysWithTheSourceIsCountedOnce() throws Exception {
        start(settings(
                RecordCopy.with(policy(MINUTE), "maxInFlight", 1, "maxWaiting", 1), 4, DataSize.ofMebibytes(16)));
        offer(get("/a"));
        offer(get("/b"));
        FakeAttempt first = http.next();
        FakeDelivery kept = new FakeDelivery(get("/c"), clock.wallMillis(), Map.of());
        for (int i = 0; i < 5; i++) {
            assertThat(transport.offer(kept)).isFalse();
        }
        assertThat(count(CacheResult.MISS)).isZero();

        respond(first, 200, "a");
        FakeAttempt second = http.next();
        await().until(() -> transport.offer(kept));
        respond(second, 200, "b");
        respond(http.next(), 200, "c");

        assertThat(List.of(answer().text(), answer().text(), answer().text())).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(count(CacheResult.MISS)).isEqualTo(3);
        awaitNothingHeld();
    }

    @Test
    void aHitWhoseBodyDoesNotFitTheNodeNowStaysWithTheSource() throws Exception {
        start(settings(policy(MINUTE), 4, DataSize.ofMebibytes(1)));
        String body = "x".repeat(200_000);
        call(get("/large"), 200, body);
        awaitNothingHeld();
        FakeDelivery first = offer(get("/large"));
        FakeDelivery next = first;
        int held = 0;
        do {
            held++;
            next = new FakeDelivery(get("/large"), clock.wallMillis(), Map.of());
        } while (held < 20 && transport.offer(next));
        assertThat(held).isLessThan(6);
        assertThat(pipeline.status().inFlightBytes()).isLessThanOrEqualTo(1 << 20);

        FakeDelivery kept = next;
        await().until(() -> {
            var published = transport.published.poll();
            if (published != null) {
                published.confirm();
            }
            return transport.offer(kept);
        });

        assertThat(http.attempts).isEmpty();
    }

    @Test
    void branchesAreAnsweredWithStoredResponses() throws Exception {
        start(MINUTE);
        call(get("/a"), 200, "a");

        offer("{\"id\":\"s\",\"all\":[" + get("/a") + "," + get("/b") + "]}");
        respond(http.next(), 200, "b");
        Answer all = answer();

        assertThat(all.results()).extracting(Answer::text).containsExactly("a", "b");
        assertThat(all.results().get(0).cache().hit()).isTrue();
        assertThat(all.results().get(1).cache().hit()).isFalse();

        offer("{\"id\":\"s\",\"any\":[" + get("/a") + "," + get("/c") + "]}");
        Answer any = answer();

        assertThat(any.text()).isEqualTo("a");
        assertThat(any.cache().hit()).isTrue();
        awaitNothingHeld();
    }
}
