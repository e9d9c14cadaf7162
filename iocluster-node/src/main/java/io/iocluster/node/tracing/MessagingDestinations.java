package io.iocluster.node.tracing;

import io.iocluster.node.config.NodeSettings;

/**
 * The messaging system and its default destinations, as spans name them.
 *
 * @param system the value of {@code messaging.system} in OpenTelemetry's semantic conventions
 * @param answers the topic or routing key of answers without a {@code replyTo}
 * @param deadLetters the topic or queue of dead letters
 */
record MessagingDestinations(String system, String answers, String deadLetters) {

    static MessagingDestinations of(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA ->
                new MessagingDestinations(
                        "kafka",
                        settings.kafka().answers().topic(),
                        settings.kafka().deadLetters().topic());
            case RABBIT ->
                new MessagingDestinations(
                        "rabbitmq",
                        settings.rabbit().answers().routingKey(),
                        settings.rabbit().deadLetters().queue());
        };
    }
}
