package io.iocluster.rabbit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RabbitDeliveryTest {

    private static final BasicProperties NONE = new BasicProperties();

    @Test
    void readsHeadersAsText() {
        Map<String, Object> headers = Map.of(
                "text", LongStringHelper.asLongString("täg"),
                "bytes", "täg".getBytes(StandardCharsets.UTF_8),
                "number", 7);
        RabbitDelivery delivery =
                TestDeliveries.of(new BasicProperties.Builder().headers(headers).build(), "");

        assertThat(delivery.header("text")).isEqualTo("täg");
        assertThat(delivery.header("bytes")).isEqualTo("täg");
        assertThat(delivery.header("number")).isEqualTo("7");
        assertThat(delivery.header("absent")).isNull();
        assertThat(TestDeliveries.of(NONE, "").header("absent")).isNull();
    }

    @Test
    void takesItsCoordinatesFromTheMessageIdOrElseFromTheContent() {
        BasicProperties withId = new BasicProperties.Builder().messageId("m-1").build();
        BasicProperties other =
                new BasicProperties.Builder().correlationId("c-2").build();

        assertThat(TestDeliveries.of(withId, "x").coordinates()).isEqualTo("requests/m-1");
        assertThat(TestDeliveries.of(NONE, "x").coordinates())
                .startsWith("requests/")
                .isEqualTo(TestDeliveries.of(NONE, "x").coordinates())
                .isNotEqualTo(TestDeliveries.of(NONE, "y").coordinates())
                .isNotEqualTo(TestDeliveries.of(other, "x").coordinates());
    }

    @Test
    void usesTheTimestampOfTheBrokerInMilliseconds() {
        BasicProperties properties = new BasicProperties.Builder()
                .headers(Map.of("timestamp_in_ms", 1_234L))
                .timestamp(TestDeliveries.date(1_000))
                .build();

        assertThat(TestDeliveries.of(properties, "").timestampMillis()).isEqualTo(1_234);
    }

    @Test
    void usesTheEndOfTheSecondOfAnAmqpTimestampButNoFutureTime() {
        BasicProperties old = new BasicProperties.Builder()
                .timestamp(TestDeliveries.date(1_000))
                .build();
        long second = System.currentTimeMillis() / 1_000 * 1_000;
        BasicProperties fresh = new BasicProperties.Builder()
                .timestamp(TestDeliveries.date(second))
                .build();

        assertThat(TestDeliveries.of(old, "").timestampMillis()).isEqualTo(1_999);
        assertThat(TestDeliveries.of(fresh, "").timestampMillis()).isBetween(second, System.currentTimeMillis());
        assertThat(TestDeliveries.of(NONE, "").timestampMillis()).isNegative();
    }

    /** A sender that writes milliseconds instead of seconds. The node ignores and counts such a time. */
    @Test
    void doesNotHideATimestampFarAhead() {
        BasicProperties ahead = new BasicProperties.Builder()
                .timestamp(TestDeliveries.date(1_750_000_000_000_000L))
                .build();

        assertThat(TestDeliveries.of(ahead, "").timestampMillis()).isEqualTo(1_750_000_000_000_000L);
    }

    @Test
    void hasNoReplyToIfThePropertyIsEmpty() {
        BasicProperties empty = new BasicProperties.Builder().replyTo("").build();

        assertThat(TestDeliveries.of(empty, "").replyTo()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"60000, 60000", "0, -1", "-5, -1", "soon, -1", ", -1"})
    void readsItsTimeToLiveFromTheExpiration(String expiration, long millis) {
        BasicProperties properties =
                new BasicProperties.Builder().expiration(expiration).build();

        assertThat(TestDeliveries.of(properties, "").timeToLiveMillis()).isEqualTo(millis);
    }

    @Test
    void countsDeliveriesByTheBrokerAndRetriesInTheNode() {
        BasicProperties counted = new BasicProperties.Builder()
                .headers(Map.of("x-delivery-count", 4L))
                .build();
        SettlementQueue settlements = new SettlementQueue(() -> {});

        assertThat(TestDeliveries.of(settlements, 1, counted, "", true).earlierDeliveries())
                .isEqualTo(4);
        assertThat(TestDeliveries.of(settlements, 1, NONE, "", true).earlierDeliveries())
                .isEqualTo(1);
        assertThat(TestDeliveries.of(settlements, 1, NONE, "", false).earlierDeliveries())
                .isZero();
        assertThat(TestDeliveries.of(settlements, 1, counted, "", true)
                        .copyForRetry()
                        .copyForRetry()
                        .earlierDeliveries())
                .isEqualTo(6);
    }

    @Test
    void isRedeliveredIfTheBrokerSaysSoOrAfterARelease() {
        SettlementQueue settlements = new SettlementQueue(() -> {});

        assertThat(TestDeliveries.of(settlements, 1, counted(7L), "", false).isRedelivered())
                .isFalse();
        assertThat(TestDeliveries.of(settlements, 1, NONE, "", true).isRedelivered())
                .isTrue();
        assertThat(TestDeliveries.of(settlements, 1, NONE, "", false)
                        .copyForRetry()
                        .isRedelivered())
                .isTrue();
    }

    @Test
    void ignoresAForgedDeliveryCount() {
        SettlementQueue settlements = new SettlementQueue(() -> {});

        assertThat(TestDeliveries.of(settlements, 1, counted(-5L), "", false).earlierDeliveries())
                .isZero();
        assertThat(TestDeliveries.of(settlements, 1, counted(7L), "", false)
                        .copyForRetry()
                        .earlierDeliveries())
                .isEqualTo(1);
        assertThat(TestDeliveries.of(settlements, 1, counted(-5L), "", true).earlierDeliveries())
                .isEqualTo(1);
        assertThat(TestDeliveries.of(settlements, 1, counted(Long.MAX_VALUE), "", true)
                        .earlierDeliveries())
                .isEqualTo(1_000);
    }

    private static BasicProperties counted(long deliveries) {
        return new BasicProperties.Builder()
                .headers(Map.of("x-delivery-count", deliveries))
                .build();
    }
}
