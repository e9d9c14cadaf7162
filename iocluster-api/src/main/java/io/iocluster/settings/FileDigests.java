package io.iocluster.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * SHA-256 digests of files at one time. Two are equal if no content has changed. Modification times are not compared,
 * because a file's time does not change if a symbolic link to it is replaced.
 *
 * @param digests by file; an empty string for a file that cannot be read
 */
public record FileDigests(Map<Path, String> digests) {

    public FileDigests {
        digests = Map.copyOf(digests);
    }

    /** Reads the files and returns their current digests. */
    public static FileDigests read(Collection<Path> files) {
        Map<Path, String> digests = new HashMap<>();
        files.forEach(file -> digests.put(file, digest(file)));
        return new FileDigests(digests);
    }

    private static String digest(Path file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (IOException unreadable) {
            return "";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
