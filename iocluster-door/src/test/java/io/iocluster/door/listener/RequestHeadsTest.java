package io.iocluster.door.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestHeadsTest {

    private final EmbeddedChannel connection = new EmbeddedChannel();
    private final RequestHeads heads = RequestHeads.watch(connection, Duration.ofSeconds(10), false);

    @Test
    void theTimeoutOfAClosedConnectionIsNotHeld() {
        assertThat(heads.isExpecting()).isTrue();

        // Unlike close() of the channel, this leaves its scheduled tasks alone.
        connection.pipeline().close();

        assertThat(heads.isExpecting()).isFalse();
    }

    @Test
    void aConnectionWithoutARequestIsClosed() {
        pass(11);

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aLaterRequestThatArrivesByteByByteIsClosed() {
        request(false);
        for (int i = 0; i < 10; i++) {
            receive("G");
            pass(1);
        }

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aLaterRequestThatArrivesInTimeIsNotClosed() {
        request(false);
        receive("GET / HTTP/1.1");
        request(false);
        pass(11);

        assertThat(connection.isOpen()).isTrue();
        assertThat(heads.isExpecting()).isFalse();
    }

    @Test
    void theBodyOfAnOpenRequestIsNotTheStartOfAnother() {
        heads.started(false);
        receive("body");
        pass(11);

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void laterFramesOfHttp2AreNoRequests() {
        request(true);
        receive("ping");
        pass(11);

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void aCallerThatSendsRequestsWithoutReadingIsDisconnected() {
        for (int i = 0; i < RequestHeads.MAX_PIPELINED; i++) {
            heads.started(false);
        }
        assertThat(connection.isOpen()).isTrue();

        heads.started(false);

        assertThat(connection.isOpen()).isFalse();
    }

    private void request(boolean multiplexed) {
        heads.started(multiplexed);
        heads.ended();
    }

    private void receive(String bytes) {
        connection.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
    }

    private void pass(int seconds) {
        connection.advanceTimeBy(seconds, TimeUnit.SECONDS);
        connection.runPendingTasks();
        connection.runScheduledPendingTasks();
    }
}
