package io.iocluster.lab.load.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.agent.Messages.DriverState;
import io.iocluster.lab.load.agent.Messages.DriverStep;
import io.iocluster.lab.load.agent.TestAgents.MemoryChannel;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.FaultInjector;
import io.iocluster.lab.load.metric.MetricReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents and drivers that do not fit together. */
class AgentMismatchTest {

    private static final AgentTiming FAST = AgentRunTest.FAST;
    private static final String PHASES = "phases: [{name: p, rate: 1/s, duration: 1h}]\n";

    @TempDir
    private Path folder;

    private final TestAgents agents = new TestAgents();

    @AfterEach
    void close() {
        agents.close();
    }

    @Test
    void anAgentThatCannotPrepareTheRunSaysSoAndCountsTheRunAsFailed() throws Exception {
        CompletableFuture<Long> failedRuns = startAgent("a", "1", folder);

        assertThatThrownBy(() -> driver("feeders: [{name: f, file: none.csv}]\n" + PHASES)
                        .run(1))
                .isInstanceOf(IOException.class);

        assertThat(failedRuns.get()).isEqualTo(1);
        assertThat(agents.lines())
                .singleElement()
                .asString()
                .startsWith("Run run-1 failed: ")
                .contains("none.csv: does not exist");
    }

    @Test
    void anAgentWhoseDriverIsGoneCountsTheRunAsFailed() throws Exception {
        CompletableFuture<Long> failedRuns = startAgent("a", "1", folder);
        byte[] prepare = Messages.encode(new DriverState(
                "run-1",
                1,
                Messages.nowMicros(),
                DriverStep.PREPARE,
                List.of("a"),
                "name: e\n" + experiment(PHASES),
                0,
                null,
                null,
                null));
        MemoryChannel driver = agents.open();
        // This driver sends its first message to a free agent, and no further one.
        driver.start(record -> {
            if (new String(record, UTF_8).contains("\"FREE\"")) {
                driver.announce(prepare);
            }
        });

        assertThat(failedRuns.get()).isEqualTo(1);
        assertThat(agents.lines()).containsExactly("Run run-1 failed: no message from the driver within 5 s");
    }

    @Test
    void agentsWithTheSameNameAreRefused() {
        startAgent("a", "1", folder);
        startAgent("a", "1", folder);

        assertThatThrownBy(() -> driver(PHASES).run(1))
                .isInstanceOf(IOException.class)
                .hasMessage("two agents are called a; start each with its own name: `--name`");
    }

    @Test
    void anAgentOfAnotherVersionIsRefused() {
        startAgent("a", "2", folder);

        assertThatThrownBy(() -> driver(PHASES).run(1))
                .isInstanceOf(IOException.class)
                .hasMessage("agent a has version 2, but the driver has 1; use the same version for all");
    }

    @Test
    void anExperimentThatDoesNotFitIntoAMessageIsRefused() {
        startAgent("a", "1", folder);

        assertThatThrownBy(() -> driver("hypothesis: '" + "x".repeat(40_000) + "'\n" + PHASES)
                        .run(1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the experiment is too large for agents: their message has ");
    }

    @Test
    void anAgentReadsNoFileOutsideOfItsDataFolder() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Path secret = Files.writeString(folder.resolve("secret.csv"), "id\n1\n");
        Files.createSymbolicLink(data.resolve("link.csv"), secret);

        for (String file : List.of("../secret.csv", secret.toString(), "link.csv", "../none.csv")) {
            assertThatThrownBy(() -> read(data, "feeders: [{name: f, file: '" + file + "'}]\n" + PHASES))
                    .as(file)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is outside of the folder");
        }
        assertThatThrownBy(() -> read(data, "hypothesis: '${file:" + secret + "}'\n" + PHASES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is outside of the folder");
    }

    /** Starts an agent for one run. Returns the number of its runs that failed. */
    private CompletableFuture<Long> startAgent(String name, String version, Path data) {
        return agents.start(name, version, new LoadAgent(name, version, data, Map.of()), FAST, 1)
                .failedRuns();
    }

    /** Reads an experiment as an agent does. */
    private static void read(Path data, String keys) throws IOException {
        ExperimentFile.ofDriver("name: e\n" + experiment(keys), data, Map.of());
    }

    private static String experiment(String keys) {
        return "system: {kind: http}\nrequests: [{name: r, url: \"http://127.0.0.1:9/ok\"}]\n" + keys;
    }

    private AgentRun driver(String keys) throws IOException {
        return new AgentRun(
                TestExperiments.experiment(folder.resolve("e.yaml"), experiment(keys)),
                "run-1",
                "1",
                agents.open(),
                FaultInjector.NONE,
                MetricReader.NONE,
                List.of(),
                FAST);
    }
}
