package io.iocluster.simulation.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;

/** The log of one partition. Confined to the thread of the simulation. */
final class PartitionLog {

    private final TreeMap<Long, StoredRecord> records = new TreeMap<>();
    private final Map<Long, Appended> lastOfProducers = new HashMap<>();
    private List<Runnable> waiting = new ArrayList<>();
    private long start;
    private long end;
    /** First offset of the oldest open transaction; {@link Long#MAX_VALUE} if there is none. */
    private long transactionStart = Long.MAX_VALUE;
    /** When the partition has a leader again, in nanoseconds of the simulation. */
    private long leaderFrom;

    private boolean full;

    /** The last batch of an idempotent producer. */
    private record Appended(long sequence, long offset) {}

    /** One record. */
    record StoredRecord(long offset, long timestamp, byte[] key, byte[] value, List<Header> headers, boolean aborted) {

        int bytes() {
            int size = 64 + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
            for (Header header : headers) {
                size += header.key().length() + (header.value() == null ? 0 : header.value().length);
            }
            return size;
        }
    }

    long start() {
        return start;
    }

    /** Returns the high watermark. */
    long end() {
        return end;
    }

    /** Returns the last stable offset. */
    long stable() {
        return Math.min(end, transactionStart);
    }

    boolean isFull() {
        return full;
    }

    void setFull(boolean isFull) {
        full = isFull;
    }

    boolean hasLeader(long now) {
        return now >= leaderFrom;
    }

    void setLeaderFrom(long nanos) {
        leaderFrom = nanos;
    }

    /** Appends a record. */
    StoredRecord append(long timestamp, byte[] key, byte[] value, List<Header> headers) {
        StoredRecord record = new StoredRecord(end, timestamp, key, value, headers, false);
        records.put(end, record);
        end++;
        return record;
    }

    /** Returns the records from an offset. */
    Collection<StoredRecord> from(long offset) {
        return records.tailMap(offset).values();
    }

    /** Returns the record at an offset; null if there is none. */
    StoredRecord at(long offset) {
        return records.get(offset);
    }

    /** Returns the offset of a record that an idempotent producer sends again; -1 if it is new. */
    long offsetOfRepeated(long producer, long sequence) {
        Appended last = lastOfProducers.get(producer);
        return last != null && sequence <= last.sequence() ? last.offset() - (last.sequence() - sequence) : -1;
    }

    void recordAppended(long producer, long sequence, long offset) {
        lastOfProducers.put(producer, new Appended(sequence, offset));
    }

    /** Uses offsets that no consumer sees, as compaction and the markers of transactions do. */
    void skipOffsets(long count) {
        end += count;
    }

    /** Removes a record, as compaction does. */
    void compact(long offset) {
        records.remove(offset);
    }

    /** Removes the records before the offset, as retention does. */
    void deleteBefore(long offset) {
        start = Math.max(start, Math.min(offset, end));
        records.headMap(start).clear();
    }

    void beginTransaction() {
        transactionStart = Math.min(transactionStart, end);
    }

    /** Ends the open transaction. All records since its start belong to it. */
    void endTransaction(boolean commit) {
        if (transactionStart == Long.MAX_VALUE) {
            return;
        }
        if (!commit) {
            records.tailMap(transactionStart)
                    .replaceAll((offset, record) -> new StoredRecord(
                            offset, record.timestamp(), record.key(), record.value(), record.headers(), true));
        }
        transactionStart = Long.MAX_VALUE;
        skipOffsets(1);
    }

    /**
     * What a fetch returns.
     *
     * @param next offset after the last one that was read, also of those that no consumer sees
     */
    record Read(List<StoredRecord> records, long next) {}

    /** Reads records from an offset that is not before the start, at least one if there is any. */
    Read read(long from, int maxBytes, boolean committedOnly) {
        long limit = committedOnly ? stable() : end;
        List<StoredRecord> found = new ArrayList<>();
        int bytes = 0;
        for (StoredRecord record : records.tailMap(from).values()) {
            if (record.offset() >= limit) {
                break;
            }
            if (!found.isEmpty() && bytes + record.bytes() > maxBytes) {
                return new Read(found, found.get(found.size() - 1).offset() + 1);
            }
            if (!(committedOnly && record.aborted())) {
                found.add(record);
                bytes += record.bytes();
            }
        }
        return new Read(found, Math.max(from, limit));
    }

    /** Runs the action after the next change. */
    void onChange(Runnable action) {
        waiting.add(action);
    }

    /** Runs the actions that wait for a change. */
    void changed() {
        List<Runnable> actions = waiting;
        waiting = new ArrayList<>();
        actions.forEach(Runnable::run);
    }
}
