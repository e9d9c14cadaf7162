package io.iocluster.rabbit.sink;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Keeps a connection with one channel open, and passes what happens on it to a {@link PublishLink} on the publisher's loop. Thread-safe.
 */
final class PublishConnection {

    private final EventLoopThread loop;
    private final PublishLink link;
    private final Listener listener;
    private final ConnectionSupervisor supervisor;

    /** What else happens with a connection. */
    interface Listener {

        /** Called on the supervisor's thread, before anything is published. */
        default void attached(Connection fresh) throws IOException {}

        /** Called on the supervisor's thread every second or more often. */
        default void maintain(Connection connection) throws IOException {}

        /** Called on the supervisor's thread. */
        default void detached() {}

        /** Called on the loop. */
        default void blocked(boolean blocked) {}

        /** Called on the loop after the channel has closed. */
        void closed();
    }

    /**
     * Creates a connection that is not started yet.
     *
     * @param logsOutages whether it logs when the broker is unreachable
     */
    PublishConnection(
            EventLoopThread loop,
            RabbitConnections connections,
            String role,
            boolean logsOutages,
            PublishLink link,
            Listener listener,
            Platform platform) {
        this.loop = loop;
        this.link = link;
        this.listener = listener;
        this.supervisor =
                new ConnectionSupervisor(connections, role, loop, new PublishChannel(), logsOutages, platform);
    }

    PublishLink link() {
        return link;
    }

    ConnectionSupervisor supervisor() {
        return supervisor;
    }

    /** Opens the channel with confirms. Confined to the supervisor's thread. */
    private final class PublishChannel implements ConnectionSupervisor.Attachment {

        private Channel opened;
        private Connection connection;

        @Override
        public void attach(Connection newConnection) throws IOException {
            newConnection.addBlockedListener(new BlockedListener() {
                @Override
                public void handleBlocked(String reason) {
                    loop.run(() -> setBlocked(true));
                }

                @Override
                public void handleUnblocked() {
                    loop.run(() -> setBlocked(false));
                }
            });
            listener.attached(newConnection);
            connection = newConnection;
            Channel fresh = openChannel();
            loop.execute(() -> link.channelOpened(fresh));
        }

        private Channel openChannel() throws IOException {
            Channel fresh = ChannelProbe.openChannel(connection);
            opened = fresh;
            fresh.addShutdownListener(cause -> supervisor.wakeUp());
            fresh.addReturnListener((code, text, exchange, routingKey, properties, body) ->
                    loop.run(() -> link.returned(code, text, exchange, routingKey, properties, body)));
            fresh.addConfirmListener(new Confirms(fresh));
            // The client's confirmSelect would keep a sorted set of all sequence numbers under a lock.
            fresh.rpc(new AMQP.Confirm.Select.Builder().build());
            return fresh;
        }

        private void replaceChannel() throws IOException {
            Channel old = opened;
            Channel fresh = openChannel();
            loop.execute(() -> {
                link.channelClosed(null);
                link.channelOpened(fresh);
            });
            try {
                old.close();
            } catch (TimeoutException | ShutdownSignalException unclear) {
                throw new IOException(unclear);
            }
        }

        @Override
        public void maintain() throws IOException {
            if (!opened.isOpen()) {
                throw new IOException(FailureText.of(opened.getCloseReason()));
            }
            link.checkUsable();
            if (link.needsNewChannel()) {
                replaceChannel();
            }
            listener.maintain(connection);
        }

        @Override
        public void detach() {
            listener.detached();
            ShutdownSignalException cause = opened == null ? null : opened.getCloseReason();
            loop.execute(() -> channelClosed(cause == null ? null : cause.getReason()));
        }
    }

    /** Passes the confirms of one channel on, until the link has the next channel. */
    private final class Confirms implements ConfirmListener {

        private final Channel channel;

        Confirms(Channel channel) {
            this.channel = channel;
        }

        @Override
        public void handleAck(long number, boolean multiple) {
            loop.run(() -> {
                if (link.isCurrent(channel)) {
                    link.confirmed(number, multiple);
                }
            });
        }

        @Override
        public void handleNack(long number, boolean multiple) {
            loop.run(() -> {
                if (link.isCurrent(channel)) {
                    link.refused(number, multiple);
                }
            });
        }
    }

    private void setBlocked(boolean blocked) {
        listener.blocked(blocked);
        link.setBlocked(blocked);
    }

    private void channelClosed(Method reason) {
        link.channelClosed(reason);
        listener.closed();
    }
}
