package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.pipeline.FakeExecutors.Attempt;
import io.iocluster.pipeline.FakeTransport.Published;
import io.iocluster.transport.FakeDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How much a pipeline takes at once. */
class PipelineWindowTest extends PipelineScene {

    @Test
    void refusesWhatDoesNotFitTheWindowAndSaysWhenThereIsRoom() throws Exception {
        offered(NEVER);
        offered(NEVER);
        FakeDelivery third = new FakeDelivery(NEVER);

        assertThat(transport.offer(third)).isFalse();
        int before = transport.roomFreed.get();
        http.next().respond(200);
        await().until(() -> transport.roomFreed.get() > before);

        assertThat(transport.offer(third)).isTrue();
    }

    @Test
    void makesRoomForTheNextCallWhenOneEndsButNotForEverMoreUnconfirmedAnswers() throws Exception {
        List<Published> unconfirmed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            offered(GET);
            http.next().respond(200);
            unconfirmed.add(transport.nextPublished());
        }
        FakeDelivery fourth = new FakeDelivery(GET);

        assertThat(transport.offer(fourth)).isFalse();
        int before = transport.roomFreed.get();
        unconfirmed.remove(0).confirm();
        await().until(() -> transport.roomFreed.get() > before);

        assertThat(transport.offer(fourth)).isTrue();
    }

    @Test
    void countsAnswersBodiesInTheWindowOfBytes() throws Exception {
        offered(NEVER);
        Attempt attempt = http.next();

        CompletableFuture<Boolean> fits = new CompletableFuture<>();
        attempt.loop().execute(() -> fits.complete(attempt.budget().tryTake(1 << 19)));
        assertThat(fits.get(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        attempt.loop().execute(() -> over.complete(attempt.budget().tryTake(1 << 19)));
        assertThat(over.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(pipeline.status().bytes()).isEqualTo(NEVER.length() + (1 << 19));

        attempt.respond(200);
        await().until(() -> pipeline.status().bytes() == 0);
    }
}
