package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.AnswerDecoder;
import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.upstream.UpstreamStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a node whose Consul names upstreams that the operator does not want to be called. */
class HostileConsulTest {

    private static final String METADATA = "169.254.169.254:80";

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final TargetServer replica = TargetServer.start();
    private final TargetServer victim = TargetServer.start();
    private final String good = "127.0.0.1:" + replica.port();
    private final String wrongPort = "127.0.0.1:" + victim.port();

    @AfterEach
    void closeAll() {
        replica.close();
        victim.close();
        agent.close();
    }

    private AdminFixture start(String ports) {
        return new AdminFixture("""
                admin: {port: 0}
                config: {consul: {address: "%s", service: {enabled: false}}}
                destinations:
                  - {match: [partner.example], upstreams: {consul: {service: partner}%s}}
                """.formatted(agent.address(), ports));
    }

    @Test
    void onlyInstancesThatTheEgressPolicyAllowsGetCalls() {
        agent.setInstances("partner", wrongPort, METADATA, "10.0.0.1:" + replica.port(), good);

        try (AdminFixture fixture = start(", ports: [" + replica.port() + "]")) {
            assertThat(fixture.node.upstreams())
                    .extracting(UpstreamStatus::upstream)
                    .containsExactly(good);
            for (int i = 0; i < 20; i++) {
                assertThat(statusOfCall(fixture)).isEqualTo(200);
            }
        }

        assertThat(victim.requestLog().requests()).isZero();
    }

    @Test
    void theLastInstancesStayIfTheEgressPolicyForbidsAllNewOnes() {
        agent.setInstances("partner", good);

        try (AdminFixture fixture = start(", ports: [" + replica.port() + "]")) {
            await().until(() -> agent.healthQueries().size() == 2);
            agent.setInstances("partner", wrongPort, METADATA);
            // The next query shows that the node has handled the answer to this one.
            await().until(() -> agent.healthQueries().size() == 3);

            assertThat(fixture.node.upstreams())
                    .extracting(UpstreamStatus::upstream)
                    .containsExactly(good);
            assertThat(statusOfCall(fixture)).isEqualTo(200);
        }

        assertThat(victim.requestLog().requests()).isZero();
    }

    static int statusOfCall(AdminFixture fixture) {
        int before = fixture.broker.answers().size();
        fixture.broker.send("{\"url\": \"http://partner.example/ok\"}");
        await().until(() -> fixture.broker.answers().size() > before);
        return new AnswerDecoder()
                .decode(fixture.broker.answers().get(before).payload())
                .status();
    }
}
