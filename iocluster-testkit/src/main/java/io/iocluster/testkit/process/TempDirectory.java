package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A temporary directory, deleted with its content on {@link #close}, at the latest when this process exits. */
public final class TempDirectory implements AutoCloseable {

    private final Path path;
    private final Thread hook = new Thread(this::delete, "delete-temp-directory");

    public TempDirectory(String name) {
        try {
            path = Files.createTempDirectory("iocluster-" + name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public Path path() {
        return path;
    }

    public Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is already running.
        }
    }

    private void delete() {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ignores missing files, because a process that is being killed may still delete some during the walk. */
    private static final class Deletion extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
            if (problem instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw problem;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException problem) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
