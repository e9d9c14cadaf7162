package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.NodeProcess;
import io.iocluster.node.Stage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promise under faults, with a ledger on both ends: nothing is lost, and what is repeated is bounded and counted. */
class FaultIT {

    /** The default of {@code workers.max-in-flight}. */
    private static final int IN_FLIGHT = 300;
    /** Completions after which the node commits, or sooner. */
    private static final int COMMIT_INTERVAL = 5_000;
    /** The default of {@code workers.max-unconfirmed}. */
    private static final int UNCONFIRMED = 1_000;

    private static final int PARTITIONS = 12;
    private static final Duration LONG = Duration.ofMinutes(2);

    private Stage stage;
    private Requests requests;
    private AnswerLedger answers;

    @BeforeEach
    void setTheStage() {
        stage = new Stage(PARTITIONS, Map.of());
        requests = new Requests(stage.broker.bootstrapServers(), Stage.REQUESTS);
        answers = new AnswerLedger(stage.broker.bootstrapServers(), Stage.ANSWERS);
    }

    @AfterEach
    void clear() {
        answers.close();
        requests.close();
        stage.close();
    }

    @Test
    void losesNothingWhenANodeIsKilledAndRepeatsAtMostWhatWasInFlightAndOneCommitInterval() {
        int sent = 100_000;
        requests.send(0, sent, i -> null, this::ok);
        NodeProcess killed = stage.startNode("node-1", "none");
        answers.await(30_000, LONG, killed);

        killed.kill();
        NodeProcess next = stage.startNode("node-1", "none");
        answers.await(sent, LONG, next);

        assertThat(answers.notAnswered()).isEmpty();
        assertThat(stage.target.ledger().counts()).hasSize(sent);
        report("kill -9", answers.duplicates());
        assertThat(answers.duplicates()).isBetween(0, IN_FLIGHT + UNCONFIRMED + COMMIT_INTERVAL);
    }

    @Test
    void repeatsNothingWhenANodeIsTerminated() {
        int sent = 40_000;
        requests.send(0, sent, i -> null, this::ok);
        NodeProcess first = stage.startNode("node-1", "none");
        answers.await(10_000, LONG, first);

        int exitCode = first.terminate(Duration.ofSeconds(30));
        int before = answers.ids();
        NodeProcess next = stage.startNode("node-2", "none");
        answers.await(sent, LONG, next);

        assertThat(exitCode).as(first.log()).isZero();
        assertThat(before).isLessThan(sent);
        assertThat(answers.duplicates()).isZero();
        assertThat(stage.target.ledger().requests()).isEqualTo(sent);
    }

    @Test
    void losesNothingAndNeedsNoRestartWhenTheBrokerIsAwayForHalfAMinute() {
        int before = 20_000;
        int after = 30_000;
        requests.send(0, before, i -> null, this::ok);
        NodeProcess node = stage.startNode("node-1", "none");
        answers.await(5_000, LONG, node);

        stage.broker.stop();
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(30, TimeUnit.SECONDS))
                .join();
        assertThat(node.isAlive()).isTrue();
        stage.broker.start();
        requests.send(before, after, i -> null, this::ok);
        answers.await(after, LONG, node);

        report("broker away for 30 s", answers.duplicates());
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(answers.duplicates()).isBetween(0, IN_FLIGHT + UNCONFIRMED + COMMIT_INTERVAL);
    }

    @Test
    void losesNothingWhenASecondNodeJoinsAndLeaves() {
        int sent = 200_000;
        requests.send(0, sent, i -> null, this::ok);
        NodeProcess first = stage.startNode("node-1", "none");
        answers.await(10_000, LONG, first);
        NodeProcess second = stage.startNode("node-2", "none");
        answers.awaitAnswerOf("node-2", LONG, first, second);
        int exitCode = second.terminate(Duration.ofSeconds(30));
        answers.await(sent, LONG, first);

        int after = 1_000;
        requests.send(sent, sent + after, i -> null, this::ok);
        answers.await(sent + after, LONG, first);
        report("a second node joined and left", answers.duplicates());
        assertThat(exitCode).as(second.log()).isZero();
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(answers.duplicates()).isBetween(0, IN_FLIGHT + UNCONFIRMED + COMMIT_INTERVAL);
    }

    @Test
    void doesNotRepeatWhatWasCompletedAboveASlowCallWhenTheNodeIsKilled() {
        int sent = 20_000;
        requests.send(0, sent, i -> null, i -> i % 1_000 == 0 ? slow(i) : ok(i));
        String patience = "http: {timeout: 40s, deadline: 60s}";
        NodeProcess killed = stage.startNode("node-1", "none", patience);
        int quick = sent - sent / 1_000;
        answers.await(quick, Duration.ofSeconds(25), killed);
        // The last completions are in a commit within its interval of a second; none can end a slow call before its 30
        // s.
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS))
                .join();

        killed.kill();
        NodeProcess next = stage.startNode("node-1", "none", patience);
        answers.await(sent, LONG, next);

        Map<String, Integer> seen = stage.target.ledger().counts();
        long repeatedQuick = seen.entrySet().stream()
                .filter(entry -> Integer.parseInt(entry.getKey()) % 1_000 != 0 && entry.getValue() > 1)
                .count();
        report("quick calls above 20 slow ones, node killed", (int) repeatedQuick);
        assertThat(repeatedQuick).isZero();
        assertThat(seen).hasSize(sent);
        assertThat(answers.notAnswered()).isEmpty();
    }

    @Test
    void keepsTheOrderOfEachKeyAndNeverHasTwoOfItInFlight() {
        int sent = 6_000;
        int keys = 100;
        requests.send(
                0,
                sent,
                i -> "key-" + i % keys,
                i -> stage.target.url("/delay?id=" + i + "&key=key-" + i % keys + "&ms=" + (i % 7 == 0 ? 20 : 0)));
        NodeProcess node = stage.startNode("node-1", "key");
        answers.await(sent, LONG, node);

        for (int k = 0; k < keys; k++) {
            assertThat(stage.target.ledger().peakOpen("key-" + k)).isEqualTo(1);
            assertThat(stage.target.ledger().order("key-" + k).stream().map(Integer::valueOf))
                    .hasSize(sent / keys)
                    .isSorted();
        }
        assertThat(stage.target.ledger().peakOpen()).isGreaterThan(10);
        assertThat(answers.duplicates()).isZero();
    }

    private String ok(int id) {
        return stage.target.url("/ok?id=" + id);
    }

    private String slow(int id) {
        return stage.target.url("/delay?ms=30000&id=" + id);
    }

    private static void report(String fault, int duplicates) {
        System.out.println(fault + ": " + duplicates + " repeated");
    }
}
