package io.iocluster.rabbit.sink;

import static io.iocluster.rabbit.client.RabbitHarness.bytes;
import static io.iocluster.rabbit.client.RabbitHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.rabbit.RabbitOptions;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
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
import org.junit.jupiter.api.Test;

class RabbitSinkIT {

    private static final int BROKERS_LARGEST = 100_000;
    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    private RabbitHarness stage;

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch(RabbitOptions.DEFAULT.with("max_message_size", Integer.toString(BROKERS_LARGEST)));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    @Test
    void answersWithWhatTravelsFromTheRequest() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(
                new BasicProperties.Builder()
                        .deliveryMode(2)
                        .correlationId("c-1")
                        .priority(4)
                        .expiration("60000")
                        .headers(Map.of(
                                "traceparent",
                                "00-abc",
                                "CC",
                                List.of(stage.settings.deadLetters().queue())))
                        .build(),
                "{}");

        PublishResult result = get(stage.sink().publish(request, bytes("answer"), null));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        GetResponse answer = stage.answers().get(0);
        assertThat(answer.getBody()).isEqualTo(bytes("answer"));
        assertThat(answer.getProps().getCorrelationId()).isEqualTo("c-1");
        assertThat(answer.getProps().getPriority()).isEqualTo(4);
        assertThat(answer.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(answer.getProps().getExpiration()).isNull();
        assertThat(answer.getProps().getHeaders().get("traceparent")).hasToString("00-abc");
        assertThat(answer.getProps().getHeaders()).doesNotContainKey("CC");
        // The broker itself served the request's CC; the answer goes nowhere else.
        assertThat(broker.readyMessages(stage.settings.deadLetters().queue())).isEqualTo(1);
    }

    @Test
    void keepsTheOriginalInADeadLetterAndSaysWhy() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(
                new BasicProperties.Builder()
                        .deliveryMode(2)
                        .expiration("100000")
                        .headers(Map.of("iocluster-error", "earlier"))
                        .build(),
                "not json");

        PublishResult result =
                get(stage.sink().publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON")));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        GetResponse letter = broker.peek(stage.settings.deadLetters().queue()).get(0);
        assertThat(letter.getBody()).isEqualTo(bytes("not json"));
        assertThat(letter.getProps().getHeaders().get("iocluster-error")).hasToString("no JSON");
        assertThat(letter.getProps().getHeaders().get("iocluster-error-code")).hasToString("malformed-envelope");
        assertThat(letter.getProps().getExpiration()).isNull();
    }

    @Test
    void failsWhatNoQueueTakesAndGoesOn() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");
        String nowhere = stage.settings.answers().routingKey().replace(".answers", ".reply-x");
        assertThat(stage.sink().isReplyToAllowed(request, nowhere)).isTrue();

        List<CompletionStage<PublishResult>> good = new ArrayList<>();
        List<CompletionStage<PublishResult>> bad = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            good.add(stage.sink().publish(request, bytes("good " + i), null));
            bad.add(stage.sink().publish(request, bytes("bad " + i), nowhere));
        }

        assertThat(good).allMatch(each -> get(each) == PublishResult.CONFIRMED);
        assertThat(bad)
                .allSatisfy(each -> assertThat(get(each))
                        .isInstanceOfSatisfying(
                                PublishResult.UnknownTopicOrQueue.class,
                                failed -> assertThat(failed.problem()).contains("no queue took it", nowhere)));
        assertThat(stage.answers()).hasSize(50);
    }

    @Test
    void failsWhatTheBrokerRefuses() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");
        String full = stage.settings.answers().routingKey().replace(".answers", ".reply-full");
        broker.declareQueue(full, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));

        List<PublishResult> results = IntStream.range(0, 5)
                .mapToObj(i -> get(stage.sink().publish(request, bytes("a" + i), full)))
                .toList();

        assertThat(results.get(0)).isEqualTo(PublishResult.CONFIRMED);
        assertThat(results.get(4))
                .isInstanceOfSatisfying(
                        PublishResult.Failed.class,
                        failed -> assertThat(failed.problem()).contains("nack"));
    }

    @Test
    void findsTheOneThatIsTooLargeForTheBrokerAndPublishesTheOthers() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");

        List<CompletionStage<PublishResult>> results = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int size = i == 25 ? BROKERS_LARGEST + 1 : 100;
            results.add(stage.sink().publish(request, new byte[size], null));
        }

        for (int i = 0; i < 40; i++) {
            if (i == 25) {
                assertThat(get(results.get(i))).isInstanceOf(PublishResult.TooLarge.class);
            } else {
                assertThat(get(results.get(i))).isEqualTo(PublishResult.CONFIRMED);
            }
        }
        assertThat(stage.answers().size()).isGreaterThanOrEqualTo(39);
    }

    @Test
    void failsWhatAMissingExchangeShouldTakeAndPublishesTheOthers() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .answers(new AnswerRoutingSettings("gone-" + System.nanoTime(), "key", List.of("*.requests2")))
                .settings();
        String exchange = settings.answers().exchange();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(exchange, "topic", true);
            String bound = channel.queueDeclare().getQueue();
            channel.queueBind(bound, exchange, "key");
            stage = new RabbitHarness(broker, settings).start();
            Delivery request = stage.request(PLAIN, "{}");
            assertThat(get(stage.sink().publish(request, bytes("there"), null))).isEqualTo(PublishResult.CONFIRMED);
            channel.exchangeDelete(exchange);
            String other = "other.requests2";
            channel.queueDeclare(other, true, false, true, Map.of());

            List<CompletionStage<PublishResult>> lost = new ArrayList<>();
            List<CompletionStage<PublishResult>> good = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lost.add(stage.sink().publish(request, bytes("lost " + i), null));
                good.add(stage.sink().publish(request, bytes("good " + i), other));
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
    void answersStraightToAClientThatWaits() throws Exception {
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
                    stage.settings.requests().queue(),
                    new BasicProperties.Builder()
                            .replyTo("amq.rabbitmq.reply-to")
                            .build(),
                    bytes("{}"));
            Delivery request = stage.taken(1).get(0);
            assertThat(stage.sink().isReplyToAllowed(request, request.replyTo()))
                    .isTrue();

            PublishResult result = get(stage.sink().publish(request, bytes("answer"), request.replyTo()));

            assertThat(result).isEqualTo(PublishResult.CONFIRMED);
            assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("answer");
        }
    }

    @Test
    void failsWhatIsNotConfirmedInTimeAndGoesOn() {
        start(RabbitHarness.fresh(broker).confirmTimeout(Duration.ofSeconds(1)));
        Delivery request = stage.request(PLAIN, "{}");
        get(stage.sink().publish(request, bytes("before"), null));
        broker.pause();
        try {
            // The broker's threads need a moment to stop.
            PublishResult late = PublishResult.CONFIRMED;
            for (int i = 0; i < 100 && late == PublishResult.CONFIRMED; i++) {
                late = get(stage.sink().publish(request, bytes("late"), null));
            }

            assertThat(late)
                    .isInstanceOfSatisfying(
                            PublishResult.Failed.class,
                            failed -> assertThat(failed.problem()).isEqualTo("not confirmed within 1s"));
        } finally {
            broker.unpause();
        }
        assertThat(get(stage.sink().publish(request, bytes("after"), null))).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void confirmsEachOfManyAndKeepsTheirOrder() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");

        List<CompletionStage<PublishResult>> results = IntStream.range(0, 10_000)
                .mapToObj(i -> stage.sink().publish(request, bytes("a" + i), null))
                .toList();

        assertThat(results).allMatch(each -> get(each) == PublishResult.CONFIRMED);
        assertThat(stage.answers())
                .extracting(answer -> RabbitHarness.text(answer.getBody()))
                .containsExactlyElementsOf(
                        IntStream.range(0, 10_000).mapToObj(i -> "a" + i).toList());
    }

    @Test
    void waitsOutABrokerThatIsAway() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");
        broker.kill();
        List<CompletionStage<PublishResult>> answers = IntStream.range(0, 20)
                .mapToObj(i -> stage.sink().publish(request, bytes("a" + i), null))
                .toList();
        await().atMost(RabbitHarness.SOON).until(() -> !stage.source().status().connected());
        assertThat(stage.source().status().problem()).isNotBlank();
        assertThat(answers).noneMatch(answer -> answer.toCompletableFuture().isDone());

        broker.start();

        assertThat(answers).allMatch(each -> get(each) == PublishResult.CONFIRMED);
        stage.awaitConnected();
        assertThat(stage.answers()).hasSize(20);
    }

    @Test
    void failsWhatIsPublishedAfterTheClose() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(PLAIN, "{}");
        stage.close();

        assertThat(get(stage.sink().publish(request, bytes("x"), null))).isInstanceOf(PublishResult.Failed.class);
    }

    @Test
    void cutsFromADeadLetterWhatAmqpCannotCarry() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(largeHeader(130_900), "not json");

        PublishResult result = get(stage.sink()
                .publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "y".repeat(90_000))));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        GetResponse letter = broker.peek(stage.settings.deadLetters().queue()).get(0);
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
    void publishesAnAnswerWithoutTheSendersHeadersWhereAmqpCannotCarryThem() {
        start(RabbitHarness.fresh(broker));
        Delivery request = stage.request(largeHeader(130_900), "{}");
        TraceContext trace = new TraceContext("00-" + "a".repeat(50), "x=" + "b".repeat(200));

        PublishResult result = get(stage.sink().publish(request, bytes("answer"), null, trace));

        assertThat(result).isInstanceOf(PublishResult.Confirmed.class);
        assertThat(stage.answers().get(0).getProps().getHeaders())
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
        stage = new RabbitHarness(broker, settings.settings()).start();
        stage.awaitConnected();
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        return factory.newConnection("test");
    }
}
