package io.iocluster.node.door;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.target.TargetServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A door that makes calls itself, and a target on loopback. */
public final class DoorFixture implements AutoCloseable {

    public static final String CALLS = "/v1/calls";
    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)", Pattern.CASE_INSENSITIVE);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public final TargetServer target = TargetServer.start();
    public final DoorProcess door;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Starts a door with these keys of the section {@code door}, in YAML flow style. */
    public DoorFixture(String doorKeys) {
        this(doorKeys, "");
    }

    public DoorFixture(String doorKeys, String yaml) {
        this(doorKeys, yaml, "allow-networks: [127.0.0.0/8]");
    }

    /** @param egressKeys keys of the section {@code egress}, in YAML flow style */
    public DoorFixture(String doorKeys, String yaml, String egressKeys) {
        String keys = "transport: local, port: 0" + (doorKeys.isEmpty() ? "" : ", " + doorKeys);
        String whole = "node: {id: door-1}\negress: {ports: [], " + egressKeys + "}\ndoor: {" + keys + "}\n" + yaml;
        LoadedSettings<NodeSettings> settings =
                new SettingsLoader<>(NodeSettings.class, Map.of()).load(whole, Path.of("."));
        try {
            door = DoorProcess.start(settings);
        } catch (IOException failed) {
            target.close();
            throw new UncheckedIOException(failed);
        }
    }

    /** Returns an envelope with a path of the target. */
    public String envelope(String path) {
        return "{\"url\": \"" + target.url(path) + "\"}";
    }

    /** Posts an envelope as a usual caller. */
    public HttpResponse<String> post(String envelope, String... headers) {
        return call("POST", CALLS, "application/json", envelope, headers);
    }

    public HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET().build());
    }

    public HttpResponse<String> call(String method, String path, String type, String body, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build());
    }

    /** Sends a request to {@code /v1/forward/} and this path of the target. */
    public HttpResponse<String> forward(String method, String path, String body, String... headers) {
        return send(request("/v1/forward/" + target.url(path), headers)
                .method(method, BodyPublishers.ofString(body))
                .build());
    }

    public HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMinutes(1));
        return headers.length == 0 ? request : request.headers(headers);
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + door.address().getPort() + path);
    }

    public HttpResponse<String> send(HttpRequest request) {
        return sendAsync(request).join();
    }

    public CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    public HttpClient client() {
        return client;
    }

    /** Sends bytes, and returns the response with what follows it within a moment. Empty if the door closes the connection. */
    public String raw(String bytes) {
        try (Socket socket = new Socket("127.0.0.1", door.address().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return readResponse(socket);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String readResponse(Socket socket) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        byte[] part = new byte[8_192];
        try {
            int read = socket.getInputStream().read(part);
            while (read >= 0) {
                received.write(part, 0, read);
                if (isComplete(received.toString(StandardCharsets.UTF_8))) {
                    socket.setSoTimeout(50);
                }
                read = socket.getInputStream().read(part);
            }
        } catch (SocketTimeoutException nothingFollows) {
            if (!isComplete(received.toString(StandardCharsets.UTF_8))) {
                throw nothingFollows;
            }
        }
        return received.toString(StandardCharsets.UTF_8);
    }

    private static boolean isComplete(String response) {
        int body = response.indexOf("\r\n\r\n") + 4;
        Matcher length = LENGTH.matcher(response);
        return body > 4 && length.find() && response.length() - body >= Integer.parseInt(length.group(1));
    }

    public long targetRequests() {
        return target.requestLog().requests();
    }

    public static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }

    public static JsonNode json(String text) {
        return JSON.readTree(text);
    }

    public static String code(HttpResponse<String> response) {
        return json(response).path("code").asString("");
    }

    @Override
    public void close() {
        door.close();
        target.close();
    }
}
