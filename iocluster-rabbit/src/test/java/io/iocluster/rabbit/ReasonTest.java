package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ReasonTest {

    @Test
    void saysWhatTheBrokerSaid() {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(404)
                .replyText("NOT_FOUND - no queue 'q'")
                .build();
        Throwable failure = new IOException(new ShutdownSignalException(false, false, close, null));

        assertThat(Reason.of(failure)).isEqualTo("NOT_FOUND - no queue 'q'");
        assertThat(Reason.replyCode(close)).isEqualTo(404);
        assertThat(Reason.replyCode(null)).isZero();
    }

    @Test
    void saysWhyAConnectionWasLost() {
        ShutdownSignalException lost = new ShutdownSignalException(true, false, null, null);
        lost.initCause(new IOException("recvAddress(..) failed with error(-104): Connection reset by peer"));

        assertThat(Reason.of(lost)).isEqualTo("Connection reset by peer");
    }

    @Test
    void hasWordsForWhatHasNone() {
        assertThat(Reason.of(new TimeoutException())).isEqualTo("no answer in time");
        assertThat(Reason.of(new UnknownHostException("h"))).isEqualTo("unknown host");
        assertThat(Reason.of(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(Reason.of(new IOException("first line\nsecond"))).isEqualTo("first line");
    }
}
