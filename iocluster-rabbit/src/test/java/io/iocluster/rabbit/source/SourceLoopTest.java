package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.InboundGuardTest;
import io.iocluster.rabbit.connection.InspectedMessage;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.ledger.ChannelSession;
import io.iocluster.rabbit.ledger.TagLedger;
import io.iocluster.rabbit.ledger.TestDeliveries;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop with a broker that is only heard of. */
class SourceLoopTest {

    private final EventLoopThread loop = new EventLoopThread("test");
    private final ResourceAlarm alarm = new ResourceAlarm();
    private final RecordingIntake intake = new RecordingIntake(delivery -> {});
    private final AtomicInteger sizesChanged = new AtomicInteger();
    private final SourceLoop source =
            new SourceLoop(RabbitSettings.DEFAULTS, loop, alarm, intake, sizesChanged::incrementAndGet);
    private final EmbeddedChannel receiving = new EmbeddedChannel();
    private final HeardBroker broker = new HeardBroker();
    private final ChannelSession consumption =
            new ChannelSession(broker, "requests", source.mailbox(), TestDeliveries.NOT_DELAYED);

    @BeforeEach
    void start() {
        source.start();
        loop.execute(() -> source.channelOpened(consumption));
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void acknowledgesAtOnceWhenNothingElseIsOpen() {
        deliver(1, 2);

        taken(2).forEach(delivery -> delivery.settlement().acknowledge());

        await().until(() -> broker.acknowledged.contains(2L));
        assertThat(broker.requeued).isEmpty();
    }

    @Test
    void acknowledgesByItselfWhatIsDoneAboveAnOpenOne() {
        deliver(1, 2, 3);

        taken(3).get(2).settlement().acknowledge();

        await().untilAsserted(() -> assertThat(broker.acknowledged).containsExactly(3L));
    }

    @Test
    void offersAgainWhenThereIsRoom() {
        intake.limit = 1;
        deliver(1, 2, 3);
        await().until(() -> source.snapshot().reasons().contains(PauseReason.BACKPRESSURE));
        assertThat(intake.taken).hasSize(1);

        intake.limit = 3;
        source.capacityAvailable();

        taken(3);
        await().until(() -> source.snapshot().reasons().isEmpty());
    }

    @Test
    void offersWhatIsReleasedAgainAfterAWaitWithoutTheBroker() {
        deliver(1, 2);

        Delivery released = taken(2).get(0);
        released.settlement().release();

        await().until(() -> source.snapshot().reasons().contains(PauseReason.BACKOFF));
        Delivery again = taken(3).get(2);
        assertThat(again.payload()).isSameAs(released.payload());
        await().until(() -> source.snapshot().reasons().isEmpty());
        assertThat(source.snapshot().redelivered()).isEqualTo(1);
        released.settlement().acknowledge();
        again.settlement().acknowledge();
        await().untilAsserted(() -> assertThat(broker.acknowledged).containsExactly(1L));
        assertThat(broker.requeued).isEmpty();
        assertThat(source.mailbox().duplicateSettlements()).isEqualTo(1);
    }

    @Test
    void givesBackWhatIsReleasedWhileItIsPaused() {
        deliver(1);
        Delivery held = taken(1).get(0);
        source.pause(true);

        held.settlement().release();

        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(1L));
        await().until(() -> source.snapshot().reasons().isEmpty());
        assertThat(intake.taken).hasSize(1);
    }

    @Test
    void neverSpeaksOfATagOfAChannelThatIsGone() {
        deliver(1, 2);
        List<Delivery> late = taken(2);
        HeardBroker next = new HeardBroker();
        ChannelSession fresh = new ChannelSession(next, "requests", source.mailbox(), TestDeliveries.NOT_DELAYED);
        loop.execute(() -> source.channelClosed(consumption));
        loop.execute(() -> source.channelOpened(fresh));

        late.get(0).settlement().acknowledge();
        late.get(1).settlement().release();
        loop.execute(
                () -> source.delivered(fresh, true, new BasicProperties(), new byte[0], InspectedMessage.read(1, 0)));

        taken(3).get(2).settlement().acknowledge();
        await().untilAsserted(() -> assertThat(next.acknowledged).containsExactly(1L));
        assertThat(next.requeued).isEmpty();
        assertThat(broker.acknowledged).isEmpty();
        assertThat(broker.requeued).isEmpty();
        await().until(() -> source.snapshot().redelivered() == 1);
    }

    @Test
    void handsOverNothingWhileTheBrokerTakesNoAnswers() {
        alarm.set(true);
        deliver(1);
        await().until(() -> source.snapshot().reasons().contains(PauseReason.BROKER_BLOCKED));
        await().until(() -> source.snapshot().buffered() == 1);
        assertThat(intake.taken).isEmpty();

        alarm.set(false);

        taken(1);
    }

    @Test
    void givesBackWhatItDidNotHandOverWhenItIsPaused() {
        intake.limit = 1;
        deliver(1, 2, 3);
        taken(1);

        source.pause(true);
        loop.execute(source::requeueBuffered);

        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(2L, 3L));
    }

    @Test
    void handsOverNothingMoreOnceStopped() {
        source.stopIntake().join();
        deliver(1);

        await().until(() -> source.snapshot().held() == 1);
        assertThat(intake.taken).isEmpty();
    }

    @Test
    void acknowledgesAllThatIsSettledWhenItFinishes() {
        deliver(1, 2, 3);
        List<Delivery> all = taken(3);
        all.get(0).settlement().acknowledge();
        all.get(2).settlement().acknowledge();

        source.acknowledgeAll().join();

        assertThat(broker.acknowledged).containsExactly(1L, 3L);
    }

    @Test
    void keepsTheChannelForAMomentWhereAcknowledgementsMayWaitInTheBroker() {
        for (int tag = 1; tag <= 33; tag++) {
            deliver(tag);
            taken(tag).get(tag - 1).settlement().acknowledge();
            int acknowledged = tag;
            await().until(() -> broker.acknowledged.size() == acknowledged);
        }

        CompletableFuture<Void> finished = source.acknowledgeAll();
        CompletableFuture<Void> turn = new CompletableFuture<>();
        loop.execute(() -> turn.complete(null));
        turn.join();

        assertThat(finished).isNotDone().succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void saysWhenMessagesAreOfAnotherSize() {
        assertThat(source.meanMessageBytes()).isEqualTo(Prefetch.INITIAL_MESSAGE_BYTES);

        deliver(1);

        await().until(() -> sizesChanged.get() == 1);
        assertThat(source.meanMessageBytes()).isEqualTo(10);
    }

    @Test
    void requeuesWhatHadNoRoomOnceNothingConsumesAndTheBufferIsEmpty() {
        intake.limit = 0;
        deliver(1);
        loop.execute(() -> source.delivered(
                consumption,
                false,
                new BasicProperties(),
                new byte[0],
                InspectedMessage.overBudget(2, 8 << 20, 16 << 20)));
        await().until(source::isBufferFull);
        await().until(() -> source.snapshot().reasons().contains(PauseReason.BUFFER_FULL));
        assertThat(source.meanMessageBytes()).isEqualTo(8 << 20);

        loop.execute(source::requeueBuffered);

        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(2L));
        assertThat(source.isBufferFull()).isTrue();
        intake.limit = 1;
        source.capacityAvailable();
        await().until(() -> !source.isBufferFull());
    }

    @Test
    void consumesAgainOnlyWhenThereIsRoomForTheLargestMessageThatHadNone() {
        loop.execute(() -> {
            // A message that is being received holds its bytes although it is not buffered.
            InboundGuard guard = source.newGuard();
            receiving.pipeline().addLast(guard);
            receiving.writeInbound(InboundGuardTest.deliver(1), InboundGuardTest.header(15 << 20, new byte[0], 0));
            source.delivered(
                    consumption,
                    false,
                    new BasicProperties(),
                    new byte[0],
                    InspectedMessage.overBudget(2, 30 << 20, 60 << 20));
            source.requeueBuffered();
        });
        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(2L));

        await().during(Duration.ofMillis(300)).until(source::isBufferFull);

        loop.execute(receiving::finishAndReleaseAll);
        await().until(() -> !source.isBufferFull());
    }

    @Test
    void countsWhatCancelledConsumersHaveLeft() {
        deliver(1, 2, 3);
        List<Delivery> before = taken(3);

        assertThat(source.countAllAsCancelled()).isEqualTo(3);

        deliver(4);
        before.get(1).settlement().acknowledge();
        taken(4).get(3).settlement().acknowledge();
        await().until(() -> source.unacknowledgedOfCancelled() == 2);
    }

    private void deliver(long... tags) {
        for (long tag : tags) {
            loop.execute(() -> source.delivered(
                    consumption, false, new BasicProperties(), new byte[10], InspectedMessage.read(tag, 10)));
        }
    }

    private List<Delivery> taken(int count) {
        await().atMost(Duration.ofSeconds(10)).until(() -> intake.taken.size() == count);
        return List.copyOf(intake.taken);
    }

    /** Written on the loop, read by the test. */
    private static final class HeardBroker implements TagLedger.AckChannel {

        final List<Long> acknowledged = new CopyOnWriteArrayList<>();
        final List<Long> requeued = new CopyOnWriteArrayList<>();

        @Override
        public void acknowledge(long tag, boolean withAllBelow) {
            acknowledged.add(tag);
        }

        @Override
        public void requeue(long tag) {
            requeued.add(tag);
        }
    }
}
