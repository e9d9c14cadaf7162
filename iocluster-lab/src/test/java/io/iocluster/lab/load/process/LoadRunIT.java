package io.iocluster.lab.load.process;

import static io.iocluster.lab.load.process.LoadProcesses.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.result.GeneratorResult.Agent;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests runs as processes on a real broker. */
class LoadRunIT {

    @TempDir
    private static Path shared;

    private static LoadProcesses load;
    private static JavaProcess one;

    @BeforeAll
    static void start() throws IOException {
        load = new LoadProcesses(shared, "kafka", 2);
        one = load.agent("one");
    }

    @AfterAll
    static void stop() {
        load.close();
    }

    @Test
    void theNodesOfAClusterSeeEachOther() {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(load.node().get("/api/cluster").path("nodes"))
                        .hasSize(2));
    }

    @Test
    void agentsSendTheCallsTogether() throws Exception {
        Path experiment = load.experiment("""
                requests: [{name: get, url: "%s/delay?ms=5&n={{call.number}}"}]
                phases: [{name: p, rate: 200/s, duration: 2s}]
                expectations: [errors <= 0, unanswered <= 0]
                """.formatted(load.target()));
        JavaProcess two = load.agent("two");

        RunResult together = load.result(experiment, "--agents=2");

        TemplateResult total = together.phases().get(0).total();
        assertThat(total.outcomes()).containsOnlyKeys("200").containsValue(400L);
        assertThat(total.latency().count()).isEqualTo(400);
        assertThat(together.generator().agents())
                .extracting(Agent::name, Agent::sent, Agent::problem)
                .containsExactlyInAnyOrder(tuple("one", 200L, null), tuple("two", 200L, null));
        two.close();
    }

    @Test
    void aRunWhoseAgentIsKilledEndsAndSaysSo() throws Exception {
        Path experiment = load.experiment("""
                requests: [{name: get, url: "%s/ok"}]
                phases: [{name: p, rate: 100/s, duration: 1h}]
                """.formatted(load.target()));
        JavaProcess victim = load.agent("victim");
        JavaProcess driver = load.run(experiment, "--agents=2");
        LoadProcesses.awaitLog(driver, "phase p");

        victim.kill();

        assertThat(driver.awaitExit(LONG)).as(driver.logTail(40)).isTrue();
        assertThat(driver.exitCode()).as(driver.logTail(40)).isEqualTo(1);
        assertThat(driver.logTail(40)).contains("The run is incomplete: agent victim: died.");
        RunResult result = load.readResult();
        assertThat(result.partialReason()).isEqualTo("agent victim: died");
        assertThat(result.phases().get(0).sent()).isPositive();
        assertThat(one.isAlive()).isTrue();
    }

    @Test
    void anInterruptUndoesTheFaultsAndWritesThePartialReport() throws Exception {
        Path experiment = load.experiment("""
                requests: [{name: get, url: "%1$s/ok"}]
                phases: [{name: p, rate: 100/s, duration: 1h}]
                faults:
                  - {name: broken, action: target, target: "%1$s", behaviour: status, status: 418, at: 1s}
                  - {name: program, action: command, run: ['true'], undo: [sh, undo.sh], at: 500ms}
                """.formatted(load.target()));
        Files.writeString(shared.resolve("undo.sh"), "touch undoing; while ! test -e go; do sleep 0.1; done");
        JavaProcess run = load.run(experiment);
        await().atMost(LONG)
                .failFast(() -> assertThat(run.isAlive()).as(run.logTail(40)).isTrue())
                .until(() -> targetStatus() == 418);

        interrupt(run);
        await().atMost(LONG).until(() -> Files.exists(shared.resolve("undoing")));
        interrupt(run);
        LoadProcesses.awaitLog(run, "Still undoing the fault program (command true). Wait, or press Ctrl-C again");
        Files.createFile(shared.resolve("go"));

        assertThat(run.awaitExit(LONG)).as(run.logTail(40)).isTrue();
        assertThat(run.exitCode()).as(run.logTail(40)).isEqualTo(130);
        assertThat(targetStatus()).isEqualTo(200);
        RunResult result = load.readResult();
        assertThat(result.partialReason()).isEqualTo("interrupted");
        assertThat(result.phases().get(0).sent()).isPositive();
        assertThat(result.faults()).hasSize(2).allSatisfy(fault -> {
            assertThat(fault.toSeconds()).isNotNull();
            assertThat(fault.problem()).isNull();
        });
        assertThat(load.results().resolve("report.html")).content().contains("The run is incomplete: interrupted.");
        assertThat(load.results().resolve("junit.xml")).isNotEmptyFile();
    }

    private static int targetStatus() throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(load.target() + "/ok")).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static void interrupt(JavaProcess process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }
}
