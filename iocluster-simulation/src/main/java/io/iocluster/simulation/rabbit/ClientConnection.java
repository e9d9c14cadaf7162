package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.LongStringHelper;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The client's side of a connection: the methods of {@link Connection} that nodes and clients call. Callbacks run on its event loop. Confined
 * to the thread of the simulation.
 */
final class ClientConnection {

    static final Duration RPC_TIMEOUT = Duration.ofSeconds(30);

    private final String role;
    private final SimulatedProcess process;
    private final EventLoopThread loop;
    private final InboundFrames frames;
    private final Connection connection = PartialProxy.of(Connection.class, this);
    private final Map<Integer, ClientChannel> channels = new TreeMap<>();
    private final List<ShutdownListener> shutdownListeners = new ArrayList<>();
    private final List<BlockedListener> blockedListeners = new ArrayList<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private ServerConnection server;
    private ShutdownSignalException closeReason;
    private int lastChannel;

    ClientConnection(String role, SimulatedProcess process, EventLoopThread loop, InboundGuard guard) {
        this.role = role;
        this.process = process;
        this.loop = loop;
        this.frames = new InboundFrames(guard);
    }

    void connected(ServerConnection to) {
        server = to;
    }

    Connection connection() {
        return connection;
    }

    ServerConnection server() {
        return server;
    }

    String role() {
        return role;
    }

    SimulatedProcess process() {
        return process;
    }

    InboundFrames frames() {
        return frames;
    }

    /** Runs a callback for a channel on the loop, unless the connection or the channel is closed then. */
    void onChannel(int number, Consumer<ClientChannel> callback) {
        loop.execute(() -> {
            ClientChannel channel = channels.get(number);
            if (closeReason == null && channel != null && channel.isOpen()) {
                callback.accept(channel);
            }
        });
    }

    void blocked(boolean blocked) {
        loop.execute(() -> {
            if (closeReason == null) {
                for (BlockedListener listener : List.copyOf(blockedListeners)) {
                    notify(listener, blocked);
                }
            }
        });
    }

    private static void notify(BlockedListener listener, boolean blocked) {
        try {
            if (blocked) {
                listener.handleBlocked("low on memory");
            } else {
                listener.handleUnblocked();
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The client notices that the connection is gone. */
    void lost(String reason) {
        ShutdownSignalException signal = new ShutdownSignalException(true, false, null, connection);
        signal.initCause(new IOException(reason));
        if (!loop.execute(() -> shutDown(signal))) {
            shutDown(signal);
        }
    }

    private void shutDown(ShutdownSignalException signal) {
        if (closeReason != null) {
            return;
        }
        closeReason = signal;
        List.copyOf(channels.values()).forEach(channel -> channel.shutDown(signal));
        channels.clear();
        List.copyOf(shutdownListeners).forEach(listener -> listener.shutdownCompleted(signal));
        frames.close();
        closed.complete(null);
    }

    /** Waits for an answer of the broker. */
    <T> T await(CompletableFuture<T> answer) throws IOException {
        if (!process.await(answer, RPC_TIMEOUT)) {
            throw new IOException("no answer of the broker within " + RPC_TIMEOUT);
        }
        if (answer.isCompletedExceptionally()) {
            throw new IOException(answer.handle((value, failure) -> failure).getNow(null));
        }
        return answer.getNow(null);
    }

    void removed(ClientChannel channel) {
        channels.remove(channel.number());
    }

    private void requireOpen() {
        if (closeReason != null) {
            throw new AlreadyClosedException(closeReason);
        }
    }

    Channel createChannel() throws IOException {
        requireOpen();
        ClientChannel channel = new ClientChannel(this, ++lastChannel);
        channels.put(channel.number(), channel);
        channel.request(server -> "open");
        return channel.channel();
    }

    boolean isOpen() {
        return closeReason == null;
    }

    ShutdownSignalException getCloseReason() {
        return closeReason;
    }

    void addShutdownListener(ShutdownListener listener) {
        shutdownListeners.add(listener);
        if (closeReason != null) {
            listener.shutdownCompleted(closeReason);
        }
    }

    void addBlockedListener(BlockedListener listener) {
        blockedListeners.add(listener);
    }

    Map<String, Object> getServerProperties() {
        return Map.of("version", LongStringHelper.asLongString(server.broker().version()));
    }

    InetAddress getAddress() {
        return InetAddress.getLoopbackAddress();
    }

    int getPort() {
        return 5672;
    }

    void close() throws IOException {
        close(-1);
    }

    void close(int timeoutMillis) throws IOException {
        requireOpen();
        channels.values()
                .forEach(channel -> channel.unacknowledged()
                        .forEach(body -> server.broker().observer().left(process, body)));
        server.sendClose(() -> closed.complete(null));
        Duration timeout = timeoutMillis < 0 ? RPC_TIMEOUT : Duration.ofMillis(timeoutMillis);
        boolean inTime = process.await(closed, timeout);
        endByApplication();
        if (!inTime) {
            throw new IOException("the broker has not closed the connection within " + timeout);
        }
    }

    void abort() {
        abort(0);
    }

    /** The broker sees the end of the connection later. */
    void abort(int timeoutMillis) {
        if (closeReason == null) {
            server.sendClose(() -> {});
            endByApplication();
        }
    }

    private void endByApplication() {
        AMQP.Connection.Close reason = new AMQP.Connection.Close.Builder()
                .replyCode(AMQP.REPLY_SUCCESS)
                .replyText("OK")
                .build();
        ShutdownSignalException signal = new ShutdownSignalException(true, true, reason, connection);
        if (!loop.execute(() -> shutDown(signal))) {
            shutDown(signal);
        }
    }

    @Override
    public String toString() {
        return process.name() + "-" + role;
    }
}
