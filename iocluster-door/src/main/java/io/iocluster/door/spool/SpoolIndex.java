package io.iocluster.door.spool;

import io.iocluster.door.spool.SpoolEntry.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** The stored calls in their order, without their envelopes. Confined to the spool's thread. */
final class SpoolIndex {

    private final TreeMap<Long, SpoolEntry> entries = new TreeMap<>();
    /** Every entry before this position was forwarded or is done. */
    private long cursor;

    private int stored;
    private int forwarding;
    private long bytes;
    private long forwardingBytes;

    void add(SpoolEntry entry) {
        entries.put(entry.position, entry);
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
        entry.state = next;
        count(entry, 1);
        if (next == State.STORED) {
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

    /** Returns the waiting entries whose deadline has passed. */
    List<SpoolEntry> expired(long nowMillis) {
        List<SpoolEntry> expired = new ArrayList<>();
        for (SpoolEntry entry : entries.values()) {
            if (entry.state == State.STORED && entry.expiresMillis <= nowMillis) {
                expired.add(entry);
            }
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
