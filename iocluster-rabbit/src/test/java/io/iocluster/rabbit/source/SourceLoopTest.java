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
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop with a broker that records acknowledgements. */
class SourceLoopTest {

    @AutoClose
    private final EventLoopThread loop = new EventLoopThread("test", Platform.system());

    private final ResourceAlarm alarm = new ResourceAlarm();
    private final RecordingIntake intake = new RecordingIntake(delivery -> {});
    private final AtomicInteger sizesChanged = new AtomicInteger();
    private final SourceLoop source = new SourceLoop(
            RabbitSettings.DEFAULTS, loop, alarm, intake, sizesChanged::incrementAndGet, Platform.system());
    private final EmbeddedChannel receiving = new EmbeddedChannel();
    private final RecordingBroker broker = new RecordingBroker();
    private final ChannelSession session =
            new ChannelSession(broker, "requests", source.settlements(), TestDeliveries.NOT_DELAYED);

    @BeforeEach
    void start() {
        source.start();
        loop.execute(() -> source.channelOpened(session));
    }

    @Test
    void acknowledgesAtOnceWhenNothingElseIsOpen() {
        deliver(1, 2);

        awaitDeliveries(2).forEach(delivery -> delivery.settlement().acknowledge());

        await().until(() -> broker.acknowledged.contains(2L));
        assertThat(broker.requeued).isEmpty();
    }

    @Test
    void acknowledgesADoneDeliveryAboveAnOpenOneAlone() {
        deliver(1, 2, 3);

        awaitDeliveries(3).get(2).settlement().acknowledge();

        await().untilAsserted(() -> assertThat(broker.acknowledged).containsExactly(3L));
    }

    @Test
    void offersAgainWhenCapacityIsAvailable() {
        intake.limit = 1;
        deliver(1, 2, 3);
        await().until(() -> source.snapshot().reasons().contains(PauseReason.BACKPRESSURE));
        assertThat(intake.accepted).hasSize(1);

        intake.limit = 3;
        source.capacityAvailable();

        awaitDeliveries(3);
        await().until(() -> source.snapshot().reasons().isEmpty());
    }

    @Test
    void offersAReleasedDeliveryAgainAfterABackoffWithoutTheBroker() {
        deliver(1, 2);

        Delivery released = awaitDeliveries(2).get(0);
        released.settlement().release();

        await().until(() -> source.snapshot().reasons().contains(PauseReason.BACKOFF));
        Delivery retry = awaitDeliveries(3).get(2);
        assertThat(retry.payload()).isSameAs(released.payload());
        await().until(() -> source.snapshot().reasons().isEmpty());
        assertThat(source.snapshot().redelivered()).isEqualTo(1);
        released.settlement().acknowledge();
        retry.settlement().acknowledge();
        await().untilAsserted(() -> assertThat(broker.acknowledged).containsExactly(1L));
        assertThat(broker.requeued).isEmpty();
        assertThat(source.settlements().duplicateSettlements()).isEqualTo(1);
    }

    @Test
    void requeuesADeliveryReleasedWhileItIsPaused() {
        deliver(1);
        Delivery held = awaitDeliveries(1).get(0);
        source.pause(true);

        held.settlement().release();

        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(1L));
        await().until(() -> source.snapshot().reasons().isEmpty());
        assertThat(intake.accepted).hasSize(1);
    }

    @Test
    void neverAcknowledgesATagOfAClosedChannel() {
        deliver(1, 2);
        List<Delivery> late = awaitDeliveries(2);
        RecordingBroker next = new RecordingBroker();
        ChannelSession fresh = new ChannelSession(next, "requests", source.settlements(), TestDeliveries.NOT_DELAYED);
        loop.execute(() -> source.channelClosed(session));
        loop.execute(() -> source.channelOpened(fresh));

        late.get(0).settlement().acknowledge();
        late.get(1).settlement().release();
        loop.execute(
                () -> source.delivered(fresh, true, new BasicProperties(), new byte[0], InspectedMessage.read(1, 0)));

        awaitDeliveries(3).get(2).settlement().acknowledge();
        await().untilAsserted(() -> assertThat(next.acknowledged).containsExactly(1L));
        assertThat(next.requeued).isEmpty();
        assertThat(broker.acknowledged).isEmpty();
        assertThat(broker.requeued).isEmpty();
        await().until(() -> source.snapshot().redelivered() == 1);
    }

    @Test
    void offersNothingWhileTheBrokerIsBlocked() {
        alarm.set(true);
        deliver(1);
        await().until(() -> source.snapshot().reasons().contains(PauseReason.BROKER_BLOCKED));
        await().until(() -> source.snapshot().buffered() == 1);
        assertThat(intake.accepted).isEmpty();

        alarm.set(false);

        awaitDeliveries(1);
    }

    @Test
    void requeuesItsBufferWhenItIsPaused() {
        intake.limit = 1;
        deliver(1, 2, 3);
        awaitDeliveries(1);

        source.pause(true);
        loop.execute(source::requeueBuffered);

        await().untilAsserted(() -> assertThat(broker.requeued).containsExactly(2L, 3L));
    }

    @Test
    void offersNothingAfterTheIntakeIsStopped() {
        source.stopIntake().join();
        deliver(1);

        await().until(() -> source.snapshot().held() == 1);
        assertThat(intake.accepted).isEmpty();
    }

    @Test
    void acknowledgesAllSettledDeliveriesAtTheEnd() {
        deliver(1, 2, 3);
        List<Delivery> all = awaitDeliveries(3);
        all.get(0).settlement().acknowledge();
        all.get(2).settlement().acknowledge();

        source.acknowledgeAll().join();

        assertThat(broker.acknowledged).containsExactly(1L, 3L);
    }

    @Test
    void keepsTheChannelOpenWhileAcknowledgementsMayBePendingInTheBroker() {
        for (int tag = 1; tag <= 33; tag++) {
            deliver(tag);
            awaitDeliveries(tag).get(tag - 1).settlement().acknowledge();
            int acknowledged = tag;
            await().until(() -> broker.acknowledged.size() == acknowledged);
        }

        CompletableFuture<Void> finished = source.acknowledgeAll();
        CompletableFuture<Void> ran = new CompletableFuture<>();
        loop.execute(() -> ran.complete(null));
        ran.join();

        assertThat(finished).isNotDone().succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void reportsAChangedMessageSize() {
        assertThat(source.meanMessageBytes()).isEqualTo(Prefetch.INITIAL_MESSAGE_BYTES);

        deliver(1);

        await().until(() -> sizesChanged.get() == 1);
        assertThat(source.meanMessageBytes()).isEqualTo(10);
    }

    @Test
    void requeuesAMessageOverTheBudgetAndConsumesAgainWhenTheBufferIsEmpty() {
        intake.limit = 0;
        deliver(1);
        loop.execute(() -> source.delivered(
                session, false, new BasicProperties(), new byte[0], InspectedMessage.overBudget(2, 8 << 20, 16 << 20)));
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
    void consumesAgainOnlyWhenTheLargestMessageOverTheBudgetFits() {
        loop.execute(() -> {
            // A message that is being received holds its bytes although it is not buffered.
            InboundGuard guard = source.newGuard();
            receiving.pipeline().addLast(guard);
            receiving.writeInbound(InboundGuardTest.deliver(1), InboundGuardTest.header(15 << 20, new byte[0], 0));
            source.delivered(
                    session,
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
    void countsUnacknowledgedDeliveriesOfCancelledConsumers() throws IOException {
        deliver(1, 2, 3);
        List<Delivery> before = awaitDeliveries(3);

        source.countAllAsCancelled();
        assertThat(source.unacknowledgedOfCancelled()).isEqualTo(3);

        deliver(4);
        before.get(1).settlement().acknowledge();
        awaitDeliveries(4).get(3).settlement().acknowledge();
        await().until(() -> source.unacknowledgedOfCancelled() == 2);
    }

    private void deliver(long... tags) {
        for (long tag : tags) {
            loop.execute(() -> source.delivered(
                    session, false, new BasicProperties(), new byte[10], InspectedMessage.read(tag, 10)));
        }
    }

    private List<Delivery> awaitDeliveries(int count) {
        await().until(() -> intake.accepted.size() == count);
        return List.copyOf(intake.accepted);
    }

    /** Thread-safe: the loop writes, the test reads. */
    private static final class RecordingBroker implements TagLedger.AckChannel {

        final List<Long> acknowledged = new CopyOnWriteArrayList<>();
        final List<Long> requeued = new CopyOnWriteArrayList<>();

        @Override
        public void acknowledge(long tag, boolean multiple) {
            acknowledged.add(tag);
        }

        @Override
        public void requeue(long tag) {
            requeued.add(tag);
        }
    }
}
