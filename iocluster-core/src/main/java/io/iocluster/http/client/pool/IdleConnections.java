package io.iocluster.http.client.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.asynchttpclient.channel.ChannelPool;
import org.asynchttpclient.netty.channel.Http2ConnectionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The idle connections of one executor, over all its clients: HTTP/1.1 connections in a pool, and HTTP/2 connections,
 * which the client keeps outside its pool and would never close. Closes a connection after the idle timeout, and the
 * least recently used one when a limit is exceeded. Confined to one event loop, except {@link #hosts}.
 */
public final class IdleConnections {

    private static final Logger LOG = LoggerFactory.getLogger(IdleConnections.class);

    private static final long MIN_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Limits how many HTTP/2 connections with open streams are skipped in the search for the least recently used idle
     * one, because a node with thousands of them would search all for each call.
     */
    private static final int MAX_SKIPPED = 16;

    private final EventLoop loop;
    private final IdleLimits limits;
    private final LongSupplier clock;
    private final AtomicInteger hosts = new AtomicInteger();

    private IdleConnection oldest;
    private IdleConnection newest;
    private int size;
    private boolean sweepScheduled;

    /**
     * Creates an empty list.
     *
     * @param loop the event loop of all connections
     */
    public IdleConnections(EventLoop loop, IdleLimits limits) {
        this(loop, limits, System::nanoTime);
    }

    IdleConnections(EventLoop loop, IdleLimits limits, LongSupplier clock) {
        this.loop = loop;
        this.limits = limits;
        this.clock = clock;
    }

    /** Creates the pool of one client. Its connections count towards the limits of this list. */
    public ChannelPool newPool() {
        return new ConnectionPool(this);
    }

    /** Returns the number of hosts with a pooled HTTP/1.1 connection, in use or idle. Thread-safe. */
    public int hosts() {
        return hosts.get();
    }

    /** Returns the number of idle connections. */
    int size() {
        return size;
    }

    /**
     * Records that a connection was opened or that a call on it ended. Returns false for an HTTP/1.1 connection, which
     * the client offers to its pool.
     */
    public boolean trackIfHttp2(Channel channel) {
        if (!channel.hasAttr(Http2ConnectionState.HTTP2_STATE_KEY)) {
            return false;
        }
        if (channel.isActive()) {
            long now = nanoTime();
            IdleConnection connection = register(channel, now);
            if (connection.idle) {
                remove(connection);
            }
            add(connection, now);
        }
        return true;
    }

    /** Closes each HTTP/2 connection without an open call now. */
    public void closeIdleHttp2() {
        List<IdleConnection> listed = new ArrayList<>();
        for (IdleConnection each = oldest; each != null; each = each.newer) {
            if (each.host == null && !each.hasOpenStreams()) {
                listed.add(each);
            }
        }
        listed.forEach(this::closeIfIdle);
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    /** Adds one writer's change; readers may see it a moment late. */
    void countHosts(int delta) {
        hosts.lazySet(hosts.get() + delta);
    }

    IdleConnection register(Channel channel, long now) {
        IdleConnection known = channel.attr(IdleConnection.KEY).get();
        if (known != null) {
            return known;
        }
        IdleConnection created = new IdleConnection(channel, now);
        channel.attr(IdleConnection.KEY).set(created);
        channel.closeFuture().addListener(closed -> forget(created));
        return created;
    }

    private void forget(IdleConnection connection) {
        if (connection.idle) {
            remove(connection);
        }
        if (connection.host != null) {
            ConnectionPool.leave(connection);
        }
    }

    /** Returns whether the connection must not be used again. */
    boolean isTooOld(IdleConnection connection, long now) {
        return now - connection.firstIdleNanos >= limits.lifetimeNanos();
    }

    /** Adds a connection that became idle. Returns false if no other one can be closed for it. */
    boolean add(IdleConnection connection, long now) {
        HostConnections host = connection.host;
        if (host != null && host.idle() >= limits.perHost()) {
            closeIfIdle(host.oldest());
        }
        if (size >= limits.total() && !closeLeastRecentlyUsed(now) && host != null) {
            return false;
        }
        append(connection, now);
        if (!sweepScheduled) {
            scheduleSweep();
        }
        return true;
    }

    private boolean closeLeastRecentlyUsed(long now) {
        for (int skipped = 0; skipped < MAX_SKIPPED && oldest != null; skipped++) {
            IdleConnection candidate = oldest;
            if (!candidate.hasOpenStreams()) {
                closeIfIdle(candidate);
                return true;
            }
            remove(candidate);
            append(candidate, now);
        }
        return false;
    }

    private void append(IdleConnection connection, long now) {
        connection.idle = true;
        connection.idleSinceNanos = now;
        connection.older = newest;
        if (newest == null) {
            oldest = connection;
        } else {
            newest.newer = connection;
        }
        newest = connection;
        size++;
        if (connection.host != null) {
            connection.host.add(connection);
        }
    }

    void remove(IdleConnection connection) {
        connection.idle = false;
        if (connection.newer == null) {
            newest = connection.older;
        } else {
            connection.newer.older = connection.older;
        }
        if (connection.older == null) {
            oldest = connection.newer;
        } else {
            connection.older.newer = connection.newer;
        }
        connection.newer = null;
        connection.older = null;
        size--;
        if (connection.host != null) {
            connection.host.remove(connection);
        }
    }

    void closeIfIdle(IdleConnection connection) {
        if (connection.idle) {
            remove(connection);
            connection.channel.close();
        }
    }

    private void scheduleSweep() {
        sweepScheduled = true;
        long period = Math.max(Math.min(limits.idleTimeoutNanos() / 4, MAX_SWEEP_NANOS), MIN_SWEEP_NANOS);
        loop.schedule(this::sweep, period, TimeUnit.NANOSECONDS);
    }

    private void sweep() {
        try {
            closeExpired();
        } catch (Throwable bug) {
            LOG.error("Closing idle connections failed because of a defect; retried later", bug);
        } finally {
            sweepScheduled = false;
            if (oldest != null) {
                scheduleSweep();
            }
        }
    }

    /** Closes what was idle or open for too long. The list is short enough to look at all of it. */
    void closeExpired() {
        long now = nanoTime();
        List<IdleConnection> expired = new ArrayList<>();
        for (IdleConnection each = oldest; each != null; each = each.newer) {
            if (now - each.idleSinceNanos >= limits.idleTimeoutNanos() || (each.host != null && isTooOld(each, now))) {
                expired.add(each);
            }
        }
        for (IdleConnection each : expired) {
            if (!each.idle) {
                continue; // Closing an earlier one started a call on this one.
            }
            if (each.hasOpenStreams()) {
                remove(each);
                append(each, now);
            } else {
                closeIfIdle(each);
            }
        }
    }
}
