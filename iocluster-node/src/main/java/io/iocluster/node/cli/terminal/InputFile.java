package io.iocluster.node.cli.terminal;

import io.iocluster.node.config.binding.FileReadError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens the input of a command. */
public final class InputFile {

    private InputFile() {}

    /**
     * Opens a file.
     *
     * @param file standard input if it is null or {@code -}
     * @throws IOException if the file cannot be read; the message is for the user
     */
    public static InputStream open(Path file, Terminal terminal) throws IOException {
        if (file == null || file.toString().equals("-")) {
            return terminal.in();
        }
        try {
            InputStream in = Files.newInputStream(file);
            if (Files.isDirectory(file)) {
                in.close();
                throw new FileSystemException(file.toString());
            }
            return in;
        } catch (IOException unreadable) {
            throw new IOException(file + " cannot be read: " + FileReadError.reason(file, unreadable), unreadable);
        }
    }
}
