package io.iocluster.http.pool;

import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connect.DialListener;
import io.iocluster.http.connect.DialTarget;
import io.iocluster.http.connection.HttpConnection;
import io.iocluster.message.ErrorCode;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections to one host. Exists while it has a connection, a dial or a waiter. Confined to the event loop.
 *
 * <p>HTTP/1.1: each waiter takes the connection that was used last, or opens one. HTTP/2: all waiters share one connection. While this one
 * is in use, the pool opens its successor before it drains, or at once after a GOAWAY, so that few waiters wait for a handshake. Only the
 * first TLS handshake shows whether a target speaks HTTP/2, so all waiters wait for it.
 */
final class HostPool implements DialListener {

    /** Time after its last exchange for which an idle connection counts as in use. */
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Maximum wait for the SETTINGS of a successor. */
    private static final long SETTINGS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The part of a target's limit of requests after which the successor is opened. The rest starts during its handshake. */
    private static final int LIMIT_DIVISOR = 8;

    private final ConnectionPool pool;
    private final DialTarget target;
    private final Set<PooledConnection> connections = new LinkedHashSet<>();
    private final HostIdleList idle = new HostIdleList();
    /** Waiters for a free stream of the shared connection, in order. */
    private final Set<Acquisition> waiting = new LinkedHashSet<>();

    private final AddressWatch addresses;

    /** The connection whose streams all new exchanges use; null if there is none. */
    private PooledConnection shared;

    /** The open connection that becomes the shared one when its target has sent its SETTINGS; null if there is none. */
    private PooledConnection successor;

    /** Opens the shared connection, or its successor. */
    private Dial sharedDial;

    /** How many exchanges the target accepted on the last connection that it ended by GOAWAY; 0 before the first. */
    private int lastExchanges;

    /** How many exchanges the target accepts on each connection, as the last two GOAWAYs say; the largest number if they differ. */
    private int exchangeLimit = Integer.MAX_VALUE;

    /** When a successor may be opened. After one that failed, each change would otherwise open the next. */
    private long nextSuccessorNanos;

    private int dials;
    private int verifications;
    private int pooledConnections;
    private boolean serving;

    HostPool(ConnectionPool pool, DialTarget target) {
        this.pool = pool;
        this.target = target;
        this.addresses = new AddressWatch(pool.dialer(), target);
        this.nextSuccessorNanos = pool.nanoTime();
    }

    DialTarget target() {
        return target;
    }

    Set<PooledConnection> connections() {
        return connections;
    }

    HostIdleList idle() {
        return idle;
    }

    /** Returns the dial that all waiters wait for; null if they wait for a stream. */
    Dial sharedDial() {
        return shared == null ? sharedDial : null;
    }

    boolean isUnused() {
        return connections.isEmpty() && dials == 0 && verifications == 0 && waiting.isEmpty() && sharedDial == null;
    }

    /**
     * Gives the waiter a connection now and returns null, or returns the pending acquisition.
     *
     * @param nonIdempotent whether the request must not be sent twice
     */
    Acquisition acquire(ConnectionWaiter waiter, boolean http1Only, boolean nonIdempotent) {
        long now = pool.nanoTime();
        addresses.check(now, connections);
        PooledConnection ready = pollReady(now, http1Only);
        if (ready != null && !needsVerification(ready, nonIdempotent)) {
            waiter.onConnection(ready.connection, null);
            return null;
        }
        Acquisition acquisition = new Acquisition(this, waiter, http1Only, nonIdempotent);
        proceed(acquisition, ready);
        return acquisition.isDone() ? null : acquisition;
    }

    /**
     * Returns whether the event loop reads once more before the waiter gets the connection. The target may have closed an idle connection, or
     * have sent something that belongs to no request. The event loop learns it only from a read.
     */
    private boolean needsVerification(PooledConnection ready, boolean nonIdempotent) {
        return ready.connection.openExchanges() == 0 && (nonIdempotent || ready.idleSinceIteration != pool.iteration());
    }

    private PooledConnection pollReady(long now, boolean http1Only) {
        PooledConnection ready = http1Only ? null : sharedWithFreeStream(now);
        ready = ready == null ? pollIdle(now) : ready;
        if (ready != null) {
            use(ready);
        }
        return ready;
    }

    private void proceed(Acquisition acquisition, PooledConnection ready) {
        if (ready != null) {
            acquisition.setCandidate(ready);
            verifications++;
            pool.afterNextRead(() -> onRead(acquisition, ready));
        } else if (acquisition.isHttp1Only() || !mayShare()) {
            dialFor(acquisition);
        } else {
            waiting.add(acquisition);
            dialSharedIfNeeded();
        }
    }

    /** Gives the waiter the connection if it is still usable after the read; otherwise tries the next one. */
    private void onRead(Acquisition acquisition, PooledConnection connection) {
        verifications--;
        if (acquisition.isDone()) {
            pool.removeIfUnused(this);
            return;
        }
        acquisition.setCandidate(null);
        long now = pool.nanoTime();
        if (isReady(connection.connection, now)
                && acquisition.accepts(connection.connection)
                // It may drain now although its channel is still open.
                && isReady(connection.connection, now)) {
            use(connection);
            acquisition.deliver(connection.connection, null);
        } else {
            changed(connection);
            proceed(acquisition, pollReady(now, acquisition.isHttp1Only()));
        }
    }

    private static boolean isReady(HttpConnection connection, long now) {
        return connection.isUsable(now) && connection.hasFreeStream();
    }

    /** Returns whether the target may speak HTTP/2: false if a handshake has shown that it does not. */
    private boolean mayShare() {
        return target.mayUseHttp2() && !pool.usesHttp1(target.key());
    }

    private PooledConnection sharedWithFreeStream(long now) {
        if (shared != null && pool.isTooOld(shared, now)) {
            replace(shared, now);
        }
        boolean free = shared != null && shared.connection.isUsable(now) && shared.connection.hasFreeStream();
        // Calls that wait for a stream come first.
        return free && waiting.isEmpty() ? shared : null;
    }

    private PooledConnection pollIdle(long now) {
        for (PooledConnection each = idle.newest(); each != null; each = idle.newest()) {
            pool.removeIdle(each);
            if (each.connection.isUsable(now) && !pool.isTooOld(each, now)) {
                return each;
            }
            each.connection.close();
        }
        return null;
    }

    private void use(PooledConnection connection) {
        if (connection.idle) {
            pool.removeIdle(connection);
        }
    }

    void dialFor(Acquisition acquisition) {
        int limit = pool.limits().connectionsPerHost();
        if (limit > 0 && openConnections() + dials >= limit) {
            acquisition.fail(
                    new DialFailure(
                            ErrorCode.CONNECT_FAILED,
                            "http.connections-per-destination: all " + limit
                                    + " connections of this worker are in use; raise the limit, or lower the"
                                    + " destination's max-in-flight",
                            null),
                    null);
            return;
        }
        dials++;
        acquisition.startOwnDial();
    }

    private long openConnections() {
        return connections.stream()
                .filter(each -> !each.connection.isDraining())
                .count();
    }

    Dial newDial(boolean http1Only, DialListener listener) {
        return pool.dialer().newDial(target, http1Only, listener);
    }

    void dialEnded() {
        dials--;
        pool.removeIfUnused(this);
    }

    private void dialSharedIfNeeded() {
        boolean needed = shared == null
                ? !waiting.isEmpty()
                : successor == null && needsSuccessor(shared) && pool.nanoTime() - nextSuccessorNanos >= 0;
        if (needed) {
            dialShared();
        }
    }

    private void dialShared() {
        if (sharedDial == null) {
            sharedDial = newDial(false, this);
            sharedDial.start();
        }
    }

    private boolean needsSuccessor(PooledConnection connection) {
        return connection.replaced
                || connection.connection.needsSuccessor()
                || connection.connection.startedExchanges() >= exchangeLimit - exchangeLimit / LIMIT_DIVISOR;
    }

    /** Drains a connection. If it is shared and in use, opens its successor instead, and a later call drains it. */
    void replace(PooledConnection old, long now) {
        boolean successorIsSilent = successor != null && now - successor.connection.openedNanos() >= SETTINGS_NANOS;
        if (old != shared || successorIsSilent || !isInUse(old, now)) {
            old.connection.drain();
        } else {
            old.replaced = true;
            dialSharedIfNeeded();
        }
    }

    private static boolean isInUse(PooledConnection connection, long now) {
        boolean recent = connection.connection.startedExchanges() > 0 && now - connection.idleSinceNanos < RECENT_NANOS;
        return recent || connection.connection.openExchanges() > 0;
    }

    void leaveQueue(Acquisition acquisition) {
        waiting.remove(acquisition);
        if (waiting.isEmpty() && sharedDial() != null) {
            Dial unwanted = sharedDial;
            sharedDial = null;
            unwanted.cancel();
        }
        pool.removeIfUnused(this);
    }

    @Override
    public void onConnected(Channel channel, boolean http2) {
        Dial dial = sharedDial;
        sharedDial = null;
        PooledConnection opened = register(channel, http2);
        if (http2 && shared == null) {
            shared = opened;
        } else if (http2) {
            successor = opened;
        }
        if (waiting.isEmpty() || http2) {
            // Another connection may have served the waiters.
            serve(shared == opened ? dial : null);
            becomeIdleIfUnused(opened);
        } else {
            Acquisition first = pollWaiting();
            List<Acquisition> others = new ArrayList<>(waiting);
            waiting.clear();
            first.deliver(opened.connection, dial);
            others.forEach(Acquisition::dialAlone);
        }
        if (!http2 && shared != null) {
            // The target no longer speaks HTTP/2.
            shared.connection.drain();
        }
    }

    @Override
    public void onFailed(DialFailure failure) {
        Dial dial = sharedDial;
        sharedDial = null;
        if (shared != null) {
            successorFailed();
            return;
        }
        List<Acquisition> failed = new ArrayList<>(waiting);
        waiting.clear();
        failed.forEach(each -> each.fail(failure, dial));
        pool.removeIfUnused(this);
    }

    /** Uses the shared connection for as long as it works. One with many resets drains, because the target may close it with all calls. */
    private void successorFailed() {
        nextSuccessorNanos = pool.nanoTime() + RECENT_NANOS;
        if (shared.connection.needsSuccessor()) {
            shared.connection.drain();
        }
    }

    /** Registers a connection that was opened for one waiter. */
    void opened(Channel channel, boolean http2, Acquisition acquisition) {
        PooledConnection opened = register(channel, http2);
        if (http2 && shared == null) {
            shared = opened;
        }
        acquisition.deliver(opened.connection, acquisition.ownDial());
        changed(opened);
    }

    private PooledConnection register(Channel channel, boolean http2) {
        PooledConnection opened = pool.open(channel, http2, this);
        connections.add(opened);
        pool.rememberProtocol(target, http2);
        return opened;
    }

    /** Gives free streams of the shared connection to waiters. */
    private void serve(Dial dial) {
        if (serving) {
            return; // The call of this method that is in progress continues.
        }
        serving = true;
        try {
            while (!waiting.isEmpty()
                    && shared != null
                    && shared.connection.isUsable(pool.nanoTime())
                    && shared.connection.hasFreeStream()) {
                use(shared);
                pollWaiting().deliver(shared.connection, dial);
            }
        } finally {
            serving = false;
        }
        if (shared != null) {
            becomeIdleIfUnused(shared);
        }
    }

    private Acquisition pollWaiting() {
        Acquisition first = waiting.iterator().next();
        waiting.remove(first);
        return first;
    }

    /** Called when an exchange ended, or the number of exchanges that may start has changed. */
    void changed(PooledConnection connection) {
        if (connection.connection.isDraining()) {
            use(connection);
            forget(connection);
        } else if (connection == successor && connection.connection.hasFreeStream()) {
            // Its target has sent its SETTINGS.
            shared.connection.drain();
        } else if (connection == shared) {
            dialSharedIfNeeded();
            serve(null);
        } else {
            becomeIdleIfUnused(connection);
        }
    }

    /** Starts no further exchange on this connection. */
    private void forget(PooledConnection connection) {
        if (connection == successor) {
            successor = null;
            successorFailed();
        } else if (connection == shared) {
            shared = successor;
            successor = null;
            int exchanges = connection.connection.exchangesBeforeGoAway();
            if (exchanges > 0) {
                onGoAway(connection, exchanges);
            }
            dialSharedIfNeeded();
            serve(null);
        }
    }

    /** Opens the next connection if the target has ended one that is in use, and learns its limit of requests. */
    private void onGoAway(PooledConnection ended, int exchanges) {
        // A smaller limit would leave no time for a handshake.
        boolean known = exchanges == lastExchanges && exchanges >= LIMIT_DIVISOR;
        exchangeLimit = known ? exchanges : Integer.MAX_VALUE;
        lastExchanges = exchanges;
        if (shared == null && isInUse(ended, pool.nanoTime())) {
            dialShared();
        }
    }

    private void becomeIdleIfUnused(PooledConnection connection) {
        boolean unused = connection.connection.openExchanges() == 0 && !connection.connection.isDraining();
        if (unused && !connection.idle && connections.contains(connection)) {
            if (!connection.pooled) {
                connection.pooled = true;
                pool.countPooledHosts(++pooledConnections == 1 ? 1 : 0);
            }
            pool.addIdle(connection);
        }
    }

    void closed(PooledConnection connection) {
        if (!connections.remove(connection)) {
            return;
        }
        if (connection.idle) {
            pool.removeIdle(connection);
        }
        if (connection.pooled) {
            pool.countPooledHosts(--pooledConnections == 0 ? -1 : 0);
        }
        forget(connection);
        pool.closed(this);
    }

    /** Ends all dials and closes all connections. */
    void close() {
        if (sharedDial != null) {
            sharedDial.cancel();
            sharedDial = null;
        }
        waiting.clear();
        List.copyOf(connections).forEach(each -> each.connection.close());
    }
}
