package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.thread.Platform;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spool either has all its calls, or says that it is damaged. */
class SpoolDamageTest {

    private static final int CALLS = 300;
    private static final String KEY = "0123456789abcdef";

    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void chooseFolder() {
        folder = temporary.resolve("spool");
    }

    private void fill(String key) throws SpoolException {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder, key), FakeForwarder.away())) {
            spool.storeAll(CALLS);
        }
    }

    /** Returns the ids of the calls; null if the spool is damaged. */
    private static List<String> read(Path folder, String key) {
        List<String> ids = new ArrayList<>();
        try (SpoolStore store = SpoolDatabase.open(folder, key, 64 << 20)) {
            store.forEach((position, record) -> {
                assertThat(record).isEqualTo(RecordCodec.encode(RecordCodec.decode(record)));
                ids.add(RecordCodec.decode(record).id());
            });
            return ids;
        } catch (SpoolException damaged) {
            assertThat(damaged).hasMessageMatching("(?s)door\\.spool\\.(folder|key): .*spool\\.db.*");
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", KEY})
    void aChangedByteIsNoticedUnlessItIsUnused(String key) throws Exception {
        fill(key);
        Path database = SpoolFolder.database(folder);
        byte[] intact = Files.readAllBytes(database);
        Random random = new Random(17);
        // Each opening of an encrypted database derives its key, which takes a quarter of a second of CPU time.
        int changes = key.isEmpty() ? 150 : 12;
        int damaged = 0;
        for (int i = 0; i < changes; i++) {
            byte[] changed = intact.clone();
            changed[i < changes / 3 ? i * 2 : random.nextInt(intact.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(database, changed);

            List<String> ids = read(folder, key);

            damaged += ids == null ? 1 : 0;
            assertThat(ids == null || ids.equals(SpoolFixture.ids(CALLS)))
                    .as("change %s left the calls %s", i, ids)
                    .isTrue();
        }
        assertThat(damaged).isGreaterThan(changes / 3);
    }

    @Test
    void aShortenedDatabaseIsDamaged() throws Exception {
        fill("");
        Path database = SpoolFolder.database(folder);
        byte[] intact = Files.readAllBytes(database);
        for (int length = 0; length < intact.length; length += 977) {
            Files.write(database, Arrays.copyOf(intact, length));

            assertThat(read(folder, "")).as("%s bytes", length).isNull();
        }
    }

    @Test
    void aShortenedLogLosesTheLastCallsOnly() throws Exception {
        Path left = temporary.resolve("left");
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder), FakeForwarder.away())) {
            for (String id : SpoolFixture.ids(30)) {
                spool.store(SpoolFixture.call(id));
            }
            SpoolFixture.killed(folder, left);
        }
        byte[] log = Files.readAllBytes(SpoolFolder.log(left));
        byte[] database = Files.readAllBytes(SpoolFolder.database(left));
        List<String> all = SpoolFixture.ids(30);
        for (int length = log.length; length >= 0; length -= 3_001) {
            Files.write(SpoolFolder.database(left), database);
            Files.write(SpoolFolder.log(left), Arrays.copyOf(log, length));

            List<String> ids = read(left, "");

            assertThat(ids).as("%s of %s bytes", length, log.length).isEqualTo(all.subList(0, ids.size()));
            if (length == log.length) {
                assertThat(ids).isEqualTo(all);
            }
        }
    }

    @Test
    void theErrorSaysWhatToDo() throws Exception {
        fill("");
        Files.write(
                SpoolFolder.database(folder),
                "not a database, but long enough".repeat(100).getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> Spool.open(SpoolFixture.settings(folder), Platform.system()))
                .isInstanceOf(SpoolException.class)
                .hasMessageStartingWith("door.spool.folder: " + SpoolFolder.database(folder) + " is damaged: ")
                .hasMessageContaining("move the folder away to start without its calls");
    }

    @Test
    void aMissingDatabaseWithALogIsDamaged() throws Exception {
        Path left = temporary.resolve("left");
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder), FakeForwarder.away())) {
            spool.storeAll(1);
            SpoolFixture.killed(folder, left);
        }
        Files.delete(SpoolFolder.database(left));

        assertThatThrownBy(() -> Spool.open(SpoolFixture.settings(left), Platform.system()))
                .hasMessageContaining("it is missing, but its log exists");
    }
}
