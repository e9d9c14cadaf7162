package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.call.Submission.Stored;
import io.iocluster.door.spool.SpoolStore.Opened;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Errors of SQLite while the spool is in use. */
class SpoolFaultTest {

    @TempDir
    Path folder;

    private FaultyConnection database;
    private volatile boolean recreates;

    @BeforeEach
    void createDatabase() throws Exception {
        SpoolDatabase.open(folder, "", 64 << 20).close();
        database = new FaultyConnection(connect());
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + SpoolFolder.database(folder));
    }

    private SpoolFixture spool(FakeForwarder broker) throws SpoolException {
        SpoolStore store =
                new SpoolStore(SpoolFolder.database(folder), opened(database.connection()), () -> opened(recreated()));
        return new SpoolFixture(new Spool(SpoolFixture.settings(folder), store, Platform.system()), broker);
    }

    private static Opened opened(Connection connection) {
        return new Opened(connection, RecordSeal.of("", new byte[RecordSeal.SALT_BYTES]));
    }

    private Connection recreated() throws IOException {
        if (!recreates) {
            throw new IOException("the disk is full");
        }
        Files.deleteIfExists(SpoolFolder.log(folder));
        Files.delete(SpoolFolder.database(folder));
        try {
            SpoolDatabase.open(folder, "", 64 << 20).close();
            return connect();
        } catch (SQLException failed) {
            throw new IOException(failed);
        }
    }

    private static void assertStoresAndForwards(SpoolFixture spool, FakeForwarder broker) throws Exception {
        assertThat(spool.store(SpoolFixture.call("next"))).isInstanceOf(Stored.class);
        assertThat(broker.next().call().id()).isEqualTo("next");
    }

    @Test
    void aCallThatCannotBeReadNowIsReadAgain() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = spool(broker)) {
            spool.storeAll(3);
            database.fail("SELECT record", FaultyConnection.IO_ERROR);
            broker.confirming();
            await().until(() -> database.failures() > 2);
            database.repair();

            assertThat(broker.next(3)).extracting(sent -> sent.call().id()).isEqualTo(SpoolFixture.ids(3));
            assertThat(spool.ended).isEmpty();
            assertThat(spool.spool.status().failed()).isZero();
        }
    }

    @Test
    void aCallInADamagedPageEndsWithAProblemAndLaterOnesAreForwarded() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = spool(broker)) {
            spool.storeAll(3);
            database.fail("SELECT record", FaultyConnection.CORRUPT);
            broker.confirming();
            await().until(() -> spool.ended.size() == 3);
            database.repair();

            assertThat(((Failed) spool.ended.get("1")).message()).contains("cannot be read");
            assertStoresAndForwards(spool, broker);
        }
    }

    @Test
    void forwardingContinuesWhileForwardedCallsCannotBeRemoved() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = spool(broker)) {
            spool.storeAll(2_500);
            database.fail("COMMIT", FaultyConnection.FULL);
            broker.confirming();

            assertThat(broker.next(2_500)).extracting(sent -> sent.call().id()).isEqualTo(SpoolFixture.ids(2_500));
            assertThat(spool.spool.problem()).isNotNull();
            // The spool replaces the database instead of using it again if all calls were confirmed before the repair.
            recreates = true;
            database.repair();
            await().until(() -> spool.spool.problem() == null);
            assertStoresAndForwards(spool, broker);
        }
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder), FakeForwarder.away())) {
            assertThat(spool.recovered).isEmpty();
        }
    }

    @Test
    void aSpoolWhoseCallsAreAllForwardedIsReplacedIfItCannotBeWritten() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = spool(broker)) {
            spool.storeAll(400);
            database.fail("COMMIT", FaultyConnection.FULL);
            broker.confirming();
            broker.next(400);
            await().until(() -> spool.spool.status().calls() == 0);
            assertThat(spool.spool.problem()).isNotNull();

            recreates = true;

            await().until(() -> spool.spool.problem() == null);
            assertStoresAndForwards(spool, broker);
        }
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder), FakeForwarder.away())) {
            assertThat(spool.recovered).isEmpty();
        }
    }

    @Test
    void aCallWhoseFlushFailsMayBeStored() throws Exception {
        try (SpoolFixture spool = spool(FakeForwarder.away())) {
            database.fail("COMMIT", FaultyConnection.FSYNC_ERROR);

            Submission submission = spool.store(SpoolFixture.call("1"));

            Failed reason = ((Refused) submission).reason();
            assertThat(reason.reason()).isEqualTo(Reason.UNAVAILABLE);
            assertThat(reason.message()).startsWith("it is unknown whether the call was stored, and it may be made");
        }
    }

    @Test
    void aTransactionIsLimitedByTheBytesOfItsCalls() throws Exception {
        List<CompletableFuture<Submission>> stored = new ArrayList<>();
        try (SpoolFixture spool = spool(FakeForwarder.away())) {
            database.hold("COMMIT");
            stored.add(store(spool, "first", 10));
            database.awaitHeld();
            // They arrive while the first one is written.
            for (int i = 0; i < 8; i++) {
                stored.add(store(spool, "large-" + i, Spool.MAX_TRANSACTION_BYTES / 2));
            }
            int before = database.executed("COMMIT");
            database.release();
            stored.forEach(CompletableFuture::join);

            assertThat(database.executed("COMMIT")).isEqualTo(before + 4);
        }
    }

    private static CompletableFuture<Submission> store(SpoolFixture spool, String id, int bytes) {
        return spool.spool
                .store(SpoolFixture.call(id, "x".repeat(bytes), Duration.ofHours(1)))
                .toCompletableFuture();
    }

    @Test
    void aCallThatDidNotFitWasNotStored() throws Exception {
        try (SpoolFixture spool = spool(FakeForwarder.away())) {
            database.fail("COMMIT", FaultyConnection.FULL);

            Failed reason = ((Refused) spool.store(SpoolFixture.call("1"))).reason();

            assertThat(reason.message()).startsWith("the call was not stored and not made");
        }
    }
}
