package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.call.Submission.Stored;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite reports a full disk and a full database alike. */
class FullDiskTest {

    private static final byte[] RECORD = new byte[100_000];

    @TempDir
    Path folder;

    @Test
    void aWriteThatDoesNotFitChangesNothingAndALaterOneWorks() throws Exception {
        try (SpoolStore store = SpoolDatabase.open(folder, "", 1 << 20)) {
            List<SpoolEntry> entries = new ArrayList<>();
            for (long position = 1; position <= 8; position++) {
                store.write(List.of(), List.of(store.seal(position, RECORD)));
                entries.add(new SpoolEntry(
                        position,
                        SpoolFixture.call(Long.toString(position), "{}", Duration.ofHours(1)),
                        RECORD.length));
            }

            assertThatThrownBy(() -> store.write(
                            entries.subList(0, 1),
                            List.of(
                                    store.seal(9, RECORD),
                                    store.seal(10, RECORD),
                                    store.seal(11, RECORD),
                                    store.seal(12, RECORD))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("database or disk is full");
            assertThat(store.read(1)).isEqualTo(RECORD);
            store.write(entries, List.of(store.seal(13, RECORD)));
        }
        List<Long> positions = new ArrayList<>();
        try (SpoolStore store = SpoolDatabase.open(folder, "", 1 << 20)) {
            store.forEach((position, record) -> positions.add(position));
        }
        assertThat(positions).containsExactly(13L);
    }

    @Test
    void theSpoolRefusesCallsUntilItCanBeWrittenAgain() throws Exception {
        SpoolSettings settings = SpoolFixture.settings(folder);
        FakeForwarder broker = FakeForwarder.away();
        SpoolStore small = SpoolDatabase.open(folder, "", 1 << 20);
        try (SpoolFixture spool = new SpoolFixture(new Spool(settings, small, Platform.system()), broker)) {
            List<String> stored = new ArrayList<>();
            Submission last = spool.store(large("0"));
            while (last instanceof Stored) {
                stored.add(Integer.toString(stored.size()));
                last = spool.store(large(Integer.toString(stored.size())));
            }

            Failed reason = ((Refused) last).reason();
            assertThat(reason.reason()).isEqualTo(Reason.UNAVAILABLE);
            assertThat(reason.message()).contains("was not stored and not made", "database or disk is full");
            awaitTurn(spool.spool);
            awaitTurn(spool.spool);
            assertThat(spool.spool.problem())
                    .contains("the spool cannot be written")
                    .doesNotContain(folder.toString());

            broker.confirming();
            assertThat(broker.next(stored.size()))
                    .extracting(sent -> sent.call().id())
                    .isEqualTo(stored);
            await().until(() -> spool.spool.problem() == null);
            assertThat(spool.store(large("again"))).isInstanceOf(Stored.class);
        }
    }

    @Test
    void aRemovalIsNoProofOfRoomForALargeCall() throws Exception {
        FakeForwarder broker = FakeForwarder.silent();
        SpoolStore small = SpoolDatabase.open(folder, "", 1 << 20);
        Spool full = new Spool(SpoolFixture.settings(folder), small, Platform.system());
        try (SpoolFixture spool = new SpoolFixture(full, broker)) {
            spool.store(SpoolFixture.call("tiny", "{}", Duration.ofHours(1)));
            int stored = 0;
            while (spool.store(large(Integer.toString(stored))) instanceof Stored) {
                stored++;
            }

            broker.next().confirm();
            for (int turn = 0; turn < 4; turn++) {
                awaitTurn(full);
            }

            assertThat(full.problem()).isNotNull();
        }
    }

    /** Each turn of the spool's thread ends with a new status. */
    private static void awaitTurn(Spool spool) {
        SpoolStatus last = spool.status();
        await().until(() -> spool.status() != last);
    }

    private static StoredCall large(String id) {
        return SpoolFixture.call(id, "x".repeat(100_000), Duration.ofHours(1));
    }
}
