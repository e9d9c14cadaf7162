package io.iocluster.testkit.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Limits how many test classes run at the same time in all JVMs that share {@link TestSlots}: a class waits for a slot before its first
 * method and its brokers start. The system property {@value #SLOTS_PROPERTY} names the file of the slots; without it there is no limit.
 * Confined to the thread that runs the tests. JUnit's launcher finds this class through {@code META-INF/services}.
 *
 * <p>A JVM keeps its slot for classes that follow soon, because short unit tests would otherwise wait longer than they run.
 */
public final class TestClassLimit implements TestExecutionListener {

    public static final String SLOTS_PROPERTY = "iocluster.test-slots";
    static final Duration LEASE = Duration.ofSeconds(10);

    // Surefire can create a launcher for each class. All of them share the slot of this JVM.
    private static final SlotLease OF_THIS_JVM = ofProperty();

    private final SlotLease lease;

    public TestClassLimit() {
        this(OF_THIS_JVM);
    }

    TestClassLimit(SlotLease lease) {
        this.lease = lease;
    }

    private static SlotLease ofProperty() {
        String file = System.getProperty(SLOTS_PROPERTY, "");
        return file.isEmpty() ? null : new SlotLease(TestSlots.open(Path.of(file)), System::nanoTime);
    }

    @Override
    public void executionStarted(TestIdentifier started) {
        if (lease != null && isTopLevelClass(started)) {
            lease.acquire();
        }
    }

    @Override
    public void executionFinished(TestIdentifier finished, TestExecutionResult result) {
        if (lease != null && isTopLevelClass(finished)) {
            lease.releaseIfEnded();
        }
    }

    private static boolean isTopLevelClass(TestIdentifier identifier) {
        // The engine, then the class.
        return identifier.getUniqueIdObject().getSegments().size() == 2;
    }

    /** The lease of a slot by one JVM. Owned by its listener; not thread-safe. */
    static final class SlotLease {

        private final TestSlots slots;
        private final LongSupplier nanoClock;
        private FileLock slot;
        private long startNanos;

        SlotLease(TestSlots slots, LongSupplier nanoClock) {
            this.slots = slots;
            this.nanoClock = nanoClock;
        }

        /** Waits for a slot, unless the JVM still has one. */
        void acquire() {
            if (slot == null) {
                slot = slots.acquire();
                startNanos = nanoClock.getAsLong();
            }
        }

        /** Frees the slot if the lease has ended. */
        void releaseIfEnded() {
            if (slot != null && nanoClock.getAsLong() - startNanos >= LEASE.toNanos()) {
                try {
                    slot.release();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                slot = null;
            }
        }
    }
}
