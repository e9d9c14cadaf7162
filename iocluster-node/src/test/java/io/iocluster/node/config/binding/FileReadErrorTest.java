package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReadErrorTest {

    @TempDir
    private Path folder;

    @Test
    void describesWhyAFileCannotBeRead() throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[] {(byte) 0xFF});

        assertThat(reason(folder.resolve("absent"))).isEqualTo("no such file");
        assertThat(reason(folder)).isEqualTo("it is a directory");
        assertThat(reason(file.resolve("below"))).isEqualTo("Not a directory");
        assertThat(reason(file)).isEqualTo("it is not UTF-8");
    }

    /** Uses an exception instead of a file, because root may read every file. */
    @Test
    void describesMissingPermissions() {
        assertThat(FileReadError.reason(folder, new AccessDeniedException("file")))
                .isEqualTo("permission denied");
    }

    @Test
    void usesTheSystemsReasonOtherwise() {
        assertThat(FileReadError.reason(folder.resolve("file"), new IOException("Input/output error")))
                .isEqualTo("Input/output error");
        assertThat(FileReadError.reason(folder.resolve("file"), new IOException()))
                .isEqualTo("IOException");
    }

    private static String reason(Path file) {
        return FileReadError.reason(file, catchThrowableOfType(IOException.class, () -> Files.readString(file)));
    }
}
