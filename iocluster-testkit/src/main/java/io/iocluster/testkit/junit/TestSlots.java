package io.iocluster.testkit.junit;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.iocluster.testkit.process.FixedWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Slots that the test JVMs of a machine share: each byte of a file is one, and the JVM that locks it holds it. The operating system frees
 * the slot of a JVM that ends. Thread-safe, but only one thread of a JVM may wait for a slot at a time.
 */
final class TestSlots implements AutoCloseable {

    private static final int POLL_MILLIS = 20;

    // Stays open, because the operating system frees a JVM's locks on a file when the JVM closes any channel of it.
    private final FileChannel channel;
    private final long slots;

    private TestSlots(FileChannel channel, long slots) {
        this.channel = channel;
        this.slots = slots;
    }

    /**
     * Opens the file.
     *
     * @throws IllegalArgumentException if it is empty, because it has no slot
     */
    static TestSlots open(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, READ, WRITE);
            long slots = channel.size();
            if (slots == 0) {
                channel.close();
                throw new IllegalArgumentException(file + " is empty; write one byte for each slot");
            }
            return new TestSlots(channel, slots);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a slot is free and takes it. JVMs get slots in about the order in which they asked. */
    FileLock acquire() {
        // A test can leave its thread interrupted, and the channel of an interrupted thread would be closed.
        boolean interrupted = Thread.interrupted();
        // Only the first waiter polls the slots. The others wait for the byte behind the slots, so that none overtakes
        // them.
        try (FileLock first = channel.lock(slots, 1, false)) {
            Optional<FileLock> slot = tryAcquire();
            while (slot.isEmpty()) {
                FixedWait.millis(POLL_MILLIS);
                slot = tryAcquire();
            }
            return slot.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes a slot if one is free. */
    Optional<FileLock> tryAcquire() {
        for (long slot = 0; slot < slots; slot++) {
            try {
                FileLock lock = channel.tryLock(slot, 1, false);
                if (lock != null) {
                    return Optional.of(lock);
                }
            } catch (OverlappingFileLockException taken) {
                // This JVM has the slot.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Optional.empty();
    }

    /** Frees all slots of this JVM. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
