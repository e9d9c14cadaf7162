package io.iocluster.node.consul;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Keys with the index of their last change, as Consul counts it: over all keys. Safe for use by several threads. */
public final class FakeConsulKeys {

    private final Map<String, FoundKeys> keys = new HashMap<>();
    private long last = 10;
    private int generation;

    /**
     * What a query finds.
     *
     * @param value null if there is no such key
     */
    record FoundKeys(String value, long index) {}

    public synchronized void put(String key, String value) {
        keys.put(key, new FoundKeys(value, ++last));
        notifyAll();
    }

    public synchronized void delete(String key) {
        keys.remove(key);
        last++;
        notifyAll();
    }

    /** Sets the count back, as a restored snapshot does. */
    synchronized void countFrom(long index) {
        last = index;
        keys.replaceAll((key, found) -> new FoundKeys(found.value(), index));
        wake();
    }

    /** Lets every query return with what there is. */
    synchronized void wake() {
        generation++;
        notifyAll();
    }

    /** The key, at once or, where the query has an index, when it has a higher one or the query's wait is over. */
    synchronized FoundKeys get(String key, Map<String, String> query) throws InterruptedException {
        long index = Long.parseLong(query.getOrDefault("index", "0"));
        String wait = query.getOrDefault("wait", "300000ms").replace("ms", "");
        int began = generation;
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(wait));
        for (long left = until - System.nanoTime();
                index > 0 && find(key).index() <= index && generation == began && left > 0;
                left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return find(key);
    }

    private synchronized FoundKeys find(String key) {
        return keys.getOrDefault(key, new FoundKeys(null, last));
    }
}
