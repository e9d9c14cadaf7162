package io.iocluster.node.chaos.broker;

import io.iocluster.testkit.chaos.FaultKind;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** The brokers of a chaos run. */
public enum ChaosTransport {
    KAFKA(() -> new KafkaChaos(KafkaBrokers.one()), FaultKind.CUT_CONNECTIONS, FaultKind.MOVE_LEADER),
    KAFKA_CLUSTER(() -> new KafkaChaos(KafkaBrokers.two()), FaultKind.CUT_CONNECTIONS),
    RABBIT(() -> new RabbitChaos(RabbitBrokers.one()), FaultKind.MOVE_LEADER),
    RABBIT_CLUSTER(() -> new RabbitChaos(RabbitBrokers.three()));

    private final Supplier<ChaosBroker> broker;
    private final Set<FaultKind> kinds;

    ChaosTransport(Supplier<ChaosBroker> broker, FaultKind... unsupported) {
        this.broker = broker;
        Set<FaultKind> supported = EnumSet.allOf(FaultKind.class);
        List.of(unsupported).forEach(supported::remove);
        this.kinds = Collections.unmodifiableSet(supported);
    }

    /** Returns the faults that it supports. */
    public Set<FaultKind> kinds() {
        return kinds;
    }

    /** Starts the brokers. */
    public ChaosBroker launch() {
        return broker.get();
    }

    /** Parses the name that the command line uses. */
    public static ChaosTransport of(String label) {
        return Arrays.stream(values())
                .filter(transport -> transport.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + label + "\" is not kafka, kafka-cluster, rabbit or rabbit-cluster"));
    }

    /** Returns the name that the command line uses. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
