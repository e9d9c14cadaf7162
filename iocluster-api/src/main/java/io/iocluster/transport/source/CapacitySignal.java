package io.iocluster.transport.source;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets the thread of a source wait until the pipeline may have room again. Thread-safe. */
public final class CapacitySignal {

    private final Semaphore capacity = new Semaphore(0);

    /** Ends the current wait, or else the next one. Does not block. */
    public void signal() {
        if (capacity.availablePermits() == 0) {
            capacity.release();
        }
    }

    /** Waits for a signal, at most for this time. */
    public void await(long millis) throws InterruptedException {
        if (capacity.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            capacity.drainPermits();
        }
    }

    /**
     * Offers the delivery until the pipeline accepts it or the source stops.
     *
     * @param waitMillis longest wait between two offers
     * @return whether it was accepted
     */
    public boolean offer(Intake intake, Delivery delivery, long waitMillis, BooleanSupplier stopped)
            throws InterruptedException {
        while (!stopped.getAsBoolean()) {
            if (intake.offer(delivery)) {
                return true;
            }
            await(waitMillis);
        }
        return false;
    }
}
