package io.iocluster.http.pool;

import io.iocluster.http.connect.DialTarget;
import io.iocluster.http.connect.Dialer;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Drains the connections of a host to addresses that its name does not have any more. Without it, a busy host would stay where it was until
 * its connections are too old. Confined to the event loop.
 */
final class AddressWatch {

    /** A lookup is answered by the cache until the TTL of the records has passed. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Name servers with many addresses for a name return some of them in turns. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Dialer dialer;
    private final DialTarget target;
    private final Map<InetAddress, Long> lastSeen = new HashMap<>();
    private boolean started;
    private long lastCheckNanos;
    private boolean checking;

    AddressWatch(Dialer dialer, DialTarget target) {
        this.dialer = dialer;
        this.target = target;
    }

    /** Looks the name up again if the last time was a while ago. */
    void check(long nowNanos, Set<PooledConnection> connections) {
        if (!started) {
            started = true;
            lastCheckNanos = nowNanos;
        } else if (!checking
                && nowNanos - lastCheckNanos >= CHECK_NANOS
                && !connections.isEmpty()
                && target.connectsByName()) {
            checking = true;
            lastCheckNanos = nowNanos;
            dialer.resolve(target).addListener((Future<List<InetSocketAddress>> found) -> {
                checking = false;
                if (found.isSuccess()) {
                    update(found.getNow(), nowNanos, connections);
                }
            });
        }
    }

    private void update(List<InetSocketAddress> found, long nowNanos, Set<PooledConnection> connections) {
        lastSeen.values().removeIf(seen -> nowNanos - seen > GRACE_NANOS);
        found.forEach(each -> lastSeen.put(each.getAddress(), nowNanos));
        for (PooledConnection each : List.copyOf(connections)) {
            boolean hasAddress = each.connection.channel().remoteAddress() instanceof InetSocketAddress remote
                    && !lastSeen.containsKey(remote.getAddress());
            if (hasAddress && nowNanos - each.connection.openedNanos() > GRACE_NANOS) {
                each.connection.drain();
            }
        }
    }
}
