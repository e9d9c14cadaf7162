package io.iocluster.node.config.binding;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Describes why a file cannot be read. The messages of the exceptions name the file but not the reason. */
public final class FileReadError {

    private FileReadError() {}

    /** Returns the reason as a phrase that can follow a colon. */
    public static String reason(Path file, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not UTF-8";
        }
        if (Files.isDirectory(file)) {
            return "it is a directory";
        }
        String reason = failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
        return reason == null ? failure.getClass().getSimpleName() : reason;
    }
}
