package io.iocluster.node.cli.explain;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.settings.DurationText;

/** Says whether a slow call gets a second attempt, and how often a call is attempted. Stateless. */
final class HedgeFact {

    private HedgeFact() {}

    static String of(DestinationPolicy policy, HttpRequest request, RequestEnvelope call) {
        HedgeSettings settings = policy.hedge();
        if (!settings.isEnabled()) {
            return "none";
        }
        if (!isRepeatable(call, request)) {
            return "none: " + call.method() + " without idempotencyKey must not be sent twice";
        }
        if (maxAttempts(call, policy) < 2) {
            return "none: the call may have only one attempt";
        }
        String delay = settings.after().isPercentile()
                ? settings.after() + " of the destination's latency, and at least "
                        + DurationText.format(settings.minDelay())
                : settings.after().toString();
        return "a second attempt after " + delay + "; at most " + settings.budgetPercent() + " % of the calls";
    }

    /** Returns whether a call that the target may have seen can be sent again. */
    static boolean isRepeatable(RequestEnvelope call, HttpRequest request) {
        return call.idempotencyKey() != null || request.isIdempotent();
    }

    static int maxAttempts(RequestEnvelope call, DestinationPolicy policy) {
        return call.maxAttempts() > 0 ? call.maxAttempts() : policy.retry().maxAttempts();
    }
}
