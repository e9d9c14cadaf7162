package io.iocluster.node.door.grpc;

import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.iocluster.door.Door;
import io.iocluster.door.DoorEnvironment;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.DoorPages;
import io.iocluster.door.status.DoorInfo;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What health checks over gRPC say about a door. */
class GrpcHealthTest {

    @Test
    void healthStillFollowsTheDoorAfterACheckThatFailed() throws IOException {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load("door: {port: 0, grpc: {enabled: true, port: 0}}", Path.of("."))
                .settings();
        DoorEnvironment environment = new DoorEnvironment(
                new DoorInfo("door-1", "1", "kafka"),
                1,
                1,
                new DoorPages(accept -> null, name -> null),
                Platform.system());
        try (Door door = Door.start(settings.door(), new BrokenOnce(), environment)) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            "127.0.0.1", door.grpcAddress().orElseThrow().getPort())
                    .usePlaintext()
                    .build();
            HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);

            await().until(() ->
                    health.check(HealthCheckRequest.getDefaultInstance()).getStatus() == ServingStatus.NOT_SERVING);
            channel.shutdownNow();
        }
    }

    /** Cannot say at first why it makes no calls. */
    private static final class BrokenOnce implements Calls {

        private final AtomicBoolean asked = new AtomicBoolean();

        @Override
        public CompletionStage<CallResult> call(DoorCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public String problem() {
            if (asked.compareAndSet(false, true)) {
                throw new IllegalStateException("no status");
            }
            return "the broker is away";
        }

        @Override
        public void close(Duration timeout) {}
    }
}
