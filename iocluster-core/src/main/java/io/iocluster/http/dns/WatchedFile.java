package io.iocluster.http.dns;

import io.iocluster.thread.NodeClock;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Value parsed from a file of the machine, which is read again after the file changed. If the new content is not valid,
 * the former value stays. Confined to one event loop.
 */
final class WatchedFile<T> {

    /** How often {@link #refresh} looks at the file's attributes: often enough that an operator need not wait. */
    static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * A file that changed this short a time before it was read is read again, because a second change within the
     * resolution of the file system's clock leaves the attributes as they are. Some have 2 s.
     */
    private static final Duration RECENT = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final Path path;
    private final Parser<T> parser;
    private final NodeClock clock;
    private Attributes attributes;
    private T value;
    private boolean readAgain;
    private long checkedAt;

    /**
     * Reads the file.
     *
     * @param fallback the value until the file is valid for the first time
     */
    WatchedFile(Path path, Parser<T> parser, T fallback, NodeClock clock) {
        this.path = path;
        this.parser = parser;
        this.clock = clock;
        this.value = fallback;
        this.checkedAt = clock.nanos();
        read(Attributes.of(path));
    }

    /** Returns the value that was read last. */
    T value() {
        return value;
    }

    /**
     * Reads the file again if it changed, and returns whether it did. Looks at the file at most once in
     * {@link #CHECK_INTERVAL}.
     */
    boolean refresh() {
        long now = clock.nanos();
        if (now - checkedAt < CHECK_INTERVAL.toNanos()) {
            return false;
        }
        checkedAt = now;
        Attributes found = Attributes.of(path);
        if (!readAgain && found.equals(attributes)) {
            return false;
        }
        return read(found);
    }

    private boolean read(Attributes found) {
        attributes = found;
        readAgain = found.isRecent(Instant.ofEpochMilli(clock.wallMillis()));
        try {
            value = parser.parse(path.toFile());
            return true;
        } catch (IOException | RuntimeException invalid) {
            LOG.debug("File not read; its former content stays in use file={}", path, invalid);
            return false;
        }
    }

    /** Reads a file. */
    interface Parser<T> {

        T parse(File file) throws IOException;
    }

    /** What changes with the content. {@code key} is the inode, because a renamed file can have the former time. */
    private record Attributes(Instant modified, long size, Object key) {

        private static final Attributes MISSING = new Attributes(Instant.EPOCH, -1, null);

        static Attributes of(Path path) {
            try {
                BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
                return new Attributes(found.lastModifiedTime().toInstant(), found.size(), found.fileKey());
            } catch (IOException missing) {
                return MISSING;
            }
        }

        boolean isRecent(Instant now) {
            return Duration.between(modified, now).abs().compareTo(RECENT) < 0;
        }
    }
}
