package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.ColdNode;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.upstream.UpstreamStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a running node whose configuration gets a destination with a Consul service. */
class UpstreamsReloadTest {

    private static final String DESTINATION =
            "\ndestinations: [{match: [partner.example], upstreams: {consul: {service: partner}}}]";

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final String configuration = """
            admin: {port: 0}
            config:
              poll-interval: 50ms
              consul: {address: "%s", base-delay: 10ms, max-delay: 50ms, timeout: TIMEOUT, service: {enabled: false}}
            egress: {ports: [], allow-networks: [127.0.0.0/8]}
            """.formatted(agent.address());

    @TempDir
    Path folder;

    private Path file;
    private AdminFixture fixture;

    /** Starts a node that waits this long for Consul, and returns its configuration. */
    private String start(String timeout) throws IOException {
        String consul = configuration.replace("TIMEOUT", timeout);
        file = folder.resolve("node.yaml");
        Files.writeString(file, consul);
        fixture = new AdminFixture(consul.replaceAll("(?m)^egress.*$", ""));
        fixture.node.watchConfiguration(file, new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT));
        agent.setInstances("partner", "127.0.0.1:" + fixture.target.port());
        return consul;
    }

    @AfterEach
    void closeAll() {
        agent.releaseInstances();
        fixture.close();
        agent.close();
    }

    @Test
    void aNewDestinationIsAppliedWhenConsulHasNamedItsUpstreams() throws IOException {
        String consul = start("30s");
        agent.holdInstances();
        Files.writeString(file, consul + DESTINATION);
        await().until(() -> agent.healthQueries().size() == 1);
        await().during(Duration.ofMillis(150)).until(() -> applied() == 0);

        agent.releaseInstances();
        await().until(() -> applied() == 1);

        assertThat(fixture.node.upstreams())
                .extracting(UpstreamStatus::upstream)
                .containsExactly("127.0.0.1:" + fixture.target.port());
        assertThat(HostileConsulTest.statusOfCall(fixture)).isEqualTo(200);
    }

    @Test
    void aNewDestinationIsAppliedWithoutUpstreamsIfConsulDoesNotAnswerInTime() throws IOException {
        String consul = start("300ms");
        agent.stopAnswering();

        Files.writeString(file, consul + DESTINATION);

        await().until(() -> applied() == 1);
        assertThat(fixture.node.upstreams()).isEmpty();
        assertThat(fixture.node.configuration().lastReload().errors()).isEmpty();
    }

    @Test
    void aNewDestinationGetsItsUpstreamsWhenConsulIsBack() throws IOException {
        String consul = start("300ms");
        agent.fail(500);
        Files.writeString(file, consul + DESTINATION);
        await().until(() -> applied() == 1);

        agent.fail(0);

        await().until(() -> fixture.node.upstreams().size() == 1);
        assertThat(HostileConsulTest.statusOfCall(fixture)).isEqualTo(200);
    }

    @Test
    void aNewTokenIsUsedForTheServiceOfTheSameEdit() throws IOException {
        String consul = start("300ms");
        agent.require("new");

        Files.writeString(file, consul.replace("timeout:", "token: new, timeout:") + DESTINATION);

        await().until(() -> applied() == 1);
        assertThat(fixture.node.upstreams()).hasSize(1);
    }

    private long applied() {
        return fixture.node.configuration().applied();
    }
}
