package io.iocluster.testkit.junit;

import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker of each kind that the test classes of one JVM share, because each start takes seconds of CPU time. A class may stop, kill or
 * pause its broker, and leaves it running. {@link SharedBrokersEnd} closes them after the last class.
 */
public final class SharedBrokers {

    private static final Logger LOG = LoggerFactory.getLogger(SharedBrokers.class);

    /** What some tests need and others do not notice. */
    private static final Map<String, String> KAFKA_PROPERTIES = Map.of(
            // Compaction starts soon.
            "log.cleaner.backoff.ms", "200",
            "log.cleaner.dedupe.buffer.size", "4194304",
            // A group may have shorter locks than 15 s and longer sessions than 60 s.
            "group.share.min.record.lock.duration.ms", "6000",
            "group.consumer.max.session.timeout.ms", "600000");

    private static KafkaBroker kafka;
    private static RabbitBroker rabbit;

    private SharedBrokers() {}

    /** Returns a broker without the topics of earlier tests. Its groups may have members that earlier tests killed. Do not close it. */
    public static synchronized KafkaBroker emptyKafka() {
        if (kafka != null && !succeeds(kafka::deleteTopics)) {
            kafka.close();
            kafka = null;
        }
        if (kafka == null) {
            kafka = KafkaBroker.launch(KAFKA_PROPERTIES);
        }
        return kafka;
    }

    /** Returns a broker without the queues of earlier tests. Do not close it. */
    public static synchronized RabbitBroker emptyRabbit() {
        if (rabbit != null && !succeeds(rabbit::deleteQueues)) {
            rabbit.close();
            rabbit = null;
        }
        if (rabbit == null) {
            rabbit = RabbitBroker.launch();
        }
        return rabbit;
    }

    /** Returns false if a test that failed has left the broker unusable. */
    private static boolean succeeds(Runnable emptying) {
        try {
            emptying.run();
            return true;
        } catch (RuntimeException unusable) {
            LOG.warn("The shared broker does not answer; starting another one error={}", unusable.toString());
            return false;
        }
    }

    static synchronized void close() {
        if (kafka != null) {
            kafka.close();
            kafka = null;
        }
        if (rabbit != null) {
            rabbit.close();
            rabbit = null;
        }
    }
}
