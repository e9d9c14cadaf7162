package io.iocluster.rabbit.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Turns exceptions of the client into short texts for logs and status. Stateless. */
public final class FailureText {

    private static final int MAX_CAUSES = 16;
    /** The prefix that Netty puts before the operating system's message. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private FailureText() {}

    /** Returns one line that describes the failure. */
    public static String of(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < MAX_CAUSES; depth++) {
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

    /** Returns the broker's reply text, or null if the broker did not close. */
    public static String replyText(Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : null;
    }

    /** Returns the broker's reply code, or 0 if the broker did not close. */
    public static int replyCode(Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }
}
