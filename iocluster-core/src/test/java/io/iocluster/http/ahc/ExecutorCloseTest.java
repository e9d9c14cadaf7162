package io.iocluster.http.ahc;

import static io.iocluster.http.ahc.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.testkit.target.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExecutorCloseTest extends ExecutorFixture {

    @Test
    void closesIdleConnectionsAfterACallThatCouldNotStart() throws Exception {
        CountDownLatch connectionClosed = latch();
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(OK);
            connection.awaitClose();
            connectionClosed.countDown();
        });
        TestExecutor executor = open(new TestExecutor());
        executor.response(get(server.port(), "/"));
        executor.stopTimer();
        assertThatThrownBy(() -> executor.onLoop(() -> executor.executor()
                        .execute(get(server.port(), "/"), Duration.ofSeconds(5), TestExecutor.UNLIMITED)))
                .isInstanceOf(IllegalStateException.class);

        executor.executor().close();

        assertThat(connectionClosed.await(20, TimeUnit.SECONDS)).isTrue();
    }
}
