package io.iocluster.rabbit.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.iocluster.rabbit.sink.OutgoingProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LetterIdTest {

    private static final byte[] BODY = "body".getBytes(UTF_8);
    private static final BasicProperties LETTER = letter(Map.of("a", "b", "CC", List.of("q")));

    @Test
    void survivesDeliveriesAndARenewal() {
        BasicProperties redelivered =
                letter(Map.of("a", LongStringHelper.asLongString("b"), "CC", List.of("q"), "x-delivery-count", 3L));

        assertThat(id(redelivered)).isEqualTo(id(LETTER)).matches("[0-9a-f]{24}");
        assertThat(id(OutgoingProperties.renewed(redelivered))).isEqualTo(id(LETTER));
        assertThat(OutgoingProperties.renewed(redelivered).getHeaders()).containsOnlyKeys("a");
    }

    @Test
    void differsInEveryOtherPart() {
        assertThat(id(letter(Map.of("a", "c")))).isNotEqualTo(id(LETTER));
        assertThat(id(letter(Map.of("ab", "")))).isNotEqualTo(id(LETTER));
        assertThat(id(letter(Map.of("a", "b", "c", List.of(Map.of("d", 1)))))).isNotEqualTo(id(LETTER));
        assertThat(id(LETTER.builder().messageId("c").build())).isNotEqualTo(id(LETTER));
        assertThat(id(LETTER.builder().correlationId(null).messageId("c").build()))
                .isNotEqualTo(id(LETTER));
        assertThat(LetterId.of(LETTER, new byte[0])).isNotEqualTo(id(LETTER));
    }

    private static String id(BasicProperties properties) {
        return LetterId.of(properties, BODY);
    }

    private static BasicProperties letter(Map<String, Object> headers) {
        return new BasicProperties.Builder()
                .correlationId("c")
                .userId("producer")
                .headers(new HashMap<>(headers))
                .build();
    }
}
