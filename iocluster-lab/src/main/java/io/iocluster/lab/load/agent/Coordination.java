package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.experiment.SystemUnderTest;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates the channel on which driver and agents meet: the topic or exchange {@code iocluster.load}. It works like the channel of the
 * nodes' announcements.
 */
public final class Coordination {

    /** The topic or the exchange. */
    public static final String NAME = "iocluster.load";

    private static final JsonMapper JSON = new JsonMapper();

    private Coordination() {}

    /**
     * Creates a channel on the broker that a node's configuration names.
     *
     * @param participant unique name of the driver or agent
     * @throws InvalidSettingsException if the configuration is invalid
     */
    public static ClusterChannel of(
            Path configuration, String participant, BrokerAccess broker, Map<String, String> environment) {
        return broker.createClusterChannel(
                loader(participant, environment).load(configuration).settings());
    }

    /**
     * Creates a channel on the broker of the system under test.
     *
     * @param participant unique name of the driver or agent
     */
    public static ClusterChannel of(SystemUnderTest system, String participant, BrokerAccess broker) {
        ObjectNode node = JSON.createObjectNode();
        if (system.kind() == SystemUnderTest.Kind.RABBIT) {
            ObjectNode rabbit = node.put("transport", "rabbit").putObject("rabbit");
            system.rabbit().uris().forEach(rabbit.putArray("uris")::add);
        } else {
            ObjectNode kafka = node.put("transport", "kafka").putObject("kafka");
            kafka.put("bootstrap-servers", system.kafka().bootstrapServers());
            ObjectNode properties = kafka.putObject("properties");
            system.kafka().properties().forEach(properties::put);
        }
        // References in the values are resolved already, so text that looks like one is literal.
        String yaml = node.toString().replace("${", "$${");
        return broker.createClusterChannel(
                loader(participant, Map.of()).load(yaml, Path.of("")).settings());
    }

    private static SettingsLoader<NodeSettings> loader(String participant, Map<String, String> environment) {
        ObjectNode overlay = JSON.createObjectNode();
        overlay.putObject("node").put("id", participant);
        ObjectNode kafka = overlay.putObject("kafka");
        kafka.putObject("cluster").put("topic", NAME);
        kafka.putObject("create-topics").put("enabled", true);
        ObjectNode rabbit = overlay.putObject("rabbit");
        rabbit.putObject("cluster").put("exchange", NAME);
        rabbit.putObject("declare").put("enabled", true);
        return new SettingsLoader<>(NodeSettings.class, environment)
                .withOverlay(new Overlay("the load command", overlay.toString(), "config"));
    }
}
