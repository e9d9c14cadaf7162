package io.iocluster.node.upstream;

import io.iocluster.upstream.UpstreamStatus;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/upstreams}. */
public final class UpstreamsJson {

    /** Maximum number of upstreams in a response, those that get no calls first. */
    static final int MAX_UPSTREAMS = 500;

    /** Those that get no calls first; otherwise in the order of the destinations. */
    private static final Comparator<UpstreamStatus> ORDER =
            Comparator.comparing(UpstreamStatus::isOut).reversed().thenComparing(UpstreamStatus::destination);

    private UpstreamsJson() {}

    /** Writes the upstreams of all destinations. */
    public static ObjectNode of(List<UpstreamStatus> upstreams) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode all = json.putArray("upstreams");
        upstreams.stream().sorted(ORDER).limit(MAX_UPSTREAMS).forEach(each -> write(each, all.addObject()));
        json.put("more", Math.max(0, upstreams.size() - MAX_UPSTREAMS));
        return json;
    }

    private static void write(UpstreamStatus upstream, ObjectNode json) {
        json.put("destination", upstream.destination())
                .put("upstream", upstream.upstream())
                .put("zone", upstream.zone())
                .put("state", upstream.state().wireName())
                .put("problem", upstream.problem())
                .put("returnsInMillis", upstream.returnsInMillis())
                .put("inFlight", upstream.inFlight())
                .put("latencyMillis", Math.round(upstream.latencyMillis() * 10) / 10.0)
                .put("share", Math.round(upstream.share() * 1_000) / 1_000.0)
                .put("successes", upstream.successes())
                .put("failures", upstream.failures())
                .put("ignored", upstream.ignored())
                .put("ejections", upstream.ejections());
    }
}
