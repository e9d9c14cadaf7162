package io.iocluster.kafka;

import io.iocluster.kafka.KafkaSettings.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where partitions begin: at their committed position if it is of the log that stands behind the name now, or where
 * the settings say. Confined to the poll thread.
 */
final class StartingPositions {

    private static final Logger LOG = LoggerFactory.getLogger(StartingPositions.class);
    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int[] NOTHING_DONE = {};

    private final KafkaSettings settings;
    private final LogEnds ends;
    private final Orphans orphans;
    /** The log behind each name as this node knew it last. */
    private final Map<String, LogId> known = new HashMap<>();

    private CompletableFuture<Map<String, LogId>> asked;
    private long askedAt;
    private long patienceNanos;
    private Map<String, LogId> seen = Map.of();
    private long foreignNotes;

    StartingPositions(KafkaSettings settings, LogEnds ends, Orphans orphans) {
        this.settings = settings;
        this.ends = ends;
        this.orphans = orphans;
    }

    /** Partitions were assigned: which logs they are is asked anew, for an older answer may be of older logs. */
    void assigned() {
        ask();
        patienceNanos = MOMENT.toNanos();
    }

    private void ask() {
        asked = ends.askIds();
        askedAt = System.nanoTime();
    }

    /**
     * Begins partitions as far as the broker has said what that takes.
     *
     * @return how many have not begun
     */
    int begin(Consumer<?, ?> consumer, KafkaPartition[] partitions) {
        List<KafkaPartition> unknown = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            if (!partition.isFound()) {
                unknown.add(partition);
            }
        }
        if (!unknown.isEmpty()) {
            find(consumer, unknown);
        }
        int beginning = 0;
        for (KafkaPartition partition : partitions) {
            boolean begun = partition.hasBegun() || (partition.isFound() && findStart(consumer, partition));
            beginning += begun ? 0 : 1;
        }
        return beginning;
    }

    private void find(Consumer<?, ?> consumer, List<KafkaPartition> unknown) {
        Map<String, LogId> logs = logs();
        Set<TopicPartition> ids = new HashSet<>();
        for (KafkaPartition partition : unknown) {
            if (logs.containsKey(partition.id().topic())) {
                ids.add(partition.id());
            }
        }
        if (ids.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ids, COMMITTED_WITHIN);
        for (KafkaPartition partition : unknown) {
            LogId log = logs.get(partition.id().topic());
            if (log != null) {
                find(consumer, partition, log, committed.get(partition.id()));
            }
        }
        known.putAll(logs);
    }

    /** Which logs stand behind the names; nothing if the broker has not said so since the assignment. */
    private Map<String, LogId> logs() {
        long patience = patienceNanos;
        patienceNanos = 0;
        try {
            asked.get(patience, TimeUnit.NANOSECONDS);
            return ends.latestIds();
        } catch (java.util.concurrent.TimeoutException notYet) {
            return Map.of();
        } catch (ExecutionException away) {
            LOG.debug("The broker does not say which topics it has", away);
            if (System.nanoTime() - askedAt > ASK_AGAIN_NANOS) {
                ask();
            }
            return Map.of();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    private void find(Consumer<?, ?> consumer, KafkaPartition partition, LogId log, OffsetAndMetadata committed) {
        TopicPartition id = partition.id();
        if (committed == null) {
            LogId before = known.get(id.topic());
            // Whatever came since the topic was made anew is unread.
            boolean anew = before != null && before.isReplacedBy(log);
            // Where to begin is said of requests; what was put off is never left out.
            boolean isRequests = settings.requests().topics().contains(id.topic());
            seekStart(
                    consumer,
                    id,
                    anew || !isRequests ? Start.EARLIEST : settings.requests().start());
        } else {
            CompletedRanges.Found found = CompletedRanges.decode(log, committed.offset(), committed.metadata());
            if (found instanceof CompletedRanges.OtherLog) {
                LOG.warn(
                        "{} was made anew since {} was committed; it is read from its beginning",
                        id,
                        committed.offset());
                consumer.seekToBeginning(List.of(id));
            } else {
                if (found instanceof CompletedRanges.Unreadable) {
                    foreignNotes++;
                    LOG.warn("The metadata committed for {} is not readable and is ignored", id);
                }
                consumer.seek(id, committed.offset());
                partition.begin(
                        committed.offset(), found instanceof CompletedRanges.Runs done ? done.runs() : NOTHING_DONE);
                orphans.forgetBelow(id, committed.offset());
            }
        }
        partition.found(log);
    }

    private static boolean findStart(Consumer<?, ?> consumer, KafkaPartition partition) {
        try {
            partition.begin(consumer.position(partition.id(), MOMENT), NOTHING_DONE);
            // Committed at once: a group that starts at the latest must not move on while it is away.
            partition.dirty = true;
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    private static void seekStart(Consumer<?, ?> consumer, TopicPartition id, Start start) {
        if (start == Start.EARLIEST) {
            consumer.seekToBeginning(List.of(id));
        } else {
            consumer.seekToEnd(List.of(id));
        }
    }

    /** Goes on where the log still is, when a position is not in it any more. */
    void relocate(
            Consumer<?, ?> consumer, InvalidOffsetException invalid, Map<TopicPartition, KafkaPartition> assigned) {
        for (TopicPartition id : invalid.partitions()) {
            if (invalid instanceof NoOffsetForPartitionException) {
                goOn(consumer, assigned.get(id));
                continue;
            }
            if (invalid instanceof LogTruncationException truncation
                    && truncation.divergentOffsets().containsKey(id)) {
                consumer.seek(id, truncation.divergentOffsets().get(id).offset());
            } else {
                // Whatever the log holds may be unread: it was cut off at the front, or made anew.
                consumer.seekToBeginning(List.of(id));
            }
            LOG.warn("{}: {}; reading goes on where the log begins or parted", id, invalid.getMessage());
        }
    }

    /**
     * The consumer found nothing committed and says so at any later time, even after it was told where to begin: where it
     * stands then, or what {@link #begin} is about to find, holds.
     */
    private static void goOn(Consumer<?, ?> consumer, KafkaPartition partition) {
        if (partition != null && partition.hasBegun()) {
            consumer.seek(partition.id(), partition.ledger().position());
        }
    }

    /** Those of the partitions that are of another log by now. */
    List<KafkaPartition> replaced(KafkaPartition[] partitions) {
        Map<String, LogId> latest = ends.latestIds();
        if (latest == seen) {
            return List.of();
        }
        seen = latest;
        List<KafkaPartition> replaced = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            LogId now = latest.get(partition.id().topic());
            if (now != null && partition.isFound() && partition.log().isReplacedBy(now)) {
                replaced.add(partition);
            }
        }
        return replaced;
    }

    /** Lets a partition of a log that was made anew begin where that begins. */
    void seekToBeginning(Consumer<?, ?> consumer, KafkaPartition partition) {
        LogId log = seen.get(partition.id().topic());
        known.put(partition.id().topic(), log);
        consumer.seekToBeginning(List.of(partition.id()));
        partition.found(log);
    }

    /** How many commits were found whose metadata could not be read. */
    long foreignNotes() {
        return foreignNotes;
    }
}
