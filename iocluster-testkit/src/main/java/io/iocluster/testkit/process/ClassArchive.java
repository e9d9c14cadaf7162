package io.iocluster.testkit.process;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class data sharing archive of child JVMs with the same main class and class path. One of the first children writes it, and later ones
 * map its classes instead of loading and verifying them. Without an archive a child only starts slower. Thread-safe, and safe for several
 * JVMs.
 */
final class ClassArchive {

    /** The system property with the folder of the archives. Without it there are none. The build sets it for tests. */
    static final String FOLDER_PROPERTY = "iocluster.jvm.archives";

    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
    private static final String SUFFIX = ".jsa";
    private static final Duration WRITE_WITHIN = Duration.ofMinutes(1);

    /**
     * The archives that children of this JVM may write. Their lock files must not be opened again, because the operating system frees the
     * locks of a JVM on a file when the JVM closes any channel of it.
     */
    private static final Set<Path> RECORDED = ConcurrentHashMap.newKeySet();

    private final String mainClass;
    private final Path file;

    private ClassArchive(String mainClass, Path file) {
        this.mainClass = mainClass;
        this.file = file;
    }

    /** Returns the archive, or nothing if archives are off or an entry of the class path is not a jar. */
    static Optional<ClassArchive> of(String mainClass, String classPath) {
        String folder = System.getProperty(FOLDER_PROPERTY, "");
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        // A JVM ignores an archive if a jar has changed. With another name, the next JVM writes a new archive.
        StringBuilder key = new StringBuilder(mainClass)
                .append('\n')
                .append(System.getProperty("java.home"))
                .append('\n')
                .append(Runtime.version());
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            File jar = new File(entry);
            if (!jar.isFile()) {
                return Optional.empty();
            }
            key.append('\n')
                    .append(entry)
                    .append(' ')
                    .append(jar.length())
                    .append(' ')
                    .append(jar.lastModified());
        }
        String name =
                mainClass + "-" + UUID.nameUUIDFromBytes(key.toString().getBytes(StandardCharsets.UTF_8)) + SUFFIX;
        return Optional.of(
                new ClassArchive(mainClass, Path.of(folder).toAbsolutePath().resolve(name)));
    }

    Path file() {
        return file;
    }

    /** Returns the flags of a child JVM that maps the archive, or none if there is no archive yet. */
    List<String> flags() {
        return Files.exists(file) ? List.of("-XX:SharedArchiveFile=" + file, "-Xshare:auto") : List.of();
    }

    /**
     * Returns the right of one child to write the archive, or nothing if the archive exists or another running child has the right. Start
     * the child with {@link Recording#flags}, and close the recording when the child has ended.
     */
    Optional<Recording> tryRecord() {
        if (Files.exists(file) || !RECORDED.add(file)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean isOurs = false;
        try {
            Files.createDirectories(file.getParent());
            channel = FileChannel.open(sibling(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            isOurs = channel.tryLock() != null && !Files.exists(file);
        } catch (IOException e) {
            warn(e);
        } finally {
            if (!isOurs) {
                giveUp(channel);
            }
        }
        return isOurs ? Optional.of(new Recording(channel)) : Optional.empty();
    }

    /** Frees the right to write the archive. A file system without locks must not leave channels open. */
    private void giveUp(FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            warn(e);
        } finally {
            RECORDED.remove(file);
        }
    }

    private void warn(IOException e) {
        LOG.warn("Class archive not written; children start slower file={} error={}", file, e.toString());
    }

    private void write(long pid) throws IOException, InterruptedException {
        Path incomplete = sibling(".new");
        Files.deleteIfExists(incomplete);
        String output = Jcmd.run(pid, WRITE_WITHIN, "VM.cds", "dynamic_dump", incomplete.toString());
        if (!Files.exists(incomplete)) {
            throw new IOException("jcmd wrote no archive: " + output);
        }
        Files.move(incomplete, file, StandardCopyOption.ATOMIC_MOVE);
        deleteOutdated();
    }

    /** Deletes the archives of earlier builds. A JVM that has mapped one keeps its content. */
    private void deleteOutdated() throws IOException {
        try (DirectoryStream<Path> archives =
                Files.newDirectoryStream(file.getParent(), mainClass + "-*" + SUFFIX + "*")) {
            for (Path archive : archives) {
                if (!archive.getFileName()
                        .toString()
                        .startsWith(file.getFileName().toString())) {
                    Files.deleteIfExists(archive);
                }
            }
        }
    }

    /** The right of a child to write the archive. The operating system frees it if this JVM ends. Any thread may close it. */
    final class Recording implements AutoCloseable {

        private final FileChannel channel;

        private Recording(FileChannel channel) {
            this.channel = channel;
        }

        /** Returns the flags of the child. They make its start slower. */
        List<String> flags() {
            return List.of(
                    "-XX:+RecordDynamicDumpInfo", "-Xlog:cds=error"); // Warns about each class that it leaves out.
        }

        /**
         * Lets the child write the archive of the classes that it has loaded. Does nothing if it has tried before.
         *
         * @return whether the child has written the archive
         */
        boolean writeFrom(long pid) {
            try {
                if (channel.isOpen() && !Files.exists(file)) {
                    write(pid);
                    return true;
                }
            } catch (IOException e) {
                warn(e);
                // A later child may succeed, and this one may run as long as all tests.
                close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }

        @Override
        public void close() {
            // A second close must not free the right of a later child.
            if (channel.isOpen()) {
                giveUp(channel);
            }
        }
    }

    private Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }
}
