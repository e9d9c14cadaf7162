package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * The wall clock of a child process, which a test can step while the process runs. {@link System#nanoTime} is not
 * affected. Requires Debian's package {@code libfaketime}. Thread-safe.
 */
public final class SteppableClock {

    /** How long a process may take to notice a step. */
    public static final Duration STEP_WITHIN = Duration.ofSeconds(1);

    private static final Path LIBRARIES = Path.of("/usr/lib");
    /** The variant for programs with threads. */
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path library = findLibrary();
    private final Path file;

    /**
     * Creates a clock that shows the real time.
     *
     * @param file takes the offset from the real time
     * @throws IllegalStateException if libfaketime is not installed
     */
    public SteppableClock(Path file) {
        this.file = file.toAbsolutePath();
        setOffset(Duration.ZERO);
    }

    /** Returns the environment variables of a child process with this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file.toString(),
                "FAKETIME_CACHE_DURATION",
                Long.toString(STEP_WITHIN.toSeconds()),
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // With this workaround for old C libraries, Object.wait() returns at once.
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0",
                "NO_FAKE_STAT",
                "1");
    }

    /** Sets the offset from the real time. The process notices it {@linkplain #STEP_WITHIN soon}. */
    public synchronized void setOffset(Duration offset) {
        Path complete = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(complete, String.format(Locale.ROOT, "%+.3f%n", offset.toMillis() / 1e3));
            Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the shared memory that a killed process leaves behind. */
    public static void deleteSharedMemory(long pid) {
        try {
            Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
            Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path findLibrary() {
        try (DirectoryStream<Path> architectures = Files.newDirectoryStream(LIBRARIES, Files::isDirectory)) {
            for (Path architecture : architectures) {
                Path library = architecture.resolve(LIBRARY);
                if (Files.exists(library)) {
                    return library;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no " + LIBRARIES + "/*/" + LIBRARY + "; install libfaketime");
    }
}
