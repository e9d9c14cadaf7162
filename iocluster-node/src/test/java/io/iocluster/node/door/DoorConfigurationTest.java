package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.FakeConsulAgent;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.v1.CallResult;
import io.iocluster.v1.CallsGrpc;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A door that follows its file and Consul. */
class DoorConfigurationTest {

    private static final String BASE = """
            node: {id: door-1}
            egress: {ports: [], allow-networks: [127.0.0.0/8]}
            """;

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final TargetServer target = TargetServer.start();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private DoorProcess door;

    @AfterEach
    void close() {
        if (door != null) {
            door.close();
        }
        target.close();
        agent.close();
    }

    @Test
    void aChangeOfTheFileIsAppliedWithoutARestart() throws Exception {
        start("config: {poll-interval: 50ms}", "max-deadline: 1m");
        assertThat(call("any").statusCode()).isEqualTo(200);

        write("config: {poll-interval: 50ms}", "apps: [{name: shop, token: 0123456789abcdef}]");
        await().until(() -> call("any").statusCode() == 401);
        HttpResponse<String> old = call("0123456789abcdef");
        write("config: {poll-interval: 50ms}", "apps: [{name: shop, token: another-long-token}]");
        await().until(() -> call("another-long-token").statusCode() == 200);

        assertThat(old.statusCode()).isEqualTo(200);
        assertThat(call("0123456789abcdef").statusCode()).isEqualTo(401);
    }

    @Test
    void aFileThatIsNotValidIsRefusedAsAWhole() throws Exception {
        start("config: {poll-interval: 50ms}", "max-deadline: 1m");

        write(
                "config: {poll-interval: 50ms}",
                "apps: [{name: shop, token: 0123456789abcdef}], limits: {max-in-flight: 0}");
        await().until(() -> get("/metrics").body().contains("iocluster_config_reloads_total{result=\"refused\"} 1.0"));

        assertThat(call("any").statusCode()).isEqualTo(200);
    }

    @Test
    void anAppThatIsRemovedAndAddedAgainKeepsItsOpenCalls() throws Exception {
        String limited =
                "apps: [{name: shop, token: 0123456789abcdef, max-in-flight: 1}, {name: ops, token: another-long-token}]";
        start("config: {poll-interval: 50ms}", limited);
        CompletableFuture<HttpResponse<String>> held = client.sendAsync(
                request("{\"url\": \"" + target.url("/held?id=a") + "\"}", "0123456789abcdef"),
                BodyHandlers.ofString());
        await().until(() -> target.requestLog().open() == 1);
        write("config: {poll-interval: 50ms}", "apps: [{name: ops, token: another-long-token}]");
        await().until(() -> call("0123456789abcdef").statusCode() == 401);

        write("config: {poll-interval: 50ms}", limited);
        await().until(() -> call("0123456789abcdef").statusCode() != 401);

        assertThat(call("0123456789abcdef").statusCode()).isEqualTo(429);
        target.releaseHeld();
        assertThat(held.join().statusCode()).isEqualTo(200);
        await().until(() -> call("0123456789abcdef").statusCode() == 200);
    }

    @Test
    void limitsAndDestinationsChangeWithoutARestart() throws Exception {
        start("config: {poll-interval: 50ms}", "max-deadline: 1m");

        write("config: {poll-interval: 50ms}", "apps: [{name: unused}], limits: {max-in-flight: 1}");
        String two = "{\"all\": [{\"url\": \"" + target.url("/ok") + "\"}, {\"url\": \"" + target.url("/ok") + "\"}]}";

        await().until(() -> post(two, "any").statusCode() == 400);
        assertThat(call("any").statusCode()).isEqualTo(200);
    }

    @Test
    void aStreamOverGrpcHasTheLimitsThatAreInUseWhenItStarts() throws Exception {
        start("config: {poll-interval: 50ms}", "grpc: {enabled: true, port: 0}");
        write("config: {poll-interval: 50ms}", "grpc: {enabled: true, port: 0}, limits: {batch-duration: 100ms}");
        await().until(() -> get("/metrics").body().contains("iocluster_config_reloads_total{result=\"applied\"} 1.0"));
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", door.grpcAddress().orElseThrow().getPort())
                .usePlaintext()
                .build();
        CompletableFuture<Status> end = new CompletableFuture<>();

        CallsGrpc.newStub(channel).streamCalls(new StreamObserver<>() {
            @Override
            public void onNext(CallResult result) {}

            @Override
            public void onError(Throwable failure) {
                end.complete(Status.fromThrowable(failure));
            }

            @Override
            public void onCompleted() {}
        });

        assertThat(end.orTimeout(1, TimeUnit.MINUTES).join().getDescription()).contains("batch-duration");
        channel.shutdownNow();
    }

    @Test
    void aChangeOfTheKeyInConsulIsApplied() throws Exception {
        String consul = consul("key: doors, service: {enabled: false}");
        agent.keys().put("doors", "door: {deadline: 20s}");
        start(consul, "max-deadline: 1m");
        assertThat(call("any").statusCode()).isEqualTo(200);

        agent.keys().put("doors", "door: {apps: [{name: shop, token: 0123456789abcdef}]}");

        await().until(() -> call("any").statusCode() == 401);
    }

    @Test
    void theDoorIsRegisteredUntilItStops() throws Exception {
        start(consul("service: {check-interval: 50ms}"), "max-deadline: 1m");
        await().until(() -> registration().statusCode() == 200);
        String registered = registration().body();

        door.close();

        assertThat(registered)
                .contains("iocluster-door", Integer.toString(door.address().getPort()));
        assertThat(registration().statusCode()).isEqualTo(404);
    }

    @Test
    void aDestinationMayHaveTheInstancesOfAConsulService() throws Exception {
        agent.setInstances("partner", "127.0.0.1:" + target.port());
        start(
                consul("service: {enabled: false}")
                        + "\ndestinations: [{match: [partner.example], upstreams: {consul: {service: partner}}}]",
                "max-deadline: 1m");

        HttpResponse<String> answer = post("{\"url\": \"http://partner.example/ok\"}", "any");

        assertThat(answer.body()).contains("\"status\":200");
    }

    private String consul(String keys) {
        return "config: {poll-interval: 50ms, consul: {address: '" + agent.address()
                + "', base-delay: 10ms, max-delay: 50ms, min-interval: 10ms, timeout: 2s, " + keys + "}}";
    }

    private void start(String rest, String doorKeys) throws IOException, InterruptedException {
        write(rest, doorKeys);
        SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, Map.of());
        if (rest.contains("key: doors")) {
            loader = loader.withOverlay(new Overlay("Consul's key doors", "door: {deadline: 20s}", "config.consul"));
        }
        Path file = folder.resolve("door.yaml");
        door = DoorProcess.start(loader.load(file));
        door.watchConfiguration(file, loader);
    }

    private void write(String rest, String doorKeys) throws IOException {
        Path next = Files.writeString(
                folder.resolve("next.yaml"), BASE + rest + "\ndoor: {transport: local, port: 0, " + doorKeys + "}\n");
        // In one step, because the door may read the file at any time.
        Files.move(next, folder.resolve("door.yaml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private HttpResponse<String> call(String token) throws IOException, InterruptedException {
        return post("{\"url\": \"" + target.url("/ok") + "\"}", token);
    }

    private HttpResponse<String> post(String envelope, String token) throws IOException, InterruptedException {
        return client.send(request(envelope, token), BodyHandlers.ofString());
    }

    private HttpRequest request(String envelope, String token) {
        return HttpRequest.newBuilder(uri("/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(envelope))
                .build();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + door.address().getPort() + path);
    }

    private HttpResponse<String> registration() throws IOException, InterruptedException {
        URI uri = URI.create(agent.address() + "/v1/agent/service/iocluster-door-door-1");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
