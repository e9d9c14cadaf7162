package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ServiceDefinitionTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static ServiceDefinition service(String agent, String admin, String service) {
        NodeSettings settings = SettingsLoading.node(
                "{node: {id: 'n:1'}, config: {consul: {address: '" + agent + "', service: {" + service + "}}}}");
        return new ServiceDefinition(
                settings.config().consul(), RegisteredProcess.node(settings, new InetSocketAddress(admin, 8080)));
    }

    private static JsonNode json(ServiceDefinition service) {
        return JSON.readTree(service.json());
    }

    @Test
    void describesTheNodeFromItsSettings() {
        ServiceDefinition service = service(
                "http://10.0.0.1:8500",
                "10.0.0.2",
                "name: calls, tags: [a], check-interval: 7s, check-timeout: 3s, deregister-after: 2m");

        assertThat(json(service)).isEqualTo(JSON.readTree("""
                {"ID": "calls-n:1", "Name": "calls", "Tags": ["a"], "Address": "10.0.0.2", "Port": 8080,
                 "Meta": {"node": "n:1", "transport": "kafka"},
                 "Checks": [
                   {"CheckID": "calls-n:1:alive", "Name": "the node's process is alive", "Status": "passing",
                    "HTTP": "http://10.0.0.2:8080/livez", "Method": "GET", "Interval": "7000ms", "Timeout": "3000ms",
                    "DeregisterCriticalServiceAfter": "120000ms"},
                   {"CheckID": "calls-n:1:ready", "Name": "the node can read from its broker", "Status": "critical",
                    "HTTP": "http://10.0.0.2:8080/readyz", "Method": "GET", "Interval": "7000ms", "Timeout": "3000ms"}]}
                """));
    }

    @Test
    void describesADoorAsAnotherService() {
        NodeSettings settings = SettingsLoading.node(
                "{node: {id: n1}, door: {transport: local}, config: {consul: {address: 'http://127.0.0.1:8500'}}}");

        JsonNode json = json(new ServiceDefinition(
                settings.config().consul(),
                RegisteredProcess.door(settings, new InetSocketAddress("127.0.0.1", 8081))));

        assertThat(json.path("ID").asString("")).isEqualTo("iocluster-door-n1");
        assertThat(json.path("Name").asString("")).isEqualTo("iocluster-door");
        assertThat(json.path("Port").asInt()).isEqualTo(8081);
        assertThat(json.at("/Meta/transport").asString("")).isEqualTo("local");
        assertThat(json.at("/Checks/0/HTTP").asString("")).isEqualTo("http://127.0.0.1:8081/livez");
        assertThat(json.at("/Checks/1/HTTP").asString("")).isEqualTo("http://127.0.0.1:8081/readyz");
    }

    @Test
    void usesTtlChecksWhenTheAgentCannotReachTheNode() {
        ServiceDefinition service = service("http://10.0.0.1:8500", "127.0.0.1", "check-interval: 7s");

        assertThat(service.usesHttpCheck()).isFalse();
        assertThat(json(service).has("Address")).isFalse();
        assertThat(json(service).at("/Checks/0/TTL").asString()).isEqualTo("21000ms");
        assertThat(json(service).at("/Checks/1/TTL").asString()).isEqualTo("21000ms");
        assertThat(json(service).at("/Checks/0").has("HTTP")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8500, 127.0.0.1, '', http://127.0.0.1:8080/livez",
        "http://localhost:8500, 0.0.0.0, '', http://127.0.0.1:8080/livez",
        "http://127.0.0.1:8500, 10.0.0.2, '', http://10.0.0.2:8080/livez",
        "http://[::1]:8500, 127.0.0.1, '', http://127.0.0.1:8080/livez",
        "http://10.0.0.1:8500, 10.0.0.2, '', http://10.0.0.2:8080/livez",
        "http://10.0.0.1:8500, 0.0.0.0, 'address: node.example', http://node.example:8080/livez",
        "http://10.0.0.1:8500, '::', 'address: \"fd00::2\"', 'http://[fd00::2]:8080/livez'",
        "http://10.0.0.1:8500, 0.0.0.0, '', ''",
        "http://10.0.0.1:8500, 127.0.0.1, '', ''",
        "http://127.0.0.1:8500, 127.0.0.1, 'check: ttl', ''",
        "http://10.0.0.1:8500, 127.0.0.1, 'check: http', http://127.0.0.1:8080/livez",
    })
    void usesAnHttpCheckWhenTheAgentCanReachTheNode(String agent, String admin, String service, String url) {
        assertThat(json(service(agent, admin, service)).at("/Checks/0/HTTP").asString(""))
                .isEqualTo(url);
    }
}
