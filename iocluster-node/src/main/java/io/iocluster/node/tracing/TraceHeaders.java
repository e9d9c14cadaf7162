package io.iocluster.node.tracing;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.TraceContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes W3C Trace Context. Stateless. */
final class TraceHeaders {

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<TraceContext> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(TraceContext parent) {
            return List.of(TraceContext.TRACEPARENT, TraceContext.TRACESTATE);
        }

        @Override
        public String get(TraceContext parent, String name) {
            if (parent == null) {
                return null;
            }
            return name.equals(TraceContext.TRACEPARENT) ? parent.traceparent() : parent.tracestate();
        }
    };

    private static final TextMapSetter<Written> SETTER = (written, name, value) -> {
        if (name.equals(TraceContext.TRACEPARENT)) {
            written.traceparent = value;
        } else if (name.equals(TraceContext.TRACESTATE)) {
            written.tracestate = value;
        }
    };

    private TraceHeaders() {}

    /** Returns the parent span of a message: from the broker's headers, otherwise from the envelope's. */
    static Context extractParent(Delivery delivery, RequestEnvelope envelope) {
        TraceContext fromBroker = delivery.traceContext();
        TraceContext parent = fromBroker != null || envelope == null
                ? fromBroker
                : TraceContext.read(name -> header(envelope.headers(), name));
        return W3C.extract(Context.root(), parent, GETTER);
    }

    private static String header(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }

    /** Returns the trace context headers for a context's span. */
    static TraceContext inject(Context context) {
        Written written = new Written();
        W3C.inject(context, written, SETTER);
        return new TraceContext(written.traceparent, written.tracestate);
    }

    /** Returns the request with its trace context headers replaced. */
    static HttpRequest withTraceContext(HttpRequest request, TraceContext trace) {
        List<Header> headers = new ArrayList<>(request.headers().size() + 2);
        for (Header header : request.headers()) {
            if (!header.name().equalsIgnoreCase(TraceContext.TRACEPARENT)
                    && !header.name().equalsIgnoreCase(TraceContext.TRACESTATE)) {
                headers.add(header);
            }
        }
        headers.add(new Header(TraceContext.TRACEPARENT, trace.traceparent()));
        if (trace.tracestate() != null) {
            headers.add(new Header(TraceContext.TRACESTATE, trace.tracestate()));
        }
        return request.withHeaders(headers);
    }

    private static final class Written {

        private String traceparent;
        private String tracestate;
    }
}
