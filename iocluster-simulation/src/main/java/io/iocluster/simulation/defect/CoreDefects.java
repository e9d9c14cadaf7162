package io.iocluster.simulation.defect;

import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Defects of how the pipeline counts slots and wakes waiting calls. They change its private state after attempts, because no part between
 * the queue and the target can be replaced. Confined to the thread of the simulation.
 */
final class CoreDefects {

    private CoreDefects() {}

    /** What goes wrong after an attempt has ended and the pipeline has handled its end. */
    @FunctionalInterface
    private interface AfterAttempt {

        void ended(Pipeline pipeline, HttpRequest request, boolean cancelled);
    }

    private static Wiring afterAttempts(AfterAttempt defect) {
        Map<SimulatedProcess, Pipeline> pipelines = new HashMap<>();
        return new Wiring() {

            @Override
            public void created(SimulatedProcess process, Pipeline pipeline) {
                pipelines.put(process, pipeline);
            }

            @Override
            public HttpExecutor executor(SimulatedProcess process, HttpExecutor correct) {
                return new DefectiveExecutor(correct) {

                    @Override
                    public CompletableFuture<HttpResult> execute(
                            HttpRequest request, Duration timeout, BodyBudget budget) {
                        CompletableFuture<HttpResult> attempt = correct.execute(request, timeout, budget);
                        // Registered before the callbacks of the pipeline, and therefore called after them.
                        attempt.whenComplete(
                                (result, bug) -> defect.ended(pipelines.get(process), request, attempt.isCancelled()));
                        return attempt;
                    }
                };
            }
        };
    }

    /** The slot of an attempt is free twice. */
    static Wiring releasesSlotsTwice(Every some) {
        return afterAttempts((pipeline, request, cancelled) -> {
            if (some.next()) {
                window(pipeline).releaseSlot(0, 0);
            }
        });
    }

    /** The slot of a cancelled attempt is never free again. */
    static Wiring losesSlotsAfterCancel() {
        return afterAttempts((pipeline, request, cancelled) -> {
            if (cancelled) {
                window(pipeline).tryAcquireSlot(false, 0, 0);
            }
        });
    }

    /** The slot that an attempt had at its destination is free twice. */
    static Wiring releasesSlotsOfDestinationTwice(Every some) {
        return afterAttempts((pipeline, request, cancelled) -> {
            if (some.next()) {
                slotsOfDestination(pipeline, request).decrementAndGet();
            }
        });
    }

    /** The slot that a cancelled attempt had at its destination is never free again. */
    static Wiring losesSlotsOfDestinationAfterCancel() {
        return afterAttempts((pipeline, request, cancelled) -> {
            if (cancelled) {
                slotsOfDestination(pipeline, request).incrementAndGet();
            }
        });
    }

    /** Calls that wait for a destination start only when the next one is queued there, as if a signal was lost. */
    static Wiring forgetsWaitingCalls(Every some) {
        return afterAttempts((pipeline, request, cancelled) -> {
            if (some.next()) {
                write(destination(pipeline, request), "dispatchNeeded", false);
            }
        });
    }

    private static AtomicInteger slotsOfDestination(Pipeline pipeline, HttpRequest request) {
        Object held = read(read(destination(pipeline, request), "heldCapacity"), "own");
        return (AtomicInteger) read(held, "slots");
    }

    private static InFlightWindow window(Pipeline pipeline) {
        return (InFlightWindow) read(pipeline, "window");
    }

    private static Destination<?> destination(Pipeline pipeline, HttpRequest request) {
        return ((DestinationRegistry<?>) read(pipeline, "destinations"))
                .destinationFor(request.url().origin());
    }

    private static Object read(Object owner, String name) {
        try {
            return field(owner, name).get(owner);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void write(Object owner, String name, Object value) {
        try {
            field(owner, name).set(owner, value);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Field field(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException renamed) {
            throw new IllegalStateException("the defect must follow the pipeline: " + owner.getClass(), renamed);
        }
    }
}
