package io.iocluster.kafka.source;

import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.KeyLanes;
import io.iocluster.kafka.ledger.OrphanedCalls;
import io.iocluster.kafka.ledger.PollThreadMailbox;
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

/** The partitions that are this node's now, and what is read from them. Confined to the poll thread but for {@link #all}. */
final class AssignedPartitions {

    private static final Logger LOG = LoggerFactory.getLogger(AssignedPartitions.class);

    private final KafkaSettings settings;
    private final PollThreadMailbox mailbox;
    private final EndOffsetMonitor ends;
    private final OrphanedCalls orphans = new OrphanedCalls();
    private final StartingPositions starts;
    private final KeyLanes lanes;
    private final DelayedTopics delayed;
    private final Map<TopicPartition, KafkaPartition> byId = new HashMap<>();
    private volatile KafkaPartition[] all = {};
    private int beginning;
    private long redelivered;

    AssignedPartitions(KafkaSettings settings, PollThreadMailbox mailbox, EndOffsetMonitor ends) {
        this.settings = settings;
        this.mailbox = mailbox;
        this.ends = ends;
        this.delayed = settings.delayedTopics();
        this.starts = new StartingPositions(settings, ends, orphans);
        this.lanes = settings.requests().ordering() == Ordering.KEY ? new KeyLanes() : null;
    }

    /** Never written to. */
    KafkaPartition[] all() {
        return all;
    }

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

    void add(Collection<TopicPartition> ids) {
        for (TopicPartition id : ids) {
            put(new KafkaPartition(id, lanes, settings.maxUncommittedOffsets()));
        }
        starts.partitionsAssigned();
        changed();
        ends.refreshSoon(all);
    }

    /** Ends assignments; what is in flight in them is orphaned. */
    void remove(Collection<KafkaPartition> gone) {
        for (KafkaPartition partition : gone) {
            if (byId.remove(partition.id(), partition)) {
                partition.close();
                orphans.addInFlight(partition);
            }
        }
        changed();
    }

    private void put(KafkaPartition fresh) {
        KafkaPartition old = byId.put(fresh.id(), fresh);
        if (old != null) {
            old.close();
            orphans.addInFlight(old);
        }
    }

    /** Another object for the same partition, which knows nothing of its log yet. */
    private KafkaPartition replace(KafkaPartition old) {
        KafkaPartition fresh = new KafkaPartition(old.id(), lanes, settings.maxUncommittedOffsets());
        fresh.paused = old.paused;
        put(fresh);
        return fresh;
    }

    private void changed() {
        all = byId.values().toArray(KafkaPartition[]::new);
        beginning = all.length;
    }

    /** Takes one settlement into account. */
    void settle(KafkaDelivery delivery, long now) {
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

    /** Begins the partitions that have not. */
    void startPartitions(Consumer<?, ?> consumer) {
        if (beginning > 0) {
            beginning = starts.startPartitions(consumer, all);
        }
    }

    /**
     * Begins partitions anew whose topic was deleted and made again under its name: the consumer would go on in the new log
     * where it was in the old one.
     *
     * @return whether there were any
     */
    boolean restartRecreatedTopics(Consumer<?, ?> consumer) {
        boolean any = false;
        for (KafkaPartition partition : starts.recreatedPartitions(all)) {
            any = true;
            LOG.warn("{} is of another topic now, which was made anew; it is read from its beginning", partition);
            starts.seekToBeginning(consumer, replace(partition));
        }
        if (any) {
            changed();
        }
        return any;
    }

    /** Buffers what was read. */
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
                partition = begunAnew(partition, message.offset());
            }
            switch (partition.track(message)) {
                case TRACKED_AGAIN -> {
                    redelivered++;
                    take(partition, message, orphaned);
                }
                case TRACKED -> take(partition, message, orphaned);
                case ALREADY_TRACKED -> {}
                case FULL -> {
                    consumer.seek(partition.id(), partition.ledger().position());
                    return;
                }
            }
        }
    }

    private void take(KafkaPartition partition, ConsumerRecord<byte[], byte[]> message, boolean orphaned) {
        Object orphan = orphaned ? orphans.take(partition.id(), message.offset()) : null;
        if (orphan instanceof KafkaDelivery running && running.timestampMillis() == message.timestamp()) {
            redelivered++;
            partition.adopt(running);
        } else if (orphan instanceof Long answered && answered == message.timestamp()) {
            redelivered++;
            partition.markDone(message.offset());
        } else {
            partition.buffer(new KafkaDelivery(message, partition, mailbox, delayed.isDueTopic(message.topic())));
        }
    }

    /** The log went back by itself: what the ledger knows is of another log. */
    private KafkaPartition begunAnew(KafkaPartition old, long offset) {
        LOG.warn(
                "{} went back from {} to {}: the log was cut or made anew",
                old,
                old.ledger().position(),
                offset);
        KafkaPartition fresh = replace(old);
        fresh.setTopicId(old.topicId(), old.initialPartitions());
        fresh.start(offset, new int[0]);
        changed();
        return fresh;
    }

    /** Goes on where the logs still are, when positions are not in them any more. */
    void resetInvalidPositions(Consumer<?, ?> consumer, InvalidOffsetException invalid) {
        starts.resetInvalidPositions(consumer, invalid, byId);
    }

    /** Turns the partitions back whose backoff is over. */
    void rewindReleased(Consumer<?, ?> consumer, long now) {
        for (KafkaPartition partition : all) {
            if (partition.isRetryDue(now)) {
                consumer.seek(partition.id(), partition.rewind());
            }
        }
    }

    /** Pauses and resumes partitions as their buffers ask for it. */
    void updatePaused(Consumer<?, ?> consumer, boolean everything) {
        boolean noRoom = everything || freeBytes() <= 0;
        limitLanes();
        List<TopicPartition> pause = null;
        List<TopicPartition> resume = null;
        for (KafkaPartition partition : all) {
            boolean wanted = noRoom || shouldPause(partition);
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
     * Lets the records that wait for a call of the same key take half of the buffer. They do not count as buffered records
     * otherwise, so that a key with many records does not stop the other keys of its partition. If they take more, the partitions
     * with more than their share are paused, so that no key stops another partition.
     */
    private void limitLanes() {
        if (lanes == null) {
            return;
        }
        long most = settings.bufferBytes().bytes() / 2;
        long parked = 0;
        for (KafkaPartition partition : all) {
            parked += partition.parkedBytes();
        }
        for (KafkaPartition partition : all) {
            long mark = partition.lanesFull ? most * 3 / 4 : most;
            partition.lanesFull = parked > mark && partition.parkedBytes() > mark / all.length;
        }
    }

    private boolean shouldPause(KafkaPartition partition) {
        int mark = partition.paused ? settings.bufferRecords() / 4 : settings.bufferRecords() - 1;
        return !partition.isStarted()
                || partition.bufferedFree() > mark
                || partition.lanesFull
                || partition.isBlocked()
                || partition.isLedgerFull();
    }

    /** Returns how many more bytes of messages may be buffered. */
    long freeBytes() {
        long free = settings.bufferBytes().bytes();
        for (KafkaPartition partition : all) {
            free -= partition.bufferedBytes();
        }
        return free;
    }

    /** Whether messages wait in lanes for a call to end. */
    boolean hasBusyLanes() {
        return lanes != null && lanes.size() > 0 && buffered() > 0;
    }

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

    long redelivered() {
        return redelivered;
    }

    StartingPositions startingPositions() {
        return starts;
    }
}
