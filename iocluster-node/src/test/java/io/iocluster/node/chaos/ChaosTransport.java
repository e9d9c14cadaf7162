package io.iocluster.node.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** The brokers of a chaos run. */
enum ChaosTransport {
    KAFKA(() -> new KafkaChaos(KafkaBrokers.one())),
    KAFKA_CLUSTER(() -> new KafkaChaos(KafkaBrokers.two())),
    RABBIT(() -> new RabbitChaos(RabbitBrokers.one())),
    RABBIT_CLUSTER(() -> new RabbitChaos(RabbitBrokers.three()));

    private final Supplier<ChaosBroker> broker;

    ChaosTransport(Supplier<ChaosBroker> broker) {
        this.broker = broker;
    }

    /** Starts the brokers. */
    ChaosBroker launch() {
        return broker.get();
    }

    /** Parses the name that the command line uses. */
    static ChaosTransport of(String word) {
        return Arrays.stream(values())
                .filter(transport -> transport.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + word + "\" is not kafka, kafka-cluster, rabbit or rabbit-cluster"));
    }

    /** Returns the name that the command line uses. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
