package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.meter.DoorMeters;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.FakeConsulAgent;
import io.iocluster.testkit.junit.NewThreads;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** A door that fails after its HTTP server has started. */
class DoorFailedStartTest {

    private final NewThreads threads = new NewThreads();
    private final int port = FreePorts.find(1)[0];
    private final FailingBackend backend = new FailingBackend();
    private final List<ScheduledExecutorService> schedulers = new CopyOnWriteArrayList<>();

    @Test
    void aDoorWhoseGrpcPortIsInUseClosesWhatItHasStarted() throws IOException {
        try (ServerSocket inUse = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            LoadedSettings<NodeSettings> settings =
                    load("grpc: {enabled: true, port: " + inUse.getLocalPort() + "}", "");

            assertThatThrownBy(() -> DoorProcess.start(settings, backend, recordingPlatform()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("door.grpc cannot listen on 127.0.0.1:" + inUse.getLocalPort());

            assertClosed();
            assertThat(schedulers).isNotEmpty().allMatch(ScheduledExecutorService::isShutdown);
        }
    }

    /** Returns the platform of the system, which also records the schedulers that it creates. */
    private Platform recordingPlatform() {
        return (Platform) Proxy.newProxyInstance(
                Platform.class.getClassLoader(), new Class<?>[] {Platform.class}, (proxy, method, arguments) -> {
                    Object created = method.invoke(Platform.system(), arguments);
                    if (created instanceof ScheduledExecutorService scheduler) {
                        schedulers.add(scheduler);
                    }
                    return created;
                });
    }

    @Test
    void aDoorThatFailsAfterItsRegistrationClosesWhatItHasStarted() throws IOException {
        try (FakeConsulAgent agent = new FakeConsulAgent()) {
            LoadedSettings<NodeSettings> settings =
                    load("max-deadline: 1m", "config: {consul: {address: '" + agent.address() + "'}}");

            assertThatThrownBy(() -> DoorProcess.start(settings, backend, Platform.system()))
                    .hasMessage("a fault of the test");

            assertClosed();
            await().until(() -> threads.named("iocluster-door-answers").isEmpty());
            await().until(() -> threads.named("iocluster-consul").isEmpty());
        }
    }

    @Test
    void theMetersRecordRequestsBeforeTheDoorWaitsForConsul() throws IOException {
        try (FakeConsulAgent agent = new FakeConsulAgent()) {
            LoadedSettings<NodeSettings> settings =
                    load("max-deadline: 1m", "config: {consul: {address: '" + agent.address() + "'}}");

            assertThatThrownBy(() -> DoorProcess.start(settings, backend, Platform.system()))
                    .hasMessage("a fault of the test");

            assertThat(backend.boundBeforeServices).isTrue();
            await().until(() -> threads.named("iocluster-door-answers").isEmpty());
        }
    }

    private LoadedSettings<NodeSettings> load(String doorKeys, String rest) {
        String text = "node: {id: door-1}\ndoor: {transport: local, port: " + port + ", " + doorKeys + "}\n" + rest;
        return new SettingsLoader<>(NodeSettings.class, Map.of()).load(text, Path.of("."));
    }

    private void assertClosed() {
        await().until(() -> !accepts());
        assertThat(backend.callsClosed).isTrue();
        assertThat(backend.closed).isTrue();
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** A backend whose start fails. */
    private static final class FailingBackend implements DoorBackend, Calls {

        private volatile boolean callsClosed;
        private volatile boolean closed;
        private volatile boolean bound;
        private volatile boolean boundBeforeServices;

        @Override
        public Calls calls() {
            return this;
        }

        @Override
        public void start() {
            throw new IllegalStateException("a fault of the test");
        }

        @Override
        public void bind(MeterBinder meters) {
            if (meters instanceof DoorMeters) {
                bound = true;
            }
        }

        @Override
        public Page metrics(String accept) {
            return null;
        }

        @Override
        public Set<ConsulUpstreamSettings> services(NodeSettings settings) {
            boundBeforeServices = bound;
            return Set.of();
        }

        @Override
        public void setService(ConsulUpstreamSettings service, List<UpstreamAddress> instances) {}

        @Override
        public boolean apply(NodeSettings next) {
            return false;
        }

        @Override
        public CompletionStage<CallResult> call(DoorCall call) {
            return new CompletableFuture<>();
        }

        @Override
        public String problem() {
            return null;
        }

        @Override
        public void close(Duration timeout) {
            callsClosed = true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
