package io.iocluster.http.ahc.pool;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.asynchttpclient.channel.ChannelPool;

/**
 * Pools the HTTP/1.1 connections of one client. Hands out the connection that was used last. Confined to one event
 * loop, so it needs no lock and no atomic operation.
 *
 * <p>The client's own pool keeps an entry for each host that was ever called, and has no limit of idle connections.
 */
final class ConnectionPool implements ChannelPool {

    private final IdleConnections idle;
    private final Map<Object, Partition> partitions = new HashMap<>();
    private boolean closed;

    ConnectionPool(IdleConnections idle) {
        this.idle = idle;
    }

    /** Returns true for a connection that is idle already, because the client closes one that is refused. */
    @Override
    public boolean offer(Channel channel, Object key) {
        if (closed || !channel.isActive()) {
            return false;
        }
        long now = idle.nanoTime();
        IdleConnection connection = idle.register(channel, now);
        if (connection.idle) {
            return true;
        }
        if (idle.isTooOld(connection, now)) {
            return false;
        }
        join(connection, key);
        return idle.add(connection, now);
    }

    private void join(IdleConnection connection, Object key) {
        Partition known = connection.partition;
        if (known != null) {
            if (known.key.equals(key) && known.pool == this) {
                return;
            }
            leave(connection);
        }
        Partition partition = partitions.get(key);
        if (partition == null) {
            partition = new Partition(this, key);
            partitions.put(key, partition);
            idle.countPartitions(1);
        }
        partition.members++;
        connection.partition = partition;
    }

    /** Removes a connection that is not idle from its host. */
    static void leave(IdleConnection connection) {
        Partition partition = connection.partition;
        connection.partition = null;
        if (--partition.members == 0 && partition.pool.partitions.remove(partition.key, partition)) {
            partition.pool.idle.countPartitions(-1);
        }
    }

    @Override
    public Channel poll(Object key) {
        Partition partition = partitions.get(key);
        if (partition == null) {
            return null;
        }
        for (IdleConnection each = partition.newest(); each != null; each = partition.newest()) {
            idle.remove(each);
            if (each.channel.isActive()) {
                return each.channel;
            }
        }
        return null;
    }

    @Override
    public boolean removeAll(Channel channel) {
        IdleConnection connection = channel.attr(IdleConnection.KEY).get();
        boolean wasIdle = connection != null && connection.idle;
        if (wasIdle) {
            idle.remove(connection);
        }
        return wasIdle;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /** Forgets the connections. The client closes them. */
    @Override
    public void destroy() {
        closed = true;
        for (Partition partition : partitions.values()) {
            while (partition.newest() != null) {
                idle.remove(partition.newest());
            }
        }
        idle.countPartitions(-partitions.size());
        partitions.clear();
    }

    @Override
    public void flushPartitions(Predicate<Object> which) {
        List<IdleConnection> matching = new ArrayList<>();
        for (Partition partition : partitions.values()) {
            if (which.test(partition.key)) {
                for (IdleConnection each = partition.newest(); each != null; each = each.olderOfHost) {
                    matching.add(each);
                }
            }
        }
        // Closed afterwards, because closing a connection changes the lists.
        matching.forEach(idle::closeIfIdle);
    }

    @Override
    public Map<String, Long> getIdleChannelCountPerHost() {
        Map<String, Long> counts = new HashMap<>();
        for (Partition partition : partitions.values()) {
            for (IdleConnection each = partition.newest(); each != null; each = each.olderOfHost) {
                if (each.channel.remoteAddress() instanceof InetSocketAddress address) {
                    counts.merge(address.getHostString(), 1L, Long::sum);
                }
            }
        }
        return counts;
    }
}
