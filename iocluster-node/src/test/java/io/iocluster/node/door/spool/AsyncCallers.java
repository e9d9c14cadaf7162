package io.iocluster.node.door.spool;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Apps that make asynchronous calls at a fixed rate. Each app makes one call after the other, and makes a call again with the same id until
 * a door has accepted it. So the calls of an app have an order. Thread-safe.
 */
final class AsyncCallers implements AutoCloseable {

    private static final int APPS = 10;
    /** Between two attempts while no door answers. */
    private static final long RETRY_NANOS = 50_000_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicReference<DoorChild> door;
    private final String envelopeRest;
    private final long intervalNanos;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, List<String>> accepted = new ConcurrentHashMap<>();
    private final AtomicInteger acceptedCount = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final List<String> surprises = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    /**
     * Starts the callers.
     *
     * @param door the door that runs now; the test replaces it
     * @param target the URL to call
     * @param perSecond calls of all apps together
     */
    AsyncCallers(AtomicReference<DoorChild> door, String target, int perSecond) {
        this.door = door;
        this.envelopeRest = "\", \"url\": \"" + target + "\"}";
        this.intervalNanos = APPS * 1_000_000_000L / perSecond;
        for (int app = 0; app < APPS; app++) {
            String name = "app-" + app;
            accepted.put(name, new CopyOnWriteArrayList<>());
            Thread thread = new Thread(() -> run(name), name);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(String app) {
        List<String> mine = accepted.get(app);
        long start = System.nanoTime();
        for (int number = 0; !stopped; number++) {
            // As fast as possible after an outage, until the rate is reached again.
            long wait = start + number * intervalNanos - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            }
            String id = "%s-%07d".formatted(app, number);
            if (accept(app, id)) {
                mine.add(id);
                acceptedCount.incrementAndGet();
            }
        }
    }

    /** Makes a call until it is accepted. Returns false if the callers stop before. */
    private boolean accept(String app, String id) {
        for (boolean again = false; !stopped; again = true) {
            try {
                int status = post(app, id);
                if (status == 202 || status == 200 || (status == 409 && again)) {
                    repeated.addAndGet(again ? 1 : 0);
                    return true;
                }
                surprises.add(id + ": " + status);
            } catch (IOException noDoor) {
                LockSupport.parkNanos(RETRY_NANOS);
            } catch (InterruptedException interrupted) {
                return false;
            }
        }
        return false;
    }

    private int post(String app, String id) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(door.get().uri("/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Prefer", "respond-async")
                .header("IOCluster-App", app)
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString("{\"id\": \"" + id + envelopeRest))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        return response.statusCode();
    }

    /** Returns the number of accepted calls. */
    int acceptedCount() {
        return acceptedCount.get();
    }

    /** Returns the number of accepted calls that took more than one attempt. */
    int repeated() {
        return repeated.get();
    }

    /** Returns the ids of the accepted calls by app, in the order in which the app made them. */
    Map<String, List<String>> accepted() {
        return Map.copyOf(accepted);
    }

    /** Returns unexpected responses. */
    List<String> surprises() {
        return surprises;
    }

    /** Stops the callers and waits for their last calls. */
    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(60_000);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
