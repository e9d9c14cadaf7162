package io.iocluster.http.client.pool;

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
    private final Map<Object, HostConnections> hosts = new HashMap<>();
    private boolean closed;

    ConnectionPool(IdleConnections idle) {
        this.idle = idle;
    }

    /** Also returns true if the connection is idle already, because the client closes each connection for which this returns false. */
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

    /** Adds a connection to the host that it belongs to. */
    private void join(IdleConnection connection, Object key) {
        HostConnections known = connection.host;
        if (known != null) {
            if (known.key.equals(key) && known.pool == this) {
                return;
            }
            leave(connection);
        }
        HostConnections host = hosts.get(key);
        if (host == null) {
            host = new HostConnections(this, key);
            hosts.put(key, host);
            idle.countHosts(1);
        }
        host.openConnections++;
        connection.host = host;
    }

    /** Removes a connection that is not idle from its host. */
    static void leave(IdleConnection connection) {
        HostConnections host = connection.host;
        connection.host = null;
        if (--host.openConnections == 0 && host.pool.hosts.remove(host.key, host)) {
            host.pool.idle.countHosts(-1);
        }
    }

    @Override
    public Channel poll(Object key) {
        HostConnections host = hosts.get(key);
        if (host == null) {
            return null;
        }
        for (IdleConnection each = host.newest(); each != null; each = host.newest()) {
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
        for (HostConnections host : hosts.values()) {
            while (host.newest() != null) {
                idle.remove(host.newest());
            }
        }
        idle.countHosts(-hosts.size());
        hosts.clear();
    }

    @Override
    public void flushPartitions(Predicate<Object> which) {
        List<IdleConnection> matching = new ArrayList<>();
        for (HostConnections host : hosts.values()) {
            if (which.test(host.key)) {
                for (IdleConnection each = host.newest(); each != null; each = each.olderOfHost) {
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
        for (HostConnections host : hosts.values()) {
            for (IdleConnection each = host.newest(); each != null; each = each.olderOfHost) {
                if (each.channel.remoteAddress() instanceof InetSocketAddress address) {
                    counts.merge(address.getHostString(), 1L, Long::sum);
                }
            }
        }
        return counts;
    }
}
