package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.netty.channel.Channel;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Counts the bytes of a response until its caller has read them. Stateless. */
public final class UnreadResponse {

    private UnreadResponse() {}

    /** Starts to count the bytes of a response. Its end removes them. A caller that does not read loses its connection. */
    public static Unread start(DoorRequest request) {
        ServiceRequestContext context = request.context();
        Unread unread = request.answers().open(request.appName(), () -> disconnect(context));
        context.log().whenComplete().thenRun(unread::end);
        return unread;
    }

    /** Closes the connection, because the reset of an HTTP/1 response would wait until the caller reads. */
    private static void disconnect(ServiceRequestContext context) {
        Channel channel = context.log().partial().channel();
        if (channel != null) {
            channel.close();
        }
    }

    /**
     * Returns the same response, and removes each part from the unread bytes when it is sent. The server asks for a part when it has
     * sent the part before.
     */
    public static HttpResponse observed(ServiceRequestContext context, HttpResponse response, Unread unread) {
        Publisher<HttpObject> parts = server -> response.subscribe(new Observer(server, unread), context.eventLoop());
        return HttpResponse.of(parts);
    }

    /** Confined to the event loop of the request. */
    private static final class Observer implements Subscriber<HttpObject>, Subscription {

        private final Subscriber<? super HttpObject> server;
        private final Unread unread;
        private Subscription parts;
        private long sending;

        Observer(Subscriber<? super HttpObject> server, Unread unread) {
            this.server = server;
            this.unread = unread;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            parts = subscription;
            server.onSubscribe(this);
        }

        @Override
        public void onNext(HttpObject part) {
            if (part instanceof HttpData data) {
                sending += data.length();
            }
            server.onNext(part);
        }

        @Override
        public void onError(Throwable failure) {
            server.onError(failure);
        }

        @Override
        public void onComplete() {
            server.onComplete();
        }

        @Override
        public void request(long count) {
            unread.sent(sending);
            sending = 0;
            parts.request(count);
        }

        @Override
        public void cancel() {
            parts.cancel();
        }
    }
}
