package io.iocluster.lab.load.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.agent.AgentProcess.AgentWorkFactory;
import io.iocluster.lab.load.agent.TestAgents.MemoryChannel;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.FaultInjector;
import io.iocluster.lab.load.metric.MetricReader;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.GeneratorResult;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.run.LoadRun;
import io.iocluster.lab.load.run.Progress;
import io.iocluster.lab.load.run.RunListener;
import io.iocluster.lab.load.run.RunParts;
import io.iocluster.lab.load.run.Share;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.target.CallObserver;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRunTest {

    static final AgentTiming FAST = new AgentTiming(
            Duration.ofMillis(20),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60));

    /** Lets agents and drivers wait for longer than the undo of a fault takes, and than a busy machine pauses them. */
    private static final AgentTiming PATIENT = new AgentTiming(
            FAST.announceInterval(),
            FAST.clockSyncTime(),
            FAST.startDelay(),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    @TempDir
    private Path folder;

    private final TargetServer server = TargetServer.start();
    private final TestAgents agents = new TestAgents();

    @AfterEach
    void close() {
        agents.close();
        server.close();
    }

    @Test
    void theAgentsSendTheCallsOfOneProcessTogether() throws Exception {
        startAgent("a");
        startAgent("b");

        RunResult result = run("""
                phases: [{name: p, rate: 300/s, duration: 1100ms}]
                expectations: [error-share < 1%, p90 < 1m, rate-share > 99%]
                """, new RunListener() {});
        PhaseResult phase = result.phases().get(0);

        assertThat(result.partialReason()).isNull();
        assertThat(result.isSuccess()).isTrue();
        assertThat(result.phases()).hasSize(1);
        assertThat(phase.due()).isEqualTo(330);
        assertThat(phase.sent()).isEqualTo(330);
        assertThat(phase.total().outcomes()).containsOnlyKeys("200").containsValue(330L);
        assertThat(phase.total().latency().count()).isEqualTo(330);
        assertThat(result.generator().scheduleError().count()).isEqualTo(330);
        assertThat(result.series()).isNotEmpty();
        assertThat(result.series().get(0).due()).isEqualTo(300);
        assertThat(result.series().get(0).sent()).isBetween(1L, 330L);
        assertThat(result.generator().agents())
                .extracting(GeneratorResult.Agent::name)
                .containsExactlyInAnyOrder("a", "b");
        assertThat(result.generator().agents()).allSatisfy(agent -> {
            assertThat(agent.sent()).isEqualTo(165);
            assertThat(agent.problem()).isNull();
            assertThat(Math.abs(agent.clockOffsetMillis())).isLessThanOrEqualTo(agent.clockErrorMillis() + 1);
        });
    }

    @Test
    void aRunWhoseAgentDiesEndsEarlyAndSaysSo() throws Exception {
        startAgent("a");
        MemoryChannel doomed = startAgent("b");
        RunListener listener = new RunListener() {
            @Override
            public void progress(Progress progress) {
                doomed.cut();
            }
        };

        RunResult result = agentRun(
                        "phases: [{name: p, rate: 100/s, duration: 1h}]\n", listener, FaultInjector.NONE, FAST)
                .run(2);

        assertThat(result.partialReason()).isEqualTo("agent b: died");
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.generator().agents())
                .filteredOn(agent -> agent.name().equals("b"))
                .singleElement()
                .satisfies(agent -> assertThat(agent.problem()).isEqualTo("died"));
        assertThat(result.phases().get(0).sent()).isPositive();
    }

    @Test
    void aRunWhoseAgentFailsEndsEarlyAndSaysWhy() throws Exception {
        startAgent("a");
        startAgent("b", (experiment, run, agents, index) -> failingWork(experiment, index));

        RunResult result = run("phases: [{name: p, rate: 100/s, duration: 1h}]\n", new RunListener() {});

        assertThat(result.partialReason()).isEqualTo("agent b: run failed: no sockets left");
        assertThat(result.isSuccess()).isFalse();
    }

    @Test
    void anAgentMayLoadTheExperimentForLongerThanADriverMayBeSilent() throws Exception {
        LoadAgent loader = new LoadAgent("a", "test", folder, Map.of());
        startAgent(
                "a",
                (experiment, run, agents, index) -> {
                    long loaded = System.nanoTime() + FAST.peerTimeout().toNanos() * 3 / 2;
                    await().until(() -> System.nanoTime() - loaded > 0);
                    return loader.prepare(experiment, run, agents, index);
                },
                FAST);

        RunResult result = agentRun("phases: [{name: p, rate: 100/s, duration: 200ms}]\n", new RunListener() {})
                .run(1);

        assertThat(result.partialReason()).isNull();
        assertThat(result.phases().get(0).sent()).isEqualTo(20);
    }

    @Test
    void aStoppedRunHasThePartialResultsOfItsAgents() throws Exception {
        startAgent("a");
        startAgent("b");
        AgentRun[] run = new AgentRun[1];
        run[0] = agentRun(
                "phases: [{name: p, rate: 100/s, duration: 1h}]\nexpectations: [p99 < 1s]\n", new RunListener() {
                    @Override
                    public void progress(Progress progress) {
                        run[0].stop("interrupted");
                    }
                });

        RunResult result = run[0].run(2);

        assertThat(result.partialReason()).isEqualTo("interrupted");
        assertThat(result.phases().get(0).sent()).isGreaterThan(50);
        assertThat(result.series()).extracting(TimePoint::phase).contains("p");
        assertThat(result.expectations()).extracting(each -> each.state()).containsExactly(State.UNKNOWN);
    }

    @Test
    void aStoppedRunUndoesItsFaultsBeforeItsAgentsReturnTheirResults() throws Exception {
        startAgent("a");
        MemoryChannel silent = startAgent("b");
        AgentRun[] run = new AgentRun[1];
        FaultInjector injector = fault -> {
            silent.cut();
            run[0].stop("interrupted");
            return silent::restore;
        };
        run[0] = agentRun(
                "phases: [{name: p, rate: 100/s, duration: 1h}]\nfaults: [{name: f, action: command, run: [a]}]\n",
                new RunListener() {},
                injector,
                PATIENT);

        RunResult result = run[0].run(2);

        assertThat(result.partialReason()).isEqualTo("interrupted");
        assertThat(result.generator().agents())
                .extracting(GeneratorResult.Agent::problem)
                .containsOnly("interrupted");
        assertThat(result.faults())
                .singleElement()
                .satisfies(mark -> assertThat(mark.toSeconds()).isNotNull());
    }

    @Test
    void aForeignMessageDoesNotEndAnAgent() throws Exception {
        startAgent("a");
        MemoryChannel foreign = agents.open();
        CountDownLatch agentIsThere = new CountDownLatch(1);
        foreign.start(record -> agentIsThere.countDown());
        agentIsThere.await();
        foreign.announce("{\"driver\": {\"run\": \"x\", \"step\": \"PREPARE\"}}".getBytes(UTF_8));

        RunResult result = agentRun("phases: [{name: p, rate: 100/s, duration: 200ms}]\n", new RunListener() {})
                .run(1);

        assertThat(result.partialReason()).isNull();
    }

    @Test
    void anAgentThatCannotRunTheExperimentEndsIt() throws Exception {
        startAgent("a");

        assertThatThrownBy(() -> agentRun(
                                "feeders: [{name: f, file: none.csv}]\nphases: [{name: p, rate: 1/s, duration: 1s}]\n",
                                new RunListener() {})
                        .run(1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("agent a: ")
                .hasMessageContaining("none.csv: does not exist");
    }

    /** Returns work whose calls cannot be sent. */
    private AgentWork failingWork(String experiment, int index) throws IOException {
        LoadTarget target = new LoadTarget() {
            @Override
            public void send(CallSpec call, CallObserver observer) {
                throw new IllegalStateException("no sockets left");
            }

            @Override
            public void close() {}
        };
        AgentWork work = new AgentWork();
        RunParts parts = new RunParts(
                "run-1", "test", target, FaultInjector.NONE, MetricReader.NONE, List.of(work), LoadClock.SYSTEM);
        ExperimentFile file = ExperimentFile.ofDriver(experiment, folder, Map.of());
        work.setRun(new LoadRun(file, parts, new Share(2, index)), target);
        return work;
    }

    private MemoryChannel startAgent(String name) {
        return startAgent(name, new LoadAgent(name, "test", folder, Map.of()));
    }

    private MemoryChannel startAgent(String name, AgentWorkFactory factory) {
        return startAgent(name, factory, PATIENT);
    }

    private MemoryChannel startAgent(String name, AgentWorkFactory factory, AgentTiming timing) {
        return agents.start(name, "test", factory, timing, 0).channel();
    }

    private RunResult run(String yaml, RunListener listener) throws IOException, InterruptedException {
        return agentRun(yaml, listener).run(2);
    }

    private AgentRun agentRun(String yaml, RunListener listener) throws IOException {
        return agentRun(yaml, listener, FaultInjector.NONE, PATIENT);
    }

    private AgentRun agentRun(String yaml, RunListener listener, FaultInjector injector, AgentTiming timing)
            throws IOException {
        String head = "system: {kind: http}\nrequests: [{name: r, url: \"" + server.url("/ok") + "\"}]\n";
        return new AgentRun(
                TestExperiments.experiment(folder.resolve("e.yaml"), head + yaml),
                "run-1",
                "test",
                agents.open(),
                injector,
                MetricReader.NONE,
                List.of(listener),
                timing);
    }
}
