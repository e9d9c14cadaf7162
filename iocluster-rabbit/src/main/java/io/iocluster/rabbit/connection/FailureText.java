package io.iocluster.rabbit.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** What the client throws, in words for people. Stateless. */
public final class FailureText {

    private static final int MOST_CAUSES = 16;
    /** What Netty puts before the system's own words. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private FailureText() {}

    /** One line. */
    public static String of(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < MOST_CAUSES; depth++) {
            String known = known(cause);
            if (known != null) {
                return known;
            }
            if (cause.getCause() == null) {
                break;
            }
            cause = cause.getCause();
        }
        if (cause.getMessage() == null) {
            return cause.getClass().getSimpleName();
        }
        return SYSTEM_CALL
                .matcher(cause.getMessage().lines().findFirst().orElse(""))
                .replaceFirst("");
    }

    private static String known(Throwable cause) {
        if (cause instanceof ShutdownSignalException closed) {
            return replyText(closed.getReason());
        }
        if (cause instanceof TimeoutException) {
            return "no answer in time";
        }
        return cause instanceof UnknownHostException ? "unknown host" : null;
    }

    /** What the broker closed with, or null if it did not close. */
    public static String replyText(Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : null;
    }

    /** The code that the broker closed with, or 0. */
    public static int replyCode(Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }
}
