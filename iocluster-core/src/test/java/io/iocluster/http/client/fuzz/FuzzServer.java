package io.iocluster.http.client.fuzz;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Plays the script of one {@link Exchange} at a time, answers all other requests well, and remembers what it received. Runs on the event
 * loop of the client, so that an input needs no other thread and always takes the same course. Confined to that loop.
 */
public final class FuzzServer implements AutoCloseable {

    /** So small that the body of a large request does not fit if the server does not read. */
    private static final int RECEIVE_BUFFER = 16 * 1024;

    /** How often the loop looks for new bytes until all bytes that were sent before have been read. */
    private static final int ROUNDS_TO_SETTLE = 4;

    private final EventLoop loop;
    private final Channel listener;

    private final Set<ServerConnection> open = new HashSet<>();
    private final Map<String, Integer> requests = new HashMap<>();
    private final Set<String> answeredWell = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private Exchange exchange;
    private ServerConnection scripted;
    private CompletableFuture<Void> played;
    private long receivedBytes;
    private int connections;

    /**
     * Listens on a loopback port.
     *
     * @param clientLoop has one thread, which is the client's
     */
    public FuzzServer(EventLoopGroup clientLoop) throws InterruptedException {
        loop = clientLoop.next();
        listener = new ServerBootstrap()
                .group(clientLoop)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
                .option(ChannelOption.SO_BACKLOG, 100)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(exchange.newConnection(FuzzServer.this));
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
    }

    /** Returns the TLS of clients of this server, which selects HTTP/2 or HTTP/1.1. */
    public static SslContext clientTls(boolean http2) {
        return PlainTls.client(http2);
    }

    /** Returns the port. Thread-safe. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Sets the exchange whose script is played for its first request. Returns a future that completes when the script has been sent. */
    public CompletableFuture<Void> expect(Exchange next) {
        exchange = next;
        scripted = null;
        played = new CompletableFuture<>();
        requests.clear();
        answeredWell.clear();
        violations.clear();
        receivedBytes = 0;
        connections = 0;
        return played;
    }

    /** Returns whether the script has begun. */
    public boolean hasStartedScript() {
        return scripted != null;
    }

    /** Returns how many requests for the path had a complete head. */
    public int requests(String path) {
        return requests.getOrDefault(path, 0);
    }

    /** Returns whether a request for the path had the healthy answer. */
    public boolean hasAnsweredWell(String path) {
        return answeredWell.contains(path);
    }

    /** Returns the bytes of requests since {@link #forgetBytes}. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Sets the number of received bytes to 0. */
    public void forgetBytes() {
        receivedBytes = 0;
    }

    /** Returns what clients did wrong. */
    public List<String> violations() {
        return violations;
    }

    /** Ends the connection of the script, because a call still waits for it although all bytes have arrived. */
    public void endScript() {
        if (scripted != null) {
            scripted.setReading(true);
            exchange.closeLater();
            scripted.end(End.CLOSE);
        }
    }

    /** Prepares for healthy calls: ends the connections that clients may not use again, and reads from the others. */
    public void recover() {
        open.forEach(each -> each.setReading(true));
        if (!exchange.isReusable()) {
            endAll();
        }
    }

    /** Sends the end of all connections; their clients are expected to close them. */
    public void endAll() {
        List.copyOf(open).forEach(each -> each.end(End.CLOSE));
    }

    public int openConnections() {
        return open.size();
    }

    /** Returns a future that completes when all bytes that were sent before have been read. */
    public CompletableFuture<Void> settle() {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        settle(ROUNDS_TO_SETTLE, () -> settled.complete(null));
        return settled;
    }

    /** Runs the task when all bytes that were sent before have been read. */
    void settle(Runnable task) {
        settle(ROUNDS_TO_SETTLE, task);
    }

    private void settle(int rounds, Runnable task) {
        if (rounds == 0) {
            task.run();
        } else {
            // A scheduled task runs after the loop has looked for bytes again; other tasks may run before.
            loop.schedule(() -> settle(rounds - 1, task), 1, TimeUnit.NANOSECONDS);
        }
    }

    Exchange exchange() {
        return exchange;
    }

    void opened(ServerConnection connection) {
        connections++;
        open.add(connection);
    }

    /** Returns the number of connections of this exchange. */
    int connections() {
        return connections;
    }

    void closed(ServerConnection connection) {
        open.remove(connection);
    }

    /** Lets another object handle a connection, because its protocol is now known. */
    void replace(ServerConnection connection, ServerConnection replacement) {
        open.remove(connection);
        open.add(replacement);
    }

    void receivedBytes(int count) {
        receivedBytes += count;
    }

    void request(String path) {
        requests.merge(path, 1, Integer::sum);
    }

    void answeredWell(String path) {
        answeredWell.add(path);
    }

    void violation(String problem) {
        violations.add(problem);
    }

    /** Returns whether the script begins now, on this connection. */
    boolean startScript(ServerConnection connection) {
        if (scripted != null) {
            return false;
        }
        scripted = connection;
        return true;
    }

    boolean isScripted(ServerConnection connection) {
        return scripted == connection;
    }

    /** Sends the script. Then the connection ends as the exchange says. */
    void play(ServerConnection connection, List<byte[]> parts, Runnable afterwards) {
        Exchange playing = exchange;
        CompletableFuture<Void> done = played;
        connection.play(parts, () -> {
            connection.end(playing.end);
            afterwards.run();
            done.complete(null);
        });
    }

    /** Stops listening. Thread-safe. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
    }
}
