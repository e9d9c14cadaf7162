package io.iocluster.node.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.kafka.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Kills a broker and a door while apps make asynchronous calls, and checks the topic of requests: no accepted call is missing, the calls of
 * an app keep their order, and only calls that were in flight are there twice.
 */
public final class DoorOutage implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DoorOutage.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PHASE = Duration.ofMinutes(3);
    private static final String SPOOLED = "iocluster_door_spooled_calls";

    /** Calls that may be forwarded twice after a kill, as docs/door.md says. */
    private static final int IN_FLIGHT = 256;

    private final KafkaBroker broker;
    private final String topic;
    private final Path config;
    private final Path folder;
    private final AtomicReference<DoorChild> door = new AtomicReference<>();
    private int starts;
    private int duplicates;

    /**
     * Creates the run.
     *
     * @param topic of the requests
     * @param config of the door, which has a spool
     * @param folder for logs
     */
    public DoorOutage(KafkaBroker broker, String topic, Path config, Path folder) {
        this.broker = broker;
        this.topic = topic;
        this.config = config;
        this.folder = folder;
    }

    /**
     * Makes calls all the time, and kills the door in the outage and right after it.
     *
     * @param perSecond number of calls a second
     * @param before number of calls before the outage
     * @param during number of calls in the outage
     * @param after number of calls after it
     */
    public void run(String target, int perSecond, int before, int during, int after) throws Exception {
        start();
        AsyncCallers callers = new AsyncCallers(door, target, perSecond);
        try (callers) {
            awaitAccepted(callers, before);
            broker.kill();
            long outage = System.nanoTime();
            int atOutage = callers.acceptedCount();
            awaitAccepted(callers, atOutage + during / 2);
            restart();
            awaitAccepted(callers, atOutage + during);
            int spooled = (int) door.get().metric(SPOOLED);
            LOG.info("Broker returns outage={}s spooled={}", (System.nanoTime() - outage) / 1_000_000_000, spooled);
            assertThat(spooled).isGreaterThan(during / 2);
            broker.start();
            await().atMost(PHASE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> door.get().metric(SPOOLED) < spooled);
            restart();
            awaitAccepted(callers, callers.acceptedCount() + after);
        }
        await().atMost(PHASE).until(() -> door.get().metric(SPOOLED) == 0);
        assertThat(callers.surprises()).isEmpty();
        check(callers);
        LOG.info(
                "Outage survived calls={} repeated={} duplicates={} rss={}MiB",
                callers.acceptedCount(),
                callers.repeated(),
                duplicates,
                door.get().peakResidentMebibytes());
    }

    private void start() {
        door.set(DoorChild.start(config, folder.resolve("door-" + ++starts + ".log")));
    }

    private void restart() {
        door.get().kill();
        start();
    }

    private void awaitAccepted(AsyncCallers callers, int count) {
        await().atMost(PHASE)
                .failFast(() ->
                        assertThat(callers.surprises()).as(door.get().log()).isEmpty())
                .until(() -> callers.acceptedCount() >= count);
    }

    private void check(AsyncCallers callers) {
        Map<String, ConsumerRecord<byte[], byte[]>> first = new HashMap<>();
        List<ConsumerRecord<byte[], byte[]>> records = broker.readAll(topic);
        int calls = 0;
        for (ConsumerRecord<byte[], byte[]> each : records) {
            String id = queueId(each);
            if (id.startsWith("app-")) {
                calls++;
                first.merge(id, each, (known, other) -> known.timestamp() <= other.timestamp() ? known : other);
            }
        }
        duplicates = calls - first.size();
        Map<String, List<String>> byApp = new HashMap<>();
        Map<String, String> last = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> each : records) {
            String queueId = queueId(each);
            if (first.get(queueId) == each) {
                String id = queueId.substring(0, queueId.indexOf('~'));
                String app = id.substring(0, id.lastIndexOf('-'));
                byApp.computeIfAbsent(app, name -> new ArrayList<>()).add(id);
                String before = last.put(app + "/" + each.partition(), id);
                assertThat(before == null || before.compareTo(id) <= 0)
                        .as("order of %s after %s in partition %s", id, before, each.partition())
                        .isTrue();
            }
        }
        callers.accepted()
                .forEach((app, ids) -> assertThat(byApp.get(app)).as(app).containsAll(ids));
        assertThat(duplicates).isLessThanOrEqualTo(2 * IN_FLIGHT);
    }

    private static String queueId(ConsumerRecord<byte[], byte[]> each) {
        return JSON.readTree(new String(each.value(), StandardCharsets.UTF_8))
                .path("id")
                .asString("");
    }

    @Override
    public void close() {
        DoorChild last = door.get();
        if (last != null) {
            last.close();
        }
    }
}
