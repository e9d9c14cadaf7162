package io.iocluster.node.consul;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Keys with the index of their last change, which Consul counts over all keys. Thread-safe. */
public final class FakeConsulKeys {

    private final Map<String, FoundKeys> keys = new HashMap<>();
    private long last = 10;
    private int generation;

    /**
     * The result of a query.
     *
     * @param value null if the key does not exist
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

    /** Sets the index back, like a restored snapshot. */
    synchronized void countFrom(long index) {
        last = index;
        keys.replaceAll((key, found) -> new FoundKeys(found.value(), index));
        wake();
    }

    /** Makes every waiting query return the current value. */
    synchronized void wake() {
        generation++;
        notifyAll();
    }

    /** Returns the key. With an index, waits until the key has a higher one or the query's wait is over. */
    synchronized FoundKeys get(String key, Map<String, String> query) throws InterruptedException {
        long index = Long.parseLong(query.getOrDefault("index", "0"));
        String wait = query.getOrDefault("wait", "300000ms").replace("ms", "");
        int startGeneration = generation;
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(wait));
        for (long leftNanos = deadlineNanos - System.nanoTime();
                index > 0 && find(key).index() <= index && generation == startGeneration && leftNanos > 0;
                leftNanos = deadlineNanos - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
        }
        return find(key);
    }

    private synchronized FoundKeys find(String key) {
        return keys.getOrDefault(key, new FoundKeys(null, last));
    }
}
