package io.iocluster.lab.load.command;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Handles Ctrl-C during a run. The first one ends the process, which takes as long as the undo of the faults. The second one prints what
 * the process is doing, because a JVM that is ending ignores it otherwise. The third one ends the process at once. Thread-safe.
 */
final class InterruptSignal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InterruptSignal.class);
    private static final String NAME = "INT";

    /** 128 and the number of the signal, as for each program that this signal ends. */
    private static final int EXIT_CODE = 130;

    private final Supplier<String> activity;
    private final Consumer<String> print;
    private final Runnable exit;
    private final Runnable halt;
    private final AtomicInteger received = new AtomicInteger();
    private SignalHandler previous;

    /**
     * Creates a handler.
     *
     * @param activity what the process is doing, such as {@code undoing the fault x}
     * @param exit ends the process with its shutdown hooks
     * @param halt ends it without them
     */
    InterruptSignal(Supplier<String> activity, Consumer<String> print, Runnable exit, Runnable halt) {
        this.activity = activity;
        this.print = print;
        this.exit = exit;
        this.halt = halt;
    }

    /** Handles the signal until {@link #close}. A process that was started with the signal ignored still ignores it. */
    static InterruptSignal handle(Supplier<String> activity, Consumer<String> print) {
        InterruptSignal signal = new InterruptSignal(
                activity,
                print,
                () -> System.exit(EXIT_CODE),
                () -> Runtime.getRuntime().halt(EXIT_CODE));
        signal.install();
        return signal;
    }

    private void install() {
        try {
            previous = Signal.handle(new Signal(NAME), any -> received());
        } catch (IllegalArgumentException taken) {
            // The JVM does not handle it, for example because of -Xrs.
            LOG.debug("Signal cannot be handled signal={}", NAME, taken);
        }
    }

    /** Handles one signal. The JVM calls it on a new thread for each. */
    void received() {
        switch (received.incrementAndGet()) {
            case 1 -> exit.run();
            case 2 ->
                print.accept(
                        "Still " + activity.get()
                                + ". Wait, or press Ctrl-C again to end at once: then faults may stay active and reports may be missing.");
            default -> halt.run();
        }
    }

    @Override
    public void close() {
        if (previous != null) {
            Signal.handle(new Signal(NAME), previous);
        }
    }
}
