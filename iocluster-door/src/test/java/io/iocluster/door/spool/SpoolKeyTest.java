package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.thread.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolKeyTest {

    private static final String KEY = "correct horse battery staple";
    private static final String SECRET = "a-body-that-must-stay-secret";

    @TempDir
    Path folder;

    private void storeSecret(String key) throws SpoolException {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder, key), FakeForwarder.away())) {
            spool.store(SpoolFixture.call(SECRET, SECRET, Duration.ofHours(1)));
            assertThat(spool.spool.status().calls()).isEqualTo(1);
            assertThat(isReadable()).isEqualTo(key.isEmpty());
        }
    }

    /** Returns whether any file of the spool contains the secret. */
    private boolean isReadable() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET)) {
                    return true;
                }
            }
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void withAKeyNoFileContainsAnEnvelopeOrAnId() throws Exception {
        storeSecret(KEY);

        assertThat(isReadable()).isFalse();
        FakeForwarder broker = FakeForwarder.silent();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder, KEY), broker)) {
            assertThat(broker.next().call().envelope())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(SECRET);
            assertThat(spool.recovered).containsExactly(SECRET);
        }
    }

    @Test
    void withoutAKeyTheFileIsPlain() throws Exception {
        storeSecret("");

        assertThat(isReadable()).isTrue();
    }

    @Test
    void anotherKeyCannotReadTheCalls() throws Exception {
        storeSecret(KEY);

        assertThatThrownBy(() ->
                        Spool.open(SpoolFixture.settings(folder, "another key of enough length"), Platform.system()))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("door.spool.key: is not the key of the stored calls");
    }

    @Test
    void encryptedCallsNeedTheirKey() throws Exception {
        storeSecret(KEY);

        assertThatThrownBy(() -> Spool.open(SpoolFixture.settings(folder, ""), Platform.system()))
                .hasMessageContaining("door.spool.key: is missing, but the stored calls are encrypted");
    }

    @Test
    void plainCallsDoNotGetAKey() throws Exception {
        storeSecret("");

        assertThatThrownBy(() -> Spool.open(SpoolFixture.settings(folder, KEY), Platform.system()))
                .hasMessageContaining("door.spool.key: the stored calls are not encrypted");
    }

    @Test
    void anEmptySpoolAcceptsAnotherKey() throws Exception {
        new SpoolFixture(SpoolFixture.settings(folder, KEY), FakeForwarder.away()).close();

        storeSecret("another key of enough length");

        assertThat(isReadable()).isFalse();
    }

    @Test
    void aRecordThatWasMovedIsNoticed() throws Exception {
        RecordSeal seal = RecordSeal.of(KEY, new byte[RecordSeal.SALT_BYTES]);
        RecordSeal checksum = RecordSeal.of("", new byte[RecordSeal.SALT_BYTES]);
        byte[] record = SECRET.getBytes(StandardCharsets.UTF_8);

        assertThat(seal.open(1, seal.seal(1, record))).isEqualTo(record);
        assertThatThrownBy(() -> seal.open(2, seal.seal(1, record))).isInstanceOf(IOException.class);
        assertThat(checksum.open(1, checksum.seal(1, record))).isEqualTo(record);
        assertThatThrownBy(() -> checksum.open(2, checksum.seal(1, record))).isInstanceOf(IOException.class);
    }
}
