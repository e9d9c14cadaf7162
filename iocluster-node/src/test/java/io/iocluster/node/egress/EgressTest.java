package io.iocluster.node.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.SentStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryMessage;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs all cases of {@link EgressTable} once on a pipeline, then checks the results. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EgressTest {

    /** The node's {@code http.timeout}, which would end a call that ignored its own timeout. */
    private static final long NODE_TIMEOUT_MILLIS = 60_000;

    private final Map<String, EgressResult> results = new HashMap<>();
    private HostileTargets targets;
    private final Map<String, String> before = new HashMap<>();
    private final MemoryBroker broker = new MemoryBroker();
    private Pipeline pipeline;
    private long ended;

    @BeforeAll
    void play() throws Exception {
        targets = new HostileTargets();
        targets.trust().forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        NodeSettings settings = SettingsLoading.node(String.join("\n", targets.settings()));
        pipeline = new Pipeline(
                settings.pipeline(), new MemoryTransport(broker), PipelineEvents.NONE, Tracing.OFF, Platform.system());
        pipeline.start();
        send(EgressTable.rows(targets));
        send(EgressTable.afterwards(targets));
        broker.answers().forEach(answer -> results.put(answer.correlationId(), EgressResult.answer(answer.payload())));
        broker.deadLetters().forEach(letter -> results.put(letter.correlationId(), deadLetter(letter)));
        assertThat(broker.answers().size() + broker.deadLetters().size())
                .as("each row ends once")
                .isEqualTo(results.size());
    }

    /** Sends the cases and waits until all have ended. */
    private void send(List<EgressCase> rows) {
        long now = System.currentTimeMillis();
        rows.forEach(row -> broker.send(row.payload(), row.id(), Map.of(), now - row.ageMillis()));
        ended += rows.size();
        await().until(() -> broker.acknowledgedCount() == ended);
    }

    private static EgressResult deadLetter(MemoryMessage letter) {
        return EgressResult.deadLetter(letter.headers().get("iocluster-error-code"));
    }

    @AfterAll
    void clear() {
        pipeline.close();
        targets.close();
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    Stream<EgressCase> rows() {
        return Stream.concat(EgressTable.rows(targets).stream(), EgressTable.afterwards(targets).stream());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void endsAsExpected(EgressCase row) {
        EgressResult result = results.get(row.id());
        assertThat(result.text()).isEqualTo(row.expected());
        Answer answer = result.answer();
        if (answer != null && row.expected().startsWith("rejected")) {
            assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
        }
        if (row.expectedMillis() > 0) {
            assertThat(answer.timing().totalMs()).isBetween(row.expectedMillis() - 10, NODE_TIMEOUT_MILLIS - 1);
        }
    }

    @Test
    void caseIdsAreUnique() {
        assertThat(rows().map(EgressCase::id)).doesNotHaveDuplicates().hasSize(results.size());
    }

    @Test
    void connectsOnlyToCheckedAddresses() throws Exception {
        assertThat(targets.trap.connectionsByAddress())
                .isEqualTo(Map.of(InetAddress.getByName(HostileTargets.ALLOWED), 1));
    }

    @Test
    void answersOtherCallsWhileSomeHang() {
        assertThat(results.get("a bystander").answer().timing().totalMs())
                .isLessThan(results.get("never answers").answer().timing().totalMs());
    }

    @Test
    void truncatesABodyAtTheLimit() {
        for (String endless : List.of("gzip bomb 0", "endless chunked body")) {
            assertThat(results.get(endless).answer().body()).hasSize(512 * 1024).containsOnly('x');
        }
    }

    @Test
    void retriesOnlySafeRequests() {
        assertThat(targets.target.requests("/cut")).isEqualTo(1);
        assertThat(targets.stale.requests("/stale?2")).isEqualTo(2);
        assertThat(results.get("stale keep-alive, GET").answer().attempts()).isEqualTo(1);
        assertThat(results.get("Retry-After: 9999999999").answer().attempts()).isEqualTo(1);
        assertThat(results.get("Retry-After: soon").answer().attempts()).isEqualTo(2);
    }

    @Test
    void closesConnectionsOfMisbehavingTargets() {
        await().until(() -> targets.target.openRequests() == 0);
    }
}
