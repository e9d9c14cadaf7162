package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Reading, ordering and commits of a source. */
class KafkaSourceIT extends KafkaSourceTestBase {

    @Test
    void redeliversNothingAfterADrain() throws Exception {
        topics(1, Map.of());
        send(0, 100);
        RecordingIntake first = RecordingIntake.acknowledging();
        RequestSource source = start(first, Ordering.NONE);
        await().until(() -> first.accepted.size() == 100);

        source.stopIntake().toCompletableFuture().join();
        source.close(Duration.ofMinutes(1));

        assertThat(committed().offset()).isEqualTo(100);
        send(100, 10);
        RecordingIntake second = RecordingIntake.acknowledging();
        start(second, Ordering.NONE);
        await().until(() -> second.accepted.size() >= 10);
        assertThat(second.acceptedPayloads()).isEqualTo(values(100, 10));
    }

    @Test
    void skipsRecordsCompletedAboveAGapAfterARestart() throws Exception {
        topics(1, Map.of());
        send(0, 50);
        RecordingIntake first = new RecordingIntake(delivery -> {
            if (!RecordingIntake.text(delivery).equals("value 7")) {
                delivery.settlement().acknowledge();
            }
        });
        RequestSource source = start(first, Ordering.NONE);
        await().until(() -> first.accepted.size() == 50);
        source.close(Duration.ofMinutes(1));
        assertThat(committed().offset()).isEqualTo(7);
        assertThat(committed().metadata()).isNotEmpty();

        send(50, 1);
        RecordingIntake second = RecordingIntake.acknowledging();
        start(second, Ordering.NONE);

        await().until(() -> second.accepted.size() >= 2);
        assertThat(second.acceptedPayloads()).containsExactly("value 7", "value 50");
        await().until(() -> committed().offset() == 51);
    }

    @Test
    void readsAReleasedMessageAgainUntilItIsAcknowledged() throws Exception {
        topics(1, Map.of());
        send(0, 20);
        AtomicInteger releases = new AtomicInteger();
        RecordingIntake intake = new RecordingIntake(delivery -> {
            if (RecordingIntake.text(delivery).equals("value 3") && releases.incrementAndGet() <= 3) {
                delivery.settlement().release();
            } else {
                delivery.settlement().acknowledge();
            }
        });

        RequestSource source = start(intake, Ordering.NONE);

        await().until(() -> committed() != null && committed().offset() == 20);
        assertThat(intake.acceptedPayloads()).hasSize(23);
        assertThat(intake.acceptedPayloads().stream().filter("value 3"::equals)).hasSize(4);
        await().until(() -> source.status().redelivered() == 3);
    }

    @Test
    void keepsTheOrderOfEachKeyWhenRecordsAreReleased() throws Exception {
        topics(2, Map.of());
        for (int i = 0; i < 120; i++) {
            send("k" + i % 4, "value " + i);
        }
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger count = new AtomicInteger();
        Map<String, List<String>> done = new ConcurrentHashMap<>();
        Set<String> running = ConcurrentHashMap.newKeySet();
        AtomicBoolean overlap = new AtomicBoolean();
        List<Delivery> open = new ArrayList<>();
        RecordingIntake intake = new RecordingIntake(delivery -> {
            String key = key(delivery);
            if (!running.add(key)) {
                overlap.set(true);
            }
            inFlight.incrementAndGet();
            synchronized (open) {
                open.add(delivery);
            }
        });
        start(intake, Ordering.KEY);

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> {
                    List<Delivery> settle;
                    synchronized (open) {
                        settle = new ArrayList<>(open);
                        open.clear();
                    }
                    for (Delivery delivery : settle) {
                        running.remove(key(delivery));
                        if (count.incrementAndGet() % 40 == 5) {
                            delivery.settlement().release();
                        } else {
                            done.computeIfAbsent(key(delivery), k -> new ArrayList<>())
                                    .add(RecordingIntake.text(delivery));
                            delivery.settlement().acknowledge();
                        }
                    }
                    return done.values().stream().mapToInt(List::size).sum() == 120;
                });

        assertThat(overlap).isFalse();
        for (int k = 0; k < 4; k++) {
            int first = k;
            assertThat(done.get("k" + k))
                    .isEqualTo(java.util.stream.IntStream.range(0, 30)
                            .mapToObj(i -> "value " + (first + 4 * i))
                            .toList());
        }
    }

    @Test
    void reportsNoLagForTransactionMarkers() throws Exception {
        topics(1, Map.of());
        try (var producer = new KafkaProducer<byte[], byte[]>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", name),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            for (int i = 0; i < 6; i++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(partition.topic(), TestRecords.bytes("value " + i)));
                // Without the flush, an abort would drop records that are not sent yet.
                producer.flush();
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.abortTransaction();
                }
            }
        }
        RecordingIntake intake = RecordingIntake.acknowledging();

        RequestSource source = start(intake, Ordering.NONE);

        await().until(() -> committed() != null && committed().offset() == 12);
        assertThat(intake.acceptedPayloads()).containsExactly("value 0", "value 2", "value 4");
        await().until(() -> source.status().lags().stream().allMatch(lag -> !lag.stale() && lag.messages() == 0));
    }

    @Test
    void readsAcrossCompactionGaps() throws Exception {
        topics(
                1,
                Map.of(
                        "cleanup.policy",
                        "compact",
                        "segment.ms",
                        "100",
                        "min.cleanable.dirty.ratio",
                        "0.01",
                        "max.compaction.lag.ms",
                        "200"));
        for (int i = 0; i < 30; i++) {
            send("same", "value " + i);
        }
        // A segment is only rolled, and then cleaned, when a record arrives after segment.ms.
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            send("other", "last");
            return broker.readAll(partition.topic()).size() < 20;
        });
        RecordingIntake intake = RecordingIntake.acknowledging();

        start(intake, Ordering.NONE);

        long end = admin.listOffsets(Map.of(partition, org.apache.kafka.clients.admin.OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
        await().until(() -> committed() != null && committed().offset() == end);
        assertThat(intake.acceptedPayloads()).hasSizeLessThan(30);
        assertThat(intake.acceptedPayloads()).contains("value 29");
    }

    @Test
    void ignoresMetadataCommittedByAnotherProgram() throws Exception {
        topics(1, Map.of());
        send(0, 10);
        admin.alterConsumerGroupOffsets(name, Map.of(partition, new OffsetAndMetadata(4, "{\"not\": \"ours\"}")))
                .all()
                .get();
        RecordingIntake intake = RecordingIntake.acknowledging();

        RequestSource source = start(intake, Ordering.NONE);

        await().until(() -> committed().offset() == 10);
        assertThat(intake.acceptedPayloads()).isEqualTo(values(4, 6));
        await().until(() -> source.status().unreadableCommitMetadata() == 1);
    }

    @Test
    void readsFromTheBeginningWhenTheCommittedOffsetIsBeyondTheLog() throws Exception {
        topics(1, Map.of());
        send(0, 10);
        admin.alterConsumerGroupOffsets(name, Map.of(partition, new OffsetAndMetadata(1_000)))
                .all()
                .get();
        RecordingIntake intake = RecordingIntake.acknowledging();

        start(intake, Ordering.NONE);

        await().until(() -> committed().offset() == 10);
        assertThat(intake.acceptedPayloads()).isEqualTo(values(0, 10));
    }

    @Test
    void buffersRefusedRecordsAndOffersThemAgainWhenThereIsCapacity() throws Exception {
        topics(2, Map.of());
        send(0, 5_000);
        RecordingIntake intake = RecordingIntake.acknowledging();
        intake.limit = 10;
        RequestSource source = start(intake, Ordering.NONE);
        await().until(() -> source.status().pauseReasons().contains(PauseReason.BACKPRESSURE));
        await().until(() -> source.status().lags().stream()
                        .mapToLong(SourceStatus.Lag::messages)
                        .sum()
                == 4_990);
        assertThat(source.status().buffered()).isBetween(1, 2_100);

        intake.limit = 4_000;
        source.capacityAvailable();
        await().until(() -> intake.accepted.size() == 4_000);
        source.pause();
        intake.limit = Integer.MAX_VALUE;
        source.capacityAvailable();
        assertThat(source.status().pauseReasons()).contains(PauseReason.OPERATOR);
        source.resume();

        await().until(() -> intake.accepted.size() == 5_000);
        assertThat(new HashSet<>(intake.acceptedPayloads())).hasSize(5_000);
        await().until(() -> source.status().pauseReasons().isEmpty());
    }

    @Test
    void readsOtherKeysWhileManyRecordsOfOneKeyWait() throws Exception {
        topics(1, Map.of());
        List<Delivery> hot = new CopyOnWriteArrayList<>();
        RecordingIntake intake = new RecordingIntake(delivery -> {
            if (key(delivery).equals("hot")) {
                hot.add(delivery);
            } else {
                delivery.settlement().acknowledge();
            }
        });
        sendKeyed(2_000, i -> "hot");
        sendKeyed(100, i -> "other " + i);

        RequestSource source = start(intake, Ordering.KEY);

        await().until(() -> intake.accepted.size() == 101);
        assertThat(hot).hasSize(1);
        await().until(() -> source.status().buffered() == 1_999);
        intake.onAccept = delivery -> delivery.settlement().acknowledge();
        hot.get(0).settlement().acknowledge();
        await().until(() -> committed() != null && committed().offset() == 2_100);
        assertThat(intake.accepted.stream().filter(each -> key(each).equals("hot")))
                .extracting(RecordingIntake::text)
                .isEqualTo(values(0, 2_000));
    }

    @Test
    void pausesAPartitionWhenTheRecordsOfOneKeyFillHalfOfTheBuffer() throws Exception {
        topics(1, Map.of());
        RecordingIntake intake = new RecordingIntake(delivery -> {});
        sendKeyed(3_000, i -> "hot");
        KafkaSettings settings =
                KafkaTestSettings.withLimits(settings(Ordering.KEY), DataSize.ofMebibytes(1), DataSize.ofMebibytes(1));

        RequestSource source = start(intake, settings);

        await().until(() -> source.status().pauseReasons().contains(PauseReason.BUFFER_FULL));
        assertThat(source.status().buffered()).isBetween(501, 1_500);
        intake.onAccept = delivery -> delivery.settlement().acknowledge();
        intake.accepted.get(0).settlement().acknowledge();
        await().until(() -> committed() != null && committed().offset() == 3_000);
        assertThat(intake.acceptedPayloads()).isEqualTo(values(0, 3_000));
    }

    @Test
    void stopsReadingAPartitionWhoseLedgerIsFull() throws Exception {
        topics(1, Map.of());
        send(0, 6_000);
        List<Delivery> held = new ArrayList<>();
        RecordingIntake intake = new RecordingIntake(delivery -> {
            if (RecordingIntake.text(delivery).equals("value 0")) {
                held.add(delivery);
            } else {
                delivery.settlement().acknowledge();
            }
        });
        RequestSource source = start(intake, Ordering.NONE);

        await().until(() -> source.status().pauseReasons().contains(PauseReason.UNCOMMITTED_LIMIT));
        assertThat(intake.accepted.size()).isLessThanOrEqualTo(4_096);

        held.get(0).settlement().acknowledge();
        await().until(() -> committed() != null && committed().offset() == 6_000);
        assertThat(intake.accepted).hasSize(6_000);
    }

    private static List<String> values(int from, int count) {
        return java.util.stream.IntStream.range(from, from + count)
                .mapToObj(i -> "value " + i)
                .toList();
    }

    private static String key(Delivery delivery) {
        byte[] key = ((KafkaDelivery) delivery).message().key();
        return new String(key, java.nio.charset.StandardCharsets.UTF_8);
    }
}
