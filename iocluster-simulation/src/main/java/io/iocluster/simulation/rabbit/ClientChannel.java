package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Command;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The client's side of a channel: the methods of {@link Channel} that nodes and clients call. Methods that wait for the broker let the
 * simulation run other tasks meanwhile. Confined to the thread of the simulation.
 */
final class ClientChannel {

    private final ClientConnection owner;
    private final int number;
    private final Channel channel = PartialProxy.of(Channel.class, this);
    private final Map<String, Consumer> consumers = new HashMap<>();
    private final Queue<CompletableFuture<?>> requests = new ArrayDeque<>();
    private final List<ShutdownListener> shutdownListeners = new ArrayList<>();
    private final List<ReturnListener> returnListeners = new ArrayList<>();
    private final List<ConfirmListener> confirmListeners = new ArrayList<>();
    private final NavigableMap<Long, OutgoingMessage> unconfirmed = new TreeMap<>();
    /** The bodies of the unacknowledged deliveries. */
    private final NavigableMap<Long, byte[]> unacknowledged = new TreeMap<>();

    private CompletableFuture<Void> allConfirmed = CompletableFuture.completedFuture(null);
    private Consumer defaultConsumer;
    private ShutdownSignalException closeReason;
    private boolean confirms;
    private boolean refused;
    private long published;
    private long consumerTags;

    ClientChannel(ClientConnection owner, int number) {
        this.owner = owner;
        this.number = number;
    }

    Channel channel() {
        return channel;
    }

    int number() {
        return number;
    }

    /** Returns the bodies of the deliveries that the client has not settled. */
    List<byte[]> unacknowledged() {
        return List.copyOf(unacknowledged.values());
    }

    // What the broker sends. On the loop.

    void deliver(
            String consumerTag,
            long tag,
            boolean redelivered,
            String exchange,
            String routingKey,
            BasicProperties properties,
            byte[] body) {
        InboundFrames.Received received =
                owner.frames().deliver(number, consumerTag, tag, exchange, routingKey, properties, body);
        Consumer consumer = consumers.getOrDefault(consumerTag, defaultConsumer);
        if (consumer == null) {
            throw new IllegalStateException("delivery without a consumer: " + consumerTag);
        }
        try {
            Envelope envelope = new Envelope(tag, redelivered, exchange, routingKey);
            unacknowledged.put(tag, received.body());
            consumer.handleDelivery(consumerTag, envelope, received.properties(), received.body());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void consuming(String tag) {
        Consumer consumer = consumers.get(tag);
        if (consumer != null) {
            consumer.handleConsumeOk(tag);
        }
    }

    void cancelled(String tag) {
        Consumer consumer = consumers.remove(tag);
        if (consumer != null) {
            try {
                consumer.handleCancel(tag);
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    void acked(long upTo, boolean multiple) {
        settled(upTo, multiple, true);
    }

    void nacked(long upTo, boolean multiple) {
        settled(upTo, multiple, false);
    }

    private void settled(long upTo, boolean multiple, boolean stored) {
        refused |= !stored;
        Map<Long, OutgoingMessage> settled =
                multiple ? unconfirmed.headMap(upTo, true) : unconfirmed.subMap(upTo, true, upTo, true);
        settled.values().forEach(OutgoingMessage::settled);
        settled.clear();
        try {
            for (ConfirmListener listener : List.copyOf(confirmListeners)) {
                if (stored) {
                    listener.handleAck(upTo, multiple);
                } else {
                    listener.handleNack(upTo, multiple);
                }
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        if (unconfirmed.isEmpty()) {
            allConfirmed.complete(null);
        }
    }

    void returned(int code, String text, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        try {
            for (ReturnListener listener : List.copyOf(returnListeners)) {
                listener.handleReturn(code, text, exchange, routingKey, properties, body);
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void closedByBroker(int code, String text) {
        Method reason =
                new AMQP.Channel.Close.Builder().replyCode(code).replyText(text).build();
        shutDown(new ShutdownSignalException(false, false, reason, channel));
    }

    /** Fails the open requests, and tells the listeners and consumers. */
    void shutDown(ShutdownSignalException signal) {
        if (closeReason != null) {
            return;
        }
        closeReason = signal;
        owner.removed(this);
        unconfirmed.values().forEach(OutgoingMessage::closed);
        requests.forEach(request -> request.completeExceptionally(signal));
        requests.clear();
        allConfirmed.completeExceptionally(signal);
        List.copyOf(shutdownListeners).forEach(listener -> listener.shutdownCompleted(signal));
        consumers.forEach((tag, consumer) -> consumer.handleShutdownSignal(tag, signal));
    }

    // Requests.

    /** Sends a request and waits for the answer. A null answer means that the broker has closed the channel instead. */
    <T> T request(Function<ServerChannel, T> handler) throws IOException {
        return request(handler, Duration.ZERO);
    }

    private <T> T request(Function<ServerChannel, T> handler, Duration answerDelay) throws IOException {
        requireOpen();
        CompletableFuture<T> answer = new CompletableFuture<>();
        requests.add(answer);
        send(server -> {
            T value = handler.apply(server);
            if (value != null) {
                server.connection()
                        .broker()
                        .simulation()
                        .after(
                                answerDelay,
                                () -> server.toClient(client -> {
                                    requests.remove(answer);
                                    answer.complete(value);
                                }));
            }
        });
        return owner.await(answer);
    }

    private void send(java.util.function.Consumer<ServerChannel> command) {
        requireOpen();
        owner.server().send(number, command);
    }

    private void requireOpen() {
        if (closeReason != null) {
            throw new AlreadyClosedException(closeReason);
        }
    }

    // The methods of Channel.

    boolean isOpen() {
        return closeReason == null;
    }

    ShutdownSignalException getCloseReason() {
        return closeReason;
    }

    Connection getConnection() {
        return owner.connection();
    }

    void addShutdownListener(ShutdownListener listener) {
        shutdownListeners.add(listener);
        if (closeReason != null) {
            listener.shutdownCompleted(closeReason);
        }
    }

    void addReturnListener(ReturnListener listener) {
        returnListeners.add(listener);
    }

    ReturnListener addReturnListener(ReturnCallback callback) {
        ReturnListener listener = (code, text, exchange, routingKey, properties, body) ->
                callback.handle(new Return(code, text, exchange, routingKey, properties, body));
        returnListeners.add(listener);
        return listener;
    }

    void addConfirmListener(ConfirmListener listener) {
        confirmListeners.add(listener);
    }

    void setDefaultConsumer(Consumer consumer) {
        defaultConsumer = consumer;
    }

    Command rpc(Method method) throws IOException {
        if (!(method instanceof AMQP.Confirm.Select)) {
            throw new UnsupportedOperationException("not simulated: " + method);
        }
        confirmSelect();
        return null;
    }

    AMQP.Confirm.SelectOk confirmSelect() throws IOException {
        confirms = true;
        return request(server -> {
            server.selectConfirms();
            return new AMQP.Confirm.SelectOk.Builder().build();
        });
    }

    boolean waitForConfirms(long timeoutMillis) throws InterruptedException, TimeoutException {
        if (!unconfirmed.isEmpty() && !owner.process().await(allConfirmed, Duration.ofMillis(timeoutMillis))) {
            throw new TimeoutException();
        }
        requireOpen();
        boolean stored = !refused;
        refused = false;
        return stored;
    }

    void basicPublish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        basicPublish(exchange, routingKey, false, properties, body);
    }

    void basicPublish(String exchange, String routingKey, boolean mandatory, BasicProperties properties, byte[] body) {
        requireOpen();
        OutgoingMessage outgoing = new OutgoingMessage(owner.server().broker(), owner.process(), properties);
        if (confirms) {
            if (unconfirmed.isEmpty()) {
                allConfirmed = new CompletableFuture<>();
            }
            unconfirmed.put(++published, outgoing);
        }
        send(server -> server.publish(exchange, routingKey, mandatory, properties, body, outgoing));
    }

    void basicAck(long tag, boolean multiple) {
        send(server -> server.settle(tag, multiple, true, false));
        settledDeliveries(tag, multiple).clear();
    }

    void basicNack(long tag, boolean multiple, boolean requeue) {
        send(server -> server.settle(tag, multiple, false, requeue));
        Map<Long, byte[]> returned = settledDeliveries(tag, multiple);
        if (requeue) {
            returned.values().forEach(body -> owner.server().broker().observer().returned(owner.process(), body));
        }
        returned.clear();
    }

    private Map<Long, byte[]> settledDeliveries(long tag, boolean multiple) {
        return multiple
                ? tag == 0 ? unacknowledged : unacknowledged.headMap(tag, true)
                : unacknowledged.subMap(tag, true, tag, true);
    }

    void basicReject(long tag, boolean requeue) {
        basicNack(tag, false, requeue);
    }

    void basicQos(int prefetch) throws IOException {
        request(server -> {
            server.qos(prefetch);
            return "qos";
        });
    }

    String basicConsume(String queue, boolean autoAck, Consumer consumer) throws IOException {
        return basicConsume(queue, autoAck, "amq.ctag-" + number + "-" + consumerTags++, consumer);
    }

    String basicConsume(String queue, boolean autoAck, String tag, Consumer consumer) throws IOException {
        consumers.put(tag, consumer);
        try {
            return request(server -> {
                server.consume(queue, autoAck, tag);
                return server.isClosed() ? null : tag;
            });
        } catch (IOException | RuntimeException failed) {
            consumers.remove(tag);
            throw failed;
        }
    }

    void basicCancel(String tag) throws IOException {
        if (!consumers.containsKey(tag)) {
            throw new IOException("Unknown consumerTag");
        }
        request(server -> {
            server.cancel(tag);
            return tag;
        });
        consumers.remove(tag);
    }

    AMQP.Queue.DeclareOk queueDeclarePassive(String queue) throws IOException {
        BrokerQueue known = owner.server().broker().queue(queue);
        // The broker waits this long for the leader.
        Duration delay = known == null || known.hasLeader() ? Duration.ZERO : Duration.ofMillis(250);
        return request(
                server -> {
                    BrokerQueue found = server.requireQueue(queue);
                    return found == null ? null : state(found);
                },
                delay);
    }

    private static AMQP.Queue.DeclareOk state(BrokerQueue queue) {
        queue.touch();
        return new AMQP.Queue.DeclareOk.Builder()
                .queue(queue.name())
                .messageCount(queue.hasLeader() ? queue.ready() : 0)
                .consumerCount(queue.hasLeader() ? queue.consumers() : 0)
                .build();
    }

    AMQP.Queue.DeclareOk queueDeclare() throws IOException {
        return queueDeclare("", false, true, true, Map.of());
    }

    AMQP.Queue.DeclareOk queueDeclare(
            String queue, boolean durable, boolean exclusive, boolean autoDelete, Map<String, Object> arguments)
            throws IOException {
        Map<String, Object> declared = arguments == null ? Map.of() : Map.copyOf(arguments);
        return request(server -> {
            SimulatedRabbit broker = server.connection().broker();
            String name = queue.isEmpty() ? broker.newQueueName() : queue;
            QueueOptions options =
                    new QueueOptions(durable, exclusive ? server.connection() : null, autoDelete, declared);
            if (broker.queue(name) == null) {
                broker.declare(name, options);
            }
            BrokerQueue found = server.requireQueue(name);
            String difference = found == null ? null : found.options().difference(options, name);
            if (difference != null) {
                server.fail(AMQP.PRECONDITION_FAILED, "PRECONDITION_FAILED - " + difference);
            }
            return found == null || difference != null ? null : state(found);
        });
    }

    AMQP.Queue.BindOk queueBind(String queue, String exchange, String routingKey) throws IOException {
        return request(server -> {
            if (server.requireQueue(queue) == null || !requireExchange(server, exchange)) {
                return null;
            }
            server.connection().broker().bind(queue, exchange, routingKey);
            return new AMQP.Queue.BindOk.Builder().build();
        });
    }

    AMQP.Queue.PurgeOk queuePurge(String queue) throws IOException {
        return request(server -> {
            BrokerQueue found = server.requireQueue(queue);
            if (found == null) {
                return null;
            }
            int count = found.ready();
            found.purge();
            return new AMQP.Queue.PurgeOk.Builder().messageCount(count).build();
        });
    }

    AMQP.Exchange.DeclareOk exchangeDeclare(String exchange, BuiltinExchangeType type, boolean durable)
            throws IOException {
        return exchangeDeclare(exchange, type.getType(), durable);
    }

    AMQP.Exchange.DeclareOk exchangeDeclare(String exchange, String type, boolean durable) throws IOException {
        return request(server -> {
            server.connection().broker().declareExchange(exchange, type);
            return new AMQP.Exchange.DeclareOk.Builder().build();
        });
    }

    AMQP.Exchange.DeclareOk exchangeDeclarePassive(String exchange) throws IOException {
        return request(
                server -> requireExchange(server, exchange) ? new AMQP.Exchange.DeclareOk.Builder().build() : null);
    }

    private static boolean requireExchange(ServerChannel server, String exchange) {
        boolean found = server.connection().broker().hasExchange(exchange);
        if (!found) {
            server.fail(AMQP.NOT_FOUND, "NOT_FOUND - no exchange '" + exchange + "' in vhost '/'");
        }
        return found;
    }

    void close() throws IOException {
        request(server -> {
            server.close();
            return "closed";
        });
        endByApplication();
    }

    void abort() {
        if (closeReason == null) {
            send(ServerChannel::close);
            endByApplication();
        }
    }

    private void endByApplication() {
        Method reason = new AMQP.Channel.Close.Builder()
                .replyCode(AMQP.REPLY_SUCCESS)
                .replyText("OK")
                .build();
        shutDown(new ShutdownSignalException(false, true, reason, channel));
    }

    @Override
    public String toString() {
        return owner + "-" + number;
    }
}
