package io.iocluster.rabbit.sink;

import static io.iocluster.rabbit.client.RabbitHarness.bytes;
import static io.iocluster.rabbit.client.RabbitHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.impl.Frame;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RabbitSinkIT {

    private static final int BROKER_MAX_MESSAGE_SIZE = 100_000;
    private static final int DEFAULT_MAX_MESSAGE_SIZE = 128 << 20;
    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    private RabbitHarness harness;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    /** For each test, because the broker forgets it when a test restarts it. */
    @BeforeEach
    void limitMessages() {
        limitMessages(BROKER_MAX_MESSAGE_SIZE);
    }

    @AfterAll
    static void resetLimit() {
        limitMessages(DEFAULT_MAX_MESSAGE_SIZE);
    }

    /** Sets the limit for channels that are opened from now on. RabbitMQ 3 reads it from the first place, RabbitMQ 4 from the second. */
    private static void limitMessages(int bytes) {
        broker.eval("application:set_env(rabbit, max_message_size, " + bytes
                + "), persistent_term:put(max_message_size, " + bytes + ")");
    }

    @AfterEach
    void closeHarness() {
        harness.close();
    }

    @Test
    void copiesCorrelationIdPriorityAndHeadersToTheAnswer() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(
                new BasicProperties.Builder()
                        .deliveryMode(2)
                        .correlationId("c-1")
                        .priority(4)
                        // The copy must not expire before the test reads it.
                        .expiration(Long.toString(Duration.ofHours(1).toMillis()))
                        .headers(Map.of(
                                "traceparent",
                                "00-abc",
                                "CC",
                                List.of(harness.settings.deadLetters().queue())))
                        .build(),
                "{}");

        PublishResult result = get(harness.sink().publish(request, bytes("answer"), null));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        GetResponse answer = harness.answers().get(0);
        assertThat(answer.getBody()).isEqualTo(bytes("answer"));
        assertThat(answer.getProps().getCorrelationId()).isEqualTo("c-1");
        assertThat(answer.getProps().getPriority()).isEqualTo(4);
        assertThat(answer.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(answer.getProps().getExpiration()).isNull();
        assertThat(answer.getProps().getHeaders().get("traceparent")).hasToString("00-abc");
        assertThat(answer.getProps().getHeaders()).doesNotContainKey("CC");
        // The one message there is the broker's copy of the request by CC; the answer was not copied.
        assertThat(broker.consume(harness.settings.deadLetters().queue()))
                .extracting(copy -> RabbitHarness.text(copy.getBody()))
                .containsExactly("{}");
    }

    @Test
    void answersAMessageWhosePropertiesAreNotUtf8() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(new BinaryProperties(), "{}");
        assertThat(request.hasIgnoredProperty()).isTrue();

        assertThat(get(harness.sink().publish(request, bytes("answer"), null))).isEqualTo(PublishResult.CONFIRMED);
        assertThat(get(harness.sink().publishDeadLetter(request, new DeadLetterReason("internal", "why"))))
                .isEqualTo(PublishResult.CONFIRMED);

        assertThat(harness.answers().get(0).getProps().getCorrelationId()).isNull();
    }

    /** Properties whose correlation id, type and app id are 200 bytes that are not UTF-8. The client itself writes only UTF-8. */
    private static final class BinaryProperties extends BasicProperties {

        private static final String PLACEHOLDER = "?".repeat(200);

        BinaryProperties() {
            super(null, null, null, 2, null, PLACEHOLDER, null, null, null, null, PLACEHOLDER, null, PLACEHOLDER, null);
        }

        @Override
        public Frame toFrame(int channel, long bodySize) throws IOException {
            byte[] payload = super.toFrame(channel, bodySize).getPayload();
            for (int i = 0; i < payload.length; i++) {
                payload[i] = payload[i] == '?' ? (byte) 0xff : payload[i];
            }
            Frame frame = new Frame(AMQP.FRAME_HEADER, channel);
            frame.getOutputStream().write(payload);
            return frame;
        }
    }

    @Test
    void keepsTheRequestInADeadLetterWithTheReason() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(
                new BasicProperties.Builder()
                        .deliveryMode(2)
                        .expiration("100000")
                        .headers(Map.of("iocluster-error", "earlier"))
                        .build(),
                "not json");

        PublishResult result =
                get(harness.sink().publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON")));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        GetResponse letter = broker.peek(harness.settings.deadLetters().queue()).get(0);
        assertThat(letter.getBody()).isEqualTo(bytes("not json"));
        assertThat(letter.getProps().getHeaders().get("iocluster-error")).hasToString("no JSON");
        assertThat(letter.getProps().getHeaders().get("iocluster-error-code")).hasToString("malformed-envelope");
        assertThat(letter.getProps().getExpiration()).isNull();
    }

    @Test
    void failsAnAnswerThatNoQueueAcceptsAndPublishesTheOthers() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");
        String nowhere = harness.settings.answers().routingKey().replace(".answers", ".reply-x");
        assertThat(harness.sink().isReplyToAllowed(request, nowhere)).isTrue();

        List<CompletionStage<PublishResult>> good = new ArrayList<>();
        List<CompletionStage<PublishResult>> bad = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            good.add(harness.sink().publish(request, bytes("good " + i), null));
            bad.add(harness.sink().publish(request, bytes("bad " + i), nowhere));
        }

        assertThat(good).allMatch(each -> get(each) == PublishResult.CONFIRMED);
        assertThat(bad)
                .allSatisfy(each -> assertThat(get(each))
                        .isInstanceOfSatisfying(
                                PublishResult.UnknownTopicOrQueue.class,
                                failed -> assertThat(failed.problem())
                                        .contains("no queue accepted the message", nowhere)));
        assertThat(harness.answers()).hasSize(50);
    }

    @Test
    void failsAnAnswerThatTheBrokerRefuses() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");
        String full = harness.settings.answers().routingKey().replace(".answers", ".reply-full");
        broker.declareQueue(full, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));

        List<PublishResult> results = IntStream.range(0, 5)
                .mapToObj(i -> get(harness.sink().publish(request, bytes("a" + i), full)))
                .toList();

        assertThat(results.get(0)).isEqualTo(PublishResult.CONFIRMED);
        assertThat(results.get(4))
                .isInstanceOfSatisfying(
                        PublishResult.Failed.class,
                        failed -> assertThat(failed.problem()).contains("nack"));
    }

    /** The broker refuses the messages of a channel for ever once it has refused some because of a limit that is gone. */
    @Test
    void publishesToAFullQueueAgainAfterItsLimitWasRemoved() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");
        String limited = harness.settings.answers().routingKey().replace(".answers", ".reply-limited");
        broker.declareQueue(limited, Map.of("x-queue-type", "quorum"));
        broker.setPolicy(limited, "{\"max-length\":1,\"overflow\":\"reject-publish\"}");
        await().untilAsserted(() -> assertThat(get(harness.sink().publish(request, bytes("answer"), limited)))
                .isInstanceOf(PublishResult.Failed.class));

        broker.clearPolicy(limited);

        await().untilAsserted(() -> assertThat(get(harness.sink().publish(request, bytes("later"), limited)))
                .isEqualTo(PublishResult.CONFIRMED));
        assertThat(get(harness.sink().publish(request, bytes("other"), null))).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void failsOnlyTheAnswerThatIsTooLargeForTheBroker() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");

        List<CompletionStage<PublishResult>> results = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int size = i == 25 ? BROKER_MAX_MESSAGE_SIZE + 1 : 100;
            results.add(harness.sink().publish(request, new byte[size], null));
        }

        for (int i = 0; i < 40; i++) {
            if (i == 25) {
                assertThat(get(results.get(i))).isInstanceOf(PublishResult.TooLarge.class);
            } else {
                assertThat(get(results.get(i))).isEqualTo(PublishResult.CONFIRMED);
            }
        }
        assertThat(harness.answers().size()).isGreaterThanOrEqualTo(39);
    }

    @Test
    void failsAnAnswerToAMissingExchangeAndPublishesTheOthers() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .answers(new AnswerRoutingSettings("gone-" + System.nanoTime(), "key", List.of("*.requests2")))
                .settings();
        String exchange = settings.answers().exchange();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(exchange, "topic", true);
            String bound = channel.queueDeclare().getQueue();
            channel.queueBind(bound, exchange, "key");
            harness = new RabbitHarness(broker, settings).start();
            Delivery request = harness.request(PLAIN, "{}");
            assertThat(get(harness.sink().publish(request, bytes("there"), null)))
                    .isEqualTo(PublishResult.CONFIRMED);
            channel.exchangeDelete(exchange);
            String other = "other.requests2";
            channel.queueDeclare(other, true, false, true, Map.of());

            List<CompletionStage<PublishResult>> lost = new ArrayList<>();
            List<CompletionStage<PublishResult>> good = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lost.add(harness.sink().publish(request, bytes("lost " + i), null));
                good.add(harness.sink().publish(request, bytes("good " + i), other));
            }

            assertThat(good).allMatch(each -> get(each) == PublishResult.CONFIRMED);
            assertThat(lost)
                    .allSatisfy(each -> assertThat(get(each))
                            .isInstanceOfSatisfying(
                                    PublishResult.UnknownTopicOrQueue.class,
                                    failed -> assertThat(failed.problem()).contains("no exchange")));
        }
    }

    @Test
    void publishesToADirectReplyToClient() throws Exception {
        RabbitTestSettings base = RabbitHarness.fresh(broker);
        start(base.answers(new AnswerRoutingSettings(
                "", base.settings().answers().routingKey(), List.of("amq.rabbitmq.reply-to.*"))));
        LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.basicConsume(
                    "amq.rabbitmq.reply-to",
                    true,
                    (tag, message) -> received.add(RabbitHarness.text(message.getBody())),
                    tag -> {});
            channel.basicPublish(
                    "",
                    harness.settings.requests().queue(),
                    new BasicProperties.Builder()
                            .replyTo("amq.rabbitmq.reply-to")
                            .build(),
                    bytes("{}"));
            Delivery request = harness.awaitDeliveries(1).get(0);
            assertThat(harness.sink().isReplyToAllowed(request, request.replyTo()))
                    .isTrue();

            PublishResult result = get(harness.sink().publish(request, bytes("answer"), request.replyTo()));

            assertThat(result).isEqualTo(PublishResult.CONFIRMED);
            assertThat(received.poll(1, TimeUnit.MINUTES)).isEqualTo("answer");
        }
    }

    @Test
    void failsAnUnconfirmedAnswerAfterTheTimeoutAndPublishesTheNext() {
        start(RabbitHarness.fresh(broker).confirmTimeout(Duration.ofSeconds(10)));
        Delivery request = harness.request(PLAIN, "{}");
        get(harness.sink().publish(request, bytes("before"), null));
        broker.pause();
        try {
            // The broker may confirm a few more messages before all of its threads have stopped.
            PublishResult late = PublishResult.CONFIRMED;
            for (int i = 0; i < 100 && late == PublishResult.CONFIRMED; i++) {
                late = get(harness.sink().publish(request, bytes("late"), null));
            }

            assertThat(late)
                    .isInstanceOfSatisfying(
                            PublishResult.Failed.class,
                            failed -> assertThat(failed.problem()).isEqualTo("not confirmed within 10s"));
        } finally {
            broker.unpause();
        }
        assertThat(get(harness.sink().publish(request, bytes("after"), null))).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void confirmsAllAnswersAndKeepsTheirOrder() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");

        List<CompletionStage<PublishResult>> results = IntStream.range(0, 2_000)
                .mapToObj(i -> harness.sink().publish(request, bytes("a" + i), null))
                .toList();

        assertThat(results).allMatch(each -> get(each) == PublishResult.CONFIRMED);
        assertThat(harness.answers())
                .extracting(answer -> RabbitHarness.text(answer.getBody()))
                .containsExactlyElementsOf(
                        IntStream.range(0, 2_000).mapToObj(i -> "a" + i).toList());
    }

    @Test
    void failsAnAnswerPublishedAfterTheClose() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(PLAIN, "{}");
        harness.close();

        assertThat(get(harness.sink().publish(request, bytes("x"), null))).isInstanceOf(PublishResult.Failed.class);
    }

    @Test
    void truncatesADeadLetterThatAmqpCannotEncode() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(largeHeader(130_900), "not json");

        PublishResult result = get(harness.sink()
                .publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "y".repeat(90_000))));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        GetResponse letter = broker.peek(harness.settings.deadLetters().queue()).get(0);
        assertThat(letter.getBody()).isEqualTo(bytes("not json"));
        assertThat(letter.getProps().getHeaders())
                .doesNotContainKey("large")
                .containsKey("iocluster-source")
                .hasEntrySatisfying(
                        "iocluster-truncated", cut -> assertThat(cut).hasToString("headers"))
                .hasEntrySatisfying(
                        "iocluster-error", error -> assertThat(error.toString()).hasSizeLessThan(600));
    }

    @Test
    void publishesAnAnswerWithoutHeadersThatAmqpCannotEncode() {
        start(RabbitHarness.fresh(broker));
        Delivery request = harness.request(largeHeader(130_900), "{}");
        TraceContext trace = new TraceContext("00-" + "a".repeat(50), "x=" + "b".repeat(200));

        PublishResult result = get(harness.sink().publish(request, bytes("answer"), null, trace));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        assertThat(harness.answers().get(0).getProps().getHeaders())
                .doesNotContainKey("large")
                .containsKeys("traceparent", "tracestate", "iocluster-truncated");
    }

    private static BasicProperties largeHeader(int bytes) {
        return new BasicProperties.Builder()
                .deliveryMode(2)
                .headers(Map.of("large", "x".repeat(bytes)))
                .build();
    }

    private void start(RabbitTestSettings settings) {
        harness = new RabbitHarness(broker, settings.settings()).start();
        harness.awaitConnected();
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        return factory.newConnection("test");
    }
}
