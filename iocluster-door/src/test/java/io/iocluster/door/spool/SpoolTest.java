package io.iocluster.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.call.Submission.Stored;
import io.iocluster.door.config.SpoolFullPolicy;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.door.spool.FakeForwarder.Sent;
import io.iocluster.settings.DataSize;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {

    @TempDir
    Path temporary;

    private Path folder() {
        return temporary.resolve("spool");
    }

    @Test
    void callsAreForwardedInTheirOrderWhenTheBrokerIsBack() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            spool.storeAll(1_000);
            assertThat(spool.spool.status().calls()).isEqualTo(1_000);

            broker.confirming();

            assertThat(broker.next(1_000)).extracting(sent -> sent.call().id()).isEqualTo(SpoolFixture.ids(1_000));
            await().until(() -> spool.spool.status().calls() == 0);
            assertThat(spool.spool.status().forwarded()).isEqualTo(1_000);
            assertThat(spool.spool.status().waiting()).isEqualTo(1_000);
            assertThat(spool.spool.status().bytes()).isZero();
        }
    }

    @Test
    void aStoredCallKeepsEverything() throws Exception {
        StoredCall call = SpoolFixture.call("order-1");
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            spool.store(call);
        }
        FakeForwarder broker = FakeForwarder.silent();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            StoredCall forwarded = broker.next().call();

            assertThat(forwarded).usingRecursiveComparison().isEqualTo(call);
            assertThat(spool.recovered).containsExactly("order-1");
        }
    }

    @Test
    void noAcceptedCallIsLostIfTheProcessIsKilled() throws Exception {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            spool.storeAll(500);
            Path left = SpoolFixture.killed(folder(), temporary.resolve("left"));

            FakeForwarder broker = FakeForwarder.away().confirming();
            try (SpoolFixture next = new SpoolFixture(SpoolFixture.settings(left), broker)) {
                assertThat(next.recovered).isEqualTo(SpoolFixture.ids(500));
                assertThat(broker.next(500))
                        .extracting(sent -> sent.call().id())
                        .isEqualTo(SpoolFixture.ids(500));
            }
        }
    }

    @Test
    void onlyUnconfirmedCallsAreForwardedAgainAfterAKill() throws Exception {
        FakeForwarder broker = FakeForwarder.silent();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            spool.storeAll(1_000);
            List<Sent> first = broker.next(SpoolForwarder.MAX_UNCONFIRMED);
            first.subList(0, 100).forEach(Sent::confirm);
            List<Sent> second = broker.next(100);
            Path left = SpoolFixture.killed(folder(), temporary.resolve("left"));

            assertThat(broker.untaken()).isZero();
            assertThat(second.get(99).call().id()).isEqualTo("356");
            FakeForwarder again = FakeForwarder.away().confirming();
            try (SpoolFixture next = new SpoolFixture(SpoolFixture.settings(left), again)) {
                assertThat(again.next(900))
                        .extracting(sent -> sent.call().id())
                        .isEqualTo(SpoolFixture.ids(1_000).subList(100, 1_000));
                assertThat(next.recovered).hasSize(900);
            }
        }
    }

    @Test
    void aCallThatTheBrokerDidNotConfirmIsForwardedAgainBeforeLaterOnes() throws Exception {
        FakeForwarder broker = FakeForwarder.silent();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            spool.storeAll(300);
            List<Sent> sent = broker.next(SpoolForwarder.MAX_UNCONFIRMED);

            // First, because a confirmation makes room for a further call.
            sent.get(1).fail();
            sent.get(0).confirm();
            sent.subList(2, sent.size()).forEach(Sent::confirm);
            broker.confirming();

            assertThat(broker.next().call().id()).isEqualTo("2");
            assertThat(broker.next(44))
                    .extracting(each -> each.call().id())
                    .startsWith("257")
                    .endsWith("300");
            assertThat(spool.ended).isEmpty();
        }
    }

    @Test
    void callsWaitForAnEarlierOneThatTheBrokerRefusesAtOnce() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            spool.storeAll(4);
            broker.failAtOnce("2");

            broker.confirming();

            assertThat(broker.next(5)).extracting(each -> each.call().id()).containsExactly("1", "2", "2", "3", "4");
        }
    }

    @Test
    void theAnswerToARecoveredCallIsReported() throws Exception {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            spool.storeAll(1);
        }
        FakeForwarder broker = FakeForwarder.away().confirming();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            broker.next().answer("{}");

            await().until(() -> spool.ended.get("1") instanceof Answered);
            await().until(() -> spool.spool.status().waiting() == 0);
        }
    }

    @Test
    void aCallBeyondTheLimitIsRefused() throws Exception {
        SpoolSettings settings = SpoolFixture.settings(folder(), DataSize.ofMebibytes(64), 2, SpoolFullPolicy.REFUSE);
        try (SpoolFixture spool = new SpoolFixture(settings, FakeForwarder.away())) {
            assertThat(spool.store(SpoolFixture.call("1"))).isInstanceOf(Stored.class);
            assertThat(spool.store(SpoolFixture.call("2"))).isInstanceOf(Stored.class);

            assertThat(reason(spool.store(SpoolFixture.call("3")))).isEqualTo(Reason.SPOOL_FULL);
            await().until(() -> spool.spool.status().refused() == 1);
        }
    }

    @Test
    void forwardedCallsThatWaitForAnswersCountTowardsTheLimit() throws Exception {
        SpoolSettings settings =
                SpoolFixture.settings(folder(), DataSize.ofMebibytes(64), 2, SpoolFullPolicy.DROP_OLDEST);
        FakeForwarder broker = FakeForwarder.away().confirming();
        try (SpoolFixture spool = new SpoolFixture(settings, broker)) {
            spool.storeAll(2);
            List<Sent> sent = broker.next(2);
            Failed full = ((Refused) spool.store(SpoolFixture.call("3"))).reason();
            assertThat(full.reason()).isEqualTo(Reason.SPOOL_FULL);
            assertThat(full.message()).contains("too many calls wait for the broker or for their answers");

            sent.get(0).answer("{}");
            await().until(() -> spool.spool.status().waiting() == 1);

            assertThat(spool.store(SpoolFixture.call("4"))).isInstanceOf(Stored.class);
        }
    }

    @Test
    void theOldestCallsAreDroppedIfTheSettingsSaySo() throws Exception {
        SpoolSettings settings =
                SpoolFixture.settings(folder(), DataSize.ofMebibytes(1), 100, SpoolFullPolicy.DROP_OLDEST);
        String large = "x".repeat(300_000);
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = new SpoolFixture(settings, broker)) {
            for (String id : SpoolFixture.ids(5)) {
                assertThat(spool.store(SpoolFixture.call(id, large, Duration.ofHours(1))))
                        .isInstanceOf(Stored.class);
            }

            assertThat(reason(spool.store(SpoolFixture.call("6", "x".repeat(2_000_000), Duration.ofHours(1)))))
                    .isEqualTo(Reason.SPOOL_FULL);
            assertThat(spool.ended.keySet()).containsExactlyInAnyOrder("1", "2");
            assertThat(((Failed) spool.ended.get("1")).reason()).isEqualTo(Reason.DROPPED);
            assertThat(spool.spool.status().dropped()).isEqualTo(2);
            broker.confirming();
            assertThat(broker.next(3)).extracting(sent -> sent.call().id()).containsExactly("3", "4", "5");
        }
        try (SpoolFixture spool = new SpoolFixture(settings, FakeForwarder.away())) {
            assertThat(spool.recovered).isEmpty();
        }
    }

    @Test
    void aDroppedCallThatTheBrokerMayHaveIsNotReportedAsNotMade() throws Exception {
        SpoolSettings settings =
                SpoolFixture.settings(folder(), DataSize.ofMebibytes(1), 100, SpoolFullPolicy.DROP_OLDEST);
        String large = "x".repeat(600_000);
        FakeForwarder broker = FakeForwarder.silent();
        try (SpoolFixture spool = new SpoolFixture(settings, broker)) {
            spool.store(SpoolFixture.call("forwarded", large, Duration.ofHours(1)));
            Sent sent = broker.next();
            await().until(() -> spool.spool.status().forwarding() == 1);
            broker.disconnect();
            sent.fail();

            spool.store(SpoolFixture.call("stored", large, Duration.ofHours(1)));
            spool.store(SpoolFixture.call("last", large, Duration.ofHours(1)));

            assertThat(((Failed) spool.ended.get("forwarded")).message()).endsWith("the target may have received it");
            assertThat(((Failed) spool.ended.get("stored")).message()).endsWith("dropped and not made");
        }
    }

    @Test
    void aCallWhoseDeadlineHasPassedIsNotForwarded() throws Exception {
        FakeForwarder broker = FakeForwarder.away();
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker)) {
            spool.store(SpoolFixture.call("1", "{}", Duration.ofMillis(1)));
            spool.store(SpoolFixture.call("2"));
            await().until(() -> spool.ended.containsKey("1"));

            broker.confirming();

            assertThat(broker.next().call().id()).isEqualTo("2");
            assertThat(((Failed) spool.ended.get("1")).reason()).isEqualTo(Reason.EXPIRED);
            assertThat(spool.spool.status().expired()).isEqualTo(1);
        }
    }

    @Test
    void callsThatExpireBetweenOthersDoNotFillTheDatabase() throws Exception {
        SpoolSettings settings =
                SpoolFixture.settings(folder(), DataSize.ofMebibytes(4), 1_000_000, SpoolFullPolicy.REFUSE);
        String envelope = "x".repeat(100);
        try (SpoolFixture spool = new SpoolFixture(settings, FakeForwarder.away())) {
            Reason refused = null;
            for (int i = 0; refused == null; i += 500) {
                List<CompletionStage<Submission>> submissions = new ArrayList<>();
                for (int id = i; id < i + 500; id++) {
                    // Two of five stay. So no page gets so empty that SQLite merges it with others.
                    Duration deadline = id % 5 < 2 ? Duration.ofHours(1) : Duration.ZERO;
                    submissions.add(spool.spool.store(SpoolFixture.call(Integer.toString(id), envelope, deadline)));
                }
                for (CompletionStage<Submission> each : submissions) {
                    refused = each.toCompletableFuture().join() instanceof Refused failed
                            ? failed.reason().reason()
                            : refused;
                }
            }

            assertThat(refused).isEqualTo(Reason.SPOOL_FULL);
            assertThat(spool.spool.problem()).isNull();
        }
    }

    @Test
    void aStoppedSpoolRefusesCalls() throws Exception {
        SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away());
        spool.close();

        assertThat(reason(spool.store(SpoolFixture.call("1")))).isEqualTo(Reason.UNAVAILABLE);
    }

    @Test
    void theConfirmedCallsOfASpoolThatClosesAreNotForwardedAgain() throws Exception {
        FakeForwarder broker = FakeForwarder.silent();
        SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), broker);
        spool.storeAll(2);
        List<Sent> sent = broker.next(2);
        Thread closing = new Thread(() -> spool.spool.close(Duration.ofSeconds(30)));
        closing.start();
        sent.forEach(Sent::confirm);
        closing.join();

        try (SpoolFixture next = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            assertThat(next.recovered).isEmpty();
        }
    }

    @Test
    void oneProcessUsesAFolder() throws Exception {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            assertThatThrownBy(() -> Spool.open(SpoolFixture.settings(folder()), Platform.system()))
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("door.spool.folder: another process uses " + folder());
            assertThat(spool.spool.problem()).isNull();
        }
    }

    @Test
    void onlyTheOwnerMayReadTheSpool() throws Exception {
        try (SpoolFixture spool = new SpoolFixture(SpoolFixture.settings(folder()), FakeForwarder.away())) {
            spool.storeAll(1);

            assertThat(permissions(folder())).isEqualTo("rwx------");
            try (Stream<Path> files = Files.list(folder())) {
                assertThat(files.toList())
                        .hasSizeGreaterThan(1)
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static Reason reason(Submission submission) {
        return ((Refused) submission).reason().reason();
    }
}
