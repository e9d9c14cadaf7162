package io.iocluster.client;

import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.Scatter;
import io.iocluster.message.usable.UsableRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One HTTP call, or several with a common answer, for the cluster to make. {@code docs/envelope.md} is the contract. A
 * node checks URL, method and headers, and answers {@code rejected} if they are invalid or forbidden. Immutable.
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

    /** Starts a GET request. */
    public static Builder get(String url) {
        return of("GET", url);
    }

    /** Starts a POST request. */
    public static Builder post(String url) {
        return of("POST", url);
    }

    /** Starts a request with any method of the contract, in upper case. */
    public static Builder of(String method, String url) {
        return new Builder(method, url, null);
    }

    /** Starts a request of parallel calls whose answer is the first usable one. By default every 2xx is usable, see {@link Builder#usable}. */
    public static Builder any(List<Request> branches) {
        return new Builder(null, null, scatter(Scatter.GatherMode.ANY, branches));
    }

    /** Starts a request of parallel calls whose answer has one result for each. */
    public static Builder all(List<Request> branches) {
        return new Builder(null, null, scatter(Scatter.GatherMode.ALL, branches));
    }

    private static Scatter scatter(Scatter.GatherMode mode, List<Request> branches) {
        if (branches.isEmpty()) {
            throw new IllegalArgumentException(mode.wireName() + " must have at least one call");
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
            throw new IllegalArgumentException("a branch of " + mode.wireName()
                    + " must not set id, deadline, reply, context, key or message headers: " + call);
        }
    }

    /** Returns the id; null if the client generates one. */
    public String id() {
        return call.id();
    }

    /** Returns the deadline; null for the client's timeout. */
    public Duration deadline() {
        return deadline;
    }

    OutgoingRequest encode(RequestEncoder encoder, String id, Duration deadline, String replyTo, Duration expiry) {
        return new OutgoingRequest(encoder.encode(toEnvelope(id, deadline, replyTo)), key, messageHeaders, expiry);
    }

    /** Returns the envelope; the request's {@code replyTo} takes precedence over the parameter. */
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
                call.usable(),
                call.reply(),
                call.replyTo() == null ? replyTo : call.replyTo(),
                call.context(),
                call.scatter());
    }

    /** Returns whether every outcome is answered, and to the client's own topic or queue. */
    boolean hasDefaultReply() {
        return call.reply() == ReplyMode.ALWAYS && call.replyTo() == null;
    }

    /** Omits URL, header values and body, because they may hold data that must not be logged. */
    @Override
    public String toString() {
        return call.toString();
    }

    /** Builds a request. Confined to one thread. */
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
        private UsableRule usable;
        private ReplyMode reply = ReplyMode.ALWAYS;
        private String replyTo;
        private String context;
        private String key;

        private Builder(String method, String url, Scatter scatter) {
            if (scatter == null && (method == null || url == null || url.isBlank())) {
                throw new IllegalArgumentException("request must have a method and a URL");
            }
            this.method = method;
            this.url = url;
            this.scatter = scatter;
        }

        /**
         * Sets the id, which matches the answer to the request and detects duplicates. Two requests with the same id
         * are treated as the same request. If not set, the client generates a unique id.
         *
         * @throws IllegalArgumentException if the id is empty
         */
        public Builder id(String id) {
            if (id != null && id.isEmpty()) {
                throw new IllegalArgumentException("id must not be empty");
            }
            this.id = id;
            return this;
        }

        /** Adds an HTTP header line. */
        public Builder header(String name, String value) {
            requireSingle("headers");
            headers.add(new Header(name, value));
            return this;
        }

        /** Sets the body, encoded as UTF-8. */
        public Builder body(String text) {
            return body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Sets the body. The caller must not change the array afterwards. */
        public Builder body(byte[] bytes) {
            requireSingle("body");
            this.body = bytes;
            return this;
        }

        /** Sets the limit for one attempt. The default is the node's {@code http.timeout}. */
        public Builder timeout(Duration timeout) {
            requireSingle("timeout");
            this.timeoutMs = positive("timeout", timeout).toMillis();
            return this;
        }

        /** Sets the limit for the whole call: queues, waits and attempts. The default is the client's timeout. */
        public Builder deadline(Duration deadline) {
            this.deadline = positive("deadline", deadline);
            return this;
        }

        /** Sets the maximum number of attempts, from 1 to 100. */
        public Builder maxAttempts(int maxAttempts) {
            requireSingle("maxAttempts");
            if (maxAttempts < 1 || maxAttempts > 100) {
                throw new IllegalArgumentException("maxAttempts must be from 1 to 100: " + maxAttempts);
            }
            this.maxAttempts = maxAttempts;
            return this;
        }

        /** Sets the idempotency key, which makes a POST or PATCH retryable. */
        public Builder idempotencyKey(String idempotencyKey) {
            requireSingle("idempotencyKey");
            this.idempotencyKey = idempotencyKey;
            return this;
        }

        /** Sets the name of a credential of the node's configuration. */
        public Builder auth(String auth) {
            requireSingle("auth");
            this.auth = auth;
            return this;
        }

        /**
         * Sets which answers of the target are usable. The default is the rule of the destination. An unusable answer does not win in
         * {@link Request#any}, and a node may retry it. See {@link UsableRule#builder}.
         */
        public Builder usable(UsableRule usable) {
            requireSingle("usable");
            this.usable = usable;
            return this;
        }

        /** Sets which outcomes are answered. Only for {@link IoClusterClient#enqueue}. */
        public Builder reply(ReplyMode reply) {
            this.reply = reply;
            return this;
        }

        /**
         * Sets the topic or queue for the answer, which the node must allow. Only for {@link IoClusterClient#enqueue}.
         */
        public Builder replyTo(String replyTo) {
            this.replyTo = replyTo;
            return this;
        }

        /**
         * Sets a JSON value that the answer repeats unchanged.
         *
         * @throws IllegalArgumentException if the text is not a single JSON value
         */
        public Builder context(String json) {
            this.context = RequestEncoder.parseContext(json);
            return this;
        }

        /**
         * Sets the Kafka record key, which decides partition and order, or the AMQP correlation id. The answer has it
         * too.
         */
        public Builder key(String key) {
            this.key = key;
            return this;
        }

        /** Sets a header of the message, not of the HTTP call, such as {@code traceparent}. The answer has it too. */
        public Builder messageHeader(String name, String value) {
            messageHeaders.put(name, value);
            return this;
        }

        /** Returns the request. */
        public Request build() {
            return new Request(this);
        }

        private void requireSingle(String what) {
            if (scatter != null) {
                throw new IllegalArgumentException(
                        "a request with several calls has no " + what + "; set it on each call");
            }
        }

        private static Duration positive(String name, Duration duration) {
            if (duration.toMillis() < 1) {
                throw new IllegalArgumentException(name + " must be at least 1 ms: " + duration);
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
                    usable,
                    reply,
                    replyTo,
                    context,
                    scatter);
        }
    }
}
