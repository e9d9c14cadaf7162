package io.iocluster.node.runtime;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.RequestMode;
import io.iocluster.node.config.BuildInfo;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import java.net.InetSocketAddress;

/** Names the topics or queues of a node for the log, without secrets. */
final class BrokerSummary {

    private BrokerSummary() {}

    /** Returns the node's identity, JVM and addresses as {@code key=value} pairs. */
    static String ofStart(NodeSettings settings, InetSocketAddress admin) {
        return "version=" + BuildInfo.VERSION
                + " java=" + Runtime.version()
                + " node=" + settings.node().id()
                + " transport=" + settings.transport().wireName()
                + " broker=" + settings.brokerAddresses()
                + " " + topology(settings)
                + " workers=" + settings.workers().effectiveThreads()
                + " maxInFlight=" + settings.workers().maxInFlight()
                + " admin=" + settings.admin().tls().scheme() + "://" + admin.getHostString() + ":" + admin.getPort();
    }

    /** Returns what the node reads and where it publishes, as {@code key=value} pairs. */
    static String topology(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA -> topology(settings.kafka());
            case RABBIT -> topology(settings.rabbit());
        };
    }

    private static String topology(KafkaSettings kafka) {
        String mode = kafka.requests().mode() == RequestMode.SHARE ? " mode=share" : "";
        return "topics=" + String.join(",", kafka.requests().topics()) + " group="
                + kafka.requests().group() + mode + " answers="
                + kafka.answers().topic() + " deadLetters="
                + kafka.deadLetters().topic();
    }

    private static String topology(RabbitSettings rabbit) {
        String exchange = rabbit.answers().exchange();
        return "queue=" + rabbit.requests().queue() + " answers="
                + (exchange.isEmpty() ? "" : exchange + "/") + rabbit.answers().routingKey() + " deadLetters="
                + rabbit.deadLetters().queue();
    }
}
