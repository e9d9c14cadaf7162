package io.iocluster.cache;

import java.util.List;

/** A value in a store. */
public sealed interface CacheEntry permits StoredResponse, CacheEntry.Varying {

    /** Bytes of heap that the store needs for one entry besides its content. */
    int OVERHEAD = 256;

    /** Returns the bytes of heap that it takes. */
    long bytes();

    /** Returns when the store removes it, on the node's monotonic clock. */
    long endNanos();

    /**
     * Says which request headers select the response.
     *
     * @param names in lower case, sorted
     */
    record Varying(List<String> names, long endNanos) implements CacheEntry {

        @Override
        public long bytes() {
            long bytes = OVERHEAD;
            for (String name : names) {
                bytes += StoredResponse.HEADER_OVERHEAD + name.length();
            }
            return bytes;
        }
    }
}
