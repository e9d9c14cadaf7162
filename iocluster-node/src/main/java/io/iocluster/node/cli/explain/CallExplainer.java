package io.iocluster.node.cli.explain;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.policy.DestinationMatcher;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressMode;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.kafka.config.TopicNames;
import io.iocluster.message.BoundedText;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.validation.RequestValidator;
import io.iocluster.pipeline.validation.RequestValidator.Rejected;
import io.iocluster.rabbit.config.ReplyToPolicy;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import io.iocluster.transport.ReplyToRules;
import io.iocluster.upstream.UpstreamSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decodes and validates an envelope as a node with this configuration does, and adds facts about its calls. Sends nothing. Confined to
 * one thread.
 */
final class CallExplainer {

    private final NodeSettings settings;
    private final boolean resolve;
    private final Set<String> violations = new LinkedHashSet<>();
    private final EgressPolicy egress;
    private final DestinationMatcher destinations;
    private final RequestValidator<Optional<DestinationSettings>> validator;

    /** @param resolve whether to resolve host names and check the addresses */
    CallExplainer(NodeSettings settings, boolean resolve) {
        this.settings = settings;
        this.resolve = resolve;
        this.egress = new EgressPolicy(settings.egress(), (rejection, target) -> violations.add(rejection.message()));
        this.destinations = new DestinationMatcher(settings.destinations(), settings.destinationDefaults());
        this.validator = new RequestValidator<>(
                () -> egress,
                new CredentialStore(settings.credentials(), Platform.system()),
                origin -> destinations.find(origin.host()),
                this::policy,
                settings.http(),
                replyToRules(settings));
    }

    /** Returns one explanation for each call of the envelope. */
    List<Explanation> explain(byte[] envelope) {
        DecodedRequest decoded = new RequestDecoder(
                        settings.http().maxEnvelopeBytes(), settings.workers().maxBranches())
                .decode(envelope);
        if (decoded instanceof DecodedRequest.Malformed malformed) {
            return List.of(new Explanation()
                    .refuse(ErrorCode.MALFORMED_ENVELOPE, malformed.message())
                    .with("answer", "none: the message becomes a dead letter"));
        }
        if (decoded instanceof DecodedRequest.Invalid invalid) {
            return List.of(new Explanation().refuse(invalid.code(), invalid.message()));
        }
        RequestEnvelope whole = ((DecodedRequest.Valid) decoded).envelope();
        ExplainedMessage message = new ExplainedMessage(envelope);
        Optional<Rejection> replyTo = validator.validateReplyTo(whole, message);
        if (whole.scatter() == null) {
            return List.of(explain(message, whole, whole, replyTo));
        }
        return whole.scatter().branches().stream()
                .map(branch -> explain(message, whole, branch, replyTo))
                .toList();
    }

    private Explanation explain(
            ExplainedMessage message, RequestEnvelope whole, RequestEnvelope call, Optional<Rejection> replyTo) {
        Explanation explanation = new Explanation();
        violations.clear();
        replyTo.ifPresent(explanation::refuse);
        if (validator.validate(call, message) instanceof Rejected<Optional<DestinationSettings>> rejected) {
            explanation.refuse(rejected.refusal());
        }
        if (!(egress.checkUrl(call.url()) instanceof TargetUrl target)) {
            return explanation.with("egress", "egress.mode: " + mode());
        }
        Optional<DestinationSettings> entry = destinations.find(target.host());
        DestinationPolicy policy = policy(entry);
        HttpRequest request = RequestValidator.request(call, message, target, policy);
        String addresses = addresses(target, policy.upstreams(), explanation);
        return explanation
                .accept()
                .with("call", call.method() + " " + target.scheme() + "://" + target.destination())
                .with("destination", destination(target, entry))
                .with("egress", egressFact(target))
                .with("upstreams", policy.upstreams().description())
                .with("addresses", addresses)
                .with("credential", credentialFact(request.credential(), call.auth() != null))
                .with("limits", limits(policy))
                .with("cache", CacheFact.of(policy.cache(), request))
                .with("time", time(whole, call, policy))
                .with("retries", retries(call, request, policy))
                .with("hedging", HedgeFact.of(policy, request, call))
                .with("usable", usable(call, policy))
                .with("answer", answer(whole));
    }

    private DestinationPolicy policy(Optional<DestinationSettings> entry) {
        return entry.map(DestinationSettings::policy).orElse(destinations.defaultPolicy());
    }

    /** A pattern with a placeholder matches nothing here, because the message has no headers and no user. */
    private static ReplyToRules replyToRules(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA -> {
                TopicNames names = new TopicNames(settings.kafka());
                yield (message, replyTo) -> names.allowsReplyTo(message, null, replyTo);
            }
            case RABBIT -> {
                ReplyToPolicy policy = new ReplyToPolicy(settings.rabbit());
                yield (message, replyTo) -> policy.allowsReplyTo(message, null, replyTo);
            }
        };
    }

    private String mode() {
        return settings.egress().mode().name().toLowerCase(java.util.Locale.ROOT);
    }

    private String destination(TargetUrl target, Optional<DestinationSettings> entry) {
        return entry.map(found -> found.name() + " (destinations["
                        + settings.destinations().indexOf(found) + "], match: " + String.join(", ", found.match())
                        + ")")
                .orElse(target.destination() + " (no entry of destinations matches; destination-defaults apply)");
    }

    private String egressFact(TargetUrl target) {
        EgressMode mode = settings.egress().mode();
        String allowed = "scheme " + target.scheme() + ", port " + target.port() + " and host " + target.host();
        return switch (mode) {
            case OPEN -> "egress.mode: open; no destination is checked";
            case REPORT ->
                "egress.mode: report; "
                        + (violations.isEmpty()
                                ? allowed + " are allowed"
                                : "would refuse: " + String.join("; ", violations));
            case ENFORCE ->
                "egress.mode: enforce; " + allowed + " are allowed by egress.schemes, egress.ports and "
                        + (settings.egress().allowHosts().isEmpty() ? "egress.deny-hosts" : "egress.allow-hosts");
        };
    }

    private String addresses(TargetUrl target, UpstreamSettings upstreams, Explanation explanation) {
        List<UpstreamAddress> hosts = upstreams.isEnabled()
                ? upstreams.connectsTo()
                : List.of(new UpstreamAddress(target.host(), target.port()));
        if (hosts.isEmpty()) {
            return "checked when the node connects to an upstream";
        }
        return resolve
                ? String.join(
                        ", ",
                        hosts.stream().map(each -> resolved(each, explanation)).toList())
                : "checked after the host is resolved; use --resolve to do that now";
    }

    private String resolved(UpstreamAddress host, Explanation explanation) {
        try {
            List<InetSocketAddress> resolved = Arrays.stream(InetAddress.getAllByName(host.host()))
                    .map(address -> new InetSocketAddress(address, host.port()))
                    .toList();
            String list = String.join(
                    ", ",
                    resolved.stream()
                            .map(address -> address.getAddress().getHostAddress())
                            .toList());
            if (!egress.allows(host.host(), resolved)) {
                explanation.refuse(
                        ErrorCode.ADDRESS_NOT_ALLOWED,
                        "the host has an address that is not allowed: " + list + "; see egress.allow-networks");
            }
            return list;
        } catch (UnknownHostException unknown) {
            return "this machine cannot resolve the host";
        }
    }

    /** Names the credential and its kind, and never a value of it. */
    private String credentialFact(String credential, boolean named) {
        if (credential == null) {
            return "none";
        }
        String origin = credential + (named ? " (auth of the envelope)" : " (credential of the destination)");
        CredentialSettings found = settings.credentials().get(credential);
        if (found == null) {
            return origin + ": unknown";
        }
        List<String> adds = new ArrayList<>();
        new TreeSet<>(found.headers().keySet()).forEach(header -> adds.add("header " + header));
        if (!found.bearer().isEmpty()) {
            adds.add("Authorization with a bearer token");
        }
        if (found.basic().isConfigured()) {
            adds.add("Authorization with user and password");
        }
        if (found.oauth2().isConfigured()) {
            adds.add("Authorization with an OAuth 2.0 token");
        }
        if (found.standardWebhooks().isConfigured()) {
            int secrets = found.standardWebhooks().secrets().size();
            adds.add("a Standard Webhooks signature with " + secrets + (secrets == 1 ? " secret" : " secrets"));
        }
        if (found.awsSigV4().isConfigured()) {
            adds.add("Authorization with an AWS signature for "
                    + found.awsSigV4().service() + " in " + found.awsSigV4().region());
        }
        return origin + ": adds " + String.join(", ", adds) + "; for hosts " + String.join(", ", found.hosts());
    }

    private String limits(DestinationPolicy policy) {
        String inFlight = policy.maxInFlight() == 0
                ? "its share of workers.max-in-flight (" + settings.workers().maxInFlight() + ")"
                : policy.maxInFlight() + per(policy.limits().dividesMaxInFlight());
        return "in flight " + inFlight + ", waiting " + policy.maxWaiting() + ", rate " + policy.rate()
                + per(policy.limits().dividesRate()) + ", request body "
                + settings.http().maxRequestBody() + ", response body "
                + settings.http().maxResponseBody();
    }

    private static String per(boolean divided) {
        return divided ? " for the whole cluster" : "";
    }

    private String time(RequestEnvelope whole, RequestEnvelope call, DestinationPolicy policy) {
        Duration timeout = call.timeoutMs() > 0
                ? min(Duration.ofMillis(call.timeoutMs()), max(settings.http().maxTimeout(), policy.timeout()))
                : policy.timeout();
        Duration standard =
                whole.scatter() == null ? policy.deadline() : settings.http().deadline();
        Duration deadline = min(
                whole.deadlineMs() > 0 ? Duration.ofMillis(whole.deadlineMs()) : standard,
                settings.http().maxDeadline());
        return "an attempt may take " + DurationText.format(min(timeout, deadline)) + ", the whole call "
                + DurationText.format(deadline);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static String retries(RequestEnvelope call, HttpRequest request, DestinationPolicy policy) {
        return "up to " + HedgeFact.maxAttempts(call, policy) + " attempts"
                + (HedgeFact.isRepeatable(call, request)
                        ? ""
                        : "; " + call.method() + " without idempotencyKey: only if it was surely not sent");
    }

    private static String usable(RequestEnvelope call, DestinationPolicy policy) {
        UsableRule rule = policy.usable().ruleFor(call.usable());
        if (rule == null) {
            return "not checked; a 2xx wins in any";
        }
        return BoundedText.truncate(rule.toString())
                + (call.usable() == null ? " (usable of the destination)" : " (usable of the envelope)")
                + (policy.retry().unusableAnswers() ? "; other answers are retried" : "")
                + (policy.breaker().unusableAnswers() && call.usable() == null
                        ? "; other answers count for the breaker"
                        : "");
    }

    private String answer(RequestEnvelope envelope) {
        if (envelope.reply() == ReplyMode.NEVER) {
            return "none (reply: never)";
        }
        String target = envelope.replyTo() != null
                ? envelope.replyTo()
                : switch (settings.transport()) {
                    case KAFKA -> settings.kafka().answers().topic();
                    case RABBIT -> settings.rabbit().answers().routingKey();
                };
        return "to " + target + (envelope.reply() == ReplyMode.FAILURES ? ", only if the call fails" : "");
    }
}
