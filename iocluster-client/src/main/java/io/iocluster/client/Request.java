package io.iocluster.client;

import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.Scatter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One HTTP call to be made by the cluster, or several that are answered together. What may stand in it is the contract of {@code
 * docs/envelope.md}; a node checks URL, method and headers and answers {@code rejected} where they do not pass. Immutable.
 */
public final class Request {

    private final RequestEnvelope call;
    private final Duration deadline;
    private final String key;
    private final Map<String, String> messageHeaders;

    private Request(Builder builder) {
        this.call = builder.envelope();
        this.deadline = builder.deadline;
        this.key = builder.key;
        this.messageHeaders = Map.copyOf(builder.messageHeaders);
    }

    public static Builder get(String url) {
        return of("GET", url);
    }

    public static Builder post(String url) {
        return of("POST", url);
    }

    /** A call by any method that the contract knows, in upper case. */
    public static Builder of(String method, String url) {
        return new Builder(method, url, null);
    }

    /** Calls that are made at the same time and answered by the first that has a 2xx status. */
    public static Builder any(List<Request> branches) {
        return new Builder(null, null, scatter(Scatter.GatherMode.ANY, branches));
    }

    /** Calls that are made at the same time and answered by a result for each. */
    public static Builder all(List<Request> branches) {
        return new Builder(null, null, scatter(Scatter.GatherMode.ALL, branches));
    }

    private static Scatter scatter(Scatter.GatherMode mode, List<Request> branches) {
        if (branches.isEmpty()) {
            throw new IllegalArgumentException(mode.wireName() + " needs a call at least");
        }
        branches.forEach(branch -> branch.checkBranch(mode));
        return new Scatter(mode, branches.stream().map(branch -> branch.call).toList());
    }

    private void checkBranch(Scatter.GatherMode mode) {
        boolean plain = call.id() == null
                && call.context() == null
                && call.scatter() == null
                && call.replyTo() == null
                && call.reply() == ReplyMode.ALWAYS
                && deadline == null
                && key == null
                && messageHeaders.isEmpty();
        if (!plain) {
            throw new IllegalArgumentException("a call of " + mode.wireName()
                    + " has no id, deadline, reply, context, key or message header of its own: " + call);
        }
    }

    /** Null if the client is to make one. */
    public String id() {
        return call.id();
    }

    /** Null for the client's. */
    public Duration deadline() {
        return deadline;
    }

    OutgoingRequest encode(RequestEncoder encoder, String id, Duration deadline, String replyTo, Duration expiry) {
        return new OutgoingRequest(encoder.encode(toEnvelope(id, deadline, replyTo)), key, messageHeaders, expiry);
    }

    /** What a node reads; the place for the answer is the request's own if it names one. */
    RequestEnvelope toEnvelope(String id, Duration deadline, String replyTo) {
        return new RequestEnvelope(
                id,
                call.method(),
                call.url(),
                call.headers(),
                call.body(),
                call.timeoutMs(),
                deadline == null ? 0 : Math.max(1, deadline.toMillis()),
                call.maxAttempts(),
                call.idempotencyKey(),
                call.auth(),
                call.reply(),
                call.replyTo() == null ? replyTo : call.replyTo(),
                call.context(),
                call.scatter());
    }

    /** Whether an answer comes in every case, and to where its sender listens. */
    boolean hasDefaultReply() {
        return call.reply() == ReplyMode.ALWAYS && call.replyTo() == null;
    }

    /** Everything but URL, headers and body, which may hold what no log should. */
    @Override
    public String toString() {
        return call.toString();
    }

    /** Makes a request. Confined to one thread. */
    public static final class Builder {

        private final String method;
        private final String url;
        private final Scatter scatter;
        private final List<Header> headers = new ArrayList<>();
        private final Map<String, String> messageHeaders = new LinkedHashMap<>();
        private String id;
        private byte[] body;
        private long timeoutMs;
        private Duration deadline;
        private int maxAttempts;
        private String idempotencyKey;
        private String auth;
        private ReplyMode reply = ReplyMode.ALWAYS;
        private String replyTo;
        private String context;
        private String key;

        private Builder(String method, String url, Scatter scatter) {
            if (scatter == null && (method == null || url == null || url.isBlank())) {
                throw new IllegalArgumentException("a request has a method and a URL");
            }
            this.method = method;
            this.url = url;
            this.scatter = scatter;
        }

        /**
         * What the answer is found by, and a repeated one told. Without it the client makes one that nobody else has. The same id
         * means the same request.
         *
         * @throws IllegalArgumentException if it is empty
         */
        public Builder id(String id) {
            if (id != null && id.isEmpty()) {
                throw new IllegalArgumentException("id must not be empty, or its answer cannot be told from others");
            }
            this.id = id;
            return this;
        }

        /** One more line of the HTTP call's header. */
        public Builder header(String name, String value) {
            requireSingle("headers");
            headers.add(new Header(name, value));
            return this;
        }

        /** The body as UTF-8. */
        public Builder body(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** The body; nobody writes to the array again. */
        public Builder body(byte[] bytes) {
            requireSingle("a body");
            this.body = bytes;
            return this;
        }

        /** Bounds one attempt; without it the node's {@code http.timeout} does. */
        public Builder timeout(Duration timeout) {
            requireSingle("a timeout");
            this.timeoutMs = positive("timeout", timeout).toMillis();
            return this;
        }

        /** Bounds the whole from now on: queues, waits and attempts. Without it the client's timeout does. */
        public Builder deadline(Duration deadline) {
            this.deadline = positive("deadline", deadline);
            return this;
        }

        /** How often the call may be tried, from 1 to 100. */
        public Builder maxAttempts(int maxAttempts) {
            requireSingle("attempts");
            if (maxAttempts < 1 || maxAttempts > 100) {
                throw new IllegalArgumentException("maxAttempts must be from 1 to 100: " + maxAttempts);
            }
            this.maxAttempts = maxAttempts;
            return this;
        }

        /** Makes a POST or PATCH retryable. */
        public Builder idempotencyKey(String idempotencyKey) {
            requireSingle("an idempotency key");
            this.idempotencyKey = idempotencyKey;
            return this;
        }

        /** The name of a credential that the node holds. */
        public Builder auth(String auth) {
            requireSingle("a credential");
            this.auth = auth;
            return this;
        }

        /** What is to be answered at all; only for what is enqueued. */
        public Builder reply(ReplyMode reply) {
            this.reply = reply;
            return this;
        }

        /** Another topic or queue for the answer; only for what is enqueued, and where the node allows it. */
        public Builder replyTo(String place) {
            this.replyTo = place;
            return this;
        }

        /**
         * A JSON value that the answer brings back as it is.
         *
         * @throws IllegalArgumentException if it is none
         */
        public Builder context(String json) {
            this.context = RequestEncoder.parseContext(json);
            return this;
        }

        /** Kafka's key of the record, which decides on partition and order; AMQP's correlation id. Travels to the answer. */
        public Builder key(String key) {
            this.key = key;
            return this;
        }

        /** A header of the message, not of the call, such as {@code traceparent}. Travels to the answer. */
        public Builder messageHeader(String name, String value) {
            messageHeaders.put(name, value);
            return this;
        }

        public Request build() {
            return new Request(this);
        }

        private void requireSingle(String what) {
            if (scatter != null) {
                throw new IllegalArgumentException("of several calls each has " + what + " of its own");
            }
        }

        private static Duration positive(String name, Duration duration) {
            if (duration.toMillis() < 1) {
                throw new IllegalArgumentException(name + " must be a millisecond at least: " + duration);
            }
            return duration;
        }

        private RequestEnvelope envelope() {
            return new RequestEnvelope(
                    id,
                    method,
                    url,
                    List.copyOf(headers),
                    body,
                    timeoutMs,
                    0,
                    maxAttempts,
                    idempotencyKey,
                    auth,
                    reply,
                    replyTo,
                    context,
                    scatter);
        }
    }
}
