package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node on an in-memory broker, a controllable target, and a client of the node's admin API. Owned by one test. */
public final class AdminFixture implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    public final MemoryBroker broker = new MemoryBroker();
    public final TargetServer target = TargetServer.start();
    public final Node node;

    /** Starts a node with this configuration, which may call this machine. It is alone in its cluster. */
    public AdminFixture(String yaml) {
        this(yaml, new MemoryCluster());
    }

    /** Starts a node of this cluster. */
    public AdminFixture(String yaml, MemoryCluster cluster) {
        String local = "egress: {ports: [], allow-networks: [127.0.0.0/8]}\n";
        var settings = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT).load(local + yaml, Path.of("."));
        try {
            node = Node.start(settings, new MemoryPipelines(broker, cluster));
        } catch (IOException failed) {
            target.close();
            throw new UncheckedIOException(failed);
        }
    }

    /** Makes a call that fails to connect, and waits for its end. */
    public void fail(String id) {
        int answers = broker.answers().size();
        broker.send("{\"id\": \"" + id
                + "\", \"url\": \"http://127.0.0.1:1/p?secret=1\", \"retry\": {\"maxAttempts\": 1}}");
        await().until(() -> broker.answers().size() > answers);
    }

    /** Returns the URI of a path of the node's admin server. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + node.adminAddress().getPort() + path);
    }

    public HttpResponse<String> get(String path, String... headers) {
        return call("GET", path, "", headers);
    }

    /** Calls the node; headers are alternating names and values. */
    public HttpResponse<String> call(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString()).join();
    }

    public static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        node.close();
        target.close();
    }
}
