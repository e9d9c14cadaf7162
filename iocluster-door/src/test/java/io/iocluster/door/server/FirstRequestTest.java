package io.iocluster.door.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FirstRequestTest {

    @Test
    void theTimeoutOfAClosedConnectionIsNotHeld() {
        EmbeddedChannel connection = new EmbeddedChannel();
        Future<?> timeout = FirstRequest.expect(connection, Duration.ofMinutes(1));
        assertThat(timeout.isDone()).isFalse();

        // Unlike close() of the channel, this leaves its scheduled tasks alone.
        connection.pipeline().close();

        assertThat(timeout.isCancelled()).isTrue();
    }
}
