package io.iocluster.kafka;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.share.ShareSource;
import io.iocluster.kafka.sink.KafkaSink;
import io.iocluster.kafka.source.KafkaSource;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;

/** Kafka source and sink of one node. They connect when they are started. */
public final class KafkaTransport implements Transport {

    private final RequestSource source;
    private final KafkaSink sink;

    /**
     * Creates the transport of one node.
     *
     * @param connections their name is written into dead letters
     */
    public KafkaTransport(KafkaConnections connections) {
        KafkaSettings settings = connections.settings();
        KafkaTopicAdmin topics = new KafkaTopicAdmin(connections);
        this.sink = new KafkaSink(connections);
        DelayedRetryForwarder forwarder = settings.delayed().enabled()
                ? new DelayedRetryForwarder(connections, topics, sink::post, sink::deadLetter)
                : null;
        this.source = switch (settings.requests().mode()) {
            case CONSUMER -> new KafkaSource(connections, topics, forwarder);
            case SHARE -> new ShareSource(connections, topics, forwarder);
        };
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public RequestSource source() {
        return source;
    }

    @Override
    public ResponseSink sink() {
        return sink;
    }
}
