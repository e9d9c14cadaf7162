package io.iocluster.testkit.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * An in-memory broker: a queue of requests and the messages published to other queues. It outlives its transports, as a
 * broker outlives nodes, and fails on request. Thread-safe; guarded by itself.
 */
public final class MemoryBroker {

    /** The default queue for answers. */
    public static final String ANSWERS = "answers";

    /** The queue for dead letters. */
    public static final String DEAD_LETTERS = "dead-letters";

    /** The queue for delayed retries. */
    public static final String DELAYED = "delayed";

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @GuardedBy("this")
    private final Deque<MemoryMessage> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private final Map<String, MemoryMessage> unsettled = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, List<MemoryMessage>> published = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<Runnable> heldConfirms = new ArrayList<>();

    @GuardedBy("this")
    private final Map<String, PublishResult> failingQueues = new HashMap<>();

    @GuardedBy("this")
    private long sent;

    @GuardedBy("this")
    private long acknowledged;

    @GuardedBy("this")
    private boolean failing;

    @GuardedBy("this")
    private boolean holdingConfirms;

    @GuardedBy("this")
    private boolean offline;

    @GuardedBy("this")
    private int maxPayloadBytes = Integer.MAX_VALUE;

    /** Puts a request on the queue, stamped with the current time, and returns its coordinates. */
    public String send(byte[] payload, String correlation, Map<String, String> headers) {
        return send(payload, correlation, headers, System.currentTimeMillis());
    }

    /** Puts a request on the queue and returns its coordinates. */
    public String send(byte[] payload, String correlation, Map<String, String> headers, long timestampMillis) {
        return send(payload, correlation, headers, timestampMillis, false);
    }

    private String send(
            byte[] payload,
            String correlation,
            Map<String, String> headers,
            long timestampMillis,
            boolean delayedRetry) {
        String coordinates;
        synchronized (this) {
            coordinates = "memory/" + sent++;
            waiting.add(new MemoryMessage(coordinates, payload, correlation, headers, timestampMillis, delayedRetry));
        }
        wake();
        return coordinates;
    }

    /** Puts a request on the queue and returns its coordinates. */
    public String send(String payload) {
        return send(payload.getBytes(StandardCharsets.UTF_8), null, Map.of());
    }

    /** Puts a request on the queue after the delay. */
    void sendDelayed(Duration delay, byte[] payload, String correlation, Map<String, String> headers) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> send(payload, correlation, headers, System.currentTimeMillis(), true));
    }

    /** Returns the answers on the default queue, in publish order. */
    public List<MemoryMessage> answers() {
        return publishedTo(ANSWERS);
    }

    /** Returns the dead letters, in publish order. */
    public List<MemoryMessage> deadLetters() {
        return publishedTo(DEAD_LETTERS);
    }

    /** Returns the messages published to this queue, in publish order. */
    public synchronized List<MemoryMessage> publishedTo(String queue) {
        return List.copyOf(published.getOrDefault(queue, List.of()));
    }

    /** Returns the number of requests that no transport holds. */
    public synchronized int readyCount() {
        return waiting.size();
    }

    /** Returns the number of requests that were delivered and are not settled. */
    public synchronized int unsettledCount() {
        return unsettled.size();
    }

    /** Returns the number of requests that were acknowledged. */
    public synchronized long acknowledgedCount() {
        return acknowledged;
    }

    /** Sets whether each further publish fails. */
    public synchronized void failPublishes(boolean fail) {
        failing = fail;
    }

    /** Sets the result of each further publish to this queue; null restores the default. */
    public synchronized void failPublishesTo(String queue, PublishResult result) {
        if (result == null) {
            failingQueues.remove(queue);
        } else {
            failingQueues.put(queue, result);
        }
    }

    /** Returns whether this queue does not exist. */
    synchronized boolean isKnownMissing(String queue) {
        return failingQueues.get(queue) instanceof PublishResult.UnknownTopicOrQueue;
    }

    /** Leaves each further published message unconfirmed until {@link #releaseConfirms}. */
    public synchronized void holdConfirms() {
        holdingConfirms = true;
    }

    /** Confirms the held and all further messages. */
    public void releaseConfirms() {
        List<Runnable> confirms;
        synchronized (this) {
            holdingConfirms = false;
            confirms = List.copyOf(heldConfirms);
            heldConfirms.clear();
        }
        confirms.forEach(Runnable::run);
    }

    /** Returns the number of published messages whose confirms are held. */
    public synchronized int heldConfirmCount() {
        return heldConfirms.size();
    }

    /** Refuses further messages with a larger payload. */
    public synchronized void limitPayloadBytes(int bytes) {
        maxPayloadBytes = bytes;
    }

    /** Makes the broker unreachable: it delivers nothing, and each publish fails. */
    public void goOffline() {
        synchronized (this) {
            offline = true;
        }
        wake();
    }

    /** Makes the broker reachable again. */
    public void goOnline() {
        synchronized (this) {
            offline = false;
        }
        wake();
    }

    synchronized boolean isOffline() {
        return offline;
    }

    /** Returns the next request and marks it as unsettled; null if there is none. */
    synchronized MemoryMessage poll() {
        if (offline) {
            return null;
        }
        MemoryMessage message = waiting.poll();
        if (message != null) {
            unsettled.put(message.coordinates(), message);
        }
        return message;
    }

    synchronized void acknowledge(MemoryMessage message) {
        if (unsettled.remove(message.coordinates()) != null) {
            acknowledged++;
        }
    }

    void requeue(MemoryMessage message) {
        synchronized (this) {
            if (unsettled.remove(message.coordinates()) == null) {
                return;
            }
            waiting.addFirst(message);
        }
        wake();
    }

    /** Returns the age of the oldest unsettled request in milliseconds, 0 if there is none. */
    synchronized long oldestAgeMillis(long now) {
        long oldest = now;
        for (MemoryMessage message : waiting) {
            oldest = Math.min(oldest, message.timestampMillis());
        }
        for (MemoryMessage message : unsettled.values()) {
            oldest = Math.min(oldest, message.timestampMillis());
        }
        return now - oldest;
    }

    synchronized CompletionStage<PublishResult> publish(String queue, MemoryMessage message, Executor confirms) {
        if (offline || failing) {
            return CompletableFuture.supplyAsync(() -> new PublishResult.Failed("refused"), confirms);
        }
        PublishResult refusal = failingQueues.get(queue);
        if (refusal != null) {
            return CompletableFuture.supplyAsync(() -> refusal, confirms);
        }
        if (message.payload().length > maxPayloadBytes) {
            PublishResult tooLarge = new PublishResult.TooLarge("over " + maxPayloadBytes + " bytes", maxPayloadBytes);
            return CompletableFuture.supplyAsync(() -> tooLarge, confirms);
        }
        published.computeIfAbsent(queue, any -> new ArrayList<>()).add(message);
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        Runnable confirm = () -> result.completeAsync(() -> PublishResult.CONFIRMED, confirms);
        if (holdingConfirms) {
            heldConfirms.add(confirm);
        } else {
            confirm.run();
        }
        return result;
    }

    void addListener(Runnable listener) {
        listeners.add(listener);
    }

    void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    private void wake() {
        listeners.forEach(Runnable::run);
    }
}
