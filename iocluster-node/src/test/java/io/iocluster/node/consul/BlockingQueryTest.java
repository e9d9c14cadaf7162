package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.BootstrapSettings;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests the rules of blocking queries in Consul's documentation. */
class BlockingQueryTest {

    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final Duration A_MOMENT = Duration.ofMillis(20);

    @AutoClose
    private final FakeConsulAgent agent = new FakeConsulAgent();

    static ConsulSettings settings(TestAgent agent, String more) {
        return new SettingsLoader<>(BootstrapSettings.class, Map.of())
                .load(
                        "config: {consul: {address: '" + agent.address() + "', key: 'a b/ü', " + more + "}}",
                        Path.of("."))
                .settings()
                .config()
                .consul();
    }

    private BlockingQuery query(String more) {
        ConsulSettings settings = settings(agent, more);
        return BlockingQuery.ofKey(new ConsulAgent(settings, settings::token), settings);
    }

    @Test
    void readsAtOnceAndThenWaitsForAChange() throws Exception {
        agent.keys().put("a b/ü", "one");
        BlockingQuery query = query("datacenter: dc-2");
        assertThat(query.query(A_MINUTE)).contains("one");

        CompletableFuture<?> change = CompletableFuture.runAsync(
                () -> agent.keys().put("a b/ü", "two"), CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
        assertThat(query.query(A_MINUTE)).contains("two");

        change.join();
        assertThat(agent.queries())
                .containsExactly(
                        Map.of("raw", "", "dc", "dc-2"),
                        Map.of("raw", "", "dc", "dc-2", "index", "11", "wait", "60000ms"));
    }

    @Test
    void returnsTheSameValueWhenTheWaitIsOver() throws Exception {
        agent.keys().put("a b/ü", "one");
        BlockingQuery query = query("");
        query.query(A_MINUTE);

        assertThat(query.query(A_MOMENT)).contains("one");
    }

    @Test
    void waitsForAMissingKey() throws Exception {
        BlockingQuery query = query("");
        assertThat(query.query(A_MINUTE)).isEmpty();

        agent.keys().put("a b/ü", "");

        assertThat(query.query(A_MINUTE)).contains("");
    }

    @Test
    void resetsTheIndexWhenItGoesBackwards() throws Exception {
        agent.keys().put("a b/ü", "one");
        BlockingQuery query = query("");
        query.query(A_MINUTE);

        agent.keys().countFrom(3);
        query.query(A_MOMENT);
        query.query(A_MINUTE);

        assertThat(agent.queries().get(2)).doesNotContainKey("index");
        assertThat(query.index()).isEqualTo(3);
    }

    @Test
    void treatsAnIndexOfZeroAsOne() throws Exception {
        agent.claimIndex("0");
        BlockingQuery query = query("");

        query.query(A_MINUTE);
        query.query(A_MOMENT);

        assertThat(agent.queries().get(1)).containsEntry("index", "1");
    }

    @Test
    void returnsAtOnceAfterAReset() throws Exception {
        BlockingQuery query = query("");
        query.query(A_MINUTE);
        query.resetIndex();

        query.query(A_MINUTE);

        assertThat(agent.queries().get(1)).doesNotContainKey("index");
    }

    @Test
    void rejectsAnAnswerWithoutAnIndex() {
        agent.claimIndex("");

        assertThatThrownBy(() -> query("").query(A_MINUTE))
                .isInstanceOf(IOException.class)
                .hasMessage("not a Consul agent: the answer has no X-Consul-Index; check config.consul.address");
    }

    @Test
    void rejectsAValueThatIsTooLarge() {
        agent.keys().put("a b/ü", "123456789");

        assertThatThrownBy(() -> query("max-value-size: 8B").query(A_MINUTE))
                .isInstanceOf(IOException.class)
                .hasMessage("the answer is larger than 8 bytes");
    }

    @Test
    void sendsItsToken() throws Exception {
        agent.require("s3cr3t");

        assertThat(query("token: s3cr3t").query(A_MINUTE)).isEmpty();
        assertThatThrownBy(() -> query("token: other").query(A_MINUTE))
                .isInstanceOfSatisfying(
                        AgentResponseException.class,
                        rejection -> assertThat(rejection.isForbidden()).isTrue())
                .hasMessage("status 403, Permission denied: token lacks permission");
    }

    @Test
    void reportsTheAgentsError() {
        agent.fail(500);

        assertThatThrownBy(() -> query("").query(A_MINUTE)).hasMessage("status 500, No cluster leader");
    }

    @Test
    void failsWhenTheAgentDoesNotAnswerInTime() {
        agent.stopAnswering();

        assertThatThrownBy(() -> query("timeout: 50ms").query(A_MINUTE)).hasMessage("no answer within 50ms");
    }

    @Test
    void reportsAnUnreachableAgent() {
        BlockingQuery query = query("");
        agent.stop();

        assertThatThrownBy(() -> query.query(A_MINUTE)).hasMessage("connection refused");
    }
}
