package io.iocluster.lab.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the CPU time and memory of a process from {@code /proc}. Works only on Linux. */
final class ProcessMeter {

    /** Clock ticks per second that Linux reports to user space, on every architecture that Java supports. */
    private static final long TICKS_PER_SECOND = 100;

    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->\\d+M\\(");

    private static final Pattern FULL_COLLECTION = Pattern.compile("Pause Full.*->(\\d+)M\\(");

    private final Path proc;

    ProcessMeter(long pid) {
        this.proc = Path.of("/proc", Long.toString(pid));
    }

    /** Returns the user and system time since the process started, in microseconds with a resolution of 10 ms. */
    long cpuMicros() {
        String stat = read(proc.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 1_000_000 / TICKS_PER_SECOND;
    }

    /** Returns the program and its arguments. */
    List<String> arguments() {
        return List.of(read(proc.resolve("cmdline")).split("\0"));
    }

    /** Returns the peak resident memory, in bytes. */
    long peakResidentBytes() {
        return read(proc.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns the peak heap use before a collection, in bytes, from a log of {@code -Xlog:gc}; 0 if no collection ran.
     */
    static long peakHeapBytes(Path gcLog) {
        if (!Files.exists(gcLog)) {
            return 0;
        }
        return read(gcLog)
                .lines()
                .map(COLLECTION::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)) << 20)
                .max()
                .orElse(0);
    }

    /** Returns the heap use after each full collection, in bytes, from the same log. */
    static List<Long> heapAfterFullCollections(Path gcLog) {
        return read(gcLog)
                .lines()
                .map(FULL_COLLECTION::matcher)
                .filter(Matcher::find)
                .map(found -> Long.parseLong(found.group(1)) << 20)
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
