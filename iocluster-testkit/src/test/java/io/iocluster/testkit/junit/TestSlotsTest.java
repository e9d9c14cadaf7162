package io.iocluster.testkit.junit;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSlotsTest {

    @TempDir
    private Path folder;

    @Test
    void aJvmWaitsForTheSlotOfAnotherUntilThatIsKilled() throws Exception {
        Path file = slots(1);
        try (TestSlots slots = TestSlots.open(file);
                JavaProcess other = holder(file)) {
            CompletableFuture<FileLock> acquired = CompletableFuture.supplyAsync(slots::acquire);
            assertThat(slots.tryAcquire()).isEmpty();
            assertThat(acquired).isNotDone();

            other.kill();

            assertThat(acquired.get(1, MINUTES).isValid()).isTrue();
        }
    }

    @Test
    void asManyJvmsHaveASlotAsTheFileHasBytes() throws Exception {
        Path file = slots(2);
        try (TestSlots slots = TestSlots.open(file);
                JavaProcess other = holder(file)) {
            assertThat(other.isAlive()).isTrue();
            assertThat(slots.acquire().isValid()).isTrue();

            assertThat(slots.tryAcquire()).isEmpty();
        }
    }

    @Test
    void aReleasedSlotIsFree() throws Exception {
        try (TestSlots slots = TestSlots.open(slots(1))) {
            slots.acquire().release();

            assertThat(slots.tryAcquire()).isPresent();
        }
    }

    @Test
    void anInterruptedThreadGetsASlotAndStaysInterrupted() throws Exception {
        try (TestSlots slots = TestSlots.open(slots(1))) {
            Thread.currentThread().interrupt();

            FileLock slot = slots.acquire();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(slot.isValid()).isTrue();
        }
    }

    @Test
    void refusesAnEmptyFile() throws Exception {
        Path file = slots(0);

        assertThatThrownBy(() -> TestSlots.open(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one byte for each slot");
    }

    private Path slots(int count) throws Exception {
        return Files.write(folder.resolve("slots"), new byte[count]);
    }

    /** Starts a JVM and waits until it has a slot. */
    private JavaProcess holder(Path file) {
        Path acquired = folder.resolve("acquired");
        JavaProcess process = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx32m"),
                Holder.class.getName(),
                List.of(file.toString(), acquired.toString()),
                folder.resolve("holder.log")));
        await().until(() -> Files.exists(acquired));
        return process;
    }

    /** Takes a slot, creates a file and keeps the slot until it is killed. */
    public static final class Holder {

        private Holder() {}

        public static void main(String[] args) throws Exception {
            // Without this reference, a garbage collection would close the file and free the slot.
            try (TestSlots slots = TestSlots.open(Path.of(args[0]))) {
                slots.acquire();
                Files.createFile(Path.of(args[1]));
                Thread.currentThread().join();
            }
        }
    }
}
