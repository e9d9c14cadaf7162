package io.iocluster.door.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates the folder and the file of a spool for its owner only. Stateless. */
final class SpoolFolder {

    private static final String DATABASE = "spool.db";
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private SpoolFolder() {}

    /** Returns the path of the database. */
    static Path database(Path folder) {
        return folder.resolve(DATABASE);
    }

    /** Returns the path of the log that SQLite keeps beside the database. */
    static Path log(Path folder) {
        return folder.resolve(DATABASE + "-wal");
    }

    /** Creates the folder if it does not exist. An existing one keeps its permissions. */
    static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, permissions("rwx------"));
        }
    }

    /** Creates an empty file for a new database, which {@link #publish} renames. SQLite gives its other files the same permissions. */
    static Path createNew(Path folder) throws IOException {
        Path file = folder.resolve(DATABASE + ".new");
        Files.deleteIfExists(file);
        return Files.createFile(file, permissions("rw-------"));
    }

    /** Renames a complete new database, and returns when that is durable. */
    static void publish(Path created, Path folder) throws IOException {
        Files.move(created, database(folder), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static FileAttribute<?>[] permissions(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
