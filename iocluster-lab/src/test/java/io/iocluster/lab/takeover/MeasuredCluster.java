package io.iocluster.lab.takeover;

import io.iocluster.client.spi.ClientTransport.ClientConnection;
import io.iocluster.lab.installation.Installation;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** A broker, an installation with an AOT cache, the nodes that run from it, and a target. Owned by one test. */
final class MeasuredCluster implements AutoCloseable {

    /** Kept for the next measurement, because recording an AOT cache takes half a minute. */
    private static final Path INSTALLATION = Path.of("target", "takeover").toAbsolutePath();

    private final TempDirectory folder = new TempDirectory("takeover");
    private final TargetServer target = TargetServer.start();
    private final MeasuredBroker broker;
    private final List<InstalledNode> nodes = new ArrayList<>();
    private CallStream stream;

    /**
     * The nodes of a cluster.
     *
     * @param warmUp the value of {@code node.warm-up}
     * @param settings returns lines for the section of the broker in the configuration of the node with this number
     */
    record Nodes(int count, String warmUp, IntFunction<String> settings) {

        /** Returns nodes with default settings. */
        static Nodes of(int count) {
            return new Nodes(count, "10s", i -> "");
        }

        /** Returns a copy whose nodes keep their membership of the consumer group when they restart. */
        Nodes withInstanceIds() {
            return new Nodes(count, warmUp, i -> "  properties: {group.instance.id: node-" + i + "}\n");
        }

        /** Returns a copy with a warm-up of a second. */
        Nodes withShortWarmUp() {
            return new Nodes(count, "1s", settings);
        }
    }

    /** Starts the nodes of this version with an AOT cache, and returns when they read. */
    MeasuredCluster(MeasuredBroker broker, Nodes described) throws Exception {
        this(broker, described, installed());
    }

    /** Starts nodes from an installation and returns when they read. */
    MeasuredCluster(MeasuredBroker broker, Nodes described, Path home) throws Exception {
        this.broker = broker;
        for (int i = 0; i < described.count(); i++) {
            nodes.add(new InstalledNode(
                    home,
                    folder.path(),
                    "node-" + i,
                    broker.settings() + described.settings().apply(i),
                    described.warmUp()));
        }
        nodes.forEach(InstalledNode::start);
        nodes.forEach(InstalledNode::awaitRunning);
    }

    /** Returns the folder of an installation of this version, which it creates. */
    static Path installed() throws Exception {
        Installation installation = new Installation(INSTALLATION).withJars();
        Installation.Result cache = installation.run(Map.of(), "bin/aot-cache");
        if (cache.exitCode() != 0) {
            throw new IllegalStateException(cache.output());
        }
        return installation.home();
    }

    InstalledNode node(int number) {
        return nodes.get(number);
    }

    /** Returns the number of calls that the target received. */
    int targetCalls() {
        return (int) target.requestLog().requests();
    }

    /** Starts to make calls at this rate, to a target that answers at once. */
    CallStream call(int perSecond) throws Exception {
        ClientConnection connection = broker.client().connect("takeover");
        stream = new CallStream(connection, target.url("/ok"), perSecond);
        return stream;
    }

    @Override
    public void close() throws Exception {
        if (stream != null) {
            stream.close();
        }
        nodes.forEach(InstalledNode::close);
        target.close();
        broker.close();
        folder.close();
    }
}
