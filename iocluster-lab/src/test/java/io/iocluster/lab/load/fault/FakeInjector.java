package io.iocluster.lab.load.fault;

import io.iocluster.lab.load.experiment.Fault;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Records starts and ends of faults, and fails on request. Thread-safe. */
public final class FakeInjector implements FaultInjector {

    public final List<String> events = new CopyOnWriteArrayList<>();
    public final Map<String, String> startFailures = new ConcurrentHashMap<>();
    final Map<String, String> undoFailures = new ConcurrentHashMap<>();
    final CountDownLatch starting = new CountDownLatch(1);
    final CountDownLatch mayStart = new CountDownLatch(1);
    volatile String slowStart = "";
    volatile String invalid = "";

    @Override
    public ActiveFault start(Fault fault) throws IOException, InterruptedException {
        String name = fault.name();
        if (name.equals(invalid)) {
            throw new IllegalArgumentException("invalid URL");
        }
        if (startFailures.containsKey(name)) {
            throw new IOException(startFailures.get(name));
        }
        if (name.equals(slowStart)) {
            starting.countDown();
            mayStart.await();
        }
        events.add("start " + name);
        return () -> {
            String failure = undoFailures.remove(name);
            if (failure != null) {
                throw new IOException(failure);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            events.add("undo " + name);
        };
    }

    @Override
    public String describe(Fault fault) {
        if (fault.name().equals(invalid)) {
            throw new IllegalArgumentException("invalid URL");
        }
        return "breaks " + fault.name();
    }
}
