package io.iocluster.testkit.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.GetResponse;
import java.util.List;
import java.util.stream.Stream;

/** Converts messages to text and back. Stateless. */
final class MessageTexts {

    private MessageTexts() {}

    static List<byte[]> bytes(String... texts) {
        return Stream.of(texts).map(text -> text.getBytes(UTF_8)).toList();
    }

    static List<String> of(List<GetResponse> messages) {
        return messages.stream()
                .map(message -> new String(message.getBody(), UTF_8))
                .toList();
    }
}
