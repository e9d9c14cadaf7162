package io.iocluster.simulation.rabbit;

import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The broker's side of a connection. Handles what the client sends, in its order. Confined to the thread of the simulation.
 *
 * <p>While a resource alarm is raised, the first message that is published on the connection makes the broker send
 * {@code connection.blocked} and stop reading. It also stops reading while a channel that waits for a queue without a leader has too many
 * commands.
 */
final class ServerConnection {

    /** From the initial credit of the broker's flow control. */
    private static final int MAX_WAITING_COMMANDS = 400;

    private static final Duration MAX_LATENCY = Duration.ofMillis(1);
    /** How late the broker may notice that the client is gone. */
    private static final Duration MAX_LOSS_DELAY = Duration.ofSeconds(2);

    private final SimulatedRabbit broker;
    private final SimulatedProcess process;
    private final ClientConnection client;
    private final String user;
    private final Wire toBroker;
    private final Wire toClient;
    private final Map<Integer, ServerChannel> channels = new TreeMap<>();
    /** The broker ignores what arrives on a channel that it has closed. Clients do not use a number twice. */
    private final Set<Integer> closedChannels = new HashSet<>();

    private final Deque<Command> unread = new ArrayDeque<>();
    private boolean open = true;
    private boolean reading;
    private boolean blocked;

    private record Command(int channel, Consumer<ServerChannel> task) {}

    ServerConnection(SimulatedRabbit broker, SimulatedProcess process, ClientConnection client, String user) {
        this.broker = broker;
        this.process = process;
        this.client = client;
        this.user = user;
        this.toBroker = new Wire(broker.simulation(), MAX_LATENCY);
        this.toClient = new Wire(broker.simulation(), MAX_LATENCY);
    }

    SimulatedRabbit broker() {
        return broker;
    }

    SimulatedProcess process() {
        return process;
    }

    String user() {
        return user;
    }

    boolean isOpen() {
        return open;
    }

    /** Sends a command of a channel from the client. */
    void send(int channel, Consumer<ServerChannel> task) {
        toBroker.send(() -> {
            if (open) {
                unread.add(new Command(channel, task));
                read();
            }
        });
    }

    /** Closes the connection on behalf of the client. */
    void sendClose(Runnable closed) {
        toBroker.send(() -> {
            close();
            toClient.send(closed);
        });
    }

    /** Sends to the client. */
    void toClient(Runnable arrival) {
        toClient.send(arrival);
    }

    /** Handles what has arrived, as far as the broker reads the connection now. */
    void read() {
        if (reading) {
            return;
        }
        reading = true;
        while (open && !blocked && !unread.isEmpty() && waitingCommands() < MAX_WAITING_COMMANDS) {
            Command next = unread.poll();
            if (!closedChannels.contains(next.channel())) {
                channels.computeIfAbsent(next.channel(), number -> new ServerChannel(this, number))
                        .run(next.task());
            }
        }
        reading = false;
    }

    private int waitingCommands() {
        int waiting = 0;
        for (ServerChannel channel : channels.values()) {
            waiting += channel.waitingCommands();
        }
        return waiting;
    }

    /** Continues with channels that waited for a leader. */
    void leaderElected() {
        List.copyOf(channels.values()).forEach(ServerChannel::runWaiting);
        read();
    }

    /** Blocks the connection if an alarm is raised, because a message was published. */
    void published() {
        if (broker.isAlarmRaised() && !blocked) {
            blocked = true;
            toClient(() -> client.blocked(true));
        }
    }

    /** The alarm has ended. */
    void unblock() {
        if (blocked) {
            blocked = false;
            toClient(() -> client.blocked(false));
            read();
        }
    }

    void stall(Duration time) {
        toBroker.stall(time);
        toClient.stall(time);
    }

    /** Loses the connection. Each side notices it by itself, and what is on the way may still arrive or not. */
    void lose(String reason) {
        long clientDelay = broker.simulation().random().nextLong(MAX_LATENCY.toNanos());
        broker.simulation().after(Duration.ofNanos(clientDelay), () -> client.lost(reason));
        boolean late = broker.simulation().random().nextInt(4) == 0;
        long brokerDelay = late ? broker.simulation().random().nextLong(MAX_LOSS_DELAY.toNanos()) : 0;
        broker.simulation().after(Duration.ofNanos(brokerDelay), this::close);
    }

    /** Ends the broker's side: unacknowledged messages return to their queues. */
    void close() {
        if (!open) {
            return;
        }
        open = false;
        unread.clear();
        new ArrayList<>(channels.values()).forEach(ServerChannel::close);
        channels.clear();
        broker.closed(this);
    }

    void remove(ServerChannel channel) {
        channels.remove(channel.number());
        closedChannels.add(channel.number());
    }

    /** Closes all channels because of an error. */
    void closeChannels(int code, String text) {
        List.copyOf(channels.values()).forEach(channel -> channel.fail(code, text));
    }

    ClientConnection client() {
        return client;
    }
}
