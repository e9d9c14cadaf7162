package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class InitialKeyValueTest {

    @AutoClose
    private final FakeConsulAgent agent = new FakeConsulAgent();

    private String await(String within) throws IOException, InterruptedException {
        return InitialKeyValue.await(
                        BlockingQueryTest.settings(
                                agent,
                                "min-interval: 1ms, base-delay: 1ms, max-delay: 5ms, startup-timeout: " + within),
                        Platform.system())
                .yaml();
    }

    private static void runSoon(Runnable task) {
        CompletableFuture.runAsync(task, CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS));
    }

    @Test
    void waitsForAMissingKey() throws Exception {
        runSoon(() -> agent.keys().put("a b/ü", ""));

        assertThat(await("1m")).isEmpty();
    }

    @Test
    void waitsForAnUnreachableAgent() throws Exception {
        agent.keys().put("a b/ü", "one");
        agent.stop();
        runSoon(agent::restart);

        assertThat(await("1m")).isEqualTo("one");
    }

    @Test
    void rejectsTheSettingsWhenTheTokenMayNotRead() {
        agent.require("s3cr3t");

        assertThatThrownBy(() -> await("50ms"))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage(
                        "config.consul.token may not read a b/ü: status 403, Permission denied: token lacks permission");
    }
}
