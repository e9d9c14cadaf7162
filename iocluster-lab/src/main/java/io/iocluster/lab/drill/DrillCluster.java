package io.iocluster.lab.drill;

import io.iocluster.node.Main;
import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.kafka.KafkaProcess;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** A Kafka broker, two nodes in their own processes, and the targets shop, partner and warehouse. Confined to one thread. */
final class DrillCluster implements AutoCloseable {

    static final String REQUESTS = "iocluster.requests";
    static final String ANSWERS = "iocluster.answers";
    static final int PARTITIONS = 6;
    static final List<String> TARGETS = List.of("shop", "partner", "warehouse");

    private static final Duration STARTUP = Duration.ofMinutes(3);
    private static final int SLOTS = 60;

    private final TempDirectory folder = new TempDirectory("drill");
    private final int[] ports = FreePorts.find(3);
    private final TargetServer[] targets = new TargetServer[TARGETS.size()];
    private final List<JavaProcess> nodes = new ArrayList<>();
    private final List<AdminClient> admins = new ArrayList<>();
    final KafkaProcess broker;

    DrillCluster() throws IOException, InterruptedException {
        for (String target : TARGETS) {
            startTarget(target);
        }
        broker = KafkaProcess.launch();
        broker.createTopic(REQUESTS, PARTITIONS, Map.of());
        broker.createTopic(ANSWERS, PARTITIONS, Map.of());
        broker.createTopic("iocluster.dead-letters", 1, Map.of());
        startNode("node-1", ports[0]);
        startNode("node-2", ports[1]);
        long end = System.nanoTime() + STARTUP.toNanos();
        for (AdminClient admin : admins) {
            while (!isRunning(admin)) {
                if (System.nanoTime() - end > 0) {
                    throw new IOException("a node did not start:\n"
                            + nodes.get(admins.indexOf(admin)).logTail(40));
                }
                Thread.sleep(500);
            }
        }
    }

    private void startNode(String name, int port) throws IOException {
        Path configuration = Files.writeString(
                folder.resolve(name + ".yaml"), """
                node: {id: %s}
                transport: kafka
                kafka: {bootstrap-servers: "%s", create-topics: {enabled: true}}
                admin: {port: %d}
                workers: {max-in-flight: %d}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                destinations:
                  - {match: 127.0.0.1, name: shop}
                  - {match: 127.0.0.2, name: partner}
                  - {match: 127.0.0.3, name: warehouse}
                """.formatted(name, broker.bootstrapServers(), port, SLOTS));
        nodes.add(JavaProcess.start(new JavaCommand(
                JavaCommand.classPathFor(DrillCluster.class),
                List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=256m"),
                Main.class.getName(),
                List.of("run", "--config", configuration.toString()),
                folder.resolve(name + ".log"))));
        admins.add(AdminClient.of(URI.create("http://127.0.0.1:" + port), ""));
    }

    private static boolean isRunning(AdminClient admin) throws InterruptedException {
        try {
            return admin.get("/api/status").path("state").asString("").equals("running");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Returns what the first node sees of the cluster. */
    JsonNode report() throws IOException, InterruptedException {
        return admins.get(0).get("/api/cluster");
    }

    void resize(int maxInFlight) throws IOException, InterruptedException {
        for (AdminClient admin : admins) {
            admin.patch("/api/workers", JsonNodeFactory.instance.objectNode().put("max-in-flight", maxInFlight));
        }
    }

    void resetSize() throws IOException, InterruptedException {
        resize(SLOTS);
    }

    void pause(boolean paused) throws IOException, InterruptedException {
        for (AdminClient admin : admins) {
            admin.post(paused ? "/api/pause" : "/api/resume");
        }
    }

    TargetServer target(String name) {
        return targets[TARGETS.indexOf(name)];
    }

    void startTarget(String name) {
        int index = TARGETS.indexOf(name);
        targets[index] = TargetServer.start("127.0.0." + (index + 1), ports[2], 1, false);
    }

    String url(String target) {
        return "http://127.0.0." + (TARGETS.indexOf(target) + 1) + ":" + ports[2] + "/delay?ms=50";
    }

    void deleteAnswers() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.deleteTopics(List.of(ANSWERS)).all().get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    void createAnswers() {
        broker.createTopic(ANSWERS, PARTITIONS, Map.of());
    }

    @Override
    public void close() {
        nodes.forEach(JavaProcess::close);
        if (broker != null) {
            broker.close();
        }
        for (TargetServer target : targets) {
            target.close();
        }
        folder.close();
    }
}
