package io.iocluster.http.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.time.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedFileTest {

    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

    @TempDir
    private Path folder;

    private Path path;
    private long nanos;
    private int reads;

    @BeforeEach
    void createFile() throws IOException {
        path = folder.resolve("file");
        write(path, "one");
    }

    private static void write(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    private WatchedFile<String> watch() {
        return new WatchedFile<>(
                path,
                file -> {
                    reads++;
                    String content = Files.readString(file.toPath());
                    if (content.isEmpty()) {
                        throw new IOException("empty");
                    }
                    return content;
                },
                "fallback",
                new FakeClock(() -> nanos, System::currentTimeMillis));
    }

    private void pass() {
        nanos += WatchedFile.CHECK_INTERVAL.toNanos();
    }

    @Test
    void readsAFileOnlyIfItChanged() throws IOException {
        WatchedFile<String> file = watch();
        pass();
        assertThat(file.refresh()).isFalse();
        assertThat(reads).isEqualTo(1);

        write(path, "longer");
        assertThat(file.refresh()).as("within the interval").isFalse();
        pass();
        assertThat(file.refresh()).isTrue();
        assertThat(file.value()).isEqualTo("longer");
    }

    @Test
    void noticesAFileThatReplacesAnotherOfTheSameSizeAndTime() throws IOException {
        WatchedFile<String> file = watch();
        Path other = folder.resolve("other");
        write(other, "two");
        Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);

        pass();
        assertThat(file.refresh()).isTrue();
        assertThat(file.value()).isEqualTo("two");
    }

    @Test
    void readsAFileAgainThatChangedJustBeforeItWasRead() throws IOException {
        FileTime now = FileTime.from(Instant.now());
        Files.setLastModifiedTime(path, now);
        WatchedFile<String> file = watch();
        Files.writeString(path, "two");
        Files.setLastModifiedTime(path, now);

        pass();
        file.refresh();

        assertThat(file.value()).isEqualTo("two");
    }

    @Test
    void keepsTheFormerValueIfTheFileIsNotValid() throws IOException {
        WatchedFile<String> file = watch();
        write(path, "");
        pass();
        assertThat(file.refresh()).isFalse();
        assertThat(file.value()).isEqualTo("one");

        write(path, "again");
        pass();
        assertThat(file.refresh()).isTrue();
        assertThat(file.value()).isEqualTo("again");
    }

    @Test
    void hasTheFallbackUntilTheFileExists() throws IOException {
        Files.delete(path);
        WatchedFile<String> file = watch();
        assertThat(file.value()).isEqualTo("fallback");

        write(path, "one");
        pass();
        assertThat(file.refresh()).isTrue();
        assertThat(file.value()).isEqualTo("one");
    }
}
