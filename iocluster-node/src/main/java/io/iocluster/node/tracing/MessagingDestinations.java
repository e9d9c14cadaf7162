package io.iocluster.node.tracing;

import io.iocluster.node.config.NodeSettings;

/**
 * The broker and its places, as spans name them.
 *
 * @param system the broker's word in OpenTelemetry's semantic conventions
 * @param answers where answers go whose sender names no other place
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
