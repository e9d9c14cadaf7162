package io.iocluster.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SimulatedProcessTest {

    private final Simulation simulation = new Simulation(1, Trace.hashOnly());
    private final SimulatedProcess process = new SimulatedProcess(simulation, "process");

    @Test
    void aTaskThatWaitsForAnotherThreadStartsWhenThatThreadIsNotBlocked() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        CompletableFuture<Boolean> seen = new CompletableFuture<>();
        process.execute(() -> answered.complete(process.await(answer, Duration.ofSeconds(5))));
        process.after(Duration.ofMillis(100), () -> answer.complete(null));
        process.after(
                Duration.ofMillis(10),
                () -> process.executeUnblocked(() -> seen.complete(process.await(answered, Duration.ofSeconds(1)))));

        simulation.run(Duration.ofSeconds(10));

        assertThat(seen).isCompletedWithValue(true);
    }
}
