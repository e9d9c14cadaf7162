package io.iocluster.lab.load.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.data.ReplayReader.RecordedCall;
import io.iocluster.lab.load.data.ReplayReader.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayReaderTest {

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void createFile() {
        file = folder.resolve("calls.ndjson");
    }

    @Test
    void callsAreDueAtTheirRecordedPaceOrAScaledOne() throws IOException {
        Files.writeString(file, """
                {"at": "2026-11-27T08:00:00.000Z", "url": "http://h/1", "deadlineMs": 5000}
                {"at": "2026-11-27T08:00:00.500Z", "url": "http://h/2", "method": "POST", "body": "x"}

                {"at": "2026-11-27T08:00:00.400Z", "url": "http://h/3"}
                """);

        assertThat(dues(1)).containsExactly(0L, 500_000_000L, 500_000_000L);
        assertThat(dues(2)).containsExactly(0L, 250_000_000L, 250_000_000L);
        assertThat(ReplayReader.summarize(file, 2)).isEqualTo(new Summary(3, 250_000_000L));
    }

    @Test
    void aCallHasTheFieldsOfItsEnvelope() throws IOException {
        Files.writeString(
                file,
                "{\"at\": 12, \"url\": \"http://h/1\", \"method\": \"PUT\", \"deadlineMs\": 5000, \"id\": \"old\"}\n");
        try (ReplayReader reader = new ReplayReader(file, 3, 1)) {
            CallSpec call = reader.next().call();

            assertThat(call.template()).isEqualTo(3);
            assertThat(call.method()).isEqualTo("PUT");
            assertThat(call.deadline()).isEqualTo(Duration.ofSeconds(5));
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void anErrorNamesTheLine() throws IOException {
        Files.writeString(file, "{\"at\": 1, \"url\": \"http://h/\"}\n{\"url\": \"http://h/\"}\n");
        assertThatThrownBy(() -> ReplayReader.summarize(file, 1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ":2: has no field at");

        Files.writeString(file, "{\"at\": 1, \"uri\": \"http://h/\"}\n");
        assertThatThrownBy(() -> ReplayReader.summarize(file, 1))
                .hasMessageStartingWith(file + ":1: ")
                .hasMessageContaining("uri");

        Files.writeString(file, "{\"at\": 0, \"url\": \"http://h/\"}\n{\"at\": 1e300, \"url\": \"http://h/\"}\n");
        assertThatThrownBy(() -> ReplayReader.summarize(file, 1))
                .hasMessage(file + ":2: is due more than 7 days after the first call");

        Files.writeString(file, "");
        assertThatThrownBy(() -> ReplayReader.summarize(file, 1)).hasMessage(file + ": has no calls");
    }

    private List<Long> dues(double speed) throws IOException {
        List<Long> dues = new ArrayList<>();
        try (ReplayReader reader = new ReplayReader(file, 0, speed)) {
            for (RecordedCall call = reader.next(); call != null; call = reader.next()) {
                dues.add(call.dueNanos());
            }
        }
        return dues;
    }
}
