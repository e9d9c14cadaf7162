package io.iocluster.lab.load.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.result.FaultMark;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultScheduleTest {

    private static final String FAULTS = """
            faults:
              - {name: first, action: pause-node, phase: peak}
              - {name: second, action: pause-node, phase: peak, at: 1ms}
              - {name: early, action: pause-node}
            """;

    @TempDir
    private Path folder;

    private final FakeInjector injector = new FakeInjector();
    private final List<FaultMark> heard = new CopyOnWriteArrayList<>();
    private volatile double now;

    @Test
    void faultsStartInTheirPhaseAndAreUndoneInReverseOrderAtTheEnd() throws Exception {
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("warm-up");
        await().until(() -> injector.events.equals(List.of("start early")));
        now = 10;
        schedule.phaseStarted("peak");
        await().until(() -> injector.events.size() == 3);

        now = 30;
        schedule.close();
        schedule.close();

        assertThat(injector.events)
                .containsExactly(
                        "start early", "start first", "start second", "undo second", "undo first", "undo early");
        assertThat(schedule.marks())
                .contains(
                        new FaultMark("early", "breaks early", 0, 30.0, null),
                        new FaultMark("first", "breaks first", 10, 30.0, null));
        assertThat(heard).hasSize(6);
    }

    @Test
    void aFaultEndsAfterItsDurationAndIsNotUndoneAgain() throws Exception {
        FaultSchedule schedule = schedule("faults: [{name: short, action: pause-node, duration: 1ms}]");
        schedule.phaseStarted("warm-up");
        await().until(() -> injector.events.size() == 2);

        schedule.close();

        assertThat(injector.events).containsExactly("start short", "undo short");
    }

    @Test
    void aFaultThatDoesNotStartIsNotUndoneAndTheOthersAre() throws Exception {
        injector.startFailures.put("first", "no node answers");
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("peak");
        await().until(() -> heard.size() == 2);

        schedule.close();

        assertThat(injector.events).containsExactly("start second", "undo second");
        assertThat(schedule.marks().get(0).problem()).isEqualTo("was not started: no node answers");
    }

    @Test
    void aFaultThatIsInvalidIsInTheResult() throws Exception {
        injector.invalid = "first";
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("peak");
        await().until(() -> heard.size() == 2);

        schedule.close();

        assertThat(schedule.marks())
                .contains(new FaultMark("first", "pause-node", 0, null, "was not started: invalid URL"));
    }

    @Test
    void anUndoThatFailsIsTriedAgainAtTheEnd() throws Exception {
        injector.undoFailures.put("short", "the node is down");
        FaultSchedule schedule = schedule("faults: [{name: short, action: pause-node, duration: 1ms}]");
        schedule.phaseStarted("warm-up");
        await().until(() -> heard.size() == 2);
        assertThat(schedule.marks().get(0).problem()).isEqualTo("was not undone: the node is down");

        schedule.close();

        assertThat(injector.events).containsExactly("start short", "undo short");
        assertThat(schedule.marks().get(0).problem()).isNull();
    }

    @Test
    void anUndoThatFailsAtTheEndDoesNotPreventTheOthersAndIsInTheResult() throws Exception {
        injector.undoFailures.put("second", "the node is down");
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("peak");
        await().until(() -> injector.events.size() == 2);

        schedule.close();

        assertThat(injector.events).endsWith("undo first");
        assertThat(schedule.marks().get(1).problem()).isEqualTo("was not undone: the node is down");
        assertThat(schedule.marks().get(1).toSeconds()).isNull();
    }

    @Test
    void aFaultThatIsBeingStartedWhenTheRunEndsIsUndoneToo() throws Exception {
        injector.slowStart = "first";
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("peak");
        injector.starting.await();

        CompletableFuture<Void> closed = CompletableFuture.runAsync(schedule::close);
        injector.mayStart.countDown();
        closed.join();

        assertThat(injector.events).startsWith("start first").endsWith("undo first");
    }

    @Test
    void anInterruptedThreadUndoesEverythingAndStaysInterrupted() throws Exception {
        FaultSchedule schedule = schedule(FAULTS);
        schedule.phaseStarted("peak");
        await().until(() -> injector.events.size() == 2);

        Thread.currentThread().interrupt();
        schedule.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(injector.events).endsWith("undo second", "undo first");
    }

    @Test
    void aFaultThatWouldStartAfterTheEndIsNotStartedAndTheResultSaysSo() throws Exception {
        FaultSchedule schedule = schedule("faults: [{name: late, action: pause-node, at: 29s}]");
        schedule.phaseStarted("warm-up");

        schedule.close();
        schedule.close();

        assertThat(injector.events).isEmpty();
        assertThat(schedule.marks())
                .containsExactly(
                        new FaultMark("late", "breaks late", 0, null, "was not started: the run ended before"));
        assertThat(heard).hasSize(1);
    }

    @Test
    void aPhaseThatStartsAfterTheEndStartsNoFault() throws Exception {
        FaultSchedule schedule = schedule(FAULTS);
        schedule.close();

        schedule.phaseStarted("peak");

        assertThat(injector.events).isEmpty();
    }

    private FaultSchedule schedule(String faults) throws Exception {
        Experiment experiment = TestExperiments.load(folder, "nodes: ['http://127.0.0.1:1']", faults)
                .experiment();
        return new FaultSchedule(experiment.faults(), "warm-up", injector, () -> now, heard::add);
    }
}
