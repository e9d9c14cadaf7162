package io.iocluster.node.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import io.iocluster.log.LogThrottle;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the resolver's own warnings by one line in ten seconds, without a stack trace. The resolver logs each response
 * that it cannot use, so a producer that invents host names, or a bad name server, would fill the log. Thread-safe.
 */
final class DnsWarnings extends AppenderBase<ILoggingEvent> {

    static final String LOGGER = "io.netty.resolver.dns";

    private static final Logger LOG = LoggerFactory.getLogger(DnsWarnings.class);

    /** Longer than any host name, and short enough for one line. */
    private static final int MAX_DETAIL = 400;

    private final LogThrottle throttle;

    DnsWarnings(LongSupplier clock) {
        this.throttle = new LogThrottle(LOG, clock);
    }

    @Override
    protected void append(ILoggingEvent event) {
        long suppressed = throttle.pollSuppressed();
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "DNS query failed; the call fails or asks the next name server suppressed={} {}",
                    suppressed,
                    detail(event));
        }
    }

    private static String detail(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        String error = thrown == null ? "" : "error=" + thrown.getClassName() + ": " + thrown.getMessage() + " ";
        String detail = error + "detail=" + event.getFormattedMessage();
        return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL) + "…";
    }
}
