package io.iocluster.http.pool;

import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.http.connect.DialTarget;
import io.iocluster.http.connect.Dialer;
import io.iocluster.http.connection.HttpConnection;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP/1.1 and HTTP/2 connections of one executor. Closes connections after the idle timeout and after their lifetime. When a limit is
 * exceeded, closes the least recently used idle connection. Confined to one event loop, except {@link #stats}.
 */
public final class ConnectionPool {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

    private static final long MIN_SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Maximum hosts that the pool remembers as HTTP/1.1 after their last connection was closed. An entry takes about 200 bytes. */
    private static final int MAX_KNOWN_PROTOCOLS = 4_096;

    private final EventLoop loop;
    private final PoolLimits limits;
    private final Dialer dialer;
    private final ConnectionFactory factory;
    private final LongSupplier clock;
    private final Map<Object, HostPool> hosts = new HashMap<>();
    private final IdleList idle = new IdleList();

    /** Keys of HTTPS hosts that do not speak HTTP/2, the least recently used first. */
    private final Map<Object, Boolean> http1Hosts = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Boolean> eldest) {
            return size() > MAX_KNOWN_PROTOCOLS;
        }
    };

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger idleCount = new AtomicInteger();
    private final AtomicInteger pooledHosts = new AtomicInteger();
    private long iteration;
    private boolean iterationEndScheduled;
    private boolean sweepScheduled;
    private boolean closed;

    /** Adds the handlers of the HTTP version to an open channel. */
    public interface ConnectionFactory {

        HttpConnection create(Channel channel, boolean http2);
    }

    /**
     * Creates an empty pool.
     *
     * @param loop the event loop of all connections
     * @param clock returns monotonic nanoseconds
     */
    public ConnectionPool(
            EventLoop loop, PoolLimits limits, Dialer dialer, ConnectionFactory factory, LongSupplier clock) {
        this.loop = loop;
        this.limits = limits;
        this.dialer = dialer;
        this.factory = factory;
        this.clock = clock;
    }

    /**
     * Gives the waiter a connection, now or later.
     *
     * @param http1Only whether the waiter needs an HTTP/1.1 connection
     * @param nonIdempotent whether the request must not be sent twice. The event loop then always reads once more before the pool hands out an
     *     idle connection, because the kernel may know that the target closed it
     * @return the pending acquisition, or null if the waiter was called already
     */
    public Acquisition acquire(DialTarget target, boolean http1Only, boolean nonIdempotent, ConnectionWaiter waiter) {
        HostPool host = hosts.get(target.key());
        if (host == null) {
            host = new HostPool(this, target);
            hosts.put(target.key(), host);
        }
        return host.acquire(waiter, http1Only, nonIdempotent);
    }

    /** Drains all connections with these keys: closes the idle ones now, and the others when their exchanges have ended. */
    public void drain(Predicate<Object> keys) {
        List<PooledConnection> matching = new ArrayList<>();
        for (HostPool each : hosts.values()) {
            if (keys.test(each.target().key())) {
                matching.addAll(each.connections());
            }
        }
        matching.forEach(each -> each.connection.drain());
    }

    /** Closes the idle connections of this key. */
    public void closeIdle(Object key) {
        HostPool host = hosts.get(key);
        if (host != null) {
            List<PooledConnection> matching =
                    host.connections().stream().filter(each -> each.idle).toList();
            matching.forEach(each -> each.connection.close());
        }
    }

    /** Closes all connections. */
    public void close() {
        closed = true;
        List.copyOf(hosts.values()).forEach(HostPool::close);
        hosts.clear();
    }

    /** Returns the number of connections. Thread-safe; may be slightly out of date. */
    public ConnectionStats stats() {
        int idleNow = idleCount.get();
        return new ConnectionStats(Math.max(0, open.get() - idleNow), idleNow, pooledHosts.get());
    }

    /** Returns the number of the event loop's current iteration. Counts only iterations in which connections became idle. */
    long iteration() {
        return iteration;
    }

    private void scheduleIterationEnd() {
        if (!iterationEndScheduled) {
            iterationEndScheduled = true;
            afterIteration(() -> {
                iterationEndScheduled = false;
                iteration++;
            });
        }
    }

    private void afterIteration(Runnable task) {
        if (loop instanceof SingleThreadEventLoop iterating) {
            iterating.executeAfterEventLoopIteration(task);
        } else {
            loop.execute(task);
        }
    }

    /** Runs the task after the event loop has read from all connections that the kernel reports as readable now. */
    void afterNextRead(Runnable task) {
        // A task of this iteration would run before the next read.
        afterIteration(() -> loop.execute(task));
    }

    Dialer dialer() {
        return dialer;
    }

    PoolLimits limits() {
        return limits;
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    PooledConnection open(Channel channel, boolean http2, HostPool host) {
        HttpConnection connection = factory.create(channel, http2);
        PooledConnection pooled = new PooledConnection(connection, host);
        connection.setOwner(pooled);
        add(open, 1);
        scheduleSweep();
        return pooled;
    }

    void rememberProtocol(DialTarget target, boolean http2) {
        if (!target.mayUseHttp2()) {
            return;
        }
        if (http2) {
            http1Hosts.remove(target.key());
        } else {
            http1Hosts.put(target.key(), Boolean.TRUE);
        }
    }

    boolean usesHttp1(Object key) {
        return !http1Hosts.isEmpty() && http1Hosts.containsKey(key);
    }

    boolean isTooOld(PooledConnection connection, long now) {
        return now - connection.connection.openedNanos() >= limits.lifetimeNanos();
    }

    /** Adds a connection that became idle, and closes others at a limit. */
    void addIdle(PooledConnection connection) {
        HostIdleList ofHost = connection.host.idle();
        boolean multiplexed = connection.connection.isMultiplexed();
        if (!multiplexed && ofHost.size() >= limits.idlePerHost()) {
            ofHost.oldest().connection.close();
        }
        if (idle.size() >= limits.idle()) {
            idle.oldest().connection.close();
        }
        idle.add(connection, nanoTime());
        connection.idleSinceIteration = iteration;
        scheduleIterationEnd();
        if (!multiplexed) {
            ofHost.add(connection);
        }
        idleCount.lazySet(idle.size());
    }

    void removeIdle(PooledConnection connection) {
        idle.remove(connection);
        if (!connection.connection.isMultiplexed()) {
            connection.host.idle().remove(connection);
        }
        idleCount.lazySet(idle.size());
    }

    void countPooledHosts(int delta) {
        add(pooledHosts, delta);
    }

    void closed(HostPool host) {
        add(open, -1);
        removeIfUnused(host);
    }

    void removeIfUnused(HostPool host) {
        if (host.isUnused()) {
            hosts.remove(host.target().key(), host);
        }
    }

    /** Adds without an atomic operation, because there is one writer. Readers may see the value slightly later. */
    private static void add(AtomicInteger counter, int delta) {
        counter.lazySet(counter.get() + delta);
    }

    private void scheduleSweep() {
        if (!sweepScheduled && !closed) {
            sweepScheduled = true;
            long period = Math.max(Math.min(limits.idleTimeoutNanos() / 4, MAX_SWEEP_NANOS), MIN_SWEEP_NANOS);
            loop.schedule(this::sweepAndContinue, period, TimeUnit.NANOSECONDS);
        }
    }

    private void sweepAndContinue() {
        try {
            sweep();
        } catch (Throwable bug) {
            LOG.error("Closing idle connections failed because of a defect; retried later", bug);
        } finally {
            sweepScheduled = false;
            if (open.get() > 0) {
                scheduleSweep();
            }
        }
    }

    /** Closes connections that were idle or open for too long, and sends PINGs to silent targets. */
    void sweep() {
        long now = nanoTime();
        List<PooledConnection> all = new ArrayList<>();
        hosts.values().forEach(each -> all.addAll(each.connections()));
        for (PooledConnection each : all) {
            if (each.idle && !isWorthKeeping(each, now)) {
                each.connection.drain();
            } else if (isTooOld(each, now)) {
                each.host.replace(each, now);
            }
            each.connection.checkAlive(now);
        }
    }

    private boolean isWorthKeeping(PooledConnection connection, long now) {
        return now - connection.idleSinceNanos < limits.idleTimeoutNanos() && connection.connection.isUsable(now);
    }
}
