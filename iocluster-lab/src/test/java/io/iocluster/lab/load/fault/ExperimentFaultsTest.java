package io.iocluster.lab.load.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.FakeServer;
import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.FaultInjector.ActiveFault;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentFaultsTest {

    private static final String WORKERS = "{\"workers\": {\"threads\": 2, \"max-in-flight\": 50}}";

    @TempDir
    private Path folder;

    private FakeServer one;
    private FakeServer two;

    @BeforeEach
    void start() throws IOException {
        one = new FakeServer()
                .respond("/api/status", 200, "{\"state\": \"running\"}")
                .respond("/api/config", 200, WORKERS);
        two = new FakeServer()
                .respond("/api/status", 200, "{\"state\": \"paused\"}")
                .respond("/api/config", 200, WORKERS);
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void aPausedNodeIsResumedUnlessItWasPausedBefore() throws Exception {
        ActiveFault fault = startFault("action: pause-node");
        assertThat(one.changes()).containsExactly("POST /api/pause");

        fault.undo();

        assertThat(one.changes()).endsWith("POST /api/resume");
        assertThat(two.changes()).containsExactly("POST /api/pause");
    }

    @Test
    void aResizedNodeGetsTheSizeThatItHadBefore() throws Exception {
        ActiveFault fault =
                startFault("action: resize-node, threads: 4, max-in-flight: 300, node: '" + one.url() + "'");
        fault.undo();

        assertThat(one.changes())
                .containsExactly(
                        "PATCH /api/workers {\"threads\":4,\"max-in-flight\":300}",
                        "PATCH /api/workers {\"threads\":2,\"max-in-flight\":50}");
        assertThat(two.requests()).isEmpty();
    }

    @Test
    void aLimitOfADestinationIsEndedAndEndsByItselfIfThisProcessDies() throws Exception {
        ActiveFault fault = startFault(
                "action: limit-destination, destination: partner, rate: 10/s, duration: 30s, max-in-flight: 5");
        fault.undo();

        assertThat(one.changes())
                .containsExactly(
                        "POST /api/destinations/limit {\"destination\":\"partner\",\"for\":\"90s\",\"max-in-flight\":5,"
                                + "\"rate\":\"10/s\"}",
                        "POST /api/destinations/unlimit {\"destination\":\"partner\"}");
    }

    @Test
    void aPauseOfADestinationWithoutADurationLastsUntilTheEndOfTheRun() throws Exception {
        startFault("action: pause-destination, destination: partner").undo();

        assertThat(one.changes())
                .containsExactly(
                        "POST /api/destinations/pause {\"destination\":\"partner\",\"for\":\"100s\"}",
                        "POST /api/destinations/resume {\"destination\":\"partner\"}");
    }

    @Test
    void aPauseWithoutADurationLastsWhileTheRunWaitsForItsExpectations() throws Exception {
        ExperimentFile file = TestExperiments.load(
                folder,
                "nodes: ['" + one.url() + "']",
                "expectations: [lag < 1s within 5m, lag in peak < 1s within 1m]\n"
                        + "faults: [{name: f, action: pause-destination, destination: partner}]");
        new ExperimentFaults(file, Map.of())
                .start(file.experiment().faults().get(0))
                .undo();

        assertThat(one.changes())
                .contains("POST /api/destinations/pause {\"destination\":\"partner\",\"for\":\"400s\"}");
    }

    @Test
    void aFaultThatOnlyWorksOnOneNodeIsUndoneThere() {
        two.respond("/api/pause", 409, "{\"error\": \"the node is draining\"}");

        assertThatThrownBy(() -> startFault("action: pause-node"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the node is draining");

        assertThat(one.changes()).containsExactly("POST /api/pause", "POST /api/resume");
    }

    @Test
    void aFaultThatFailsSaysWhatItCouldNotUndo() {
        one.respond("/api/resume", 500, "{\"error\": \"busy\"}");
        two.respond("/api/pause", 409, "{\"error\": \"the node is draining\"}");

        assertThatThrownBy(() -> startFault("action: pause-node"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the node is draining")
                .hasMessageContaining("pause-node " + URI.create(one.url()).getAuthority() + " is not undone")
                .hasMessageContaining("busy");
    }

    @Test
    void anUndoThatFailsOnOneNodeIsDoneOnTheOtherAndCanBeRepeated() throws Exception {
        two.respond("/api/status", 200, "{\"state\": \"running\"}")
                .respond("/api/resume", 500, "{\"error\": \"busy\"}");
        ActiveFault fault = startFault("action: pause-node");
        assertThatThrownBy(fault::undo)
                .hasMessageContaining("pause-node " + URI.create(two.url()).getAuthority() + " is not undone")
                .hasMessageContaining("busy");
        assertThat(one.changes()).containsExactly("POST /api/pause", "POST /api/resume");

        two.respond("/api/resume", 200, "{}");
        fault.undo();

        assertThat(one.changes()).hasSize(2);
        assertThat(two.changes()).hasSize(3);
    }

    @Test
    void aNodeThatCannotBeReachedIsNotChangedAtAll() {
        two.close();

        assertThatThrownBy(() -> startFault("action: pause-node")).hasMessageContaining("cannot be reached");

        assertThat(one.changes()).isEmpty();
    }

    @Test
    void aTestTargetMisbehavesUntilTheFaultIsUndone() throws Exception {
        try (TargetServer target = TargetServer.start(0, 1, false)) {
            ActiveFault fault =
                    startFault("action: target, behaviour: status, status: 429, target: '" + target.url("") + "'");
            assertThat(statusOf(target.url("/ok"))).isEqualTo(429);

            fault.undo();

            assertThat(statusOf(target.url("/ok"))).isEqualTo(200);
        }
    }

    @Test
    void theFaultOfATestTargetEndsByItselfIfThisProcessDies() throws Exception {
        one.respond("/fault", 200, "ok").respond("/fault/clear", 200, "ok");

        startFault("action: target, behaviour: hang, duration: 30s, target: '" + one.url() + "'");

        assertThat(one.queries()).hasSize(2).last().asString().contains("for-ms=90000");
    }

    @Test
    void anotherFaultOfTheSameTargetContinuesWhenOneIsUndone() throws Exception {
        try (TargetServer target = TargetServer.start(0, 1, false)) {
            String keys = ", action: target, behaviour: status, target: '" + target.url("") + "', status: ";
            ExperimentFile file = TestExperiments.load(
                    folder,
                    "nodes: ['" + one.url() + "']",
                    "faults: [{name: a" + keys + "429}, {name: c" + keys + "500}]");
            ExperimentFaults faults = new ExperimentFaults(file, Map.of());
            ActiveFault first = faults.start(file.experiment().faults().get(0));
            ActiveFault second = faults.start(file.experiment().faults().get(1));
            assertThat(statusOf(target.url("/ok"))).isEqualTo(500);

            first.undo();
            assertThat(statusOf(target.url("/ok"))).isEqualTo(500);

            second.undo();
            assertThat(statusOf(target.url("/ok"))).isEqualTo(200);
        }
    }

    @Test
    void anotherServerIsNoTestTarget() {
        one.respond("/fault", 404, "{}").respond("/fault/clear", 404, "{}");

        assertThatThrownBy(() -> startFault("action: target, target: '" + one.url() + "'"))
                .hasMessageContaining("is not a test target of `iocluster load target`: it answers 404");
    }

    @Test
    void aTargetThatCannotBeReachedHasNothingToUndo() {
        String target = one.url();
        one.close();

        assertThatThrownBy(() -> startFault("action: target, target: '" + target + "'"))
                .hasMessage(target + " cannot be reached; start a test target with `iocluster load target`");
    }

    @Test
    void aCommandRunsWithItsArgumentsAsTheyAre() throws Exception {
        ActiveFault fault = startFault("action: command, run: [touch, 'a b; $HOME'], undo: [rm, 'a b; $HOME']");
        assertThat(folder.resolve("a b; $HOME")).exists();

        fault.undo();

        assertThat(folder.resolve("a b; $HOME")).doesNotExist();
    }

    @Test
    void anInterruptOfTheTerminalDoesNotEndTheProgramThatUndoesAFault() throws Exception {
        ActiveFault fault = startFault(
                "action: command, run: ['true'], undo: [sh, -c, 'kill -INT $$; kill -HUP $$; kill -QUIT $$; touch undone']");

        fault.undo();

        assertThat(folder.resolve("undone")).exists();
    }

    @Test
    void aCommandThatFailsMayHaveWorkedInPartAndIsUndone() throws Exception {
        Files.createDirectory(folder.resolve("made"));

        assertThatThrownBy(() -> startFault("action: command, run: [mkdir, made], undo: [rmdir, made]"))
                .hasMessageContaining("mkdir made exited with 1: mkdir: ");

        assertThat(folder.resolve("made")).doesNotExist();
    }

    @Test
    void aCommandThatDoesNotEndIsKilledWithWhatItStarted() {
        assertThatThrownBy(() -> startFault("action: command, run: [sh, -c, 'sleep 3600 & wait'], timeout: 200ms"))
                .hasMessageContaining("did not end within 200ms and was killed");

        assertThat(ProcessHandle.current().descendants())
                .noneMatch(child -> child.info().commandLine().orElse("").contains("sleep 3600"));
    }

    @Test
    void theDescriptionNamesWhatAndWhere() throws Exception {
        ExperimentFile file = load("action: resize-node, max-in-flight: 5");

        assertThat(new ExperimentFaults(file, Map.of())
                        .describe(file.experiment().faults().get(0)))
                .isEqualTo("resize-node " + URI.create(one.url()).getAuthority() + " max-in-flight 5; resize-node "
                        + URI.create(two.url()).getAuthority() + " max-in-flight 5");
    }

    private ActiveFault startFault(String fault) throws IOException, InterruptedException {
        ExperimentFile file = load(fault);
        return new ExperimentFaults(file, Map.of())
                .start(file.experiment().faults().get(0));
    }

    private ExperimentFile load(String fault) throws IOException {
        return TestExperiments.load(
                folder, "nodes: ['" + one.url() + "', '" + two.url() + "']", "faults: [{name: fault, " + fault + "}]");
    }

    private static int statusOf(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
