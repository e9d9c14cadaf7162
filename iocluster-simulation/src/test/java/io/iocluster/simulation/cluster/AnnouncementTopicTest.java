package io.iocluster.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.transport.cluster.ClusterChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AnnouncementTopicTest {

    private static final int RECORDS = 20;

    private final Simulation simulation = new Simulation(1, Trace.hashOnly());
    private final AnnouncementTopic topic = new AnnouncementTopic(simulation);

    @Test
    void aProcessThatWasPausedReceivesTheRecordsInTheirOrder() {
        SimulatedProcess paused = new SimulatedProcess(simulation, "paused");
        List<Integer> received = new ArrayList<>();
        topic.connect(paused).start(record -> received.add((int) record[0]));
        ClusterChannel sender = topic.connect(new SimulatedProcess(simulation, "sender"));
        sender.start(record -> {});

        paused.pause(Duration.ofSeconds(1));
        for (int i = 0; i < RECORDS; i++) {
            sender.announce(new byte[] {(byte) i});
        }
        simulation.run(Duration.ofSeconds(2));

        assertThat(received).isEqualTo(IntStream.range(0, RECORDS).boxed().toList());
    }
}
