package io.iocluster.node.egress;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.SettingsLoader;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryMessage;
import io.iocluster.testkit.memory.MemoryTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table, on a pipeline of its own. */
class EgressTest extends EgressSuite {

    @Override
    Scene start(HostileWorld hostile) {
        Map<String, String> before = new HashMap<>();
        hostile.trust().forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(String.join("\n", hostile.settings()), Path.of("."))
                .settings();
        MemoryBroker broker = new MemoryBroker();
        Pipeline pipeline = new Pipeline(settings.pipeline(), new MemoryTransport(broker), PipelineEvents.NONE);
        pipeline.start();
        return new Scene() {
            private long ended;

            @Override
            public Map<String, Ending> play(List<Row> rows) {
                long now = System.currentTimeMillis();
                rows.forEach(row -> broker.send(row.payload(), row.id(), Map.of(), now - row.ageMillis()));
                ended += rows.size();
                await().atMost(Duration.ofSeconds(60)).until(() -> broker.acknowledged() == ended);
                Map<String, Ending> endings = new HashMap<>();
                broker.answers().forEach(answer -> endings.put(answer.correlation(), Ending.answer(answer.payload())));
                broker.deadLetters().forEach(letter -> endings.put(letter.correlation(), deadLetter(letter)));
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

    private static Ending deadLetter(MemoryMessage letter) {
        return Ending.deadLetter(letter.headers().get("iocluster-error-code"));
    }
}
