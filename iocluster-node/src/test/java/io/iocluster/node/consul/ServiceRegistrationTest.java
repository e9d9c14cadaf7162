package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.thread.Platform;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServiceRegistrationTest {

    private static final String ID = "iocluster-n";

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private volatile String token = "";
    private ServiceRegistration registration;

    @AfterEach
    void close() {
        registration.close();
        agent.close();
    }

    private void start(String service) {
        NodeSettings settings = SettingsLoading.node("{node: {id: n}, config: {consul: {address: '" + agent.address()
                + "', base-delay: 1ms, max-delay: 5ms, timeout: 1s, service: {check-interval: 50ms, "
                + service + "}}}}");
        registration = ServiceRegistration.start(
                new ConsulAgent(settings.config().consul(), () -> token),
                settings.config().consul(),
                new ServiceDefinition(
                        settings.config().consul(),
                        RegisteredProcess.node(settings, new InetSocketAddress("127.0.0.1", 8080))),
                () -> null,
                Platform.system());
    }

    @Test
    void retriesWithTheCurrentToken() {
        agent.require("s3cr3t");
        start("check: ttl");
        await().until(() -> registration.status().problem() != null);
        assertThat(registration.status().problem()).startsWith("status 403");
        assertThat(registration.status().registered()).isFalse();

        token = "s3cr3t";

        await().until(() -> registration.status().registered());
        assertThat(registration.status().problem()).isNull();
    }

    @Test
    void closesInTimeWhenTheAgentDoesNotAnswer() {
        start("check: http");
        await().until(() -> registration.status().registered());
        agent.stopAnswering();

        long start = System.nanoTime();
        registration.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
        assertThat(agent.services().get(ID)).isNotNull();
    }
}
