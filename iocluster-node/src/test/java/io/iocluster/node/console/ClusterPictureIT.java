package io.iocluster.node.console;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.memory.MemoryCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Takes the screenshot of the cluster for the docs ({@code -Dupdate-docs=true}): one of three nodes has another configuration. */
@EnabledIfSystemProperty(named = "update-docs", matches = "true")
class ClusterPictureIT {

    private static final Path IMAGES =
            Path.of(System.getProperty("basedir", ".")).resolve("../docs/images");
    private static final Duration OBSERVED = Duration.ofSeconds(20);

    @Test
    void takesTheScreenshot() throws IOException {
        MemoryCluster cluster = new MemoryCluster();
        ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
        try (AdminFixture one = node("node-1", 50, cluster);
                AdminFixture two = node("node-2", 50, cluster);
                AdminFixture three = node("node-3", 30, cluster);
                Browser browser = Browser.shared()) {
            List<AdminFixture> nodes = Stream.of(one, two, three).toList();
            sender.scheduleAtFixedRate(() -> nodes.forEach(ClusterPictureIT::send), 0, 4, TimeUnit.MILLISECONDS);
            browser.open(one.uri("/"), 1280, 640, false);
            browser.pass(OBSERVED);
            browser.run("document.getElementById('cluster').scrollIntoView()");
            Files.createDirectories(IMAGES);
            Files.write(IMAGES.resolve("cluster.png"), browser.screenshot());
            browser.resize(400, 2400, true);
            browser.pass(Duration.ofSeconds(2));
            Files.write(Path.of("target", "cluster-narrow.png"), browser.screenshot());
        } finally {
            sender.shutdownNow();
        }
    }

    private static AdminFixture node(String id, int maxInFlight, MemoryCluster cluster) {
        return new AdminFixture("""
                node: {id: %s}
                admin: {port: 0}
                workers: {threads: 1, max-in-flight: %d, max-waiting: 20000}
                """.formatted(id, maxInFlight), cluster);
    }

    private static void send(AdminFixture node) {
        node.broker.send(
                "{\"id\": \"" + UUID.randomUUID() + "\", \"url\": \"" + node.target.url("/delay?ms=180") + "\"}");
    }
}
