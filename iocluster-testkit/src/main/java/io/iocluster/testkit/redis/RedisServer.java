package io.iocluster.testkit.redis;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Redis as a child process on a free port of the loopback address. It stores nothing on disk, so a restarted one is empty. Owned by one
 * test class; not thread-safe.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(2);

    private final TempDirectory folder = new TempDirectory("redis");
    private final int port = FreePorts.find(1)[0];
    private final List<String> options;
    private NativeProcess process;

    private RedisServer(List<String> options) {
        this.options = List.copyOf(options);
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param options further options of {@code redis-server}, such as {@code --requirepass} and its value
     */
    public static RedisServer start(String... options) {
        RedisServer server = new RedisServer(List.of(options));
        server.restart();
        return server;
    }

    /** Starts the server again, on the same port, and waits until it answers. */
    public void restart() {
        List<String> command = new ArrayList<>(List.of(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.path().toString()));
        command.addAll(options);
        process = NativeProcess.start(new NativeCommand(command, Map.of(), folder.resolve("redis.log")));
        await().atMost(STARTUP).until(() -> answers() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("redis-server did not start:\n" + process.logTail(40));
        }
    }

    private boolean answers() {
        try {
            String reply = send("PING");
            return reply.startsWith("+PONG") || reply.startsWith("-NOAUTH");
        } catch (IOException refused) {
            return false;
        }
    }

    /**
     * Sends a command without a login, and returns the beginning of the reply in the protocol of Redis.
     *
     * @throws IOException if the server does not answer
     */
    public String send(String... command) throws IOException {
        StringBuilder request = new StringBuilder("*" + command.length + "\r\n");
        for (String part : command) {
            request.append('$')
                    .append(part.length())
                    .append("\r\n")
                    .append(part)
                    .append("\r\n");
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) STARTUP.toMillis());
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            byte[] reply = new byte[65_536];
            int length = socket.getInputStream().read(reply);
            return new String(reply, 0, Math.max(0, length), StandardCharsets.ISO_8859_1);
        }
    }

    /** Returns the address for {@code shared-cache.redis.url}. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** Returns the port. */
    public int port() {
        return port;
    }

    /** Kills the server. */
    public void kill() {
        process.kill();
    }

    /** Lets the server answer nothing, with its sockets open. */
    public void suspend() {
        process.suspend();
    }

    /** Ends {@link #suspend}. */
    public void resume() {
        process.resume();
    }

    @Override
    public void close() {
        process.kill();
        folder.close();
    }
}
