package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    @Test
    void returnsTheReplyTextOfTheBroker() {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(404)
                .replyText("NOT_FOUND - no queue 'q'")
                .build();
        Throwable failure = new IOException(new ShutdownSignalException(false, false, close, null));

        assertThat(FailureText.of(failure)).isEqualTo("NOT_FOUND - no queue 'q'");
        assertThat(FailureText.replyCode(close)).isEqualTo(404);
        assertThat(FailureText.replyCode(null)).isZero();
    }

    @Test
    void returnsTheCauseOfALostConnection() {
        ShutdownSignalException lost = new ShutdownSignalException(true, false, null, null);
        lost.initCause(new IOException("recvAddress(..) failed with error(-104): Connection reset by peer"));

        assertThat(FailureText.of(lost)).isEqualTo("Connection reset by peer");
    }

    @Test
    void describesExceptionsWithoutAMessage() {
        assertThat(FailureText.of(new TimeoutException())).isEqualTo("no answer in time");
        assertThat(FailureText.of(new UnknownHostException("h"))).isEqualTo("unknown host");
        assertThat(FailureText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(FailureText.of(new IOException("first line\nsecond"))).isEqualTo("first line");
    }
}
