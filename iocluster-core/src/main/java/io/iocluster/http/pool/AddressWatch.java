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
 * Drains connections to addresses that the name of their host no longer has. Without it, calls to a busy host would go to an old address
 * until the connections reach their maximum age. Confined to the event loop.
 */
final class AddressWatch {

    /** Time between lookups. The DNS cache answers most of them, until the TTL of the records has passed. */
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Time for which an address counts after it was last returned, because some name servers return a few of many addresses each time. */
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

    /** Looks the name up again if the last lookup started at least five seconds ago. */
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
                each.host.replace(each, nowNanos);
            }
        }
    }
}
