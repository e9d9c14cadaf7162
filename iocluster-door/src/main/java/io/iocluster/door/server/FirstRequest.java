package io.iocluster.door.server;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Closes connections whose first request does not arrive in time, because the number of connections is limited. Stateless. */
final class FirstRequest {

    private static final AttributeKey<Boolean> ARRIVED = AttributeKey.valueOf(FirstRequest.class, "arrived");

    private FirstRequest() {}

    /** Closes the connection after this time, unless a request has arrived. Returns the timeout, which ends with the connection. */
    static Future<?> expect(Channel connection, Duration within) {
        Future<?> timeout = connection
                .eventLoop()
                .schedule(() -> closeUnlessArrived(connection), within.toMillis(), TimeUnit.MILLISECONDS);
        // Otherwise callers that connect and disconnect fast would fill the memory with closed connections.
        connection.closeFuture().addListener(closed -> timeout.cancel(false));
        return timeout;
    }

    private static void closeUnlessArrived(Channel connection) {
        if (!connection.hasAttr(ARRIVED)) {
            connection.close();
        }
    }

    /** Records that a request has arrived on its connection. */
    static void mark(ServiceRequestContext context) {
        Channel channel = context.log().partial().channel();
        if (channel != null) {
            channel.attr(ARRIVED).set(true);
            if (channel.parent() != null) {
                channel.parent().attr(ARRIVED).set(true);
            }
        }
    }
}
