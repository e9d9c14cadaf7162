package io.iocluster.node.door.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.process.TempDirectory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills a broker for 60 seconds while apps make 500 asynchronous calls a second through a door, and kills the door twice. Fails if a call
 * is lost, if an app's calls lose their order, or if the door uses more memory than a sidecar has. The suite does not run it. Run it with
 * both JIT compilers:
 *
 * <pre>
 * mvn verify -pl iocluster-node -am -Dit.test=DoorOutageMeasurement -Dfailsafe.failIfNoSpecifiedTests=false -Dtest=none
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dshort-lived.jvm.flags=
 * </pre>
 */
@Tag("measured-by-hand")
class DoorOutageMeasurement {

    private static final Logger LOG = LoggerFactory.getLogger(DoorOutageMeasurement.class);
    private static final int PER_SECOND = 500;

    @Test
    void aBrokerIsAwayForAMinute() throws Exception {
        try (KafkaNodeFixture stage = new KafkaNodeFixture(2, Map.of());
                TempDirectory folder = new TempDirectory("door-outage")) {
            Path config = stage.configure(
                    "door-1", "none", "door: {port: 0, spool: {folder: " + folder.resolve("spool") + "}}");
            stage.startNode("node-1", "none").awaitReady();
            try (DoorOutage outage = new DoorOutage(stage.broker, KafkaNodeFixture.REQUESTS, config, folder.path())) {
                outage.run(stage.target.url("/ok"), PER_SECOND, 10 * PER_SECOND, 60 * PER_SECOND, 20 * PER_SECOND);

                LOG.info("Measured duplicates={} rss={}MiB", outage.duplicates(), outage.peakResidentMebibytes());
                assertThat(outage.peakResidentMebibytes()).isLessThanOrEqualTo(256);
            }
        }
    }
}
