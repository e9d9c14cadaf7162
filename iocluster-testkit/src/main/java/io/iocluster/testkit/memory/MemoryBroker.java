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
 * A queue of requests, and what was published in answer, in memory. It outlives the transports on it, as a broker outlives
 * nodes, and misbehaves on request. Safe for several threads; guarded by itself.
 */
public final class MemoryBroker {

    /** Where answers go unless a request says otherwise. */
    public static final String ANSWERS = "answers";

    /** Where dead letters go. */
    public static final String DEAD_LETTERS = "dead-letters";

    /** Where requests go that are put off. */
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
    private final Map<String, PublishResult> refusedPlaces = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, List<Runnable>> silentPlaces = new HashMap<>();

    @GuardedBy("this")
    private long sent;

    @GuardedBy("this")
    private long acknowledged;

    @GuardedBy("this")
    private long released;

    @GuardedBy("this")
    private boolean refusing;

    @GuardedBy("this")
    private boolean holding;

    @GuardedBy("this")
    private boolean away;

    @GuardedBy("this")
    private int largest = Integer.MAX_VALUE;

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

    /** Puts a request on the queue when the time is over. */
    void sendDelayed(Duration after, byte[] payload, String correlation, Map<String, String> headers) {
        CompletableFuture.delayedExecutor(after.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> send(payload, correlation, headers, System.currentTimeMillis(), true));
    }

    /** The answers at the default place, in the order of their publishing. */
    public List<MemoryMessage> answers() {
        return publishedTo(ANSWERS);
    }

    public List<MemoryMessage> deadLetters() {
        return publishedTo(DEAD_LETTERS);
    }

    public synchronized List<MemoryMessage> publishedTo(String place) {
        return List.copyOf(published.getOrDefault(place, List.of()));
    }

    /** Requests that no transport holds. */
    public synchronized int readyCount() {
        return waiting.size();
    }

    /** Requests that were handed over and are not settled. */
    public synchronized int unsettledCount() {
        return unsettled.size();
    }

    public synchronized long acknowledgedCount() {
        return acknowledged;
    }

    /** How many requests were given back, by a release or by a transport that closed. */
    public synchronized long releasedCount() {
        return released;
    }

    /** From now on each publish fails, or no longer. */
    public synchronized void failPublishes(boolean refuse) {
        refusing = refuse;
    }

    /** Sets the result of each publish to that place; null restores the default. */
    public synchronized void failPublishesTo(String place, PublishResult how) {
        if (how == null) {
            refusedPlaces.remove(place);
        } else {
            refusedPlaces.put(place, how);
        }
    }

    /** Returns whether that place does not exist. */
    synchronized boolean isKnownMissing(String place) {
        return refusedPlaces.get(place) instanceof PublishResult.UnknownTopicOrQueue;
    }

    /** Holds each message published to that place until {@link #confirmAt} confirms it. */
    public synchronized void silence(String place) {
        silentPlaces.computeIfAbsent(place, any -> new ArrayList<>());
    }

    /** Confirms all held and later messages of that place. */
    public void confirmAt(String place) {
        List<Runnable> confirms;
        synchronized (this) {
            confirms = silentPlaces.remove(place);
        }
        if (confirms != null) {
            confirms.forEach(Runnable::run);
        }
    }

    /** From now on a published message is confirmed only by {@link #releaseConfirms}. */
    public synchronized void holdConfirms() {
        holding = true;
    }

    /** Confirms what was held and what comes. */
    public void releaseConfirms() {
        List<Runnable> confirms;
        synchronized (this) {
            holding = false;
            confirms = List.copyOf(heldConfirms);
            heldConfirms.clear();
        }
        confirms.forEach(Runnable::run);
    }

    /** Published messages that are not yet confirmed. */
    public synchronized int heldConfirmCount() {
        return heldConfirms.size();
    }

    /** A larger message is refused from now on. */
    public synchronized void limitPayloadBytes(int bytes) {
        largest = bytes;
    }

    /** The broker cannot be reached: nothing is handed over, each publish fails. */
    public void goOffline() {
        synchronized (this) {
            away = true;
        }
        wake();
    }

    public void goOnline() {
        synchronized (this) {
            away = false;
        }
        wake();
    }

    synchronized boolean isOffline() {
        return away;
    }

    /** Hands over the next request, or null. */
    synchronized MemoryMessage poll() {
        if (away) {
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
            released++;
            waiting.addFirst(message);
        }
        wake();
    }

    /** The age of the oldest request that is not settled, 0 if there is none. */
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

    synchronized CompletionStage<PublishResult> publish(String place, MemoryMessage message, Executor confirms) {
        if (away || refusing) {
            return CompletableFuture.supplyAsync(() -> new PublishResult.Failed("refused"), confirms);
        }
        PublishResult refusal = refusedPlaces.get(place);
        if (refusal != null) {
            return CompletableFuture.supplyAsync(() -> refusal, confirms);
        }
        if (message.payload().length > largest) {
            PublishResult tooLarge = new PublishResult.TooLarge("over " + largest + " bytes");
            return CompletableFuture.supplyAsync(() -> tooLarge, confirms);
        }
        published.computeIfAbsent(place, any -> new ArrayList<>()).add(message);
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        Runnable confirm = () -> result.completeAsync(() -> PublishResult.CONFIRMED, confirms);
        List<Runnable> unheard = silentPlaces.get(place);
        if (unheard != null) {
            unheard.add(confirm);
        } else if (holding) {
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
