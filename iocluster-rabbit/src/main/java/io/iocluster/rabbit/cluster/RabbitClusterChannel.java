package io.iocluster.rabbit.cluster;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The announcements of one node on RabbitMQ. Owns a connection and its event loop, which sends and receives. Thread-safe. Records are
 * transient and unconfirmed, because the next one replaces each.
 */
public final class RabbitClusterChannel implements ClusterChannel {

    /** Unacknowledged records. With the interval of acknowledgements this limits the records in a second. */
    static final int PREFETCH = 100;

    private static final Logger LOG = LoggerFactory.getLogger(RabbitClusterChannel.class);
    private static final long ACK_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos() * PREFETCH / MAX_RECORDS_PER_SECOND;
    private static final BasicProperties PROPERTIES = new BasicProperties.Builder()
            .contentType("application/json")
            .deliveryMode(1)
            .build();

    private final String exchange;
    private final Platform platform;
    private final EventLoopThread loop;
    private final AnnouncementQueue queue;
    private final ConnectionSupervisor supervisor;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<byte[]> next = new AtomicReference<>();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    private volatile Listener listener;
    /** Null while nothing can be sent or received. */
    private volatile Channel channel;

    private volatile boolean blocked;
    /** The channel and tag of the last record, if it is not acknowledged. Confined to the loop. */
    private Channel unacknowledgedOn;

    private long unacknowledgedTag;

    /** Creates a channel on the configured broker that is not started. */
    public RabbitClusterChannel(RabbitSettings settings, String nodeId, Platform platform) {
        this(settings, new Connector(settings, nodeId, platform), platform);
    }

    /** Creates a channel that is not started. */
    public RabbitClusterChannel(RabbitSettings settings, RabbitConnections connections, Platform platform) {
        this.exchange = settings.clusterExchange();
        this.platform = platform;
        this.loop = connections.newLoop("iocluster-rabbit-cluster");
        this.queue = new AnnouncementQueue(settings, new QueueEvents(), this::wakeUp, platform);
        this.supervisor = new ConnectionSupervisor(connections, "cluster", loop, queue, false, platform);
    }

    private void wakeUp() {
        supervisor.wakeUp();
    }

    @Override
    public void start(Listener receiver) {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("the channel was started before");
        }
        listener = receiver;
        supervisor.start();
        loop.scheduleRepeatedly(ACK_INTERVAL_NANOS, this::acknowledge);
    }

    @Override
    public void announce(byte[] record) {
        if (record.length > MAX_RECORD_BYTES) {
            throw new IllegalArgumentException("the record has " + record.length + " bytes");
        }
        if (next.getAndSet(record) != null) {
            failed.incrementAndGet();
        }
        loop.execute(this::sendNext);
    }

    /** Sends the waiting record, if there is one and the broker accepts it. On the loop. */
    private void sendNext() {
        Channel open = channel;
        byte[] record = open == null || blocked ? null : next.getAndSet(null);
        if (record == null) {
            return;
        }
        try {
            open.basicPublish(exchange, "", PROPERTIES, record);
            announced.incrementAndGet();
        } catch (IOException | AlreadyClosedException closed) {
            LOG.debug("Announcement not sent", closed);
            failed.incrementAndGet();
        }
    }

    private void acknowledge() {
        Channel from = unacknowledgedOn;
        unacknowledgedOn = null;
        if (from == null || !from.isOpen()) {
            return;
        }
        try {
            from.basicAck(unacknowledgedTag, true);
        } catch (IOException | AlreadyClosedException closed) {
            LOG.debug("Announcements not acknowledged; their queue is deleted with the connection", closed);
        }
    }

    @Override
    public ClusterChannelStatus status() {
        return new ClusterChannelStatus(problem(), announced.get(), failed.get(), dropped.get());
    }

    private String problem() {
        if (queue.problem() != null) {
            return queue.problem();
        }
        if (channel == null) {
            return supervisor.problem() == null ? "not connected" : supervisor.problem();
        }
        return blocked ? "the broker accepts no messages, because it is short of memory or disk" : null;
    }

    @Override
    public void close(byte[] last, Duration timeout) {
        long start = platform.nanos();
        if (last != null) {
            next.set(last);
            sendBeforeClose(timeout);
        }
        if (started.get()) {
            long remaining = timeout.toNanos() - (platform.nanos() - start);
            supervisor.close(Duration.ofNanos(Math.max(1, remaining)));
        }
        loop.close();
    }

    /** Waits, because the connection must not close before the loop has sent the record. */
    private void sendBeforeClose(Duration timeout) {
        try {
            if (!platform.await(CompletableFuture.runAsync(this::sendNext, loop::execute), timeout)) {
                LOG.debug("Last announcement not sent in time");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class QueueEvents implements AnnouncementQueue.Events {

        @Override
        public void opened(Channel fresh) {
            channel = fresh;
            loop.execute(RabbitClusterChannel.this::sendNext);
        }

        @Override
        public void closed() {
            channel = null;
        }

        @Override
        public void blocked(boolean refused) {
            blocked = refused;
        }

        @Override
        public void received(Channel from, long tag, byte[] record) {
            unacknowledgedOn = from;
            unacknowledgedTag = tag;
            if (record == null) {
                dropped.incrementAndGet();
                return;
            }
            try {
                listener.received(record);
            } catch (RuntimeException bug) {
                LOG.error("Announcement ignored because of a defect", bug);
            }
        }
    }
}
