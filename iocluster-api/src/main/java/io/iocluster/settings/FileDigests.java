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
 * What files held at one time, as digests: equal to another if nothing has changed in between. The content decides, not the
 * time of a file, for that stays where a link to it is changed.
 *
 * @param digests by file; empty for one that cannot be read
 */
public record FileDigests(Map<Path, String> digests) {

    public FileDigests {
        digests = Map.copyOf(digests);
    }

    /** What these files hold now. */
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
