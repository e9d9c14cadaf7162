package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Answer;
import io.iocluster.pipeline.PipelineFixture;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.event.PipelineEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TappedCallsTest extends PipelineFixture {

    private final List<String> tapped = new CopyOnWriteArrayList<>();
    private volatile boolean isTapOpen;

    @Override
    protected void start(Duration stallTimeout) {
        PipelineEvents events = new PipelineEvents() {
            @Override
            public boolean isTapped() {
                return isTapOpen;
            }

            @Override
            public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
                tapped.add(answer.id() + " " + destination + " " + (request == null ? null : request.method()) + " "
                        + answer.outcome().wireName());
            }
        };
        pipeline = TestPipelines.of(transport, http, clock, events, workers(1, 2), POLICY);
        pipeline.start();
    }

    @Test
    void reportsTheCallsThatEndWhileATapIsOpen() throws Exception {
        offer(GET);
        http.next().respond(200);
        transport.nextPublished().confirm();
        isTapOpen = true;
        offer(GET);
        http.next().respond(200);
        transport.nextPublished().confirm();
        offer("no envelope");
        transport.nextPublished().confirm();

        assertThat(tapped).hasSize(2);
        assertThat(tapped.get(0)).startsWith("i ").contains(" GET answered");
        assertThat(tapped.get(1)).endsWith(" null null rejected");
    }
}
