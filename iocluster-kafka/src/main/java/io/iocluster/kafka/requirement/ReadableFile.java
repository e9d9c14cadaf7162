package io.iocluster.kafka.requirement;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Tells whether a file that a property names can be read. Stateless. */
final class ReadableFile {

    private ReadableFile() {}

    /** Returns false also if the text is not a legal path. */
    static boolean isReadable(String file) {
        try {
            return Files.isReadable(Path.of(file));
        } catch (InvalidPathException invalid) {
            return false;
        }
    }
}
