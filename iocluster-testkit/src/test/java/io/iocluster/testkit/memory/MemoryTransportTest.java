package io.iocluster.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.contract.BrokerMessage;
import io.iocluster.testkit.contract.TransportContract;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemoryTransportTest extends TransportContract {

    @Override
    public TransportFixture newFixture() {
        return new Fixture();
    }

    @Test
    void confirmsOnlyAfterHeldConfirmsAreReleased() {
        MemoryBroker broker = new MemoryBroker();
        MemoryTransport transport = new MemoryTransport(broker);
        Delivery delivery = receiveOne(broker, transport);
        broker.holdConfirms();

        CompletableFuture<PublishResult> result =
                transport.sink().publish(delivery, new byte[1], null).toCompletableFuture();

        assertThat(broker.answers()).hasSize(1);
        assertThat(broker.heldConfirmCount()).isEqualTo(1);
        assertThat(result).isNotDone();
        broker.releaseConfirms();
        assertThat(result.join()).isEqualTo(PublishResult.CONFIRMED);
        transport.source().close();
        transport.sink().close();
    }

    @Test
    void failsPublishesIfConfigured() {
        MemoryBroker broker = new MemoryBroker();
        MemoryTransport transport = new MemoryTransport(broker);
        Delivery delivery = receiveOne(broker, transport);

        broker.failPublishes(true);
        PublishResult failed = transport
                .sink()
                .publish(delivery, new byte[1], null)
                .toCompletableFuture()
                .join();
        broker.failPublishes(false);
        PublishResult confirmed = transport
                .sink()
                .publish(delivery, new byte[1], null)
                .toCompletableFuture()
                .join();

        assertThat(failed).isInstanceOf(PublishResult.Failed.class);
        assertThat(confirmed).isEqualTo(PublishResult.CONFIRMED);
        transport.source().close();
        transport.sink().close();
    }

    @Test
    void failsUnconfirmedPublishesWhenTheSinkCloses() {
        MemoryBroker broker = new MemoryBroker();
        MemoryTransport transport = new MemoryTransport(broker);
        Delivery delivery = receiveOne(broker, transport);
        broker.holdConfirms();
        CompletableFuture<PublishResult> result =
                transport.sink().publish(delivery, new byte[1], null).toCompletableFuture();

        transport.source().close();
        transport.sink().close();

        assertThat(result.join()).isInstanceOf(PublishResult.Failed.class);
    }

    private static Delivery receiveOne(MemoryBroker broker, MemoryTransport transport) {
        CompletableFuture<Delivery> first = new CompletableFuture<>();
        broker.send("{}");
        transport.sink().start();
        transport.source().start(first::complete);
        await().until(first::isDone);
        return first.join();
    }

    private static final class Fixture implements TransportFixture {

        private final MemoryBroker broker = new MemoryBroker();

        Fixture() {
            broker.limitPayloadBytes(1_000);
        }

        @Override
        public Transport newTransport() {
            return new MemoryTransport(broker, "node-1", Set.of("elsewhere", "missing"));
        }

        @Override
        public Transport newTransport(Duration delay) {
            return new MemoryTransport(broker, "node-1", Set.of("elsewhere", "missing"), List.of(delay));
        }

        @Override
        public void send(byte[] payload, String correlation, Map<String, String> headers) {
            broker.send(payload, correlation, headers);
        }

        @Override
        public List<BrokerMessage> answers() {
            return answersIn(MemoryBroker.ANSWERS);
        }

        @Override
        public List<BrokerMessage> answersIn(String replyTo) {
            return broker.publishedTo(replyTo).stream()
                    .map(message -> new BrokerMessage(message.payload(), message.correlationId(), message.headers()))
                    .toList();
        }

        @Override
        public List<BrokerMessage> deadLetters() {
            return answersIn(MemoryBroker.DEAD_LETTERS);
        }

        @Override
        public String allowedReplyTo() {
            return "elsewhere";
        }

        @Override
        public String missingReplyTo() {
            broker.failPublishesTo("missing", new PublishResult.UnknownTopicOrQueue("missing does not exist"));
            return "missing";
        }

        @Override
        public String forbiddenReplyTo() {
            return "forbidden";
        }

        @Override
        public int oversizedAnswerBytes() {
            return 1_001;
        }

        @Override
        public boolean canStopBroker() {
            return true;
        }

        @Override
        public void killBroker() {
            broker.goOffline();
        }

        @Override
        public void restartBroker() {
            broker.goOnline();
        }

        @Override
        public void close() {}
    }
}
