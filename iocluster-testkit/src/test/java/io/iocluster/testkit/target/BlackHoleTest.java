package io.iocluster.testkit.target;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import org.junit.jupiter.api.Test;

class BlackHoleTest {

    @Test
    void answersNoConnectionAttempt() throws Exception {
        try (BlackHole hole = BlackHole.open("127.0.0.4");
                Socket caller = new Socket()) {
            URI url = URI.create(hole.url("/"));

            assertThatThrownBy(() -> caller.connect(new InetSocketAddress(url.getHost(), url.getPort()), 300))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }
}
