package io.iocluster.rabbit.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RabbitDeadLettersIT {

    private static final int LETTERS = 20;

    private static RabbitBroker broker;

    @BeforeAll
    static void launch() {
        broker = SharedBrokers.emptyRabbit();
    }

    @ParameterizedTest
    @CsvSource({"QUORUM,16", "CLASSIC,4"})
    void replaysEachOnceWhereverTheConnectionIsCut(QueueType type, int cuts) throws Exception {
        RabbitSettings settings = declared("cut-" + type, type, Map.of());
        try (CuttingProxy proxy = new CuttingProxy(broker.uri())) {
            RabbitSettings cut =
                    RabbitTestSettings.of(proxy.uri(), "cut-" + type).settings();
            proxy.cutAfter(Long.MAX_VALUE);
            publish(settings, LETTERS);
            assertThat(replay(cut)).isEqualTo(LETTERS);
            long bytes = proxy.forwarded();
            broker.consume(settings.requests().queue());
            for (int i = 1; i <= cuts; i++) {
                publish(settings, LETTERS);
                proxy.cutAfter(bytes * i / (cuts + 1));

                // The last bytes close the connection; a cut among them does not matter.
                replayUntilTheCut(cut);
                replayAfterTheCut(settings);

                assertThat(ids(broker.consume(settings.requests().queue())))
                        .as("cut after %d of %d bytes", bytes * i / (cuts + 1), bytes)
                        .containsExactlyInAnyOrderElementsOf(numbers(LETTERS));
                await().until(() -> broker.readyMessages(settings.deadLetters().queue()) == 0);
            }
        }
    }

    @Test
    void listsInOrderAndLeavesEachWhereItWas(TestInfo test) throws Exception {
        RabbitSettings settings = declared(name(test), QueueType.QUORUM, Map.of());
        publish(settings, 1_200);

        List<String> first = positions(settings);

        assertThat(first).hasSize(1_200).doesNotHaveDuplicates();
        for (int i = 0; i < 5; i++) {
            assertThat(positions(settings)).as("listing %d", i).isEqualTo(first);
        }
        // The broker returns the messages to the queue when it has noticed the end of the last listing.
        await().until(() -> broker.readyMessages(settings.deadLetters().queue()) == 1_200);
        assertThat(ids(broker.consume(settings.deadLetters().queue()))).isEqualTo(numbers(1_200));
    }

    @Test
    void theBrokerDropsNoDeadLetterThatIsListedMoreOftenThanItsQueueDelivers(TestInfo test) throws Exception {
        RabbitSettings settings = declared(name(test), QueueType.QUORUM, Map.of("x-delivery-limit", 6));
        publish(settings, 30);
        List<String> before = positions(settings);

        for (int i = 0; i < 10; i++) {
            assertThat(positions(settings)).as("listing %d", i).containsExactlyInAnyOrderElementsOf(before);
        }

        assertThat(replay(settings)).isEqualTo(30);
    }

    @Test
    void replaysRequestsThatTheBrokerDeadLettered(TestInfo test) throws Exception {
        RabbitSettings settings = declared(name(test), QueueType.QUORUM, Map.of());
        BasicProperties expiring = new BasicProperties.Builder()
                .expiration("1")
                .correlationId("c")
                .headers(Map.of("sender", "s", "iocluster-forged", "f", "CC", List.of("elsewhere")))
                .build();
        // The broker keeps the time in whole seconds.
        Instant start = Instant.now().minusSeconds(1);
        broker.publish(settings.requests().queue(), expiring, "equal".getBytes(UTF_8));
        broker.publish(settings.requests().queue(), expiring, "equal".getBytes(UTF_8));
        broker.publish(settings.deadLetters().queue(), List.of("foreign".getBytes(UTF_8)));
        await().until(() -> broker.readyMessages(settings.deadLetters().queue()) == 3);

        List<DeadLetter> letters = scan(settings);
        assertThat(letters).extracting(DeadLetter::code).containsExactly("broker-expired", "broker-expired");
        assertThat(letters.get(0).failedAt()).isBetween(start, Instant.now());
        assertThat(letters.get(0).source()).isEqualTo(settings.requests().queue());
        assertThat(replay(settings)).isEqualTo(2);

        List<GetResponse> requests = broker.consume(settings.requests().queue());
        assertThat(requests).hasSize(2);
        BasicProperties replayed = requests.get(0).getProps();
        assertThat(replayed.getCorrelationId()).isEqualTo("c");
        assertThat(replayed.getExpiration()).isNull();
        assertThat(replayed.getHeaders()).containsKeys("sender").doesNotContainKeys("iocluster-forged", "CC");
        await().until(() -> broker.readyMessages(settings.deadLetters().queue()) == 1);
        assertThat(broker.consume(settings.deadLetters().queue()))
                .extracting(left -> new String(left.getBody(), UTF_8))
                .containsExactly("foreign");
    }

    @Test
    void readsDeadLettersThatTogetherDoNotFitItsMemory(TestInfo test) throws Exception {
        RabbitSettings settings = declared(name(test), QueueType.CLASSIC, Map.of());
        publish(settings, 9, new byte[8 << 20]);

        assertThat(scan(settings)).hasSize(9).allMatch(letter -> letter.payload().length == 8 << 20);
        assertThat(replay(settings)).isEqualTo(9);
        assertThat(ids(broker.consume(settings.requests().queue()))).containsExactlyInAnyOrderElementsOf(numbers(9));
    }

    @Test
    void refusesASecondReplayAndOtherConsumers(TestInfo test) throws Exception {
        RabbitSettings settings = declared(name(test), QueueType.QUORUM, Map.of());
        publish(settings, 1);
        EventLoopThread loop = new EventLoopThread("test", Platform.system());
        try (Connection other = new Connector(settings, "other", Platform.system()).open("test", loop)) {
            new ReplayQueues(settings.deadLetters().queue()).declareAndLock(other, Platform.system());

            assertThatThrownBy(() -> replay(settings))
                    .hasMessage("rabbit: another replay of the queue "
                            + settings.deadLetters().queue() + " is running");
        } finally {
            loop.close();
        }
        assertThat(replay(settings)).isEqualTo(1);
    }

    @Test
    void reportsAMissingQueue(TestInfo test) {
        RabbitSettings settings =
                RabbitTestSettings.of(broker.uri(), name(test)).settings();

        assertThatThrownBy(() -> scan(settings)).hasMessage("queue " + name(test) + ".dead: does not exist");
    }

    private static String name(TestInfo test) {
        return test.getTestMethod().orElseThrow().getName();
    }

    /** Declares the queues, the dead-letter queue with further arguments. */
    private static RabbitSettings declared(String name, QueueType type, Map<String, Object> arguments)
            throws IOException {
        RabbitSettings settings =
                RabbitTestSettings.of(broker.uri(), name).declare(true, type).settings();
        Map<String, Object> all = new HashMap<>(arguments);
        all.put("x-queue-type", type.name().toLowerCase(java.util.Locale.ROOT));
        broker.declareQueue(settings.deadLetters().queue(), all);
        new RabbitQueueAdmin(settings, "test", Platform.system()).declare();
        return settings;
    }

    private static void publish(RabbitSettings settings, int count) throws IOException, InterruptedException {
        publish(settings, count, new byte[10]);
    }

    /** Publishes dead letters with the correlation ids 0 to count - 1. */
    private static void publish(RabbitSettings settings, int count, byte[] body)
            throws IOException, InterruptedException {
        EventLoopThread loop = new EventLoopThread("test", Platform.system());
        try (Connection connection = new Connector(settings, "test", Platform.system()).open("test", loop);
                ConfirmChannel channel = new ConfirmChannel(connection, Duration.ofSeconds(60))) {
            for (int i = 0; i < count; i++) {
                Map<String, Object> headers = new HashMap<>();
                new DeadLetterReason("no-usable-answer", "why")
                        .headers("requests/" + i, "n", Instant.now())
                        .forEach((name, value) -> headers.put(name, new String(value, UTF_8)));
                BasicProperties properties = new BasicProperties.Builder()
                        .correlationId(Integer.toString(i))
                        .deliveryMode(2)
                        .headers(headers)
                        .build();
                channel.publish("", settings.deadLetters().queue(), properties, body);
            }
            channel.awaitConfirms();
        } finally {
            loop.close();
        }
    }

    private static long replay(RabbitSettings settings) throws IOException, InterruptedException {
        try (DeadLetterQueue letters = new RabbitDeadLetters(settings, "test", Platform.system())) {
            // Two batches.
            return letters.replay(any -> true, new Rate(LETTERS * 5, Duration.ofSeconds(1)));
        }
    }

    private static void replayUntilTheCut(RabbitSettings settings) throws InterruptedException {
        try {
            replay(settings);
        } catch (IOException cut) {
            // The caller runs it again.
        }
    }

    /** Tries until the broker has noticed the cut, because a busy one may need longer than a replay waits for the lock. */
    private static void replayAfterTheCut(RabbitSettings settings) {
        await().pollDelay(Duration.ZERO)
                .ignoreExceptionsMatching(
                        locked -> String.valueOf(locked.getMessage()).contains("another replay"))
                .until(() -> replay(settings) >= 0);
    }

    private static List<DeadLetter> scan(RabbitSettings settings) throws IOException, InterruptedException {
        List<DeadLetter> found = new ArrayList<>();
        try (DeadLetterQueue letters = new RabbitDeadLetters(settings, "test", Platform.system())) {
            letters.scan(found::add);
        }
        return found;
    }

    private static List<String> positions(RabbitSettings settings) throws IOException, InterruptedException {
        return scan(settings).stream().map(DeadLetter::position).toList();
    }

    private static List<String> ids(List<GetResponse> requests) {
        return requests.stream()
                .map(request -> request.getProps().getCorrelationId())
                .toList();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }
}
