package io.iocluster.node.admin;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends an {@link AdminStream} as fast as the client reads it. Confined to the request's event loop after its start. */
final class StreamedResponse {

    private static final Logger LOG = LoggerFactory.getLogger(StreamedResponse.class);
    private static final long POLL_MILLIS = 100;
    /** Time for the client to read the end of the response. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ServiceRequestContext context;
    private final HttpResponseWriter writer;
    private final AdminStream stream;

    private StreamedResponse(ServiceRequestContext context, HttpResponseWriter writer, AdminStream stream) {
        this.context = context;
        this.writer = writer;
        this.stream = stream;
    }

    /** Starts the response. Its stream is closed when the response has ended, when the client has gone, or soon after its maximum duration. */
    static HttpResponse start(ServiceRequestContext context, ResponseHeaders headers, AdminStream stream) {
        context.clearRequestTimeout();
        HttpResponseWriter writer = HttpResponse.streaming();
        // A client that does not read would otherwise keep the stream open for ever, because nothing is polled then.
        ScheduledFuture<?> cutOff = context.eventLoop()
                .schedule(
                        () -> cutOff(context, writer),
                        stream.maxDuration().plus(GRACE).toMillis(),
                        TimeUnit.MILLISECONDS);
        stream.cutOff().thenRun(() -> cutOff(context, writer));
        writer.whenComplete().handle((done, gone) -> {
            cutOff.cancel(false);
            stream.close();
            return null;
        });
        writer.write(headers);
        if (context.method() == HttpMethod.HEAD) {
            writer.close();
        } else {
            StreamedResponse response = new StreamedResponse(context, writer, stream);
            context.eventLoop().execute(response::send);
        }
        return writer;
    }

    /** Ends the response and drops its rest. Closes the connection, which otherwise keeps the rest until the client reads it or leaves. */
    private static void cutOff(ServiceRequestContext context, HttpResponseWriter writer) {
        writer.abort();
        Channel channel = context.log().partial().channel();
        if (channel != null && !context.sessionProtocol().isMultiplex()) {
            channel.close();
        }
    }

    private void send() {
        try {
            byte[] next = stream.poll();
            if (next == null) {
                writer.close();
            } else if (next.length == 0 || writer.tryWrite(HttpData.wrap(next))) {
                writer.whenConsumed()
                        .thenRun(() -> context.eventLoop().schedule(this::send, POLL_MILLIS, TimeUnit.MILLISECONDS));
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("Stream of the admin server failed path={}", context.path(), bug);
            writer.close(bug);
        }
    }
}
