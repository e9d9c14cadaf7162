package io.iocluster.lab.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a process took from {@code /proc}, which Linux alone has. */
public final class ProcessMeter {

    /** The clock ticks a second that Linux reports to user space, on every architecture that Java runs on. */
    private static final long TICKS = 100;

    private static final Pattern COLLECTION = Pattern.compile("(\\d+)M->\\d+M\\(");

    private final Path proc;

    ProcessMeter(long pid) {
        this.proc = Path.of("/proc", Long.toString(pid));
    }

    /** User and system time since its start, in microseconds, to within 10 ms. */
    public long cpuMicros() {
        String stat = read(proc.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 1_000_000 / TICKS;
    }

    /** The most memory it ever held, in bytes. */
    public long peakResidentBytes() {
        return read(proc.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
                .findFirst()
                .orElse(0);
    }

    /** The fullest the heap ever was before a collection, in bytes, from a log of {@code -Xlog:gc}; 0 if none ran. */
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

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
