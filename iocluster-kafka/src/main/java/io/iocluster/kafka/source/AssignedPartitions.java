package io.iocluster.kafka.source;

import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.KeyLanes;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.OrphanedCalls;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The assigned partitions and their buffered records. Confined to the poll thread, except {@link #all}. */
final class AssignedPartitions {

    private static final Logger LOG = LoggerFactory.getLogger(AssignedPartitions.class);

    private final KafkaSettings settings;
    private final Platform platform;
    private final PollThreadMailbox<OffsetDelivery> mailbox;
    private final EndOffsetMonitor ends;
    private final OrphanedCalls orphans = new OrphanedCalls();
    private final StartingPositions starts;
    private final KeyLanes lanes;
    private final DelayedTopics delayed;
    private final Map<TopicPartition, KafkaPartition> byId = new HashMap<>();
    private volatile KafkaPartition[] all = {};
    private int notStarted;
    private long redelivered;

    AssignedPartitions(
            KafkaSettings settings,
            PollThreadMailbox<OffsetDelivery> mailbox,
            EndOffsetMonitor ends,
            Platform platform) {
        this.platform = platform;
        this.settings = settings;
        this.mailbox = mailbox;
        this.ends = ends;
        this.delayed = settings.delayedTopics();
        this.starts = new StartingPositions(settings, ends, orphans, platform);
        this.lanes = settings.requests().ordering() == Ordering.KEY ? new KeyLanes() : null;
    }

    /** Returns the assigned partitions; the array is never modified. Any thread. */
    KafkaPartition[] all() {
        return all;
    }

    /** Returns those of the partitions that are assigned. */
    List<KafkaPartition> find(Collection<TopicPartition> ids) {
        List<KafkaPartition> found = new ArrayList<>(ids.size());
        for (TopicPartition id : ids) {
            KafkaPartition partition = byId.get(id);
            if (partition != null) {
                found.add(partition);
            }
        }
        return found;
    }

    /** Starts an assignment of each partition. */
    void add(Collection<TopicPartition> ids) {
        for (TopicPartition id : ids) {
            put(new KafkaPartition(id, lanes, settings.maxUncommittedOffsets(), platform.random()));
        }
        starts.partitionsAssigned();
        publish();
        ends.refreshSoon(all);
    }

    /** Ends assignments. Their calls in flight become orphans. */
    void remove(Collection<KafkaPartition> revoked) {
        for (KafkaPartition partition : revoked) {
            if (byId.remove(partition.id(), partition)) {
                partition.close();
                orphans.addInFlight(partition);
            }
        }
        publish();
    }

    private void put(KafkaPartition fresh) {
        KafkaPartition old = byId.put(fresh.id(), fresh);
        if (old != null) {
            old.close();
            orphans.addInFlight(old);
        }
    }

    /** Replaces a partition by one without a topic id and positions, for example because its topic was recreated. */
    private KafkaPartition replace(KafkaPartition old) {
        KafkaPartition fresh = new KafkaPartition(old.id(), lanes, settings.maxUncommittedOffsets(), platform.random());
        fresh.paused = old.paused;
        put(fresh);
        return fresh;
    }

    private void publish() {
        all = byId.values().toArray(KafkaPartition[]::new);
        notStarted = all.length;
    }

    /** Applies one settlement. */
    void settle(OffsetDelivery delivery, long now) {
        if (delivery.isWithdrawn()) {
            return;
        }
        KafkaPartition partition = delivery.partition;
        if (!partition.isClosed()) {
            partition.settle(delivery, now);
            return;
        }
        orphans.settle(delivery);
        if (lanes != null) {
            lanes.leave(delivery);
        }
    }

    /** Starts the partitions that have not started. */
    void startPartitions(Consumer<?, ?> consumer) {
        if (notStarted > 0) {
            notStarted = starts.startPartitions(consumer, all);
        }
    }

    /**
     * Restarts partitions whose topic was deleted and created again, because the consumer would continue at its old
     * offset in the new log.
     *
     * @return whether there were any
     */
    boolean restartRecreatedTopics(Consumer<?, ?> consumer) {
        boolean any = false;
        for (KafkaPartition partition : starts.recreatedPartitions(all)) {
            any = true;
            LOG.warn("Topic recreated; reading from the beginning partition={}", partition);
            starts.seekToBeginning(consumer, replace(partition));
        }
        if (any) {
            publish();
        }
        return any;
    }

    /** Buffers the records of one poll. */
    void buffer(Consumer<?, ?> consumer, ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition id : records.partitions()) {
            KafkaPartition partition = byId.get(id);
            if (partition != null && partition.hasTopicId()) {
                buffer(consumer, partition, records.records(id));
            }
        }
        for (Map.Entry<TopicPartition, OffsetAndMetadata> next :
                records.nextOffsets().entrySet()) {
            KafkaPartition partition = byId.get(next.getKey());
            if (partition != null && partition.isStarted() && partition.isAtExpectedPosition()) {
                if (!partition.advanceTo(next.getValue().offset())) {
                    consumer.seek(partition.id(), partition.ledger().position());
                }
            }
        }
    }

    private void buffer(
            Consumer<?, ?> consumer, KafkaPartition assigned, List<ConsumerRecord<byte[], byte[]>> messages) {
        KafkaPartition partition = assigned;
        boolean orphaned = orphans.hasAny(partition.id());
        for (ConsumerRecord<byte[], byte[]> message : messages) {
            if (!partition.isStarted()) {
                partition.start(message.offset(), new int[0]);
                partition.dirty = true;
            } else if (message.offset() < partition.ledger().position()) {
                partition = restart(partition, message.offset());
            }
            switch (partition.track(message)) {
                case TRACKED_AGAIN -> {
                    redelivered++;
                    take(partition, message, orphaned, true);
                }
                case TRACKED -> take(partition, message, orphaned, false);
                case ALREADY_TRACKED -> {}
                case FULL -> {
                    consumer.seek(partition.id(), partition.ledger().position());
                    return;
                }
            }
        }
    }

    private void take(
            KafkaPartition partition, ConsumerRecord<byte[], byte[]> message, boolean orphaned, boolean again) {
        Object orphan = orphaned ? orphans.take(partition.id(), message.offset()) : null;
        if (orphan instanceof OffsetDelivery running && running.timestampMillis() == message.timestamp()) {
            redelivered++;
            partition.adopt(running);
        } else if (orphan instanceof Long answered && answered == message.timestamp()) {
            redelivered++;
            partition.markDone(message.offset());
        } else {
            partition.buffer(
                    new OffsetDelivery(message, partition, mailbox, delayed.isDueTopic(message.topic()), again));
        }
    }

    /** Replaces a partition whose log is shorter than its position, because its ledger belongs to the previous log. */
    private KafkaPartition restart(KafkaPartition old, long offset) {
        LOG.warn(
                "Log was truncated or recreated; reading from a lower offset partition={} offset={} position={}",
                old,
                offset,
                old.ledger().position());
        KafkaPartition fresh = replace(old);
        fresh.setTopicId(old.topicId(), old.initialPartitions());
        fresh.start(offset, new int[0]);
        publish();
        return fresh;
    }

    /** Seeks to valid offsets, because positions are outside their logs. */
    void resetInvalidPositions(Consumer<?, ?> consumer, InvalidOffsetException invalid) {
        starts.resetInvalidPositions(consumer, invalid, byId);
    }

    /** Seeks partitions with released records back, if their backoff is over. */
    void rewindReleased(Consumer<?, ?> consumer, long now) {
        for (KafkaPartition partition : all) {
            if (partition.isRetryDue(now)) {
                consumer.seek(partition.id(), partition.rewind());
            }
        }
    }

    /**
     * Pauses and resumes partitions according to their buffers.
     *
     * @param pauseAll whether to pause all partitions
     */
    void updatePaused(Consumer<?, ?> consumer, boolean pauseAll) {
        boolean full = pauseAll || freeBytes() <= 0;
        limitLanes();
        List<TopicPartition> pause = null;
        List<TopicPartition> resume = null;
        for (KafkaPartition partition : all) {
            boolean wanted = full || shouldPause(partition);
            if (wanted && !partition.paused) {
                pause = pause == null ? new ArrayList<>() : pause;
                pause.add(partition.id());
            } else if (!wanted && partition.paused) {
                resume = resume == null ? new ArrayList<>() : resume;
                resume.add(partition.id());
            }
            partition.paused = wanted;
        }
        if (pause != null) {
            consumer.pause(pause);
        }
        if (resume != null) {
            consumer.resume(resume);
        }
    }

    /**
     * Limits records that wait for a call of the same key to half of the buffer. They do not count towards
     * {@code buffer-records}, so that a key with many records does not block the other keys of its partition. Above the
     * limit, partitions with more than their share are paused, so that no key blocks another partition.
     */
    private void limitLanes() {
        if (lanes == null) {
            return;
        }
        long limit = settings.bufferBytes().bytes() / 2;
        long waitingBytes = 0;
        for (KafkaPartition partition : all) {
            waitingBytes += partition.waitingForKeyBytes();
        }
        for (KafkaPartition partition : all) {
            long threshold = partition.lanesFull ? limit * 3 / 4 : limit;
            partition.lanesFull = waitingBytes > threshold && partition.waitingForKeyBytes() > threshold / all.length;
        }
    }

    private boolean shouldPause(KafkaPartition partition) {
        int threshold = partition.paused ? settings.bufferRecords() / 4 : settings.bufferRecords() - 1;
        return !partition.isStarted()
                || partition.bufferedWithFreeKey() > threshold
                || partition.lanesFull
                || partition.isBlocked()
                || partition.isLedgerFull();
    }

    /** Returns how many more bytes of records may be buffered; may be negative. */
    long freeBytes() {
        long free = settings.bufferBytes().bytes();
        for (KafkaPartition partition : all) {
            free -= partition.bufferedBytes();
        }
        return free;
    }

    /** Returns whether records are buffered while calls hold key lanes. */
    boolean hasBusyLanes() {
        return lanes != null && lanes.size() > 0 && buffered() > 0;
    }

    /** Returns how many records are buffered. */
    int buffered() {
        int buffered = 0;
        for (KafkaPartition partition : all) {
            buffered += partition.buffered();
        }
        return buffered;
    }

    int inFlight(Collection<KafkaPartition> partitions) {
        int inFlight = 0;
        for (KafkaPartition partition : partitions) {
            inFlight += partition.inFlight().size();
        }
        return inFlight;
    }

    /** Returns how many records were read again. */
    long redelivered() {
        return redelivered;
    }

    StartingPositions startingPositions() {
        return starts;
    }
}
