package io.iocluster.door.spool;

import io.iocluster.door.call.StoredCall;

/** What the spool holds in memory about one stored call. Confined to the spool's thread, except for its final fields. */
final class SpoolEntry {

    /** Bytes of a page of the database that records can use. */
    private static final int PAGE_BYTES = 4_000;

    /** Bytes that a record needs beside its own, also for its protection. */
    private static final int ROW_BYTES = 50;

    final long position;
    final String app;
    final String id;
    final long acceptedMillis;
    final long expiresMillis;
    /** Size in the database, rounded up. */
    final long bytes;

    State state = State.STORED;

    /** Whether this or an earlier process may have forwarded the call, so that the broker may have it. */
    boolean mayBeForwarded;

    /** The states of a stored call. */
    enum State {
        /** It waits until it is forwarded. */
        STORED,
        /** It was forwarded, and the broker has not confirmed it. */
        FORWARDING,
        /** It is to be removed from the database. */
        DONE
    }

    /**
     * Creates the entry of a call that waits.
     *
     * @param recordBytes size of the record
     */
    SpoolEntry(long position, StoredCall call, int recordBytes) {
        this.position = position;
        this.app = call.app();
        this.id = call.id();
        this.acceptedMillis = call.acceptedMillis();
        this.expiresMillis = call.expiresMillis();
        this.bytes = size(recordBytes);
    }

    /** Returns the size of a record in the database. A page holds as many whole records as fit; a larger record has whole pages. */
    static long size(int recordBytes) {
        long needed = (long) recordBytes + ROW_BYTES;
        return needed > PAGE_BYTES
                ? (needed + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES / 4
                : PAGE_BYTES / (PAGE_BYTES / needed);
    }
}
