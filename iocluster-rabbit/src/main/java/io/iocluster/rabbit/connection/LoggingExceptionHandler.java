package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures inside the client. Stateless. The {@link ConnectionSupervisor} reports the lost connections that follow, so the
 * details are logged at debug level. An exception in a callback of this transport is a defect.
 */
final class LoggingExceptionHandler extends ForgivingExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingExceptionHandler.class);

    @Override
    protected void handleChannelKiller(Channel channel, Throwable bug, String callback) {
        LOG.error("Callback failed with an unexpected exception callback={}", callback, bug);
    }

    @Override
    protected void handleConnectionKiller(Connection connection, Throwable bug, String callback) {
        LOG.error("Callback failed with an unexpected exception callback={}", callback, bug);
    }

    @Override
    protected void log(String message, Throwable failure) {
        LOG.debug("{}", message, failure);
    }
}
