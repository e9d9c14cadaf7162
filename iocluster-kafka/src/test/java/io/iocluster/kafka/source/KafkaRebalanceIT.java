package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

/** Calls in flight while partitions move between nodes. */
class KafkaRebalanceIT extends KafkaSourceTestBase {

    @Test
    void sharesPartitionsAndDrainsRevokedOnes() throws Exception {
        topics(4, Map.of());
        send(0, 40);
        RecordingIntake first = new RecordingIntake(delivery -> {});
        start(first, Ordering.NONE);
        await().until(() -> first.accepted.size() == 40);

        RecordingIntake second = RecordingIntake.acknowledging();
        // The lag of a new assignment must be queried at once, not after the lag interval.
        RequestSource joiner =
                start(second, KafkaTestSettings.withLagInterval(Duration.ofHours(1), settings(Ordering.NONE)));
        // The calls end while the first member drains, so none of them may be redelivered.
        first.accepted.forEach(delivery -> delivery.settlement().acknowledge());
        await().until(() -> joiner.status().lags().size() == 2);
        for (int i = 40; i < 80; i++) {
            send(null, "value " + i);
        }
        first.onAccept = delivery -> delivery.settlement().acknowledge();

        await().until(() -> first.accepted.size() + second.accepted.size() >= 80);
        Set<String> all = new HashSet<>(first.acceptedPayloads());
        all.addAll(second.acceptedPayloads());
        assertThat(all).hasSize(80);
        assertThat(first.accepted.size() + second.accepted.size()).isEqualTo(80);
    }

    @Test
    void redeliversCallsThatOutlastTheDrainAndIgnoresTheirLateSettlement() throws Exception {
        topics(2, Map.of());
        send(0, 10);
        RecordingIntake first = new RecordingIntake(delivery -> {});
        RequestSource stuck = start(first, Ordering.NONE);
        await().until(() -> first.accepted.size() == 10);

        RecordingIntake second = RecordingIntake.acknowledging();
        start(second, Ordering.NONE);
        await().until(() -> !second.accepted.isEmpty());

        first.accepted.forEach(delivery -> delivery.settlement().acknowledge());
        await().until(() -> stuck.status().lags().stream().allMatch(lag -> lag.messages() == 0));
        await().until(() -> total() == 10);
    }

    @Test
    void dropsCallsOfARevokedPartitionThatHaveNotStarted() throws Exception {
        topics(2, Map.of());
        send(0, 10);
        List<Delivery> waiting = new CopyOnWriteArrayList<>();
        start(waiting::add, settings(Ordering.NONE));
        await().until(() -> waiting.size() == 10);

        RecordingIntake second = RecordingIntake.acknowledging();
        start(second, settings(Ordering.NONE));
        await().until(() -> second.accepted.size() == 5);
        List<Delivery> started = waiting.stream().filter(Delivery::claim).toList();
        waiting.forEach(delivery -> {
            if (started.contains(delivery)) {
                delivery.settlement().acknowledge();
            } else {
                delivery.settlement().release();
            }
        });

        await().until(() -> total() == 10);
        assertThat(started).hasSize(5);
        assertThat(second.acceptedPayloads())
                .doesNotContainAnyElementsOf(
                        started.stream().map(RecordingIntake::text).toList());
    }

    @Test
    void offersRecordsOfOtherPartitionsDuringADrain() {
        topics(2, Map.of());
        List<Delivery> taken = new CopyOnWriteArrayList<>();
        // Accepts one record of each partition, and more only while the revoked partition drains.
        RequestSource stays = start(
                delivery -> (taken.size() < 2 || isDraining()) && delivery.claim() && taken.add(delivery),
                settings(Ordering.NONE));
        send(0, 2);
        await().until(() -> taken.size() == 2);
        send(2, 38);
        await().until(() -> stays.status().buffered() == 38);

        start(new RecordingIntake(delivery -> {}), settings(Ordering.NONE));

        await().until(() -> taken.size() > 2);
    }

    @Test
    void fetchesFromOtherPartitionsWhenTheDrainIsOver() throws Exception {
        topics(2, Map.of());
        RecordingIntake first = new RecordingIntake(delivery -> {
            // One call of each partition never ends.
            if (!delivery.coordinates().endsWith("/0")) {
                delivery.settlement().acknowledge();
            }
        });
        RequestSource stays = start(first, Ordering.NONE);
        await().until(() -> stays.status().lags().size() == 2);
        ScheduledExecutorService producer = Executors.newSingleThreadScheduledExecutor();
        producer.scheduleAtFixedRate(() -> sendKeyed(8, i -> "key " + i), 0, 20, TimeUnit.MILLISECONDS);
        try {
            await().until(() -> first.accepted.size() > 20);
            RecordingIntake second = RecordingIntake.acknowledging();
            start(second, Ordering.NONE);
            await().until(() -> !second.accepted.isEmpty());
            int before = first.accepted.size();
            await().until(() -> first.accepted.size() > before + 20);
        } finally {
            producer.shutdownNow();
        }
    }

    private static boolean isDraining() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("onPartitionsRevoked")));
    }

    @Test
    void joinsTheRunningCallWhenItsPartitionIsAssignedAgain() throws Exception {
        topics(2, Map.of());
        send(0, 20);
        RecordingIntake first = new RecordingIntake(delivery -> {});
        RequestSource stays = start(first, Ordering.NONE);
        await().until(() -> first.accepted.size() == 20);
        RecordingIntake none = new RecordingIntake(delivery -> {});
        none.limit = 0;
        RequestSource guest = start(none, Ordering.NONE);
        await().until(() -> stays.status().lags().size() == 1);

        guest.close(Duration.ofSeconds(5));
        await().until(() -> stays.status().lags().size() == 2);
        await().until(() -> stays.status().redelivered() > 0);
        first.accepted.forEach(delivery -> delivery.settlement().acknowledge());

        await().until(() -> total() == 20);
        assertThat(first.accepted).hasSize(20);
    }

    @Test
    void leavesItsGroupWhenItClosesEvenWithAnInstanceId() throws Exception {
        topics(2, Map.of());
        // Without leaving, the group would keep the member until the end of its session.
        KafkaSettings fixed = KafkaTestSettings.of(
                broker.bootstrapServers(),
                name,
                Ordering.NONE,
                Map.of("group.instance.id", "node-1", "group.protocol", "classic", "session.timeout.ms", "300000"));
        RequestSource stops = start(RecordingIntake.acknowledging(), fixed);
        await().until(() -> stops.status().lags().size() == 2);
        assertThat(members()).isEqualTo(1);

        stops.close(Duration.ofSeconds(5));

        await().until(() -> members() == 0);
    }

    private int members() throws ExecutionException, InterruptedException {
        return admin.describeConsumerGroups(List.of(name))
                .describedGroups()
                .get(name)
                .get()
                .members()
                .size();
    }

    private long total() throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get().values().stream()
                .mapToLong(OffsetAndMetadata::offset)
                .sum();
    }
}
