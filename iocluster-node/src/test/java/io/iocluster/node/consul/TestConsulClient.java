package io.iocluster.node.consul;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Acts as an operator through the HTTP API of an agent. */
final class TestConsulClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client = HttpClient.newHttpClient();
    private final TestAgent agent;

    TestConsulClient(TestAgent agent) {
        this.agent = agent;
    }

    void put(String key, String value) {
        send("PUT", "/v1/kv/" + key, value);
    }

    void delete(String key) {
        send("DELETE", "/v1/kv/" + key, "");
    }

    void deregister(String service) {
        send("PUT", "/v1/agent/service/deregister/" + service, "");
    }

    boolean has(String service) {
        return send("GET", "/v1/agent/service/" + service, "").statusCode() == 200;
    }

    /** Returns {@code passing} or {@code critical}; empty if the check does not exist. */
    String statusOf(String check) {
        JsonNode checks = JSON.readTree(send("GET", "/v1/agent/checks", "").body());
        return checks.path(check).path("Status").asString("");
    }

    private HttpResponse<String> send(String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(agent.address() + path))
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString()).join();
    }
}
