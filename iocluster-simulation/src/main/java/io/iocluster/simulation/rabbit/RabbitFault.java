package io.iocluster.simulation.rabbit;

import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;

/** The faults that only RabbitMQ has. */
enum RabbitFault {
    /** The connection that consumes is lost, the one that publishes stays. */
    LOSE_CONSUMING_CONNECTION {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.disconnect(node, CONSUMING);
        }
    },
    LOSE_PUBLISHING_CONNECTION {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.disconnect(node, PUBLISHING);
        }
    },
    /** The connection that publishes delivers nothing for a time, and is then lost with all that was sent meanwhile. */
    LOSE_STALLED_PUBLISHING_CONNECTION {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.stall(node, PUBLISHING, time);
            broker.simulation().after(time.minus(BEFORE_ARRIVAL), () -> rabbit.disconnect(node, PUBLISHING));
        }
    },
    /** The broker closes the channels of one connection because of an error. */
    CLOSE_CHANNELS {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.closeChannels(node, part < 0.5 ? CONSUMING : PUBLISHING);
        }
    },
    /** All connections of a node are slow for a time. */
    STALL_CONNECTIONS {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            broker.stall(node, time);
        }
    },
    /** The broker is short of memory or disk, and blocks publishers. */
    RAISE_ALARM {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.setAlarm(true);
            broker.simulation().after(time, () -> rabbit.setAlarm(false));
        }
    },
    /** The queue of requests has no leader for a time. */
    LOSE_LEADER_OF_REQUESTS {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            loseLeader(broker, rabbit, broker.requestQueue(), part < 0.5, time);
        }
    },
    /** A queue to which nodes publish has no leader for a time. */
    LOSE_LEADER_OF_TARGET {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            loseLeader(broker, rabbit, oneOf(broker.targets(), part), false, time);
        }
    },
    /** The broker cancels all consumers, for example because the node of the queue stops. */
    CANCEL_CONSUMERS {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            rabbit.cancelConsumers(broker.requestQueue());
        }
    },
    /** A queue is full and refuses what nodes publish ({@code overflow: reject-publish}). */
    FILL_QUEUE {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            broker.fill(oneOf(broker.targets(), part), time);
        }
    },
    /** The queue of answers does not exist for a time: the broker returns the messages. */
    DELETE_ANSWER_QUEUE {
        @Override
        void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time) {
            broker.delete(SimulatedBroker.ANSWERS);
            broker.simulation().after(time, () -> broker.create(SimulatedBroker.ANSWERS));
        }
    };

    /** A connection is lost this long before its messages would arrive. More than both sides need to notice it. */
    private static final Duration BEFORE_ARRIVAL = Duration.ofMillis(2);

    /** An election takes longer than other faults, so that queues are isolated and confirms time out. */
    private static final int LONG = 4;

    /** The role of the connection that consumes. */
    private static final String CONSUMING = "source";

    /** The first part of the roles of the connections that publish. */
    private static final String PUBLISHING = "sink";

    /**
     * Begins the fault.
     *
     * @param part 0 to 1: a choice within the fault
     */
    abstract void begin(RabbitBroker broker, SimulatedRabbit rabbit, SimulatedProcess node, double part, Duration time);

    private static <T> T oneOf(List<T> all, double part) {
        return all.get((int) (part * all.size()));
    }

    /** A classic queue has no leader to lose. */
    private static void loseLeader(
            RabbitBroker broker, SimulatedRabbit rabbit, String queue, boolean cancels, Duration time) {
        if (broker.isQuorum() && rabbit.exists(queue)) {
            rabbit.loseLeader(queue, cancels);
            broker.simulation().after(time.multipliedBy(LONG), () -> {
                if (rabbit.exists(queue)) {
                    rabbit.electLeader(queue);
                }
            });
        }
    }
}
