package io.iocluster.lab.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the admin API of a node. Confined to one thread. */
public final class NodeAdminClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int OK = 200;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    public NodeAdminClient(int port) {
        this.port = port;
    }

    /** Returns the JSON at the path. The node must be running. */
    public JsonNode getJson(String path) {
        return JSON.readTree(getText(path));
    }

    /** Returns the text at the path. The node must be running. */
    public String getText(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw new IllegalStateException(path + " returned status " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
