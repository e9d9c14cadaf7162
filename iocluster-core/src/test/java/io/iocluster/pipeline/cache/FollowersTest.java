package io.iocluster.pipeline.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how calls end that wait for an identical one when their leader changes. */
class FollowersTest extends CacheFixture {

    private static final CacheSettings ONLY_COALESCED = RecordCopy.with(CacheSettings.DEFAULTS, "coalesce", true);
    private static final int MANY = 15_000;

    @Test
    @Timeout(60)
    void eachOfManyFollowersThatExpireWithTheirLeaderIsCountedOnce() throws Exception {
        start(roomForMany());
        transport.atOnce = PublishResult.CONFIRMED;
        List<FakeDelivery> deliveries = offerIdentical();
        FakeAttempt attempt = http.next();

        clock.advance(Duration.ofSeconds(2));
        attempt.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);

        awaitSettled(deliveries, "acknowledged");
        assertThat(count(CacheResult.MISS)).isEqualTo(MANY);
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }

    @Test
    void manyFollowersAreReleasedWhenTheNodeStops() throws Exception {
        start(roomForMany());
        List<FakeDelivery> deliveries = offerIdentical();
        http.next();

        pipeline.close();

        awaitSettled(deliveries, "released");
    }

    private static PipelineSettings roomForMany() {
        int waiting = 3 * MANY;
        PipelineSettings settings = settings(
                RecordCopy.with(policy(ONLY_COALESCED), "maxWaiting", waiting), 300, DataSize.ofMebibytes(256));
        return RecordCopy.with(settings, "workers", RecordCopy.with(settings.workers(), "maxWaiting", waiting));
    }

    private List<FakeDelivery> offerIdentical() {
        List<FakeDelivery> deliveries = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            deliveries.add(offer(get("/a", ",\"deadlineMs\":1000")));
        }
        return deliveries;
    }

    private static void awaitSettled(List<FakeDelivery> deliveries, String how) throws Exception {
        for (FakeDelivery each : deliveries) {
            assertThat(each.settled.get(1, TimeUnit.MINUTES)).isEqualTo(how);
        }
    }

    @Test
    void aCallThatComesAfterTheLeaderEndedFollowsTheNextOne() throws Exception {
        start(ONLY_COALESCED);
        offer(get("/a", ",\"id\":\"1\",\"deadlineMs\":1000"));
        FakeAttempt first = http.next();
        offer(get("/a", ",\"id\":\"2\""));
        clock.advance(Duration.ofSeconds(1));
        first.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        assertThat(answer().errorCode()).isEqualTo("deadline-exceeded");
        FakeAttempt second = http.next();

        offer(get("/a", ",\"id\":\"3\""));
        respond(second, 200, "body");

        assertThat(List.of(answer().id(), answer().id())).containsExactlyInAnyOrder("2", "3");
        assertThat(http.attempts).isEmpty();
        awaitNothingHeld();
    }
}
