package io.iocluster.node.egress;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryMessage;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the egress cases on a pipeline. */
class EgressTest extends EgressTestBase {

    @Override
    EgressScenario start(HostileTargets hostile) {
        Map<String, String> before = new HashMap<>();
        hostile.trust().forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(String.join("\n", hostile.settings()), Path.of("."))
                .settings();
        MemoryBroker broker = new MemoryBroker();
        Pipeline pipeline = new Pipeline(
                settings.pipeline(), new MemoryTransport(broker), PipelineEvents.NONE, Tracing.OFF, Platform.system());
        pipeline.start();
        return new EgressScenario() {
            private long ended;

            @Override
            public Map<String, EgressResult> play(List<EgressCase> rows) {
                long now = System.currentTimeMillis();
                rows.forEach(row -> broker.send(row.payload(), row.id(), Map.of(), now - row.ageMillis()));
                ended += rows.size();
                await().atMost(Duration.ofSeconds(60)).until(() -> broker.acknowledgedCount() == ended);
                Map<String, EgressResult> endings = new HashMap<>();
                broker.answers()
                        .forEach(answer -> endings.put(answer.correlationId(), EgressResult.answer(answer.payload())));
                broker.deadLetters().forEach(letter -> endings.put(letter.correlationId(), deadLetter(letter)));
                return endings;
            }

            @Override
            public void close() {
                pipeline.close();
                before.forEach((name, value) -> {
                    if (value == null) {
                        System.clearProperty(name);
                    } else {
                        System.setProperty(name, value);
                    }
                });
            }
        };
    }

    private static EgressResult deadLetter(MemoryMessage letter) {
        return EgressResult.deadLetter(letter.headers().get("iocluster-error-code"));
    }
}
