package io.iocluster.testkit.junit;

import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.HashMap;
import java.util.Map;

/**
 * Brokers that the test classes of one JVM share, because each start takes seconds of CPU time. They are for classes that run one after
 * the other and do not stop their broker. {@link SharedBrokersEnd} closes them after the last class.
 */
public final class SharedBrokers {

    private static final Map<Map<String, String>, KafkaBroker> KAFKA = new HashMap<>();
    private static RabbitBroker rabbit;

    private SharedBrokers() {}

    /**
     * Returns a broker without the topics of earlier tests. Do not close it.
     *
     * @param properties as in {@link KafkaBroker#launch(Map)}
     */
    public static synchronized KafkaBroker emptyKafka(Map<String, String> properties) {
        KafkaBroker running = KAFKA.get(properties);
        if (running == null) {
            running = KafkaBroker.launch(properties);
            KAFKA.put(properties, running);
        } else {
            running.deleteTopics();
        }
        return running;
    }

    /** Returns a broker without the queues of earlier tests. Do not close it. */
    public static synchronized RabbitBroker emptyRabbit() {
        if (rabbit == null) {
            rabbit = RabbitBroker.launch();
        } else {
            rabbit.deleteQueues();
        }
        return rabbit;
    }

    static synchronized void close() {
        KAFKA.values().forEach(KafkaBroker::close);
        KAFKA.clear();
        if (rabbit != null) {
            rabbit.close();
            rabbit = null;
        }
    }
}
