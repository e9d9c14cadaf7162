package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.result.GeneratorResult.Agent;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a cluster and agents as processes on RabbitMQ. */
class RabbitLoadRunIT {

    @TempDir
    private Path folder;

    @Test
    void agentsOnRabbitSendTheCallsTogether() throws Exception {
        try (LoadProcesses load = new LoadProcesses(folder, "rabbit", 1);
                JavaProcess one = load.agent("one");
                JavaProcess two = load.agent("two")) {
            RunResult result = load.result(load.experiment("""
                    requests: [{name: get, url: "%s/ok"}]
                    phases: [{name: p, rate: 100/s, duration: 1s}]
                    expectations: [errors <= 0]
                    """.formatted(load.target())), "--agents=2");

            assertThat(result.phases().get(0).total().outcomes())
                    .containsOnlyKeys("200")
                    .containsValue(100L);
            assertThat(result.generator().agents())
                    .extracting(Agent::name, Agent::sent)
                    .containsExactlyInAnyOrder(tuple("one", 50L), tuple("two", 50L));
            assertThat(one.isAlive() && two.isAlive()).isTrue();
            assertNoProcessOutlivesTheKilledCluster(load.cluster());
        }
    }

    private static void assertNoProcessOutlivesTheKilledCluster(JavaProcess cluster) {
        List<ProcessHandle> all = ProcessHandle.of(cluster.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
        assertThat(running(all)).contains("java", "beam.smp", "epmd");

        cluster.kill();

        await().atMost(LoadProcesses.LONG)
                .untilAsserted(() -> assertThat(running(all)).isEmpty());
    }

    /** Returns the names of the programs that run. Leaves out zombie processes, which have no command. */
    private static List<String> running(List<ProcessHandle> processes) {
        return processes.stream()
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().command().stream())
                .map(command -> Path.of(command).getFileName().toString())
                .toList();
    }
}
