package io.iocluster.door.spool;

import io.iocluster.door.spool.SpoolEntry.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The stored calls in their order, without their envelopes. Confined to the spool's thread. */
final class SpoolIndex {

    private final TreeMap<Long, SpoolEntry> entries = new TreeMap<>();
    /** The waiting entries, the one that expires first at the beginning. A check for expired ones must not visit all. */
    private final TreeSet<SpoolEntry> waiting = new TreeSet<>(
            Comparator.comparingLong((SpoolEntry each) -> each.expiresMillis).thenComparing(each -> each.position));

    /** Every entry before this position was forwarded or is done. */
    private long cursor;

    private int stored;
    private int forwarding;
    private long bytes;
    private long forwardingBytes;

    void add(SpoolEntry entry) {
        entries.put(entry.position, entry);
        waiting.add(entry);
        stored++;
        bytes += entry.bytes;
    }

    /** Returns the oldest entry that waits; null if there is none. */
    SpoolEntry nextStored() {
        for (SpoolEntry entry : entries.tailMap(cursor, true).values()) {
            if (entry.state == State.STORED) {
                cursor = entry.position;
                return entry;
            }
        }
        return null;
    }

    /** Changes the state of an entry. */
    void move(SpoolEntry entry, State next) {
        count(entry, -1);
        waiting.remove(entry);
        entry.state = next;
        count(entry, 1);
        if (next == State.STORED) {
            waiting.add(entry);
            cursor = Math.min(cursor, entry.position);
        }
    }

    private void count(SpoolEntry entry, int sign) {
        switch (entry.state) {
            case STORED -> {
                stored += sign;
                bytes += sign * entry.bytes;
            }
            case FORWARDING -> {
                forwarding += sign;
                forwardingBytes += sign * entry.bytes;
                bytes += sign * entry.bytes;
            }
            case DONE -> {}
        }
    }

    /** Removes entries that are done. */
    void removeAll(Collection<SpoolEntry> done) {
        done.forEach(entry -> entries.remove(entry.position));
    }

    /** Returns the waiting entries whose deadline has passed, the earliest deadline first. */
    List<SpoolEntry> expired(long nowMillis) {
        List<SpoolEntry> expired = new ArrayList<>();
        for (SpoolEntry entry : waiting) {
            if (entry.expiresMillis > nowMillis) {
                break;
            }
            expired.add(entry);
        }
        return expired;
    }

    /** Returns the oldest entry that is not done; null if there is none. */
    SpoolEntry oldest() {
        for (SpoolEntry entry : entries.values()) {
            if (entry.state != State.DONE) {
                return entry;
            }
        }
        return null;
    }

    /** Returns all entries, oldest first. */
    Collection<SpoolEntry> all() {
        return entries.values();
    }

    /** Returns the number of entries that wait. */
    int stored() {
        return stored;
    }

    /** Returns the number of entries that the broker has not confirmed. */
    int forwarding() {
        return forwarding;
    }

    long forwardingBytes() {
        return forwardingBytes;
    }

    /** Returns the size of the entries that are not done. */
    long bytes() {
        return bytes;
    }
}
