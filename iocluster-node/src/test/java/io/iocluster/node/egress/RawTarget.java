package io.iocluster.node.egress;

import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A target that sends exactly the bytes that {@link TargetBehaviour} defines for a path, and counts requests. Thread-safe. */
final class RawTarget implements AutoCloseable {

    private final Map<String, Integer> requests = new ConcurrentHashMap<>();
    private final AtomicInteger openRequests = new AtomicInteger();
    private final ScriptedServer server;

    RawTarget(InetAddress address) {
        this(address, ServerSocketFactory.getDefault());
    }

    RawTarget(InetAddress address, ServerSocketFactory factory) {
        server = new ScriptedServer(factory, address, this::serve);
    }

    int port() {
        return server.port();
    }

    /** Returns the number of requests for a path with its query. */
    int requests(String path) {
        return requests.getOrDefault(path, 0);
    }

    /** Returns the number of open requests. Some stay open until the client disconnects. */
    int openRequests() {
        return openRequests.get();
    }

    private void serve(ScriptedConnection connection) throws IOException, InterruptedException {
        String request = connection.read();
        for (int number = 1; request != null; number++) {
            String path = request.split(" ", 3)[1];
            int seen = requests.merge(path, 1, Integer::sum);
            if (!answer(connection, path, number, seen)) {
                return;
            }
            request = connection.read();
        }
    }

    private boolean answer(ScriptedConnection connection, String path, int number, int seen)
            throws IOException, InterruptedException {
        openRequests.incrementAndGet();
        try {
            return TargetBehaviour.answer(connection, path, number, seen);
        } finally {
            openRequests.decrementAndGet();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
