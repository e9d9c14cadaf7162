package io.iocluster.pipeline.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.FakeDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which calls are counted as redelivered. Messages are offered by the thread of the test. */
class RedeliveredCallsTest extends ControlledPipeline {

    private final List<String> redelivered = new ArrayList<>();

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new PipelineEvents() {
                    @Override
                    public void redelivered(String destination) {
                        redelivered.add(destination);
                    }
                },
                WorkerSettings.DEFAULTS,
                DestinationPolicy.DEFAULTS);
        pipeline.start();
    }

    @Test
    void aCallOfARedeliveredMessageIsCounted() {
        offer(delivery("{\"url\": \"http://a.example/\"}").redelivered());

        assertThat(redelivered).containsExactly("a.example:80");
    }

    @Test
    void eachCallOfARedeliveredMessageIsCounted() {
        offer(delivery("{\"any\": [{\"url\": \"http://a.example/\"}, {\"url\": \"ftp://b.example/\"},"
                        + " {\"url\": \"http://c.example/\"}]}")
                .redelivered());

        assertThat(redelivered).containsExactly("a.example:80", "c.example:80");
    }

    @Test
    void otherMessagesAreNotCounted() {
        offer(delivery("{\"url\": \"http://a.example/\"}"));
        offer(delivery("{\"all\": [{\"url\": \"http://a.example/\"}]}"));
        offer(delivery("{\"url\": \"ftp://a.example/\"}").redelivered());
        offer(delivery("not an envelope").redelivered());

        assertThat(redelivered).isEmpty();
    }

    private FakeDelivery delivery(String envelope) {
        return new FakeDelivery(envelope, clock.wallMillis(), Map.of());
    }

    private void offer(FakeDelivery delivery) {
        assertThat(transport.offer(delivery)).isTrue();
    }
}
