package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes wrong inside the client. It shows as a lost connection, of which the {@link ConnectionSupervisor} tells, so that here is only the
 * detail; what this transport's own callbacks throw is a defect.
 */
final class LoggingExceptionHandler extends ForgivingExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingExceptionHandler.class);

    @Override
    protected void handleChannelKiller(Channel channel, Throwable bug, String what) {
        LOG.error("defect in {}", what, bug);
    }

    @Override
    protected void handleConnectionKiller(Connection connection, Throwable bug, String what) {
        LOG.error("defect in {}", what, bug);
    }

    @Override
    protected void log(String message, Throwable failure) {
        LOG.debug("{}", message, failure);
    }
}
